package sparse_test

import (
	"fmt"
	"testing"

	"pagoda/statespace"
	"pagoda/statespace/internal/toys"
	"pagoda/statespace/sparse"
)

// numbers are the moves of a space whose codes are its numbers.
type numbers struct {
	space statespace.Space
	edges []statespace.Edge
}

func (n *numbers) Expand(dst []uint64, code []uint64) []uint64 {
	n.edges = n.space.Successors(n.edges[:0], code[0])
	for _, e := range n.edges {
		dst = append(dst, e.To)
	}
	return dst
}

func (n *numbers) Goal([]uint64) bool { return false }

// numbered returns the graph of an undirected space by its numbers.
func numbered(sp statespace.Space) statespace.CodeGraph {
	g := statespace.CodeGraph{Words: 1, Back: 1, NewExpander: func() statespace.CodeExpander { return &numbers{space: sp} }}
	for _, root := range sp.Roots() {
		g.Roots = append(g.Roots, []uint64{root})
	}
	return g
}

// pieces moves pieces that are all told apart on a tray of 4 x 5 cells: Century. A code has
// 5 bits for each piece, its first cell.
type pieces struct{ shapes []uint32 }

// Cells are numbered by rows of 5; the last one is outside.
const (
	stride = 5
	inside = 0x0f<<0 | 0x0f<<5 | 0x0f<<10 | 0x0f<<15 | 0x0f<<20
)

var century = []struct {
	shape uint32
	at    int
}{
	{1, 0}, {3 | 3<<stride, 1}, {1, 3}, {1 | 1<<stride, 5}, {1 | 1<<stride, 8}, {1, 15}, {1, 18}, {1 | 1<<stride, 11}, {3, 20}, {3, 22},
}

func (p *pieces) Expand(dst []uint64, code []uint64) []uint64 {
	var free uint32 = inside
	for i, shape := range p.shapes {
		free &^= shape << (code[0] >> (5 * i) & 31)
	}
	for i, shape := range p.shapes {
		at := code[0] >> (5 * i) & 31
		here := shape << at
		room := free | here
		if to := here << 1; to&^room == 0 {
			dst = append(dst, code[0]+1<<(5*i))
		}
		if to := here >> 1; at > 0 && to&^room == 0 {
			dst = append(dst, code[0]-1<<(5*i))
		}
		if to := here << stride; to&^room == 0 {
			dst = append(dst, code[0]+stride<<(5*i))
		}
		if to := here >> stride; at >= stride && to&^room == 0 {
			dst = append(dst, code[0]-stride<<(5*i))
		}
	}
	return dst
}

func (p *pieces) Goal([]uint64) bool { return false }

func distinctCentury() statespace.CodeGraph {
	code := uint64(0)
	var shapes []uint32
	for i, p := range century {
		code |= uint64(p.at) << (5 * i)
		shapes = append(shapes, p.shape)
	}
	return statespace.CodeGraph{Words: 1, Back: 1, Roots: [][]uint64{{code}}, NewExpander: func() statespace.CodeExpander { return &pieces{shapes} }}
}

// solveMap is a search with a map of the library.
func solveMap(g statespace.CodeGraph) (states uint64) {
	e := g.NewExpander()
	known := make(map[uint64]struct{})
	var level []uint64
	for _, root := range g.Roots {
		known[root[0]] = struct{}{}
		level = append(level, root[0])
	}
	var succ []uint64
	for len(level) > 0 {
		var next []uint64
		for _, x := range level {
			succ = e.Expand(succ[:0], []uint64{x})
			for _, y := range succ {
				if _, ok := known[y]; !ok {
					known[y] = struct{}{}
					next = append(next, y)
				}
			}
		}
		level = next
	}
	return uint64(len(known))
}

// solveSparse is a search in memory, or in 32 MiB and on disk.
func solveSparse(b *testing.B, g statespace.CodeGraph, threads int, disk bool) (states uint64) {
	o := sparse.Options{Threads: threads}
	if disk {
		o.Memory, o.Dir = 32<<20, b.TempDir()
	}
	s, err := sparse.New(g, o)
	if err != nil {
		b.Fatal(err)
	}
	if err := s.Run(b.Context(), nil, nil); err != nil {
		b.Fatal(err)
	}
	states = s.Result().States
	if disk {
		levels, err := s.Save(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		bytes := uint64(0)
		for _, l := range levels {
			bytes += l.Bytes
		}
		b.ReportMetric(float64(bytes)/float64(states), "bytes/state")
	}
	if err := s.Discard(); err != nil {
		b.Fatal(err)
	}
	return states
}

// BenchmarkEngines compares the engine with a map of the library. The lights have many moves for
// each state, and every number below 2^20 is one; the pieces have few, and codes of 50 bits.
func BenchmarkEngines(b *testing.B) {
	measure := func(name string, search func(b *testing.B) (states uint64)) {
		b.Run(name, func(b *testing.B) {
			states := uint64(0)
			for b.Loop() {
				states += search(b)
			}
			b.ReportMetric(float64(states)/b.Elapsed().Seconds()/1e6, "Mstates/s")
		})
	}
	for _, c := range []struct {
		name string
		g    statespace.CodeGraph
	}{{"lights", numbered(toys.NewLights(4, 5, 0))}, {"pieces", distinctCentury()}} {
		measure(c.name+"/map", func(*testing.B) uint64 { return solveMap(c.g) })
		for _, threads := range []int{1, 2} {
			for where, disk := range map[string]bool{"memory": false, "disk": true} {
				measure(fmt.Sprintf("%s/sparse-%s-%d", c.name, where, threads), func(b *testing.B) uint64 { return solveSparse(b, c.g, threads, disk) })
			}
		}
	}
}
