package toys

import (
	"cmp"
	"fmt"
	"slices"

	"pagoda/statespace"
)

// Piles is a symmetric space with layers of two piles with fewer than N things each. A move
// takes two things from a pile. The symmetry exchanges the piles.
type Piles struct{ N uint64 }

// Name implements statespace.Space.
func (p Piles) Name() string { return fmt.Sprintf("piles/%d", p.N) }

// Size implements statespace.Space.
func (p Piles) Size() uint64 { return p.N * p.N }

// Roots implements statespace.Space.
func (p Piles) Roots() []statespace.Index { return []statespace.Index{p.Size() - 1} }

// Format implements statespace.Space.
func (p Piles) Format(x statespace.Index) string { return fmt.Sprintf("%d and %d", x/p.N, x%p.N) }

// FormatMove implements statespace.Space.
func (p Piles) FormatMove(_ statespace.Index, move statespace.Edge) string {
	return [...]string{"two from the left", "two from the right"}[move.Move]
}

// Definition implements statespace.Space.
func (p Piles) Definition() statespace.Definition { return definition(p.Name(), p) }

// Parse implements statespace.Space.
func (p Piles) Parse(text string) (statespace.Index, error) {
	v, err := parse(text, "%d and %d", p.N, p.N)
	if err != nil {
		return 0, err
	}
	return v[0]*p.N + v[1], nil
}

// Successors implements statespace.Space.
func (p Piles) Successors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	if x/p.N >= 2 {
		dst = append(dst, statespace.Edge{To: x - 2*p.N, Move: 0})
	}
	if x%p.N >= 2 {
		dst = append(dst, statespace.Edge{To: x - 2, Move: 1})
	}
	return dst
}

// Predecessors implements statespace.Space.
func (p Piles) Predecessors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	if x/p.N+2 < p.N {
		dst = append(dst, statespace.Edge{To: x + 2*p.N, Move: 0})
	}
	if x%p.N+2 < p.N {
		dst = append(dst, statespace.Edge{To: x + 2, Move: 1})
	}
	return dst
}

// LayerName implements statespace.Layers.
func (p Piles) LayerName() string { return "things" }

// Layer implements statespace.Layers.
func (p Piles) Layer(x statespace.Index) int { return int(x/p.N + x%p.N) }

// LayersFall implements statespace.Layers.
func (p Piles) LayersFall() bool { return true }

// Parts implements statespace.Space.
func (p Piles) Parts() statespace.Parts {
	return statespace.Parts{Layers: p, Symmetry: statespace.Symmetric{Fixed: p.Symmetries}}
}

// Symmetries returns the exchange of the piles.
func (p Piles) Symmetries() []statespace.Symmetry {
	return []statespace.Symmetry{Map(func(x statespace.Index) statespace.Index { return x%p.N*p.N + x/p.N })}
}

// Map is a symmetry that is a function.
type Map func(x statespace.Index) statespace.Index

// Map implements statespace.Symmetry.
func (m Map) Map(x statespace.Index) statespace.Index { return m(x) }

// Pairs is a symmetric space with layers of two large piles of fewer than N things and two small
// ones of at most 7. Its blocks of 64 numbers are the large piles. The symmetry exchanges the
// large piles together with the small ones, so it takes blocks to blocks.
type Pairs struct{ N uint64 }

func (p Pairs) piles(x statespace.Index) [4]uint64 {
	return [4]uint64{x / 64 / p.N, x / 64 % p.N, x / 8 % 8, x % 8}
}

func (p Pairs) number(v [4]uint64) statespace.Index { return (v[0]*p.N+v[1])*64 + v[2]*8 + v[3] }

// Name implements statespace.Space.
func (p Pairs) Name() string { return fmt.Sprintf("pairs/%d", p.N) }

// Size implements statespace.Space.
func (p Pairs) Size() uint64 { return p.N * p.N * 64 }

// Roots implements statespace.Space.
func (p Pairs) Roots() []statespace.Index {
	return []statespace.Index{p.number([4]uint64{p.N - 1, p.N - 1, 6, 6})}
}

// Format implements statespace.Space.
func (p Pairs) Format(x statespace.Index) string { return fmt.Sprint(p.piles(x)) }

// Parse implements statespace.Space.
func (p Pairs) Parse(text string) (statespace.Index, error) {
	v, err := parse(text, "[%d %d %d %d]", p.N, p.N, 8, 8)
	if err != nil {
		return 0, err
	}
	return p.number([4]uint64(v)), nil
}

// Definition implements statespace.Space.
func (p Pairs) Definition() statespace.Definition { return definition(p.Name(), p) }

// pairMoves are what each pile gains, or loses.
var pairMoves = [][4]int{{-2, 0, 1, 0}, {0, -2, 0, 1}, {-1, 0, 0, 3}, {0, -1, 3, 0}, {0, 0, -3, 0}, {0, 0, 0, -3}, {-1, -1, 0, 0}}

// FormatMove implements statespace.Space.
func (p Pairs) FormatMove(_ statespace.Index, move statespace.Edge) string {
	return fmt.Sprintf("add %v", pairMoves[move.Move])
}

func (p Pairs) edges(dst []statespace.Edge, x statespace.Index, sign int) []statespace.Edge {
	limits := [4]int{int(p.N), int(p.N), 8, 8}
	for k, m := range pairMoves {
		v, ok := p.piles(x), true
		for i := range v {
			to := int(v[i]) + sign*m[i]
			ok = ok && to >= 0 && to < limits[i]
			v[i] = uint64(to)
		}
		if ok {
			dst = append(dst, statespace.Edge{To: p.number(v), Move: k})
		}
	}
	return dst
}

// Successors implements statespace.Space.
func (p Pairs) Successors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	return p.edges(dst, x, 1)
}

// Predecessors implements statespace.Space.
func (p Pairs) Predecessors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	return p.edges(dst, x, -1)
}

// LayerName implements statespace.Layers.
func (p Pairs) LayerName() string { return "things, the large piles four times" }

// Layer implements statespace.Layers.
func (p Pairs) Layer(x statespace.Index) int {
	v := p.piles(x)
	return int(4*(v[0]+v[1]) + v[2] + v[3])
}

// LayersFall implements statespace.Layers.
func (p Pairs) LayersFall() bool { return true }

// Parts implements statespace.Space.
func (p Pairs) Parts() statespace.Parts {
	return statespace.Parts{Layers: p, Symmetry: statespace.Symmetric{Fixed: p.Symmetries}}
}

// Symmetries returns the exchange of the piles.
func (p Pairs) Symmetries() []statespace.Symmetry {
	return []statespace.Symmetry{Map(func(x statespace.Index) statespace.Index {
		v := p.piles(x)
		return p.number([4]uint64{v[1], v[0], v[3], v[2]})
	})}
}

// Folding returns the order in which Pairs can be made block by block: blocks with many things
// come first.
func (p Pairs) Folding() *statespace.Folding {
	f := &statespace.Folding{Bits: 6}
	for block := range p.N * p.N {
		if block/p.N <= block%p.N {
			f.Order = append(f.Order, uint32(block))
		}
	}
	things := func(block uint32) uint64 { return uint64(block)/p.N + uint64(block)%p.N }
	slices.SortStableFunc(f.Order, func(a, b uint32) int { return cmp.Compare(things(b), things(a)) })
	return f
}
