package spacetest

import (
	"math/rand/v2"
	"slices"

	"pagoda/bitset"
	"pagoda/internal/lists"
	"pagoda/statespace"
	"pagoda/statespace/sweep"
)

const (
	lawSymmetry = "a symmetry takes states to states, roots to themselves and moves to moves, in the same layers"
	lawGroup    = "the symmetries of a space are different and, with the identity, a group"
	lawWords    = "a symmetry does to words what it does to numbers"
)

// symmetries checks the symmetries of a space.
func (c *checker) symmetries(states []statespace.Index) error {
	symmetries := sweep.Symmetries(c.sp)
	if fixed := statespace.Symmetries(c.sp); len(fixed) != len(symmetries) || slices.ContainsFunc(states, func(x statespace.Index) bool {
		return !slices.EqualFunc(fixed, symmetries, func(s statespace.Symmetry, w statespace.WordSymmetry) bool { return s.Map(x) == w.Map(x) })
	}) {
		return c.brokenAll(lawWords, "Fixed has %d symmetries, and Words %d, or others", len(fixed), len(symmetries))
	}
	if c.parts.Symmetry.Mirrors != nil {
		if len(symmetries) > 0 {
			return c.brokenAll("a space has symmetries that keep its roots, or mirrors", "it has %d symmetries and mirrors", len(symmetries))
		}
		mirrors := lists.Map(statespace.Mirrors(c.sp), func(s statespace.Symmetry) statespace.WordSymmetry { return sweep.Plain(s, c.sp.Size()) })
		return c.maps(mirrors, states)
	}
	if err := c.maps(symmetries, states); err != nil || len(symmetries) == 0 {
		return err
	}
	if err := c.words(symmetries, len(states)/len(symmetries)+10); err != nil {
		return err
	}
	if blocks := sweep.BlocksOf(c.sp); blocks != nil {
		return c.gather(symmetries, blocks.Bits)
	}
	return nil
}

// maps checks symmetries as maps of numbers.
func (c *checker) maps(symmetries []statespace.WordSymmetry, states []statespace.Index) error {
	for _, x := range states {
		for i, s := range symmetries {
			if err := c.image(i, s, x); err != nil {
				return err
			}
		}
	}
	if len(symmetries) == 0 {
		return nil
	}
	return c.group(symmetries, states)
}

// image checks the image of a state. In messages, symmetries are counted from 1, and 0 is the
// identity.
func (c *checker) image(i int, s statespace.WordSymmetry, x statespace.Index) error {
	y := s.Map(x)
	if y >= c.sp.Size() {
		return c.broken(lawSymmetry, x, "symmetry %d takes it to number %d, Size() is %d", i+1, y, c.sp.Size())
	}
	mirrored := c.parts.Symmetry.Mirrors != nil
	if roots := c.sp.Roots(); y != x && slices.Contains(roots, x) && !(mirrored && slices.Contains(roots, y)) {
		return c.broken(lawSymmetry, x, "symmetry %d takes this root to number %d, %q", i+1, y, c.sp.Format(y))
	}
	if l := c.parts.Layers; l != nil && l.Layer(x) != l.Layer(y) {
		return c.broken(lawSymmetry, x, "symmetry %d takes it from layer %d to layer %d", i+1, l.Layer(x), l.Layer(y))
	}
	var images, successors []statespace.Index
	for _, e := range c.sp.Successors(nil, x) {
		images = append(images, s.Map(e.To))
	}
	for _, e := range c.sp.Successors(nil, y) {
		successors = append(successors, e.To)
	}
	slices.Sort(images)
	slices.Sort(successors)
	if !slices.Equal(images, successors) {
		return c.broken(lawSymmetry, x, "symmetry %d takes it to number %d, %q, and its successors to %v, but the successors there are %v", i+1, y, c.sp.Format(y), images, successors)
	}
	return nil
}

// group checks that the symmetries are a group of permutations: on all numbers of a small space, and
// on enough random ones of another.
func (c *checker) group(symmetries []statespace.WordSymmetry, states []statespace.Index) error {
	states = slices.Clone(states)
	if c.sp.Size() <= 1<<10 {
		states = nil
		for x := range c.sp.Size() {
			states = append(states, x)
		}
	} else {
		for range 100 {
			states = append(states, c.rng.Uint64N(c.sp.Size()))
		}
	}
	mapped := func(s statespace.WordSymmetry, from []statespace.Index) (images []statespace.Index) {
		for _, x := range from {
			images = append(images, s.Map(x))
		}
		return images
	}
	// moved returns the place of a state that is not its image, or 0.
	moved := func(images []statespace.Index) int {
		for k, y := range images {
			if y != states[k] {
				return k
			}
		}
		return 0
	}
	maps := [][]statespace.Index{states}
	find := func(images []statespace.Index) int {
		return slices.IndexFunc(maps, func(m []statespace.Index) bool { return slices.Equal(m, images) })
	}
	for i, s := range symmetries {
		images := mapped(s, states)
		if j := find(images); j >= 0 {
			k := moved(images)
			return c.broken(lawGroup, states[k], "symmetry %d takes it to number %d, and every state where symmetry %d takes it; 0 is the identity", i+1, images[k], j)
		}
		from := make(map[statespace.Index]statespace.Index)
		for k, y := range images {
			if x, ok := from[y]; ok && x != states[k] {
				return c.broken(lawGroup, states[k], "symmetry %d takes it to number %d, and number %d too: it is no permutation", i+1, y, x)
			}
			from[y] = states[k]
		}
		maps = append(maps, images)
	}
	for i, s := range symmetries {
		inverse := false
		for j := range symmetries {
			images := mapped(s, maps[j+1])
			if find(images) < 0 {
				k := moved(images)
				return c.broken(lawGroup, states[k], "symmetry %d takes it to number %d, and symmetry %d that to number %d; both together are no symmetry of the list", j+1, maps[j+1][k], i+1, images[k])
			}
			inverse = inverse || slices.Equal(images, states)
		}
		if !inverse {
			k := moved(maps[i+1])
			return c.broken(lawGroup, states[k], "symmetry %d takes it to number %d, and no symmetry takes all states back", i+1, maps[i+1][k])
		}
	}
	return nil
}

// words compares what symmetries do to words with what they do to numbers.
func (c *checker) words(symmetries []statespace.WordSymmetry, n int) error {
	size := c.sp.Size()
	words := bitset.Words(size)
	for range n {
		word, seed := c.rng.Uint64N(words), c.rng.Uint64()
		beyond := false
		read := func(w uint64) uint64 {
			beyond = beyond || w >= words
			v := rand.New(rand.NewPCG(seed, w)).Uint64()
			if n := size % 64; n != 0 && w == words-1 {
				v &= 1<<n - 1
			}
			return v
		}
		for i, s := range symmetries {
			plain := sweep.Plain(s, size)
			if got, want := s.Least(word), plain.Least(word); got != want {
				return c.broken(lawWords, 64*word, "symmetry %d: the least numbers are %x, one by one %x", i+1, got, want)
			}
			if got, want := s.Gather(word, read), plain.Gather(word, read); got != want || beyond {
				return c.broken(lawWords, 64*word, "symmetry %d gathers %x, one by one %x; words beyond the last were read: %t", i+1, got, want, beyond)
			}
		}
	}
	return nil
}

// gather compares what symmetries do to blocks of 2^bits numbers with what they do to numbers.
func (c *checker) gather(symmetries []statespace.WordSymmetry, bits int) error {
	size := c.sp.Size()
	words := make([]uint64, 1<<bits/64)
	for range 10 {
		block := c.rng.Uint64N(size >> bits)
		first := block << bits
		for i := range words {
			words[i] = c.rng.Uint64()
		}
		for i, s := range symmetries {
			to := s.Map(first) >> bits
			if x := first + c.rng.Uint64N(1<<bits); !s.TakesBlocks(bits) || s.Map(x)>>bits != to {
				return c.broken(lawWords, x, "symmetry %d should take its block of 2^%d numbers to block %d", i+1, bits, to)
			}
			got, want := make([]uint64, len(words)), make([]uint64, len(words))
			sweep.GatherBlock(got, s, block, words)
			sweep.GatherBlock(want, sweep.Plain(s, size), block, words)
			if !slices.Equal(got, want) {
				return c.broken(lawWords, first, "symmetry %d gathers other numbers of its block of 2^%d numbers than one by one", i+1, bits)
			}
		}
	}
	return nil
}

// fold folds and unfolds the set of what can be reached.
func (c *checker) fold(set *bitset.Set) error {
	const law = "a set folds to the least member of each orbit, and unfolds to what it was"
	symmetries := statespace.Symmetries(c.sp)
	want := bitset.New(c.sp.Size())
	sum := uint64(0)
	for x := range set.All() {
		if !slices.ContainsFunc(symmetries, func(s statespace.Symmetry) bool { return s.Map(x) < x }) {
			want.Add(x)
			sum += uint64(statespace.Orbit(symmetries, x))
		}
	}
	if sum != set.Count() {
		return c.brokenAll(law, "the orbits of the least members have %d states, the set has %d", sum, set.Count())
	}
	for _, threads := range []int{1, 3} {
		folded, unfolded := clone(set), bitset.New(c.sp.Size())
		for i := range unfolded.Words() {
			unfolded.Words()[i] = 0x5555 // to be written over
		}
		if err := FoldSet(c.ctx, c.sp, folded, threads); err != nil {
			return err
		}
		if x, differ := difference(folded, want); differ {
			return c.broken(law, x, "folded on %d threads the set has %d members, one by one %d", threads, folded.Count(), want.Count())
		}
		if err := sweep.UnfoldSet(c.ctx, c.sp, folded, unfolded, threads, nil); err != nil {
			return err
		}
		if x, differ := difference(unfolded, set); differ {
			return c.broken(law, x, "unfolded on %d threads the set has %d members, and had %d", threads, unfolded.Count(), set.Count())
		}
	}
	return nil
}
