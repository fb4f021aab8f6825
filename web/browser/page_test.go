package browser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Every view fits, wide and narrow, light and dark.
func TestLooks(t *testing.T) {
	t.Parallel()
	address := serve(t, "peg/5x7")
	for _, width := range []int64{360, 1280} {
		for _, theme := range []string{"light", "dark"} {
			t.Run(fmt.Sprintf("%d-%s", width, theme), func(t *testing.T) {
				features := []*emulation.MediaFeature{calm()}
				if theme == "dark" {
					features = append(features, dark())
				}
				p := open(t, address, "", width, 800, features...)
				background := js[string](p, "getComputedStyle(document.body).backgroundColor")
				if (theme == "dark") != (background == "rgb(20, 23, 28)") {
					t.Errorf("the background is %s", background)
				}
				for _, v := range []struct{ name, query, ready string }{
					{"word", "", "document.querySelectorAll('.letter').length === 6"},
					{"words", "?text=HELLO+WORLD+1234,+WHAT%3F+%C3%A9", "document.querySelectorAll('.letter').length > 20"},
					{"play", "?view=play", "/can still/.test(verdict.textContent)"},
					{"draw", "?view=draw&pick=oooo.o...oo...ooo.o.o....o....o....", "document.querySelectorAll('.match').length === 12 && document.querySelector('#watch-board .peg')"},
					{"file", "?view=file", "document.querySelectorAll('.column').length === 33"},
				} {
					p.visit(v.query)
					p.wait(v.ready)
					p.shot(v.name)
					p.expect("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
					// What is pressed is large enough for a finger.
					if small := js[string](p, `[...document.querySelectorAll('button, .button, #menu a')].filter((el) => el.checkVisibility() && (el.offsetHeight < 32 || el.offsetWidth < 32)).map((el) => el.outerHTML).join('\n')`); small != "" {
						t.Errorf("%s: too small:\n%.500s", v.name, small)
					}
				}
			})
		}
	}
}

// On a phone that lies on its side the board and its buttons are seen at once.
func TestLandscape(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "peg/5x7"), "?view=play", 740, 360, calm())
	p.wait("/can still/.test(verdict.textContent)")
	p.shot("play")
	p.expect("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
	p.expect("document.querySelector('#play-board').getBoundingClientRect().bottom <= innerHeight")
	p.expect("document.querySelector('.goal').getBoundingClientRect().left > document.querySelector('#play-board').getBoundingClientRect().right")
	p.expect("document.querySelector('#play .actions').getBoundingClientRect().bottom <= innerHeight")
	p.visit("?text=HI")
	p.wait("document.querySelectorAll('.letter').length === 2")
	p.shot("word")
	p.expect("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
}

// pegsOf lists how many pegs the boards of a word show, in order.
const pegsOf = `[...document.querySelectorAll('#stage .board')].map((b) => [...b.querySelectorAll('.peg:not(.flyer)')].filter((el) => el.style.display !== 'none').length).join()`

func TestWord(t *testing.T) {
	t.Parallel()
	address := serve(t, "peg/5x7")
	p := open(t, address, "?text=ab&speed=99&step=-3&show=%3Cscript%3E&evil=1&target=xyz&view=word", 1280, 800)

	// What the URL should not say is gone; the word plays by itself, to the end.
	p.wait("document.querySelectorAll('.letter').length === 2")
	p.wait("location.search === '?text=ab'")
	p.expect("/does not understand “speed”, “step”, “show” in its address/.test(document.getElementById('toast').textContent)")
	p.wait("document.querySelector('#word-transport .play').getAttribute('aria-label') === 'Pause'")
	p.click("#word-transport .end")
	solved := js[string](p, pegsOf)
	var word struct {
		Letters []struct {
			Pattern string
			Moves   []any
		}
	}
	p.get("api/word?text=ab", &word)
	want := fmt.Sprintf("%d,%d", strings.Count(word.Letters[0].Pattern, "o"), strings.Count(word.Letters[1].Pattern, "o"))
	if solved != want {
		t.Errorf("the boards show %s pegs, want %s", solved, want)
	}
	total := max(len(word.Letters[0].Moves), len(word.Letters[1].Moves))
	p.expect(fmt.Sprintf("document.querySelector('#word-transport .count').textContent === '%d / %d'", total, total))

	// Stepping and scrubbing; all boards end together.
	p.click("#word-transport .back")
	p.wait(fmt.Sprintf("%s === '%d,%d'", pegsOf, 35-len(word.Letters[0].Moves), 35-len(word.Letters[1].Moves)))
	p.click("#word-transport .start")
	if all := js[string](p, pegsOf); all != "34,34" {
		t.Errorf("at the start the boards show %s pegs", all)
	}
	p.do(chromedp.Focus("#word-transport input[type=range]"), chromedp.KeyEvent(kb.ArrowRight+kb.ArrowRight+kb.ArrowRight))
	p.wait("new URLSearchParams(location.search).get('step') === '3'")
	p.click("#word-transport .forward")
	p.wait("new URLSearchParams(location.search).get('step') === '4'")

	// The link shows the same again.
	there := js[string](p, "location.search")
	here := js[string](p, pegsOf)
	p.visit(there)
	p.wait("document.querySelectorAll('.letter').length === 2")
	if again := js[string](p, pegsOf); again != here {
		t.Errorf("%s shows %s pegs, and showed %s", there, again, here)
	}

	// Playing shows pegs in flight, and stops.
	p.click("#word-transport .play")
	p.wait("document.querySelector('#stage .flyer:not([style*=none])')")
	p.shot("flight")
	p.click("#word-transport .play")
	p.wait("document.querySelector('#word-transport .play').getAttribute('aria-label') === 'Play the jumps'")

	// As a puzzle all boards are full.
	p.click("#show label:nth-of-type(1)")
	p.wait("location.search.includes('show=puzzle')")
	if all := js[string](p, pegsOf); all != "34,34" {
		t.Errorf("as puzzles the boards show %s pegs", all)
	}

	// Typing by keyboard; a notice names what is missing and what is too long.
	p.click("#show label:nth-of-type(2)")
	p.do(chromedp.Focus("#text"), chromedp.KeyEvent(kb.End+"&<b>"))
	p.wait("document.querySelectorAll('.letter').length === 6")
	p.expect("document.querySelectorAll('.letter.missing').length === 3")
	p.expect("/no “&”, “<”, “>”/.test(document.getElementById('word-notice').textContent)")
	p.expect("!document.getElementById('stage').querySelector('b')")
	p.visit("?text=" + strings.Repeat("AB+", 60))
	p.wait("document.querySelectorAll('.letter').length > 90") // of 100, but for blanks at line ends
	p.expect("/first 100 of 180/.test(document.getElementById('word-notice').textContent)")
	p.expect("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
	p.shot("long")
	p.visit("?text=%20")
	p.wait("document.querySelectorAll('.letter').length === 1")
	p.visit("?text=%F0%9F%98%80")
	p.wait("document.querySelectorAll('.letter.missing').length === 1")

	// A letter is a puzzle.
	p.visit("?text=Q")
	p.wait("document.querySelectorAll('.letter').length === 1")
	p.click(".letter")
	p.wait("!document.getElementById('play').hidden && document.getElementById('goal-name').textContent === 'Q'")
	p.do(chromedp.NavigateBack())
	p.wait("!document.getElementById('word').hidden && document.querySelectorAll('.letter').length === 1")
}

// Who wants little motion gets none: nothing starts by itself, nothing flies.
func TestReducedMotion(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "peg/5x7"), "?text=A", 800, 800, calm())
	p.wait("document.querySelectorAll('.letter').length === 1")
	p.expect("document.querySelector('#word-transport .play').getAttribute('aria-label') === 'Play the jumps'")
	p.click("#word-transport .start")
	p.click("#word-transport .play")
	p.wait("document.querySelector('#word-transport .count').textContent.startsWith('3 ')")
	p.expect("!document.querySelector('#stage .flyer:not([style*=none])')")
	p.expect("document.getAnimations().length === 0")
}

// hint returns the answer of the server for a position.
type hint struct {
	Reachable bool
	Jumps     []struct {
		From, Over, To [2]int
		Keeps          bool
	}
}

// A puzzle by the keyboard alone: choose a letter, lose it, go back, take hints, win.
func TestPlayByKeyboard(t *testing.T) {
	t.Parallel()
	address := serve(t, "peg/5x7")
	p := open(t, address, "?view=play", 1280, 900, calm())
	p.wait("/can still be reached: 16|can still be reached/.test(verdict.textContent)")

	// Tab to the letter T and press it.
	p.tabTo("document.activeElement.title === 'T'")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.wait("document.getElementById('goal-name').textContent === 'T' && /T can still/.test(verdict.textContent)")

	// Jump on until T is lost, with the arrow keys and Enter: jumps that lose it first.
	position := strings.Repeat("o", 17) + "." + strings.Repeat("o", 17)
	target := js[string](p, "new URLSearchParams(location.search).get('target')")
	jumps := 0
	for lost := false; !lost; jumps++ {
		if jumps == 30 {
			t.Fatal("T cannot be lost")
		}
		var h hint
		p.post("api/hint", map[string]string{"pattern": position, "target": target}, &h)
		j := h.Jumps[0]
		for _, k := range h.Jumps {
			if !k.Keeps {
				j, lost = k, true
			}
		}
		p.tabTo("document.activeElement.closest('#play-board .cell')")
		p.moveTo(j.From)
		p.do(chromedp.KeyEvent(kb.Enter))
		next := []byte(position)
		next[cell(j.From)], next[cell(j.Over)], next[cell(j.To)] = '.', '.', 'o'
		position = string(next)
		if js[bool](p, "Boolean(document.querySelector('.chosen'))") { // it has several jumps
			p.moveTo(j.To)
			p.do(chromedp.KeyEvent(" "))
		}
		p.wait(fmt.Sprintf("document.querySelectorAll('#play-board .peg:not(.flyer):not([style*=none])').length === %d", 34-jumps-1))
	}
	p.wait("/^Lost: no jumps lead to T/.test(verdict.textContent)")
	p.expect("verdict.getAttribute('role') === 'status' && verdict.getAttribute('aria-live') === 'polite'")
	p.expect("document.getElementById('hint').disabled")
	p.shot("lost")
	// With the box off, only a hint says that it is lost.
	p.click("#tell")
	p.wait("/to go.$/.test(verdict.textContent) && !document.getElementById('hint').disabled")
	p.click("#hint")
	p.wait("/^Lost: no jumps lead to T/.test(verdict.textContent)")
	p.click("#tell")

	// Back to where it was not lost; then undo, redo, and hints.
	p.tabTo("document.activeElement.id === 'back'")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.wait("/T can still/.test(verdict.textContent)")
	p.wait(fmt.Sprintf("(new URLSearchParams(location.search).get('jumps') || '').split('-').filter(Boolean).length === %d", jumps-1))
	before := 34 - jumps + 1
	p.do(chromedp.KeyEvent("h"))
	p.wait("document.querySelector('#play-board .arrow')")
	p.shot("hint")
	p.do(chromedp.KeyEvent("h"))
	p.wait(fmt.Sprintf("document.querySelectorAll('#play-board .peg:not(.flyer):not([style*=none])').length === %d", before-1))
	p.do(chromedp.KeyEvent("u"))
	p.wait(fmt.Sprintf("document.querySelectorAll('#play-board .peg:not(.flyer):not([style*=none])').length === %d", before))
	p.do(chromedp.KeyEvent("y"))
	p.wait(fmt.Sprintf("document.querySelectorAll('#play-board .peg:not(.flyer):not([style*=none])').length === %d", before-1))

	// The same game from its link; the rest is shown.
	p.wait(fmt.Sprintf("(new URLSearchParams(location.search).get('jumps') || '').split('-').length === %d", jumps))
	p.visit(js[string](p, "location.search"))
	p.wait("/T can still/.test(verdict.textContent)")
	p.expect(fmt.Sprintf("document.querySelectorAll('#play-board .peg:not(.flyer):not([style*=none])').length === %d", before-1))
	p.tabTo("document.activeElement.id === 'rest'")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.wait("/^Solved: .* yours, .* shown. That is T!/.test(verdict.textContent)")
	p.shot("won")
}

// A puzzle by clicks, and by taps on a narrow screen: with motion.
func TestPlayByClicks(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "peg/5x7"), "?view=play", 360, 800)
	p.wait("/can still/.test(verdict.textContent)")
	p.click("[data-cell='27']") // the only jump of this peg: two rows below the centre
	p.wait("document.querySelectorAll('#play-board .peg:not(.flyer):not([style*=none])').length === 33")
	p.wait("!document.querySelector('#play-board .flyer:not([style*=none])')")
	p.click("[data-cell='0']")
	p.wait("/cannot jump/.test(verdict.textContent)")
	p.click("#undo")
	p.wait("document.querySelectorAll('#play-board .peg:not(.flyer):not([style*=none])').length === 34")
	p.expect("document.getElementById('undo').disabled")
}

func cell(at [2]int) int { return 5*at[0] + at[1] }

// moveTo goes to a cell of the board by the arrow keys; a cell has the focus.
func (p *page) moveTo(at [2]int) {
	p.Helper()
	now := js[int](p, "Number(document.activeElement.dataset.cell)")
	keys := strings.Repeat(kb.ArrowDown, max(0, at[0]-now/5)) + strings.Repeat(kb.ArrowUp, max(0, now/5-at[0])) +
		strings.Repeat(kb.ArrowRight, max(0, at[1]-now%5)) + strings.Repeat(kb.ArrowLeft, max(0, now%5-at[1]))
	if keys != "" {
		p.do(chromedp.KeyEvent(keys))
	}
	if now := js[int](p, "Number(document.activeElement.dataset.cell)"); now != cell(at) {
		p.Fatalf("the arrow keys lead to cell %d, want %d", now, cell(at))
	}
}

// tabTo presses Tab until a condition holds.
func (p *page) tabTo(condition string) {
	p.Helper()
	for range 80 {
		if js[bool](p, "Boolean("+condition+")") {
			return
		}
		p.do(chromedp.KeyEvent(kb.Tab))
	}
	p.Fatalf("Tab does not lead to this: %s", condition)
}

func TestDraw(t *testing.T) {
	t.Parallel()
	address := serve(t, "peg/5x7")
	p := open(t, address, "?view=draw&pattern=zzz", 1280, 900)
	p.wait("document.querySelectorAll('.match').length === 12")
	p.click("#fill-holes")
	p.wait("!location.search.includes('pattern')")

	// A stroke down the left side, and a click that takes a cell away and back again.
	p.drag("#draw-board [data-cell='0']", "#draw-board [data-cell='30']")
	p.wait("new URLSearchParams(location.search).get('pattern') === 'o....'.repeat(7)")
	p.click("#draw-board [data-cell='15']")
	p.wait("new URLSearchParams(location.search).get('pattern')[15] === '.'")
	p.click("#draw-board [data-cell='15']")
	p.click("#brush label:nth-of-type(3)")
	p.click("#draw-board [data-cell='7']")
	p.wait("new URLSearchParams(location.search).get('pattern') === 'o....o.?..' + 'o....'.repeat(5)")
	p.shot("drawn")

	// What is shown is what the API answers, which is what the command answers.
	var near struct{ Matches []struct{ Pattern string } }
	p.post("api/near", map[string]any{"patterns": []string{"o....o.?.." + strings.Repeat("o....", 5)}, "within": 35, "limit": 12}, &near)
	var want []string
	for _, m := range near.Matches {
		want = append(want, strings.ReplaceAll(m.Pattern, "/", ""))
	}
	p.wait(fmt.Sprintf("[...document.querySelectorAll('.match')].map((el) => el.dataset.cells).join() === %q", strings.Join(want, ",")))

	// By the keyboard as well.
	p.do(chromedp.Focus("#draw-board [data-cell='0']"), chromedp.KeyEvent("p"+kb.ArrowRight+kb.ArrowRight+" "))
	p.wait("new URLSearchParams(location.search).get('pattern')[2] === 'o'")

	// Pick one and watch it, and then play it.
	p.wait("document.querySelectorAll('.match').length === 12")
	p.click(".match")
	p.wait("!document.getElementById('watch').hidden && document.querySelector('#watch-transport .play').getAttribute('aria-label') === 'Pause'")
	p.wait("document.querySelector('#watch-board .flyer:not([style*=none])')")
	p.shot("watched")
	p.click("#watch-transport .end")
	p.wait("new URLSearchParams(location.search).has('pick')") // the URL follows after a while
	p.expect("[...document.querySelectorAll('#watch-board .peg:not(.flyer):not([style*=none])')].length === [...new URLSearchParams(location.search).get('pick')].filter((c) => c === 'o').length")
	p.click("#watch-play")
	p.wait("!document.getElementById('play').hidden && /can still/.test(verdict.textContent)")
}

func TestFile(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "peg/5x7"), "?view=file", 1280, 900)
	p.wait("document.querySelectorAll('.column').length === 33")
	p.expect("/1,045,173,439/.test(document.getElementById('file-told').textContent)")
	p.do(chromedp.Focus(".column"), chromedp.KeyEvent(kb.ArrowRight))
	p.expect("document.getElementById('layer-told').textContent === '4 positions with pegs 33'")
	p.click("#log")
	p.wait("location.search === '?view=file&log=on'")
	p.shot("log")
	p.click("#theme")
	p.wait("getComputedStyle(document.body).backgroundColor === 'rgb(20, 23, 28)'")
	// The device remembers the colours; those of a link come first.
	p.visit("?view=file")
	p.expect("getComputedStyle(document.body).backgroundColor === 'rgb(20, 23, 28)'")
	p.visit("?view=file&theme=light")
	p.expect("getComputedStyle(document.body).backgroundColor === 'rgb(253, 251, 246)'")
}

// Other boards have what they allow.
func TestOtherBoards(t *testing.T) {
	t.Parallel()
	for _, space := range []string{"peg/4x4@0,1", "peg/triangle15", "peg/english", "slide/klotski"} {
		t.Run(strings.ReplaceAll(space, "/", "-"), func(t *testing.T) {
			address := serve(t, space)
			p := open(t, address, "?view=word&text=HI", 1000, 900, calm())
			if strings.HasPrefix(space, "slide/") {
				p.click("[data-view~=file]")
				p.wait("document.querySelectorAll('.column').length > 3")
				return
			}
			p.wait("/can still/.test(verdict.textContent)")
			p.shot("play")
			p.click("#rest")
			p.wait("/^Solved/.test(verdict.textContent)")
			// A new target is as far as one likes.
			far := "(document.getElementById('play-level').value = %s, document.getElementById('play-deal').click(), document.getElementById('goal-count').textContent.match(/\\d+/g).reduce((a, b) => a - b))"
			easy, hard := js[int](p, fmt.Sprintf(far, "'0.25'")), js[int](p, fmt.Sprintf(far, "'0.8'"))
			if pegs := js[int](p, "Number(/\\d+/.exec(document.getElementById('goal-count').textContent)[0])"); easy != max(1, (pegs-1+2)/4) || hard <= easy || hard >= pegs {
				t.Errorf("%s: an easy target has %d jumps, a hard one %d, of %d pegs", space, easy, hard, pegs)
			}
			p.wait("/can still/.test(verdict.textContent)")
			p.click("#menu [data-view=make]")
			p.wait("/^This can be reached/.test(document.getElementById('draw-verdict').textContent)") // with what it begins
			p.click("#draw-board [data-cell='0']")
			p.wait("document.querySelectorAll('.match').length === 12")
			p.click(".match")
			p.wait("!document.getElementById('watch').hidden")
			p.shot("draw")
		})
	}
}

// visit opens the page with another query string.
func (p *page) visit(query string) {
	p.Helper()
	p.do(chromedp.Navigate(p.address + query))
	p.wait("document.body.classList.contains('ready')")
}

// click clicks in the middle of what a selector finds.
func (p *page) click(selector string) {
	p.Helper()
	x, y := p.middle(selector)
	p.do(chromedp.MouseClickXY(x, y))
}

func (p *page) middle(selector string) (x, y float64) {
	p.Helper()
	if !js[bool](p, fmt.Sprintf(`(() => {
		const el = [...document.querySelectorAll(%q)].find((el) => el.checkVisibility());
		el?.scrollIntoView({block: 'nearest', behavior: 'instant'});
		return Boolean(el);
	})()`, selector)) {
		p.Fatalf("%s is not there", selector)
	}
	return p.at(selector)
}

// at returns the middle of what a selector finds, in the window.
func (p *page) at(selector string) (x, y float64) {
	p.Helper()
	at := js[[]float64](p, fmt.Sprintf(`(() => {
		const r = [...document.querySelectorAll(%q)].find((el) => el.checkVisibility()).getBoundingClientRect();
		return [r.x + r.width / 2, r.y + r.height / 2];
	})()`, selector))
	return at[0], at[1]
}

// drag draws a stroke from the middle of one thing to that of another.
func (p *page) drag(from, to string) {
	p.Helper()
	p.middle(to) // it may have to be scrolled
	x, y := p.middle(from)
	u, v := p.at(to)
	p.do(chromedp.MouseEvent("mousePressed", x, y, chromedp.ButtonLeft))
	for i := range 41 {
		share := float64(i) / 40
		p.do(chromedp.MouseEvent("mouseMoved", x+(u-x)*share, y+(v-y)*share, chromedp.ButtonLeft))
	}
	p.do(chromedp.MouseEvent("mouseReleased", u, v, chromedp.ButtonLeft))
}

func (p *page) get(path string, v any) {
	p.Helper()
	response, err := http.Get(p.address + path)
	p.decode(response, err, v)
}

func (p *page) post(path string, question, v any) {
	p.Helper()
	body, err := json.Marshal(question)
	if err != nil {
		p.Fatal(err)
	}
	response, err := http.Post(p.address+path, "application/json", strings.NewReader(string(body)))
	p.decode(response, err, v)
}

func (p *page) decode(response *http.Response, err error, v any) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != 200 {
		p.Fatalf("%s: %s", response.Request.URL.Path, response.Status)
	}
	if err := json.NewDecoder(response.Body).Decode(v); err != nil {
		p.Fatal(err)
	}
}
