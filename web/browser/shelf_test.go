package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The first page of the site shows, below the word, what can be played: pictures that lead there.
func TestShelf(t *testing.T) {
	t.Parallel()
	address, _ := host(t)
	p := open(t, address, "", 1280, 800, calm())
	p.wait("document.querySelectorAll('.letter').length === 6")
	const tiles = "[...document.querySelectorAll('.shelf-tiles li:not(.today) > a')]"
	const loaded = tiles + ".slice(0, 5).every((a) => a.querySelector('img').naturalWidth > 100)"
	p.wait(loaded)
	p.shot("light")
	p.expect(tiles + ".length === 10 && " + tiles + ".slice(0, 4).every((a) => a.getBoundingClientRect().bottom <= innerHeight)")
	p.wait("document.querySelector('#daily .button')") // the puzzle of the day is the first of them
	p.expect("document.querySelector('.daily').getBoundingClientRect().bottom <= innerHeight")
	p.expect(tiles + ".every((a) => a.querySelector('b').textContent && a.querySelector('span').textContent.endsWith('.'))")
	const first = "document.querySelector('.shelf-tiles img').currentSrc"
	p.expect(first + ".endsWith('peg-english.svg')")
	p.click("#theme")
	p.wait(first + ".endsWith('peg-english-dark.svg') && " + loaded)
	p.shot("dark")
	// What is loaded until a word plays, on a host that does not compress; more comes when the page is at rest.
	if bytes := js[int](p, `(() => {
		const needed = [location.href, ...[...document.querySelectorAll('script[src]')].map((el) => el.src), ...[...document.querySelectorAll('link[rel=stylesheet], link[rel=modulepreload]')].map((el) => el.href)];
		return [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].filter((e) => needed.includes(e.name) || /letters/.test(e.name)).reduce((sum, e) => sum + e.encodedBodySize, 0);
	})()`); bytes < 100000 || bytes > 160<<10 {
		t.Errorf("a word loads %d bytes", bytes)
	}
	// On a phone, the puzzle of the day begins below the word.
	for _, width := range []int64{390, 320} {
		p.size(width, 844)
		p.wait("document.querySelectorAll('.letter').length >= 5")
		p.shot("phone")
		p.expect("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
		p.expect(tiles + ".every((a) => a.scrollWidth <= a.clientWidth + 1 && [...a.children].every((el) => el.getBoundingClientRect().right <= a.getBoundingClientRect().right))")
	}
	for _, size := range [][2]int64{{320, 568}, {844, 390}} { // a game is seen at once
		p.size(size[0], size[1])
		p.wait("document.querySelector('.daily-strip').checkVisibility() && document.querySelector('.daily-strip').getBoundingClientRect().bottom <= innerHeight")
	}
	p.size(390, 844)
	p.wait("document.querySelectorAll('.letter').length === 6 && !document.querySelector('.daily-strip').checkVisibility()")
	p.wait("document.querySelector('.daily').getBoundingClientRect().top < innerHeight - 60 && " + tiles + "[0].getBoundingClientRect().top < innerHeight")
	// A tile leads to the first level that is not solved.
	const second = tiles + "[1].href"
	p.wait(second + ".endsWith('slide/hrd-leading-the-charge')")
	js[any](p, "localStorage.setItem('best', JSON.stringify({ 'slide/hrd-leading-the-charge': 30 })), null")
	p.visit("")
	p.wait(second + ".endsWith('slide/hrd-escort')")
	js[any](p, tiles+"[1].click(), null")
	p.tally("0", "22")
}

// A caret blinks in the field of the word, which is shown as it is typed; a click makes room for another.
func TestTyping(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "peg/5x7"), "", 1280, 800)
	p.wait("document.querySelectorAll('.letter').length === 6")
	const caret = "document.getElementById('caret')"
	p.expect(caret + ".checkVisibility() && document.getAnimations().some((a) => a.effect.target === " + caret + " && a.animationName === 'blink')")
	p.expect("document.querySelector('label[for=text]').checkVisibility() && document.querySelector('label[for=text]').textContent === 'Type your name'")
	p.click("#text")
	p.expect("!" + caret + ".checkVisibility()")
	p.do(chromedp.KeyEvent("Große"))
	p.wait("document.getElementById('text').value === 'Große' && document.querySelectorAll('.letter').length === 6")
	p.expect("getComputedStyle(document.getElementById('text')).textTransform === 'none'")
	p.do(chromedp.KeyEvent(kb.Tab))
	p.expect(caret + ".checkVisibility() && " + caret + ".textContent === 'Große'")
}
