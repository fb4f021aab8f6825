package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"maps"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pagoda/family"
	"pagoda/render"
	"pagoda/run"
	"pagoda/statespace"
)

// The collection is a page for each puzzle that has a name, with a plain address that one can cite, a list of
// all, and the list as JSON.

// A puzzle is a page of the collection. It is also its entry in collection.json.
type puzzle struct {
	Name     string              `json:"name"`
	Family   string              `json:"family"`
	About    string              `json:"about,omitempty"`
	Page     string              `json:"page"` // from the root of the site
	Picture  string              `json:"picture,omitempty"`
	Playable bool                `json:"playable"` // in the tab
	Numbers  map[string]*big.Int `json:"numbers,omitempty"`
	Texts    map[string]string   `json:"texts,omitempty"`
	// Layers are those of a space that was enumerated for the page. What they count has the name Layer.
	Layer  string             `json:"layer,omitempty"`
	Layers []statespace.Layer `json:"layers,omitempty"`

	fields []family.Field
	shown  template.HTML // the lines that name the page and its picture, for links to it
}

// Shown returns the lines of the page for links to it.
func (p *puzzle) Shown() template.HTML { return p.shown }

// Facts lists the numbers, in the order of the family.
func (p *puzzle) Facts() (all [][2]string) {
	for _, f := range p.fields {
		if n := p.Numbers[f.Name]; n != nil {
			all = append(all, [2]string{f.About, commas(n)})
		}
	}
	return all
}

// Told lists the texts: what is said of the puzzle before what belongs to a metric.
func (p *puzzle) Told() (all [][2]string) {
	names := slices.SortedFunc(maps.Keys(p.Texts), func(a, b string) int {
		return cmp.Or(cmp.Compare(strings.Count(a, "_"), strings.Count(b, "_")), cmp.Compare(a, b))
	})
	for _, name := range names {
		all = append(all, [2]string{strings.ReplaceAll(name, "_", " "), p.Texts[name]})
	}
	return all
}

// Number writes a number for people; what is not known is empty.
func (p *puzzle) Number(name string) string {
	if n := p.Numbers[name]; n != nil {
		return commas(n)
	}
	return ""
}

// Value writes a number for sorting.
func (p *puzzle) Value(name string) string {
	if n := p.Numbers[name]; n != nil {
		return n.String()
	}
	return ""
}

// commas writes an integer of any size with commas, unless it has four digits, as years have.
func commas(n *big.Int) string {
	text := n.String()
	if len(text) < 5 {
		return text
	}
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// columns are the numbers that the list shows.
var columns = []struct{ Name, Title, About string }{
	{"year", "Year", "in which it was first published or made"},
	{"cells", "Cells", "of the board"},
	{"pieces", "Pieces", ""},
	{"states", "Positions", "that can be reached"},
	{"moves", "Moves", "the length of the shortest solutions in moves"},
	{"steps", "Steps", "the length of the shortest solutions in steps"},
	{"diameter", "Diameter", "the greatest distance between two positions, in moves"},
	{"hardest", "Hardest", "the greatest distance of a position to the nearest goal, in moves"},
}

// collection writes the pages of all puzzles. The names are those of the files that they need.
func (s *site) collection(ctx context.Context, style, icon string) error {
	var all []*puzzle
	for _, f := range s.families.All() {
		if f.Entries == nil {
			continue
		}
		for _, e := range f.Entries() {
			p, err := s.puzzle(ctx, f, e)
			if err != nil {
				return fmt.Errorf("%s: %w", e.Name, err)
			}
			all = append(all, p)
		}
	}
	script, err := s.bundle(filepath.Join(own, "collection.js"), "collection.js", nil)
	if err != nil {
		return err
	}
	data, err := json.Marshal(all)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(s.dir, "collection.json"), append(data, '\n'), 0o644); err != nil {
		return err
	}
	files := map[string]string{"Policy": policy, "Style": style, "Icon": icon, "Script": script}
	if err := s.page("collection.html", listPage, map[string]any{"Files": files, "Puzzles": all, "Columns": columns}); err != nil {
		return err
	}
	for _, p := range all {
		if err := s.page(p.Page, puzzlePage, map[string]any{"Files": files, "Puzzle": p}); err != nil {
			return err
		}
	}
	return nil
}

// puzzle finds what there is to say of an entry, and draws it.
func (s *site) puzzle(ctx context.Context, f *family.Family, e family.Entry) (*puzzle, error) {
	base := strings.NewReplacer("/", "-", ":", "-").Replace(e.Name)
	p := &puzzle{Name: e.Name, Family: f.About, About: e.About, Page: "puzzles/" + base + ".html", fields: f.Fields}
	sp, err := s.families.Lookup(ctx, e.Name, nil, family.Choice{Memory: maxBytes})
	if err != nil && !errors.Is(err, statespace.ErrMemory) {
		return nil, err
	}
	if e.Facts != nil {
		facts := e.Facts()
		p.Numbers, p.Texts = facts.Numbers, facts.Texts
		if f.Play != nil && sp != nil {
			if p.Playable, err = s.playable(ctx, e); err != nil {
				return nil, err
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
	drawer, err := s.families.Drawer(sp)
	if roots := sp.Roots(); err == nil && len(roots) > 0 {
		return p, s.draw(p, sp, drawer, sp.Format(roots[0]), "puzzles/"+base+".svg")
	}
	return p, nil
}

// enumerate counts the states of a space, about which nothing is known, if it is small. It reports whether
// it can be played in a tab.
func (s *site) enumerate(ctx context.Context, f *family.Family, sp statespace.Space, p *puzzle) (playable bool, err error) {
	var o run.Options
	can, err := run.Predict(ctx, sp, o)
	if err != nil {
		return false, err
	}
	if can.Memory+can.FileBytes > maxBytes || can.Estimate > maxStates {
		return false, nil
	}
	r, err := run.Start(ctx, sp, o)
	if err != nil {
		return false, err
	}
	p.Numbers = map[string]*big.Int{"states": new(big.Int).SetUint64(r.States)}
	p.fields = append([]family.Field{{Name: "states", About: "the positions that can be reached"}}, p.fields...)
	p.Layer, p.Layers = r.LayerName, r.Layers
	return f.Play != nil, nil
}

// draw writes the picture of a start.
func (s *site) draw(p *puzzle, sp statespace.Space, drawer render.Drawer, start, name string) error {
	panel, err := drawer.Still(sp, start)
	if err != nil {
		return err
	}
	sheet, err := render.Sheet([]render.Panel{panel}, 1, render.Style{Cell: 36, NoCaptions: true})
	if err != nil {
		return err
	}
	sheet.SetTitle(cmp.Or(p.About, p.Name))
	var b bytes.Buffer
	if err := sheet.WriteSVG(&b); err != nil {
		return err
	}
	p.Picture = name
	shown, err := s.shown(sheet, strings.TrimSuffix(name, ".svg")+".png", p.Page)
	if err != nil {
		return err
	}
	p.shown = template.HTML(shown) // it has only the address, which is escaped, and names of this program
	return s.write(name, b.Bytes())
}

// write writes a file whose name people know.
func (s *site) write(name string, data []byte) error {
	path := filepath.Join(s.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

func (s *site) page(name string, t *template.Template, v any) error {
	var b bytes.Buffer
	if err := t.Execute(&b, v); err != nil {
		return err
	}
	return s.write(name, b.Bytes())
}

const frame = `{{define "head"}}<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{{.Files.Policy}}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
{{end}}`

var listPage = template.Must(template.Must(template.New("list").Parse(frame)).Parse(`{{template "head" .}}<title>The collection – Pagoda</title>
<link rel="icon" href="{{.Files.Icon}}" type="image/svg+xml">
<link rel="stylesheet" href="{{.Files.Style}}">
<script type="module" src="{{.Files.Script}}"></script>
</head>
<body>
<header class="top"><a class="brand" href="./"><img src="{{.Files.Icon}}" alt="" width="28" height="28"> Pagoda</a></header>
<main class="collection">
<h1>The collection</h1>
<p class="lead">{{len .Puzzles}} puzzles, each with what was computed about it. A heading sorts the list. All of it is also <a href="collection.json">a file for programs</a>.</p>
<p><label>Search <input type="search" id="search" autocomplete="off"></label> <span id="found" role="status"></span></p>
<div class="wide"><table id="list">
<thead><tr><th scope="col">Puzzle</th><th scope="col">Kind</th>{{range .Columns}}<th scope="col" title="{{.About}}">{{.Title}}</th>{{end}}</tr></thead>
<tbody>
{{range $p := .Puzzles}}<tr><td><a href="{{$p.Page}}">{{$p.Name}}</a>{{with $p.About}} <span class="small">{{.}}</span>{{end}}</td><td>{{$p.Family}}</td>{{range $.Columns}}<td data-value="{{$p.Value .Name}}">{{$p.Number .Name}}</td>{{end}}</tr>
{{end}}</tbody>
</table></div>
</main>
</body>
</html>
`))

var puzzlePage = template.Must(template.Must(template.New("puzzle").Parse(frame)).Parse(`{{template "head" .}}{{with .Puzzle}}<title>{{.Name}} – Pagoda</title>
<meta name="description" content="{{.Name}}{{with .About}}: {{.}}{{end}}">
<meta property="og:title" content="{{.Name}}">
<meta property="og:description" content="{{with .About}}{{.}}{{else}}{{.Family}}{{end}}">
{{.Shown}}{{end}}<link rel="icon" href="../{{.Files.Icon}}" type="image/svg+xml">
<link rel="stylesheet" href="../{{.Files.Style}}">
</head>
<body>
<header class="top"><a class="brand" href="../"><img src="../{{.Files.Icon}}" alt="" width="28" height="28"> Pagoda</a><nav class="views" aria-label="Pages"><a href="../collection.html">The collection</a></nav></header>
{{with .Puzzle}}<main class="collection">
<h1>{{.Name}}</h1>
<p class="lead">{{with .About}}{{.}} – {{end}}{{.Family}}</p>
{{if .Picture}}<img class="start" src="../{{.Picture}}" alt="The start of {{.Name}}">{{end}}
{{if .Playable}}<p><a class="button primary" href="../?space={{.Name}}">Compute it here</a></p>{{end}}
<dl class="facts">
{{range .Told}}<dt>{{index . 0}}</dt><dd>{{index . 1}}</dd>
{{end}}{{range .Facts}}<dt>{{index . 0}}</dt><dd>{{index . 1}}</dd>
{{end}}</dl>
{{if .Layers}}<h2>Positions by {{.Layer}}</h2>
<table><thead><tr><th scope="col">{{.Layer}}</th><th scope="col">positions</th></tr></thead><tbody>
{{range .Layers}}<tr><td>{{.Layer}}</td><td>{{.States}}</td></tr>
{{end}}</tbody></table>{{end}}
</main>{{end}}
</body>
</html>
`))
