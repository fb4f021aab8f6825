package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pagoda/ask"
	"pagoda/puzzle"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/web/static"
)

// A stair has four steps, which one goes up. It is a puzzle.Player, too.
type stair struct{}

func (stair) Name() string                                        { return "stair/4" }
func (stair) Size() uint64                                        { return 4 }
func (stair) Roots() []statespace.Index                           { return []statespace.Index{0} }
func (stair) Format(x statespace.Index) string                    { return fmt.Sprint(x) }
func (stair) FormatMove(statespace.Index, statespace.Edge) string { return "up" }
func (stair) Parts() statespace.Parts                             { return statespace.Parts{} }
func (stair) Definition() statespace.Definition {
	return statespace.Definition{Family: "stair", Name: "stair/4", Puzzle: []byte("4"), Numbering: []byte("{}")}
}

func (stair) Parse(text string) (x statespace.Index, err error) {
	_, err = fmt.Sscan(text, &x)
	return x, err
}

func (stair) Successors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	if x < 3 {
		dst = append(dst, statespace.Edge{To: x + 1})
	}
	return dst
}

func (stair) Predecessors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	if x > 0 {
		dst = append(dst, statespace.Edge{To: x - 1})
	}
	return dst
}

func (stair) Board() any { return map[string]int{"steps": 4} }
func (stair) Close()     {}

func (stair) Hint(context.Context, string, string) (any, error) { return nil, puzzle.ErrNoFile }

// A family that describes its page is on the site: no script and no part of the site names it.
func TestToy(t *testing.T) {
	t.Chdir("../..")
	family := &puzzle.Family{
		Name: "stair", About: "stairs",
		Entries: func() []puzzle.Entry { return []puzzle.Entry{{Name: "stair/4", About: "four steps"}} },
		Lookup:  func(context.Context, string, puzzle.Choice) (statespace.Space, error) { return stair{}, nil },
		Define:  func(context.Context, statespace.Definition, uint64) (statespace.Space, error) { return stair{}, nil },
		Options: []puzzle.Option{{Name: "pace", Values: []string{"slow"}}},
		Page: &puzzle.Page{View: "slide", Title: "Stairs", Edit: "edit", Texts: "A stair, as a number.",
			Play: func(statespace.Space, *ask.File, run.Options) (puzzle.Player, error) { return stair{}, nil }},
	}
	s := &site{dir: t.TempDir(), families: puzzle.NewSet(family)}
	all, err := s.puzzles(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if groups := s.spaces(all); len(groups) != 1 || groups[0][0] != "stairs" {
		t.Errorf("a tab computes %v", groups)
	}
	s.language = "translate.js"
	_, needs, err := s.bundle(filepath.Join(page, "main.js"), map[string]any{"globalThis.PAGODA_FILES": map[string]any{"engines": []engine{{"stair", "engine-stair.bin", family.Page}}}})
	if err != nil {
		t.Fatal(err)
	}
	ahead, err := s.ahead(needs, "letters.json")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"Header": `<header class="top"></header>`}
	if err := s.scripted("make", nil, files); err != nil {
		t.Fatal(err)
	}
	if err := s.collection(all, files); err != nil {
		t.Fatal(err)
	}
	index, err := static.Index(s.families)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{"the script ahead": ahead, "index.html": index}
	for _, name := range []string{"boards/stair-4.json", "puzzles/stair-4.html", "collection.html", "make.html"} {
		data, err := os.ReadFile(filepath.Join(s.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(data)
	}
	for name, parts := range map[string][]string{
		"the script ahead":     {`boards:"stair/4"`, `stair:["` + needs[page+"/view/slide.js"][0], `metrics:"slow"`},
		"index.html":           {`<section id="slide" class="view" data-url="slides at hints speed" hidden`, `<section id="edit"`},
		"boards/stair-4.json":  {`"board":{"steps":4}`, `"page":{"view":"slide","title":"Stairs","edit":"edit"}`, `"title":"Four steps"`},
		"puzzles/stair-4.html": {`href="../?space=stair%2F4">Play`, `href="../?space=stair%2F4&amp;view=edit">Change it`, "4 positions can be reached."},
		"collection.html":      {`<a class="button" href="./?space=stair%2F4">Play</a>`},
		"make.html":            {"A stair, as a number.", `<link rel="modulepreload" href="slide-`},
	} {
		for _, part := range parts {
			if !strings.Contains(texts[name], part) {
				t.Errorf("%s lacks %s:\n%.1500s", name, part, texts[name])
			}
		}
	}
	if strings.Contains(index, `id="lunar"`) {
		t.Error("index.html has the section of another family")
	}
	family.Page.View = "nowhere"
	if _, err := static.Index(s.families); err == nil || !strings.Contains(err.Error(), "Stairs have no view: open view/nowhere.html") {
		t.Errorf("of a view that is not there: %v", err)
	}
}
