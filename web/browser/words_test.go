package browser

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// shownRows is the rows of the Word view, a line each: the letters of its boards, and _ for the blank.
const shownRows = `[...document.querySelectorAll('.row-of-letters')].map((row) => [...row.children].map((el) => (el.dataset.letter ?? el.textContent).replace(' ', '_')).join('')).join('\n')`

// The page puts letters into rows as the command does, narrow or wide.
func TestWordRows(t *testing.T) {
	t.Parallel()
	address := serve(t, "peg/5x7")
	p := open(t, address, "?text=A", 1280, 800, calm())
	texts := []string{"HELLO", "HELLO WORLD", "PEG SOLITAIRE IS A GAME FOR ONE", "A  B   C    D     E", " LEADING AND TRAILING ", "TWELVECHARS1 ",
		strings.Repeat("W", 100), "ONE " + strings.Repeat("LONG", 10) + " WORD", "\u05e9\u05dc\u05d5\u05dd AND \u2603 ARE NOT IN IT", "STRA\u00dfE CAF\u00e9"}
	for _, width := range []int64{320, 390, 1280} {
		p.size(width, 800)
		for _, text := range texts {
			js[any](p, fmt.Sprintf("document.getElementById('text').value = %s, document.getElementById('word-form').requestSubmit(), null", quote(text)))
			p.wait(fmt.Sprintf("document.title.replace(/[\u2068\u2069]/g, '') === %s + ' – Pagoda'", quote(strings.Join(strings.Fields(text), " "))))
			columns := js[string](p, "document.getElementById('stage').dataset.columns")
			out, err := exec.Command(filepath.Join(bin, "query"), "word", filepath.Join(bin, "peg-5x7.reach"), text, "--columns", columns).Output()
			if err != nil {
				t.Fatalf("query word %q: %v", text, err)
			}
			// The command draws boards: those of the page are drawn the same way, by patterns.
			if want, got := drawnRows(string(out)), js[string](p, rowsDrawn); got != want {
				t.Errorf("%d wide, %q is\n%s\nwant\n%s", width, text, js[string](p, shownRows), want)
			}
			p.expect("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
			// Nothing is too small to be read, nor cut off.
			p.expect("[...document.querySelectorAll('.letter')].every((el) => { const r = el.getBoundingClientRect(); return r.width >= 44 && r.left >= 0 && r.right <= innerWidth; })")
		}
	}
	p.shot("wide")
	// When the window becomes narrow, the rows follow, and the games end together.
	p.visit("?text=HELLO+WORLD")
	p.wait("document.querySelectorAll('.letter').length === 11")
	p.size(320, 600)
	p.wait("document.querySelectorAll('.row-of-letters').length > 1 && document.querySelectorAll('.letter').length === 10")
	if got := js[string](p, shownRows); got != "HELLO\nWORLD" {
		t.Errorf("narrow, the rows are %q", got)
	}
	p.shot("narrow")
	p.expect("/10 games/.test(document.getElementById('word-lead').textContent)")
	p.click("#word-transport .end")
	p.expect(pegsOf + " === [...document.querySelectorAll('.letter')].map((el) => 34 - Number(/(\\d+) jumps/.exec(el.getAttribute('aria-label'))[1])).join()")
}

// rowsDrawn writes the boards of each row of the page as lines: the patterns of known letters, ? for others.
const rowsDrawn = `[...document.querySelectorAll('.row-of-letters')].map((row) => [...row.children].map((el) => {
	if (el.matches('.missing')) return '?';
	const there = new Set([...el.querySelectorAll('.peg:not(.flyer)')].filter((g) => g.style.display !== 'none').map((g) => g.getAttribute('transform')));
	return Array.from({ length: 35 }, (_, i) => (there.has('translate(' + (29 + 40 * (i % 5)) + ' ' + (29 + 40 * Math.floor(i / 5)) + ')') ? 'o' : '.')).join('');
}).join(' ')).join('\n')`

// drawnRows reads what query word prints, and writes it in the same way.
func drawnRows(out string) string {
	var rows []string
	for _, block := range strings.Split(strings.TrimRight(out, "\n"), "\n\n") {
		var boards []string
		lines := strings.Split(block, "\n")
		runes := make([][]rune, len(lines))
		for i, line := range lines {
			runes[i] = []rune(line)
		}
		for at := 0; at < len(runes[0]); at += 13 {
			if runes[0][at] == '#' {
				boards = append(boards, "?")
				continue
			}
			pattern := ""
			for _, line := range runes {
				for col := range 5 {
					pattern += string(line[at+2*col])
				}
			}
			boards = append(boards, pattern)
		}
		rows = append(rows, strings.Join(boards, " "))
	}
	return strings.Join(rows, "\n")
}

// Names of files and puzzles may be long, without places to break them, and be written from right to left.
func TestNames(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for kind, name := range map[string]string{
		"hebrew": "\u05dc\u05d5\u05d7 \u05de\u05e9\u05d7\u05e7 12",
		"arabic": "\u0644\u0639\u0628\u0629-2024-(3)",
		"long":   strings.Repeat("Peg", 66) + "77",
	} {
		t.Run(kind, func(t *testing.T) {
			drawn := filepath.Join(dir, name+".txt")
			if err := os.WriteFile(drawn, []byte("oooo\noooo\no.oo\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(dir, name+".reach")
			if out, err := exec.Command(filepath.Join(bin, "reach"), "run", drawn, "-o", file, "--quiet").CombinedOutput(); err != nil {
				t.Fatalf("reach run: %v\n%s", err, out)
			}
			p := open(t, serveFile(t, file), "?view=file", 320, 700, calm())
			p.wait("document.querySelectorAll('#file .column').length > 3")
			p.shot("file")
			base := filepath.Base(file)
			// Each name stands apart from the sentence around it, which goes on from left to right.
			p.expect(fmt.Sprintf("[...document.querySelectorAll('#about-line bdi')].some((el) => el.textContent.endsWith(%s))", quote(base)))
			p.expect(fmt.Sprintf("[...document.querySelectorAll('#facts bdi')].some((el) => el.textContent.endsWith(%s))", quote(base)))
			p.expect("document.querySelector('#file-title bdi').textContent.length > 3")
			p.expect("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
			p.expect("[...document.querySelectorAll('h1, #about-line, #facts dd')].every((el) => { const r = el.getBoundingClientRect(); return r.left >= 0 && r.right <= innerWidth && el.scrollWidth <= el.clientWidth; })")
			p.expect(`(() => {
				const line = document.getElementById('about-line');
				const x = (node, from, to) => { const r = document.createRange(); r.setStart(node, from); r.setEnd(node, to); return r.getClientRects()[0]; };
				const text = [...line.childNodes].find((n) => n.nodeType === 3 && n.data.startsWith(': '));
				const [colon, next] = [x(text, 0, 1), x(text, 2, 3)];
				return colon.top !== next.top || colon.left < next.left;
			})()`)
		})
	}
}
