package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// solution is how a puzzle of sliding pieces is solved: all moves but the last, as the address has them, and the last.
type solution struct {
	Slides, Piece, Path string
}

// solve asks for the shortest solution from the start.
func (p *page) solve() (s solution) {
	p.Helper()
	p.decodeAll([]byte(js[string](p, `(async () => {
		const { board } = await (await fetch('api/space')).json();
		const told = await (await fetch('api/hint', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ pattern: board.start, target: '' }) })).json();
		const moves = told.solution.moves;
		const last = moves.pop();
		return JSON.stringify({ Slides: moves.map((m) => m.pieces + '_' + m.path).join('-'), Piece: last.pieces, Path: last.path });
	})()`)), &s)
	return s
}

// slideByKeys makes a move of a piece by keys.
func (p *page) slideByKeys(view, piece, path string) {
	p.Helper()
	p.do(chromedp.Evaluate(fmt.Sprintf("document.querySelector('#%s-board [data-piece=%q]').focus()", view, piece), nil), chromedp.KeyEvent(kb.Enter))
	for _, way := range path {
		p.do(chromedp.KeyEvent(map[rune]string{'U': kb.ArrowUp, 'D': kb.ArrowDown, 'L': kb.ArrowLeft, 'R': kb.ArrowRight}[way]))
	}
}

// won waits for the panel of a view, and expects what it says.
func (p *page) won(view, title, told string, stars int) {
	p.Helper()
	p.wait(fmt.Sprintf("document.querySelector('#%s .finish').checkVisibility() && document.querySelector('#%s .finish h2').textContent === %q && document.querySelector('#%s .finish-told').textContent === %q", view, view, title, view, told))
	if stars < 0 {
		p.expect(fmt.Sprintf("!document.querySelector('#%s .finish-stars').checkVisibility()", view))
	} else {
		p.expect(fmt.Sprintf("document.querySelectorAll('#%s .finish-stars .earned').length === %d && document.querySelector('#%s .finish-stars').getAttribute('aria-label') === '%d of 3 stars'", view, stars, view, stars))
	}
	p.expect("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
}

// seen expects that the board and the panel of a view are in the window, one beside the other.
func (p *page) seen(view string) {
	p.Helper()
	p.expect(fmt.Sprintf(`(() => {
		const [board, panel] = ['.board', '.finish'].map((of) => document.querySelector('#%s ' + of).getBoundingClientRect());
		return [board, panel].every((r) => r.top >= 0 && r.bottom <= innerHeight && r.height > 100) && (panel.top >= board.bottom || panel.left >= board.right);
	})()`, view))
}

// glows expects that what shines after a win gets lighter in the middle of its animation, and keeps its colour.
func (p *page) glows(view, shining string) {
	p.Helper()
	if fault := js[string](p, fmt.Sprintf(`(() => {
		const el = document.querySelector('#%s-board ' + %q);
		const [glow] = el.getAnimations();
		if (!glow) return 'nothing glows';
		const fill = () => getComputedStyle(el.matches('g') ? el.querySelector('.face, .body, rect') : el).fill;
		glow.pause();
		glow.currentTime = 0;
		const before = fill();
		glow.currentTime = 690;
		const { filter } = getComputedStyle(el);
		glow.play();
		return fill() === before && Number(/brightness\((.*)\)/.exec(filter)?.[1]) > 1.2 ? '' : before + ' becomes ' + fill() + ' with ' + filter;
	})()`, view, shining)); fault != "" {
		p.Error(fault)
	}
}

// A puzzle of sliding blocks is won: the panel says how, the result is kept, and the panel closes.
func TestWinSlide(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int64{{1280, 800}, {390, 844}} {
		for _, features := range [][]*emulation.MediaFeature{nil, {dark()}, {calm()}} {
			t.Run(fmt.Sprintf("%dx%d-%d", size[0], size[1], len(features)), func(t *testing.T) {
				isCalm := len(features) == 1 && features[0].Name == calm().Name
				p := open(t, serve(t, "slide/hardest-2x4"), "", size[0], size[1], features...)
				s := p.solve()
				p.visit("?view=slide&slides=" + s.Slides)
				p.tally("23", "1")
				p.expect("!document.querySelector('#slide .finish').checkVisibility()")
				p.slideByKeys("slide", s.Piece, s.Path)
				p.wait("/^Solved in 24 moves. No solution is shorter!$/.test(" + slideVerdict + ")")
				if !isCalm {
					p.glows("slide", ".wanted-piece")
					p.wait("document.querySelector('.lights span')")
				}
				p.won("slide", "Played best!", "Solved in 24 moves. No solution is shorter!", 3)
				if isCalm {
					p.expect("!document.querySelector('.lights') && document.getAnimations().length === 0")
				}
				p.wait("!document.querySelector('.lights')")
				p.wait("document.activeElement.textContent === 'Play again'")
				p.seen("slide")
				p.shot("won")
				p.expect("document.getElementById('slide-yours').textContent === '24 ★'")
				for _, small := range [][2]int64{{320, 568}, {568, 320}} { // where not all is seen at once, nothing lies on anything
					p.size(small[0], small[1])
					p.expect(`(() => {
						const [board, panel] = ['.board', '.finish'].map((of) => document.querySelector('#slide ' + of).getBoundingClientRect());
						return (panel.top >= board.bottom || panel.left >= board.right) && document.documentElement.scrollWidth <= document.documentElement.clientWidth;
					})()`)
				}
				p.size(size[0], size[1])
				p.do(chromedp.KeyEvent(kb.Escape))
				p.wait("!document.querySelector('#slide .finish').checkVisibility() && document.activeElement.closest('#slide-board')")
				p.do(chromedp.KeyEvent("uy")) // the same win opens it again, without lights
				p.won("slide", "Played best!", "Solved in 24 moves. No solution is shorter!", 3)
				p.expect("!document.querySelector('.lights')")
				p.do(chromedp.KeyEvent("r"))
				p.tally("0", "24")
				p.expect("!document.querySelector('#slide .finish').checkVisibility()")
			})
		}
	}
}

// Who lets Hint or Solve make moves gets no stars, and no result.
func TestWinWithHelp(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "slide/hardest-2x4"), "", 1280, 800, calm())
	s := p.solve()
	p.click("#slide-solve")
	p.won("slide", "Solved with help", "Solved in 24 moves. All of them were shown.", -1)
	p.visit("?view=slide&slides=" + s.Slides)
	p.tally("23", "1")
	p.do(chromedp.KeyEvent("h"))
	p.wait("/^Best: /.test(" + slideVerdict + ")")
	p.slideByKeys("slide", s.Piece, s.Path) // by hand, as the hint says
	p.won("slide", "Solved with help", "Solved in 24 moves. 1 of them was shown.", -1)
	p.expect("document.getElementById('slide-yours').textContent === '–' && localStorage.getItem('best') === null")

	p = open(t, serve(t, "lunar/5x5:2-3"), "", 1280, 800, calm())
	p.counts("0", "0 steps", "2")
	p.click("#lunar-solve")
	p.won("lunar", "Solved with help", "Solved in 2 moves, 2 steps. All of them were shown.", -1)

	p = open(t, serve(t, "peg/4x4@0,1"), "?view=play", 1280, 800, calm())
	p.wait("/can still/.test(" + verdict + ")")
	// A jump that was shown stays so, whoever makes it later.
	p.do(chromedp.KeyEvent("h"))
	p.wait("/^Try /.test(" + verdict + ")")
	p.do(chromedp.KeyEvent("h"))
	p.wait("/jumps=\\d+s$/.test(location.search)")
	jump := js[[]int](p, "(async () => { const { Shape } = await import('./board.js'); const { board, start } = await (await fetch('api/space')).json(); const shape = new Shape(board); const { from, to } = shape.legal(shape.read(start)).find((j) => j.number === parseInt(new URLSearchParams(location.search).get('jumps'))); return [from, to]; })()")
	p.do(chromedp.KeyEvent("u"))
	p.wait("!/jumps=/.test(location.search)")
	p.click(fmt.Sprintf("#play-board [data-cell='%d']", jump[0]))
	if js[bool](p, "Boolean(document.querySelector('#play-board .chosen'))") {
		p.click(fmt.Sprintf("#play-board [data-cell='%d']", jump[1]))
	}
	p.wait("/jumps=\\d+s$/.test(location.search)")
	p.do(chromedp.KeyEvent("r"))
	p.wait("/can still/.test(" + verdict + ") && !document.getElementById('rest').disabled")
	p.click("#rest")
	p.won("play", "Solved with help", "Solved: all 14 jumps were shown.", -1)

	p = open(t, serve(t, "2048/2x3:16"), "?view=numbers&seed=1&speed=4", 1280, 800, calm())
	p.settled()
	p.click("#numbers-best")
	p.wait("/^16, with help$/.test(document.querySelector('#numbers .finish h2').textContent)")
	p.expect("/^Reached 16 in [0-9]+ moves. All of them were shown.$/.test(document.querySelector('#numbers .finish-told').textContent) && localStorage.getItem('best') === null")
	// The address says it, too.
	p.wait("/&moves=[udlr]+/.test(location.search)")
	p.visit(js[string](p, "location.search"))
	p.wait("/^16, with help$/.test(document.querySelector('#numbers .finish h2').textContent)")
}

// A card of Lunar Lockout is won, and the next card follows. The results are kept, by the problem.
func TestWinLunar(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int64{{1280, 800}, {390, 844}} {
		t.Run(fmt.Sprint(size[0]), func(t *testing.T) {
			p := open(t, serve(t, "lunar/5x5:2-3"), "?view=lunar&slides=1_D", size[0], size[1], dark())
			p.counts("1", "1 step", "1")
			p.slideByKeys("lunar", "X", "D")
			p.wait("document.querySelector('#lunar-board').classList.contains('is-won')")
			p.glows("lunar", ".pad")
			p.won("lunar", "Played best!", "Solved in 2 moves, 2 steps. No solution is shorter!", 3)
			p.wait("document.activeElement.textContent === 'Next level' && document.activeElement.title === 'Card 2'")
			p.seen("lunar")
			p.shot("won")
			p.expect("JSON.parse(localStorage.getItem('best'))['lunar/5x5 ..X../..1../...../...../..2..'] === 2")
			p.expect("document.querySelector('.card').classList.contains('done') && document.getElementById('lunar-yours').textContent === '2 ★'")
			p.do(chromedp.KeyEvent(kb.Enter))
			p.wait("document.getElementById('lunar-title').textContent === 'Card 2' && !document.querySelector('#lunar .finish').checkVisibility()")
			p.counts("0", "0 steps", "2")
			// More moves than needed are fewer stars.
			p.visit("?view=lunar&at=...../...../X.1.2/...../.....&slides=1_L-1_R")
			p.counts("2", "2 steps", "1")
			p.slideByKeys("lunar", "X", "R")
			p.won("lunar", "Solved!", "Solved in 3 moves, 3 steps. The shortest has 2 moves, 2 steps.", 1)
		})
	}
}

// A letter is won, jump by jump, and the next letter follows.
func TestWinPegs(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int64{{1280, 800}, {390, 844}} {
		t.Run(fmt.Sprint(size[0]), func(t *testing.T) {
			p := open(t, serve(t, "peg/5x7"), "?view=play", size[0], size[1])
			p.wait("/can still/.test(" + verdict + ")")
			var h struct {
				Moves []struct{ From, Over, To [2]int }
			}
			target := js[string](p, "new URLSearchParams(location.search).get('target')")
			p.post("api/hint", map[string]string{"pattern": strings.Repeat("o", 17) + "." + strings.Repeat("o", 17), "target": target}, &h)
			numbers := js[[]int](p, fmt.Sprintf("(async () => { const { Shape } = await import('./board.js'); const shape = new Shape((await (await fetch('api/space')).json()).board); return %s.map((m) => shape.jump(m).number); })()", movesJS(h.Moves)))
			last := len(numbers) - 1
			p.visit("?view=play&target=" + target + "&jumps=" + strings.Trim(strings.ReplaceAll(fmt.Sprint(numbers[:last]), " ", "-"), "[]"))
			p.wait("/1 jump to go/.test(" + verdict + ")")
			p.click(fmt.Sprintf("#play-board [data-cell='%d']", cell(h.Moves[last].From)))
			if js[bool](p, "Boolean(document.querySelector('#play-board .chosen'))") {
				p.click(fmt.Sprintf("#play-board [data-cell='%d']", cell(h.Moves[last].To)))
			}
			p.wait("document.querySelector('#play-board').classList.contains('is-won')")
			p.glows("play", ".peg:not([style*=none])")
			p.won("play", "Solved!", "Solved in 16 jumps. That is A!", 3)
			p.wait("document.activeElement.textContent === 'Next level' && document.activeElement.title === 'B'")
			p.seen("play")
			p.shot("won")
			p.expect("document.querySelector('.tile[title=A]').classList.contains('done') && document.querySelector('.tile[title=A]').getAttribute('aria-label') === 'Play A, solved'")
			p.wait("!document.querySelector('.lights')")
			p.do(chromedp.KeyEvent(kb.Escape), chromedp.KeyEvent("uy")) // the same win is no second one
			p.won("play", "Solved!", "Solved in 16 jumps. That is A!", 3)
			p.expect("!document.querySelector('.lights')")
			js[any](p, "document.querySelector('#play .finish a.primary').focus(), null")
			p.do(chromedp.KeyEvent(kb.Enter))
			p.wait("document.getElementById('goal-name').textContent === 'B' && /B can still/.test(" + verdict + ")")
			p.expect("!document.querySelector('#play .finish').checkVisibility()")
		})
	}
}

func movesJS(moves []struct{ From, Over, To [2]int }) string {
	var all []string
	for _, m := range moves {
		all = append(all, fmt.Sprintf("{ from: [%d, %d], over: [%d, %d], to: [%d, %d] }", m.From[0], m.From[1], m.Over[0], m.Over[1], m.To[0], m.To[1]))
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// A target of number tiles is reached. What the slides lost of the chance makes the stars.
func TestWinTiles(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int64{{1280, 800}, {390, 844}} {
		t.Run(fmt.Sprint(size[0]), func(t *testing.T) {
			p := open(t, serve(t, "2048/2x3:16"), "?view=numbers&seed=1", size[0], size[1])
			p.settled()
			p.best("16")
			p.won("numbers", "16, played best!", js[string](p, "document.querySelector('#numbers .finish-told').textContent"), 3)
			p.expect("/^Reached 16 in [0-9]+ moves. No slide lost any of the chance!$/.test(document.querySelector('#numbers .finish-told').textContent)")
			p.wait("document.activeElement.textContent === 'Play again'")
			p.seen("numbers")
			p.shot("won")
			p.expect("JSON.parse(localStorage.getItem('best'))['2048/2x3:16'] === 100")
			p.do(chromedp.KeyEvent(kb.Enter))
			p.wait("!document.querySelector('#numbers .finish').checkVisibility() && " + numbers("score") + " === '0'")

			// Without a target, the game goes on after the tile that is more likely than not.
			p = open(t, serve(t, "2048/2x3"), "?view=numbers&seed=5", size[0], size[1], calm())
			p.settled()
			p.best("64")
			p.wait("/^64/.test(document.querySelector('#numbers .finish h2').textContent)")
			p.wait("document.activeElement.textContent === 'Go on'")
			p.seen("numbers")
			p.do(chromedp.KeyEvent(kb.Enter))
			p.wait("!document.querySelector('#numbers .finish').checkVisibility()")
			moves := len(js[string](p, "new URLSearchParams(location.search).get('moves')"))
			for _, key := range []string{kb.ArrowLeft, kb.ArrowRight, kb.ArrowDown, kb.ArrowUp} {
				p.do(chromedp.KeyEvent(key))
			}
			p.wait(fmt.Sprintf("new URLSearchParams(location.search).get('moves').length > %d", moves))
			p.expect("!document.querySelector('#numbers .finish').checkVisibility()")
		})
	}
}

// best plays the best slides by hand, until a tile is there. The view shows which ones are best.
func (p *page) best(tile string) {
	p.Helper()
	for range 200 {
		if strings.Contains(p.cells()+",", " "+tile+",") {
			return
		}
		p.wait("[...document.querySelectorAll('.way-button:not(:disabled)')].every((el) => el.dataset.value !== '')")
		way := js[string](p, "[...document.querySelectorAll('.way-button:not(:disabled)')].reduce((a, b) => (Number(b.dataset.value) > Number(a.dataset.value) ? b : a)).dataset.way")
		moves := js[int](p, "(new URLSearchParams(location.search).get('moves') ?? '').length")
		p.do(chromedp.KeyEvent(map[string]string{"U": kb.ArrowUp, "D": kb.ArrowDown, "L": kb.ArrowLeft, "R": kb.ArrowRight}[way]))
		p.wait(fmt.Sprintf("(new URLSearchParams(location.search).get('moves') ?? '').length === %d", moves+1))
	}
	p.Fatalf("there is no %s", tile)
}

// The counters of a game and its buttons are seen at once at any size from 320 pixels on, and no text lies on another.
func TestPlayFits(t *testing.T) {
	t.Parallel()
	for _, view := range []struct{ name, space, ready string }{
		{"play", "peg/4x4@0,1", "/can still/.test(" + verdict + ")"},
		{"slide", "slide/klotski", "/left/.test(" + slideVerdict + ")"},
		{"lunar", "lunar/5x5:2-3", "/left/.test(" + lunarVerdict + ")"},
		{"numbers", "2048/2x3", numbers("chance") + " !== '…'"},
	} {
		t.Run(view.name, func(t *testing.T) {
			p := open(t, serve(t, view.space), "?view="+view.name, 1280, 800, calm())
			for _, size := range [][2]int64{{320, 568}, {568, 320}, {844, 390}, {390, 844}, {1280, 800}} {
				p.size(size[0], size[1])
				p.visit("?view=" + view.name + "&seed=3")
				p.wait(view.ready)
				for _, long := range []string{
					"", // and with the longest numbers
					`for (const [id, text] of Object.entries({ 'slide-made': '1,234', 'slide-left': '1,234', 'slide-best': '1,234', 'slide-yours': '1,234 ★',
						'lunar-made': '123', 'lunar-made-steps': '123 steps', 'lunar-left': '123', 'lunar-left-steps': '123 steps', 'lunar-yours': '123 ★',
						'numbers-score': '123,456', 'numbers-chance-name': 'Chance of 2,048', 'numbers-chance': '0.00123 %', 'numbers-cost': '<0.0001 %' })) {
						const el = document.getElementById(id);
						el.textContent = text;
						el.classList.toggle('long', text.length > 7 && el.matches('#numbers dd'));
					}`,
				} {
					if fault := js[string](p, fmt.Sprintf(`(() => {
						%s
						const view = document.getElementById(%q);
						const texts = [...view.querySelectorAll('.game dt, .game dd, .game dd > *, .game .way-worth, .game .actions button')].filter((el) => el.checkVisibility() && [...el.childNodes].some((n) => n.nodeType === 3 && n.data.trim())).map((el) => {
							const range = document.createRange();
							range.selectNodeContents(el);
							return { text: el.textContent, r: range.getBoundingClientRect() };
						});
						const faults = [];
						const out = ({ left, top, right, bottom }) => left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
						texts.forEach((a, i) => {
							if (a.r.left < 0 || a.r.right > innerWidth) faults.push(a.text + ' is cut');
							for (const b of texts.slice(i + 1)) {
								if (a.r.left < b.r.right - 0.5 && b.r.left < a.r.right - 0.5 && a.r.top < b.r.bottom - 3 && b.r.top < a.r.bottom - 3) faults.push(a.text + ' lies on ' + b.text);
							}
						});
						for (const el of view.querySelectorAll('.game .actions button, .game .board')) if (out(el.getBoundingClientRect())) faults.push((el.textContent || 'the board') + ' is not in the window');
						for (const el of view.querySelectorAll('.game .actions button')) if (el.offsetHeight < 44 || el.scrollWidth > el.clientWidth) faults.push(el.textContent + ' is too small');
						if (document.documentElement.scrollWidth > innerWidth) faults.push('the page is too wide');
						return faults.join('\n');
					})()`, long, view.name)); fault != "" {
						p.shot(fmt.Sprintf("%dx%d", size[0], size[1]))
						t.Errorf("%dx%d: %s", size[0], size[1], fault)
					}
				}
			}
		})
	}
}

// A peg is dragged: it follows the pointer, its holes light up, and where it is let go it jumps, or goes back.
func TestPlayByDragging(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "peg/5x7"), "?view=play", 390, 844)
	p.wait("/can still/.test(" + verdict + ")")
	x, y := p.middle("#play-board [data-cell='27']")
	u, v := p.at("#play-board [data-cell='17']")
	carry := func(x, y, u, v float64) {
		p.do(chromedp.MouseEvent("mousePressed", x, y, chromedp.ButtonLeft))
		for i := range 11 {
			share := float64(i) / 10
			p.do(chromedp.MouseEvent("mouseMoved", x+(u-x)*share, y+(v-y)*share, chromedp.ButtonLeft))
		}
	}
	carry(x, y, u+12, v)
	p.expect("document.querySelectorAll('#play-board .aim').length === 1 && !document.querySelector('#play-board .flyer[style*=none]')")
	p.expect("Math.hypot(...[document.querySelector('#play-board .flyer .body').getBoundingClientRect()].map((r) => r.x + r.width / 2 - " + fmt.Sprint(u+12) + ")) < 6")
	p.shot("carried")
	p.do(chromedp.MouseEvent("mouseReleased", u+12, v, chromedp.ButtonLeft))
	p.wait(pegCount + " === 33 && document.querySelector('#play-board .flyer[style*=none]')")
	p.wait("/jumps=\\d+$/.test(location.search)")
	p.expect("/: peg/.test(document.querySelector('#play-board [data-cell=\"17\"]').getAttribute('aria-label'))")
	// It goes back from where it cannot jump to, and a peg that cannot jump stays.
	p.click("#undo")
	p.wait(pegCount + " === 34")
	carry(x, y, x+60, y)
	p.do(chromedp.MouseEvent("mouseReleased", x+60, y, chromedp.ButtonLeft))
	p.expect(pegCount + " === 34 && document.querySelectorAll('#play-board .aim').length === 0 && document.querySelector('#play-board .flyer[style*=none]')")
	x, y = p.middle("#play-board [data-cell='0']")
	carry(x, y, x+60, y+60)
	p.expect("/^That peg cannot jump/.test(" + verdict + ")")
	p.do(chromedp.MouseEvent("mouseReleased", x+60, y+60, chromedp.ButtonLeft))
	p.expect(pegCount + " === 34")
}

// Fewer pegs than the target are called so. The page says that it looks for the last position that was not lost.
func TestPlayLost(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "peg/5x7"), "?view=play", 1280, 800, calm())
	p.wait("/can still/.test(" + verdict + ")")
	// Jumps at random go beyond the 18 pegs of A.
	jumps := js[string](p, `(async () => {
		const { Shape } = await import('./board.js');
		const { board, start } = await (await fetch('api/space')).json();
		const shape = new Shape(board);
		for (let seed = 1; ; seed++) {
			let [cells, r, made] = [shape.read(start), seed, []];
			for (;;) {
				const legal = shape.legal(cells);
				if (!legal.length) break;
				r = r * 48271 % 2147483647;
				const j = legal[r % legal.length];
				made.push(j.number);
				cells = shape.after(cells, j);
				if (made.length === 18) return made.join('-');
			}
		}
	})()`)
	target := js[string](p, "new URLSearchParams(location.search).get('target')")
	p.visit("?view=play&target=" + target + "&jumps=" + jumps)
	p.wait("/^Lost: the target has more pegs than are left.$/.test(" + verdict + ")")
	p.expect("document.getElementById('hint').disabled && document.getElementById('goal-count').textContent === 'The board has 16 pegs, the target 18.'")
	p.shot("lost")
	p.expect("document.getElementById('back').click() || (/^Looking for the last position that was not lost…$/.test(" + verdict + ") && document.getElementById('back').disabled)")
	p.wait("/can still/.test(" + verdict + ")")
	p.wait("document.querySelector('#redo:not(:disabled)')")
	p.click("#redo") // the jump that lost it
	p.wait("/^Lost: no jumps lead to A/.test(" + verdict + ")")
}

// Who comes back goes on where one was, in each game; Restart begins again.
func TestPlayGoesOn(t *testing.T) {
	t.Parallel()
	for _, g := range []struct{ name, space, first, kept string }{
		{"slide", "slide/klotski", "?view=slide", "document.getElementById('slide-made').textContent === '1'"},
		{"lunar", "lunar/5x5:2-3", "?view=lunar", "document.getElementById('lunar-made').textContent === '1'"},
		{"numbers", "2048/2x3", "?view=numbers", "document.querySelectorAll('#numbers-undo:not(:disabled)').length === 1"},
		{"play", "peg/4x4@0,1", "?view=play", pegCount + " === 14"},
	} {
		t.Run(g.name, func(t *testing.T) {
			p := open(t, serve(t, g.space), g.first, 1280, 800, calm())
			switch g.name {
			case "slide":
				p.wait("/left/.test(" + slideVerdict + ")")
				p.click("#slide-board [data-piece=g]")
			case "lunar":
				p.counts("0", "0 steps", "2")
				p.click("#lunar-board [data-piece='2']")
			case "numbers":
				p.settled()
				for _, key := range []string{kb.ArrowLeft, kb.ArrowDown, kb.ArrowRight} {
					p.do(chromedp.KeyEvent(key))
				}
			case "play":
				p.wait("/can still/.test(" + verdict + ")")
				p.drag("#play-board .cell.live:not([aria-label*=jumps])", "#play-board [data-cell='1']")
			}
			p.wait(g.kept)
			if g.name == "numbers" {
				before := p.cells()
				p.visit(g.first)
				if after := p.cells(); after != before {
					t.Errorf("the board was %s, and is %s", before, after)
				}
			} else {
				p.visit(g.first)
			}
			p.wait(g.kept)
			restart := map[string]string{"slide": "#slide-restart", "lunar": "#lunar-restart", "numbers": "#numbers-restart", "play": "#restart"}[g.name]
			p.click(restart)
			p.wait("!(" + g.kept + ")")
			p.visit(g.first)
			p.wait("document.querySelector('#" + g.name + " .board')")
			p.expect("!(" + g.kept + ")")
		})
	}
}
