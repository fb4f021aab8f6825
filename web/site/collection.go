package main

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"maps"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"pagoda/internal/amount"
	"pagoda/internal/lists"
	"pagoda/puzzle"
	"pagoda/render"
	"pagoda/run"
	"pagoda/statespace"
)

// The collection is a page for each puzzle that has a name, with a plain address that one can cite, a list of
// all, and the list as JSON.

// A collected puzzle is a page of the collection. It is also its entry in collection.json.
type collected struct {
	Name     string              `json:"name"`
	Title    string              `json:"title"`
	Also     []otherName         `json:"also,omitempty"`
	Kind     string              `json:"kind"`
	Family   string              `json:"family"`
	About    string              `json:"about,omitempty"`
	Page     string              `json:"page"` // from the root of the site
	Picture  string              `json:"picture,omitempty"`
	Playable bool                `json:"playable"`           // in the tab
	NoHints  string              `json:"no_hints,omitempty"` // why, if it is played by hand alone
	Numbers  map[string]*big.Int `json:"numbers,omitempty"`
	Texts    map[string]string   `json:"texts,omitempty"`
	// Layers are those of a space that was enumerated for the page. What they count has the name Layer.
	Layer  string             `json:"layer,omitempty"`
	Layers []statespace.Layer `json:"layers,omitempty"`

	// What only the page shows.
	Shown          template.HTML `json:"-"` // the lines that name the page and its picture, for links to it
	Width, Height  int           `json:"-"` // of the picture
	States         []state       `json:"-"` // that are known, each once
	Address        string        `json:"-"` // of the page; may be empty
	Previous, Next *collected    `json:"-"`
	Level          *levelPlace   `json:"-"` // nil if it is none

	find    []string // by which it is found, too
	start   string   // whose picture stands for it
	endless bool     // no memory holds its states
	family  *puzzle.Family
	fields  []puzzle.Field
	whole   map[string]json.RawMessage // the answer of api/space, if the space was enumerated for the page and can be played
}

// Values are the numbers of the columns, for sorting; what is not known is empty.
func (p *collected) Values() string {
	var all []string
	for _, c := range columns {
		text := ""
		if n := p.Numbers[c.Name]; n != nil {
			text = n.String()
		}
		all = append(all, text)
	}
	return strings.Join(all, " ")
}

// Names are those by which the list finds a puzzle, besides its title: the best known come first.
func (p *collected) Names() string {
	all := lists.Map(p.Also, func(n otherName) string { return n.Name })
	all = append(append(all, p.Name, p.Kind), p.find...)
	if author := p.Texts["author"]; author != "" && !strings.HasPrefix(author, "not known") {
		all = append(all, author)
	}
	return strings.Join(all, "|")
}

// Size says how long and how large a puzzle is, as far as that is known.
func (p *collected) Size() string {
	moves, states := p.Numbers["moves"], p.Numbers["states"]
	switch {
	case moves == nil && states == nil:
		return ""
	case moves == nil:
		return amount.Commas(states, "position")
	case states == nil:
		return amount.Commas(moves, "move")
	}
	return amount.Commas(moves, "move") + ", " + amount.Commas(states, "position")
}

// columns are the numbers by which the list can be sorted, with a text that says such a number, and what the orders are
// called.
var columns = []struct{ Name, Text, Up, Down string }{
	{"moves", "Moves: #", "fewest moves first", "most moves first"},
	{"hardest", "Hardest start: # moves", "easiest hardest start first", "hardest start first"},
	{"states", "Positions: #", "fewest positions first", "most positions first"},
	{"diameter", "Diameter: # moves", "smallest diameter first", "largest diameter first"},
	{"steps", "Steps: #", "fewest steps first", "most steps first"},
	{"pieces", "Pieces: #", "fewest pieces first", "most pieces first"},
	{"cells", "Cells: #", "smallest board first", "largest board first"},
	{"year", "Year: #", "oldest first", "newest first"},
}

// puzzles finds what there is to say of the puzzles of all families. It writes their pictures and boards.
func (s *site) puzzles(ctx context.Context) (all []*collected, err error) {
	s.plays, s.counts = make(map[string]bool), make(map[string]map[string]way)
	names, err := namings()
	if err != nil {
		return nil, err
	}
	for _, f := range s.families.All() {
		for _, e := range f.List() {
			p, err := s.puzzle(ctx, f, e, names)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", e.Name, err)
			}
			s.plays[e.Name] = p.Playable
			all = append(all, p)
		}
	}
	byNumber(all)
	return all, nil
}

// collection writes the pages of all puzzles. Files has what all pages of the site need.
func (s *site) collection(all []*collected, files map[string]string) (err error) {
	families := s.families.All()
	slices.SortStableFunc(all, func(a, b *collected) int {
		return cmp.Compare(slices.Index(families, a.family), slices.Index(families, b.family))
	})
	files = maps.Clone(files)
	for name, script := range map[string]string{"Script": "collection.js", "Back": "puzzle.js"} {
		if files[name], _, err = s.bundle(filepath.Join(own, script), nil); err != nil {
			return err
		}
	}
	if err := s.write("collection.json", append(statespace.Encode(all), '\n')); err != nil {
		return err
	}
	var kinds []string
	for _, p := range all {
		if !slices.Contains(kinds, p.Kind) {
			kinds = append(kinds, p.Kind)
		}
	}
	if err := s.page("collection.html", "list.html", map[string]any{"Base": "./", "Files": files, "Puzzles": all, "Columns": columns, "Kinds": kinds}); err != nil {
		return err
	}
	for i, p := range all {
		if at, ok := s.places[p.Name]; ok {
			p.Level = &at
		}
		if i > 0 {
			p.Previous, all[i-1].Next = all[i-1], p
		}
	}
	for _, p := range all {
		s.large = append(s.large, p.Page)
		if err := s.page(p.Page, "puzzle.html", map[string]any{"Base": "../", "Files": files, "Puzzle": p}); err != nil {
			return err
		}
	}
	return nil
}

// byNumber brings puzzles that follow each other and have names with a number at the end, such as the cards of Rush Hour,
// into the order of the numbers.
func byNumber(all []*collected) {
	stem := func(p *collected) string { return strings.TrimRight(p.Name, "0123456789") }
	for len(all) > 0 {
		n := 1
		for n < len(all) && stem(all[n]) == stem(all[0]) {
			n++
		}
		slices.SortStableFunc(all[:n], func(a, b *collected) int {
			x, _ := strconv.Atoi(a.Name[len(stem(a)):]) // none is 0
			y, _ := strconv.Atoi(b.Name[len(stem(b)):])
			return cmp.Compare(x, y)
		})
		all = all[n:]
	}
}

// collected begins the page of an entry.
func (s *site) collected(f *puzzle.Family, e puzzle.Entry, names []naming) *collected {
	p := &collected{Name: e.Name, Family: f.About, About: e.About, Page: "puzzles/" + base(e.Name) + ".html", family: f, fields: f.Fields}
	p.name(names)
	if s.address != "" {
		p.Address = s.address + p.Page
	}
	return p
}

// puzzle finds what there is to say of an entry, and draws it.
func (s *site) puzzle(ctx context.Context, f *puzzle.Family, e puzzle.Entry, names []naming) (*collected, error) {
	base, p := base(e.Name), s.collected(f, e, names)
	sp, err := s.families.Lookup(ctx, e.Name, nil, puzzle.Choice{Memory: maxBytes})
	if err != nil && !errors.Is(err, statespace.ErrMemory) {
		return nil, err
	}
	if e.Facts != nil {
		facts := e.Facts()
		p.Numbers, p.Texts = facts.Numbers, facts.Texts
		if p.Layers = facts.Layers; len(p.Layers) > 0 {
			p.Layer = f.Layers
		}
		if f.Page != nil && sp != nil && !p.floors() {
			if states := p.Numbers["states"]; states != nil {
				p.Playable = states.IsUint64() && states.Uint64() <= maxStates
			} else if can, err := run.Predict(ctx, sp, run.Options{Threads: 1}); err != nil {
				return nil, err
			} else {
				p.Playable = can.Memory+can.FileBytes <= maxBytes
			}
		}
	} else if sp != nil {
		if p.Playable, err = s.enumerate(ctx, f, sp, p); err != nil {
			return nil, err
		}
	}
	if sp == nil {
		return p, nil
	}
	if err := s.early(ctx, f, sp, p); err != nil {
		return nil, err
	}
	drawer, err := s.families.Drawer(sp)
	if err != nil {
		return p, nil // its pictures have no drawer
	}
	if roots := sp.Roots(); len(roots) > 0 {
		p.start = sp.Format(roots[0])
	}
	if start := cmp.Or(p.start, p.Texts["start"]); start != "" {
		if err := s.draw(p, sp, drawer, start, "puzzles/"+base+".svg"); err != nil {
			return nil, err
		}
	}
	return p, s.drawStates(p, sp, drawer, "puzzles/"+base)
}

// enumerate counts the states of a space, about which nothing is known, if that takes little memory. It reports
// whether it can be played in a tab, which holds its file too.
func (s *site) enumerate(ctx context.Context, f *puzzle.Family, sp statespace.Space, p *collected) (playable bool, err error) {
	var o run.Options
	can, err := run.Predict(ctx, sp, o)
	if err != nil {
		return false, err
	}
	if can.Memory > maxBytes || can.Estimate > maxStates {
		return false, nil
	}
	var r *run.Result
	if playable = f.Page != nil && can.Memory+can.FileBytes <= maxBytes; playable {
		r, err = s.asked(ctx, sp, func(ask asker) error { return ask("/api/space", "", "", &p.whole) })
	} else {
		r, err = run.Start(ctx, sp, o)
	}
	if errors.Is(err, statespace.ErrMemory) {
		p.endless = true
		return false, nil
	}
	if err != nil {
		return false, err
	}
	p.Numbers = map[string]*big.Int{"states": new(big.Int).SetUint64(r.States)}
	p.Layer, p.Layers = r.LayerName, r.Layers
	return playable, nil
}

// draw writes the picture of the start, and what links to the page show.
func (s *site) draw(p *collected, sp statespace.Space, drawer render.Drawer, start, name string) error {
	sheet, err := s.still(sp, drawer, start, p.Title, name)
	if err != nil {
		return err
	}
	p.Picture = name
	p.Width, p.Height = sheet.Size()
	shown, err := s.shown(sheet, strings.TrimSuffix(name, ".svg")+".png", p.Page)
	if err != nil {
		return err
	}
	p.Shown = template.HTML(shown) // it has only the address, which is escaped, and names of this program
	return nil
}

// still writes the picture of a state in light and in dark colours, for which -dark is in its name. It returns that
// in light ones.
func (s *site) still(sp statespace.Space, drawer render.Drawer, text, title, name string) (light *render.Picture, err error) {
	panel, err := drawer.Still(sp, text)
	if err != nil {
		return nil, err
	}
	for _, theme := range []string{"dark", "light"} {
		t, err := render.ThemeByName(theme)
		if err != nil {
			return nil, err
		}
		if light, err = render.Sheet([]render.Panel{panel}, 1, render.Style{Cell: 36, NoCaptions: true, Theme: t}); err != nil {
			return nil, err
		}
		light.SetTitle(title)
		file := name
		if theme == "dark" {
			file = dark(name)
		}
		if err := s.write(file, light.SVG()); err != nil {
			return nil, err
		}
	}
	return light, nil
}

// dark returns the name of a picture in dark colours.
func dark(picture string) string { return strings.TrimSuffix(picture, ".svg") + "-dark.svg" }

// write writes a file whose name people know.
func (s *site) write(name string, data []byte) error {
	path := filepath.Join(s.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// page writes a page by a template.
func (s *site) page(name, by string, v any) error {
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, by, v); err != nil {
		return err
	}
	return s.write(name, b.Bytes())
}

//go:embed pages
var pageFiles embed.FS

// templates are those of the pages beside index.html.
var templates = template.Must(template.New("pages").Funcs(template.FuncMap{"dark": dark, "whole": whole, "top": top}).ParseFS(pageFiles, "pages/*.html"))

// top returns the header of index.html for another page. Base leads from there to the root of the site, and current is
// the address in the menu to which the page belongs.
func top(header, base, current string) template.HTML {
	return template.HTML(strings.NewReplacer(`"./`+current+`"`, `"`+base+current+`" aria-current="page"`, `"./`, `"`+base).Replace(header))
}
