package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"math/big"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/internal/amount"
	"pagoda/internal/console"
	"pagoda/internal/table"
	"pagoda/puzzle"
	"pagoda/run"
)

// spacesOptions are the flags of spaces.
type spacesOptions struct {
	table  *TableFlags
	fields bool
}

func (p *Program) spaces() *cobra.Command {
	var o spacesOptions
	cmd := &cobra.Command{
		Use:   "spaces [WORD...]",
		Short: "List the spaces that have a name",
		Long: `spaces lists the spaces that have a name: how many numbers they have, the memory for these,
and the engine. A - stands for a space without numbers, whose states are found by a search.
There are more spaces than these. With WORDs it lists the spaces that have all these words in
their name, or in what is known about them, such as author and source.

--where picks spaces by numbers that are known about them, --sort sorts by them, and --show
prints them, or - where one is not known; --fields lists their names. A space is left out if a
number that --where or --sort names is not known. A number beyond 2^63 - 1 counts as that; it
is shown whole. query list --help has the syntax of expressions. If no space is picked, the
exit code is 1.

` + aboutSpaces(p.Families),
		Example: `  reach spaces
  reach spaces --where 'cells <= 20 && moves > 100' --sort=-moves --show moves,year
  reach spaces conway --json`,
	}
	cmd.Flags().BoolVar(&o.fields, "fields", false, "list the numbers that --where, --sort and --show can name")
	console.JSON(cmd, "one JSON array")
	o.table = NewTableFlags(cmd, "spaces", "cells <= 20 && moves > 100")
	cmd.RunE = func(cmd *cobra.Command, words []string) error {
		if err := o.check(cmd, words); err != nil {
			return err
		}
		list := p.newSpaceList(cmd.Context(), words)
		if o.fields {
			return writeFields(cmd, list.fields)
		}
		return o.write(cmd, list)
	}
	return cmd
}

// check refuses flags that make no sense.
func (o *spacesOptions) check(cmd *cobra.Command, words []string) error {
	if o.fields && len(words) > 0 {
		return console.Usagef("unexpected %.40q: --fields lists the fields of all spaces", words[0])
	}
	return cmp.Or(
		console.Refuse(cmd, o.fields, "where sort show limit", "--%s is for spaces, and --fields lists fields: leave one out"),
		console.Refuse(cmd, console.AsJSON(cmd), "show", "--%s is for a table, and --json prints all that is known: leave one out"))
}

// write writes the spaces of a list that the flags pick.
func (o *spacesOptions) write(cmd *cobra.Command, list *spaceList) error {
	t := ask.NewTable(len(list.spaces), func(row int) string { return list.spaces[row].Name }, list.fields...)
	rows, err := o.table.Sorted(cmd.Context(), t)
	if err != nil {
		return err
	}
	if _, err := t.Describer(o.table.shown.fields); err != nil {
		return err
	}
	picked := []*space{}
	for _, row := range rows {
		picked = append(picked, list.spaces[row])
	}
	w := cmd.OutOrStdout()
	switch {
	case console.AsJSON(cmd): // to number all spaces takes time, so the other answers do not
		err = writeSpacesJSON(w, picked)
	case len(picked) == 0:
		_, err = fmt.Fprintf(w, "none of the %s is like this\n", Count(uint64(list.all), "space"))
	case len(o.table.shown.fields) > 0:
		err = writeShown(w, picked, o.table.shown.fields)
	default:
		err = writeSpaces(w, picked)
	}
	return console.NoIf(len(picked) == 0, err)
}

// A spaceList is the spaces that have a name, or those of them in which some words stand.
type spaceList struct {
	spaces []*space
	all    int // how many have a name
	fields []ask.Field
}

// A space is a space that has a name.
type space struct {
	puzzle.Entry
	facts func() puzzle.Facts
	row   func() (spaceRow, error) // what follows from the space itself; it can take milliseconds
}

// A spaceRow is what spaces prints of a space.
type spaceRow struct {
	Name      string              `json:"name"`
	Cells     int                 `json:"cells,omitempty"`
	Size      uint64              `json:"size"`
	Dimension int                 `json:"class_dimension,omitempty"` // of sizes that are powers of two
	SetBytes  uint64              `json:"set_bytes"`
	FileBytes uint64              `json:"file_bytes"`
	Engine    string              `json:"engine"`
	About     string              `json:"about"`
	Numbers   map[string]*big.Int `json:"numbers,omitempty"`
	Texts     map[string]string   `json:"texts,omitempty"`
}

// newSpaceList lists the spaces in which all words stand.
func (p *Program) newSpaceList(ctx context.Context, words []string) *spaceList {
	l := new(spaceList)
	for _, e := range p.Families.Entries() {
		s := &space{Entry: e, row: sync.OnceValues(func() (spaceRow, error) { return p.row(ctx, e) })}
		s.facts = sync.OnceValue(func() puzzle.Facts {
			if e.Facts == nil {
				return puzzle.Facts{}
			}
			return e.Facts()
		})
		if l.all++; !slices.ContainsFunc(words, func(word string) bool { return !s.has(word) }) {
			l.spaces = append(l.spaces, s)
		}
	}
	add := func(name, about string) {
		if !slices.ContainsFunc(l.fields, func(have ask.Field) bool { return have.Name == name }) {
			l.fields = append(l.fields, l.field(name, about))
		}
	}
	for _, f := range p.Families.All() {
		for _, field := range f.Fields {
			add(field.Name, field.About)
		}
	}
	for _, field := range ownFields {
		add(field.name, field.about)
	}
	return l
}

// has reports whether a word stands in what is known about a space, in capital or small letters.
func (s *space) has(word string) bool {
	in := func(text string) bool { return strings.Contains(strings.ToLower(text), strings.ToLower(word)) }
	return in(s.Name) || in(s.About) || slices.ContainsFunc(slices.Collect(maps.Values(s.facts().Texts)), in)
}

// ownFields are the fields of spaces whatever their families say. Cells come first from the families:
// it takes time to number a space.
var ownFields = []struct {
	name, about string
	of          func(r spaceRow) uint64
}{
	{"cells", "the cells of the board", func(r spaceRow) uint64 { return uint64(r.Cells) }},
	{"numbers", "the numbers for states, where states have them before they are found", func(r spaceRow) uint64 { return r.Size }},
	{"set_bytes", "the bytes of a set of these numbers", func(r spaceRow) uint64 { return r.SetBytes }},
}

// number returns a number of a space, or nil if it is not known.
func (s *space) number(name string) (*big.Int, error) {
	if n := s.facts().Numbers[name]; n != nil {
		return n, nil
	}
	for _, own := range ownFields {
		if own.name == name {
			r, err := s.row()
			if err != nil || own.of(r) == 0 {
				return nil, err
			}
			return new(big.Int).SetUint64(own.of(r)), nil
		}
	}
	return nil, nil
}

// field returns a field of the spaces. A number beyond the greatest int64 counts as that.
func (l *spaceList) field(name, about string) ask.Field {
	return ask.NewPartialField(name, about,
		func(row int) bool { n, err := l.spaces[row].number(name); return n != nil || err != nil },
		func(row int) (int64, error) {
			n, err := l.spaces[row].number(name)
			if err == nil && !n.IsInt64() {
				return math.MaxInt64, nil
			}
			if err != nil {
				return 0, err
			}
			return n.Int64(), nil
		})
}

// row describes a space that has a name.
func (p *Program) row(ctx context.Context, e puzzle.Entry) (row spaceRow, err error) {
	sp, err := p.Families.Lookup(ctx, e.Name, nil, puzzle.Choice{})
	if err != nil {
		return row, err
	}
	row = spaceRow{Name: e.Name, Size: sp.Size(), SetBytes: run.SetBytes(sp), FileBytes: run.FileSize(sp), Engine: run.Engines(sp)[0], About: e.About}
	if c := sp.Parts().Cells; c != nil {
		row.Cells = len(c.Cells())
	}
	if n := sp.Size(); n > 1 && n&(n-1) == 0 {
		row.Dimension = bits.Len64(n) - 1
	}
	return row, nil
}

// writeSpacesJSON writes all that is known about spaces.
func writeSpacesJSON(w io.Writer, picked []*space) error {
	rows := []spaceRow{}
	for _, s := range picked {
		row, err := s.row()
		if err != nil {
			return err
		}
		row.Numbers, row.Texts = s.facts().Numbers, s.facts().Texts
		rows = append(rows, row)
	}
	return console.WriteJSON(w, rows)
}

// writeSpaces writes a line for each space.
func writeSpaces(w io.Writer, picked []*space) error {
	rows := [][]string{{"space", "numbers", "memory", "engine", ""}}
	for _, one := range picked {
		r, err := one.row()
		if err != nil {
			return err
		}
		numbers, memory := amount.Comma(r.Size), humanize.IBytes(r.SetBytes)
		switch {
		case r.Size == 0:
			numbers, memory = "-", "-"
		case r.Dimension > 0:
			numbers = fmt.Sprintf("2^%d", r.Dimension)
		}
		rows = append(rows, []string{r.Name, numbers, memory, r.Engine, r.About})
	}
	table.Write(w, rows, 0, 3, 4)
	return nil
}

// writeShown writes a line for each space, with some of its numbers.
func writeShown(w io.Writer, picked []*space, names []string) error {
	head := []string{"space"}
	for _, name := range names {
		head = append(head, strings.TrimSpace(name))
	}
	rows := [][]string{append(head, "")}
	for _, s := range picked {
		row := []string{s.Name}
		for _, name := range head[1:] {
			n, err := s.number(name)
			if err != nil {
				return err
			}
			text := "-"
			if n != nil {
				text = n.String()
			}
			row = append(row, text)
		}
		rows = append(rows, append(row, s.About))
	}
	table.Write(w, rows, 0, len(head))
	return nil
}
