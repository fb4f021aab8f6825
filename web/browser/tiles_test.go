package browser

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// numbers returns an expression for the text of an element of the view.
func numbers(id string) string {
	return fmt.Sprintf("document.getElementById('numbers-%s').textContent", id)
}

// settled waits until all chances are known.
func (p *page) settled() {
	p.Helper()
	p.wait(numbers("chance") + " !== '…' && " + numbers("cost") + " !== '…'")
}

// cells returns the tiles as the board is read aloud.
func (p *page) cells() string {
	p.Helper()
	return js[string](p, "document.querySelector('#numbers-board .numbers').getAttribute('aria-label')")
}

// Number tiles fit, wide and narrow, light and dark.
func TestTilesLooks(t *testing.T) {
	t.Parallel()
	for _, space := range []string{"2048/2x3", "2048/3x3:64", "threes/2x3"} {
		address := serve(t, space)
		for _, width := range []int64{360, 1280} {
			for _, theme := range []string{"light", "dark"} {
				t.Run(fmt.Sprintf("%s-%d-%s", strings.ReplaceAll(space, "/", "-"), width, theme), func(t *testing.T) {
					features := []*emulation.MediaFeature{calm()}
					if theme == "dark" {
						features = append(features, dark())
					}
					p := open(t, address, "?view=numbers&seed=7", width, 800, features...)
					for range 3 {
						p.do(chromedp.KeyEvent(kb.ArrowLeft), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowLeft), chromedp.KeyEvent(kb.ArrowRight))
					}
					p.settled()
					p.shot("game")
					p.do(chromedp.KeyEvent("h"))
					p.wait("/^Best/.test(" + numbers("verdict") + ")")
					p.expect("document.querySelector('.way-button.is-best') && document.querySelector('.numbers .way-head')")
					p.shot("hint")
					p.expect("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
					if small := js[string](p, `[...document.querySelectorAll('button, .button, #menu a')].filter((el) => el.checkVisibility() && (el.offsetHeight < 32 || el.offsetWidth < 32)).map((el) => el.outerHTML).join('\n')`); small != "" {
						t.Errorf("too small:\n%.500s", small)
					}
				})
			}
		}
	}
}

// The page knows the rules as the program does: on walks through games it finds the same slides, gains, tiles that
// come, chances and ends.
func TestTilesRules(t *testing.T) {
	t.Parallel()
	for _, space := range []string{"2048/2x3", "2048/2x3:32@p4=0.5", "2048/1x4", "threes/2x3", "threes/2x2@hidden", "threes/2x2@bag=0", "threes/2x2:12@bag=1",
		"threes/2x3:192@bonus@96,48,6/3,2,1", "threes/2x3:192@bonus@hidden@96,48,6/3,2,1"} {
		t.Run(strings.ReplaceAll(space, "/", "-"), func(t *testing.T) {
			p := open(t, serve(t, space), "?view=numbers&seed=1", 1000, 900, calm())
			p.settled()
			if fault := js[string](p, `import('./view/numbers.js').then(async ({ Game, random }) => {
				const game = new Game((await (await fetch('api/space')).json()).board);
				const words = { U: 'up', D: 'down', L: 'left', R: 'right' };
				const near = (a, b) => Math.abs(a - b) < 1e-12;
				const ends = {};
				for (let n = 0, seed = 0; n < 500; n++) {
					const draw = random(++seed, 0);
					for (let at = game.deal(draw), turn = 1; at; turn++, n++) {
						const text = game.text(at);
						const told = await (await fetch('api/hint', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ pattern: text, target: '' }) })).json();
						if (told.error) return text + ': ' + told.error;
						const again = game.read(text);
						if (told.pattern !== text || JSON.stringify([again.cells, again.bag]) !== JSON.stringify([at.cells, at.bag])) return text + ' is read as ' + told.pattern;
						const ways = game.ways(at);
						ends[told.ended] = true;
						if ((told.ended === '') !== ways.length > 0 || (told.ended === 'won') !== game.won(at.cells)) return text + ' has ended: ' + told.ended;
						if (told.ended) break;
						const nexts = !game.threes || game.hidden ? [{ next: '', chance: 1 }] : game.nexts(at.bag, Math.max(...at.cells));
						if (told.cases.length !== nexts.length || !nexts.every(({ next, chance }, i) => told.cases[i].next === String(next) && near(told.cases[i].chance, chance))) return text + ': next is ' + JSON.stringify(nexts);
						for (const one of told.cases) {
							const seen = { ...at, next: one.next === '' ? null : one.next === '+' ? '+' : Number(one.next) };
							if (one.moves.map((m) => m.move).sort().join() !== ways.map((way) => words[way]).sort().join()) return text + ': slides are ' + ways;
							for (const m of one.moves) {
								const way = Object.keys(words).find((w) => words[w] === m.move);
								const slid = game.slide(at.cells, way);
								if (game.text({ cells: slid.cells, bag: game.threes ? [game.bag, game.bag, game.bag] : null }) !== m.board || slid.gain !== m.gain) return text + ': ' + way + ' makes ' + slid.cells + ', gain ' + slid.gain;
								const sum = at.cells.map(() => []); // what glides to each cell
								for (const { tile, from, to } of slid.glides) {
									if (at.cells[from] !== tile) return text + ': a glide begins wrongly';
									sum[to].push(tile);
								}
								if (!slid.cells.every((tile, cell) => sum[cell].reduce((a, b) => a + b, 0) === tile && (sum[cell].length === 2) === slid.joined.includes(cell))) return text + ': ' + way + ' glides to ' + JSON.stringify(sum);
								const won = !game.threes && game.won(slid.cells);
								if (m.won !== won) return text + ': ' + way + ' wins: ' + won;
								const mine = won ? [] : game.entries(seen, slid).map(({ cell, tile, chance, bag = null }) => [Math.floor(cell / game.cols), cell % game.cols, tile,
									game.text({ cells: slid.cells.map((old, c) => (c === cell ? tile : old)), bag }), chance]);
								const all = m.draws.map((d) => [...d.cell, d.tile, d.pattern, d.chance]);
								if (mine.length !== all.length || !mine.every((a) => all.some((b) => a.slice(0, 4).join() === b.slice(0, 4).join() && near(a[4], b[4])))) return text + ': after ' + way + ' come ' + JSON.stringify(mine) + ', expected ' + JSON.stringify(all);
							}
						}
						at = game.move(at, ways[Math.floor(draw() * ways.length)], random(seed, turn)).after;
						if (!game.threes && game.won(at.cells)) { ends.won = true; break; }
					}
				}
				return ends[game.target && !game.bonus ? 'won' : 'over'] ? '' : 'no game came to its end';
			})`); fault != "" {
				t.Error(fault)
			}
		})
	}
}

// Tiles come with their chances, and the same seed brings the same ones.
func TestTilesDraws(t *testing.T) {
	t.Parallel()
	for _, space := range []string{"2048/2x3", "threes/2x3"} {
		p := open(t, serve(t, space), "?view=numbers&seed=1", 1000, 900, calm())
		p.settled()
		if fault := js[string](p, `import('./view/numbers.js').then(async ({ Game, random }) => {
			const game = new Game((await (await fetch('api/space')).json()).board);
			const start = { cells: game.threes ? [1, 3, 0, 2, 0, 0] : [2, 4, 0, 0, 0, 0], bag: game.threes ? [3, 3, 3] : null, next: game.threes ? 3 : null };
			const games = 20000;
			const starts = new Map();
			const drawn = new Map();
			for (let seed = 0; seed < games; seed++) {
				const { cells, next } = game.deal(random(seed, 0));
				starts.set(cells.join(), (starts.get(cells.join()) ?? 0) + 1);
				const made = game.move(start, 'R', random(seed, 1 + seed % 50));
				const key = made ? made.came.cell + ' ' + made.came.tile + ' ' + (made.after.next ?? '') : 'none';
				drawn.set(key, (drawn.get(key) ?? 0) + 1);
			}
			if (JSON.stringify(game.deal(random(5, 0))) !== JSON.stringify(game.deal(random(5, 0)))) return 'a seed deals two games';
			// Chi-squared, far beyond what chance makes of it.
			const slid = game.slide(start.cells, 'R');
			let [far, expected] = [0, 0];
			for (const { cell, tile, chance, bag } of game.entries(start, slid)) {
				for (const { next, chance: share } of game.threes ? game.nexts(bag, 3) : [{ next: '', chance: 1 }]) {
					const want = games * chance * share;
					far += ((drawn.get(cell + ' ' + tile + ' ' + next) ?? 0) - want) ** 2 / want;
					expected++;
				}
			}
			if (drawn.size !== expected || far > 3 * expected + 20) return 'chi-squared is ' + far + ' for ' + drawn.size + ' of ' + expected + ' draws';
			const all = [...starts.values()].reduce((a, b) => a + b);
			return starts.size > 20 && all === games ? '' : 'only ' + starts.size + ' starts';
		})`); fault != "" {
			t.Errorf("%s: %s", space, fault)
		}
	}
}

// The chances that are shown are those of the API, at each move, and the cost is the sum of what the moves lose.
func TestTilesChances(t *testing.T) {
	t.Parallel()
	for _, space := range []string{"2048/2x3", "threes/2x3"} {
		t.Run(space[:4], func(t *testing.T) {
			p := open(t, serve(t, space), "?view=numbers&seed=11", 1280, 900, calm())
			p.settled()
			lost, wrong := 0.0, 0
			for n := range 12 {
				var told struct {
					Fault   string
					Buttons map[string]string // by the word of the slide
					Now     string
					Aim     int
					Hint    struct {
						Ended string
						Cases []struct {
							Next  string
							Moves []struct {
								Move   string
								Values []struct{ Value float64 }
								Best   []bool
								Loss   []float64
							}
						}
					}
					Next string
				}
				data := js[string](p, `import('./view/numbers.js').then(async ({ Game }) => {
					const board = (await (await fetch('api/space')).json()).board;
					const game = new Game(board);
					const label = document.querySelector('.numbers').getAttribute('aria-label');
					const cells = label.replace(/^The board: /, '').split(';')[0].split(', ').map((c) => (c.endsWith('empty') ? 0 : Number(c.split(' ')[1])));
					// The bag of Threes is what a replay of the moves leaves.
					const { random } = await import('./view/numbers.js');
					let at = game.deal(random(11, 0));
					[...new URLSearchParams(location.search).get('moves') ?? ''].forEach((way, i) => { at = game.move(at, way.toUpperCase(), random(11, i + 1)).after; }); // small letters were shown
					if (at.cells.join() !== cells.join()) return JSON.stringify({ Fault: label + ' is not ' + at.cells });
					const Hint = await (await fetch('api/hint', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ pattern: game.text(at), target: '' }) })).json();
					const Buttons = Object.fromEntries([...document.querySelectorAll('.way-button:not(:disabled)')].map((b) => [({ U: 'up', D: 'down', L: 'left', R: 'right' })[b.dataset.way], b.dataset.value]));
					const Aim = board.objectives.findIndex((o) => o.name === document.querySelector('.aim input:checked').value);
					return JSON.stringify({ Buttons, Hint, Aim, Now: document.getElementById('numbers-chance').dataset.value, Next: String(at.next ?? '') });
				})`)
				if err := json.Unmarshal([]byte(data), &told); err != nil || told.Fault != "" || told.Hint.Ended != "" {
					t.Fatalf("%v: %s", err, data)
				}
				worst, loss := "", -1.0
				for _, c := range told.Hint.Cases {
					if c.Next != told.Next {
						continue
					}
					if len(c.Moves) != len(told.Buttons) {
						t.Fatalf("the slides are %v, expected %v", told.Buttons, c.Moves)
					}
					for _, m := range c.Moves {
						want := fmt.Sprint(m.Values[told.Aim].Value)
						if got := told.Buttons[m.Move]; !sameNumber(got, m.Values[told.Aim].Value) {
							t.Fatalf("%s is shown as %s, expected %s", m.Move, got, want)
						}
						if m.Best[told.Aim] && !sameNumber(told.Now, m.Values[told.Aim].Value) {
							t.Fatalf("the board is shown as %s, expected %s", told.Now, want)
						}
						if m.Loss[told.Aim] > loss {
							worst, loss = m.Move, m.Loss[told.Aim]
						}
					}
				}
				if n%3 == 2 && loss > 0 && loss < 0.2 { // a mistake now and then
					wrong++
				} else {
					p.do(chromedp.KeyEvent("h"))
					p.wait("/^Best/.test(" + numbers("verdict") + ")")
					worst, loss = js[string](p, "/: (\\w+)/.exec("+numbers("verdict")+")[1]"), 0
				}
				lost += loss
				key := map[string]string{"up": kb.ArrowUp, "down": kb.ArrowDown, "left": kb.ArrowLeft, "right": kb.ArrowRight}[worst]
				p.do(chromedp.KeyEvent(key))
				p.wait(fmt.Sprintf("new URLSearchParams(location.search).get('moves')?.length === %d", n+1))
				p.settled()
			}
			if got := js[float64](p, "parseFloat("+numbers("cost")+")"); lost == 0 || got < 99.9*lost || got > 100.1*lost {
				t.Errorf("the moves cost %v %%, expected %v", got, 100*lost)
			}
			if marks := js[int](p, "document.querySelectorAll('.story-wrong').length"); marks != wrong {
				t.Errorf("%d moves are marked as wrong, expected %d", marks, wrong)
			}
			p.shot("mistakes")
		})
	}
}

// sameNumber reports whether a text has a number, with all its digits.
func sameNumber(text string, want float64) bool {
	var got float64
	_, err := fmt.Sscan(text, &got)
	return err == nil && got == want
}

// A game is played by keys and buttons; moves are taken back and made again with the same tiles; a link has all of it.
func TestTilesKeys(t *testing.T) {
	t.Parallel()
	address := serve(t, "2048/2x3")
	p := open(t, address, "?view=play&seed=3&at=1,2&moves=garbage", 1280, 900, calm())
	p.settled()
	p.wait("location.search === '?view=numbers&seed=3'") // what is not valid is dropped
	p.expect("document.querySelector('[data-view=play]').getAttribute('aria-current') === 'page'")
	start := p.cells()
	p.expect("document.getElementById('numbers-undo').disabled && document.getElementById('numbers-redo').disabled")
	for _, key := range []string{kb.ArrowLeft, kb.ArrowDown, kb.ArrowRight, kb.ArrowUp, kb.ArrowLeft, kb.ArrowDown} {
		p.do(chromedp.KeyEvent(key))
	}
	p.settled()
	p.wait("/&moves=[A-Z]{3,}$/.test(location.search)")
	moves := js[string](p, "new URLSearchParams(location.search).get('moves') ?? ''")
	p.wait("/came in|made in/.test(" + numbers("said") + ")")
	after := p.cells()
	score := js[string](p, numbers("score"))
	// Back to the start and on again: the same tiles come.
	for range moves {
		p.do(chromedp.KeyEvent("u"))
	}
	if p.cells() != start {
		t.Errorf("taken back to %s, expected %s", p.cells(), start)
	}
	for range moves {
		p.do(chromedp.KeyEvent("y"))
	}
	if p.cells() != after || js[string](p, numbers("score")) != score {
		t.Errorf("made again, the board is %s, expected %s", p.cells(), after)
	}
	// The link brings the same game.
	p.wait("location.search === '?view=numbers&seed=3&moves=" + moves + "'")
	p.visit("?view=numbers&seed=3&moves=" + moves)
	p.settled()
	if p.cells() != after || js[string](p, numbers("score")) != score {
		t.Errorf("the link shows %s, expected %s", p.cells(), after)
	}
	// Another seed is another game.
	p.do(chromedp.KeyEvent("r"))
	p.wait("/^.view=numbers&seed=[0-9]+$/.test(location.search) && !/seed=3$/.test(location.search)")
	p.expect(numbers("score") + " === '0'")
	// From a board of one's own, by the buttons.
	p.visit("?view=numbers&seed=5&at=2,4,2/.,.,2")
	p.settled()
	if got := p.cells(); got != "The board: a1 2, b1 4, c1 2, a2 empty, b2 empty, c2 2" {
		t.Errorf("the link shows %s", got)
	}
	p.click("[data-way=U]")
	p.wait("location.search.endsWith('&moves=U')")
	p.expect(numbers("score") + " === '4'")
	p.expect("document.querySelector('.numbers').getAttribute('aria-label').includes('c1 4')")
	// Another aim is kept, too; without chances nothing is said of them.
	p.click(".aim:nth-child(1)")
	p.wait("/aim=score/.test(location.search) && " + numbers("chance-name") + " === 'expected score'")
	p.do(chromedp.KeyEvent(kb.ArrowLeft)) // the arrows slide all the same
	p.wait("/&moves=UL/.test(location.search)")
	p.settled()
	p.click("#numbers-hints")
	p.wait("/hints=off/.test(location.search)")
	p.expect(numbers("chance") + " === '–' && " + numbers("cost") + " === '–' && document.getElementById('numbers-story-panel').hidden")
	p.expect("[...document.querySelectorAll('.way-button')].every((b) => b.dataset.value === '')")
}

// A finger and the mouse slide the board; the page does not scroll meanwhile.
func TestTilesSwipe(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "2048/2x3"), "?view=numbers&seed=5&at=2,4,2/.,.,2", 360, 640)
	p.do(emulation.SetTouchEmulationEnabled(true))
	p.settled()
	x, y := p.middle("#numbers-board .numbers")
	scrolled := js[float64](p, "scrollY")
	touch := func(kind input.TouchType, dx, dy float64) {
		points := []*input.TouchPoint{{X: x + dx, Y: y + dy}}
		if kind == input.TouchEnd {
			points = []*input.TouchPoint{}
		}
		p.do(input.DispatchTouchEvent(kind, points))
	}
	swipe := func(dx, dy float64) {
		touch(input.TouchStart, 0, 0)
		for i := range 6 {
			touch(input.TouchMove, dx*float64(i)/5, dy*float64(i)/5)
		}
		touch(input.TouchEnd, dx, dy)
	}
	swipe(0, -60)
	p.wait("/&moves=U$/.test(location.search)")
	swipe(50, 10)
	p.wait("/&moves=UR$/.test(location.search)")
	if now := js[float64](p, "scrollY"); now != scrolled {
		t.Errorf("the page was scrolled from %v to %v", scrolled, now)
	}
	p.do(emulation.SetTouchEmulationEnabled(false))
	p.do(chromedp.MouseEvent("mousePressed", x, y, chromedp.ButtonLeft))
	for i := range 6 {
		p.do(chromedp.MouseEvent("mouseMoved", x-10*float64(i), y, chromedp.ButtonLeft))
	}
	p.do(chromedp.MouseEvent("mouseReleased", x-50, y, chromedp.ButtonLeft))
	p.wait("/&moves=URL$/.test(location.search)")
	// A tap moves nothing.
	p.do(chromedp.MouseClickXY(x, y))
	p.expect("/&moves=URL$/.test(location.search)")
	// With motion, the tiles end where they should.
	p.wait("document.querySelectorAll('.numbers .num').length === document.querySelector('.numbers').getAttribute('aria-label').match(/ [0-9]+(,|$)/g).length")
}

// The best play goes on to the end, and the end is said: with a target that was reached, and without.
func TestTilesEnds(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "2048/2x3:16"), "?view=numbers&seed=1&speed=4", 1000, 900, calm())
	p.settled()
	p.do(chromedp.KeyEvent("s"))
	p.wait(numbers("best") + " === 'Stop'")
	p.wait("/^Won! There is a 16, after [0-9]+ moves\\.$/.test(" + numbers("verdict") + ")")
	p.wait(numbers("chance") + " === '100 %' && " + numbers("cost") + " === '0 %'")
	p.expect("[...document.querySelectorAll('.way-button')].every((b) => b.disabled) && document.getElementById('numbers-best').disabled")
	p.expect("document.querySelectorAll('.story-wrong').length === 0")
	p.shot("won")
	p.do(chromedp.KeyEvent("u"))
	p.wait("!document.getElementById('numbers-best').disabled")

	p = open(t, serve(t, "threes/2x2"), "?view=numbers&seed=2&speed=4", 1000, 900) // with motion
	p.settled()
	p.click("#numbers-best")
	p.wait("/^No slide changes the board: the game is over after/.test(" + numbers("verdict") + ")")
	p.wait(numbers("cost") + " === '0 %'")
	p.expect("document.querySelector('#numbers-next-tile svg')")
	p.shot("over")
	// It can be stopped.
	p.do(chromedp.KeyEvent("r"))
	p.wait("!document.getElementById('numbers-best').disabled")
	p.do(chromedp.Evaluate("document.getElementById('numbers-speed').value = '0.5'; document.getElementById('numbers-speed').dispatchEvent(new Event('change'))", nil), chromedp.KeyEvent("s"))
	p.wait("/moves=/.test(location.search)")
	p.do(chromedp.KeyEvent("s"))
	p.wait(numbers("best") + " === 'Play best'")
	made := js[string](p, "document.querySelector('.numbers').getAttribute('aria-label')")
	p.expect("new Promise((done) => setTimeout(done, 1200)).then(() => document.querySelector('.numbers').getAttribute('aria-label') === " + quote(made) + ")")
}

// A file without values, and a board that no game comes to: both can be played.
func TestTilesUnknown(t *testing.T) {
	t.Parallel()
	if _, err := findBrowser(); err != nil {
		t.Skip(err)
	}
	if out, err := exec.Command(filepath.Join(bin, "reach"), "run", "2048/2x2", "--engine", "sparse", "-o", filepath.Join(bin, "list-2048.reach"), "--quiet").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	p := open(t, serve(t, "list-2048"), "?view=numbers&seed=4", 1000, 900, calm())
	p.expect("/^There are no chances here: .*without what they are worth/.test(" + numbers("verdict") + ")")
	p.expect("document.getElementById('numbers-hint').disabled && document.getElementById('numbers-hints').disabled && document.getElementById('numbers-aims-panel').hidden")
	for range 12 {
		p.do(chromedp.KeyEvent(kb.ArrowLeft), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowRight))
	}
	p.wait("/moves=[A-Z]{3,}/.test(location.search)")
	p = open(t, serve(t, "2048/2x3"), "?view=numbers&seed=4&at=512,512,512/2,2,2", 1000, 900, calm())
	p.wait("/^Nothing is known about this board: no game comes to it: not reached from the start/.test(" + numbers("verdict") + ")")
	p.expect("document.getElementById('numbers-hint').disabled")
	p.do(chromedp.KeyEvent(kb.ArrowLeft))
	p.wait("/moves=L$/.test(location.search) && " + numbers("score") + " === '1,028'")
}
