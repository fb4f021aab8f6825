package spacetest

import (
	"slices"
	"testing"

	"pagoda/statespace"
	"pagoda/statespace/internal/toys"
)

func TestBrokenGraphs(t *testing.T) {
	hanoi := toys.NewHanoi(4)
	goal := hanoi.Size() - 1
	of := func(change func(g *statespace.Graph)) fast { return fast{hanoi, change} }
	forget := func(x index) fast {
		return of(expander(forgetful{next: func(dst []uint64, _ *[]uint64) []uint64 { return without(dst, x) }}))
	}
	for _, b := range []breach{
		{"size", of(func(g *statespace.Graph) { g.Size++ }), lawGraph},
		{"direction", of(func(g *statespace.Graph) { g.Undirected = false }), lawGraph},
		{"goals", of(func(g *statespace.Graph) { g.HasGoals = false }), lawGraph},
		{"roots", of(func(g *statespace.Graph) { g.Roots = slices.Values([]uint64{0, 1}) }), lawGraph},
		{"forgotten state", forget(2), lawGraph},
		{"state too many", of(expander(forgetful{next: func(dst []uint64, _ *[]uint64) []uint64 { return append(dst, 40) }})), lawGraph},
		{"forgotten without goals", of(expander(forgetful{next: func(dst []uint64, goals *[]uint64) []uint64 {
			if goals == nil {
				dst = dst[:len(dst)-1]
			}
			return dst
		}})), lawGraph},
		{"forgotten goal", of(expander(forgetful{goals: func(goals *[]uint64) { *goals = without(*goals, goal) }})), lawGraph},
		{"list not appended to", of(expander(forgetful{next: func(dst []uint64, _ *[]uint64) []uint64 { return dst[min(1, len(dst)):] }})), lawGraph},
	} {
		b.check(t, 300)
	}
	// Only the root is looked at, but the searches find it too.
	breach{"forgotten far away", forget(75), lawDistances}.check(t, 0)
	breach{"forgotten goal far away", of(expander(forgetful{goals: func(goals *[]uint64) { *goals = without(*goals, goal) }})), lawDistances}.check(t, 0)
	Test(t, of(func(*statespace.Graph) {}), 50)
}

// forgetful is an Expander that changes what another one finds.
type forgetful struct {
	statespace.Expander
	next  func(dst []uint64, goals *[]uint64) []uint64
	goals func(goals *[]uint64)
}

func (f forgetful) Expand(dst []uint64, first, word uint64, goals *[]uint64) []uint64 {
	dst = f.Expander.Expand(dst, first, word, goals)
	if f.goals != nil && goals != nil {
		f.goals(goals)
	}
	if f.next != nil {
		dst = f.next(dst, goals)
	}
	return dst
}

// expander returns a change of a graph by which its expanders change what they find.
func expander(f forgetful) func(g *statespace.Graph) {
	return func(g *statespace.Graph) {
		plain := g.NewExpander
		g.NewExpander = func() statespace.Expander { f.Expander = plain(); return f }
	}
}

// without returns the numbers except for one.
func without(dst []uint64, x index) []uint64 {
	return slices.DeleteFunc(dst, func(y index) bool { return y == x })
}
