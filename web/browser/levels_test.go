package browser

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	cdp "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// levelsOf opens the page of levels with some results on the device.
func levelsOf(t *testing.T, results string, width, height int64, features ...*emulation.MediaFeature) *page {
	t.Helper()
	address, _ := host(t)
	p := open(t, address, "levels.html", width, height, append(features, calm())...)
	p.do(chromedp.Evaluate("localStorage.setItem('best', JSON.stringify("+results+"))", nil), chromedp.Reload())
	p.wait("document.body.classList.contains('ready')")
	return p
}

// The levels come in packs from easy to hard, each in one of them. What is solved has stars, and the next one is marked.
func TestLevels(t *testing.T) {
	t.Parallel()
	p := levelsOf(t, "{ 'slide/rushhour1': 8, 'slide/rushhour2': 8, 'slide/n2x3': 'nonsense', 'slide/n2x2': 5, 'slide/rushhour4': 9 }", 1280, 900)
	const text = "document.getElementById('levels-on').textContent"
	if titles := js[string](p, "[...document.querySelectorAll('.pack h2')].map((el) => el.textContent).join()"); titles !=
		"First steps,Rush Hour,Huarong Dao,The Lunar deck,Cracker barrel,Peg solitaire,2048 and Threes,More classics,The hardest of all" {
		t.Errorf("the packs are %s", titles)
	}
	p.expect("document.querySelectorAll('.level').length > 190 && new Set([...document.querySelectorAll('.level')].map((el) => el.href)).size === document.querySelectorAll('.level').length")
	p.expect("document.querySelector('#rush-hour .pack-told').textContent === '3 of 40, 9 ★' && document.querySelector('#first .pack-told').textContent === '1 of 16, 1 ★'")
	p.expect("document.querySelectorAll('#rush-hour .level').length === 40 && document.querySelectorAll('#lunar .level').length === 40")
	p.expect("document.querySelector('#first .level-stars').getAttribute('aria-label') === '1 of 3 stars' && document.querySelector('#rush-hour .level-stars').textContent === '★★★'")
	p.expect("document.querySelectorAll('.is-next').length === 9 && document.querySelector('#rush-hour .is-next').textContent.includes('Card 5')")
	p.expect(text + " === 'Go on: Rush Hour, card 5' && document.getElementById('levels-told').textContent === 'You have solved 4 levels, for 10 stars.'")
	// All levels but those of the deck come by their moves.
	p.expect(`[...document.querySelectorAll('.pack:not(#lunar, #tiles)')].every((pack) => {
		const pars = [...pack.querySelectorAll('.level .small')].map((el) => parseInt(el.textContent, 10));
		return pars.every((n, i) => n > 0 && (!i || n >= pars[i - 1]));
	})`)
	p.shot("packs")
	p.click("#rush-hour .pack-whole")
	p.wait("document.querySelector('#rush-hour .pack-whole').textContent === 'Show fewer'")
	p.expect("document.querySelector('#rush-hour .level-list').scrollWidth <= document.querySelector('#rush-hour .level-list').clientWidth")
	p.do(chromedp.Focus("#levels-search"), chromedp.KeyEvent("jewl swop"))
	p.wait("document.getElementById('levels-told').textContent === '1 level found.'")
	p.expect("[...document.querySelectorAll('.level')].filter((el) => el.checkVisibility()).map((el) => el.querySelector('.level-name').textContent).join() === 'Jewel Swap'")
	// Levels of pegs and of the deck are what their cards show.
	for id, want := range map[string]string{
		"#cracker-barrel": "document.querySelectorAll('#play-board .cell').length === 10 && !document.querySelector('#play').hidden",
		"#tiles":          "document.querySelectorAll('#numbers-board .num').length > 1 && document.querySelector('#numbers .level-line').textContent.includes('2048 and Threes, level 1 of')",
		"#lunar":          "document.querySelectorAll('#lunar-board .block').length === 3 && document.getElementById('lunar-title').textContent === 'Card 1'",
	} {
		p.visit("levels.html")
		p.click(id + " .level")
		p.wait("document.body?.classList.contains('ready') && " + want)
	}
}

// The page of levels fits, from the smallest phone, light and dark.
func TestLevelsLook(t *testing.T) {
	t.Parallel()
	for width, height := range map[int64]int64{320: 568, 390: 844, 844: 390, 1280: 800} {
		for _, theme := range []string{"light", "dark"} {
			t.Run(fmt.Sprintf("%d-%s", width, theme), func(t *testing.T) {
				var features []*emulation.MediaFeature
				if theme == "dark" {
					features = append(features, dark())
				}
				p := levelsOf(t, "{ 'slide/rushhour1': 8, 'slide/rushhour2': 9, 'slide/silly': 4, 'lunar/5x5 "+strings.Repeat("...../", 4)+"....X': 3 }", width, height, features...)
				p.expect("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
				p.expect("document.querySelectorAll('.is-best').length === 2")
				p.do(chromedp.Evaluate("document.getElementById('lunar').scrollIntoView()", nil))
				p.wait("document.querySelector('#lunar .level .board') && document.querySelector('#cracker-barrel .level .board')")
				if small := js[string](p, `[...document.querySelectorAll('button, .button, .packs a, input, select')].filter((el) => el.checkVisibility() && (el.offsetHeight < 40 || el.offsetWidth < 40)).map((el) => el.outerHTML).join('\n')`); small != "" && width < 500 {
					t.Errorf("too small:\n%.500s", small)
				}
				p.shot("levels")
			})
		}
	}
}

// rule is the address of a page that can load the rule of the puzzle of the day, and levels the file of the levels of
// the site.
func rule(t *testing.T) (address, levels string) {
	t.Helper()
	dir, err := site()
	if err != nil {
		t.Fatalf("%s%v", dir, err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "levels-*.json"))
	if err != nil || len(files) != 1 {
		t.Fatalf("the files of levels are %v, %v", files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	folder := http.FileServer(http.Dir(filepath.Join(root, "web")))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/favicon.ico" {
			folder.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL + "/site/static/", string(data)
}

// days loads the rule, and evaluates a body that has it as rule, and after(n) as the date n days after one.
func days[T any](p *page, body string) T {
	p.Helper()
	return js[T](p, "import('/site/static/days.js').then((rule) => { const after = (n) => new Date(Date.UTC(2026, 10, 27 + n)).toISOString().slice(0, 10);\n"+body+"})")
}

// The puzzle of a day depends on the date alone. A puzzle that is added takes some days, and changes no others.
func TestDays(t *testing.T) {
	t.Parallel()
	own, levels := rule(t)
	address, _ := host(t)
	p := open(t, address, "levels.html", 800, 600, calm())
	p.do(chromedp.Navigate(own)) // a list of files
	if got := days[string](p, `
		const file = { packs: [{ levels: [...'abcdef'].map((id, i) => ({ id, par: 6 + i })) }, { levels: [...'ghi'].map((id, i) => ({ id, par: 30 + i })) }] };
		return Array.from({ length: 14 }, (_, n) => rule.levelOf(file, after(n)).id).join('');`); got != "ciiadeadiieadc" {
		t.Errorf("from the 27th of November 2026 on, the levels are %s: the rule has changed", got)
	}
	if fault := days[string](p, `
		const file = `+levels+`;
		const more = { packs: [...file.packs, { levels: [{ id: 'slide/new', par: 20 }, { id: 'slide/newer', par: 40 }] }] };
		const last = new Map();
		let taken = 0;
		for (let n = 0; n < 1000; n++) {
			const day = after(n);
			const [level, later] = [rule.levelOf(file, day), rule.levelOf(more, day)];
			const weekend = [0, 6].includes(new Date(day).getUTCDay());
			if (level.par < (weekend ? 25 : 6) || level.par > (weekend ? 60 : 24)) return day + ' has ' + level.id + ', of ' + level.par;
			if (n - last.get(level.id) < 7) return level.id + ' comes again on ' + day;
			last.set(level.id, n);
			if (later !== level && !later.id.startsWith('slide/new')) return day + ' has ' + level.id + ', and then ' + later.id;
			taken += later !== level;
		}
		return taken > 2 && taken < 100 && last.size > 80 ? '' : taken + ' days are taken, of ' + last.size + ' levels';`); fault != "" {
		t.Error(fault)
	}
}

// on lets the page believe that it is noon of a day.
func (p *page) on(day string) {
	p.Helper()
	p.do(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := cdp.AddScriptToEvaluateOnNewDocument(`(() => {
			const Real = Date;
			const now = () => Real.parse('` + day + `T12:00') + performance.now();
			globalThis.Date = class extends Real { constructor(...of) { of.length ? super(...of) : super(now()); } static now() { return now(); } };
		})()`).Do(ctx)
		return err
	}))
}

// The first page has the puzzle of the day. Who solves it has a result to share, and days in a row.
func TestDaily(t *testing.T) {
	t.Parallel()
	own, levels := rule(t)
	address, _ := host(t)
	p := open(t, address, "levels.html", 1280, 900, calm())
	p.do(chromedp.Navigate(own))
	day := days[string](p, `
		const file = `+levels+`;
		for (let n = 0; ; n++) if (rule.levelOf(file, after(n)).id === 'slide/rushhour1') return after(n);`)
	date, err := time.Parse(time.DateOnly, day)
	if err != nil {
		t.Fatal(err)
	}
	beside := func(days int) string { return date.AddDate(0, 0, days).Format(time.DateOnly) }
	p.on(day)
	p.visit("")
	p.wait("document.querySelector('#daily .tray')")
	p.expect("document.querySelector('#daily h2').textContent === 'Puzzle of the day, " + date.Format("2 January") + "' && document.querySelector('#daily .daily-title').textContent === 'Rush Hour, card 1'")
	p.expect("!document.querySelector('.daily-streak') && document.querySelector('#daily .button').textContent === 'Play'")
	p.shot("home")
	p.do(chromedp.Evaluate("localStorage.setItem('days', JSON.stringify({ '"+beside(-1)+"': 9, '"+beside(-3)+"': 9 }))", nil))
	p.click("#daily .button")
	p.wait("document.body?.classList.contains('ready') && document.querySelector('#slide .level-line strong')")
	p.expect("new URLSearchParams(location.search).get('day') === '" + day + "'")
	p.expect("document.querySelector('#slide .level-line strong').textContent === 'Puzzle of the day, " + date.Format("2 January") + "'")
	p.expect("document.querySelector('#slide .level-time').textContent === ''")
	p.tally("0", "8")
	p.shot("play")
	p.solveCard1()
	p.wait("!document.querySelector('#slide .finish').hidden && [...document.querySelectorAll('#slide .finish button')].some((el) => el.textContent === 'Share')")
	p.expect("document.querySelector('#slide .finish-pack').textContent === 'Puzzle of the day, " + date.Format("2 January") + ": 2 days in a row'")
	p.do(chromedp.Evaluate("navigator.share = undefined; navigator.clipboard.writeText = async (text) => { globalThis.copied = text; }; [...document.querySelectorAll('#slide .finish button')].find((el) => el.textContent === 'Share').click()", nil))
	p.wait("globalThis.copied")
	month := js[string](p, "new Date('"+day+"').toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })")
	if got, want := js[string](p, "copied"), "Pagoda "+month+": 8 of 8 moves ★★★\n"+address+"?space=slide/rushhour1&day="+day; got != want {
		t.Errorf("shared is %q, expected %q", got, want)
	}
	p.shot("won")
	// It is done today, and the days go on tomorrow, but not after a day without.
	for days, want := range map[int]string{0: "2 days in a row", 1: "2 days in a row", 2: ""} {
		p.on(beside(days))
		p.visit("")
		p.wait("document.querySelector('#daily .board')")
		p.expect("(document.querySelector('.daily-streak')?.textContent ?? '') === '" + want + "'")
		p.expect(fmt.Sprintf("(document.querySelector('#daily h2').textContent.startsWith('Hard puzzle')) === %t", days == 0)) // it comes after the easy one
	}
	// All days, with the statistics. What is played late does not count.
	p.on(day)
	p.do(chromedp.Navigate(address + "daily.html"))
	p.wait("document.body?.classList.contains('ready')")
	p.expect("['days-solved', 'days-row', 'days-best'].map((id) => document.getElementById(id).textContent).join() === '3,2,2'")
	p.expect("document.querySelector('#days-list tr .level-stars').textContent === '★★★' && document.querySelectorAll('#days-list tr').length === 28")
	js[any](p, "document.getElementById('days-last').value = '2026-02-01', document.getElementById('days-last').dispatchEvent(new Event('change')), null")
	p.wait("document.querySelector('#days-list th').textContent === '1 Feb'")
	// The link of an older day still plays its puzzle, and what is no date is ignored.
	p.visit("?space=slide/rushhour1&day=" + day)
	p.wait("document.querySelector('#slide .level-line strong')")
	p.do(chromedp.Evaluate("document.querySelector('#slide .level-line input').click()", nil))
	p.wait("/^\\d+:\\d\\d$/.test(document.querySelector('#slide .level-time').textContent)")
	p.visit("?space=slide/rushhour1&day=2026-02-30")
	p.wait("document.querySelector('#slide .level-line a')")
	p.expect("document.querySelector('#slide .level-line').textContent === '‹Rush Hour, level 1 of 40›' && /“day”/.test(document.getElementById('toast').textContent)")
}

// solveCard1 solves the first card of Rush Hour as short as can be.
func (p *page) solveCard1() {
	p.Helper()
	for i, m := range []struct {
		piece      string
		rows, cols float64
	}{{"A", 0, 1}, {"P", -1, 0}, {"B", -1, 0}, {"C", 0, -3}, {"O", 3, 0}, {"R", 0, -2}, {"Q", 2, 0}, {"X", 0, 3}} {
		p.slide(m.piece, m.rows, m.cols)
		p.wait(fmt.Sprintf("document.getElementById('slide-made').textContent === '%d'", i+1))
	}
}

// A level is opened, played and won; then the next one comes. Back and a reload keep it all.
func TestLevelsGoOn(t *testing.T) {
	t.Parallel()
	p := levelsOf(t, "{}", 1000, 900)
	const line = "document.querySelector('#slide .level-line')?.textContent"
	p.expect("document.getElementById('levels-on').textContent === 'Begin: The 3-puzzle, 2 × 2'")
	p.click("#rush-hour .level")
	p.wait("document.body?.classList.contains('ready') && " + line + " === '‹Rush Hour, level 1 of 40›'")
	p.tally("0", "8")
	p.solveCard1()
	p.wait("!document.querySelector('#slide .finish').hidden && document.querySelector('#slide .finish .button.primary').href.endsWith('rushhour2')")
	p.expect("document.querySelector('#slide .finish-pack').textContent === 'Level 1 of 40: Rush Hour' && document.querySelector('#slide .finish-stars').getAttribute('aria-label') === '3 of 3 stars'")
	p.click("#slide .finish .button.primary")
	p.wait("location.search.includes('rushhour2') && document.body?.classList.contains('ready') && " + line + " === '‹Rush Hour, level 2 of 40›'")
	p.do(chromedp.NavigateBack())
	p.wait("location.search.includes('rushhour1') && document.body?.classList.contains('ready') && " + line + " === '‹Rush Hour, level 1 of 40›'")
	p.do(chromedp.Reload())
	p.wait("document.body?.classList.contains('ready') && document.getElementById('slide-yours')?.textContent === '8 ★' && " + line)
	p.click("#slide .level-line a:nth-child(2)")
	p.wait("location.hash === '#rush-hour' && document.body?.classList.contains('ready')")
	p.expect("document.querySelector('#rush-hour .level-stars').textContent === '★★★' && document.getElementById('levels-on').textContent === 'Go on: Rush Hour, card 2'")
}
