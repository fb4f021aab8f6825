package browser

import (
	"context"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// saving notes what the page saves and copies: saved has the name and the content of the last file, copied the last text.
const saving = `(() => {
	let blob = null;
	globalThis.saved = null;
	globalThis.copied = null;
	URL.createObjectURL = (b) => { blob = b; return 'about:blank#'; };
	HTMLAnchorElement.prototype.click = function () {
		const { download } = this;
		const reader = new FileReader();
		reader.onload = () => { saved = { name: download, data: reader.result }; };
		reader.readAsDataURL(blob);
	};
	Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: async (text) => { copied = text; } } });
})(), null`

// share opens the dialog of the view that is shown.
func (p *page) share() {
	p.Helper()
	p.wait("[...document.querySelectorAll('.share')].some((b) => b.checkVisibility())")
	js[any](p, saving)
	js[any](p, "(() => { const b = [...document.querySelectorAll('.share')].find((b) => b.checkVisibility()); b.focus(); b.click(); })(), null")
	p.wait("document.querySelector('.share-dialog[open]')")
}

// A savedFile is a file that the page has saved.
type savedFile struct {
	Name, Data string // a data address
}

func (f savedFile) bytes() []byte {
	data, _ := base64.StdEncoding.DecodeString(f.Data[strings.Index(f.Data, ",")+1:])
	return data
}

// savePicture saves a picture of a kind, in a size and colours; empty: as they are chosen.
func (p *page) savePicture(kind, size, colours string) savedFile {
	p.Helper()
	js[any](p, fmt.Sprintf(`(() => {
		saved = null;
		const choose = (name, value) => { if (value) document.querySelector('.share-dialog input[name=' + name + '][value=' + value + ']').click(); };
		choose('share-kind', %q);
		choose('share-colours', %q);
		if (%q) document.querySelector('.share-choices select').value = %q;
		document.querySelector('.share-choices > button').click();
	})(), null`, kind, colours, size, size))
	p.wait("saved && document.querySelector('.share-choices + [role=status]').textContent === 'Saved.'")
	return js[savedFile](p, "saved")
}

// wellFormed reports what is wrong with an XML file.
func wellFormed(data []byte) error {
	d := xml.NewDecoder(strings.NewReader(string(data)))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// colours returns the colours of some places of a picture that stands alone, as rrggbb. The places are shares of its sides.
func (p *page) colours(f savedFile, places ...[2]float64) string {
	p.Helper()
	list := make([]string, len(places))
	for i, at := range places {
		list[i] = fmt.Sprintf("[%g, %g]", at[0], at[1])
	}
	return js[string](p, fmt.Sprintf(`(async () => {
		const image = new Image();
		image.src = %q;
		await image.decode();
		const canvas = document.createElement('canvas');
		[canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
		const c = canvas.getContext('2d', { willReadFrequently: true });
		c.drawImage(image, 0, 0);
		return [%s].map(([x, y]) => [...c.getImageData(x * canvas.width, y * canvas.height, 1, 1).data].slice(0, 3).map((n) => n.toString(16).padStart(2, '0')).join('')).join();
	})()`, f.Data, strings.Join(list, ", ")))
}

// A word is saved as it is shown, at once: no engine is asked for SVG and PNG. Each kind has a name of its own.
func TestShareWord(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "peg/5x7"), "?text=I+%E2%98%83", 1000, 800, calm())
	p.wait("document.querySelectorAll('.letter').length === 3")
	p.share()
	p.shot("share")
	p.expect("document.querySelector('.share-dialog input').value === location.href")
	p.click(".share-dialog section:nth-of-type(1) button")
	p.wait("copied === location.href && /^Copied/.test(document.querySelector('.share-dialog [role=status]').textContent)")

	// A row of three boards, each 218 by 298, with gaps of 16 and an edge of 24; I has a peg in the middle of its top row.
	const width, height = 3*218 + 2*16 + 2*24, 298 + 2*24
	at := func(board, col, row int) [2]float64 {
		return [2]float64{float64(24+board*234+29+40*col) / width, float64(24+29+40*row) / height}
	}
	for colours, want := range map[string]string{"light": "a63d21,d9c69c,d9c69c,fdfbf6", "dark": "f0b445,1b1f27,1b1f27,14171c"} {
		for _, kind := range []string{"svg", "png"} {
			f := p.savePicture(kind, "medium", colours)
			if f.Name != "pagoda-I."+kind {
				t.Errorf("the file has the name %s", f.Name)
			}
			// A peg of I, one of its holes, a hole of the blank, and what is between boards.
			if got := p.colours(f, at(0, 2, 0), at(0, 0, 3), at(1, 2, 3), [2]float64{0.01, 0.03}); got != want {
				t.Errorf("%s, %s: the colours are %s, want %s", kind, colours, got, want)
			}
			if kind == "svg" {
				if err := wellFormed(f.bytes()); err != nil {
					t.Errorf("the SVG is not well formed: %v", err)
				}
				for _, bad := range []string{"var(", "class=", "style=", "light-dark"} {
					if strings.Contains(string(f.bytes()), bad) {
						t.Errorf("the SVG needs the page: it has %s", bad)
					}
				}
				if !strings.Contains(string(f.bytes()), ">☃</text>") {
					t.Error("the SVG does not show the letter that the font does not have")
				}
			}
		}
	}
	p.expect("!performance.getEntriesByType('resource').some((e) => /picture/.test(e.name))")
	// The size is that which was said.
	for size, want := range map[string]int{"small": 600, "poster": 4000} {
		if got := js[int](p, fmt.Sprintf("createImageBitmap(new Blob([Uint8Array.from(atob(%q), (c) => c.charCodeAt(0))])).then((b) => b.width)", base64.StdEncoding.EncodeToString(p.savePicture("png", size, "").bytes()))); got != want {
			t.Errorf("a %s picture is %d wide, want %d", size, got, want)
		}
	}
	// What moves comes from the server.
	if f := p.savePicture("gif", "small", ""); !strings.HasPrefix(string(f.bytes()), "GIF8") || !strings.HasSuffix(f.Name, ".gif") {
		t.Errorf("the GIF has the name %s and begins with %.10q", f.Name, f.bytes())
	}
	if f := p.savePicture("film", "small", ""); wellFormed(f.bytes()) != nil || !strings.HasSuffix(f.Name, "-played.svg") || !strings.Contains(string(f.bytes()), "<animate") && !strings.Contains(string(f.bytes()), "@keyframes") {
		t.Errorf("the animated SVG has the name %s and begins with %.100q", f.Name, f.bytes())
	}
	// What goes wrong is said beside the button.
	js[any](p, "globalThis.fetch = async () => { throw new Error('There is no way.'); }, document.querySelector('.share-choices > button').click(), null")
	p.wait("document.querySelector('.share-choices + [role=status].bad')?.textContent === 'There is no way.'")
	p.expect("!document.querySelector('.share-choices > button').disabled")
	p.do(chromedp.KeyEvent("\u001b"))
	p.wait("!document.querySelector('.share-dialog')")
	p.expect("document.activeElement.matches('.share')")

	// As a puzzle, all boards are full.
	p.click("#show label:nth-of-type(1)")
	p.wait("location.search.includes('show=puzzle')")
	p.share()
	if got := p.colours(p.savePicture("svg", "", "light"), at(0, 0, 3), at(0, 2, 3)); got != "a63d21,d9c69c" {
		t.Errorf("as a puzzle, the colours are %s", got)
	}
}

// Every view has a link and a picture to share, on the site and on a phone.
func TestShareEverywhere(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ space, view, ready, name string }{
		{"slide/dads", "slide", "document.querySelector('#slide-board .block')", "slide-dads"},
		{"slide/dads", "edit", "document.querySelector('#edit-board .block')", "puzzle"},
		{"lunar/5x5:2-2", "lunar", "document.querySelector('#lunar-board .block')", "lunar-5x5-2-2"},
		{"2048/2x2", "numbers", "document.querySelector('#numbers-board .num')", "2048-2x2"},
		{"peg/triangle15", "play", "document.querySelector('#play-board .peg')", "peg-triangle15"},
		{"peg/triangle15", "file", "document.querySelector('#file .column')", ""},
	} {
		t.Run(c.view, func(t *testing.T) {
			p := open(t, serve(t, c.space), "?view="+c.view, 320, 640, calm(), dark())
			p.wait(c.ready)
			p.share()
			p.shot("share")
			p.expect("document.querySelector('.share-dialog').scrollWidth <= document.querySelector('.share-dialog').clientWidth && document.documentElement.scrollWidth <= document.documentElement.clientWidth")
			p.expect("document.querySelector('.share-dialog input').value === location.href")
			if c.name == "" {
				p.expect("!document.querySelector('.share-picture')")
				return
			}
			p.expect("document.querySelector('.share-dialog input[value=dark]').checked && !document.querySelector('.share-dialog input[value=gif]')")
			f := p.savePicture("svg", "", "")
			if f.Name != "pagoda-"+c.name+".svg" {
				t.Errorf("the file has the name %s", f.Name)
			}
			if err := wellFormed(f.bytes()); err != nil {
				t.Errorf("the SVG is not well formed: %v", err)
			}
			// It is drawn, in dark colours: the background, and then something else.
			if got := p.colours(f, [2]float64{0.01, 0.01}, [2]float64{0.5, 0.25}); !strings.HasPrefix(got, "14171c,") || strings.HasSuffix(got, ",14171c") {
				t.Errorf("the colours are %s", got)
			}
			// Keys are not those of the game.
			p.do(chromedp.KeyEvent("hh"))
			p.expect("!/slides|jumps|moves/.test(location.search)")
		})
	}
}

// In a frame of another page there are the board, its counters and its buttons, and nothing is cut.
func TestEmbed(t *testing.T) {
	t.Parallel()
	address, _ := host(t)
	dir, err := site()
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/site/", http.StripPrefix("/site", http.FileServer(http.Dir(dir))))
	mux.HandleFunc("/frame", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `<!doctype html><title>A page</title><link rel="icon" href="data:,"><body class="ready"><iframe title="Pagoda" width="%s" height="%s" style="border:0" src="%s"></iframe>`,
			r.FormValue("w"), r.FormValue("h"), html.EscapeString(r.FormValue("src")))
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	const in = "document.querySelector('iframe').contentDocument"
	for query, ready := range map[string]string{
		"text=PAGODA":         ".letter .peg",
		"space=slide/dads":    "#slide-board .block",
		"space=lunar/5x5:2-2": "#lunar-board .block",
		"space=2048/2x2":      "#numbers-board .num",
		"space=peg/4x4":       "#play-board .peg",
	} {
		t.Run(strings.NewReplacer("/", "-", ":", "-").Replace(query), func(t *testing.T) {
			for _, size := range [][2]int{{420, 520}, {320, 420}, {300, 360}} {
				p := open(t, server.URL+"/", fmt.Sprintf("frame?w=%d&h=%d&src=%s", size[0], size[1], url.QueryEscape("/site/?embed=1&"+query)), 600, 600, calm())
				p.wait(in + "?.body?.classList.contains('ready') && " + in + ".querySelector('" + ready + "')")
				p.wait("/left if|still be reached|chance|Slide with|^$/.test(" + in + ".querySelector('.view:not([hidden]) .verdict')?.textContent ?? '')")
				p.shot(fmt.Sprintf("%dx%d", size[0], size[1]))
				if cut := js[string](p, `(() => {
					const doc = `+in+`;
					const win = doc.defaultView;
					const root = doc.scrollingElement;
					const wrong = root.scrollWidth > win.innerWidth || root.scrollHeight > win.innerHeight ? ['the frame scrolls'] : [];
					const all = [...doc.querySelectorAll('.view:not([hidden]) :is(button, select, input, .board, .tally dd, .tally dt, .verdict), .embed-link')].filter((el) => el.checkVisibility());
					for (const el of all) {
						const r = el.getBoundingClientRect();
						if (r.left < 0 || r.top < 0 || r.right > win.innerWidth + 0.5 || r.bottom > win.innerHeight + 0.5) wrong.push('cut: ' + el.outerHTML.slice(0, 80));
						if (el.matches('.board') && r.height < 50) wrong.push('too small: ' + el.outerHTML.slice(0, 80));
						if (el.matches('button, .tally dt') && el.scrollWidth > el.clientWidth + 1) wrong.push('text cut: ' + el.outerHTML.slice(0, 80));
						for (const other of all) {
							if (other === el || el.contains(other) || other.contains(el) || el.matches('.letter, .board') && other.matches('.letter, .board')) continue;
							const s = other.getBoundingClientRect();
							if (r.right > s.left + 1 && s.right > r.left + 1 && r.bottom > s.top + 1 && s.bottom > r.top + 1) wrong.push(el.outerHTML.slice(0, 60) + ' over ' + other.outerHTML.slice(0, 60));
						}
					}
					for (const el of doc.querySelectorAll('nav, .foot, .side, .share, .compute, #text')) if (el.checkVisibility()) wrong.push('there is ' + el.outerHTML.slice(0, 60));
					return wrong.join('\n');
				})()`); cut != "" {
					t.Errorf("%d by %d:\n%s", size[0], size[1], cut)
				}
				// The link leads to the same, in a tab of its own.
				p.expect(in + ".querySelector('.embed-link').target === '_blank' && !/embed/.test(" + in + ".querySelector('.embed-link').href)")
				p.expect(`(() => {
					const link = ` + in + `.querySelector('.embed-link');
					link.dispatchEvent(new Event('pointerdown'));
					const here = new URLSearchParams(` + in + `.location.search);
					here.delete('embed');
					return new URL(link.href).search.slice(1) === here.toString();
				})()`)
			}
		})
	}

	// The page gives the code of such a frame, from the beginning of the game.
	p := open(t, address, "?space=slide/dads", 1000, 800, calm())
	p.wait("/left if/.test(" + slideVerdict + ")")
	p.do(chromedp.KeyEvent("hh"))
	p.wait("/slides=/.test(location.search)")
	p.share()
	code := js[string](p, "document.querySelector('.share-dialog textarea').value")
	p.click(".share-dialog section:last-of-type button")
	p.wait("copied === " + quote(code))
	frame := regexp.MustCompile(`^<iframe src="([^"]*)" width="420" height="\d{3}" title="[^"]+" loading="lazy" frameborder="0"></iframe>$`).FindStringSubmatch(code)
	if frame == nil {
		t.Fatalf("the code is %s", code)
	}
	src, err := url.Parse(html.UnescapeString(frame[1]))
	if err != nil {
		t.Fatal(err)
	}
	if q := src.Query(); q.Get("space") != "slide/dads" || q.Has("slides") {
		t.Errorf("the frame is at %s", src)
	}
	p.do(chromedp.Navigate(src.String()))
	p.wait("document.querySelector('#slide-board .block') && document.querySelector('.embed-link')")
	// The page goes on with the moves that were made before in this browser.
	p.wait("/space=slide/.test(location.search) && /slides=/.test(location.search)")
}

// pdf prints the page, and returns how many pages that takes.
func (p *page) pdf(name string) int {
	p.Helper()
	var data []byte
	p.do(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		data, _, err = cdppage.PrintToPDF().Do(ctx)
		return err
	}))
	if dir := os.Getenv("PAGODA_SCREENSHOTS"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, strings.ReplaceAll(p.Name(), "/", "-")+"-"+name+".pdf"), data, 0o644); err != nil {
			p.Fatal(err)
		}
	}
	n := len(regexp.MustCompile(`/Type\s*/Page\b`).FindAll(data, -1))
	if n == 0 {
		p.Fatal("the PDF has no pages that the test finds")
	}
	return n
}

// onPaper says what is wrong with the page as it is printed: it has something to press, it is dark, something is cut off, or a
// thing that stays whole is larger than a page.
func (p *page) onPaper() string {
	p.Helper()
	p.do(emulation.SetEmulatedMedia().WithMedia("print").WithFeatures([]*emulation.MediaFeature{dark()}))
	defer p.do(emulation.SetEmulatedMedia())
	return js[string](p, `(() => {
		dispatchEvent(new Event('beforeprint'));
		const wrong = [...document.querySelectorAll('button, .button, select, input, textarea, nav, .toast, dialog')].filter((el) => el.checkVisibility() && !el.matches('.letter, .match, th button')).map((el) => el.outerHTML.slice(0, 80));
		if (getComputedStyle(document.body).backgroundColor !== 'rgb(255, 255, 255)') wrong.push('the page is ' + getComputedStyle(document.body).backgroundColor);
		if (document.documentElement.scrollWidth > innerWidth) wrong.push('wider than the page: ' + document.documentElement.scrollWidth);
		for (const el of document.querySelectorAll('svg, tr, li, img')) if (el.checkVisibility() && el.getBoundingClientRect().height > 960) wrong.push('larger than a page: ' + el.outerHTML.slice(0, 80));
		dispatchEvent(new Event('afterprint'));
		return wrong.join('\n');
	})()`)
}

// Words print as posters and puzzles as cards, with solutions if that is wanted.
func TestPrint(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		space, query, ready string
		pages, solved       int // without and with the solution; 0: as many as it is long, and there is no solution
	}{
		{"peg/5x7", "?text=PAGODA", "document.querySelectorAll('.letter').length === 6", 1, 3},
		{"peg/5x7", "?text=" + strings.Repeat("LONG+WORDS+", 9), "document.querySelectorAll('.letter').length > 80", 1, 4},
		{"peg/5x7", "?view=play&theme=dark", "/can still/.test(verdict.textContent)", 1, 2},
		{"peg/5x7", "?view=file", "document.querySelector('#file .column')", 0, 0},
		{"slide/dads", "?view=slide", "/left if/.test(" + slideVerdict + ")", 1, 2},
		{"lunar/5x5:2-2", "?view=lunar", "/left if/.test(" + lunarVerdict + ")", 1, 2},
		{"2048/2x2", "?view=numbers", "document.querySelector('#numbers-board .num')", 1, 0},
	} {
		t.Run(strings.NewReplacer("/", "-", ":", "-").Replace(c.space)+c.query[:9], func(t *testing.T) {
			p := open(t, serve(t, c.space), c.query, 390, 844, calm())
			p.wait(c.ready)
			p.wait("performance.getEntriesByType('resource').some((e) => /print.js$/.test(e.name))")
			time.Sleep(100 * time.Millisecond) // it is loaded, and then it runs
			if wrong := p.onPaper(); wrong != "" {
				t.Errorf("%s", wrong)
			}
			if n := p.pdf("plain"); n != c.pages && c.pages > 0 {
				t.Errorf("it takes %d pages, want %d", n, c.pages)
			}
			p.expect("!document.querySelector('.sheet')")
			p.share()
			p.expect(fmt.Sprintf("Boolean(document.querySelector('.share-dialog .check input')) === %t", c.solved > 0))
			if c.solved == 0 {
				return
			}
			// The sheet is that of the button.
			js[any](p, `(() => {
				globalThis.print = () => {
					dispatchEvent(new Event('beforeprint'));
					globalThis.sheet = document.querySelector('.sheet').cloneNode(true);
					addEventListener('beforeprint', () => document.querySelector('.sheet').replaceWith(sheet));
				};
				document.querySelector('.share-dialog .check input').click();
				[...document.querySelectorAll('.share-dialog button')].find((b) => /^Print/.test(b.textContent)).click();
			})(), null`)
			p.wait("globalThis.sheet")
			p.expect("!document.querySelector('dialog') && sheet.querySelector('.print-solution li')")
			if n := p.pdf("solved"); n != c.solved {
				t.Errorf("with the solution, it takes %d pages, want %d", n, c.solved)
			}
		})
	}
}

// The pages of the site print, too: nothing to press, and nothing in two pieces.
func TestPrintSite(t *testing.T) {
	t.Parallel()
	address, _ := host(t)
	p := open(t, address, "", 1280, 800, calm())
	for _, c := range []struct{ path, ready string }{
		{"puzzles/slide-klotski.html", "document.readyState === 'complete'"},
		{"collection.html", "document.querySelectorAll('#list li').length > 100"},
	} {
		p.do(chromedp.Navigate(address + c.path))
		p.wait(c.ready)
		if wrong := p.onPaper(); wrong != "" {
			t.Errorf("%s: %s", c.path, wrong)
		}
	}

	// Dark pictures are light on paper.
	filtered := func(filter string) {
		p.Helper()
		p.do(emulation.SetEmulatedMedia().WithMedia("print"))
		defer p.do(emulation.SetEmulatedMedia())
		p.expect("/" + filter + "/.test(getComputedStyle(document.querySelector('picture img')).filter)")
	}
	filtered("^none")
	p.click("#theme")
	filtered("invert")
	p.click("#theme")
	p.click("#theme")

	// Levels are cards, 9 or 6 on a page. Each pack begins on a page of its own.
	p.do(chromedp.Navigate(address + "levels.html"))
	p.wait("document.querySelector('.cards-choice')")
	if wrong := p.onPaper(); wrong != "" {
		t.Errorf("levels.html: %s", wrong)
	}
	p.click(".cards-choice summary")
	p.wait("document.querySelectorAll('.cards-choice option').length > 5")
	for _, many := range []int{9, 6} {
		want := js[int](p, fmt.Sprintf(`(() => {
			const [pack, many] = document.querySelectorAll('.cards-choice select');
			pack.selectedIndex = 2;
			many.value = %d;
			const shown = [...document.querySelectorAll('.pack')].find((el) => el.querySelector('h2').textContent === pack.value);
			return Math.ceil(shown.querySelectorAll('.level').length / many.value);
		})()`, many))
		if n := p.pdf(fmt.Sprintf("cards-%d", many)); n != want || n < 2 {
			t.Errorf("with %d cards on a page, the pack takes %d pages, want %d", many, n, want)
		}
	}
	// Each card says what to do, and has its goal if the board does not mark it.
	const sheet = "dispatchEvent(new Event('beforeprint')), [...document.querySelectorAll('.level-card')].filter(%s).length"
	p.do(chromedp.Evaluate("document.querySelector('.cards-choice select').selectedIndex = 0", nil))
	if n := js[int](p, fmt.Sprintf(sheet, "(el) => !/Bring|Leave|Begin with|Join/.test(el.children[2].textContent)")); n > 0 {
		t.Errorf("%d cards do not say what to do", n)
	}
	if n := js[int](p, fmt.Sprintf(sheet, "(el) => /8-puzzle/.test(el.textContent) && el.querySelector('.card-goal .board')")); n != 1 {
		t.Errorf("%d cards of the 8-puzzle have a goal", n)
	}
	p.do(chromedp.Evaluate("dispatchEvent(new Event('afterprint'))", nil))
	// Solutions come behind the cards of all packs, for those that have one: not for games against chance.
	p.do(chromedp.Evaluate("document.querySelector('.cards-choice select').selectedIndex = 0", nil))
	p.click(".cards-choice input")
	all := js[int](p, "document.querySelectorAll('.level').length")
	chance := js[int](p, "document.querySelectorAll('#tiles .level').length")
	const printed = `(() => {
		dispatchEvent(new Event('beforeprint'));
		const text = [...document.querySelectorAll('.sheet .print-solution > ol > li')].map((el) => el.value + ' ' + el.textContent).join('\n');
		dispatchEvent(new Event('afterprint'));
		return text;
	})()`
	p.wait(printed) // they are loaded
	told := js[string](p, printed)
	if n := len(strings.Split(told, "\n")); n != all-chance {
		t.Errorf("of %d levels %d have solutions, want %d", all, n, all-chance)
	}
	for _, want := range []string{"2 Lunar Lockout, card 2 1 rightX right", "a4–a2", "h down"} {
		if !strings.Contains(told, want) {
			t.Errorf("the solutions lack %q", want)
		}
	}
	p.size(794, 1123) // A4
	if wrong := p.onPaper(); wrong != "" {
		t.Errorf("solutions: %s", wrong)
	}
	p.pdf("cards-solutions")
}
