package browser

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// observe is evaluated before all of the page: it notes what bench/README.md has figures of.
const observe = `globalThis.seen = { first: 0, largest: 0, shift: 0, tasks: [], plays: 0 };
for (const [type, note] of Object.entries({
	paint: (e) => { if (e.name === 'first-contentful-paint') seen.first = e.startTime; },
	'largest-contentful-paint': (e) => { seen.largest = e.startTime; },
	'layout-shift': (e) => { if (!e.hadRecentInput) seen.shift += e.value; },
	longtask: (e) => seen.tasks.push([e.startTime, e.duration]),
})) new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
const wait = () => {
	if (document.querySelector('#stage .flyer:not([style*=none])')) seen.plays = performance.now();
	else requestAnimationFrame(wait);
};
requestAnimationFrame(wait);`

// TestMeasure measures how the pages of the site load on a slow phone, if PAGODA_MEASURE is set: the processor is slowed down
// by 4, and the network has 1.6 Mbit/s and answers after 150 ms.
func TestMeasure(t *testing.T) {
	t.Parallel()
	if os.Getenv("PAGODA_MEASURE") == "" {
		t.Skip("PAGODA_MEASURE is not set")
	}
	address, _ := host(t)
	for _, l := range siteLooks {
		t.Run(l.name, func(t *testing.T) {
			p := open(t, address, "", 390, 844)
			const bits = 1.6e6
			p.do(network.Enable(), network.ClearBrowserCache(), network.SetBypassServiceWorker(true), emulation.SetCPUThrottlingRate(4), chromedp.ActionFunc(func(ctx context.Context) error {
				_, err := network.EmulateNetworkConditionsByRule([]*network.Conditions{{Latency: 150, DownloadThroughput: bits / 8, UploadThroughput: bits / 8}}).Do(ctx)
				if err == nil {
					_, err = cdppage.AddScriptToEvaluateOnNewDocument(observe).Do(ctx)
				}
				return err
			}))
			p.do(chromedp.Navigate(address + l.path))
			p.wait(l.ready)
			time.Sleep(6 * time.Second)
			t.Log(js[string](p, `(() => {
				const end = seen.first + 5000; // while the page comes
				const blocked = seen.tasks.filter(([at]) => at > seen.first && at < end).reduce((sum, [, long]) => sum + Math.max(0, long - 50), 0);
				const bytes = performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation')).reduce((sum, e) => sum + e.transferSize, 0);
				const s = (ms) => (ms / 1000).toFixed(2) + ' s';
				return 'first paint ' + s(seen.first) + ', largest ' + s(seen.largest) + ', blocked ' + Math.round(blocked) + ' ms, shift ' + seen.shift.toFixed(3) + ', plays ' + s(seen.plays) + ', ' + bytes + ' bytes';
			})()`))
		})
	}
}
