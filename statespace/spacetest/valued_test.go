package spacetest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"pagoda/statespace"
	"pagoda/statespace/internal/toys"
)

// A valued is a toy in which some methods are functions.
type valued struct {
	toys.FastTolls
	columns  []statespace.Column
	distance string
	value    func(dst []uint64, x index, near statespace.Near)
	best     func(dst edges, x index, near statespace.Near) edges
	valuer   func(r *statespace.Records) statespace.Valuer
	figures  func(threads int) []statespace.Figure
}

// kept are the values of tolls.
var kept = tolls.Parts().Values

var tolls = toys.FastTolls{Tolls: toys.Tolls{Ring: toys.Ring{N: 100, Add: 7, From: []index{3, 50}}}}

func (v valued) Parts() statespace.Parts {
	p := v.FastTolls.Parts()
	of := &p.Values
	of.DistanceName = cmp.Or(v.distance, of.DistanceName)
	if v.columns != nil {
		of.Columns = v.columns
	}
	if v.value != nil {
		of.Value = v.value
	}
	if v.best != nil {
		of.Best = v.best
	}
	if v.valuer != nil {
		of.NewValuer = v.valuer
	}
	if v.figures != nil {
		of.Figures = func(ctx context.Context, threads int, _ func(dst []uint64, x index) (int, error)) ([]statespace.Figure, error) {
			return v.figures(threads), context.Cause(ctx)
		}
	}
	return p
}

// A valuerFunc is a Valuer.
type valuerFunc func(first, word uint64)

func (f valuerFunc) Value(first, word uint64) { f(first, word) }

// layeredTolls has layers besides its distances.
type layeredTolls struct{ toys.Tolls }

func (l layeredTolls) Parts() statespace.Parts {
	p := l.Tolls.Parts()
	p.Layers, p.Goals = l, statespace.Goals{}
	return p
}

func (layeredTolls) LayerName() string                  { return "numbers" }
func (layeredTolls) Layer(x index) int                  { return int(x) }
func (layeredTolls) LayersFall() bool                   { return false }
func (l layeredTolls) Roots() []index                   { return []index{l.N - 1} }
func (l layeredTolls) Name() string                     { return "layered" }
func (l layeredTolls) Parse(text string) (index, error) { return l.Tolls.Parse(text) }

// No move leads anywhere: layers and distances would agree.
func (layeredTolls) Successors(dst edges, _ index) edges   { return dst }
func (layeredTolls) Predecessors(dst edges, _ index) edges { return dst }

// A reasoner has a reason for everything.
type reasoner struct {
	space
	reason string
}

func (r reasoner) Parts() statespace.Parts {
	return statespace.Parts{Texts: statespace.Texts{WhyNot: func(index) string { return r.reason }}}
}

// A half is a quotient in which some methods are functions.
type half struct {
	toys.HalfCircle
	roots     []index
	format    func(x index) string
	successor func(dst edges, x index) edges
	states    func(x index) int
	goal      bool
}

func (h half) Roots() []index {
	if h.roots != nil {
		return h.roots
	}
	return h.HalfCircle.Roots()
}

func (h half) Format(x index) string {
	if h.format != nil {
		return h.format(x)
	}
	return h.HalfCircle.Format(x)
}

func (h half) Successors(dst edges, x index) edges {
	if h.successor != nil {
		return h.successor(dst, x)
	}
	return h.HalfCircle.Successors(dst, x)
}

func (h half) StandsFor(x index) (index, int) {
	member, n := h.HalfCircle.StandsFor(x)
	if h.states != nil {
		n = h.states(x)
	}
	return member, n
}

func (h half) Parts() statespace.Parts {
	p := h.HalfCircle.Parts()
	p.Symmetry.Quotient = h
	if h.goal {
		p.Goals.Is = func(index) bool { return false }
	}
	return p
}

// Each law of a Valued space catches a space that breaks it.
func TestBrokenValues(t *testing.T) {
	columns := func(change func(c []statespace.Column)) []statespace.Column {
		c := slices.Clone(tolls.Parts().Values.Columns)
		change(c)
		return c
	}
	var calls atomic.Int64
	for _, b := range []breach{
		{"layers", layeredTolls{toys.Tolls{Ring: toys.Ring{N: 10, Add: 1}}}, lawColumns},
		{"distances without a name", valued{FastTolls: tolls, distance: "\n"}, lawColumns},
		{"no columns", valued{FastTolls: tolls, columns: []statespace.Column{}}, lawColumns},
		{"a column without a name", valued{FastTolls: tolls, columns: columns(func(c []statespace.Column) { c[1].Name = "" })}, lawColumns},
		{"columns with the same name", valued{FastTolls: tolls, columns: columns(func(c []statespace.Column) { c[1].Name = c[0].Name })}, lawColumns},
		{"a column of 3 bytes", valued{FastTolls: tolls, columns: columns(func(c []statespace.Column) { c[0].Bytes = 3 })}, lawColumns},

		{"a wide value", valued{FastTolls: tolls, value: func(dst []uint64, x index, near statespace.Near) {
			kept.Value(dst, x, near)
			dst[1] += 256
		}}, lawValues},
		{"a predecessor is left out", valued{FastTolls: tolls, value: func(dst []uint64, x index, near statespace.Near) {
			kept.Value(dst, x, func(y index) []uint64 {
				if y == 3 {
					return nil
				}
				return near(y)
			})
		}}, lawValues},
		{"values that change", valued{FastTolls: tolls, value: func(dst []uint64, x index, near statespace.Near) {
			kept.Value(dst, x, near)
			if calls.Add(1) > 150 {
				dst[1] = 7
			}
		}}, lawValues},
		{"values of what was there", valued{FastTolls: tolls, value: func(dst []uint64, x index, near statespace.Near) {
			before := dst[1] >> 8
			kept.Value(dst, x, near)
			dst[1] += before & 1
		}}, lawValues},
		{"another valuer", valued{FastTolls: tolls, valuer: func(v *statespace.Records) statespace.Valuer {
			valuer := kept.NewValuer(v)
			return valuerFunc(func(first, word uint64) {
				valuer.Value(first, word)
				if first == 64 && word>>20&1 != 0 {
					v.Record(84)[1]++
				}
			})
		}}, lawFound},
		{"a valuer that writes elsewhere", valued{FastTolls: tolls, valuer: func(v *statespace.Records) statespace.Valuer {
			valuer := kept.NewValuer(v)
			return valuerFunc(func(first, word uint64) {
				valuer.Value(first, word)
				v.Record(0)[0] = 1
			})
		}}, lawFound},

		{"no best move", valued{FastTolls: tolls, best: func(dst edges, x index, near statespace.Near) edges {
			if x == 57 {
				return dst
			}
			return kept.Best(dst, x, near)
		}}, lawBest},
		{"a best move to each state, roots too", valued{FastTolls: tolls, best: func(dst edges, x index, near statespace.Near) edges {
			return append(kept.Best(dst, x, near), tolls.Predecessors(nil, x)[0])
		}}, lawBest},
		{"a best move of another kind", valued{FastTolls: tolls, best: func(dst edges, x index, near statespace.Near) edges {
			dst = kept.Best(dst, x, near)
			for i := range dst {
				dst[i].Move += 2
			}
			return dst
		}}, lawBest},
		{"a best move twice", valued{FastTolls: tolls, best: func(dst edges, x index, near statespace.Near) edges {
			return append(kept.Best(dst, x, near), kept.Best(nil, x, near)...)
		}}, lawBest},

		{"figures by threads", valued{FastTolls: tolls, figures: func(threads int) []statespace.Figure {
			return []statespace.Figure{{Name: "threads", Value: uint64(threads)}}
		}}, lawFigures},
		{"figures of the same name", valued{FastTolls: tolls, figures: func(int) []statespace.Figure {
			return []statespace.Figure{{Name: "a"}, {Name: "a"}}
		}}, lawFigures},
		{"no figures", valued{FastTolls: tolls, figures: func(int) []statespace.Figure { return nil }}, lawFigures},

		{"no reason", reasoner{space{Space: toys.Ring{N: 64, Add: 64, From: []index{1}}}, ""}, lawReason},
		{"a reason of two lines", reasoner{space{Space: toys.Ring{N: 64, Add: 64, From: []index{1}}}, "a\nb"}, lawReason},
	} {
		calls.Store(0)
		b.check(t, 60)
	}
}

// Each law of a Quotient catches one that breaks it.
func TestBrokenQuotient(t *testing.T) {
	h := toys.HalfCircle{Circle: toys.Circle{N: 99, Steps: []uint64{5, 6}}}
	for _, b := range []breach{
		{"a goal", half{HalfCircle: h, goal: true}, lawQuotient},
		{"moves that are no moves of the whole space", half{HalfCircle: h, successor: func(dst edges, x index) edges {
			if x == 20 {
				return dst
			}
			return h.Successors(dst, x)
		}}, lawInverse},
		{"a state counted once", half{HalfCircle: h, states: func(x index) int {
			if _, n := h.StandsFor(x); n < 2 {
				return n
			}
			return 1
		}}, lawQuotient},
		{"no text", half{HalfCircle: h, format: func(x index) string {
			if x > 49 {
				return ""
			}
			return fmt.Sprint(x)
		}}, lawNoState},
	} {
		b.check(t, 60)
	}
}
