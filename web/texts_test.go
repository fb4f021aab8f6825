package web

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pagoda/internal/csvtest"
)

// entryLine matches a line of static/zh.js that has an entry: the English text in either kind of quotes, and the Chinese one.
var entryLine = regexp.MustCompile(`^  (?:'([^']*)'|"([^"]*)"): '([^']*)',$`)

// chinese reads the table of Chinese texts.
func chinese(t *testing.T) (english []string, texts map[string]string) {
	t.Helper()
	data, err := os.ReadFile("static/zh.js")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(data), "export const texts = {\n")
	if !found {
		t.Fatal("zh.js has no table of texts")
	}
	texts = make(map[string]string)
	for line := range strings.Lines(table) {
		line = strings.TrimSuffix(line, "\n")
		if m := entryLine.FindStringSubmatch(line); m != nil {
			text := m[1] + m[2]
			if _, twice := texts[text]; twice {
				t.Errorf("the table has two entries for %q", text)
			}
			english = append(english, text)
			texts[text] = m[3]
		} else if line != "" && line != "};" && !strings.HasPrefix(line, "  // ") {
			t.Errorf("no entry, and no heading of a topic: %s", line)
		}
	}
	if len(english) == 0 {
		t.Fatal("the table has no entries")
	}
	return english, texts
}

var values = regexp.MustCompile(`\{\d\}`)

// Each text has a Chinese one with the same values, and is written somewhere: an entry whose text has changed is dead.
func TestChineseTexts(t *testing.T) {
	sources := sources(t)
	english, texts := chinese(t)
	for _, text := range english {
		found, want := values.FindAllString(texts[text], -1), values.FindAllString(text, -1)
		slices.Sort(found)
		slices.Sort(want)
		if !slices.Equal(found, want) {
			t.Errorf("%q has the values %v, and in Chinese %v", text, want, found)
		}
		for _, part := range values.Split(text, -1) {
			if part = strings.Trim(part, " .,:;!"); len(part) > 1 && !written(sources, part) {
				t.Errorf("%q is dead: no source has %q", text, part)
			}
		}
	}
}

// written reports whether a part of a text is in the sources: as a whole or in two pieces, as a sentence may have
// alternatives; and with a capital or without.
func written(sources, part string) bool {
	has := func(piece string) bool {
		return strings.Contains(sources, piece) || strings.Contains(sources, strings.ToUpper(piece[:1])+piece[1:])
	}
	if has(part) {
		return true
	}
	for i, r := range part {
		if unicode.IsSpace(r) && i > 2 && i < len(part)-3 && has(part[:i]) && has(part[i+1:]) {
			return true
		}
	}
	return false
}

// sources returns all that may write a text of the page: one long line.
func sources(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, dir := range []string{"static", "site", "api", "../puzzle", "../layers", "../run", "../statespace", "../ask"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			name := d.Name()
			if err != nil || d.IsDir() || name == "zh.js" || strings.HasSuffix(name, "_test.go") || !slices.Contains([]string{".go", ".js", ".html", ".csv", ".txt"}, filepath.Ext(name)) {
				return err
			}
			data, err := os.ReadFile(path)
			all.Write(data)
			all.WriteByte('\n')
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return strings.Join(strings.Fields(strings.ReplaceAll(all.String(), "&amp;", "&")), " ")
}

// The layouts of Huarong Dao have their Chinese names, which the site knows.
func TestChineseTitles(t *testing.T) {
	_, texts := chinese(t)
	names := make(map[string][]string) // by the puzzle
	for _, row := range csvtest.Rows(t, "site/names.csv") {
		if lang := row[2]; strings.HasPrefix(row[0], "slide/") && (lang == "zh" || lang == "zh-Hans") {
			names[strings.TrimPrefix(row[0], "slide/")] = append(names[strings.TrimPrefix(row[0], "slide/")], row[3])
		}
	}
	checked := 0
	for puzzle, want := range names {
		data, err := os.ReadFile(filepath.Join("../puzzle/slide/library", puzzle+".txt"))
		if err != nil {
			continue // a name of several puzzles, or of an n-puzzle
		}
		_, title, _ := strings.Cut("\n"+string(data), "\ntitle: ")
		title, _, _ = strings.Cut(title, "\n")
		if got := texts[title]; !slices.Contains(want, got) {
			t.Errorf("%s: the title %q is %q, want one of %v", puzzle, title, got, want)
		}
		checked++
	}
	if checked < 40 {
		t.Errorf("only %d puzzles have names", checked)
	}
}
