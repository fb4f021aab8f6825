package browser

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// site builds the static site, once for all tests.
var site = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(bin, "site")
	cmd := exec.Command("go", "run", "./internal/web/site", "-o", dir)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return string(out), err
	}
	return dir, nil
})

// host serves the site from a folder of a plain file server, until stop is called, and returns the address.
func host(t *testing.T) (address string, stop func()) {
	t.Helper()
	if _, err := findBrowser(); err != nil {
		t.Skip(err)
	}
	dir, err := site()
	if err != nil {
		t.Fatalf("%s%v", dir, err)
	}
	server := httptest.NewServer(http.StripPrefix("/a/folder", http.FileServer(http.Dir(dir))))
	t.Cleanup(server.Close)
	return server.URL + "/a/folder/", server.Close
}

// The tab computes all positions, and everything on the page works from them, without a network.
func TestSite(t *testing.T) {
	address, stop := host(t)
	p := open(t, address, "", 1280, 900, calm())
	// A word plays before anything is computed.
	p.wait("document.querySelectorAll('.letter').length === 6")
	p.shot("first")
	p.expect("document.querySelector('.compute h2').textContent === 'Compute it yourself'")
	p.click(".compute .primary")
	p.wait("document.querySelector('.compute').dataset.states")
	p.expect("document.querySelector('.compute').dataset.states === '1045173439'")
	p.expect("document.querySelector('.compute h2').textContent === '1,045,173,439 positions'")
	p.expect("document.querySelectorAll('.compute .bar').length === 33")
	t.Logf("%s", js[string](p, "document.querySelector('.compute-told').textContent"))
	p.shot("computed")
	p.wait("navigator.serviceWorker.controller")

	// Without a network, the page loads again, and answers are those of the command.
	stop()
	p.visit("?view=draw&pattern=.ooo.o...oo...oooooo...oo...oo...o")
	p.wait("document.querySelectorAll('.match').length === 12")
	p.shot("draw")
	p.visit("?view=file")
	p.wait("document.querySelectorAll('#file .column').length === 33")
	p.do(chromedp.Navigate(address + "collection.html"))
	p.wait("document.querySelector('#list th button')")
}

// The collection has a page for each puzzle, and a list that can be sorted and searched.
func TestCollection(t *testing.T) {
	address, _ := host(t)
	p := open(t, address, "", 1280, 900, calm())
	p.click(".compute a[href='collection.html']")
	p.wait("document.querySelector('#list th button')")
	p.expect("document.querySelectorAll('#list tbody tr').length > 150")
	p.shot("list")
	const first = "[...document.querySelectorAll('#list tbody tr')].find((tr) => !tr.hidden).cells[0].textContent"
	p.click("#list th:nth-child(7) button") // moves
	p.expect("document.querySelector('#list th:nth-child(7)').getAttribute('aria-sort') === 'ascending'")
	least := js[int](p, "Number("+strings.Replace(first, "cells[0].textContent", "cells[6].dataset.value", 1)+")")
	p.click("#list th:nth-child(7) button")
	most := js[int](p, "Number("+strings.Replace(first, "cells[0].textContent", "cells[6].dataset.value", 1)+")")
	if least < 1 || most <= 10*least {
		t.Errorf("sorted by moves, the first puzzles take %d and %d", least, most)
	}
	p.do(chromedp.Focus("#search"), chromedp.KeyEvent("klotski"))
	p.wait("document.getElementById('found').textContent.endsWith(' found')")
	p.click("#list a[href='puzzles/slide-klotski.html']")
	p.wait("document.querySelector('h1')?.textContent === 'slide/klotski'")
	p.wait("document.querySelector('img.start').naturalWidth > 0")
	p.expect("/25,955/.test(document.querySelector('.facts').textContent)")
	p.shot("klotski")
	p.expect("document.documentElement.scrollWidth <= innerWidth")
	p.do(chromedp.Navigate(address + "puzzles/peg-5x7.html"))
	p.wait("document.querySelector('h1')?.textContent === 'peg/5x7'")
	p.expect("/1,045,173,439/.test(document.querySelector('.facts').textContent)")
	p.click(".button.primary")
	p.wait("document.querySelector('.compute')")
}

// Boards that people draw, and addresses with nonsense.
func TestSiteBoards(t *testing.T) {
	address, _ := host(t)
	p := open(t, address, "", 360, 800, calm())
	p.do(chromedp.Evaluate("document.querySelector('.compute details').open = true", nil), chromedp.SetValue(".compute textarea", "ooo\nooo\no.o", chromedp.ByQuery))
	p.click(".compute form button")
	p.wait("document.querySelector('.compute')?.dataset.states")
	p.wait("!document.getElementById('play').hidden")
	p.expect("document.querySelectorAll('#play-board .cell').length === 9")
	p.expect("document.documentElement.scrollWidth <= innerWidth")
	p.shot("drawn")
	for query, want := range map[string]string{
		"?space=peg/99x99":    "peg/99x99",
		"?space=slide/nobody": "unknown space",
		"?drawn=nonsense":     "",
	} {
		p.do(chromedp.Navigate(address + query))
		p.wait("document.getElementById('fault') && !document.getElementById('fault').hidden")
		p.expect("document.getElementById('fault').textContent.includes(" + quote(want) + ")")
		p.expect("document.querySelector('.compute select')")
	}
}

// Every answer in the tab is that of the server.
func TestSiteAnswers(t *testing.T) {
	served := serve(t, "peg/4x4@0,1")
	address, _ := host(t)
	p := open(t, address, "", 1000, 800, calm())
	p.begin("peg/4x4@0,1")
	for _, c := range [][2]string{
		{"api/layers", ""},
		{"api/has", `{"pattern":"oooo/oooo/oooo/oooo"}`},
		{"api/has", `{"pattern":"oo"}`},
		{"api/near", `{"patterns":["oooo/o..o/o..o/oooo"],"limit":20}`},
		{"api/path", `{"pattern":"..../..../..../o..."}`},
		{"api/hint", `{"pattern":"o.oo/oooo/oooo/oooo","target":"..../..../..../...o"}`},
		{"api/picture.svg?pattern=o.oo/oooo/oooo/oooo", ""},
		{"api/word?text=A", ""},
		{"api/nothing", ""},
	} {
		method := http.MethodGet
		if c[1] != "" {
			method = http.MethodPost
		}
		r, err := http.NewRequestWithContext(t.Context(), method, served+c[0], strings.NewReader(c[1]))
		if err != nil {
			t.Fatal(err)
		}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		path, query, _ := strings.Cut(c[0], "?")
		got := js[string](p, fmt.Sprintf("call('answer', %q, %q, %q, %s).then((r) => r.status + ' ' + new TextDecoder().decode(r.body))", method, "/"+path, query, quote(c[1])))
		if want := fmt.Sprintf("%d %s", response.StatusCode, body); got != want {
			t.Errorf("%s %s: %.300s, want %.300s", c[0], c[1], got, want)
		}
	}
}

// begin starts a worker of the site apart from the page, which computes a space.
func (p *page) begin(space string) {
	p.Helper()
	files := make(map[string]string)
	for _, name := range []string{"worker", "engine"} {
		all, err := filepath.Glob(filepath.Join(bin, "site", name+"-*"))
		if err != nil || len(all) != 1 {
			p.Fatalf("the site has %v, %v", all, err)
		}
		files[name] = filepath.Base(all[0])
	}
	js[any](p, fmt.Sprintf(`(() => {
		const worker = new Worker(%q, { type: 'module' });
		const waiting = [];
		worker.onmessage = ({ data }) => { if (!data.progress) waiting[data.id](data); };
		globalThis.call = (call, ...args) => new Promise((done, failed) => {
			waiting.push((data) => (data.fault ? failed(new Error(data.fault)) : done(data.value)));
			worker.postMessage({ id: waiting.length - 1, call, args });
		});
		return call('start', new URL(%q, location.href).href).then(() => call('open', %q, '')).then(() => null);
	})()`, files["worker"], files["engine"], space))
}

func quote(text string) string {
	data, _ := json.Marshal(text)
	return string(data)
}
