package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const lunarVerdict = "document.getElementById('lunar-verdict').textContent"

// Boards of Lunar Lockout fit, wide and narrow, light and dark.
func TestLunarLooks(t *testing.T) {
	t.Parallel()
	fits(t, "", []string{"lunar/5x5:2-3", "lunar/cross:1-3"}, func(p *page) {
		p.wait("/left/.test(" + lunarVerdict + ")")
		p.shot("start")
		p.do(chromedp.KeyEvent("h"))
		p.wait("/^Best/.test(" + lunarVerdict + ")")
		p.shot("hint")
	})
}

// On a phone that lies on its side the board and its buttons are seen at once.
func TestLunarLandscape(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "lunar/5x5:2-3"), "", 740, 360, calm())
	p.counts("0", "0 steps", "2")
	p.shot("play")
	p.expect("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
	p.expect("document.querySelector('#lunar .actions').getBoundingClientRect().bottom <= innerHeight")
	p.expect("document.querySelector('#lunar .actions').getBoundingClientRect().left > document.querySelector('#lunar-board .board').getBoundingClientRect().right")
}

// In a file by slides each slide is a move, and the hints count slides.
func TestLunarSlides(t *testing.T) {
	t.Parallel()
	const at = "?view=lunar&at=.1.2./...../...../3.X4./....."
	p := open(t, serve(t, "lunar/5x5:1-4@slides"), at, 740, 700, calm())
	p.counts("0", "0 steps", "4")
	p.visit(at + "&slides=3_R-3_U")
	p.counts("2", "2 steps", "3")
	p.visit(at + "&slides=1_R-X_U-3_R-X_D")
	p.wait("/^Solved in 4 moves/.test(" + lunarVerdict + ")")
}

// push drags a piece by a part of its way.
func (p *page) push(piece string, rows, cols float64) {
	p.Helper()
	p.dragBy("#lunar-board", "[data-piece='"+piece+"']", rows, cols)
}

// counts expects the moves and steps that are made, and the moves that are left.
func (p *page) counts(made, steps, left string) {
	p.Helper()
	p.wait(fmt.Sprintf("['made', 'made-steps', 'left'].map((name) => document.getElementById('lunar-' + name).textContent).join() === %q", made+","+steps+","+left))
}

// Card 4 of the deck is dragged, taken back and solved, and the page comes back where it was.
func TestLunarByMouse(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "lunar/5x5:2-3"), "?view=play&slides=zz_U&at=garbage", 1280, 900, calm())
	p.counts("0", "0 steps", "2")
	p.wait("location.search === '?view=lunar'")
	p.expect("document.querySelector('[data-view=play]').getAttribute('aria-current') === 'page'")
	p.expect("document.querySelectorAll('#lunar-tiles .card').length === 10")
	p.click(`[data-pattern="..1../...../..+../2X.3./....."]`)
	p.wait("document.getElementById('lunar-title').textContent === 'Card 4'")
	p.wait("/^beginner, difficulty 5.1 · solved in 3 moves, 4 steps · 1 best solution$/.test(document.getElementById('lunar-about').textContent)")
	p.expect(`document.querySelector('.card[aria-pressed=true]').dataset.pattern === '..1../...../..+../2X.3./.....'`)
	p.counts("0", "0 steps", "3")
	p.push("X", -0.9, 0) // nothing stops it there
	p.push("X", 0, 0.25) // not far enough
	p.counts("0", "0 steps", "3")
	p.push("X", 0, 0.7)
	p.counts("1", "1 step", "2") // it may go on in the same move
	p.push("X", -0.7, 0)
	p.counts("1", "2 steps", "2")
	p.wait("/slides=X_RU&/.test(location.search)")
	p.expect("/^2 moves left if played best.$/.test(" + lunarVerdict + ")")
	p.click("#lunar-undo")
	p.counts("0", "0 steps", "3")
	p.click("#lunar-redo")
	p.counts("1", "2 steps", "2")
	p.visit(js[string](p, "location.search"))
	p.counts("1", "2 steps", "2")
	p.expect("document.getElementById('lunar-title').textContent === 'Card 4'")
	p.click("#lunar-hint")
	p.wait("/^Best: 2 right. Hint again/.test(" + lunarVerdict + ")")
	p.expect("document.querySelector('#lunar-board .block.hinted').dataset.piece === '2' && document.querySelector('#lunar-board .way')")
	p.shot("hint")
	p.click("#lunar-hint")
	p.counts("2", "3 steps", "1")
	p.click("#lunar-board [data-piece=X]") // it has one way
	p.wait("/^Solved in 3 moves, 4 steps. 1 of them was shown.$/.test(" + lunarVerdict + ")")
	p.counts("3", "4 steps", "0")
	p.expect("document.querySelector('#lunar-board [data-piece=X]').style.display === 'none' && document.getElementById('lunar-hint').disabled")
	p.shot("solved")
	p.click("#lunar-undo")
	p.expect("document.querySelector('#lunar-board [data-piece=X]').style.display === ''")
	p.click("#lunar-restart")
	p.counts("0", "0 steps", "3")
	p.expect("document.getElementById('lunar-title').textContent === 'Card 4'")
	p.wait("!/slides=/.test(location.search)") // it is written: a browser that changes an address meanwhile does not go back
	p.do(chromedp.Evaluate("history.back()", nil))
	p.wait("document.getElementById('lunar-title').textContent === 'Card 1'")
	// Without hints nothing is said of what is left.
	p.click("#lunar-hints")
	p.counts("0", "0 steps", "–")
}

// A piece that can go several ways is clicked, and then where it goes. It stays chosen, to turn.
func TestLunarByClicks(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "lunar/5x5:2-3"), "?view=lunar&at=..X.1/...../...../.2.../....3", 1000, 900)
	p.counts("0", "0 steps", "2")
	p.click("#lunar-board [data-piece='1']")
	p.wait("document.querySelectorAll('#lunar-board .landing').length === 2")
	p.shot("landings")
	p.click("#lunar-board [data-piece='1']") // not this one
	p.wait("document.querySelectorAll('#lunar-board .landing').length === 0")
	p.click("#lunar-board [data-piece='1']")
	p.click("#lunar-board .landing[data-way=D]")
	p.counts("1", "1 step", "1")
	p.click("#lunar-board .landing[data-way=L]")
	p.counts("1", "2 steps", "1")
	p.wait("/slides=1_DL&/.test(location.search)")
	p.do(chromedp.KeyEvent("s"))
	p.wait("/^Solved in 2 moves, 3 steps. 1 of them was shown.$/.test(" + lunarVerdict + ")")
	// A piece with one way moves at once: another click, where it was to go, does not send it back.
	p.visit("?view=lunar&at=1X..2/...../...../...../....3")
	p.wait("document.getElementById('lunar-made').textContent === '0' && document.querySelector('#lunar-board [data-piece=X]')")
	p.click("#lunar-board [data-piece=X]")
	p.wait("document.getElementById('lunar-made').textContent === '1'")
	p.wait("document.querySelector('#lunar-board [data-piece=X]').getAttribute('transform').startsWith('translate(140 20)')") // it has landed: a click on a flying piece can miss
	p.click("#lunar-board [data-piece=X]")
	p.wait("document.querySelector('#lunar-board .landing')")
	p.expect("document.getElementById('lunar-made').textContent === '1'")
}

// A turn goes on with the move; a way back is a move of its own.
func TestLunarCounts(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "lunar/5x5:2-3"), "?view=lunar&at=...../...../X.1.2/...../.....", 1000, 900, calm())
	p.counts("0", "0 steps", "2")
	p.push("1", 0, -1)
	p.counts("1", "1 step", "2")
	p.expect("/That is 1 move more than the shortest solution/.test(" + lunarVerdict + ")")
	p.push("1", 0, 1)
	p.counts("2", "2 steps", "1")
	p.push("X", 0, 1)
	p.wait("/^Solved in 3 moves, 3 steps. The shortest has 2 moves, 2 steps.$/.test(" + lunarVerdict + ")")
	p.visit("?view=lunar&at=.1.../...../X.2.3/...../.....&slides=2_L-2_R") // no card: the page asks for the problem, too
	p.wait("document.getElementById('lunar-best').textContent === '2' && document.getElementById('lunar-title').textContent === 'A problem'")
	p.expect("/1 best solution$/.test(document.getElementById('lunar-about').textContent)")
	p.counts("2", "2 steps", "1")
	p.visit("?view=lunar&at=..X.1/...../...../.2.../....3&slides=1_DL-X_D")
	p.wait("/^Solved in 2 moves, 3 steps. No solution is shorter!$/.test(" + lunarVerdict + ")")
}

// Dead ends are called by their names.
func TestLunarLost(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "lunar/5x5:2-3"), "", 1000, 900, calm())
	p.counts("0", "0 steps", "2")
	p.click("#lunar-board [data-piece='2']")
	p.wait("/^Stuck: no piece can slide/.test(" + lunarVerdict + ")")
	p.counts("1", "1 step", "∞")
	p.expect("document.getElementById('lunar-board').classList.contains('is-lost') && document.getElementById('lunar-hint').disabled")
	p.shot("stuck")
	p.do(chromedp.KeyEvent("u"))
	p.counts("0", "0 steps", "2")
	p.visit("?view=lunar&at=..X.1/...../...../.2.../....3&slides=X_R")
	p.wait("/^Lost: it cannot be solved from here/.test(" + lunarVerdict + ")")
	p.visit("?view=lunar&at=X..../...../...../...../....1")
	p.counts("0", "0 steps", "∞")
	p.expect("/^Stuck/.test(" + lunarVerdict + ")")
	p.visit("?view=lunar&at=X..1./...../...../...../.....")
	p.wait("/^This problem has no solution/.test(" + lunarVerdict + ")")
	p.visit("?view=lunar&at=oo..o/...../...../o..../...X.") // pieces without names get some
	p.counts("0", "0 steps", "10")
	p.wait("/at=12..3%2F/.test(location.search)")
	p.visit("?view=lunar&at=1...2/.Y.../..X.3/...../4.5..") // X cannot stand on the exit: the page has the first card
	p.wait("document.getElementById('lunar-title').textContent === 'Card 1'")
}

// A finger drags pieces; the page does not scroll meanwhile.
func TestLunarByTouch(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "lunar/5x5:2-3"), "", 360, 640, calm())
	p.do(emulation.SetTouchEmulationEnabled(true))
	p.counts("0", "0 steps", "2")
	x, y := p.middle("#lunar-board [data-piece='1']")
	scrolled := js[float64](p, "scrollY")
	touch := func(kind input.TouchType, points ...*input.TouchPoint) {
		p.do(input.DispatchTouchEvent(kind, append([]*input.TouchPoint{}, points...)))
	}
	touch(input.TouchStart, &input.TouchPoint{X: x, Y: y})
	for i := range 11 {
		touch(input.TouchMove, &input.TouchPoint{X: x, Y: y + 5*float64(i)})
	}
	touch(input.TouchEnd)
	p.wait("/slides=1_D$/.test(location.search)")
	p.counts("1", "1 step", "1")
	if now := js[float64](p, "scrollY"); now != scrolled {
		t.Errorf("the page was scrolled from %v to %v", scrolled, now)
	}
}

// Everything can be done by keys, and with motion.
func TestLunarByKeyboard(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "lunar/5x5:2-3"), "?view=lunar&at=..1../...../...../2X.3./.....", 1000, 900)
	p.counts("0", "0 steps", "3")
	p.do(chromedp.Evaluate("document.querySelector('#lunar-board [tabindex=\"0\"]').focus()", nil))
	p.expect("document.activeElement.dataset.piece === 'X'")
	p.expect("document.activeElement.getAttribute('aria-label') === 'Letter X, b4, slides right to c4'")
	p.do(chromedp.KeyEvent(kb.ArrowRight))
	p.expect("document.activeElement.dataset.piece === '3'")
	p.do(chromedp.KeyEvent(kb.ArrowLeft), chromedp.KeyEvent(kb.Enter))
	p.expect("document.activeElement.dataset.piece === 'X' && document.activeElement.getAttribute('aria-pressed') === 'true'")
	p.do(chromedp.KeyEvent(kb.ArrowDown)) // it cannot
	p.expect("document.getElementById('lunar-made').textContent === '0'")
	p.do(chromedp.KeyEvent(kb.ArrowRight))
	p.counts("1", "1 step", "2")
	p.do(chromedp.KeyEvent(kb.ArrowUp)) // of the same piece: the same move
	p.counts("1", "2 steps", "2")
	p.wait("/slides=X_RU&/.test(location.search)")
	p.expect("/, c2, /.test(document.activeElement.getAttribute('aria-label'))")
	p.do(chromedp.KeyEvent(kb.Escape), chromedp.KeyEvent("u"))
	p.counts("0", "0 steps", "3")
	p.do(chromedp.KeyEvent("y"))
	p.counts("1", "2 steps", "2")
	p.do(chromedp.KeyEvent("h"))
	p.wait("/^Best: 2 right/.test(" + lunarVerdict + ")")
	p.do(chromedp.KeyEvent("h"))
	p.counts("2", "3 steps", "1")
	p.do(chromedp.Evaluate("document.querySelector('#lunar-board [data-piece=X]').focus()", nil), chromedp.KeyEvent(kb.Enter), chromedp.KeyEvent(kb.ArrowDown))
	p.wait("/^Solved in 3 moves, 4 steps/.test(" + lunarVerdict + ")")
	p.expect("document.activeElement.closest('#lunar-board') && document.activeElement.dataset.piece !== 'X'") // X is gone
	p.do(chromedp.KeyEvent("r"))
	p.counts("0", "0 steps", "3")
	p.do(chromedp.KeyEvent("s")) // plays to the end
	p.wait("/^Solved in 3 moves, 4 steps. All of them were shown.$/.test(" + lunarVerdict + ")")
}

// The last card is solved for all to see, in as few moves and steps as the deck says. The problems of the file
// come by surprise.
func TestLunarDeck(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "lunar/5x5:2-3"), "?view=lunar&speed=4", 1280, 900, calm())
	p.counts("0", "0 steps", "2")
	p.click("#lunar-levels label:nth-of-type(4)")
	p.wait("document.querySelectorAll('#lunar-tiles .card').length === 10 && document.querySelector('#lunar-tiles .badge').textContent === '31'")
	p.shot("expert")
	p.click("#lunar-tiles .card:nth-child(10)")
	p.wait("document.getElementById('lunar-title').textContent === 'Card 40'")
	p.counts("0", "0 steps", "15")
	p.click("#lunar-solve")
	p.wait("/^Solved in 15 moves, 22 steps. All of them were shown.$/.test(" + lunarVerdict + ")")
	p.click("#lunar-hardest")
	p.wait("document.getElementById('lunar-title').textContent === 'A problem' && document.getElementById('lunar-best').textContent === '10'")
	p.counts("0", "0 steps", "10")
	p.expect("document.querySelectorAll('.card[aria-pressed=true]').length === 0")
	for level, moves := range map[string][2]int{"0.25": {3, 5}, "0.8": {11, 13}} { // of 15
		for range 3 {
			before := js[string](p, "location.search")
			js[any](p, "document.getElementById('lunar-level').value = "+quote(level)+", document.getElementById('lunar-deal').click(), null")
			p.wait("location.search !== " + quote(before))
			p.wait(fmt.Sprintf("%d <= Number(document.getElementById('lunar-best').textContent) && Number(document.getElementById('lunar-best').textContent) <= %d", moves[0], moves[1]))
		}
	}
}

// The page knows the rules as the program does: on walks from many problems it finds the same steps, positions
// and ends, and the same cells where a move can go on.
func TestLunarRules(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "exits.txt")
	if err := os.WriteFile(file, []byte("lunar:\ngroup: 2-3\n.+....\n.. ...\n...+..\n......\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, space := range []string{"lunar/5x5:2-3", "lunar/cross:1-3", file} {
		t.Run(strings.ReplaceAll(filepath.Base(space), ":", "-"), func(t *testing.T) {
			p := open(t, serve(t, space), "", 1000, 900, calm())
			p.wait("/left/.test(" + lunarVerdict + ")")
			p.shot("board")
			if fault := js[string](p, `import('./field.js').then(async ({ Field }) => {
				const { board } = await (await fetch('api/space')).json();
				const field = new Field(board);
				let [solved, steps, turns] = [0, 0, 0];
				for (const { pattern, moves } of [...board.cards, ...board.problems].filter((_, n) => n % 3 === 0)) {
					let at = field.read(pattern);
					for (let n = 0; n < 12; n++) {
						const text = field.text(at);
						const told = await (await fetch('api/hint', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ pattern: text, target: '' }) })).json();
						if (told.error) return text + ': ' + told.error;
						if (n === 0 && told.distance !== moves) return text + ' takes ' + told.distance + ' moves, the page has ' + moves;
						if (told.pattern !== text) return text + ' is ' + told.pattern;
						const again = field.read(text);
						if (field.text(again) !== text || again.names.length !== at.cells.filter(Boolean).length) return text + ' is read as ' + field.text(again);
						if (field.solved(at) !== (told.distance === 0)) return text + ': solved is ' + field.solved(at);
						if (told.distance === 0) { solved++; break; }
						const mine = [];
						at.cells.forEach((cell, i) => [...'UDLR'].forEach((way) => {
							if (field.stop(at, i, way)) mine.push(at.names[i] + '-' + way + ' ' + field.text(field.after(at, i, way)));
						}));
						const all = told.moves.filter((m) => m.path.length === 1).map((m) => m.text + ' ' + m.pattern);
						if (mine.sort().join() !== all.sort().join()) return text + ': found ' + mine + ', expected ' + all;
						steps += mine.length;
						// Where a move goes on is where some move of the piece ends, or where the piece came from.
						for (const one of mine) {
							const [i, way] = [at.names.indexOf(one[0]), one[2]];
							const next = field.after(at, i, way);
							if (!next.cells[i]) continue;
							const ends = new Set(told.moves.filter((m) => m.piece === one[0]).map((m) => m.pattern));
							for (const on of field.onward(next, { set: [i], path: way })) {
								turns++;
								const end = field.text(on.at);
								if (!ends.has(end) && end !== text) return one + ' does not go on by ' + on.path + ' to ' + end;
							}
						}
						if (!told.moves.length) break;
						const best = n % 4 < 3 && told.moves.find((m) => m.keeps) || told.moves[n * 7919 % told.moves.length];
						for (const way of best.path) at = field.after(at, at.names.indexOf(best.piece), way);
					}
				}
				return solved > 5 && steps > 40 && turns > 20 ? '' : 'too little was seen: ' + [solved, steps, turns];
			})`); fault != "" {
				t.Error(fault)
			}
		})
	}
}
