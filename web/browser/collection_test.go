package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// found is the internal names of the puzzles that the collection shows.
const found = "[...document.querySelectorAll('#list li')].filter((li) => !li.hidden).map((li) => li.querySelector('bdi').textContent).join(' ')"

// The list of the collection has pictures, and it is sorted and searched, by keys, too. The address says what it shows.
func TestCollection(t *testing.T) {
	t.Parallel()
	address, _ := host(t)
	p := open(t, address, "", 1280, 900, calm())
	p.do(chromedp.Navigate(address + "collection.html"))
	p.wait("document.readyState === 'complete'")
	p.expect("document.querySelectorAll('#list li').length > 150")
	p.expect("document.getElementById('found').textContent === document.querySelectorAll('#list li').length + ' puzzles'")
	p.wait("document.querySelectorAll('#list img')[5].naturalWidth > 0")
	// The states of the cube of 3 by 3 by 3 have no numbers, so it has no picture.
	p.expect("[...document.querySelectorAll('#list li')].every((li) => li.querySelector('img') || li.textContent.includes('twist/3x3x3'))")
	p.expect("[...document.querySelectorAll('#list a.button')].find((a) => a.ariaLabel === \"Play Klotski, L'Ane Rouge\").getAttribute('href') === './?space=slide%2Fklotski'")
	p.shot("list")
	p.do(chromedp.Focus("#order"), chromedp.KeyEvent(kb.ArrowDown+kb.ArrowDown))
	p.wait("location.search === '?sort=moves'")
	least := js[int](p, "parseInt(document.querySelector('#list li p + p').textContent)")
	p.do(chromedp.KeyEvent(kb.ArrowDown))
	p.wait("location.search === '?sort=-moves'")
	if most := js[int](p, "parseInt(document.querySelector('#list li p + p').textContent)"); least < 1 || most <= 10*least {
		t.Errorf("sorted by moves, the first puzzles take %d and %d", least, most)
	}
	p.do(chromedp.Focus("#search"), chromedp.KeyEvent("klotski"))
	p.do(chromedp.Focus("#kind"), chromedp.KeyEvent("Huarong"))
	p.wait("location.search === '?q=klotski&kind=Huarong+Dao&sort=-moves'")
	p.expect("found.textContent === '46 puzzles' && found.getAttribute('role') === 'status'")
	names := js[string](p, found)
	p.do(chromedp.Reload())
	p.wait("document.readyState === 'complete'")
	if again := js[string](p, found); again != names || names == "" {
		t.Errorf("the address shows %q, and showed %q", again, names)
	}
	// A puzzle leads back to what was found.
	p.click("#list li:not([hidden]) a")
	p.wait("document.querySelector('.back')?.search === '?q=klotski&kind=Huarong+Dao&sort=-moves'")
	one := js[string](p, "location.pathname")
	p.click("[rel=next]")
	p.wait("location.pathname !== " + quote(one) + " && document.querySelector('.back')?.search === '?q=klotski&kind=Huarong+Dao&sort=-moves'")
	p.click(".back")
	p.wait("document.getElementById('found')?.textContent === '46 puzzles'")
	p.click("#all")
	p.wait("location.search === '?sort=-moves' && document.activeElement.id === 'search' && document.getElementById('all').hidden")
	p.do(chromedp.Navigate(address + "collection.html?q=%3Cb%3E&kind=nonsense&sort=nonsense"))
	p.wait("document.readyState === 'complete'")
	p.expect("kind.value === '' && order.value === '' && /^\\d+ puzzles/.test(document.getElementById('found').textContent)")
}

// A search forgives spelling, and knows other names.
func TestFind(t *testing.T) {
	t.Parallel()
	address, _ := host(t)
	p := open(t, address, "", 390, 844, calm())
	p.do(chromedp.Navigate(address + "collection.html"))
	p.wait("document.readyState === 'complete'")
	for _, c := range []struct {
		typed string
		first string // the names that come first
		told  string
	}{
		{"15 puzzle", "slide/15-puzzle slide/n4x4 slide/n", "puzzles"},
		{"15-Puzzle", "slide/15-puzzle slide/n4x4 slide/n", "puzzles"},
		{"8puzzle", "slide/n3x3 ", "puzzles"},
		{"eight puzzle", "slide/n3x3", "1 puzzle"},
		{"klotsky", "slide/klotski slide/hrd-", "No puzzle has this name. 47 have similar names."},
		{"KLTOSKI", "slide/klotski slide/hrd-", "No puzzle has this name. 47 have similar names."},
		{"hua rong", "slide/klotski slide/hrd-", "47 puzzles"},
		{"huarongdao", "slide/klotski slide/hrd-", "47 puzzles"},
		{"华容道", "slide/klotski slide/hrd-", "puzzles"},
		{"華容道", "slide/klotski slide/hrd-", "puzzles"},
		{"横刀立马", "slide/klotski", "1 puzzle"},
		{"水泄不通", "slide/hrd-watertight", "1 puzzle"},
		{"箱入り娘", "slide/klotski", "1 puzzle"},
		{"l'âne rouge", "slide/klotski", "1 puzzle"},
		{"Cracker-Barrel", "peg/triangle15", "1 puzzle"},
		{"craker barel", "peg/triangle15", "No puzzle has this name. One has a similar name."},
		{"ペグソリティア", "peg/english peg/", "puzzles"},
		{"rushour", "slide/rushhour", "No puzzle has this name. 44 have similar names."},
		{"rush hour 1", "slide/rushhour1", "1 puzzle"}, // not 10, 11 and so on
		{"rush hour game", "slide/rushhour ", "44 puzzles"},
		{"pennent", "slide/dads slide/dads-diagonal", "No puzzle has this name. 2 have similar names."},
		{"Dudeney", "slide/letter-block slide/lodging-house slide/motor-car", "3 puzzles"},
		{"threes", "threes/2x2 threes/2x3 threes/3x3:48 threes/4x4 slide/hrd-three-", "4 puzzles, and 3 with similar names."}, // these last
		{"xlotzki", "", "No puzzle has this name.Look at Klotski, L'Ane Rouge"},
		{"xyzzy", "", "No puzzle has this name."},
		{"", "peg/4x4 peg/5x5 ", "215 puzzles"},
	} {
		js[any](p, fmt.Sprintf("search.value = %s, search.dispatchEvent(new Event('input')), null", quote(c.typed)))
		if names := js[string](p, found); !strings.HasPrefix(names, c.first) || (names == "") != (c.first == "") {
			t.Errorf("%q finds %.80s, want first %s", c.typed, names, c.first)
		}
		if told := js[string](p, "[...document.querySelector('.found').children].filter((el) => !el.hidden).map((el) => el.textContent).join('')"); !strings.Contains(told, c.told) {
			t.Errorf("%q says %q, want %q", c.typed, told, c.told)
		}
	}
	p.expect("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
	js[any](p, "search.value = 'xlotzki', search.dispatchEvent(new Event('input')), null")
	p.click("#near")
	p.wait("document.querySelector('h1')?.textContent === \"Klotski, L'Ane Rouge\"")
}

// The page of a puzzle says what it is and what is known, and leads on.
func TestPuzzlePage(t *testing.T) {
	t.Parallel()
	address, _ := host(t)
	p := open(t, address, "", 1280, 900, calm())
	p.do(chromedp.Navigate(address + "puzzles/slide-klotski.html"))
	p.wait("document.querySelector('img.start')?.naturalWidth > 0")
	p.expect("document.querySelector('.also [lang=ja]').textContent === '箱入り娘'")
	p.expect("/The shortest solution takes 81 moves\\./.test(document.querySelector('.known').textContent) && /25,955 positions can be reached/.test(document.querySelector('.known').textContent)")
	p.expect("/^Level \\d+ of 47: Huarong Dao$/.test(document.querySelector('.known a[href=\"../levels.html#huarong-dao\"]').textContent)")
	p.expect("document.querySelectorAll('.metrics tbody tr').length === 6 && document.querySelectorAll('.metrics thead th').length === 6")
	p.click("[rel=next]")
	p.wait("document.querySelector('h1')?.textContent === 'The Letter Block Puzzle' && document.querySelector('[rel=prev]')") // the page may come in parts
	p.click("[rel=prev]")
	p.wait("document.querySelector('h1')?.textContent === \"Klotski, L'Ane Rouge\"")
	p.shot("klotski")
	p.expect("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
	p.do(chromedp.Navigate(address + "puzzles/peg-5x7.html"))
	p.wait("document.querySelector('h1')?.textContent === 'The board of the letters'")
	p.expect("/1,045,173,439 positions can be reached.*At least 2 pegs are left/s.test(document.querySelector('.known').textContent)")
	p.expect("document.querySelectorAll('.puzzle .bar').length === 33")
	p.click(".known .primary")
	p.wait("document.querySelectorAll('.letter').length === 6")
	p.do(chromedp.Navigate(address + "puzzles/slide-cube.html")) // on several floors
	p.wait("document.querySelector('h1')?.textContent === 'The cube in the box'")
	p.expect("!document.querySelector('.known .button') && /A tray of several floors cannot be played on a page.*reach solve slide\\/cube -o cube.svg/s.test(document.querySelector('.known').textContent)")
	// From its hardest start a puzzle takes as many moves as its page says.
	p.do(chromedp.Navigate(address + "puzzles/slide-klotski.html"))
	p.click("figure a")
	p.tally("0", "93")
}
