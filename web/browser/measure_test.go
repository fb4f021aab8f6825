package browser

import (
	"compress/gzip"
	"context"
	"fmt"
	"mime"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// observe is evaluated before all of the page: it notes what bench/README.md has figures of. Times are since the click that
// leads to the page.
const observe = `globalThis.seen = { first: 0, shift: 0, tasks: [], plays: 0, held: 0, hints: 0 };
for (const [type, note] of Object.entries({
	paint: (e) => { if (e.name === 'first-contentful-paint') seen.first = e.startTime; },
	'layout-shift': (e) => { if (!e.hadRecentInput) seen.shift += e.value; },
	'long-animation-frame': (e) => {
		for (const s of e.scripts) if (s.duration > 50) seen.tasks.push(Math.round(s.startTime) + ': ' + Math.round(s.duration) + ' ms, ' + s.invoker.split('/').pop() + ' ' + s.sourceFunctionName);
		if (e.scripts.every((s) => s.duration <= 50) && e.blockingDuration > 0) seen.tasks.push(Math.round(e.startTime) + ': ' + Math.round(e.duration) + ' ms, style, layout and paint');
	},
})) new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
const look = () => {
	if (document.querySelector('#stage .flyer:not([style*=none])')) seen.plays ||= performance.now();
	if (document.querySelector('#slide-board .held')) seen.held ||= performance.now();
	if (/^\d/.test(document.getElementById('slide-left')?.textContent)) seen.hints ||= performance.now();
	requestAnimationFrame(look);
};
requestAnimationFrame(look);`

const bits = 1_600_000 // a second

// compressed serves a folder as hosts do: texts are compressed. Engines come as slowly as all else.
func compressed(t *testing.T, dir string) string {
	files := http.FileServer(http.Dir(dir))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "max-age=600") // as GitHub Pages says
		kind := mime.TypeByExtension(filepath.Ext(r.URL.Path))
		if path := r.URL.Path; path == "/" || strings.Contains(kind, "text") || strings.Contains(kind, "json") || strings.Contains(kind, "svg") {
			if path == "/" {
				path, kind = "/index.html", "text/html; charset=utf-8"
			}
			if data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(path))); err == nil {
				w.Header().Set("Content-Type", kind)
				w.Header().Set("Content-Encoding", "gzip")
				z := gzip.NewWriter(w)
				z.Write(data)
				z.Close()
				return
			}
		}
		if data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(r.URL.Path))); err == nil && strings.HasPrefix(r.URL.Path, "/engine-") {
			time.Sleep(150 * time.Millisecond)
			for part := range slices.Chunk(data, bits/8/20) { // the browser slows down no worker
				w.Write(part)
				time.Sleep(time.Second / 20)
			}
			return
		}
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/"
}

// TestMeasure measures how the site feels on a slow phone, if PAGODA_MEASURE is set: the processor is slowed down by 4, and
// the network has 1.6 Mbit/s and answers after 150 ms. Each figure is the median of five visits, each with empty caches.
func TestMeasure(t *testing.T) {
	if os.Getenv("PAGODA_MEASURE") == "" {
		t.Skip("PAGODA_MEASURE is not set")
	}
	if _, err := findBrowser(); err != nil {
		t.Skip(err)
	}
	dir, err := site()
	if err != nil {
		t.Fatalf("%s%v", dir, err)
	}
	address := compressed(t, dir)
	elsewhere, _ := host(t)
	const since = "performance.now()"
	klotski := func(p *page) map[string]float64 {
		p.wait("document.querySelector('#slide-board [data-piece=g]')?.getBoundingClientRect().width > 0")
		for js[string](p, "document.getElementById('slide-made').textContent") != "1" { // until it reacts
			x, y := p.middle("#slide-board [data-piece=g]")
			p.do(chromedp.MouseEvent("mousePressed", x, y, chromedp.ButtonLeft))
			for _, by := range []float64{10, 40, 70} {
				p.do(chromedp.MouseEvent("mouseMoved", x, y+by, chromedp.ButtonLeft))
			}
			p.do(chromedp.MouseEvent("mouseReleased", x, y+70, chromedp.ButtonLeft))
		}
		p.wait("seen.hints") // the site knows a solution that begins with this slide
		p.wait("/25,955/.test(document.getElementById('about-line').textContent)")
		return map[string]float64{"in hand, ms": js[float64](p, "seen.held"), "hints, ms": js[float64](p, "seen.hints"), "all positions, ms": js[float64](p, since)}
	}
	for _, m := range []struct {
		name, path string
		do         func(p *page) map[string]float64 // returns more figures
	}{
		{"a word plays", "", func(p *page) map[string]float64 {
			p.wait("seen.plays")
			return map[string]float64{"plays, ms": js[float64](p, "seen.plays")}
		}},
		{"Klotski", "?space=slide/klotski", klotski},
		{"Klotski from the shelf", "", func(p *page) map[string]float64 {
			p.wait("seen.plays")
			time.Sleep(3 * time.Second)
			// A tile leads to the first level of its pack that is not solved, so this one is turned to Klotski.
			js[any](p, "(() => { const tile = document.querySelector('#shelf [data-pack]'); tile.href = '?space=slide/klotski'; tile.click(); })()")
			return klotski(p)
		}},
		{"5x7, click to result", "?view=file", func(p *page) map[string]float64 {
			p.wait("document.querySelector('.compute .primary')?.checkVisibility()")
			js[any](p, "globalThis.clicked = "+since+", document.querySelector('.compute .primary').click(), null")
			p.wait("document.querySelector('.compute').dataset.states")
			return map[string]float64{"result, ms": js[float64](p, since+" - clicked"), "of it computing, ms": js[float64](p, "1000 * Number(document.querySelector('.compute').dataset.seconds)")}
		}},
	} {
		t.Run(m.name, func(t *testing.T) {
			figures := make(map[string][]float64)
			var tasks []string
			for range 5 {
				p := open(t, elsewhere, "", 390, 844) // nothing of the site is in memory
				p.do(network.Enable(), network.ClearBrowserCache(), network.SetBypassServiceWorker(true), emulation.SetCPUThrottlingRate(4), chromedp.ActionFunc(func(ctx context.Context) error {
					_, err := network.EmulateNetworkConditionsByRule([]*network.Conditions{{Latency: 150, DownloadThroughput: bits / 8., UploadThroughput: bits / 8.}}).Do(ctx)
					if err == nil {
						_, err = cdppage.AddScriptToEvaluateOnNewDocument(observe).Do(ctx)
					}
					return err
				}))
				p.do(chromedp.Navigate(address + m.path))
				all := m.do(p)
				for last, now := -1, 0; now != last; time.Sleep(3 * time.Second) { // until the page is at rest
					last, now = now, js[int](p, "performance.getEntriesByType('resource').length")
				}
				all["first paint, ms"] = js[float64](p, "seen.first")
				all["shift"] = js[float64](p, "seen.shift")
				all["kB"] = js[float64](p, "performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation')).filter((e) => !/engine-/.test(e.name)).reduce((sum, e) => sum + e.transferSize, 0) / 1000")
				for name, v := range all {
					figures[name] = append(figures[name], v)
				}
				tasks = append(tasks, js[string](p, "seen.tasks.join('\\n')"))
				chromedp.Cancel(p.ctx)
			}
			var lines []string
			for name, all := range figures {
				slices.Sort(all)
				lines = append(lines, fmt.Sprintf("%s %.4g (%.4g to %.4g)", name, all[2], all[0], all[4]))
			}
			slices.Sort(lines)
			t.Logf("%s\ntasks above 50 ms in the last visit:\n%s", strings.Join(lines, "; "), tasks[4])
		})
	}
}
