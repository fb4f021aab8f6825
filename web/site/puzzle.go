package main

import (
	"cmp"
	"fmt"
	"html/template"
	"math/big"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dustin/go-humanize"

	"pagoda/internal/amount"
	"pagoda/puzzle"
	"pagoda/puzzle/slide/tray"
	"pagoda/render"
	"pagoda/statespace"
)

// What a page of the collection shows of its puzzle.

// Link returns the page, seen from another one.
func (p *collected) Link() string { return strings.TrimPrefix(p.Page, "puzzles/") }

// Cited returns what a citation names.
func (p *collected) Cited() string { return p.Name + ": " + p.Title }

// Described says what the puzzle is, if its title does not.
func (p *collected) Described() string {
	about, _, _ := strings.Cut(p.About, ";") // what follows is for commands
	if about = sentence(about); about == p.Title {
		return ""
	}
	return about
}

// Query is the query of the address at which the puzzle is played.
func (p *collected) Query() template.URL { return template.URL(url.Values{"space": {p.Name}}.Encode()) }

// Change is the query of the address at which the puzzle is changed, or empty if the page has no editor for it.
func (p *collected) Change() template.URL {
	if p.family.Page == nil || p.family.Page.Edit == "" || !p.Playable || p.NoHints != "" {
		return ""
	}
	return p.Query() + template.URL("&view="+p.family.Page.Edit)
}

// floors reports whether the tray has several floors, which the page does not show.
func (p *collected) floors() bool { n := p.Numbers["floors"]; return n != nil && n.Int64() > 1 }

// Instead says why the page does not play a puzzle, and Command what does something with it.
func (p *collected) Instead() string {
	if p.floors() {
		return "A tray of several floors cannot be played on a page. This command solves it, and draws the solution:"
	}
	if p.endless {
		return "No computer holds its positions. This command solves one of them:"
	}
	return "It has too many positions for a browser. This command computes them on a computer with enough memory:"
}

// Command is the command for a puzzle that the page does not play.
func (p *collected) Command() string {
	if p.floors() {
		return fmt.Sprintf("reach solve %s -o %s.svg", p.Name, strings.TrimPrefix(p.Name, p.family.Name+"/"))
	}
	if p.endless {
		return "reach solve " + p.Name + " --from POSITION"
	}
	return "reach run " + p.Name
}

// Words says what is known about the puzzle in sentences, the most telling first.
func (p *collected) Words() (all []string) {
	number := func(name string) *big.Int { return cmp.Or(p.Numbers[name], new(big.Int)) }
	moves, hardest := number("moves"), number("hardest")
	if moves.Sign() > 0 {
		all = append(all, fmt.Sprintf("The shortest solution takes %s.", amount.Commas(moves, "move")))
	}
	switch {
	case hardest.Sign() > 0 && hardest.Cmp(moves) == 0:
		all = append(all, "No other start of this tray is harder.")
	case hardest.Sign() > 0:
		all = append(all, fmt.Sprintf("From the hardest start it takes %s.", amount.Commas(hardest, "move")))
	}
	if n := number("diameter"); n.Sign() > 0 {
		all = append(all, fmt.Sprintf("No two positions are farther apart than %s.", amount.Commas(n, "move")))
	}
	if n := amount.Commas(number("states"), "position"); number("states").Sign() > 0 {
		if slices.ContainsFunc(p.fields, func(f puzzle.Field) bool { return f.Name == "states" && strings.Contains(f.About, "up to symmetry") }) {
			n += ", up to symmetry,"
		}
		all = append(all, n+" can be reached.")
	}
	if p.NoHints != "" {
		all = append(all, p.NoHints)
	}
	if p.Layer == "pegs" {
		least := slices.MinFunc(p.Layers, func(a, b statespace.Layer) int { return cmp.Compare(a.Layer, b.Layer) })
		if least.Layer == 1 {
			all = append(all, "A single peg can be left at the end.")
		} else {
			all = append(all, fmt.Sprintf("At least %d pegs are left at the end.", least.Layer))
		}
	}
	return all
}

// Facts lists the numbers that do not depend on a metric, in the order of the family: those that neither Words nor the
// source have.
func (p *collected) Facts() (all [][2]string) {
	for _, f := range p.fields {
		if n := p.Numbers[f.Name]; n != nil && f.Metric == "" && f.Name != "states" && f.Name != "year" {
			all = append(all, [2]string{f.About, humanize.BigComma(n)})
		}
	}
	return all
}

// plainer says what a number is in the words of a page, if a family says it in those of its field.
var plainer = map[string]string{
	"the least distance that the farthest position from any can have":            "the distance of all others from the most central position, at most",
	"the length of the hardest start: the greatest distance to the nearest goal": "the length of the shortest solutions from the hardest start",
}

// A metricTable has the numbers that there are in each metric.
type metricTable struct {
	Metrics []string
	Rows    []metricRow
}

// Counts says what counts as one move in each of the metrics.
func (t *metricTable) Counts() (all [][2]string) {
	for _, name := range t.Metrics {
		if m, err := tray.ParseMetric(name); err == nil {
			all = append(all, [2]string{name, m.Counts()})
		}
	}
	return all
}

type metricRow struct {
	What   string
	Values []string // by metric; what is not known is empty
}

// Metrics returns the numbers of all metrics as a table, with the rows and columns in the order of the family.
// It is nil if there are none.
func (p *collected) Metrics() *metricTable {
	t := new(metricTable)
	names := make(map[[2]string]string) // of fields, by what they are and the metric
	var whats []string
	for _, f := range p.fields {
		if f.Metric == "" || p.Numbers[f.Name] == nil {
			continue
		}
		if !slices.Contains(t.Metrics, f.Metric) {
			t.Metrics = append(t.Metrics, f.Metric)
		}
		if !slices.Contains(whats, f.What) {
			whats = append(whats, f.What)
		}
		names[[2]string{f.What, f.Metric}] = f.Name
	}
	if len(whats) == 0 {
		return nil
	}
	for _, what := range whats {
		row := metricRow{What: cmp.Or(plainer[what], what)}
		for _, metric := range t.Metrics {
			value := ""
			if n := p.Numbers[names[[2]string{what, metric}]]; n != nil {
				value = humanize.BigComma(n)
			}
			row.Values = append(row.Values, value)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// A state is a state that is known of a puzzle, such as its hardest start, and is not the start.
type state struct {
	Text, Picture string
	Width, Height int    // of the picture
	About         string // with the metrics in which it is that
}

// PlayFrom returns where the puzzle is played from a state. It is empty if the page has another goal.
func (p *collected) PlayFrom(s state) string {
	if mixed[p.Name] != "" {
		return ""
	}
	return "../?" + url.Values{"space": {p.Name}, "at": {s.Text}}.Encode()
}

// drawStates draws the states that the family knows of a puzzle. Base begins the names of the pictures.
func (s *site) drawStates(p *collected, sp statespace.Space, drawer render.Drawer, base string) error {
	var texts []string
	abouts := make(map[string]map[string][]string) // metrics, by text and what it is
	for _, t := range p.family.Texts {
		text := p.Texts[t.Name]
		if text == "" || t.Metric == "" {
			continue
		}
		if abouts[text] == nil {
			texts = append(texts, text)
			abouts[text] = make(map[string][]string)
		}
		abouts[text][t.About] = append(abouts[text][t.About], t.Metric)
	}
	for i, text := range texts {
		var about []string
		for what, metrics := range abouts[text] {
			about = append(about, fmt.Sprintf("%s in %s", what, strings.Join(metrics, ", ")))
		}
		slices.Sort(about)
		st := state{Text: text, About: strings.Join(about, "; "), Picture: fmt.Sprintf("%s-%d.svg", base, i+1)}
		sheet, err := s.still(sp, drawer, text, fmt.Sprintf("%s: %s", p.Title, st.About), st.Picture)
		if err != nil {
			return fmt.Errorf("%s: %w", st.About, err)
		}
		st.Width, st.Height = sheet.Size()
		p.States = append(p.States, st)
	}
	return nil
}

// Author returns who made the puzzle, and when, as far as that is known, or nothing.
func (p *collected) Author() string {
	author, year := p.Texts["author"], ""
	if n := p.Numbers["year"]; n != nil {
		year = n.String()
	}
	if strings.HasPrefix(author, "not known") {
		author = "Author " + author
	}
	author = sentence(author)
	switch {
	case author == "" || year == "" || strings.Contains(author, year):
		return cmp.Or(author, year)
	}
	return author + ", " + year
}

// address matches what is the address of a page in a source.
var address = regexp.MustCompile(`(?:https?://)?(?:[a-z0-9-]+\.)+[a-z]{2,}/[^\s;,]*[^\s;,.)]`)

// Source returns where the puzzle was published, with its addresses as links.
func (p *collected) Source() template.HTML {
	var b strings.Builder
	source, at := p.Texts["source"], 0
	for _, m := range address.FindAllStringIndex(source, -1) {
		link := source[m[0]:m[1]]
		to := link
		if !strings.Contains(to, "://") {
			to = "https://" + to
		}
		b.WriteString(template.HTMLEscapeString(source[at:m[0]]))
		fmt.Fprintf(&b, `<a href="%s" rel="external">%s</a>`, template.HTMLEscapeString(to), template.HTMLEscapeString(link))
		at = m[1]
	}
	b.WriteString(template.HTMLEscapeString(source[at:]))
	return template.HTML(b.String())
}

// Texts of the source, which the page shows in a sentence.
var sourceTexts = []string{"author", "source", "notes", "start"}

// Notes returns what else the source says, as a sentence.
func (p *collected) Notes() string { return sentence(p.Texts["notes"]) }

// sentence begins a text with a capital letter.
func sentence(text string) string {
	r, n := utf8.DecodeRuneInString(text)
	if n == 0 {
		return ""
	}
	return string(unicode.ToUpper(r)) + text[n:]
}

// Told lists the other texts: those that are neither of the source nor states.
func (p *collected) Told() (all [][2]string) {
	for name, text := range p.Texts {
		isState := slices.ContainsFunc(p.family.Texts, func(t puzzle.Text) bool { return t.Name == name })
		if !isState && !slices.Contains(sourceTexts, name) {
			all = append(all, [2]string{strings.ReplaceAll(name, "_", " "), text})
		}
	}
	slices.SortFunc(all, func(a, b [2]string) int { return cmp.Compare(a[0], b[0]) })
	return all
}

// Count writes a number of states for people.
func (p *collected) Count(n uint64) string { return humanize.BigComma(new(big.Int).SetUint64(n)) }

// Orbits reports whether the states of the layers are counted up to symmetry, too.
func (p *collected) Orbits() bool {
	return slices.ContainsFunc(p.Layers, func(l statespace.Layer) bool { return l.Orbits > 0 })
}

// Histogram draws the layers.
func (p *collected) Histogram() template.HTML {
	const width, height, foot = 640.0, 200.0, 26.0
	most := slices.MaxFunc(p.Layers, func(a, b statespace.Layer) int { return cmp.Compare(a.States, b.States) })
	slot := width / float64(len(p.Layers))
	digits := len(fmt.Sprint(slices.MaxFunc(p.Layers, func(a, b statespace.Layer) int { return cmp.Compare(a.Layer, b.Layer) }).Layer))
	every := int(float64(16+13*digits)/slot) + 1 // numbers under the bars stand apart, on a phone too
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="chart" viewBox="0 0 %g %g" role="img" aria-label="Histogram of the positions by %s: most, %s, with %s %d">`,
		width, height, template.HTMLEscapeString(p.Layer), p.Count(most.States), template.HTMLEscapeString(p.Layer), most.Layer)
	for i, l := range p.Layers {
		h := max(1.5, float64(l.States)/float64(most.States)*(height-foot-4))
		if l.States == 0 {
			h = 0
		}
		fmt.Fprintf(&b, `<rect class="bar" x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>`, (float64(i)+0.1)*slot, height-foot-h, 0.8*slot, h)
		if i%every == 0 {
			fmt.Fprintf(&b, `<text x="%.1f" y="%g" text-anchor="middle">%d</text>`, (float64(i)+0.5)*slot, height-6, l.Layer)
		}
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}
