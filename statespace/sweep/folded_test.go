package sweep_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pagoda/bitset"
	"pagoda/statespace"
	"pagoda/statespace/internal/toys"
	"pagoda/statespace/spacetest"
	"pagoda/statespace/sweep"
)

// folded is a FoldedSet of blocks in memory. It can fail, and list its blocks in an order.
type folded struct {
	set   *bitset.Set // only the representatives count
	bits  int
	fails uint64 // the block that cannot be read, or none
}

const none = ^uint64(0)

func (f folded) Len() uint64 { return f.set.Len() }
func (f folded) Bits() int   { return f.bits }

func (f folded) Representative(block uint64) ([]uint64, error) {
	if block == f.fails {
		return nil, errStop
	}
	n := uint64(1) << (f.bits - 6)
	words := f.set.Words()[block*n:][:n]
	if !slices.ContainsFunc(words, func(w uint64) bool { return w != 0 }) {
		return nil, nil
	}
	return words, nil
}

// ordered is a folded set with an order, or without.
type ordered struct {
	folded
	err error
}

func (o ordered) Order() ([]uint32, error) { return []uint32{3, 1}, o.err }

// represent returns a set with the members in representatives only.
func represent(sp statespace.Space, set *bitset.Set, bits int) *bitset.Set {
	kept := bitset.New(set.Len())
	for x := range set.All() {
		if representative, _ := sweep.Represent(sweep.Symmetries(sp), bits, x>>bits); representative == x>>bits {
			kept.Add(x)
		}
	}
	return kept
}

func TestUnfolded(t *testing.T) {
	sp := toys.Pairs{N: 6}
	all := toys.Reach(t, sp)
	symmetries := sweep.Symmetries(sp)
	u := sweep.Unfolded{FoldedSet: folded{represent(sp, all, 6), 6, none}, Symmetries: symmetries}
	for x := range sp.Size() {
		if has, err := u.Has(x); err != nil || has != all.Has(x) {
			t.Fatalf("%s is a member: %t, %v, want %t", sp.Format(x), has, err, all.Has(x))
		}
	}
	scratch := make([]uint64, 3)
	for i := range all.Words() {
		if word, err := u.Word(uint64(i)); err != nil || word != all.Words()[i] {
			t.Fatalf("word %d is %x, %v, want %x", i, word, err, all.Words()[i])
		}
		words, err := u.Words(uint64(i), scratch) // blocks are words here
		if got := slices.Concat(words, []uint64{0})[0]; err != nil || got != all.Words()[i] {
			t.Fatalf("block %d is %x, %v, want %x", i, words, err, all.Words()[i])
		}
	}
	block, err := u.Block(0)
	if err != nil || !slices.Equal(block, all.Words()) {
		t.Errorf("the first block of the reader differs, %v", err)
	}
	empty := sweep.Unfolded{FoldedSet: folded{bitset.New(sp.Size()), 6, none}, Symmetries: symmetries}
	filled := []uint64{1, 2, 3}
	if err := empty.Fill(filled, 5); err != nil || slices.Max(filled) != 0 {
		t.Errorf("the words of an empty set are %x, %v", filled, err)
	}
	for block := range sp.Size() >> 6 {
		n, stabiliser := sweep.BlockOrbit(symmetries, 6, block)
		if diagonal := block/sp.N == block%sp.N; diagonal != (n == 1) || diagonal != (len(stabiliser) == 1) {
			t.Errorf("block %d has an orbit of %d, and %d symmetries take it to itself", block, n, len(stabiliser))
		}
	}
	u.FoldedSet = folded{represent(sp, all, 6), 6, 7}
	for name, err := range map[string]error{
		"Has":   second(u.Has(7 * 64)),
		"Word":  second(u.Word(7)),
		"Words": second(u.Words(7, scratch)),
		"Block": second(u.Block(0)),
	} {
		if !errors.Is(err, errStop) {
			t.Errorf("%s: a block that cannot be read became %v", name, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// Blocks of many words, and a symmetry with a kernel for blocks, give the same numbers.
func TestGatherBlock(t *testing.T) {
	sp := toys.Pairs{N: 16}
	reverse := sweep.Plain(toys.Map(func(x uint64) uint64 { return sp.Size() - 1 - x }), sp.Size())
	rng := rand.New(rand.NewPCG(1, 1))
	set := bitset.New(sp.Size())
	for range 4000 {
		x := rng.Uint64N(sp.Size())
		set.Add(x)
	}
	for x := range set.All() { // it is symmetric
		set.Add(reverse.Map(x))
	}
	for x := range set.All() {
		set.Add(reverse.Map(x))
	}
	for _, by := range []statespace.WordSymmetry{reverse, kernel{reverse}} {
		for _, bits := range []int{6, 8, 10} {
			low := bitset.New(sp.Size()) // the representatives are the lower half
			copy(low.Words(), set.Words()[:len(set.Words())/2])
			u := sweep.Unfolded{FoldedSet: folded{low, bits, none}, Symmetries: []statespace.WordSymmetry{by}}
			n := uint64(1) << (bits - 6)
			scratch := make([]uint64, n)
			for block := range sp.Size() >> bits {
				words, err := u.Words(block, scratch)
				if want := set.Words()[block*n:][:n]; err != nil || words == nil && slices.Max(want) != 0 || words != nil && !slices.Equal(words, want) {
					t.Fatalf("block %d of 2^%d numbers is %x, %v, want %x", block, bits, words, err, want)
				}
			}
			for range 50 { // parts that begin and end anywhere
				first := rng.Uint64N(uint64(len(set.Words())))
				dst := make([]uint64, rng.Uint64N(uint64(len(set.Words()))-first+1))
				if err := u.Fill(dst, first); err != nil || !slices.Equal(dst, set.Words()[first:][:len(dst)]) {
					t.Fatalf("%d words from word %d on differ, %v", len(dst), first, err)
				}
			}
		}
	}
}

// kernel is a symmetry that gathers blocks in a way of its own.
type kernel struct{ statespace.WordSymmetry }

func (k kernel) GatherBlock(dst, words []uint64, block uint64) bool {
	n := uint64(len(words))
	from := k.Map(block*n*64) / 64 / n * n
	for i := range dst {
		dst[i] = k.Gather(block*n+uint64(i), func(word uint64) uint64 { return words[word-from] })
	}
	return true
}

func TestFolded(t *testing.T) {
	pairs := toys.Pairs{N: 5}
	all := toys.Reach(t, pairs)
	for _, sp := range []statespace.Space{pairs, toys.NewSwept(pairs)} {
		for _, set := range []statespace.FoldedSet{folded{represent(sp, all, 6), 6, none}, ordered{folded{represent(sp, all, 6), 6, none}, nil}} {
			if faults, err := sweep.VerifyFolded(t.Context(), sp, set, 2, nil); err != nil || faults.Count != 0 {
				t.Errorf("%+v, %v", faults, err)
			}
			layers, err := sweep.CountFolded(t.Context(), sp, set, 2)
			if err != nil {
				t.Fatal(err)
			}
			orbits := uint64(0)
			for i, want := range statespace.CountLayers(pairs, all) {
				if layers[i].Layer != want.Layer || layers[i].States != want.States || layers[i].Orbits < want.States/2 || layers[i].Orbits > want.States {
					t.Errorf("layer %+v, want %+v", layers[i], want)
				}
				orbits += layers[i].Orbits
			}
			least := toys.Reach(t, pairs)
			if err := spacetest.FoldSet(t.Context(), pairs, least, 1); err != nil || orbits != least.Count() {
				t.Errorf("%d orbits, want %d, %v", orbits, least.Count(), err)
			}
		}
		// The faults are those of the unfolded set.
		changed := represent(sp, all, 6)
		changed.Flip(64*7 + 20)
		unfolded := bitset.New(sp.Size())
		u := sweep.Unfolded{FoldedSet: folded{changed, 6, none}, Symmetries: sweep.Symmetries(sp)}
		if err := u.Fill(unfolded.Words(), 0); err != nil {
			t.Fatal(err)
		}
		if faults, err := sweep.VerifyFolded(t.Context(), sp, u.FoldedSet, 2, nil); err != nil || faults != toys.Certify(t, pairs, unfolded) || faults.Count == 0 {
			t.Errorf("%+v, %v, want %+v", faults, err, toys.Certify(t, pairs, unfolded))
		}

		good := represent(sp, all, 6)
		for name, set := range map[string]statespace.FoldedSet{
			"cannot be read":  folded{good, 6, 7},
			"has no order":    ordered{folded{good, 6, none}, errStop},
			"another size":    folded{bitset.New(sp.Size() + 64), 6, none},
			"no whole blocks": folded{good, 8, none},
		} {
			_, err1 := sweep.VerifyFolded(t.Context(), sp, set, 2, nil)
			_, err2 := sweep.CountFolded(t.Context(), sp, set, 2)
			for _, err := range []error{err1, err2} {
				// The plain functions do not look for an order.
				if swept := sp.Parts().Sweep != nil; err == nil && (swept || name != "has no order") {
					t.Errorf("%s: a set that %s is accepted", sp.Name(), name)
				}
			}
		}
		if _, err := sweep.VerifyFolded(ended(t), sp, folded{good, 6, none}, 2, nil); !errors.Is(err, errStop) {
			t.Errorf("verify goes on after the end of its context: %v", err)
		}
		if _, err := sweep.CountFolded(ended(t), sp, folded{good, 6, none}, 2); !errors.Is(err, errStop) {
			t.Errorf("counting goes on after the end of its context: %v", err)
		}
	}
	if _, err := sweep.CountFolded(t.Context(), huge{pairs}, folded{new(bitset.Set), 6, none}, 1); err == nil || !strings.Contains(err.Error(), "the set holds 0") {
		t.Errorf("a set of no numbers: %v", err)
	}
	if _, err := sweep.CountFolded(t.Context(), huge{pairs}, hugeSet{}, 1); err == nil || !strings.Contains(err.Error(), "at most 2^32") {
		t.Errorf("2^34 blocks: %v", err)
	}
}

// huge has too many blocks of 2^6 numbers.
type huge struct{ statespace.Space }

func (huge) Size() uint64            { return 1 << 40 }
func (huge) Parts() statespace.Parts { return statespace.Parts{} }

type hugeSet struct{ statespace.FoldedSet }

func (hugeSet) Len() uint64 { return 1 << 40 }
func (hugeSet) Bits() int   { return 6 }
