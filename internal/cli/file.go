package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"github.com/dustin/go-humanize"

	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/catalog"
)

// OpenFile opens a file of states and makes the space that it holds.
func OpenFile(path string) (*layers.File, statespace.Space, error) { return open(path, layers.Open) }

// OpenCheckpoint opens the checkpoint of a run and makes its space.
func OpenCheckpoint(path string) (*layers.File, statespace.Space, error) {
	return open(path, layers.OpenCheckpoint)
}

// OpenAny opens a file of states or a checkpoint.
func OpenAny(path string) (*layers.File, statespace.Space, error) {
	f, sp, err := OpenFile(path)
	if errors.Is(err, layers.ErrUnfinished) {
		if f, sp, err := OpenCheckpoint(path); err == nil {
			return f, sp, nil
		}
	}
	return f, sp, err
}

func open(path string, open func(path string, define layers.Define) (*layers.File, error)) (*layers.File, statespace.Space, error) {
	f, err := open(path, define)
	if err != nil {
		return nil, nil, err
	}
	return f, f.Space(), nil
}

func define(d statespace.Definition) (statespace.Space, error) {
	sp, err := catalog.Define(d)
	if errors.Is(err, catalog.ErrUnknown) {
		err = &layers.FileError{Err: layers.ErrVersion, Detail: err.Error(), Advice: "use the program that wrote it"}
	}
	return sp, err
}

// CheckFile checks every byte of the file against its checksums.
func CheckFile(ctx context.Context, f *layers.File, threads int, quiet bool, stderr io.Writer) error {
	var done atomic.Int64
	if !quiet {
		stop := Progress(stderr, "checking", f.Size(), "B", func() (int64, int64) { return done.Load(), int64(f.Size()) })
		defer stop()
	}
	return f.Check(ctx, threads, &done)
}

// Layers is the number of states by layer, as commands write it.
type Layers struct {
	Name   string // what layers count
	Counts []layers.LayerCount
}

// LayersOf returns the layers that a file tells.
func LayersOf(m *layers.Meta) Layers { return Layers{m.Layer, m.Layers} }

// Orbits returns how many states there are up to symmetry, or 0 if they were not counted.
func (l Layers) Orbits() (n uint64) {
	for _, c := range l.Counts {
		n += c.Orbits
	}
	return n
}

// MarshalJSON writes an array of objects such as {"pegs":34,"states":1}, with "orbits" if
// these were counted.
func (l Layers) MarshalJSON() ([]byte, error) {
	name, err := json.Marshal(l.Name)
	if err != nil {
		return nil, err
	}
	var s strings.Builder
	for i, c := range l.Counts {
		if i > 0 {
			s.WriteByte(',')
		}
		fmt.Fprintf(&s, `{%s:%d,"states":%d`, name, c.Layer, c.States)
		if c.Orbits > 0 {
			fmt.Fprintf(&s, `,"orbits":%d`, c.Orbits)
		}
		s.WriteByte('}')
	}
	return []byte("[" + s.String() + "]"), nil
}

// Write writes a table of the layers and their total.
func (l Layers) Write(w io.Writer) error {
	total, orbits := uint64(0), l.Orbits()
	for _, c := range l.Counts {
		total += c.States
	}
	var s strings.Builder
	row := func(name, states, upTo string) {
		fmt.Fprintf(&s, "%6s  %*s", name, max(len(Comma(total)), 6), states)
		if orbits > 0 {
			fmt.Fprintf(&s, "  %14s", upTo)
		}
		s.WriteByte('\n')
	}
	row(l.Name, "states", "up to symmetry")
	for _, c := range l.Counts {
		row(fmt.Sprint(c.Layer), Comma(c.States), Comma(c.Orbits))
	}
	row("total", Comma(total), Comma(orbits))
	_, err := io.WriteString(w, s.String())
	return err
}

// Comma writes a number in groups of three digits.
func Comma(n uint64) string {
	if n > 1<<62 {
		return fmt.Sprint(n)
	}
	return humanize.Comma(int64(n))
}
