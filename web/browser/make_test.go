package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const editVerdict = "document.getElementById('edit-verdict').textContent"

// finger draws over cells of the tray with a finger.
func (p *page) finger(cells ...[2]int) {
	p.Helper()
	for i, c := range cells {
		x, y := p.middle(fmt.Sprintf("#edit-board [data-row='%d'][data-col='%d']", c[0], c[1]))
		kind := input.TouchMove
		if i == 0 {
			kind = input.TouchStart
		}
		p.do(input.DispatchTouchEvent(kind, []*input.TouchPoint{{X: x, Y: y}}))
	}
	p.do(input.DispatchTouchEvent(input.TouchEnd, []*input.TouchPoint{}))
}

// front opens the page of what one can make, which has no class that says when it is ready.
func front(t *testing.T, path string, width, height int64) (p *page, address string) {
	t.Helper()
	address, _ = host(t)
	p = open(t, address, "?text=A", width, height, calm())
	p.do(chromedp.Navigate(address + path))
	p.wait("document.querySelector('main.making .board')")
	return p, address
}

// A person who is stuck on a level copies it with a finger, and sees the moves of the shortest solution.
func TestMakeStuck(t *testing.T) {
	t.Parallel()
	p, _ := front(t, "make.html", 390, 844)
	p.do(emulation.SetTouchEmulationEnabled(true))
	p.expect("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
	p.shot("front")
	p.do(chromedp.Evaluate("[...document.querySelectorAll('.own-link')].find((a) => /Rush Hour/.test(a.textContent)).click()", nil))
	p.wait("document.body?.classList.contains('ready') && /^It can be solved in 1 move/.test(" + editVerdict + ")")
	p.expect("document.querySelectorAll('#edit-board .k0.block').length === 1") // the red car
	for _, id := range []string{"edit-undo", "edit-clear", "edit-template", "edit-show"} {
		p.expect("document.getElementById('" + id + "').getBoundingClientRect().bottom <= innerHeight")
	}
	p.finger([2]int{2, 0}, [2]int{2, 1}, [2]int{2, 2}) // the red car is dragged, and back
	p.wait("document.querySelector('#edit-board .k0.block').getBoundingClientRect().left > document.getElementById('edit-board').getBoundingClientRect().left + 80")
	p.expect("document.querySelectorAll('#edit-board .k0.block').length === 1")
	p.finger([2]int{2, 2}, [2]int{2, 1}, [2]int{2, 0})
	p.wait("/^It can be solved in 1 move/.test(" + editVerdict + ")")
	p.finger([2]int{1, 4}, [2]int{2, 4}, [2]int{3, 4}) // a lorry in the way
	p.wait("/^It can be solved in 2 moves/.test(" + editVerdict + ")")
	p.expect("scrollY === 0")
	p.shot("drawn")
	p.click("#edit-show")
	p.wait("!document.getElementById('edit-showing').hidden")
	const (
		caption = "document.getElementById('edit-caption').textContent"
		lorry   = "document.querySelectorAll('#edit-board svg:not([hidden]) .block')[0].getAttribute('transform')"
	)
	p.expect("[...document.querySelectorAll('#edit-moves li')].map((el) => el.textContent).join() === 'A down 2,X right 4'")
	p.expect(caption + " === 'Move 1 of 2: A down 2' && document.querySelector('#edit-board .way') && document.activeElement.matches('.forward')")
	p.shot("first")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.wait(caption + " === 'Move 2 of 2: X right 4'")
	p.expect(lorry + " === 'translate(0 80)'")
	p.click("#edit-transport .forward")
	p.wait(caption + " === 'Solved in 2 moves.'")
	p.click("#edit-transport .back")
	p.wait(caption + " === 'Move 2 of 2: X right 4'")
	p.do(chromedp.Evaluate("document.querySelector('#edit-moves button').click()", nil))
	p.wait(caption + " === 'Move 1 of 2: A down 2' && " + lorry + " === 'translate(0 0)'")
	p.click("[data-metric=steps]")
	p.wait(caption + " === 'Move 1 of 6: A down'")
	p.click("#edit-on")
	p.wait("!document.getElementById('edit-making').hidden && document.activeElement.id === 'edit-show'")
	p.expect("document.querySelector('#edit-board .drawn').checkVisibility() && new URL(document.getElementById('edit-play').href).searchParams.get('metric') === 'steps'")
	p.click("[data-metric=moves]")
	p.click("#edit-play")
	p.wait("document.body?.classList.contains('ready') && document.querySelectorAll('#slide-board .block').length === 2")
	p.tally("0", "2")
}

// The editor says what is missing before it asks the engine, and plays nothing that cannot be played.
func TestMakeMissing(t *testing.T) {
	t.Parallel()
	p, address := front(t, "make.html", 1280, 800)
	p.visit("?space=slide/rushhour1&view=edit")
	p.wait("/^It can be solved in 8 moves/.test(" + editVerdict + ") && !document.getElementById('edit-lengths').classList.contains('old')")
	p.expect("document.getElementById('edit-template').getBoundingClientRect().bottom <= innerHeight")
	js[any](p, "globalThis.asked = 0, new MutationObserver(() => { asked += document.getElementById('edit-lengths').classList.contains('old'); }).observe(document.getElementById('edit-lengths'), { attributes: true }), null")
	lacks := func(says string) {
		p.Helper()
		p.wait("/" + says + "/.test(" + editVerdict + ")")
		p.expect("document.getElementById('edit-show').disabled && !document.getElementById('edit-play').hasAttribute('href') && document.getElementById('edit-play').title === " + editVerdict)
	}
	p.click("#edit-clear")
	p.wait("/solved in 1 move/.test(" + editVerdict + ")") // the red car is left, with its goal
	js[any](p, "asked = 0, null")
	p.click("#edit-clear")
	lacks("^Draw the cars")
	p.stroke([2]int{2, 0}, [2]int{2, 1})
	lacks("^Which car has to get out. Choose Goal")
	p.tool("goal")
	p.stroke([2]int{2, 0}, [2]int{2, 0})
	p.stroke([2]int{2, 0}) // it is picked, and put down where it is
	p.stroke([2]int{2, 0})
	lacks("^It is solved already")
	p.tool("piece")
	p.stroke([2]int{5, 5})
	lacks("^Car B has to be straight, and at least two cells long")
	p.click("#edit-undo")
	p.expect("asked === 0")

	p.template("4") // an empty tray
	lacks("^Draw a piece to begin")
	p.stroke([2]int{0, 0})
	lacks("^There is no goal yet")
	p.tool("goal")
	p.stroke([2]int{0, 0}, [2]int{0, 4})
	p.wait("/^It can be solved in 1 move/.test(" + editVerdict + ")")
	p.tool("piece")
	p.stroke([2]int{0, 0}, [2]int{0, 1}) // the goal of the larger piece is partly out of the tray
	lacks("^The goal of piece A does not fit there")
	p.stroke([2]int{4, 4}, [2]int{4, 3}, [2]int{4, 2})
	p.tool("empty")
	p.stroke([2]int{4, 3})
	lacks("^Piece B is in several parts")

	p.template("2") // the 8-puzzle: tiles change places
	lacks("^It is solved already")
	p.expect("document.querySelector('input[name=edit-tool]:checked').value === 'move'")
	p.stroke([2]int{0, 0}, [2]int{0, 1})
	p.wait(editText + ".startsWith('tray:\\n213\\n456\\n78.\\n')")
	p.wait("/half of all arrangements cannot/.test(" + editVerdict + ")")
	p.stroke([2]int{0, 1}, [2]int{0, 2})
	p.wait("/^It can be solved in 1?[0-9] moves/.test(" + editVerdict + ")")
	p.do(chromedp.Navigate(address + "?space=slide/n2x3&view=edit&drawing=" + strings.ReplaceAll("tray:\nAB\ngoal:\nBA\n", "\n", "%0A")))
	p.wait("document.body?.classList.contains('ready')")
	lacks("^No cell is empty, so nothing can move")
}

// The editor is there before the engine: it says what is missing without it, and solves when it comes.
func TestMakeEarly(t *testing.T) {
	t.Parallel()
	g := gated(t)
	p := open(t, g.address, "?space=slide/rushhour1&view=edit&drawing="+strings.ReplaceAll("tray:\n....\n....\n", "\n", "%0A"), 390, 844, calm())
	p.wait("/^Draw a piece to begin/.test(" + editVerdict + ")")
	p.stroke([2]int{0, 0}, [2]int{1, 0})
	p.wait("/^There is no goal yet/.test(" + editVerdict + ")")
	p.tool("goal")
	p.stroke([2]int{0, 0}, [2]int{0, 3})
	p.wait(editVerdict + " === 'Looking for the shortest solution…'")
	p.expect("document.getElementById('edit-show').disabled")
	g.open()
	p.wait("/^It can be solved in 1 move/.test(" + editVerdict + ")")
}

// Every template opens, as a drawing in the editor, a board to paint, or the page that draws patterns.
func TestMakeTemplates(t *testing.T) {
	t.Parallel()
	p, address := front(t, "make.html", 844, 390)
	links := js[[]string](p, "[...document.querySelectorAll('.own a')].map((a) => a.getAttribute('href'))")
	if len(links) != 13 {
		t.Errorf("there are %d links, want 13: %q", len(links), links)
	}
	for _, link := range links {
		p.do(chromedp.Navigate(address + strings.TrimPrefix(link, "./")))
		switch {
		case strings.HasPrefix(link, "make.html"):
			p.wait("document.querySelector('.paint .board')")
			p.expect("document.querySelector('.paint .primary').hasAttribute('href')")
		case strings.Contains(link, "view=edit"):
			p.wait("document.body?.classList.contains('ready') && /^(It can be solved in 1 move|It is solved already|Draw a piece)/.test(" + editVerdict + ")")
		default:
			p.wait("document.body?.classList.contains('ready') && !document.getElementById('draw').hidden")
		}
		p.expect("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
	}
}

// A problem of Lunar Lockout and a board of pegs are painted, and played.
func TestMakePaint(t *testing.T) {
	t.Parallel()
	p, address := front(t, "make.html?paint=lunar", 390, 844)
	const said = "document.querySelector('.paint .verdict').textContent"
	cell := func(n int) { p.Helper(); p.click(fmt.Sprintf(".paint [data-cell='%d']", n)) }
	button := func(name string) {
		p.Helper()
		p.do(chromedp.Evaluate(fmt.Sprintf("[...document.querySelectorAll('.paint button, .paint label, .paint a')].find((el) => el.textContent === %s).click()", quote(name)), nil))
	}
	p.expect("document.documentElement.scrollWidth <= document.documentElement.clientWidth && document.querySelector('.paint .primary').getBoundingClientRect().bottom <= innerHeight")
	button("Clear")
	p.wait("/^There is no round piece/.test(" + said + ") && !document.querySelector('.paint .primary').hasAttribute('href')")
	cell(12)
	p.wait("/^A round piece that comes to the landing pad leaves/.test(" + said + ")")
	cell(2)
	p.wait("/^There is no helper/.test(" + said + ")")
	button("Helper")
	for _, n := range []int{0, 4, 17} {
		cell(n)
	}
	p.wait("/^Play it/.test(" + said + ") && new URLSearchParams(location.search).get('rows') === '1.X.2/...../...../..3../.....'")
	p.shot("lunar")
	cell(0) // what is there is taken away
	p.wait("new URLSearchParams(location.search).get('rows') === '..X.2/...../...../..3../.....'")
	button("Undo")
	p.wait("new URLSearchParams(location.search).get('rows').startsWith('1.X.2')")
	button("Round piece")
	cell(12) // what is refused leaves the way forward open
	p.wait("/^A round piece that comes to the landing pad leaves/.test(" + said + ")")
	p.expect("[...document.querySelectorAll('.paint button')].some((el) => el.textContent === 'Redo' && !el.disabled)")
	p.do(chromedp.Reload())
	p.wait("document.querySelectorAll('.paint .block').length === 4")
	button("Play it")
	p.wait("document.body?.classList.contains('ready') && /^1 move left/.test(" + lunarVerdict + ")")

	p.do(chromedp.Navigate(address + "make.html?paint=english"))
	p.wait("document.querySelectorAll('.paint .no-cell').length === 16")
	button("Clear")
	p.wait("/^There is no peg yet/.test(" + said + ")")
	cell(24)
	p.wait("/^One peg is left already/.test(" + said + ")")
	cell(10)
	p.wait("/^No peg can jump/.test(" + said + ")")
	cell(17)
	p.wait("/^Play it/.test(" + said + ")")
	p.shot("pegs")
	p.do(chromedp.Focus(".paint [data-cell='17']"), chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.Enter)) // by keys, too
	p.wait("document.querySelector(\".paint [data-cell='18']\").getAttribute('aria-label') === 'e3: peg'")
	button("Undo")
	button("Play it")
	p.wait("document.body?.classList.contains('ready') && /to go/.test(" + verdict + ")")
	p.expect("document.querySelectorAll('#play-board .cell').length === 33 && new URLSearchParams(location.search).get('space') === 'peg'")

	p.do(chromedp.Navigate(address + "make.html?paint=square&rows=ooz/z.z/zzz")) // no board: the usual one comes
	p.wait("document.querySelectorAll('.paint .cell').length === 25")

	p.do(chromedp.Navigate(address + "make.html?paint=triangle"))
	p.wait("document.querySelectorAll('.paint .cell').length === 15")
	p.click(".paint [aria-label='One row less']")
	p.wait("document.querySelectorAll('.paint .cell').length === 10")
	button("Play it")
	p.wait("document.body?.classList.contains('ready') && document.querySelectorAll('#play-board .cell').length === 10")
}

// A level is pasted: the page says what it is, and opens it where it is solved.
func TestMakePaste(t *testing.T) {
	t.Parallel()
	p, address := front(t, "make.html", 1280, 800)
	paste := func(text, says string) {
		p.Helper()
		p.do(chromedp.Navigate(address + "make.html"))
		p.wait("document.querySelector('.own')")
		p.do(chromedp.Evaluate(fmt.Sprintf("(() => { const el = document.getElementById('make-text'); el.value = %s; el.dispatchEvent(new Event('input')); })()", quote(text)), nil))
		p.wait("document.getElementById('make-told').textContent === " + quote(says))
	}
	paste("how do I solve this?", "This is no level that the page knows.")
	p.expect("document.getElementById('make-go').disabled")
	for text, says := range map[string]string{
		"BBoKMxDDDKMoIAALooIoJLEEooJFFNoGGox": "A Rush Hour board has 36 characters, and this one has 35.",
		strings.Repeat("A", 36):               "No cell of this board is empty, so nothing can move.",
		"ooo\no.o\nooo":                       "No peg can jump: a jump needs two pegs and a hole behind them, in one line.",
	} {
		paste(text, says)
		p.expect("document.getElementById('make-go').disabled")
	}
	paste("60 IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM 2332", "This is a Rush Hour level. The editor shows how it is solved.")
	for _, text := range []string{"BBoKMxDDDKMoIAALooIoJLEEooJFFNoGGoxN", "BBoKMx\nDDDKMo\nIXXLoo\nIoJLEE\nooJFFN\noGGoxN\n"} { // A or X is the car
		paste(text, "This is a Rush Hour level. The editor shows how it is solved.")
		p.click("#make-go")
		p.wait("document.body?.classList.contains('ready') && /^It can be solved in 58 moves/.test(" + editVerdict + ")")
	}
	paste("AAB\n...\nC..\n\ngoal:\n...\n...\n.AA\n", "This is a tray of sliding blocks. The editor shows how it is solved.")
	p.click("#make-go")
	p.wait("document.body?.classList.contains('ready') && /^It can be solved in /.test(" + editVerdict + ")")
	paste("1...2\n..X..\n..+..\n.Y...\n3...4", "This is a problem of Lunar Lockout.")
	p.click("#make-go")
	p.wait("document.body?.classList.contains('ready') && /^6 moves left/.test(" + lunarVerdict + ")")
	paste("ooo\nooo\no.o", "This is a board of pegs.")
	p.click("#make-go")
	p.wait("document.body?.classList.contains('ready') && document.querySelectorAll('#play-board .cell').length === 9")
	paste("2048:16\n2 .\n. 2", "This is a board of number tiles.")
	p.click("#make-go")
	p.wait("document.body?.classList.contains('ready') && document.querySelectorAll('#numbers-board .num').length === 2")
}
