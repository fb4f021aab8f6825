package browser

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const focused = "document.activeElement"

// By keys alone: the first Tab skips to the boards, and a view that is chosen begins at its heading.
func TestFocus(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "peg/5x7"), "?text=AB", 1280, 900, calm())
	p.wait("document.querySelectorAll('.letter').length === 2")
	p.do(chromedp.KeyEvent(kb.Tab))
	p.expect(focused + ".matches('.skip') && " + focused + ".getBoundingClientRect().left >= 0")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.expect(focused + ".id === 'main' && !location.hash && history.length === 2")
	p.do(chromedp.KeyEvent(kb.Tab))
	p.expect(focused + ".id === 'text'")
	p.tabTo(focused + ".matches('.letter')")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.wait("!document.getElementById('play').hidden")
	p.expect(focused + ".matches('#play h1') && " + focused + ".textContent === 'The board of the peg solitaire font'")
	p.do(chromedp.KeyEvent(kb.Tab))
	p.expect(focused + ".matches('.title a')")
	p.do(chromedp.KeyEvent(kb.Tab))
	p.expect(focused + ".matches('#play-board .cell')")
	p.do(chromedp.NavigateBack())
	p.wait("!document.getElementById('word').hidden")
	p.expect(focused + ".matches('#word h1')")
	p.do(chromedp.Focus("[data-view~=file]"), chromedp.KeyEvent(kb.Enter))
	p.wait("!document.getElementById('file').hidden")
	p.expect(focused + ".matches('#file h1')")
	// All that Tab comes to can be seen, and shows that it has the focus.
	for _, view := range []string{"word", "play", "draw", "file"} {
		p.visit("?view=" + view)
		p.wait("document.readyState === 'complete'")
		for n := range 60 {
			p.do(chromedp.KeyEvent(kb.Tab))
			if js[bool](p, focused+" === document.body") {
				break
			}
			if fault := js[string](p, `((el) => {
				const r = el.getBoundingClientRect();
				if (!el.checkVisibility() || r.width < 1 || r.height < 1) return 'it is not seen';
				const has = (e, name) => { const s = getComputedStyle(e); return s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2; };
				const marked = has(el) || el.nextElementSibling && has(el.nextElementSibling) || el.matches('#text') && getComputedStyle(el).borderBottomColor === getComputedStyle(document.querySelector('.primary')).backgroundColor
					|| el.matches('.cell') && getComputedStyle(el.querySelector('.ring')).stroke !== 'rgba(0, 0, 0, 0)' || el.matches('.column');
				return marked ? '' : 'nothing shows that it has the focus';
			})(document.activeElement)`); fault != "" {
				t.Errorf("%s, Tab %d: %s: %.200s", view, n+1, fault, js[string](p, focused+".outerHTML"))
			}
		}
	}
}

// The panel of the site keeps the focus when a button goes away, and is not a chatterbox.
func TestPanelFocus(t *testing.T) {
	t.Parallel()
	address, _ := host(t)
	p := open(t, address, "?view=file", 1280, 900, calm())
	p.wait("document.querySelector('.compute .primary')")
	js[any](p, "globalThis.said = [], new MutationObserver(() => said.push(document.querySelector('.compute [role=status]').textContent)).observe(document.querySelector('.compute [role=status]'), { childList: true }), null")
	p.do(chromedp.Focus(".compute .primary"), chromedp.KeyEvent(kb.Enter))
	p.wait("document.querySelector('.compute').dataset.states")
	p.expect(focused + ".matches('.compute h2') && " + focused + ".textContent === '1,045,173,439 positions'")
	p.expect("said.length >= 2 && said[0] === 'The engine is loaded…' && /^1,045,173,439 positions. Found in /.test(said.at(-1))")
	p.expect("said.length < 8")                                                                                   // it takes seconds
	p.expect("document.querySelectorAll('.compute .bar').length === 33 && document.getAnimations().length === 0") // the layers do not grow: motion is reduced
}

// With the colours of the system, boards and what is chosen can be seen, and the focus.
func TestForcedColours(t *testing.T) {
	t.Parallel()
	forced := &emulation.MediaFeature{Name: "forced-colors", Value: "active"}
	p := open(t, serve(t, "peg/5x7"), "?view=play", 1000, 900, calm(), forced)
	p.wait("/can still/.test(" + verdict + ")")
	const colour = "((selector, name) => getComputedStyle(document.querySelector(selector))[name])"
	p.expect(colour + "('#play-board .peg .body', 'fill') !== " + colour + "('#play-board .wood', 'fill')")
	p.expect(colour + "('#play-board .hole', 'fill') !== " + colour + "('#play-board .wood', 'fill')")
	p.expect(colour + "('#play-board .wanted', 'fill') !== " + colour + "('#play-board .peg .body', 'fill')")
	p.expect(colour + "('.tile[aria-pressed=true]', 'outlineStyle') === 'solid'")
	p.expect(colour + "('.tile[aria-pressed=false]', 'outlineStyle') === 'none'")
	p.expect(colour + "('#menu [aria-current]', 'outlineStyle') === 'solid'")
	p.shot("play")
	p.click("[data-view~=word]")
	p.do(chromedp.Focus("#text"))
	p.expect(colour + "('#text', 'outlineStyle') === 'solid'")
	p.wait("document.querySelectorAll('.letter').length === 6")
	p.shot("word")
	p.click("[data-view~=file]")
	p.expect(colour + "('#file .bar', 'fill') !== " + colour + "('#file .panel', 'backgroundColor')")
	p.shot("file")
}
