package browser

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// site builds the static site, once for all tests. If PAGODA_SITE names a folder, it is the site.
var site = sync.OnceValues(func() (string, error) {
	if dir := os.Getenv("PAGODA_SITE"); dir != "" {
		return dir, nil
	}
	dir := filepath.Join(bin, "site")
	cmd := exec.Command("go", "run", "./web/site", "-o", dir)
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
	t.Parallel()
	address, stop := host(t)
	p := open(t, address, "", 1280, 900, calm())
	// A word plays before anything is computed.
	p.wait("document.querySelectorAll('.letter').length === 6")
	p.shot("first")
	p.click("[data-view=file]")
	p.wait("document.querySelector('.compute h2')?.textContent === 'Compute it yourself'")
	p.click(".compute .primary")
	p.wait("document.querySelector('.compute').dataset.states")
	p.expect("document.querySelector('.compute').dataset.states === '1045173439'")
	p.expect("document.querySelector('.compute h2').textContent === '1,045,173,439 positions'")
	p.expect("document.querySelectorAll('.compute .bar').length === 33")
	t.Logf("%s", js[string](p, "document.querySelector('.compute-told').textContent"))
	p.shot("computed")
	p.wait("navigator.serviceWorker.controller")
	js[any](p, `(async () => {
		while (!await caches.match([...performance.getEntriesByType('resource')].find((r) => /engine-peg/.test(r.name)).name)) await new Promise((done) => { setTimeout(done, 50); });
	})()`)

	// Without a network, the page loads again, and answers are those of the command.
	stop()
	p.offline() // pictures of the collection do not come
	p.visit("?view=draw&pattern=.ooo.o...oo...oooooo...oo...oo...o")
	p.wait("document.querySelectorAll('.match').length === 12")
	p.shot("draw")
	p.visit("?view=file")
	p.wait("document.querySelectorAll('#file .column').length === 33")
	p.do(chromedp.Navigate(address + "collection.html"))
	p.wait("document.querySelector('#list .button')")
	p.do(chromedp.Navigate(address + "make.html")) // where this visitor was not yet
	p.wait("document.querySelector('.own-link')")
	// All that has a board is played without its engine. Hints are those that the site knows.
	p.visit("?space=slide/rushhour1")
	p.wait("/^8 moves left/.test(" + slideVerdict + ")")
	p.slide("C", 0, -1) // off the solution
	p.wait("document.getElementById('slide-made').textContent === '1' && /no hints without the engine/.test(" + slideVerdict + ")")
	p.expect("document.getElementById('fault').hidden")
	p.visit("?space=2048/3x3:64&seed=1")
	p.wait("/no hints without the engine/.test(" + numbers("verdict") + ")")
	p.do(chromedp.Navigate(address + "puzzles/slide-klotski.html"))
	p.wait("document.querySelector('h1')?.textContent === 'There is no network' && location.pathname.endsWith('/offline.html')")
}

// Boards that people draw, and addresses with nonsense.
func TestSiteBoards(t *testing.T) {
	t.Parallel()
	address, _ := host(t)
	p := open(t, address, "?drawn=ooo%0Aooo%0Ao.o", 360, 800, calm())
	p.wait("/positions, all/.test(document.getElementById('about-line')?.textContent)")
	p.wait("!document.getElementById('play').hidden")
	p.expect("document.querySelectorAll('#play-board .cell').length === 9")
	p.expect("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
	p.expect("new URLSearchParams(location.search).get('space') === 'peg'")
	p.shot("drawn")
	p.visit("?drawn=ooo%0Ao.o%0Aooo") // is solved by nobody
	p.wait("document.getElementById('verdict').textContent === 'No peg can jump here: a jump needs two pegs and a hole behind them, in one line.'")
	p.visit("?drawn=60+IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM+2332") // a line of a list of boards
	p.wait("/^60 moves left/.test(" + slideVerdict + ")")
	p.visit("?drawn=AA./B.. .../BAA") // a link that does not say the family
	p.wait("document.querySelectorAll('#slide-board .block').length === 2")
	p.expect("new URLSearchParams(location.search).get('space') === 'slide'")
	for query, want := range map[string]string{
		"?space=chess/8x8":                           "no family has the name “chess”",
		"?space=constructor":                         "no family has the name “constructor”",
		"?space=peg/99x99":                           "peg/99x99",
		"?space=slide/nobody":                        "There is no puzzle “slide/nobody”",
		"?space=slide/klotsky":                       "There is no puzzle “slide/klotsky”; did you mean slide/klotski",
		"?drawn=nonsense":                            "Line 1, character 1 of the text: unexpected 'n'",
		"?drawn=" + strings.Repeat("A", 36):          "piece A is no straight bar of two cells or more, as the cars of Rush Hour are",
		"?drawn=IBBxooIooLDDJAALooJoKEEMFFKooMGGHHH": "a row of 35 characters looks like a Rush Hour board, which has 36",
		"?space=slide&drawn=AAB%0AAB%0A":             "Line 2",
	} {
		p.do(chromedp.Navigate(address + query))
		p.wait("document.getElementById('fault') && !document.getElementById('fault').hidden")
		p.expect("document.getElementById('fault').textContent.includes(" + quote(want) + ")")
		p.expect("!/txt|--|the limit|Failed to/.test(document.getElementById('fault').textContent)")
		p.wait("!document.getElementById('nowhere').hidden") // what else there is
	}
	// The metric of the address comes before that of the name.
	p.visit("?space=slide/klotski@steps&metric=lines")
	p.tally("0", "90")
	p.visit("?space=slide/klotski&metric=bogus")
	p.tally("0", "81")
	p.wait("!location.search.includes('bogus') && /“metric”/.test(document.getElementById('toast').textContent)")
}

// Every answer in the tab is that of the server.
func TestSiteAnswers(t *testing.T) {
	t.Parallel()
	for _, space := range []string{"peg/4x4@0,1", "peg/triangle15", "slide/dads", "slide/klotski@steps", "lunar/5x5:2-2", "2048/2x3", "threes/2x2"} {
		t.Run(strings.ReplaceAll(space, "/", "-"), func(t *testing.T) {
			served := serve(t, space)
			address, _ := host(t)
			p := open(t, address, "", 1000, 800, calm())
			p.begin(space)
			asked := 0
			// same asks both, and returns the answer.
			same := func(at, question string) []byte {
				t.Helper()
				asked++
				method := http.MethodGet
				if question != "" {
					method = http.MethodPost
				}
				r, err := http.NewRequestWithContext(t.Context(), method, served+at, strings.NewReader(question))
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
				path, query, _ := strings.Cut(at, "?")
				got := js[string](p, fmt.Sprintf("call('answer', %q, %q, %q, %s).then((r) => r.status + ' ' + btoa(Array.from(r.body, (b) => String.fromCharCode(b)).join('')))", method, "/"+path, query, quote(question)))
				if want := fmt.Sprintf("%d %s", response.StatusCode, base64.StdEncoding.EncodeToString(body)); got != want {
					t.Errorf("%s %s: the tab answers with another %.3s than %s, %.300q", at, question, got, response.Status, body)
				}
				return body
			}
			for _, at := range []string{"api/layers", "api/word?text=A", "api/nothing", "api/layers?x=1"} {
				same(at, "")
			}
			var known struct {
				Start string
				Board struct{ Start string }
			}
			p.decodeAll(same("api/space", ""), &known)
			if known.Start == "" { // a group begins with all solved problems
				known.Start = known.Board.Start
			}
			target := known.Start
			if !strings.HasPrefix(space, "peg/") {
				target = "" // the goals, or the objectives
			}
			// Positions that moves lead to, some of them near each other, and patterns that are none.
			patterns, seen := []string{known.Start}, map[string]bool{known.Start: true}
			for i := 0; i < len(patterns) && len(patterns) < 40; i++ {
				type move struct{ Pattern string }
				var h struct {
					Moves []move
					Cases []struct{ Moves []struct{ Draws []move } }
				}
				p.decodeAll(same("api/hint", fmt.Sprintf(`{"pattern":%q,"target":%q}`, patterns[i], target)), &h)
				var near struct{ Matches []struct{ Pattern string } }
				p.decodeAll(same("api/near", fmt.Sprintf(`{"patterns":[%q],"within":4,"limit":40}`, patterns[i])), &near)
				for _, c := range h.Cases {
					for _, m := range c.Moves {
						h.Moves = append(h.Moves, m.Draws...)
					}
				}
				for _, m := range near.Matches {
					h.Moves = append(h.Moves, m)
				}
				for _, m := range h.Moves {
					if !seen[m.Pattern] {
						seen[m.Pattern] = true
						patterns = append(patterns, m.Pattern)
					}
				}
			}
			for _, pattern := range append(patterns, "", "x", "oo", known.Start+"/o") {
				for _, path := range []string{"has", "path"} {
					same("api/"+path, fmt.Sprintf(`{"pattern":%q}`, pattern))
				}
				same("api/hint", fmt.Sprintf(`{"pattern":%q,"target":%q}`, pattern, target))
			}
			for _, pattern := range patterns[:min(5, len(patterns))] {
				if !strings.HasPrefix(space, "peg/") { // no other page asks for pictures, so no other engine draws
					break
				}
				same("api/picture.svg?pattern="+url.QueryEscape(pattern), "")
				same("api/picture.gif?size=10&pattern="+url.QueryEscape(pattern), "")
			}
			if asked < 100 {
				t.Errorf("only %d requests", asked)
			}
		})
	}
}

// A question that takes long can be given up, and the next one is answered.
func TestSiteCancel(t *testing.T) {
	t.Parallel()
	address, _ := host(t)
	p := open(t, address, "", 1000, 800, calm())
	p.begin("peg/5x7")
	ended := js[string](p, `(async () => {
		const start = 'ooooo/ooooo/ooooo/oo.oo/ooooo/ooooo/ooooo', target = '.ooo./o...o/o...o/ooooo/o...o/o...o/o...o';
		const slow = call('answer', 'POST', '/api/hint', '', JSON.stringify({ pattern: start, target }));
		await new Promise((done) => { setTimeout(done, 300); });
		cancel(slow.id);
		const given = await slow.then(() => 'answered', (err) => err.message);
		const next = await call('answer', 'POST', '/api/has', '', JSON.stringify({ pattern: target }));
		return given + ', ' + next.status;
	})()`)
	if ended != "the question was given up, 200" {
		t.Errorf("the answers are %s", ended)
	}
}

// decodeAll decodes an answer.
func (p *page) decodeAll(data []byte, v any) {
	p.Helper()
	if err := json.Unmarshal(data, v); err != nil {
		p.Fatalf("%v in %.300s", err, data)
	}
}

// Sliding blocks are solved in the tab.
func TestSiteSlides(t *testing.T) {
	t.Parallel()
	address, _ := host(t)
	p := open(t, address, "?space=slide/klotski", 1000, 900, calm())
	p.tally("0", "81")
	p.do(chromedp.KeyEvent("hh"))
	p.tally("1", "80")
	p.shot("klotski")
	p.visit("?space=slide/n3x4") // 239,500,800 positions
	p.wait("/^33 moves left if played best/.test(" + slideVerdict + ")")
}

// The panel offers boards of Lunar Lockout, and a tab computes and plays them.
func TestSiteLunar(t *testing.T) {
	t.Parallel()
	address, _ := host(t)
	p := open(t, address, "?space=lunar/octagon:1-4&view=file", 1280, 900, calm())
	p.wait("document.querySelector('.compute select')")
	offered := js[string](p, "[...document.querySelectorAll('.compute optgroup[label=\"Lunar Lockout\"] option')].map((o) => o.value).join(' ')")
	if offered != "lunar/5x5:3-4 lunar/cross:2-3 lunar/octagon:1-4 lunar/7x7:1-4" {
		t.Errorf("the panel offers %s", offered)
	}
	for _, space := range strings.Fields(offered) {
		p.do(chromedp.Navigate(address + "?space=" + space))
		p.wait("/left if played best/.test(" + lunarVerdict + ")")
		best := js[int](p, "Number(document.getElementById('lunar-best').textContent)")
		p.counts("0", "0 steps", fmt.Sprint(best))
		p.do(chromedp.KeyEvent("h"))
		p.wait("document.querySelector('#lunar-board .way')") // the engine has come
		p.do(chromedp.KeyEvent("h"))
		p.wait("document.getElementById('lunar-made').textContent === '1'")
		p.wait(fmt.Sprintf("document.getElementById('lunar-left').textContent === '%d'", best-1))
	}
	p.shot("7x7")
	p.visit("?space=lunar/7x7:1-4&view=lunar&speed=4")
	p.wait("/left if played best/.test(" + lunarVerdict + ")")
	p.click("#lunar-hardest")
	p.counts("0", "0 steps", "11")
	p.click("#lunar-solve")
	p.wait("/^Solved in 11 moves.*All of them were shown.$/.test(" + lunarVerdict + ")")
}

// begin starts a worker of the site apart from the page, which computes a space.
func (p *page) begin(space string) {
	p.Helper()
	files := make(map[string]string)
	familyName, _, _ := strings.Cut(space, "/")
	dir, err := site()
	if err != nil {
		p.Fatal(err)
	}
	for _, name := range []string{"worker", "engine-" + familyName} {
		all, err := filepath.Glob(filepath.Join(dir, name+"-*"))
		if err != nil || len(all) != 1 {
			p.Fatalf("the site has %v, %v", all, err)
		}
		files[name] = filepath.Base(all[0])
	}
	js[any](p, fmt.Sprintf(`(() => {
		const worker = new Worker(%q, { type: 'module' });
		const waiting = [];
		worker.onmessage = ({ data }) => { if (!data.progress) waiting[data.id](data); };
		globalThis.call = (call, ...args) => {
			const answer = new Promise((done, failed) => {
				waiting.push((data) => (data.fault ? failed(new Error(data.fault)) : done(data.value)));
			});
			answer.id = waiting.length - 1;
			worker.postMessage({ id: answer.id, call, args });
			return answer;
		};
		globalThis.cancel = (id) => worker.postMessage({ id, call: 'cancel' });
		return call('start', new URL(%q, location.href).href).then(() => call('look', %q, '')).then(() => call('open')).then(() => null);
	})()`, files["worker"], files["engine-"+familyName], space))
}

func quote(text string) string {
	data, _ := json.Marshal(text)
	return string(data)
}

// Number tiles are solved in the tab, with all that boards are worth, and played; also from a board that is drawn.
func TestSiteTiles(t *testing.T) {
	t.Parallel()
	address, _ := host(t)
	p := open(t, address, "?space=2048/2x3", 1000, 900, calm())
	p.settled()
	p.expect(numbers("chance") + ".startsWith('93.9') && " + numbers("chance-name") + " === 'chance of 64'")
	p.do(chromedp.Navigate(address + "?space=2048/2x3&view=file"))
	p.wait("document.querySelector('.compute select')")
	for _, space := range []string{"2048/2x2", "2048/2x3", "2048/2x4:256", "2048/3x3:128", "threes/2x2", "threes/2x3"} {
		p.expect("document.querySelector('.compute option[value=\"" + space + "\"]')")
	}
	p.expect("!document.querySelector('.compute option[value=\"2048/3x3\"]')") // 48.7 million boards
	p.visit("?space=2048/2x3")
	p.settled()
	p.do(chromedp.KeyEvent("hh"))
	p.wait("/moves=[UDLRudlr]&/.test(location.search) && /space=2048/.test(location.search)")
	p.shot("2048")
	p.visit("?space=threes/2x2&view=numbers&seed=2&speed=4")
	p.settled()
	p.do(chromedp.KeyEvent("s"))
	p.wait("/the game is over/.test(" + numbers("verdict") + ")")
	p.shot("threes")
	p.visit("?drawn=" + url.QueryEscape("2048:16\n2 4 .\n. 4 8"))
	p.settled()
	p.expect("document.querySelector('.numbers').getAttribute('aria-label') === 'The board: a1 2, b1 4, c1 empty, a2 empty, b2 4, c2 8'")
	p.expect("new URLSearchParams(location.search).get('space') === '2048'")
}

// TestSiteTilesTime measures how long boards take, those that SITE_TILES lists: see bench/README.md.
func TestSiteTilesTime(t *testing.T) {
	t.Parallel()
	if os.Getenv("SITE_TILES") == "" {
		t.Skip("SITE_TILES lists no spaces")
	}
	address, _ := host(t)
	for _, space := range strings.Fields(os.Getenv("SITE_TILES")) {
		p := open(t, address, "?view=numbers&seed=1&space="+space, 1000, 900, calm())
		p.settled()
		p.click("[data-view=file]")
		p.wait("document.querySelector('.compute')?.dataset.states")
		t.Logf("%s: %s %s of %s", space, js[string](p, "document.querySelector('.compute-told').textContent"), js[string](p, numbers("chance")), js[string](p, numbers("chance-name")))
	}
}
