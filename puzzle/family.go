// Package puzzle says what a kind of puzzle brings along, a family: how names, drawn texts and
// definitions become spaces, how its states are drawn, and what the page needs to let people
// play.
//
// Each family has a folder of its own below this one. Its package, such as puzzle/peg, registers it as
// a Family. A Set of families turns names such as peg/5x7, text files that draw a puzzle, and the
// definitions in files of states into spaces. Everything else works on spaces and does not know
// families. Package builtin lists the families of this module.
package puzzle

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"pagoda/ask"
	"pagoda/internal/lists"
	"pagoda/internal/printable"
	"pagoda/render"
	"pagoda/render/grid"
	"pagoda/statespace"
	"pagoda/statespace/sparse"
)

// A Family is a family of puzzles.
type Family struct {
	// Name is the first part of the names of its spaces, before the slash, and the Family of
	// their definitions: "peg".
	Name string
	// About says in a few words what the puzzles are: "peg solitaire".
	About string
	// Naming says how spaces are named and drawn, Writing how states and patterns are
	// written. Both are lines of at most 80 characters, for the help of commands.
	Naming, Writing string
	// Full says that its spaces have names with the family only: 2048/4x4:16, as 4x4 alone may be of
	// another family.
	Full bool
	// Exact says that a name says all of a definition: Verify refuses another one in a file of that name.
	Exact bool
	// Chance says that its spaces are games against chance, which have no solutions.
	Chance bool
	// Metric says what counts as a move of a space, "steps" for example, and the length of its shortest solutions and the
	// number of its states that are published; 0 if none is. Without it moves are moves.
	Metric func(sp statespace.Space) (metric string, length int, states uint64)
	// Examples has arguments of commands, by the name of the command.
	Examples map[string][]string
	// Layers, if not empty, is what the layers of all spaces count, in one word: "pegs".
	Layers string
	// Entries lists spaces that people should know. It may be nil. Fields are the numbers that are
	// known about some of them, and Texts the states that are.
	Entries func() []Entry
	Fields  []Field
	Texts   []Text
	// Options lists what can be chosen of a space besides its name.
	Options []Option
	// Also has other names of entries, without the family, that are suggested: french for peg/european. It may be nil.
	Also map[string]string
	// Lookup returns the space of a name, which begins with the name of the family and a
	// slash. The error is statespace.ErrUnknown if there is none of this name; one that wraps it can
	// say why, and people see that. Like Define and Read, it stops soon when ctx ends, and returns the
	// cause.
	Lookup func(ctx context.Context, name string, o Choice) (statespace.Space, error)
	// Define makes the space of a definition, with the same numbers. The definition may come
	// from anyone. Memory bounds the bytes of the tables of the space; if they need more,
	// the error is statespace.ErrMemory.
	Define func(ctx context.Context, d statespace.Definition, memory uint64) (statespace.Space, error)
	// Start, if not nil, returns the start of the space of a definition, as Format writes it,
	// without the tables of the space.
	Start func(d statespace.Definition) (string, error)
	// Reads reports whether a text draws a puzzle of this family, and Read makes its space,
	// with a name for people. Both may be nil. A fault of the text is a
	// *cells.SyntaxError.
	Reads func(text string) bool
	Read  func(ctx context.Context, name, text string, o Choice) (statespace.Space, error)
	// ReadAs says how Read reads a text: as "a tray of 5 rows and 4 columns, 10 pieces, goal A". Chosen reports
	// whether another reading was possible; then people are told even if they asked for quiet. ReadAs may be nil.
	ReadAs func(text string) (as string, chosen bool)

	// Drawer draws states and paths. If it is nil, grid.Drawer draws spaces with cells.
	Drawer render.Drawer
	// Page is how people play the puzzles on the page. It may be nil.
	Page *Page
}

// An Entry is a space with a name that people should know.
type Entry struct {
	Name, About string
	// Facts returns what is known about the space. It may be nil.
	Facts func() Facts
	// Text returns a text that draws the puzzle, which Family.Read reads. It may be nil.
	Text func() string
}

// A Field is a whole number about entries, by which people select and sort them. Several families can
// have fields of the same name.
type Field struct {
	Name, About string
	// Of a number that there is in each metric, What says what it is in any of them, and Metric is its own.
	What, Metric string
}

// A Text is a text about entries that is a state, as the Format of their spaces writes it.
type Text struct {
	Name, About string
	Metric      string // in which it is what it is; may be empty
}

// Facts are what is known about an entry.
type Facts struct {
	// Numbers are by the names of fields. What is not known is left out.
	Numbers map[string]*big.Int
	// Texts are by names such as author.
	Texts map[string]string
	// Layers are how many states are in each layer, where that is known.
	Layers []statespace.Layer
}

// An Option is something that can be chosen of the spaces of a family, such as a metric.
type Option struct {
	Name, Usage string
	// Values lists what can be chosen; nil stands for yes or no, unless there is a Form.
	Values []string
	// Form, if not empty, says in one word what is written as a value, such as CHANCE. The family reads the
	// value.
	Form string
}

// A Choice is what was chosen of a space besides its name.
type Choice struct {
	// Options has the chosen values by the names of options; yes is "true".
	Options map[string]string
	// Memory bounds the bytes that the tables of a space take; 0 is no bound.
	Memory uint64
	// Told, if not nil, gets the name of a text that draws the space, for messages, and its Family.ReadAs.
	Told func(name, as string, chosen bool)
}

// A Set is the families that a program knows.
type Set struct{ families []*Family }

// NewSet returns a set of families. It panics if two have the same name or one lacks a
// function that it needs: that is a mistake in the program.
func NewSet(families ...*Family) *Set {
	s := new(Set)
	for _, f := range families {
		if f.Name == "" || strings.ContainsAny(f.Name, "/@ ") || s.Named(f.Name) != nil {
			panic(fmt.Sprintf("puzzle: %q is not a name of a family, or there are two of it", f.Name))
		}
		if f.Lookup == nil || f.Define == nil {
			panic(fmt.Sprintf("puzzle: %s lacks Lookup or Define", f.Name))
		}
		if f.Page != nil && (f.Page.View == "" || f.Page.Play == nil) {
			panic(fmt.Sprintf("puzzle: the page of %s lacks View or Play", f.Name))
		}
		if (f.Reads == nil) != (f.Read == nil) || f.Reads == nil && f.ReadAs != nil {
			panic(fmt.Sprintf("puzzle: %s has one of Reads and Read or ReadAs alone, expected Reads and Read or none", f.Name))
		}
		s.families = append(s.families, f)
	}
	return s
}

// All returns the families, in the order in which they were given.
func (s *Set) All() []*Family { return s.families }

// Pages returns those of the families, each view once.
func (s *Set) Pages() (all []*Page) {
	for _, f := range s.families {
		if f.Page != nil && !slices.ContainsFunc(all, func(p *Page) bool { return p.View == f.Page.View }) {
			all = append(all, f.Page)
		}
	}
	return all
}

// Named returns the family of a name, or nil.
func (s *Set) Named(name string) *Family {
	i := slices.IndexFunc(s.families, func(f *Family) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return s.families[i]
}

// Of returns the family of a space, or nil.
func (s *Set) Of(sp statespace.Space) *Family { return s.Named(sp.Definition().Family) }

// Entries lists the spaces that people should know.
func (s *Set) Entries() (all []Entry) {
	for _, f := range s.families {
		all = append(all, f.List()...)
	}
	return all
}

// List lists the spaces of the family that people should know, as Entries does, which may be nil.
func (f *Family) List() []Entry {
	if f.Entries == nil {
		return nil
	}
	return f.Entries()
}

// Define returns the space of a definition. It is a layers.Define.
func (s *Set) Define(ctx context.Context, d statespace.Definition, memory uint64) (statespace.Space, error) {
	d.Name = printable.Line(d.Name)
	if f := s.Named(d.Family); f != nil {
		return f.Define(ctx, d, memory)
	}
	names := lists.Map(s.families, func(f *Family) string { return f.Name })
	return nil, fmt.Errorf("%w: %s is of the family %q; this program knows %s", statespace.ErrUnknown, d.Name, d.Family, strings.Join(names, ", "))
}

// Describe returns the name of the space of a definition, and its start as text; that is empty if
// the states have no numbers before they are found. It is an ask.Describe.
func (s *Set) Describe(ctx context.Context, d statespace.Definition, memory uint64) (name, start string, err error) {
	d.Name = printable.Line(d.Name)
	if f := s.Named(d.Family); f != nil && f.Start != nil {
		start, err = f.Start(d)
		return d.Name, start, err
	}
	sp, err := s.Define(ctx, d, memory)
	if err != nil {
		return "", "", err
	}
	return sp.Name(), ask.StartOf(sp), nil
}

// Drawer returns the drawer of a space: that of its family, or else that of spaces with cells.
func (s *Set) Drawer(sp statespace.Space) (render.Drawer, error) {
	if f := s.Of(sp); f != nil && f.Drawer != nil {
		return original{f.Drawer}, nil
	}
	if sp.Parts().Cells != nil {
		return grid.Drawer{}, nil
	}
	return nil, fmt.Errorf("%s cannot be drawn: it has no cells, and its family no drawer", sp.Name())
}

// original draws spaces that have other numbers than those that the drawer of the family knows.
type original struct{ render.Drawer }

// Still implements render.Drawer.
func (o original) Still(sp statespace.Space, text string) (render.Panel, error) {
	sp, _ = sparse.Original(sp, statespace.Path{})
	return o.Drawer.Still(sp, text)
}

// Film implements render.Drawer.
func (o original) Film(sp statespace.Space, path statespace.Path) (render.Film, error) {
	sp, path = sparse.Original(sp, path)
	return o.Drawer.Film(sp, path)
}
