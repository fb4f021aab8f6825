// Command lightsout is Pagoda for a puzzle that it does not know: Lights Out. A square of
// lights is dark. To press a light switches it and its neighbours. Which pictures can be made,
// and by how few presses?
//
//	go run ./examples/lightsout run lights/5
//	go run ./examples/lightsout near lights-5.reach '.***./*...*/*...*/*****/*...*'
package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"pagoda"
	"pagoda/cli/program"
	"pagoda/statespace/cells"
)

func main() {
	program.Main("lightsout", &pagoda.Family{
		Name:    "lights",
		About:   "Lights Out",
		Naming:  "lights/5 is the square of 5 by 5 lights.",
		Writing: "The rows from top to bottom with / between: * is a light, . is none.",
		Lookup: func(_ context.Context, name string, _ pagoda.Choice) (pagoda.Space, error) {
			return read(strings.TrimPrefix(name, "lights/"))
		},
		Define: func(_ context.Context, d pagoda.Definition, _ uint64) (pagoda.Space, error) {
			return read(string(d.Puzzle))
		},
	})
}

// read returns the space of a number of rows.
func read(rows string) (pagoda.Space, error) {
	n, err := strconv.Atoi(rows)
	if err != nil {
		return nil, fmt.Errorf("%w lights/%s: expected a number of rows", pagoda.ErrUnknown, rows)
	}
	return New(n)
}

// A Square is the space of a square of lights. Bit i of a number is light i, row by row.
type Square struct {
	cells.Letters // how pictures are written
	n             int
	presses       []uint64 // by light: the lights that it switches
}

// New returns the space of n by n lights.
func New(n int) (*Square, error) {
	if n < 1 || n > 6 {
		return nil, fmt.Errorf("a square has 1 to 6 rows, found %d", n)
	}
	s := &Square{Letters: cells.Grid(n, n, ".*"), n: n}
	for _, c := range s.Cells() {
		var lights uint64
		for i, d := range s.Cells() {
			if row, col := c.Row-d.Row, c.Col-d.Col; row*row+col*col <= 1 {
				lights |= 1 << i
			}
		}
		s.presses = append(s.presses, lights)
	}
	return s, nil
}

func (s *Square) Name() string          { return fmt.Sprintf("lights/%d", s.n) }
func (s *Square) Size() uint64          { return 1 << (s.n * s.n) }
func (s *Square) Roots() []pagoda.Index { return []pagoda.Index{0} } // all lights are off

func (s *Square) Successors(dst []pagoda.Edge, x pagoda.Index) []pagoda.Edge {
	for i, lights := range s.presses {
		dst = append(dst, pagoda.Edge{To: x ^ lights, Move: i})
	}
	return dst
}

// To press a light once more takes the press back.
func (s *Square) Predecessors(dst []pagoda.Edge, x pagoda.Index) []pagoda.Edge {
	return s.Successors(dst, x)
}

func (s *Square) Parse(text string) (x pagoda.Index, err error) {
	p, err := s.ParseState(text)
	for i, light := range p {
		x |= uint64(light) << i
	}
	return x, err
}

func (s *Square) Format(x pagoda.Index) string {
	p := make(cells.Pattern, s.n*s.n)
	s.State(p, x)
	return s.FormatPattern(p)
}

func (s *Square) FormatMove(_ pagoda.Index, move pagoda.Edge) string {
	return fmt.Sprintf("press %v", s.Cells()[move.Move])
}

func (s *Square) Definition() pagoda.Definition {
	return pagoda.Definition{Family: "lights", Name: s.Name(), Puzzle: fmt.Append(nil, s.n), Numbering: []byte(`"bits"`)}
}

// The methods above make it a pagoda.Space. Its parts say what it offers besides: every move can be taken
// back, and it has cells, for the nearest patterns and for pictures.
func (s *Square) Parts() pagoda.Parts { return pagoda.Parts{Undirected: true, Cells: s} }

// State and the Letters make it a cells.Celled.
func (s *Square) State(dst cells.Pattern, x pagoda.Index) {
	for i := range dst {
		dst[i] = int8(x >> i & 1)
	}
}
