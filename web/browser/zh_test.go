package browser

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// english lists the texts of a page that still have a word of English, seen or not: after a translation, or because the
// table has none for them. Words that stay as they are, titles of puzzles among them, are taken out first.
const english = `((stay) => {
	const leave = '[translate=no], script, noscript, style, code, kbd, textarea';
	const words = /Pagoda|SVG|PNG|GIF|JavaScript|JSON|CRC32C|[KMG]i?B\b|Rush Hour|Klotski|Lunar Lockout|TopSpin|Kociemba|Mathieu|Threes|A Peg Solitaire Font|Bridges|Enter|Esc|Ctrl|query serve|reach check|reach run|goal:|threes\b|[\w]+\/[\w@:,.\/-]+|\b\w+[\d]+\w*\b|^(folded|sparse|set|values)：|^distance: .*/g;
	const found = new Set();
	const typed = document.getElementById('text')?.value;
	const note = (text) => {
		const rest = [typed, typed?.slice(0, 100), ...stay].filter(Boolean).reduce((all, title) => all.replaceAll(title, ''), text).replace(words, '');
		if (/[A-Za-z]{2}/.test(rest)) found.add(text.replace(/\s+/g, ' ').trim());
	};
	const walk = (node) => {
		if (node.nodeType === Node.TEXT_NODE) note(node.nodeValue);
		if (node.nodeType !== Node.ELEMENT_NODE || node.matches(leave)) return;
		for (const name of ['aria-label', 'aria-valuetext', 'title', 'placeholder', 'alt', 'label']) note(node.getAttribute(name) ?? '');
		node.childNodes.forEach(walk);
	};
	walk(document.documentElement);
	return [...found].join('\n');
})`

// rest waits until the texts and labels of the page have not changed for a while. A large page is translated in parts, and
// the labels of its boards may be the last.
func (p *page) rest() {
	p.Helper()
	for last, same := "", 0; same < 5; {
		time.Sleep(100 * time.Millisecond)
		if now := js[string](p, "document.readyState + document.documentElement.lang + document.body.textContent + [...document.querySelectorAll('[aria-label]')].map((el) => el.ariaLabel)"); now == last && strings.HasPrefix(now, "complete") {
			same++
		} else {
			last, same = now, 0
		}
	}
}

// A visit opens a view, and does things there, one after another. Texts are read after each of them.
type visit struct {
	path string
	do   []string
}

func clicks(ids ...string) (all []string) {
	for _, id := range ids {
		all = append(all, "document.getElementById('"+id+"').click()")
	}
	return all
}

// By space, visits to the page of query serve.
var served = map[string][]visit{
	"peg/5x7": {
		{"?text=PEG+%C3%A9%E2%98%83&9=1", nil},
		{"?text=" + strings.Repeat("W", 101), nil},
		{"?text=", nil},
		{"?view=play", append(clicks("hint", "hint", "undo", "rest", "restart"), "document.querySelectorAll('#play-board .cell')[0].dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, button: 0 }))", "document.getElementById('play-deal').click()")},
		{"?view=play&target=ooooooooooooooooooooooooooooooooooo", nil},
		{"?view=draw&pattern=.ooo.o...oo...oooooo...oo...oo...o&pick=oooo.o...oo...ooo.o.o....o....o....", clicks("fill-any", "invert", "fill-holes")},
		{"?view=file", []string{"document.querySelector('#file details').open = true", "document.querySelectorAll('#file .column')[3].dispatchEvent(new Event('pointerenter'))"}},
	},
	"slide/klotski": {
		{"", clicks("slide-hint", "slide-hint", "slide-undo", "slide-redo", "slide-solve", "slide-restart")},
		{"?view=edit", append(clicks("edit-clear", "edit-undo", "edit-cars"), "document.querySelectorAll('[name=edit-tool]')[4].click()", "document.querySelectorAll('[name=edit-tool]')[3].click()")},
		{"?view=edit&drawing=AA.", nil},
		{"?view=edit&drawing=A.B%0A%0Agoal:%0AB.A", nil},
		{"?view=file", nil},
	},
	"lunar/5x5:2-3": {
		{"", clicks("lunar-hint", "lunar-hint", "lunar-undo", "lunar-solve", "lunar-deal", "lunar-hardest")},
		{"?view=file", nil},
	},
	"2048/2x2": {
		{"?seed=1", clicks("numbers-hint", "numbers-hint", "numbers-undo", "numbers-redo", "numbers-best")},
		{"?view=file", nil},
	},
	"threes/2x2": {
		{"?seed=1", clicks("numbers-hint", "numbers-hint", "numbers-undo", "numbers-redo", "numbers-best")},
	},
}

// Visits to the site.
var atHome = []visit{
	{"", []string{"document.querySelector('#word .share').click()"}},
	{"?view=file", nil},
	{"?space=peg/4x4", nil},
	{"?space=slide/rushhour1", append(clicks("slide-solve"), "document.querySelector('#slide .share').click()")},
	{"?space=slide/rushhour1&view=edit", append(clicks("edit-show", "edit-on", "edit-clear"), "document.querySelector('[name=edit-tool][value=goal]').click()")},
	{"?space=slide/n4x4", nil},
	{"?space=slide/15-puzzle", nil},
	{"?space=2048/4x4", nil},
	{"?space=slide/nobody", nil},
	{"?space=peg/0x0", nil},
	{"?space=peg/99x99", nil},
	{"?space=peg/5x5@9,9", nil},
	{"?space=2048/0x0", nil},
	{"?space=threes/9x9", nil},
	{"?drawn=" + strings.Repeat("o", 65), nil},
	{"?drawn=A.", nil},
	{"?drawn=" + strings.Repeat("A", 36), nil},
	{"?space=slide&drawn=AAB/A!.", nil},
	{"?space=peg&drawn=oo%0Ao", nil},
	{"?space=2048&drawn=2,2", nil},
	{"levels.html", []string{"localStorage.setItem('best', JSON.stringify({ 'slide/klotski': 81, 'slide/rushhour1': 99 })), dispatchEvent(new Event('pageshow'))", "document.getElementById('levels-forget').click()"}},
	{"levels.html?metric=supersteps", nil},
	{"collection.html", []string{
		"document.getElementById('search').value = 'rush', document.getElementById('search').dispatchEvent(new Event('input'))",
		"document.getElementById('search').value = 'klotsky', document.getElementById('search').dispatchEvent(new Event('input'))",
		"document.getElementById('search').value = '\u2603', document.getElementById('search').dispatchEvent(new Event('input'))",
		"document.getElementById('all').click(), document.getElementById('order').value = '-year', document.getElementById('order').dispatchEvent(new Event('change'))",
	}},
	{"make.html", []string{"document.getElementById('make-text').value = 'AA.', document.getElementById('make-text').dispatchEvent(new Event('input'))"}},
	{"make.html?paint=lunar", nil},
	{"make.html?paint=english", nil},
	{"make.html?paint=triangle", nil},
	{"daily.html", []string{
		"localStorage.setItem('days', JSON.stringify({ '2026-01-02': 7, '2026-01-03 hard': 99 })), document.getElementById('days-last').value = '2026-01-04', document.getElementById('days-last').dispatchEvent(new Event('change'))",
	}},
	{"classroom.html", []string{"dispatchEvent(new Event('beforeprint'))", "document.querySelector('#sheets [type=checkbox]').click()"}},
	{"offline.html", nil},
	{"?space=slide/n3x3", nil},
	{"?drawn=ooo%0Ao.o%0Aooo", nil},
	{"puzzles/slide-klotski.html", nil},
	{"puzzles/slide-cube.html", nil},
	{"puzzles/peg-english.html", nil},
	{"puzzles/peg-5x7.html", nil},
	{"puzzles/2048-3x3.html", nil},
	{"puzzles/lunar-5x5-3-4.html", nil},
}

// titles lists the titles of puzzles of the site, which stay as they are if their names in other languages are not known.
func titles(t *testing.T) (all []string) {
	t.Helper()
	dir, err := site()
	if err != nil {
		t.Fatalf("%s%v", dir, err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "collection.json"))
	if err != nil {
		t.Fatal(err)
	}
	var puzzles []struct{ Family, About string }
	if err := json.Unmarshal(data, &puzzles); err != nil {
		t.Fatal(err)
	}
	for _, p := range puzzles {
		if p.Family == "sliding blocks" && p.About != "" {
			all = append(all, p.About)
		}
	}
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) })
	return all
}

// In Chinese, no text of any view or page stays English.
func TestChinese(t *testing.T) {
	t.Parallel()
	stay, err := json.Marshal(titles(t))
	if err != nil {
		t.Fatal(err)
	}
	home := "" // the address of the site
	walk := func(t *testing.T, address string, visits []visit) {
		p := open(t, address, "?lang=zh", 1280, 900, calm())
		seen := make(map[string]bool)
		for _, v := range visits {
			path := v.path
			if strings.Contains(path, "?") {
				path += "&lang=zh"
			} else {
				path += "?lang=zh"
			}
			p.do(chromedp.Navigate(address + path))
			for n, do := range append([]string{"0"}, v.do...) {
				js[any](p, do+", null")
				p.rest()
				p.expect("document.documentElement.lang === 'zh-Hans'")
				for _, text := range strings.Split(js[string](p, english+"("+string(stay)+")"), "\n") {
					if text != "" && !seen[text] {
						seen[text] = true
						t.Errorf("%s, step %d: %s", v.path, n, text)
					}
				}
				p.expect("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
				if address == home { // who has come by a link has no commands; the pages of puzzles explain theirs
					p.expect("!/\\b(reach|query) (run|serve|check|solve)\\b|\\.reach\\b/.test(document.body.innerText) || document.querySelector('main.puzzle')")
				}
			}
		}
	}
	for space, visits := range served {
		t.Run(strings.NewReplacer("/", "-", ":", "-").Replace(space), func(t *testing.T) { walk(t, serve(t, space), visits) })
	}
	t.Run("site", func(t *testing.T) {
		home, _ = host(t)
		walk(t, home, atHome)
	})
}

// The language of the browser chooses that of the page, and a button the other one, for all pages and visits after it.
func TestLanguage(t *testing.T) {
	t.Parallel()
	address := serve(t, "peg/5x7")
	const lang, loaded = "document.documentElement.lang", "performance.getEntriesByType('resource').some((r) => /translate|zh/.test(r.name))"
	for languages, want := range map[string]string{"zh-TW,zh": "zh-Hans", "zh-CN": "zh-Hans", "fr-FR,zh,en": "zh-Hans", "ja": "en", "ja,en-GB,zh": "en", "en-US": "en"} {
		p := open(t, address, "", 1000, 800, calm())
		agent := js[string](p, "navigator.userAgent")
		p.do(emulation.SetUserAgentOverride(agent).WithAcceptLanguage(languages), chromedp.Reload())
		p.wait("document.querySelectorAll('.letter').length === 6")
		if got := js[string](p, lang); got != want {
			t.Errorf("for a browser with %s, the page is in %s, want %s", languages, got, want)
		}
		p.expect(loaded + " === (" + lang + " !== 'en')")
		p.expect("document.querySelector('#word .share').textContent === (" + lang + " === 'en' ? 'Share' : '分享')")
	}
	p := open(t, address, "?text=HI&lang=zh", 1000, 800, calm())
	p.wait("document.querySelectorAll('.letter').length === 2")
	p.expect(lang + " === 'zh-Hans'")
	p.click("#language")
	p.wait(lang + " === 'en' && document.querySelectorAll('.letter').length === 2 && location.search === '?text=HI'")
	p.expect("!(" + loaded + ")")
	p.click("#language")
	p.wait(lang + " === 'zh-Hans' && document.querySelectorAll('.letter').length === 2 && location.search === '?text=HI'")
	p.click("[data-view=file]")
	p.do(chromedp.Reload())
	p.wait(lang + " === 'zh-Hans' && !document.getElementById('file').hidden") // it is kept
	p.expect("document.getElementById('layers-title').textContent === '按棋子数统计的局面数'")
	p.do(chromedp.Navigate(address + "?lang=en")) // the address comes first
	p.wait("document.querySelectorAll('.letter').length === 6")
	p.expect(lang + " === 'en'")
}

// The language of a link goes along to the pages to which one clicks, for one visit.
func TestLanguageGoesAlong(t *testing.T) {
	t.Parallel()
	address, _ := host(t)
	p := open(t, address, "?space=slide/rushhour1&lang=zh", 1000, 800, calm())
	for _, click := range []string{"#menu a[href*=levels]", ".level", "#menu a[href*=collection]", "#list li a", "#menu a[href*=make]"} {
		p.wait("document.querySelector(" + quote(click) + ")")
		before := js[string](p, "location.href")
		js[any](p, "document.querySelector("+quote(click)+").click(), null")
		p.wait("location.href !== " + quote(before) + " && document.readyState === 'complete' && document.documentElement.lang === 'zh-Hans'")
		p.expect("!location.search.includes('lang=')")
	}
	p = open(t, address, "levels.html", 1000, 800, calm())
	p.expect("document.documentElement.lang === 'en'")
}
