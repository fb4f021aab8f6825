package browser

import (
	"os"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// A look is a view of the page, or a page of the site. The look is there when ready holds; then do, if any,
// is evaluated, and after it the condition then holds.
type look struct {
	name, path, ready, do, then string
}

// The looks of the page of query serve, by space.
var looks = map[string][]look{
	"peg/5x7": {
		{"share", "?text=HI", "document.querySelectorAll('.letter').length === 2", "document.querySelector('#word .share').click()", "document.querySelector('.share-picture')?.complete"},
		{"word", "?text=PEG+%C3%A9", "document.querySelectorAll('.letter').length === 5", "", ""},
		{"play", "?view=play", "/can still/.test(verdict.textContent)", "document.getElementById('hint').click()", "document.querySelector('#play-board .arrow')"},
		{"draw", "?view=draw&pick=oooo.o...oo...ooo.o.o....o....o....", "document.querySelectorAll('.match').length === 12 && document.querySelector('#watch-board .peg')", "", ""},
		{"file", "?view=file", "document.querySelectorAll('#file .column').length === 33", "document.querySelector('#file details').open = true", "true"},
	},
	"slide/klotski": {
		{"slide", "?hints=on", "/left/.test(" + slideVerdict + ")", "document.getElementById('slide-hint').click()", "document.querySelector('.way')"},
		{"edit", "?view=edit", "/It can be solved/.test(document.getElementById('edit-verdict').textContent)", "", ""},
		{"steps", "?view=edit", "/It can be solved/.test(document.getElementById('edit-verdict').textContent)", "document.getElementById('edit-show').click()", "document.querySelectorAll('#edit-moves li').length === 81"},
	},
	"lunar/5x5:2-3": {
		{"lunar", "?view=lunar", "/left/.test(" + lunarVerdict + ")", "", ""},
		{"won", "?view=lunar&slides=1_D-X_D", "document.querySelector('#lunar .finish').checkVisibility()", "", ""},
	},
	"2048/2x2": {
		{"numbers", "?view=numbers", "document.querySelector('#numbers-board .numbers')", "", ""},
	},
}

// The looks of the static site.
var siteLooks = []look{
	{"home", "", "document.querySelectorAll('.letter').length === 6 && document.querySelectorAll('.shelf-tiles li:not(.today) > a').length === 10 && document.querySelector('#daily .button')", "", ""},
	{"menu", "", "document.querySelectorAll('.letter').length === 6", "menu.showPopover()", "menu.matches(':popover-open')"},
	{"how", "?view=file", "document.querySelectorAll('#file .column').length === 33 && document.querySelector('.compute')", "", ""},
	{"computed", "?space=peg/4x4&view=file", "document.querySelector('.compute')?.dataset.states", "", ""},
	{"refused", "?space=2048/4x4", "/best score/.test(document.getElementById('numbers-verdict').textContent)", "", ""},
	{"unknown", "?space=slide/nobody", "!document.getElementById('nowhere').hidden && !document.getElementById('fault').hidden", "", ""},
	{"title", "?space=slide/rushhour1", "document.querySelectorAll('.title a').length === 2", "", ""},
	{"embed", "?embed=1", "document.querySelectorAll('.letter').length === 6", "", ""},
	{"make", "make.html", "document.querySelectorAll('.own').length === 10", "", ""},
	{"paint", "make.html?paint=lunar", "document.querySelector('.paint .block')", "", ""},
	{"levels", "levels.html", "document.querySelectorAll('.level').length > 100", "", ""},
	{"daily", "daily.html", "document.querySelector('#days-list a')", "", ""},
	{"classroom", "classroom.html", "document.querySelector('#sheets details[open]')", "", ""},
	{"collection", "collection.html", "document.readyState === 'complete'", "order.value = '-hardest', search.value = 'rush', search.dispatchEvent(new Event('input'))", "document.querySelector('#list .by')"},
	{"not-found", "collection.html?q=xlotzki", "document.getElementById('near')?.checkVisibility()", "", ""},
	{"puzzle", "puzzles/slide-klotski.html", "document.readyState === 'complete'", "", ""},
	{"board", "puzzles/peg-english.html", "document.readyState === 'complete'", "", ""},
}

// ways are the ways in which each look is looked at.
var ways = []struct {
	name          string
	width, height int64
	dark          bool
}{
	{"desktop-light", 1280, 900, false}, {"desktop-dark", 1280, 900, true}, {"phone-light", 390, 844, false}, {"phone-dark", 390, 844, true},
	{"small-light", 320, 640, false}, {"side-light", 844, 390, false}, {"side-dark", 844, 390, true},
}

// media sets the colours of the device; motion is always reduced.
func (p *page) media(isDark bool) {
	p.Helper()
	features := []*emulation.MediaFeature{calm()}
	if isDark {
		features = append(features, dark())
	}
	p.do(emulation.SetEmulatedMedia().WithFeatures(features))
}

// eachLook opens all looks in a way.
func eachLook(t *testing.T, n int, address string, all []look, check func(p *page, l look)) {
	t.Helper()
	way := ways[n]
	p := open(t, address, "", way.width, way.height)
	p.media(way.dark)
	for _, l := range all {
		p.do(chromedp.Navigate(address + l.path))
		p.wait(l.ready)
		if l.do != "" {
			js[any](p, l.do+", null")
			p.wait(l.then)
		}
		check(p, l)
	}
}

// Every view, and every page of the site, keeps the rules of axe-core for accessibility: all rules on a phone, and in other
// ways those that depend on colours and sizes.
func TestAxe(t *testing.T) {
	t.Parallel()
	axe, err := os.ReadFile(os.Getenv("PAGODA_AXE"))
	if err != nil {
		t.Skip("PAGODA_AXE does not name axe.min.js of the npm package axe-core; .ci/run gets it")
	}
	check := func(p *page, l look) {
		p.Helper()
		p.do(chromedp.Evaluate(string(axe), nil))
		for _, way := range ways[:5] {
			if l.name == "menu" && way.width > 500 { // it is a row there
				continue
			}
			options := "{ runOnly: ['color-contrast', 'link-in-text-block', 'target-size', 'scrollable-region-focusable'] }"
			if way.name == "phone-light" {
				options = "{ rules: { 'target-size': { enabled: true } } }"
			}
			if l.name == "menu" { // axe does not know that a popover lies above all else, and finds its links covered
				options = "{}"
			}
			p.size(way.width, way.height)
			p.media(way.dark)
			if found := js[string](p, `axe.run(document, `+options+`).then((r) => r.violations.map((v) =>
				v.id + ': ' + v.help + v.nodes.slice(0, 6).map((n) => '\n    ' + n.target.join(' ') + ': ' + n.failureSummary.split('\n').slice(1, 3).join(' ').trim()).join('')).join('\n  '))`); found != "" {
				p.Errorf("%s, %s:\n  %s", l.name, way.name, found)
			}
		}
	}
	for space, all := range looks {
		eachLook(t, 0, serve(t, space), all, check)
	}
	address, _ := host(t)
	eachLook(t, 0, address, siteLooks, check)
}

// TestScreenshots keeps a picture of every look in each way, if PAGODA_SCREENSHOTS names a folder.
func TestScreenshots(t *testing.T) {
	t.Parallel()
	if os.Getenv("PAGODA_SCREENSHOTS") == "" {
		t.Skip("PAGODA_SCREENSHOTS does not name a folder for pictures")
	}
	for n, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			for space, all := range looks {
				eachLook(t, n, serve(t, space), all, func(p *page, l look) { p.shot("page-" + l.name) })
			}
			address, _ := host(t)
			eachLook(t, n, address, siteLooks, func(p *page, l look) { p.shot("site-" + l.name) })
		})
	}
}
