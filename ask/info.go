package ask

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"pagoda/internal/amount"
	"pagoda/internal/lists"
	"pagoda/internal/printable"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/sparse"
)

// Layers is the number of states by layer, as answers have it.
type Layers struct {
	Name   string // what layers count
	Counts []statespace.Layer
	// Figures are other counts that are known by layer.
	Figures []statespace.Figure
}

// NewLayers returns what is known by layer.
func NewLayers(name string, counts []statespace.Layer, figures []statespace.Figure) Layers {
	l := Layers{Name: name, Counts: counts}
	for _, f := range figures {
		if f.ByLayer != nil {
			l.Figures = append(l.Figures, f)
		}
	}
	return l
}

// Layers returns the number of states by layer.
func (f *File) Layers() Layers { return NewLayers(f.Meta().Layer, f.Meta().Layers, f.Meta().Figures) }

// Orbits returns how many states there are up to symmetry, or 0 if they were not counted.
func (l Layers) Orbits() uint64 {
	return lists.SumOf(l.Counts, func(c statespace.Layer) uint64 { return c.Orbits })
}

// MarshalJSON writes an array of objects such as {"pegs":34,"states":1}, with "orbits" if
// these were counted, and the figures by their names.
func (l Layers) MarshalJSON() ([]byte, error) {
	objects := make([]object, len(l.Counts))
	for i, c := range l.Counts {
		o := object{{l.Name, c.Layer}, {"states", c.States}}
		if c.Orbits > 0 {
			o = append(o, field{"orbits", c.Orbits})
		}
		for _, f := range l.Figures {
			o = append(o, field{f.Name, f.ByLayer[i]})
		}
		objects[i] = o
	}
	return json.Marshal(objects)
}

// WriteText writes a table of the layers and their total.
func (l Layers) WriteText(w io.Writer) error {
	total, orbits := lists.SumOf(l.Counts, func(c statespace.Layer) uint64 { return c.States }), l.Orbits()
	var s strings.Builder
	heading := printable.Line(l.Name)
	row := func(name, states, upTo string, figure func(f statespace.Figure) string) {
		fmt.Fprintf(&s, "%*s  %*s", max(len(heading), 6), name, max(len(amount.Comma(total)), 6), states)
		if orbits > 0 {
			fmt.Fprintf(&s, "  %14s", upTo)
		}
		for _, f := range l.Figures {
			fmt.Fprintf(&s, "  %*s", max(len(amount.Comma(f.Value)), len(f.Name)), figure(f))
		}
		s.WriteByte('\n')
	}
	row(heading, "states", "up to symmetry", func(f statespace.Figure) string { return strings.ReplaceAll(f.Name, "_", " ") })
	for i, c := range l.Counts {
		row(fmt.Sprint(c.Layer), amount.Comma(c.States), amount.Comma(c.Orbits), func(f statespace.Figure) string { return amount.Comma(f.ByLayer[i]) })
	}
	row("total", amount.Comma(total), amount.Comma(orbits), func(f statespace.Figure) string { return amount.Comma(f.Value) })
	_, err := io.WriteString(w, s.String())
	return err
}

// An Info is what a file says of itself.
type Info struct {
	File          string                `json:"file"`
	FileBytes     uint64                `json:"file_bytes"`
	FormatVersion int                   `json:"format_version"`
	Space         string                `json:"space"`
	Definition    statespace.Definition `json:"definition"`
	Start         string                `json:"start"`
	Store         string                `json:"store"`
	Size          uint64                `json:"size"`
	States        uint64                `json:"states"`
	BytesPerState float64               `json:"bytes_per_state"`
	Layers        Layers                `json:"layers"`
	// Columns are the numbers that the file keeps of each state besides its distance, Figures those
	// about all states.
	Columns []layers.Column `json:"columns,omitempty"`
	// Objectives are those of a game against chance whose values it keeps, of ValueBytes each.
	Objectives []string            `json:"objectives,omitempty"`
	ValueBytes int                 `json:"value_bytes,omitempty"`
	Figures    []statespace.Figure `json:"figures,omitempty"`
	Checkpoint *layers.Checkpoint  `json:"checkpoint,omitempty"`
}

// Info returns what the file, or a checkpoint, says of itself.
func (f *File) Info() Info { return f.info(f.Space().Name(), StartOf(f.Space())) }

// StartOf writes the start of a space; it is empty if the states have no numbers before they are
// found, and if the space goes against its moves, so that a root is an end.
func StartOf(sp statespace.Space) string {
	if sp.Parts().Reversed { // it may have millions of roots
		return ""
	}
	if roots := sp.Roots(); len(roots) > 0 {
		return sp.Format(roots[0])
	}
	return ""
}

func (f *File) info(name, start string) Info {
	m := f.Meta()
	return Info{f.Path(), f.Size(), layers.Version, name, m.Space, start,
		m.Store, m.Size, m.States, float64(f.Size()) / float64(max(1, m.States)), f.Layers(), m.Columns, m.Objectives, m.ValueBytes, m.Figures, m.Checkpoint}
}

// A Describe returns the name of the space of a definition and its start, if possible without the
// tables of the space; else memory bounds their bytes.
type Describe func(ctx context.Context, d statespace.Definition, memory uint64) (name, start string, err error)

// ReadInfo returns what a file of states, or a checkpoint, says of itself, and how it keeps the
// states. It looks at the header and the metadata only.
func ReadInfo(ctx context.Context, path string, describe Describe, memory uint64) (info Info, store string, err error) {
	opened, err := layers.OpenInfo(path)
	if err != nil {
		return info, "", err
	}
	f := &File{opened}
	defer f.Close()
	d := f.Meta().Space
	if unlisted, ok := sparse.Unlist(d); ok {
		d = unlisted
	}
	name, start, err := describe(ctx, d, cmp.Or(memory, f.Memory()))
	if err != nil {
		return info, "", f.DefineError(ctx, known(err))
	}
	if err := f.Intact(); err != nil {
		return info, "", err
	}
	return f.info(name, start), f.AboutStore(), nil
}

// AboutStore describes how the file keeps the states.
func (f *File) AboutStore() string {
	m, about := f.Meta(), f.Store().About
	if m.PointerBits > 0 {
		about += fmt.Sprintf(", in %d bits", m.PointerBits)
	}
	if m.PatternBits > 0 {
		about += fmt.Sprintf(" for each of %s patterns", amount.Comma(1<<m.PatternBits))
	}
	if m.DistanceBits > 0 {
		about += fmt.Sprintf(", in %d bits", m.DistanceBits)
	}
	for i, c := range m.Columns {
		words := ", and "
		if i > 0 {
			words = ", "
		}
		about += fmt.Sprintf("%s%s in %d", words, printable.Line(c.Name), c.Bits)
	}
	if m.Symmetries > 1 {
		about += fmt.Sprintf(", by %d symmetries", m.Symmetries)
	}
	return about
}
