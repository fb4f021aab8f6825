package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// menu is the links of the menu that are seen; that of the page has a star.
const menu = "[...document.querySelectorAll('#menu a')].filter((a) => a.checkVisibility()).map((a) => a.textContent + (a.ariaCurrent ? '*' : '')).join(', ')"

// The menu of query serve has what its file has.
func TestMenu(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ space, menu string }{
		{"peg/5x7", "Home*, Play, Make your own, How it works"},
		{"peg/english", "Play*, Make your own, How it works"},
		{"slide/klotski", "Play*, Make your own, How it works"},
		{"lunar/5x5:2-3", "Play*, How it works"},
		{"2048/2x2", "Play*, How it works"},
	} {
		p := open(t, serve(t, c.space), "", 1280, 800, calm())
		p.expect(menu + " === " + quote(c.menu))
		p.click("[data-view~=file]")
		p.wait("document.querySelectorAll('#file .column').length > 1")
		p.expect("document.querySelector('[data-view~=file]').ariaCurrent === 'page' && document.querySelectorAll('#menu [aria-current]').length === 1")
	}
}

// Every page of the site has the whole menu, and says where it is in it: also while an engine is loaded, and if it fails.
func TestMenuOfSite(t *testing.T) {
	t.Parallel()
	address, _ := host(t)
	p := open(t, address, "", 1280, 800, calm())
	for _, c := range []struct{ path, menu string }{
		{"", "Home*, Play, Levels, Make your own, Collection, How it works"},
		{"?view=file", "Home, Play, Levels, Make your own, Collection, How it works*"},
		{"?space=slide/klotski", "Home, Play*, Levels, Make your own, Collection, How it works"},
		{"?space=chess/8x8", "Home, Play, Levels, Make your own, Collection, How it works"}, // there is none
		{"levels.html", "Home, Play, Levels*, Make your own, Collection, How it works"},
		{"make.html", "Home, Play, Levels, Make your own*, Collection, How it works"},
		{"collection.html", "Home, Play, Levels, Make your own, Collection*, How it works"},
		{"puzzles/slide-klotski.html", "Home, Play, Levels, Make your own, Collection*, How it works"},
	} {
		p.do(chromedp.Navigate(address + c.path))
		p.wait("document.readyState === 'complete'")
		p.wait(menu + " === " + quote(c.menu))
		js[any](p, "document.querySelector('#menu li:first-child a').click(), null")
		p.wait("location.href.split('?')[0] === " + quote(address) + " && document.querySelectorAll('.letter').length === 6")
	}
}

// On a phone the menu is a list below a button. Keys open it, Esc closes it, and a view closes it, too.
func TestMenuOfPhone(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "peg/5x7"), "", 320, 640, calm())
	p.expect(menu + " === '' && document.documentElement.scrollWidth <= document.documentElement.clientWidth")
	p.tabTo(focused + ".matches('.menu-button')")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.wait(menu + " === 'Home*, Play, Make your own, How it works'")
	p.shot("menu")
	p.expect("[...document.querySelectorAll('#menu li:not(.of-site) a')].every((a) => { const r = a.getBoundingClientRect(); return r.height >= 44 && r.left >= 0 && r.right <= innerWidth && r.bottom <= innerHeight; })")
	p.do(chromedp.KeyEvent(kb.Escape))
	p.wait(menu + " === '' && " + focused + ".matches('.menu-button')")
	p.do(chromedp.KeyEvent(kb.Enter), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Tab))
	p.expect(focused + ".textContent === 'Play'")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.wait("!document.getElementById('play').hidden && " + menu + " === ''")
	p.expect(focused + ".matches('#play h1')")
}

// Every page of the site has the colours that were chosen on another, with its pictures, also when one comes back to it.
func TestThemeOfSite(t *testing.T) {
	t.Parallel()
	address, _ := host(t)
	const light, dark, picture = "getComputedStyle(document.body).backgroundColor === 'rgb(253, 251, 246)'", "getComputedStyle(document.body).backgroundColor === 'rgb(20, 23, 28)'", "document.querySelector('img.start').currentSrc"
	paths := []string{"", "?space=slide/klotski", "?space=chess/8x8", "levels.html", "collection.html", "puzzles/slide-klotski.html"}
	p := open(t, address, "", 1280, 800, calm())
	for _, path := range paths {
		p.do(chromedp.Navigate(address + path))
		p.wait("document.readyState === 'complete' && document.getElementById('theme').title === 'Colours: as the system'")
		p.expect(light)
	}
	p.expect(picture + ".endsWith('/slide-klotski.svg')")
	p.click("#theme")
	p.expect(dark + " && document.getElementById('theme').ariaLabel === 'Colours: dark'")
	p.wait(picture + ".endsWith('/slide-klotski-dark.svg')")
	p.shot("puzzle")
	for _, path := range paths {
		p.do(chromedp.Navigate(address + path))
		p.wait("document.readyState === 'complete' && document.getElementById('theme').title === 'Colours: dark'")
		p.expect(dark)
	}
	p.do(chromedp.Navigate(address + "levels.html"))
	p.wait("document.readyState === 'complete'")
	p.click("#theme")
	p.wait(light)
	js[any](p, "history.back(), null") // the browser may have kept the page as it was
	p.wait(light + " && " + picture + ".endsWith('/slide-klotski.svg')")
	// A device with dark colours shows light ones, too.
	p.media(true)
	p.expect(light)
	p.wait(picture + ".endsWith('/slide-klotski.svg')")
}

// From every page of the site, Play leads to the puzzle that was played last, where it was.
func TestPlayAgain(t *testing.T) {
	t.Parallel()
	address, _ := host(t)
	p := open(t, address, "?space=slide/klotski", 1280, 900, calm())
	p.tally("0", "81")
	p.do(chromedp.KeyEvent("hh"))
	p.tally("1", "80")
	for _, path := range []string{"", "?view=file", "levels.html", "collection.html", "puzzles/peg-english.html"} {
		p.do(chromedp.Navigate(address + path))
		p.wait("document.readyState === 'complete' && (location.search !== '' || " + menu + ".includes('*'))")
		p.wait("document.querySelector('[data-view~=play]').search.includes('slide%2Fklotski')")
		p.click("[data-view~=play]")
		p.tally("1", "80")
	}
	// A letter is a puzzle of the first page itself.
	p.visit("?text=Q")
	p.wait("document.querySelectorAll('.letter').length === 1")
	p.click(".letter")
	p.wait("document.getElementById('goal-name').textContent === 'Q'")
	p.click("[data-view~=word]")
	p.wait("!document.getElementById('word').hidden")
	p.click("[data-view~=play]")
	p.wait("document.getElementById('goal-name').textContent === 'Q' && !document.getElementById('play').hidden")
}
