package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// Every game has the title of its puzzle above it, and a link to where it is changed. Back and Forward go through the views,
// and the focus goes to their headings.
func TestTitles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ space, view, title, change, changed string }{
		{"peg/english", "play", "Cross of 33 holes", "Draw a pattern", "draw"},
		{"slide/klotski", "slide", "Klotski, L'Ane Rouge", "Change this puzzle", "edit"},
		{"lunar/5x5:2-3", "lunar", "Lunar Lockout", "", ""},
		{"2048/2x2", "numbers", "2048 on 2 by 2 cells, to the end", "", ""},
	} {
		t.Run(strings.ReplaceAll(c.space, "/", "-"), func(t *testing.T) {
			p := open(t, serve(t, c.space), "", 390, 844, calm())
			heading := "document.querySelector('#" + c.view + " h1')"
			p.expect(heading + ".textContent === " + quote(c.title) + " && " + heading + ".offsetHeight > 20 && document.title === " + quote(c.title+" – Pagoda"))
			p.expect("document.querySelectorAll('.view:not([hidden]) h1').length === 1 && document.documentElement.scrollWidth <= document.documentElement.clientWidth")
			p.expect("[...document.querySelectorAll('.title a')].map((a) => a.textContent).join() === " + quote(c.change)) // the collection is of the site
			if c.change == "" {
				return
			}
			p.click(".title a")
			p.wait("!document.getElementById('" + c.changed + "').hidden")
			p.wait(focused + ".matches('#" + c.changed + " h1') && document.title !== " + quote(c.title+" – Pagoda"))
			p.do(chromedp.NavigateBack())
			p.wait("!document.getElementById('" + c.view + "').hidden && document.title === " + quote(c.title+" – Pagoda"))
			p.expect(focused + ".matches('#" + c.view + " h1')")
			p.do(chromedp.NavigateForward())
			p.wait("!document.getElementById('" + c.changed + "').hidden")
		})
	}
}

// On the site, the title has who made the puzzle, which leads to its page in the collection.
func TestTitleOfSite(t *testing.T) {
	t.Parallel()
	address, _ := host(t)
	p := open(t, address, "?space=slide/rushhour1", 390, 844, calm())
	p.expect("document.querySelector('#slide h1').textContent === 'Rush Hour, card 1' && document.title === 'Rush Hour, card 1 – Pagoda'")
	p.expect("[...document.querySelectorAll('.title a')].map((a) => a.textContent).join() === 'N. Yoshigahara, 1996,Change this puzzle'")
	p.click(".title a[data-view=edit]")
	p.wait("!document.getElementById('edit').hidden && location.search.includes('space=slide%2Frushhour1')")
	p.do(chromedp.NavigateBack())
	p.wait("!document.getElementById('slide').hidden")
	p.click(".title a")
	p.wait("location.pathname.endsWith('/puzzles/slide-rushhour1.html') && document.querySelector('h1').textContent === 'Rush Hour, card 1'")
}
