package spacetest

import (
	"slices"

	"pagoda/statespace"
	"pagoda/statespace/bfs"
)

const lawGraph = "the Graph of the Parts has its numbers, roots, moves and goals"

// graph checks the Graph of the Parts on some states, and on some of those in the same words.
func (c *checker) graph(states []statespace.Index) error {
	if c.parts.Graph == nil {
		return nil
	}
	fast, plain := c.parts.Graph(), bfs.Plain(c.sp)
	if fast.Size != plain.Size || fast.Undirected != plain.Undirected || fast.HasGoals != plain.HasGoals {
		return c.brokenAll(lawGraph, "it has %d numbers, is undirected: %t, has goals: %t; the space has %d, %t, %t",
			fast.Size, fast.Undirected, fast.HasGoals, plain.Size, plain.Undirected, plain.HasGoals)
	}
	if got, want := slices.Sorted(fast.Roots), slices.Sorted(plain.Roots); !slices.Equal(got, want) {
		return c.brokenAll(lawGraph, "its roots are the numbers %v, those of the space %v", got, want)
	}
	expander := fast.NewExpander()
	for _, x := range states {
		first := x &^ 63
		valid := ^uint64(0)
		if n := c.sp.Size() - first; n < 64 {
			valid = 1<<n - 1
		}
		for _, word := range []uint64{1 << (x & 63), (c.rng.Uint64()&c.rng.Uint64() | 1<<(x&63)) & valid} {
			for i := range uint64(64) {
				if word>>i&1 != 0 && !c.isState(first+i) {
					word &^= 1 << i
				}
			}
			if err := c.expand(expander, plain.NewExpander(), x, first, word); err != nil {
				return err
			}
		}
	}
	return nil
}

// expand compares the moves that two expanders make from the states of a word, among them x.
func (c *checker) expand(fast, plain statespace.Expander, x, first, word uint64) error {
	const before = 7 // is in the lists already
	moves := func(e statespace.Expander) (next, goals []uint64) {
		goals = []uint64{before}
		next = e.Expand([]uint64{before}, first, word, &goals)
		if again := e.Expand(nil, first, word, nil); !slices.Equal(sorted(again), sorted(next[1:])) {
			next = nil // without goals it makes other moves
		}
		return next, goals
	}
	got, goals := moves(fast)
	want, wantGoals := moves(plain)
	if len(got) == 0 || got[0] != before || !slices.Equal(sorted(got[1:]), sorted(want[1:])) {
		return c.broken(lawGraph, x, "from the states %x of the word at number %d, the expander leads to %v, moves lead to %v", word, first, got, want)
	}
	if goals[0] != before || !slices.Equal(sorted(goals[1:]), sorted(wantGoals[1:])) {
		return c.broken(lawGraph, x, "among the states %x of the word at number %d, the expander finds the goals %v, there are %v", word, first, goals, wantGoals)
	}
	return nil
}

// sorted returns numbers in order, each once.
func sorted(numbers []uint64) []uint64 {
	return slices.Compact(slices.Sorted(slices.Values(numbers)))
}
