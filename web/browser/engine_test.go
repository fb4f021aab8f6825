package browser

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A gate serves the site, and keeps the engines or other files back: it holds requests for them until it is opened, or refuses
// them.
type gate struct {
	address string
	asked   atomic.Int64 // requests for what it keeps back
	refuses atomic.Bool
	opened  chan struct{}
	open    func()
}

func gated(t *testing.T) *gate { return held(t, "/engine-") }

// held is gated for files whose paths begin so.
func held(t *testing.T, begin string) *gate {
	t.Helper()
	if _, err := findBrowser(); err != nil {
		t.Skip(err)
	}
	dir, err := site()
	if err != nil {
		t.Fatalf("%s%v", dir, err)
	}
	g := &gate{opened: make(chan struct{})}
	g.open = sync.OnceFunc(func() { close(g.opened) })
	files := http.FileServer(http.Dir(dir))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, begin) {
			g.asked.Add(1)
			if g.refuses.Load() {
				panic(http.ErrAbortHandler) // as without a network
			}
			select {
			case <-g.opened:
			case <-r.Context().Done():
				return
			}
		}
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	t.Cleanup(g.open)
	g.address = server.URL + "/"
	return g
}

// offline forgives that the browser complains of files that do not come.
func (p *page) offline() {
	p.Cleanup(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.faults = slices.DeleteFunc(p.faults, func(text string) bool { return text == "Failed to load resource: net::ERR_FAILED" })
	})
}

// The board is there before the engine has come, and can be played. Hints off the solution that the site knows come with the engine.
func TestBoardFirst(t *testing.T) {
	t.Parallel()
	g := gated(t)
	p := open(t, g.address, "?space=slide/klotski", 1000, 900, calm())
	p.wait("document.querySelectorAll('#slide-board .block').length === 10")
	p.expect("document.getElementById('slide-best').textContent === '81'")
	p.dragBy("#slide-board", "[data-piece=h]", 1, 0)
	p.tally("1", "…")
	p.expect("document.getElementById('about-line').textContent.startsWith('slide/klotski. ')")
	p.shot("before")
	p.click("[data-view=file]")
	p.wait("document.querySelector('.compute-told')?.textContent === 'The engine is loaded…'")
	p.expect("document.getElementById('file-whole').hidden")
	p.do(chromedp.NavigateBack())
	g.open()
	p.wait("Number(document.getElementById('slide-left').textContent) > 70")
	p.wait("/25,955 positions, all/.test(document.getElementById('about-line').textContent)")
	p.click("[data-view=file]")
	p.wait("document.querySelector('.compute').dataset.states === '25955' && document.querySelectorAll('#file .column').length > 50")
	p.shot("after")
	for _, path := range []string{"?space=slide/klotski@steps", "?space=slide/klotski&metric=steps"} {
		p.visit(path)
		p.tally("0", "116")
	}
	// A link leads into a game, and to a board that was drawn: the engine knows that before it computes.
	p.visit("?space=slide/klotski&slides=h_D")
	p.tally("1", "80")
	p.visit("?space=slide&drawn=AA./B..%20.../BAA")
	p.wait("document.querySelectorAll('#slide-board .block').length === 2 && Number(document.getElementById('slide-best').textContent) > 0")
	// Boards of other families are there, too.
	for space, board := range map[string]string{"peg/english": "#play-board .cell", "lunar/5x5:3-4": "#lunar-board .block", "2048/2x3": "#numbers-board .num"} {
		other := gated(t)
		q := open(t, other.address, "?space="+space, 1000, 900, calm())
		q.wait("document.querySelector(" + quote(board) + ")")
		other.open()
	}
}

// A solution of a level is known before the engine has come: until one leaves it, there are hints, and Solve plays it.
func TestHintsFirst(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ view, path, first, told string }{
		{"slide", "slide/hrd-leading-the-charge", "/^21 moves left if played best/", "Solved in 21 moves. All of them were shown."},
		{"slide", "slide/rushhour1", "/^8 moves left if played best/", "Solved in 8 moves. All of them were shown."},
		{"lunar", "lunar/5x5:2-3&at=...../.X..Y/...../.1..2/..Z.3", "/^9 moves left if played best/", "Solved in 9 moves, 12 steps. All of them were shown."},
		{"play", "peg/triangle15&target=............o..", "/can still be reached: 13 jumps to go/", "Solved: all 13 jumps were shown."},
		{"play", "peg/5x7&view=play&target=oooo.o...oo...ooooo.o..o.o..o.o...o", "/^R can still be reached: /", "Solved: all 16 jumps were shown. That is R!"},
	} {
		t.Run(c.path, func(t *testing.T) {
			t.Parallel()
			p := open(t, gated(t).address, "?speed=8&space="+c.path, 1000, 900, calm())
			verdict := map[string]string{"slide": slideVerdict, "lunar": lunarVerdict, "play": "verdict.textContent"}[c.view]
			p.wait(c.first + ".test(" + verdict + ")")
			p.do(chromedp.KeyEvent("h"))
			p.wait("/^(Best|Try)/.test(" + verdict + ")")
			p.do(chromedp.KeyEvent("s"))
			p.won(c.view, "Solved with help", c.told, -1)
		})
	}
}

// Who asks for a hint off the solution, and comes back to it before the engine is there, gets hints again.
func TestHintsBack(t *testing.T) {
	t.Parallel()
	p := open(t, gated(t).address, "?space=slide/rushhour1", 1000, 900, calm())
	p.wait("/^8 moves left/.test(" + slideVerdict + ")")
	p.dragBy("#slide-board", "[data-piece=O]", 1, 0)
	p.wait("/^Hints come when/.test(" + slideVerdict + ")")
	p.do(chromedp.KeyEvent("h"), chromedp.KeyEvent("u"))
	p.wait("/^8 moves left/.test(" + slideVerdict + ")")
	p.do(chromedp.KeyEvent("h"))
	p.wait("/^Best: /.test(" + slideVerdict + ")")
	p.expect("document.getElementById('fault').hidden")
	p = open(t, gated(t).address, "?space=peg/english", 1000, 900, calm())
	p.wait("/can still be reached/.test(verdict.textContent)")
	first := js[string](p, "[...document.querySelectorAll('#play-board .live')].map((el) => el.dataset.cell).join()")
	p.do(chromedp.KeyEvent("h"))
	p.wait("/^Try/.test(verdict.textContent)")
	best := js[string](p, "document.activeElement.dataset.cell")
	for cell := range strings.SplitSeq(first, ",") {
		if cell != best {
			p.click("#play-board [data-cell=\"" + cell + "\"]")
			break
		}
	}
	p.wait("/^Hints come when/.test(verdict.textContent)")
	p.do(chromedp.KeyEvent("h"), chromedp.KeyEvent("u"))
	p.wait("/can still be reached/.test(verdict.textContent)")
	p.do(chromedp.KeyEvent("h"))
	p.wait("/^Try/.test(verdict.textContent)")
	p.click(".tile[aria-pressed=true]") // the same again
	p.wait("/can still be reached/.test(verdict.textContent)")
	p.do(chromedp.KeyEvent("h"))
	p.wait("/^Try/.test(verdict.textContent)")
}

// Solutions that do not come, or come late, keep no answer of the engine back.
func TestSolutionsLate(t *testing.T) {
	t.Parallel()
	const shown = "!document.getElementById('slide-map-panel').hidden"
	g := held(t, "/solutions-")
	p := open(t, g.address, "?space=slide/rushhour1", 1000, 900, calm())
	p.wait("/^8 moves left/.test(" + slideVerdict + ") && " + shown)
	hints := func(made, left string) { // the second one makes the move that the first one shows
		p.do(chromedp.KeyEvent("h"))
		p.wait("/^Best/.test(" + slideVerdict + ")")
		p.do(chromedp.KeyEvent("h"))
		p.tally(made, left)
	}
	hints("1", "7")
	g.open()
	hints("2", "6")
	p.expect(shown)
	p = open(t, held(t, "/solutions-").address, "?space=peg/triangle15", 1000, 900, calm())
	p.wait("/can still be reached/.test(verdict.textContent)")
}

// What a puzzle needs is asked for by the page itself, once, before its script has come.
func TestAhead(t *testing.T) {
	t.Parallel()
	address, _ := host(t)
	p := open(t, address, "", 1000, 900, calm())
	for path, files := range map[string]string{
		"":                            "/word-\\w+\\.js$ /play-\\w+\\.js$ /letters-",
		"?space=peg/5x7&view=play":    "/word-\\w+\\.js$ /play-\\w+\\.js$ /letters-",
		"?space=peg/english":          "/play-\\w+\\.js$ /boards/peg-english.json",
		"?space=slide/klotski@steps":  "/slide-\\w+\\.js$ /boards/slide-klotski.json",
		"?space=lunar/5x5:3-4":        "/lunar-\\w+\\.js$ /boards/lunar-5x5-3-4.json",
		"?space=threes/2x2":           "/numbers-\\w+\\.js$ /boards/threes-2x2.json",
		"?space=slide&drawn=AB/.. BA": "/slide-\\w+\\.js$",
	} {
		p.visit(path)
		for file := range strings.FieldsSeq(files) {
			asked := js[string](p, `(() => {
				const all = performance.getEntriesByType('resource');
				const came = all.find(({ name }) => /\/main-/.test(name)).responseEnd;
				return all.filter(({ name }) => new RegExp(`+quote(file)+`).test(name)).map(({ startTime }) => (startTime < came ? 'before' : 'after')).join();
			})()`)
			if asked != "before" {
				t.Errorf("%s asks for %s %s main.js", path, file, asked)
			}
		}
	}
}

// What no tab can compute is refused at once, in words for people, and can be played by hand.
func TestRefused(t *testing.T) {
	t.Parallel()
	g := gated(t) // no engine comes
	p := open(t, g.address, "?seed=1&space=2048/4x4", 1000, 900, calm())
	for _, space := range []string{"2048/4x4", "threes/4x4"} {
		p.visit("?seed=1&space=" + space)
		p.wait("/your best score counts\\.$/.test(" + numbers("verdict") + ")")
		p.do(chromedp.KeyEvent(kb.ArrowLeft), chromedp.KeyEvent(kb.ArrowUp))
		p.wait("new URLSearchParams(location.search).get('moves')")
	}
	// The score of a game that is over is kept, and the panel says it.
	p.visit("?space=2048/4x4&seed=1&at=2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,.")
	p.wait(numbers("score") + " === '0'")
	js[any](p, `(async () => {
		while (document.querySelector('#numbers .finish').hidden) {
			for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']) document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
			await new Promise((done) => { setTimeout(done, 20); });
		}
	})()`)
	p.expect("document.querySelector('#numbers .finish h2').textContent === 'The game is over' && /^Score [\\d,]+, \\d+ moves?, greatest tile \\d+\\.$/.test(document.querySelector('#numbers .finish-told').textContent)")
	p.visit("?space=slide/15-puzzle&view=file")
	p.wait("/^No tab can compute this puzzle: it has 10,461,394,944,000 positions/.test(document.querySelector('.compute-told')?.textContent)")
	p.expect("document.querySelector('.compute .primary').hidden && document.querySelector('.compute progress').hidden")
	if n := g.asked.Load(); n > 0 {
		t.Errorf("%d engines were asked for", n)
	}
	g.open()
	// The 15-puzzle has hints, which are searched by bounds.
	p.visit("?space=slide/15-puzzle")
	p.wait("/^54 moves left if played best/.test(" + slideVerdict + ")")
	p.click("#slide-hint")
	p.wait("/^Best: /.test(" + slideVerdict + ")")
	p.click("#slide-hint")
	p.wait("document.getElementById('slide-made').textContent === '1' && /^53 moves left/.test(" + slideVerdict + ")")
	p.visit("?space=slide/n4x4&metric=steps")
	p.wait("document.getElementById('slide-unit').textContent === 'steps made'")
	p.visit("?space=peg/7x7")
	p.wait("/no hints.*: it has 19,519,350,640,161 positions/.test(verdict.textContent)")
	p.visit("?space=slide/n5x5")
	p.wait("/too many for any computer/.test(" + slideVerdict + ")")
}

// The panel says what happens, never goes back, and can begin again.
func TestPanel(t *testing.T) {
	t.Parallel()
	g := gated(t)
	g.refuses.Store(true)
	p := open(t, g.address, "?space=peg/english&view=file", 1000, 900, calm())
	p.offline()
	const told = "document.querySelector('.compute-told')?.textContent"
	p.wait(told + " === 'The engine cannot be loaded: the network does not answer. Try again when it does.'")
	g.refuses.Store(false)
	p.click(".compute .primary")
	p.wait(told + " === 'The engine is loaded…'")
	p.click(".compute .actions button:not(.primary)")
	p.wait(told + " === 'It was stopped. You can begin again.'")
	g.open()
	js[any](p, `(() => {
		globalThis.back = false;
		let most = 0;
		const look = () => {
			const { value } = document.querySelector('.compute progress');
			if (value < most) back = true;
			most = value;
			requestAnimationFrame(look);
		};
		look();
	})()`)
	p.click(".compute .primary")
	p.expect(told + " !== 'It was stopped. You can begin again.'")
	p.wait("document.querySelector('.compute').dataset.states === '187636299'")
	p.expect("!back")
	// The list has titles, and names the puzzle that is shown, also on the way back.
	p.expect("[...document.querySelectorAll('.compute optgroup')].every((g) => g.label !== '' && g.children.length > 0)")
	p.expect("document.querySelector('.compute option').parentElement.label === 'peg solitaire'")
	p.expect("document.querySelector('.compute option[value=\"slide/klotski\"]').textContent.startsWith('Klotski')")
	js[any](p, `(() => {
		const list = document.querySelector('.compute select');
		list.value = 'peg/4x4';
		list.dispatchEvent(new Event('change'));
	})()`)
	p.wait("location.search.includes('4x4') && document.querySelector('.compute select')?.value === 'peg/4x4'")
	p.do(chromedp.NavigateBack())
	p.wait("location.search.includes('english') && document.querySelector('.compute select')?.value === 'peg/english'")
}

// A picture of a word needs the engine, but no positions.
func TestWordPicture(t *testing.T) {
	t.Parallel()
	g := gated(t)
	g.open()
	p := open(t, g.address, "?text=GO", 1000, 900, calm())
	p.wait("document.querySelectorAll('.letter').length === 2")
	p.share()
	if f := p.savePicture("gif", "small", ""); !strings.HasPrefix(string(f.bytes()), "GIF8") {
		t.Errorf("the GIF %s begins with %.10q", f.Name, f.bytes())
	}
	p.do(chromedp.KeyEvent("\u001b"))
	p.click("[data-view=file]")
	p.wait("document.querySelector('.compute .primary')?.checkVisibility()")
	p.expect("!document.querySelector('.compute').dataset.states && document.querySelector('.compute-told').textContent === ''")
}
