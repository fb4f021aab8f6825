package ask

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"pagoda/export"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/cells"
)

// layerOf returns the function that returns the layer of a member: that of the space, or else the
// distance that the file keeps. It is nil if neither knows it.
func (f *File) layerOf() func(x statespace.Index) (int, error) {
	if l := f.Space().Parts().Layers; l != nil {
		return func(x statespace.Index) (int, error) { return l.Layer(x), nil }
	}
	if d, ok := f.Distances(); ok && d.Whole {
		return func(x statespace.Index) (int, error) {
			entry, err := d.At(x)
			return int(entry) - 1, err
		}
	}
	return nil
}

// An exporter makes the rows of members.
type exporter struct {
	table export.Table
	row   []export.Value
	fill  []func(v *export.Value, x statespace.Index) error // the value of each column
}

func (e *exporter) add(c export.Column, fill func(v *export.Value, x statespace.Index) error) {
	e.table.Columns, e.row, e.fill = append(e.table.Columns, c), append(e.row, export.Value{}), append(e.fill, fill)
}

// exporter returns what makes the rows of members in a format, with some fields.
func (f *File) exporter(format export.Format, show []shown) *exporter {
	e, sp := new(exporter), f.Space()
	number := sp.Parts().Codes.Number
	if number == nil {
		number = func(x statespace.Index) uint64 { return x }
	}
	e.add(export.Column{Name: "number", Kind: export.Uint}, func(v *export.Value, x statespace.Index) error {
		v.Uint = number(x)
		return nil
	})
	celled := sp.Parts().Cells
	switch {
	case celled != nil && format.Has(export.Bytes):
		n := len(celled.Cells())
		state := make(cells.Pattern, n)
		e.add(export.Column{Name: "cells", Kind: export.Bytes, Width: n}, func(v *export.Value, x statespace.Index) error {
			celled.State(state, x)
			v.Bytes = state
			return nil
		})
	default:
		e.add(export.Column{Name: "pattern", Kind: export.Text}, func(v *export.Value, x statespace.Index) error {
			v.Text = sp.Format(x)
			return nil
		})
	}
	if layer := f.layerOf(); layer != nil {
		e.add(export.Column{Name: f.Meta().Layer, Kind: export.Int}, func(v *export.Value, x statespace.Index) error {
			n, err := layer(x)
			v.Int = int64(n)
			return err
		})
	}
	for _, s := range show {
		if slices.ContainsFunc(e.table.Columns, func(c export.Column) bool { return c.Name == s.name }) {
			continue // the layer
		}
		if s.fraction {
			e.add(export.Column{Name: s.name, Kind: export.Float}, func(v *export.Value, x statespace.Index) error {
				bits, err := s.of(x)
				v.Float = math.Float64frombits(uint64(bits))
				return err
			})
			continue
		}
		e.add(export.Column{Name: s.name, Kind: export.Int64}, func(v *export.Value, x statespace.Index) (err error) {
			v.Int, err = s.of(x)
			return err
		})
	}
	return e
}

// write writes the row of a member.
func (e *exporter) write(w export.Writer, x statespace.Index) error {
	for i := range e.row {
		if err := e.fill[i](&e.row[i], x); err != nil {
			return err
		}
	}
	return w.Write(e.row)
}

// widen gives the patterns of a table, if it has any, the width of the longest one.
func (f *File) widen(ctx context.Context, e *exporter, c Pick) error {
	i := slices.IndexFunc(e.table.Columns, func(c export.Column) bool { return c.Kind == export.Text })
	if i < 0 {
		return nil
	}
	width := &e.table.Columns[i].Width
	return f.Read(func() error {
		for x, err := range f.List(ctx, c) {
			if err == nil && ctx.Err() != nil {
				err = context.Cause(ctx)
			}
			if err != nil {
				return err
			}
			*width = max(*width, len(f.Space().Format(x)))
		}
		return nil
	})
}

// Export writes the states that are picked as a table, in their order. A row has the number in the space; the
// pattern, or in a format with bytes the content of each cell, if the space has cells; the layer under its name, if the
// space or the file knows it; and the fields that are to be shown. Unless they are sorted, memory does
// not grow with the rows. Progress counts the numbers that were looked at.
func (f *File) Export(ctx context.Context, to io.Writer, format export.Format, c Pick, show []string, progress *statespace.Progress) error {
	values, err := f.shown(c, show)
	if err != nil {
		return err
	}
	e := f.exporter(format, values)
	rows, counted := ^uint64(0), format.Counted || c.Pattern == "" && c.Where == "" && !c.Complement
	if counted {
		if rows, err = f.Count(ctx, c); err != nil {
			return err
		}
	}
	if c.Limit > 0 {
		rows = min(rows, c.Limit)
	}
	e.table.Rows = rows
	if format.Counted {
		if err := f.widen(ctx, e, c); err != nil {
			return err
		}
	}
	w, err := format.New(to, e.table)
	if err != nil {
		return err
	}
	progress.Start(int64(f.Space().Size()))
	written := uint64(0)
	err = f.Read(func() error {
		at := uint64(0)
		for x, err := range f.List(ctx, c) {
			if err == nil && ctx.Err() != nil {
				err = context.Cause(ctx)
			}
			if err == nil {
				err = e.write(w, x)
			}
			if err != nil {
				return err
			}
			if written++; c.Sort == "" {
				progress.Add(int64(x - at))
				at = x
			}
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case counted && written < rows:
		return f.Damaged(fmt.Sprintf("it has %d such members, its metadata says %d", written, rows))
	}
	return w.Close()
}

// ExportLayers writes the number of states in each layer of a range as a table, in the order of
// the file. A row has the layer, the states, the states up to symmetry if the file counts them, and
// the figures that it has by layer.
func (f *File) ExportLayers(to io.Writer, format export.Format, layers cells.Range) error {
	all := f.Layers()
	table := export.Table{Columns: []export.Column{{Name: all.Name, Kind: export.Int}, {Name: "states", Kind: export.Uint}}}
	orbits := all.Orbits() > 0
	if orbits {
		table.Columns = append(table.Columns, export.Column{Name: "orbits", Kind: export.Uint})
	}
	for _, f := range all.Figures {
		table.Columns = append(table.Columns, export.Column{Name: f.Name, Kind: export.Uint})
	}
	for _, l := range all.Counts {
		if layers.Holds(l.Layer) {
			table.Rows++
		}
	}
	w, err := format.New(to, table)
	if err != nil {
		return err
	}
	for i, l := range all.Counts {
		if !layers.Holds(l.Layer) {
			continue
		}
		row := []export.Value{{Int: int64(l.Layer)}, {Uint: l.States}}
		if orbits {
			row = append(row, export.Value{Uint: l.Orbits})
		}
		for _, f := range all.Figures {
			row = append(row, export.Value{Uint: f.ByLayer[i]})
		}
		if err := w.Write(row); err != nil {
			return err
		}
	}
	return w.Close()
}

// ExportBFile writes the number of states in each layer of a range as a b-file of the OEIS, where n
// is the layer; or the number up to symmetry, see LayersUpToSymmetry.
func (f *File) ExportBFile(ctx context.Context, to io.Writer, layers cells.Range, upToSymmetry bool) error {
	what, all := "positions", f.Layers()
	if upToSymmetry {
		var err error
		if all, err = f.LayersUpToSymmetry(ctx, run.Options{}); err != nil {
			return err
		}
		what += " up to symmetry"
	}
	sequence := make(map[int]uint64)
	for _, l := range all.Counts {
		if !layers.Holds(l.Layer) {
			continue
		}
		if sequence[l.Layer] = l.States; upToSymmetry {
			sequence[l.Layer] = l.Orbits
		}
	}
	start := ""
	if roots := f.Space().Roots(); len(roots) == 1 {
		start = " from " + f.Space().Format(roots[0])
	}
	return export.WriteBFile(to, sequence,
		fmt.Sprintf("%s: a(n) is the number of %s with %s = n that can be reached%s.", f.Space().Name(), what, f.Meta().Layer, start))
}
