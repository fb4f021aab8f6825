package spacetest

import (
	"fmt"
	"math/big"
	"math/bits"
	"slices"

	"pagoda/bitset"
	"pagoda/statespace"
	"pagoda/statespace/paths"
	"pagoda/statespace/sweep"
)

const (
	lawEngines     = "every engine finds the states that the plainest search finds"
	lawEngine      = "engines have different names, and use each kernel that they list"
	lawCount       = "layers are counted as one by one"
	lawBetween     = "Between finds the states on the paths to a state"
	lawWays        = "paths are counted as one by one"
	lawCertificate = "the certificate accepts only the set of what can be reached"
)

// difference returns the first number that is in only one of two sets of the same size.
func difference(a, b *bitset.Set) (x statespace.Index, differ bool) {
	for i, w := range a.Words() {
		if d := w ^ b.Words()[i]; d != 0 {
			return uint64(i)*64 + uint64(bits.TrailingZeros64(d)), true
		}
	}
	return 0, false
}

// clone returns a copy of a set.
func clone(set *bitset.Set) *bitset.Set {
	other := bitset.New(set.Len())
	copy(other.Words(), set.Words())
	return other
}

// engines compares the engines that fill sets with the plainest search, and checks what follows
// from the set.
func (c *checker) engines(d *distances) error {
	plain := bitset.New(c.sp.Size())
	for _, layer := range d.layers {
		for _, x := range layer {
			plain.Add(x)
		}
	}
	if !c.parts.Goals.Ends {
		set := bitset.New(c.sp.Size())
		if err := statespace.Search(c.ctx, c.sp, set, nil); err != nil {
			return err
		}
		if x, differ := difference(set, plain); differ {
			return c.broken(lawEngines, x, "the plain search finds %d states, there are %d", set.Count(), plain.Count())
		}
	}
	if err := c.fills(plain); err != nil {
		return err
	}
	for _, check := range []func(set *bitset.Set) error{c.fold, c.counts, c.pointers, c.near} {
		if err := check(plain); err != nil {
			return err
		}
	}
	if c.parts.Layers == nil {
		return nil
	}
	if err := c.certificates(c.sp, plain); err != nil {
		return err
	}
	if err := c.between(c.sp, plain); err != nil {
		return err
	}
	if err := c.ways(c.sp, plain); err != nil {
		return err
	}
	if sweep.BlocksOf(c.sp) == nil {
		return nil
	}
	return c.blocks(c.sp, plain, false)
}

// fills checks all engines, with all their kernels.
func (c *checker) fills(plain *bitset.Set) error {
	seen := make(map[string]bool)
	for _, e := range sweep.Engines(c.sp) {
		if e.Name == "" || seen[e.Name] {
			return c.brokenAll(lawEngine, "the engine %q has no name, or that of another one", e.Name)
		}
		seen[e.Name] = true
		kernels := slices.Clone(e.Kernels)
		if len(kernels) == 0 {
			kernels = []string{""}
		}
		// The best is the last: it stays in use.
		for _, kernel := range slices.Backward(kernels) {
			if kernel != "" {
				if err := e.UseKernel(kernel); err != nil {
					return c.brokenAll(lawEngine, "%s does not use its kernel %s: %v", e.Name, kernel, err)
				}
				if now, err := FindEngine(c.sp, e.Name); err != nil || now.Kernel != kernel {
					return c.brokenAll(lawEngine, "%s should use the kernel %s now, and uses %q: %v", e.Name, kernel, now.Kernel, err)
				}
			}
			for _, threads := range []int{1, 2, 7} {
				if err := c.fill(e, kernel, threads, plain); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// fill checks an engine.
func (c *checker) fill(e statespace.SweepEngine, kernel string, threads int, plain *bitset.Set) error {
	set := bitset.New(c.sp.Size())
	r, err := sweep.NewRun(c.sp, e, set)
	if err == nil {
		_, err = r.Do(c.ctx, 0, nil, threads, nil)
	}
	if err != nil {
		return fmt.Errorf("%s: %s %s on %d threads: %w", c.sp.Name(), e.Name, kernel, threads, err)
	}
	if x, differ := difference(set, plain); differ {
		return c.broken(lawEngines, x, "%s %s on %d threads finds %d states, there are %d", e.Name, kernel, threads, set.Count(), plain.Count())
	}
	return nil
}

// counts checks the count of the layers of a set.
func (c *checker) counts(set *bitset.Set) error {
	layers, err := sweep.CountLayers(c.ctx, c.sp, set, 2)
	if err != nil {
		return err
	}
	if want := statespace.CountLayers(c.sp, set); !slices.Equal(layers, want) {
		return c.brokenAll(lawCount, "the layers are %v, one by one %v", layers, want)
	}
	return nil
}

// near checks what a space with cells finds in a set.
func (c *checker) near(set *bitset.Set) error {
	if c.parts.Cells == nil {
		return nil
	}
	return c.questions(set, 10)
}

// between checks which states lead to others. The plain way is trusted for spaces that have no
// kernel for it.
func (c *checker) between(sp statespace.Space, set *bitset.Set) error {
	members := slices.Collect(set.All())
	if sweep.Of(sp).Between == nil || len(members) == 0 {
		return nil
	}
	for range 4 {
		to := members[c.rng.IntN(len(members))]
		for _, symmetries := range [][]paths.Symmetry{nil, paths.Keeping(sp, to)} {
			fast, plain := bitset.New(sp.Size()), bitset.New(sp.Size())
			if err := paths.Between(c.ctx, sp, symmetries, set, to, fast, 2, nil); err != nil {
				return err
			}
			if err := paths.BetweenPlain(c.ctx, sp, symmetries, set, to, plain); err != nil {
				return err
			}
			if x, differ := difference(fast, plain); differ {
				return c.broken(lawBetween, x, "%d states lead to number %d up to %d symmetries, one by one %d", fast.Count(), to, len(symmetries), plain.Count())
			}
		}
	}
	return nil
}

// ways checks numbers of paths. The plain way is trusted for spaces that have no kernel for it.
func (c *checker) ways(sp statespace.Space, set *bitset.Set) error {
	members := slices.Collect(set.All())
	fast := sweep.Of(sp).Ways
	if fast == nil || len(members) == 0 {
		return nil
	}
	q := statespace.WaysQuestion{Layers: true, Memory: 1 << 30, Threads: 2}
	for range 5 {
		q.To = append(q.To, members[c.rng.IntN(len(members))])
	}
	plain, err := paths.CountWaysPlain(c.ctx, sp, set, q)
	if err != nil {
		return err
	}
	compare := func(q statespace.WaysQuestion, to []*big.Int) error {
		got, err := fast(c.ctx, q)
		if got == nil || err != nil {
			return err
		}
		if fmt.Sprint(got.To) != fmt.Sprint(to) {
			return c.broken(lawWays, q.To[0], "%v paths lead to %v, one by one %v", got.To, q.To, to)
		}
		if text := waysText(got.Layers); q.Layers && text != waysText(plain.Layers) {
			return c.brokenAll(lawWays, "by layer it finds %s, one by one %s", text, waysText(plain.Layers))
		}
		return nil
	}
	for i, x := range q.To {
		if err := compare(statespace.WaysQuestion{To: []statespace.Index{x}, Memory: q.Memory, Threads: 1}, plain.To[i:i+1]); err != nil {
			return err
		}
	}
	return compare(q, plain.To)
}

// waysText writes paths by layer so that they can be compared.
func waysText(layers []statespace.WaysLayer) (text string) {
	for _, l := range layers {
		text += fmt.Sprintf("%d: %d, %v, %d, %v; ", l.Layer, l.States, l.Paths, l.DeadEnds, l.Games)
	}
	return text
}

// certificates checks that the certificate accepts the set of what can be reached, and refuses
// others.
func (c *checker) certificates(sp statespace.Space, set *bitset.Set) error {
	if err := c.certificate(sp, set, true); err != nil {
		return err
	}
	if n := sp.Size() % 64; n != 0 {
		beyond := clone(set)
		beyond.Words()[sp.Size()/64] |= 1<<63 | 1<<n
		if err := c.certificate(sp, beyond, false); err != nil {
			return err
		}
	}
	for range min(20, 1+1<<18/sp.Size()) {
		changed := clone(set)
		changed.Flip(c.rng.Uint64N(sp.Size()))
		if err := c.certificate(sp, changed, false); err != nil {
			return err
		}
	}
	return nil
}

// certificate compares the fast certificate with the plain one, and both with what is known of the
// set.
func (c *checker) certificate(sp statespace.Space, set *bitset.Set, good bool) error {
	fast, err := sweep.Verify(c.ctx, sp, set, 2, nil)
	if err != nil {
		return err
	}
	plain, err := statespace.Certify(c.ctx, sp, set)
	if err != nil {
		return err
	}
	if fast != plain || (plain.Count == 0) != good {
		return c.brokenAll(lawCertificate, "it finds %+v, state by state %+v; the set is right: %t", fast, plain, good)
	}
	return nil
}
