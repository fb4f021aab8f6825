package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const verdict = "document.getElementById('verdict').textContent"

// pegCount is how many pegs the board of a puzzle shows.
const pegCount = "document.querySelectorAll('#play-board .peg:not(.flyer):not([style*=none])').length"

// What is shown counts apart from what the player has done, through undo, redo and a link.
func TestWhoJumped(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "peg/5x7"), "?view=play", 1280, 900, calm())
	p.wait("/can still/.test(" + verdict + ")")
	take := func() { // takes a hint: the arrow, and then the jump
		t.Helper()
		before := js[int](p, pegCount)
		p.do(chromedp.KeyEvent("h"))
		p.wait("document.querySelector('#play-board .arrow')")
		p.do(chromedp.KeyEvent("h"))
		p.wait(fmt.Sprintf("%s === %d && /can still/.test(%s)", pegCount, before-1, verdict))
	}
	follow := func() { // makes by clicks the jump that a hint shows
		t.Helper()
		before := js[int](p, pegCount)
		p.do(chromedp.KeyEvent("h"))
		p.wait("document.querySelector('#play-board .arrow')")
		to := js[string](p, `(() => {
			const [x, y] = document.querySelector('.arrow:not(.rim)').getAttribute('points').split(' ')[3].split(',').map(Number);
			return [...document.querySelectorAll('#play-board .cell')].find((el) => Math.hypot(el.querySelector('circle').cx.baseVal.value - x, el.querySelector('circle').cy.baseVal.value - y) < 2).dataset.cell;
		})()`)
		p.do(chromedp.KeyEvent(kb.Enter)) // the peg has the focus
		if js[bool](p, "Boolean(document.querySelector('.chosen'))") {
			p.click("#play-board [data-cell='" + to + "']")
		}
		p.wait(fmt.Sprintf("%s === %d && /can still/.test(%s)", pegCount, before-1, verdict))
	}
	own := func() { // makes the first jump that keeps the target, without a hint
		t.Helper()
		position := js[string](p, "[...document.querySelectorAll('#play-board .cell')].map((el) => (/: peg/.test(el.getAttribute('aria-label')) ? 'o' : '.')).join('')")
		var h hint
		p.post("api/hint", map[string]string{"pattern": position, "target": js[string](p, "new URLSearchParams(location.search).get('target')")}, &h)
		for _, j := range h.Jumps {
			if !j.Keeps {
				continue
			}
			p.click(fmt.Sprintf("#play-board [data-cell='%d']", cell(j.From)))
			if js[bool](p, "Boolean(document.querySelector('.chosen'))") {
				p.click(fmt.Sprintf("#play-board [data-cell='%d']", cell(j.To)))
			}
			p.wait(fmt.Sprintf("%s === %d && /can still/.test(%s)", pegCount, strings.Count(position, "o")-1, verdict))
			return
		}
		t.Fatal("no jump keeps the target")
	}
	p.wait("new URLSearchParams(location.search).get('target')")
	own()
	take()
	follow()
	p.do(chromedp.KeyEvent("uuyy")) // the jumps come back as they were
	own()
	p.wait("/^\\d+-\\d+s-\\d+s-\\d+$/.test(new URLSearchParams(location.search).get('jumps'))")
	p.visit(js[string](p, "location.search"))
	p.wait("/can still/.test(" + verdict + ")")
	p.click("#rest")
	p.wait("/^Solved: 2 jumps are yours, 14 were shown. That is A!/.test(" + verdict + ")")
	p.click("#undo")
	p.wait("/can still/.test(" + verdict + ")")
	p.click("#redo")
	p.wait("/^Solved: 2 jumps are yours, 14 were shown/.test(" + verdict + ")")
	p.click("#restart")
	p.wait("/can still/.test(" + verdict + ")")
	p.click("#rest")
	p.wait("/^Solved: all 16 jumps were shown/.test(" + verdict + ")")
}

// A puzzle can be played without being told that it is lost, and the marks on its board are explained.
func TestLostAndLegend(t *testing.T) {
	t.Parallel()
	address := serve(t, "peg/5x7")
	p := open(t, address, "?view=play", 1280, 900, calm())
	p.wait("/can still/.test(" + verdict + ")")
	p.expect("document.getElementById('tell').checked && document.getElementById('legend').checkVisibility()")
	p.expect("document.querySelector('.goal').contains(document.getElementById('legend'))")
	p.expect("/Dot/.test(document.getElementById('legend').textContent) && /Dashed ring/.test(document.getElementById('legend').textContent)")
	p.expect("document.querySelector('#play-board [data-cell=\"17\"]').getAttribute('aria-label') === 'c4: hole, the target has a peg here'")

	// The dots and rings go together with what explains them.
	p.click("#ghost")
	p.wait("!document.getElementById('legend').checkVisibility() && !document.querySelector('.wanted:not(.legend *), .missing-peg:not(.legend *)')")
	p.expect("document.querySelector('#play-board [data-cell=\"17\"]').getAttribute('aria-label') === 'c4: hole'")
	p.click("#tell")
	p.wait("/ghost=off&tell=off/.test(location.search)")

	// A game that is lost after a few jumps looks like any other.
	position, lost := strings.Repeat("o", 17)+"."+strings.Repeat("o", 17), false
	target := js[string](p, "new URLSearchParams(location.search).get('target')")
	for n := 0; !lost; n++ {
		if n == 30 {
			t.Fatal("the target cannot be lost")
		}
		var h hint
		p.post("api/hint", map[string]string{"pattern": position, "target": target}, &h)
		j := h.Jumps[0]
		for _, k := range h.Jumps {
			if !k.Keeps {
				j, lost = k, true
			}
		}
		p.click(fmt.Sprintf("#play-board [data-cell='%d']", cell(j.From)))
		if js[bool](p, "Boolean(document.querySelector('.chosen'))") {
			p.click(fmt.Sprintf("#play-board [data-cell='%d']", cell(j.To)))
		}
		next := []byte(position)
		next[cell(j.From)], next[cell(j.Over)], next[cell(j.To)] = '.', '.', 'o'
		position = string(next)
		p.wait(fmt.Sprintf("%s === %d", pegCount, strings.Count(position, "o")))
		p.wait("/to go\\.$/.test(" + verdict + ")")
	}
	quiet := "!document.querySelector('.is-lost') && document.getElementById('lost').hidden && !document.getElementById('hint').disabled && /^\\d+ jumps? to go\\.$/.test(" + verdict + ")"
	p.wait(quiet)
	p.wait("/jumps=/.test(location.search)")
	p.visit(js[string](p, "location.search")) // a link keeps the choice
	p.wait(quiet)
	p.expect("!document.getElementById('tell').checked && !document.getElementById('ghost').checked")
	p.click("#hint") // to want a hint is to want to know
	p.wait("/^Lost/.test(" + verdict + ") && document.getElementById('back').checkVisibility()")
}

// The page names cells as query path --cells d4 does.
func TestCells(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "peg/5x7"), "?view=play", 1280, 900, calm())
	p.wait("/can still/.test(" + verdict + ")")
	for n, name := range map[int]string{0: "a1", 4: "e1", 17: "c4", 34: "e7"} {
		p.expect(fmt.Sprintf("document.querySelector('#play-board [data-cell=\"%d\"]').getAttribute('aria-label').startsWith('%s: ')", n, name))
	}
	p.click("#hint")
	p.wait("/^Try [a-e][1-7] over [a-e][1-7]\\. Hint again/.test(" + verdict + ")")
	p.visit("?view=draw")
	p.expect("document.querySelector('#draw-board [data-cell=\"9\"]').getAttribute('aria-label').startsWith('e2: ')")
	p = open(t, serve(t, "peg/4x4@0,1"), "?view=play", 1000, 900, calm())
	p.expect("[...document.querySelectorAll('.tile[title]')].every((el) => /^Play one peg in [a-d][1-4]$/.test(el.getAttribute('aria-label')))")
}
