package browser

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// lengths expects the shortest solutions of what is drawn, in all metrics.
func (p *page) lengths(want string) {
	p.Helper()
	p.wait(fmt.Sprintf("!document.getElementById('edit-lengths').classList.contains('old') && [...document.querySelectorAll('#edit-lengths b')].map((el) => el.textContent).join(' ') === %q", want))
}

// stroke draws over cells of the tray, each given as row and column.
func (p *page) stroke(cells ...[2]int) {
	p.Helper()
	for i, c := range cells {
		x, y := p.middle(fmt.Sprintf("#edit-board [data-row='%d'][data-col='%d']", c[0], c[1]))
		kind := input.MouseMoved
		if i == 0 {
			kind = input.MousePressed
		}
		p.do(chromedp.MouseEvent(kind, x, y, chromedp.ButtonLeft))
		if i == len(cells)-1 {
			p.do(chromedp.MouseEvent(input.MouseReleased, x, y, chromedp.ButtonLeft))
		}
	}
}

// tool chooses what the pointer does.
func (p *page) tool(name string) {
	p.Helper()
	p.do(chromedp.Evaluate(fmt.Sprintf("document.querySelector('input[name=edit-tool][value=%s]').click()", name), nil))
}

// template begins with a template.
func (p *page) template(value string) {
	p.Helper()
	p.do(chromedp.Evaluate(fmt.Sprintf("(() => { const el = document.getElementById('edit-template'); el.value = %s; el.dispatchEvent(new Event('change')); })()", quote(value)), nil))
}

// write types a text in place of that of the drawing.
func (p *page) write(text string) {
	p.Helper()
	p.do(chromedp.Evaluate(fmt.Sprintf("(() => { const el = document.getElementById('edit-text'); el.value = %s; el.dispatchEvent(new Event('input')); })()", quote(text)), nil))
}

const editText = "document.getElementById('edit-text').value"

// The editor fits, wide and narrow, light and dark.
func TestEditorLooks(t *testing.T) {
	t.Parallel()
	fits(t, "?view=edit", []string{"slide/klotski", "slide/rushhour1"}, func(p *page) {
		p.wait("/It can be solved/.test(document.getElementById('edit-verdict').textContent) && !document.getElementById('edit-lengths').classList.contains('old')")
		p.shot("start")
		p.tool("goal")
		p.click("#edit-board [data-row='2'][data-col='1']")
		p.wait("!document.getElementById('edit-piece').hidden")
		p.shot("goal")
	})
}

// A tray is drawn with the mouse; at each change its lengths are known.
func TestEditorByMouse(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "slide/klotski"), "?view=edit", 1280, 1000, calm())
	p.lengths("116 90 81 72 58 55")
	p.expect(editText + ".startsWith('tray:\\nBAAC\\n')")
	p.click("#edit-clear") // a piece with a goal is left, and goes at the second press
	p.wait(editText + " === 'tray:\\n.AA.\\n.AA.\\n....\\n....\\n....\\ngoal:\\n....\\n....\\n....\\n.AA.\\n.AA.\\n'")
	p.click("#edit-clear")
	p.lengths("– – – – – –")
	p.expect("/Draw a piece/.test(document.getElementById('edit-verdict').textContent)")
	for range 2 {
		p.click("#edit-rows-less")
	}
	p.wait("document.getElementById('edit-rows').textContent === '3 rows' && document.getElementById('edit-cols').textContent === '4 columns'")
	p.stroke([2]int{0, 0}, [2]int{1, 0}) // a piece of two cells
	p.stroke([2]int{0, 1})
	p.lengths("– – – – – –")
	p.expect("/no goal yet/.test(document.getElementById('edit-verdict').textContent)")
	p.tool("goal")
	p.stroke([2]int{0, 0}, [2]int{0, 3})
	p.lengths("5 2 1 5 2 1")
	p.expect(editText + " === 'tray:\\nAB..\\nA...\\n....\\ngoal:\\n...A\\n...A\\n....\\n'")
	p.shot("drawn")
	p.tool("wall")
	p.stroke([2]int{1, 1}) // B is shut in
	p.lengths("∞ ∞ ∞ ∞ ∞ ∞")
	p.expect("/cannot be solved/.test(document.getElementById('edit-verdict').textContent)")
	p.click("#edit-undo")
	p.lengths("5 2 1 5 2 1")
	p.click("#edit-redo")
	p.lengths("∞ ∞ ∞ ∞ ∞ ∞")
	p.click("#edit-undo")
	p.tool("move")
	p.stroke([2]int{0, 1}, [2]int{1, 2})
	p.wait(editText + ".startsWith('tray:\\nA...\\nA.B.\\n')")
	p.stroke([2]int{1, 2}) // a tap picks it, another puts it down
	p.stroke([2]int{0, 0}) // not on a piece
	p.wait("!document.querySelector('#edit-board .carried')")
	p.expect(editText + ".startsWith('tray:\\nA...\\nA.B.\\n')")
	p.tool("empty")
	p.stroke([2]int{1, 2})
	p.lengths("3 1 1 3 1 1")
	p.tool("piece")
	p.stroke([2]int{0, 0}, [2]int{0, 1}) // A becomes larger, and so does its goal
	p.wait(editText + ".startsWith('tray:\\nAA..\\nA...\\n')")
	p.click("#edit-undo")
	p.lengths("3 1 1 3 1 1")
	p.wait("new URLSearchParams(location.search).get('drawing') === 'tray:\\nA...\\nA...\\n....\\ngoal:\\n...A\\n...A\\n....\\n'")
	p.visit(js[string](p, "location.search"))
	p.lengths("3 1 1 3 1 1")
	p.template("opened")
	p.lengths("116 90 81 72 58 55")
	p.wait("location.search === '?view=edit'")
	p.expect("document.getElementById('edit-play').hidden && !document.getElementById('edit-how').hidden")
	p.expect("document.getElementById('edit-save').download === 'puzzle.txt'")
	p.expect("document.getElementById('edit-save').href.startsWith('blob:')")
}

// The same by keys alone.
func TestEditorByKeyboard(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "slide/klotski"), "?view=edit&drawing=tray:%0A....%0A....%0A....%0A", 1280, 1000, calm())
	p.wait("/Draw a piece/.test(document.getElementById('edit-verdict').textContent)")
	p.do(chromedp.Evaluate("document.querySelector('#edit-board [tabindex=\"0\"]').focus()", nil))
	p.do(chromedp.KeyEvent("X"), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent("X"), chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent("#"))
	p.wait(editText + " === 'tray:\\nX...\\nX#..\\n....\\n'")
	p.expect("document.activeElement.getAttribute('aria-label') === 'b2: wall'")
	p.do(chromedp.KeyEvent("."), chromedp.KeyEvent(kb.ArrowUp), chromedp.KeyEvent(kb.Enter)) // a new piece
	p.wait(editText + " === 'tray:\\nXA..\\nX...\\n....\\n'")
	p.tool("goal")
	p.do(chromedp.Evaluate("document.querySelector('#edit-board [data-row=\"0\"][data-col=\"0\"]').focus()", nil))
	p.do(chromedp.KeyEvent(kb.Enter), chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowRight))
	p.expect("document.querySelector('#edit-board .carried')")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.lengths("5 2 1 5 2 1")
	p.expect("/the goal wants X here/.test(document.activeElement.getAttribute('aria-label'))")
	p.do(chromedp.KeyEvent(kb.Escape))
	p.do(chromedp.Evaluate("document.getElementById('edit-undo').focus()", nil), chromedp.KeyEvent("u"))
	p.wait(editText + " === 'tray:\\nXA..\\nX...\\n....\\n'")
	p.do(chromedp.KeyEvent("y"))
	p.lengths("5 2 1 5 2 1")
}

// Texts are drawn as they are typed. What is wrong is said with its place.
func TestEditorText(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "slide/n2x3"), "?view=edit", 1000, 1000, calm())
	p.wait("/It can be solved/.test(document.getElementById('edit-verdict').textContent)")
	p.do(chromedp.Evaluate("document.getElementById('edit-words').open = true", nil))
	p.write("tray:\nAA?\ngoal:\n.AA\n")
	p.wait("/^Line 2, character 3: unexpected '\\?'/.test(document.getElementById('edit-fault').textContent)")
	p.lengths("– – – – – –")
	p.click("#edit-go")
	p.expect("document.activeElement.id === 'edit-text' && document.activeElement.selectionStart === 8")
	p.expect("document.getElementById('edit-board').classList.contains('is-lost') && /^Unexpected/.test(document.getElementById('edit-verdict').textContent)")
	p.expect("!document.getElementById('edit-save').hasAttribute('href')")
	p.shot("fault")
	p.write("tray:\nAA.\ngoal:\n.AA\n")
	p.lengths("1 1 1 1 1 1")
	p.expect("document.getElementById('edit-fault').hidden && !document.getElementById('edit-board').classList.contains('is-lost')")
	p.write("BCDDEoBCFoEGBoFAAGHHHIoGooJIKKLLJMMo") // a Rush Hour board
	p.lengths("83 51 51 66 43 43")
	p.expect("document.getElementById('edit-cars').checked && document.querySelectorAll('#edit-board .block').length === 13")
	p.shot("rush-hour")
	p.tool("empty") // a car less, in the drawing that was understood
	p.stroke([2]int{0, 2}, [2]int{0, 3})
	p.wait(editText + ".startsWith('tray:\\nBC..E.\\n') && " + editText + ".includes('rushhour:')")
	p.wait("!document.getElementById('edit-lengths').classList.contains('old')")
	p.expect("Number(document.querySelector('#edit-lengths [data-metric=moves] b').textContent) < 51")
	// Everything that a text may say is kept, and drawn.
	p.write(everything)
	p.wait("document.querySelector('#edit-board .gate') && document.querySelector('#edit-board .rail') && document.querySelector('#edit-board .rod')")
	want := js[string](p, "[...document.querySelectorAll('#edit-lengths b')].map((el) => el.textContent).join(' ')")
	p.wait("!document.getElementById('edit-lengths').classList.contains('old')")
	want = js[string](p, "[...document.querySelectorAll('#edit-lengths b')].map((el) => el.textContent).join(' ')")
	p.shot("everything")
	p.click("#edit-rows-more")
	p.wait(editText + ".split('\\n')[5] === '.....'")
	p.click("#edit-rows-less")
	p.lengths(want)
	for _, line := range []string{"walls: (0,2) right, (1,2) below, (2,0) right", "gate:", "parts: E", "vertical: B", "horizontal: C"} {
		p.expect(editText + ".includes(" + quote(line) + ")")
	}
	p.write("floors: 2\ntray:\nAB\nA.\n\nAC\nA.\ngoal:\n..\n..\n\n..\n.C\n") // it cannot be drawn, and is measured
	p.wait("!document.getElementById('edit-none').hidden")
	p.lengths("1 1 1 1 1 1")
	p.click("#edit-undo")
	p.wait("document.getElementById('edit-none').hidden && !document.getElementById('edit-board').hidden")
	p.lengths(want)
}

// A finger draws; the page does not scroll meanwhile.
func TestEditorByTouch(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "slide/klotski"), "?view=edit&drawing="+strings.ReplaceAll("tray:\nA...\nA...\ngoal:\n...A\n...A\n", "\n", "%0A"), 360, 640, calm())
	p.do(emulation.SetTouchEmulationEnabled(true))
	p.lengths("3 1 1 3 1 1")
	scrolled := js[float64](p, "scrollY")
	for i, c := range [][2]int{{0, 1}, {0, 2}, {1, 2}} {
		x, y := p.middle(fmt.Sprintf("#edit-board [data-row='%d'][data-col='%d']", c[0], c[1]))
		kind := input.TouchMove
		if i == 0 {
			kind = input.TouchStart
		}
		p.do(input.DispatchTouchEvent(kind, []*input.TouchPoint{{X: x, Y: y}}))
	}
	p.do(input.DispatchTouchEvent(input.TouchEnd, []*input.TouchPoint{}))
	p.wait(editText + ".startsWith('tray:\\nABB.\\nA.B.\\n')")
	if now := js[float64](p, "scrollY"); now != scrolled {
		t.Errorf("the page was scrolled from %v to %v", scrolled, now)
	}
	p.lengths("∞ ∞ ∞ ∞ ∞ ∞") // what is said of it moves the buttons
	p.click("#edit-delete")
	p.lengths("3 1 1 3 1 1")
}

// On the site, what is drawn is played at once, and a Rush Hour board is a text like others.
func TestEditorSite(t *testing.T) {
	t.Parallel()
	address, _ := host(t)
	p := open(t, address, "?space=slide/klotski&view=edit", 1000, 900, calm())
	p.lengths("116 90 81 72 58 55")
	t.Logf("Klotski in all metrics: %s ms", js[string](p, "document.getElementById('edit-lengths').dataset.milliseconds"))
	p.expect("!document.getElementById('edit-play').hidden && document.getElementById('edit-how').hidden")
	p.tool("empty")
	p.stroke([2]int{3, 1}, [2]int{3, 2}) // two pieces less
	p.wait("!document.getElementById('edit-lengths').classList.contains('old') && document.querySelector('#edit-lengths [data-metric=moves] b').textContent !== '81'")
	shortest := js[string](p, "document.querySelector('#edit-lengths [data-metric=moves] b').textContent")
	p.shot("drawn")
	p.click("#edit-play")
	p.wait("document.body?.classList.contains('ready') && document.getElementById('slide-left')")
	p.tally("0", shortest)
	p.expect("document.querySelectorAll('#slide-board .block').length === 8")

	// A board of 36 characters.
	p.do(chromedp.Navigate(address + "?space=slide&drawn=BBoKMxDDDKMoIAALooIoJLEEooJFFNoGGoxN"))
	p.wait("new URLSearchParams(location.search).get('drawn') === 'BBoKMxDDDKMoIAALooIoJLEEooJFFNoGGoxN' && document.body?.classList.contains('ready')")
	p.tally("0", "58")
	p.shot("rush-hour")
	p.do(chromedp.Evaluate("(() => { const el = document.getElementById('slide-metric'); el.value = 'steps'; el.dispatchEvent(new Event('change')); })()", nil))
	p.wait("new URLSearchParams(location.search).get('metric') === 'steps' && document.body?.classList.contains('ready')")
	p.wait("Number(document.getElementById('slide-best').textContent) > 58")
	p.expect("document.getElementById('slide-unit').textContent === 'steps made'")
	p.do(chromedp.Navigate(address + "?space=slide/BBoKMxDDDKMoIAALooIoJLEEooJFFNoGGoxN"))
	p.wait("document.body?.classList.contains('ready') && document.getElementById('slide-left')")
	p.tally("0", "58")
}

// A tray that is too large is given up in time in the tab, too, and a newer drawing gets its turn.
func TestEditorSiteLarge(t *testing.T) {
	t.Parallel()
	address, _ := host(t)
	p := open(t, address, "?space=slide/n2x3&view=edit", 1000, 900, calm())
	p.wait("/It can be solved/.test(document.getElementById('edit-verdict').textContent)")
	var large strings.Builder
	large.WriteString("rushhour:\ntray:\n")
	for i := range 10 {
		fmt.Fprintf(&large, "%[1]c%[1]c............\n", 'A'+i)
	}
	large.WriteString("goal:\n")
	for i := range 10 {
		fmt.Fprintf(&large, "............%[1]c%[1]c\n", 'A'+i)
	}
	p.write(large.String())
	p.wait("/^\\? \\? \\? \\? /.test([...document.querySelectorAll('#edit-lengths b')].map((el) => el.textContent).join(' ')) && !document.getElementById('edit-lengths').classList.contains('old')")
	t.Logf("given up after %s ms", js[string](p, "document.getElementById('edit-lengths').dataset.milliseconds"))
	p.expect("document.querySelector('#edit-lengths b').title === 'There are too many positions to search here.'")
	p.write(large.String() + "title: again\n")
	p.wait("document.getElementById('edit-lengths').classList.contains('old')")
	p.write("tray:\nAA.\ngoal:\n.AA\n")
	p.lengths("1 1 1 1 1 1")
}

// The best result without hints is kept over a visit, and the levels show it.
func TestEditorBest(t *testing.T) {
	t.Parallel()
	address, _ := host(t)
	const (
		yours = "document.getElementById('slide-yours').textContent"
		card  = "[...document.querySelectorAll('.level')].find((el) => /space=slide.rushhour1$/.test(el.href))"
	)
	p := open(t, address, "?space=slide/rushhour1", 1000, 900, calm())
	p.tally("0", "8")
	p.do(chromedp.KeyEvent("s")) // what is shown is no result
	p.wait("/^Solved in 8 moves. All of them were shown/.test(" + slideVerdict + ")")
	p.expect(yours + " === '–'")
	p.wait("/s-X_RRRs&/.test(location.search)")
	shown := js[string](p, "location.search")
	p.visit(strings.NewReplacer("s-", "-", "s&", "&").Replace(shown)) // nor is a link, even if it does not say so
	p.wait("/^Solved in 8/.test(" + slideVerdict + ")")
	p.expect(yours + " === '–'")
	p.click("#slide-restart")
	p.tally("0", "8")
	p.click("#slide-hint") // nor are moves that a hint has pointed at
	p.wait("/^Best/.test(" + slideVerdict + ")")
	type move struct {
		piece      string
		rows, cols float64
	}
	solve := func(moves ...move) {
		p.Helper()
		for i, m := range moves {
			p.slide(m.piece, m.rows, m.cols)
			p.wait(fmt.Sprintf("document.getElementById('slide-made').textContent === '%d'", i+1))
		}
		p.wait("/^Solved in/.test(" + slideVerdict + ")")
	}
	begin := []move{{"A", 0, 1}, {"P", -1, 0}, {"B", -1, 0}, {"C", 0, -3}, {"O", 3, 0}}
	end := []move{{"Q", 2, 0}, {"X", 0, 3}}
	shortest := slices.Concat(begin, []move{{"R", 0, -2}}, end)
	longer := slices.Concat([]move{{"R", 0, -1}}, begin, []move{{"R", 0, -1}}, end)
	solve(shortest...)
	p.expect("/ 1 of them was shown/.test(" + slideVerdict + ") && " + yours + " === '–'")

	p.visit("?space=slide/rushhour1")
	p.tally("0", "8")
	solve(longer...)
	p.expect("/^Solved in 9 moves. The shortest has 8/.test(" + slideVerdict + ") && " + yours + " === '9'")
	p.shot("longer")
	p.visit("?space=slide/rushhour1")
	p.tally("0", "8")
	p.expect(yours + " === '9'")
	p.visit("?space=slide/rushhour1@steps") // another metric is another puzzle
	p.tally("0", "16")
	p.expect(yours + " === '–'")
	levels := func() {
		p.Helper()
		p.do(chromedp.Navigate(address + "levels.html"))
		p.wait("document.querySelectorAll('.level').length > 100 && document.querySelector('.level .tray')")
	}
	levels()
	p.expect(card + ".textContent.includes('8 moves') && " + card + ".querySelector('.level-stars').title === 'Your best: 9'")
	p.do(chromedp.Evaluate(card+".click()", nil))
	p.wait("document.body?.classList.contains('ready') && document.getElementById('slide-left')")
	p.tally("0", "8")
	solve(shortest...)
	p.expect(yours + " === '8 ★'")
	levels()
	p.expect(card + ".querySelector('.level-stars').textContent === '★★★'")
	p.do(chromedp.Evaluate("(() => { const el = document.getElementById('levels-metric'); el.value = 'steps'; el.dispatchEvent(new Event('change')); })()", nil))
	p.wait("location.search === '?metric=steps'")
	p.expect("[...document.querySelectorAll('.level')].find((el) => /space=slide.rushhour1@steps$/.test(el.href)).textContent.includes('16 steps')")
	p.click("#levels-forget")
	p.expect("document.getElementById('levels-forget').textContent === 'Forget all of them?'")
	p.click("#levels-forget")
	p.wait("document.getElementById('levels-forget').hidden")
	p.visit("?space=slide/rushhour1")
	p.tally("0", "8")
	p.expect(yours + " === '–'")
}
