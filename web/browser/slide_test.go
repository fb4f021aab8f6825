package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// slide drags a piece by a number of cells.
func (p *page) slide(piece string, rows, cols float64) {
	p.Helper()
	p.dragBy("#slide-board", "[data-piece='"+piece+"']", rows, cols)
}

// tally expects the numbers of moves that are made and left.
func (p *page) tally(made, left string) {
	p.Helper()
	p.wait(fmt.Sprintf("document.getElementById('slide-made').textContent === %q && document.getElementById('slide-left').textContent === %q", made, left))
}

const slideVerdict = "document.getElementById('slide-verdict').textContent"

// Sliding blocks fit, wide and narrow, light and dark.
func TestSlideLooks(t *testing.T) {
	t.Parallel()
	fits(t, "", []string{"slide/klotski", "slide/n2x3"}, func(p *page) {
		p.wait("/left/.test(" + slideVerdict + ")")
		p.shot("start")
		p.do(chromedp.KeyEvent("h"))
		p.wait("/^Best/.test(" + slideVerdict + ")")
		p.shot("hint")
	})
}

// Klotski is dragged, taken back and solved to its end.
func TestSlideKlotski(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "slide/klotski"), "?view=play&slides=zz_U&at=garbage", 1280, 900, calm())
	p.tally("0", "81")
	p.wait("location.search === '?view=slide'")
	p.expect("document.querySelector('[data-view=play]').getAttribute('aria-current') === 'page'")
	p.slide("A", 0, 1) // it is shut in
	p.tally("0", "81")
	p.slide("g", 1, 0)
	p.wait("document.getElementById('slide-made').textContent === '1'")
	p.wait("location.search === '?view=slide&slides=g_D'")
	p.slide("g", -1, 0) // the same piece goes back: that was no move
	p.tally("0", "81")
	p.slide("g", 1, 1) // around a corner it is still one move
	p.wait("/slides=g_(DR|RD)/.test(location.search)")
	p.wait("document.getElementById('slide-made').textContent === '1' && document.getElementById('slide-left').textContent.length === 2")
	p.click("#slide-undo")
	p.tally("0", "81")
	p.click("#slide-redo")
	p.wait("document.getElementById('slide-made').textContent === '1'")
	p.click("#slide-restart")
	p.tally("0", "81")
	p.click("#slide-board [data-piece=g]") // it has one way
	p.wait("/slides=g_D$/.test(location.search)")
	p.click("#slide-undo")
	p.tally("0", "81")
	for i := 1; i <= 3; i++ {
		p.click("#slide-hint")
		p.wait("/^Best: /.test(" + slideVerdict + ")")
		p.expect("document.querySelector('.block.hinted') && document.querySelector('.way')")
		p.click("#slide-hint")
		p.tally(fmt.Sprint(i), fmt.Sprint(81-i))
	}
	// The page comes back where it was.
	p.wait("location.search.split('-').length === 3")
	p.visit(js[string](p, "location.search"))
	p.tally("3", "78")
	p.expect("document.querySelectorAll('#slide-map .bar.here').length === 1")
	p.do(chromedp.Evaluate("document.getElementById('slide-speed').value = '4'; document.getElementById('slide-speed').dispatchEvent(new Event('change'))", nil))
	p.click("#slide-solve")
	p.wait("/^Solved in 81 moves. All of them were shown.$/.test(" + slideVerdict + ")")
	p.tally("81", "0")
	p.shot("solved")
	p.expect("document.getElementById('slide-hint').disabled")
	p.click("#slide-undo")
	p.tally("80", "1")
	// Without hints nothing is said of what is left.
	p.click("#slide-hints")
	p.tally("80", "–")
	p.expect("document.getElementById('slide-map-panel').hidden")
}

// A finger drags pieces; the page does not scroll meanwhile.
func TestSlideByTouch(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "slide/klotski"), "", 360, 640, calm())
	p.do(emulation.SetTouchEmulationEnabled(true))
	p.tally("0", "81")
	x, y := p.middle("#slide-board [data-piece=h]")
	scrolled := js[float64](p, "scrollY")
	cell := js[float64](p, "document.querySelector('#slide-board .tray').getScreenCTM().a") * 40
	touch := func(kind input.TouchType, share float64) {
		points := []*input.TouchPoint{{X: x, Y: y + share*cell}}
		if kind == input.TouchEnd {
			points = []*input.TouchPoint{}
		}
		p.do(input.DispatchTouchEvent(kind, points))
	}
	touch(input.TouchStart, 0)
	for i := range 11 {
		touch(input.TouchMove, float64(i)/10)
	}
	touch(input.TouchEnd, 1)
	p.wait("/slides=h_D$/.test(location.search)")
	if now := js[float64](p, "scrollY"); now != scrolled {
		t.Errorf("the page was scrolled from %v to %v", scrolled, now)
	}
}

// Everything can be done by keys, and with motion.
func TestSlideByKeyboard(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "slide/klotski"), "", 1000, 900)
	p.tally("0", "81")
	p.do(chromedp.Evaluate("document.querySelector('#slide-board [tabindex=\"0\"]').focus()", nil))
	p.expect("document.activeElement.dataset.piece === 'B'")
	p.do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown))
	focused := js[string](p, "document.activeElement.dataset.piece")
	p.do(chromedp.KeyEvent(kb.ArrowRight))
	if next := js[string](p, "document.activeElement.dataset.piece"); next == focused || next == "" {
		t.Errorf("the arrow goes from %s to %s", focused, next)
	}
	p.expect("document.querySelectorAll('#slide-board [tabindex=\"0\"]').length === 1")
	p.do(chromedp.Evaluate("document.querySelector('#slide-board [data-piece=g]').focus()", nil), chromedp.KeyEvent(kb.Enter))
	p.expect("document.activeElement.getAttribute('aria-pressed') === 'true'")
	p.do(chromedp.KeyEvent(kb.ArrowUp)) // it cannot
	p.expect("document.getElementById('slide-made').textContent === '0'")
	p.do(chromedp.KeyEvent(kb.ArrowDown))
	p.wait("document.getElementById('slide-made').textContent === '1'")
	p.do(chromedp.KeyEvent(kb.ArrowRight)) // of the same piece: the same move
	p.wait("/g_DR$/.test(location.search)")
	p.expect("document.getElementById('slide-made').textContent === '1'")
	p.expect("/, c5/.test(document.activeElement.getAttribute('aria-label'))")
	p.do(chromedp.KeyEvent(kb.Escape), chromedp.KeyEvent("u"))
	p.tally("0", "81")
	p.do(chromedp.KeyEvent("h"))
	p.wait("/^Best: /.test(" + slideVerdict + ")")
	p.do(chromedp.KeyEvent("h"))
	p.tally("1", "80")
	p.do(chromedp.KeyEvent("s")) // plays on, until it is stopped
	p.wait("Number(document.getElementById('slide-made').textContent) > 3")
	p.do(chromedp.KeyEvent("s"))
	made := js[string](p, "document.getElementById('slide-made').textContent")
	p.expect("new Promise((done) => setTimeout(done, 900)).then(() => document.getElementById('slide-made').textContent === '" + made + "')")
}

// A puzzle with everything: walls between cells, a gate, a piece in parts, and pieces on an axis.
const everything = `tray:
.A..E
CC..B
.D.EB
#DF..
goal: ...../...../...../#...A
walls: (0,2) right, (1,2) below, (2,0) right
gate:
.....
.....
.....
#...A
parts: E
vertical: B
horizontal: C
`

// The page knows the rules as the program does: on walks through puzzles it finds the same steps,
// positions and goals.
func TestSlideRules(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "everything.txt")
	if err := os.WriteFile(file, []byte(everything), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, space := range []string{file, "slide/agatka@steps", "slide/entanglement@steps", "slide/rushhour1@steps", "slide/dads@supersteps", "slide/n2x3@steps"} {
		t.Run(filepath.Base(space), func(t *testing.T) {
			p := open(t, serve(t, space), "", 1000, 900, calm())
			p.wait("/left/.test(" + slideVerdict + ")")
			p.shot("board")
			if fault := js[string](p, `import('./tray.js').then(async ({ Tray }) => {
				const tray = new Tray((await (await fetch('api/space')).json()).board);
				let at = tray.begin;
				let solved = 0;
				for (let n = 0; n < 400; n++) {
					const text = tray.text(at);
					const told = await (await fetch('api/hint', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ pattern: text, target: '' }) })).json();
					if (told.error) return text + ': ' + told.error;
					if (JSON.stringify(tray.read(text)) !== JSON.stringify(at)) return text + ' is read as something else';
					if (tray.solved(at) !== (told.distance === 0)) return text + ': solved is ' + tray.solved(at);
					solved += told.distance === 0;
					const mine = new Set();
					at.forEach((_, i) => [...'UDLR'].forEach((way) => {
						const set = tray.push(at, i, way);
						if (set) mine.add(set.map((j) => tray.names[j]).join('') + ' ' + way + ' ' + tray.text(tray.after(at, set, way)));
					}));
					const all = told.moves.filter((m) => m.path.length === 1).map((m) => m.text + ' ' + m.pattern);
					const wrong = [...mine].filter((m) => !all.includes(m));
					if (wrong.length || !tray.metric.together && all.length !== mine.size) return text + ': found ' + [...mine] + ', expected ' + all;
					const fitting = told.moves.map((m) => [[...m.pieces].map((name) => tray.names.indexOf(name)), m.path]);
					if (!fitting.every(([set, path]) => tray.fits(at, set, path[0]))) return text + ': a move of the program does not fit';
					const next = n % 50 < 30 && told.solution?.moves[0] || told.moves[n * 7919 % told.moves.length]; // to the goal and away
					const set = [...next.pieces].map((name) => tray.names.indexOf(name));
					for (const way of next.path) at = tray.after(at, set, way);
				}
				return solved ? '' : 'it never came to a goal';
			})`); fault != "" {
				t.Error(fault)
			}
		})
	}
}

// A puzzle without hints can be played all the same.
func TestSlideNoHints(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "no-goal.txt")
	if err := os.WriteFile(file, []byte("tray:\nAB.\n...\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p := open(t, serve(t, file), "", 1000, 900, calm())
	p.expect("document.getElementById('slide-hint').disabled && document.getElementById('slide-solve').disabled && document.getElementById('slide-hints').disabled")
	p.tally("0", "–")
	p.slide("A", 1, 2) // down, and on to the right
	p.wait("/slides=A_DRR$/.test(location.search)")
	p.tally("1", "–")
	p.do(chromedp.KeyEvent("h"), chromedp.KeyEvent("r"))
	p.tally("0", "–")
}

// What is dragged by three cells is as many moves as the metric says.
func TestSlideCounts(t *testing.T) {
	t.Parallel()
	for space, made := range map[string]string{"slide/rushhour1@steps": "3", "slide/rushhour1@lines": "1", "slide/rushhour1": "1"} {
		t.Run(space[6:], func(t *testing.T) {
			p := open(t, serve(t, space), "", 1000, 900, calm())
			p.wait("/left/.test(" + slideVerdict + ")")
			p.slide("C", 0, -1)
			p.wait("document.getElementById('slide-made').textContent === '1'")
			p.slide("C", 0, -2)
			p.wait(fmt.Sprintf("document.getElementById('slide-made').textContent === %q", made))
		})
	}
}

// In each metric, the solution has the length that the program says, and is played to its end.
func TestSlideMetrics(t *testing.T) {
	t.Parallel()
	for _, space := range []string{"slide/hardest-2x4@steps", "slide/hardest-2x4@lines", "slide/hardest-2x4@superlines", "slide/rushhour1@lines"} {
		t.Run(space[6:], func(t *testing.T) {
			p := open(t, serve(t, space), "?speed=4", 1000, 900, calm())
			p.wait("/left/.test(" + slideVerdict + ")")
			length := js[string](p, "document.getElementById('slide-best').textContent")
			p.tally("0", length)
			p.click("#slide-solve")
			p.wait("/^Solved in .* All of them were shown.$/.test(" + slideVerdict + ")")
			p.tally(length, "0")
		})
	}
}

// Tiles show their numbers, also those that texts write as letters, and are mixed as often as one likes.
func TestSlideMix(t *testing.T) {
	t.Parallel()
	address, _ := host(t)
	p := open(t, address, "?space=slide/15-puzzle", 1000, 800, calm())
	p.wait("document.querySelectorAll('#slide-board .name').length === 15")
	p.expect("[...document.querySelectorAll('#slide-board .name')].map((el) => Number(el.textContent)).sort((a, b) => a - b).join() === '1,2,3,4,5,6,7,8,9,10,11,12,13,14,15'")
	const places = "[...document.querySelectorAll('#slide-board .block')].map((el) => el.getAttribute('transform')).join()"
	before := js[string](p, places)
	p.click("#slide-mix")
	p.wait(places + " !== " + quote(before) + " && new URLSearchParams(location.search).has('at')")
	mixed := js[string](p, places)
	p.do(chromedp.Evaluate("[...document.querySelectorAll('#slide-board .block')].find((el) => /slides/.test(el.getAttribute('aria-label'))).focus()", nil))
	p.do(chromedp.KeyEvent(kb.Enter))
	for _, key := range []string{kb.ArrowUp, kb.ArrowDown, kb.ArrowLeft, kb.ArrowRight} {
		p.do(chromedp.KeyEvent(key))
		if js[string](p, places) != mixed {
			break
		}
	}
	p.wait(places + " !== " + quote(mixed))
	p.click("#slide-restart") // the tiles are mixed as they were
	p.wait(places + " === " + quote(mixed))
	// The 8-puzzle begins mixed, and on a phone its goal is beside the board. A new start is as hard as one likes.
	p.size(390, 844)
	p.visit("?space=slide/n3x3")
	p.wait("/^22 moves left/.test(" + slideVerdict + ") && document.querySelector('#slide-goal-beside .board').getBoundingClientRect().bottom < document.querySelector('#slide-board').getBoundingClientRect().top")
	p.expect("[...document.querySelectorAll('#slide-goal-beside .name')].map((el) => el.textContent).sort().join('') === '12345678'")
	// Two random starts in five lead to a dead end below 25.
	for range 4 {
		for level, want := range map[string]string{"0.25": "8", "0.8": "25"} { // of 31
			p.do(chromedp.Evaluate("document.getElementById('slide-level').value = '"+level+"', document.getElementById('slide-deal').click()", nil))
			p.wait("!document.getElementById('slide-deal').disabled && document.getElementById('slide-left').textContent === '" + want + "'")
		}
	}
	// The page does not enumerate the 15-puzzle, so a new start is random, and the page does not solve it first.
	p.visit("?space=slide/15-puzzle")
	p.do(chromedp.Evaluate("document.getElementById('slide-deal').click()", nil))
	p.wait("new URLSearchParams(location.search).has('at') && !document.getElementById('slide-deal').disabled")
	// A piece may slide twice in a row if no other piece can. A new start is unsolved, even with three positions.
	p.visit("?space=slide&drawn=A./.%23%20.A/.%23")
	p.wait("document.getElementById('slide-left').textContent === '1'")
	for range 8 {
		p.do(chromedp.Evaluate("document.getElementById('slide-deal').click()", nil))
		p.wait("!document.getElementById('slide-deal').disabled && document.getElementById('slide-left').textContent === '1'")
	}
}
