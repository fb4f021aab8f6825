package toys

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"pagoda/statespace"
)

// Tolls is a Ring with values and figures whose moves cost something. The numbers that are kept of a state
// are the least cost of a shortest path, and how many shortest paths cost that, up to 255.
type Tolls struct {
	Ring
	// OnValue is called by Values.Value if it is not nil.
	OnValue func() `json:"-"`
}

// The columns of Tolls, and how far it counts paths.
const (
	tollsCost = iota
	tollsPaths
	tollsMostPaths = 255
)

// Name implements statespace.Space.
func (t Tolls) Name() string { return fmt.Sprintf("tolls/%d+%d", t.N, t.Add) }

// Definition implements statespace.Space.
func (t Tolls) Definition() statespace.Definition { return definition(t.Name(), t) }

// Parts implements statespace.Space.
func (t Tolls) Parts() statespace.Parts {
	p := t.Ring.Parts()
	p.Values = statespace.Values{Value: t.value, Best: t.best, Figures: t.figures, DistanceName: "steps", Columns: []statespace.Column{
		{Name: "cost", About: "the least cost of a shortest path", Bytes: 4},
		{Name: "paths", About: "how many shortest paths cost that, up to 255", Bytes: 1},
	}}
	return p
}

// Toll returns what a move costs: to add costs 4, to double a number costs 3 and its last bit.
func (t Tolls) Toll(from uint64, move int) uint64 {
	if move == 1 {
		return 4
	}
	return 3 + from%2
}

func (t Tolls) value(dst []uint64, x statespace.Index, near statespace.Near) {
	if t.OnValue != nil {
		t.OnValue()
	}
	dst[tollsCost], dst[tollsPaths] = 0, 0
	for _, e := range t.Predecessors(nil, x) {
		values := near(e.To)
		if values == nil {
			continue
		}
		cost := values[tollsCost] + t.Toll(e.To, e.Move)
		if dst[tollsPaths] == 0 || cost < dst[tollsCost] {
			dst[tollsCost], dst[tollsPaths] = cost, 0
		}
		if cost == dst[tollsCost] {
			dst[tollsPaths] = min(tollsMostPaths, dst[tollsPaths]+values[tollsPaths])
		}
	}
	dst[tollsPaths] = max(1, dst[tollsPaths]) // a root
}

func (t Tolls) best(dst []statespace.Edge, x statespace.Index, near statespace.Near) []statespace.Edge {
	first, least := len(dst), uint64(0)
	for _, e := range t.Predecessors(nil, x) {
		values := near(e.To)
		if values == nil {
			continue
		}
		cost := values[tollsCost] + t.Toll(e.To, e.Move)
		if len(dst) == first || cost < least {
			dst, least = dst[:first], cost
		}
		if cost == least {
			dst = append(dst, e)
		}
	}
	return dst
}

func (t Tolls) figures(ctx context.Context, threads int, at func(dst []uint64, x statespace.Index) (int, error)) ([]statespace.Figure, error) {
	var reached, dearest uint64
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	for i := range uint64(threads) {
		group.Go(func() error {
			values := make([]uint64, 2)
			for x := i; x < t.N; x += uint64(threads) {
				if ctx.Err() != nil {
					return context.Cause(ctx)
				}
				distance, err := at(values, x)
				if err != nil {
					return err
				}
				if distance >= 0 {
					mu.Lock()
					reached, dearest = reached+1, max(dearest, values[tollsCost])
					mu.Unlock()
				}
			}
			return nil
		})
	}
	err := group.Wait()
	return []statespace.Figure{{Name: "reached", Value: reached}, {Name: "dearest", Value: dearest}}, err
}

// FastTolls is Tolls that finds values with a Valuer of its own.
type FastTolls struct{ Tolls }

// Parts implements statespace.Space.
func (t FastTolls) Parts() statespace.Parts {
	p := t.Tolls.Parts()
	p.Values.NewValuer = func(r *statespace.Records) statespace.Valuer { return &tollsValuer{t.Tolls, r} }
	return p
}

type tollsValuer struct {
	Tolls
	values *statespace.Records
}

// Value implements statespace.Valuer.
func (t *tollsValuer) Value(first, word uint64) {
	before := t.values.Entry(first+uint64(bits.TrailingZeros64(word))) - 1
	for ; word != 0; word &= word - 1 {
		x := first + uint64(bits.TrailingZeros64(word))
		cost, paths := ^uint64(0), uint64(0)
		for _, e := range t.Predecessors(nil, x) {
			if before == 0 || t.values.Entry(e.To) != before {
				continue
			}
			near := t.values.Record(e.To)
			c := uint64(near[0]) | uint64(near[1])<<8 | uint64(near[2])<<16 | uint64(near[3])<<24
			if c += t.Toll(e.To, e.Move); c < cost {
				cost, paths = c, 0
			}
			if c == cost {
				paths += uint64(near[4])
			}
		}
		if before == 0 {
			cost, paths = 0, 1
		}
		for i, b := range [...]uint64{cost, cost >> 8, cost >> 16, cost >> 24, min(tollsMostPaths, paths)} {
			t.values.Record(x)[i] = byte(b)
		}
	}
}

// Circle is N places in a circle, with place 0 as the root. A move goes some places on or back: one of
// Steps. Circle has values, goes against its moves, and can take each of them back. The number that is kept of a place is how
// many shortest paths lead to it, up to 255.
type Circle struct {
	N     uint64
	Steps []uint64
}

// Name implements statespace.Space.
func (c Circle) Name() string { return fmt.Sprintf("circle/%d", c.N) }

// Size implements statespace.Space.
func (c Circle) Size() uint64 { return c.N }

// Roots implements statespace.Space.
func (c Circle) Roots() []statespace.Index { return []statespace.Index{0} }

// Format implements statespace.Space.
func (c Circle) Format(x statespace.Index) string { return fmt.Sprint(x) }

// FormatMove implements statespace.Space.
func (c Circle) FormatMove(from statespace.Index, move statespace.Edge) string {
	return fmt.Sprintf("%d to %d", from, move.To)
}

// Definition implements statespace.Space.
func (c Circle) Definition() statespace.Definition { return definition(c.Name(), c) }

// Parse implements statespace.Space.
func (c Circle) Parse(text string) (statespace.Index, error) { return Countdown{c.N - 1}.Parse(text) }

// Successors implements statespace.Space. Move 2*i goes Steps[i] on, the next one as far back.
func (c Circle) Successors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	for i, step := range c.Steps {
		dst = append(dst, statespace.Edge{To: (x + step) % c.N, Move: 2 * i}, statespace.Edge{To: (x + c.N - step) % c.N, Move: 2*i + 1})
	}
	return dst
}

// Predecessors implements statespace.Space.
func (c Circle) Predecessors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	first := len(dst)
	dst = c.Successors(dst, x)
	for i := range dst[first:] {
		dst[first+i].Move ^= 1
	}
	return dst
}

// Parts implements statespace.Space.
func (c Circle) Parts() statespace.Parts {
	return statespace.Parts{Undirected: true, Reversed: true,
		Values: statespace.Values{Value: c.value, Best: c.best, DistanceName: "moves",
			Columns: []statespace.Column{{Name: "paths", About: "how many shortest paths there are, up to 255", Bytes: 1}}},
		Texts: statespace.Texts{WhyNot: func(statespace.Index) string { return "the steps pass over it" }}}
}

func (c Circle) value(dst []uint64, x statespace.Index, near statespace.Near) {
	dst[0] = 0
	for _, e := range c.best(nil, x, near) {
		dst[0] = min(255, dst[0]+near(e.To)[0])
	}
	dst[0] = max(1, dst[0]) // the root
}

// best takes every shortest path as a best one.
func (c Circle) best(dst []statespace.Edge, x statespace.Index, near statespace.Near) []statespace.Edge {
	for _, e := range c.Predecessors(nil, x) {
		if near(e.To) != nil {
			dst = append(dst, e)
		}
	}
	return dst
}

// HalfCircle is the Quotient of a Circle: a state stands for a place and the one opposite to it, as far
// from place 0 on the other side. The places beyond half of the circle are no states.
type HalfCircle struct{ Circle }

// Name implements statespace.Space.
func (h HalfCircle) Name() string { return fmt.Sprintf("halfcircle/%d", h.N) }

// Definition implements statespace.Space.
func (h HalfCircle) Definition() statespace.Definition { return definition(h.Name(), h) }

// Parts implements statespace.Space.
func (h HalfCircle) Parts() statespace.Parts {
	p := h.Circle.Parts()
	p.Symmetry.Quotient, p.Values.Value, p.Values.Best = h, h.value, h.best
	return p
}

// Whole implements statespace.Quotient.
func (h HalfCircle) Whole() statespace.Space { return h.Circle }

// For implements statespace.Quotient.
func (h HalfCircle) For(member statespace.Index) statespace.Index {
	return min(member, (h.N-member)%h.N)
}

// StandsFor implements statespace.Quotient.
func (h HalfCircle) StandsFor(x statespace.Index) (statespace.Index, int) {
	switch other := (h.N - x) % h.N; {
	case other < x:
		return 0, 0
	case other == x:
		return x, 1
	}
	return x, 2
}

// Parse implements statespace.Space.
func (h HalfCircle) Parse(text string) (statespace.Index, error) {
	x, err := h.Circle.Parse(text)
	if err != nil {
		return 0, err
	}
	return h.For(x), nil
}

// edges makes moves of the circle those of the quotient, each once.
func (h HalfCircle) edges(dst []statespace.Edge, x statespace.Index, moves []statespace.Edge) []statespace.Edge {
	if _, states := h.StandsFor(x); states == 0 {
		return dst
	}
	var to []statespace.Index
	for _, e := range moves {
		to = append(to, h.For(e.To))
	}
	slices.Sort(to)
	for _, y := range slices.Compact(to) {
		dst = append(dst, statespace.Edge{To: y})
	}
	return dst
}

// Successors implements statespace.Space.
func (h HalfCircle) Successors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	return h.edges(dst, x, h.Circle.Successors(nil, x))
}

// Predecessors implements statespace.Space.
func (h HalfCircle) Predecessors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	return h.edges(dst, x, h.Circle.Predecessors(nil, x))
}

// inHalf returns what is near in the circle, by what is near in the quotient.
func (h HalfCircle) inHalf(near statespace.Near) statespace.Near {
	return func(y statespace.Index) []uint64 { return near(h.For(y)) }
}

func (h HalfCircle) value(dst []uint64, x statespace.Index, near statespace.Near) {
	h.Circle.value(dst, x, h.inHalf(near))
}

func (h HalfCircle) best(dst []statespace.Edge, x statespace.Index, near statespace.Near) []statespace.Edge {
	return h.edges(dst, x, h.Circle.best(nil, x, h.inHalf(near)))
}
