package layers_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"pagoda/bitset"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/sweep"
)

// What is wrong with a folded file is found by Open, by the questions that meet it, or by the
// proof.
func TestHostileFolded(t *testing.T) {
	sp := octagon(t)
	folding := sweep.BlocksOf(sp.Space).Folding()
	const bits, n = 8, 4 // words of a block
	var blocks []uint64
	index := make([]uint32, sp.Size()>>bits)
	for i, block := range folding.Order {
		blocks = append(blocks, sp.set.Words()[n*block:][:n]...)
		index[block] = uint32(i + 1)
	}
	meta := metaOf(sp, layers.FoldedStore)
	meta.Symmetries, meta.BlockBits = 8, bits
	path := filepath.Join(t.TempDir(), "a.reach")
	write := func(blocks []uint64, index []uint32, meta *layers.Meta) {
		t.Helper()
		layers.Handmade(t, path, meta, layers.RawSection{Name: "blocks", Data: little(blocks)}, layers.RawSection{Name: "index", Data: little(index)})
	}
	write(blocks, index, meta)
	if err := errors.Join(read(path), prove(t, path, sp)); err != nil {
		t.Fatal(err)
	}

	f, err := layers.Open(t.Context(), path, define, 0)
	if err != nil {
		t.Fatal(err)
	}
	set, _ := f.Folded()
	if order, err := set.(sweep.OrderedSet).Order(); err != nil || !slices.Equal(order, folding.Order) {
		t.Errorf("the blocks of the file are %v, %v; want %v", order, err, folding.Order)
	}
	f.Close()

	// What Open refuses.
	refused := func(what string, blocks []uint64, index []uint32, meta layers.Meta) {
		t.Helper()
		write(blocks, index, &meta)
		if f, err := layers.Open(t.Context(), path, define, 0); !errors.Is(err, layers.ErrDamaged) {
			t.Errorf("%s: %v", what, err)
			f.Close()
		}
	}
	refused("a block too many", append(slices.Clone(blocks), make([]uint64, sp.Size()/64)...), index, *meta)
	refused("a part of a block", blocks[1:], index, *meta)
	refused("a short index", blocks, index[1:], *meta)
	refused("a long index", blocks, append(slices.Clone(index), 0), *meta)
	for _, bits := range []int{-1, 0, 5, 7, 9, 12, 17, 64, 1 << 40} {
		bad := *meta
		bad.BlockBits = bits
		refused("the bits of a block", blocks, index, bad)
	}
	for _, n := range []int{-1, 0, 1, 9} {
		bad := *meta
		bad.Symmetries = n
		refused("the number of symmetries", blocks, index, bad)
	}
	for _, orbits := range []uint64{1, meta.Layers[5].States/8 - 1, meta.Layers[5].States + 1, 1 << 63} {
		bad := *meta
		bad.Layers = slices.Clone(meta.Layers)
		for i := range bad.Layers {
			bad.Layers[i].Orbits = bad.Layers[i].States
		}
		bad.Layers[5].Orbits = orbits
		refused("the number of orbits", blocks, index, bad)
	}
	for _, store := range []string{layers.SetStore, layers.PackedStore} {
		bad := *meta
		bad.Store, bad.Symmetries = store, 0
		refused("blocks in another store", blocks, index, bad)
		bad.BlockBits, bad.Layers = 0, slices.Clone(meta.Layers)
		bad.Layers[0].Orbits = 1
		refused("orbits in another store", blocks, index, bad)
	}

	// A place beyond the last: found by those who read it.
	bad := slices.Clone(index)
	lost := folding.Order[0]
	bad[lost] = uint32(len(folding.Order) + 1)
	write(blocks, bad, meta)
	if f, err = layers.Open(t.Context(), path, define, 0); err != nil {
		t.Fatal(err)
	}
	x := uint64(lost) << bits
	for _, y := range []uint64{x, sp.Space.(foldable).Symmetries()[0].Map(x)} {
		if _, err := f.Has(y); !errors.Is(err, layers.ErrDamaged) {
			t.Errorf("a block at a place beyond the last: %v", err)
		}
		if _, err := f.Members().(bitset.Finder).Word(y / 64); !errors.Is(err, layers.ErrDamaged) {
			t.Errorf("a block at a place beyond the last: %v", err)
		}
	}
	for _, err := range []error{f.Prove(t.Context(), nil, 2), readStore(f)} {
		if !errors.Is(err, layers.ErrDamaged) {
			t.Errorf("a block at a place beyond the last: %v", err)
		}
	}
	f.Close()

	// What proofs find.
	unproved := func(what string, blocks []uint64, index []uint32) {
		t.Helper()
		write(blocks, index, meta)
		f, err := layers.Open(t.Context(), path, define, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := f.Prove(t.Context(), nil, 2); !errors.Is(err, layers.ErrDamaged) {
			t.Errorf("%s: %v", what, err)
		}
	}
	bad = slices.Clone(index)
	bad[folding.Order[0]] = index[folding.Order[1]]
	unproved("two blocks at a place", blocks, bad)
	bad[folding.Order[0]] = 0
	unproved("a block that the index does not lead to", blocks, bad)
	symmetries := sweep.Symmetries(sp.Space)
	for block, place := range index {
		_, stabiliser := sweep.BlockOrbit(symmetries, bits, uint64(block))
		if _, by := sweep.Represent(symmetries, bits, uint64(block)); by != nil {
			bad := slices.Clone(index)
			bad[folding.Order[0]], bad[block] = 0, index[folding.Order[0]]
			unproved("a block that is no representative", blocks, bad)
		} else if place > 0 && len(stabiliser) > 0 {
			for i := uint64(0); i < 1<<bits; i += 37 {
				if x := uint64(block)<<bits + i; slices.ContainsFunc(stabiliser, func(s statespace.WordSymmetry) bool { return s.Map(x) != x }) {
					bad := slices.Clone(blocks)
					bad[uint64(place-1)*n+i/64] ^= 1 << (i % 64)
					unproved("a block that is not symmetric", bad, index)
				}
			}
		}
	}
}

// Sets that are not symmetric are not folded.
func TestNotFolded(t *testing.T) {
	sp := octagon(t)
	folding := sweep.BlocksOf(sp.Space).Folding()
	write := func(sp statespace.Space, set *bitset.Set, meta *layers.Meta) error {
		t.Helper()
		w, err := layers.Create(filepath.Join(t.TempDir(), "a.reach"), 0, false)
		if err != nil {
			t.Fatal(err)
		}
		_, err = w.Finish(t.Context(), sp, set, meta, layers.WriteOptions{Threads: 2})
		return err
	}
	if err := write(sp.Space, sp.set, metaOf(sp, layers.FoldedStore)); err != nil {
		t.Fatal(err)
	}
	// A member in a block that the order leaves out.
	short := sp.Space.(foldable)
	short.folding.Order = slices.DeleteFunc(slices.Clone(folding.Order), func(block uint32) bool { return slices.Max(sp.set.Words()[4*block:][:4]) != 0 })
	if err := write(short, sp.set, metaOf(sp, layers.FoldedStore)); err == nil || !bytes.Contains([]byte(err.Error()), []byte("the set is not symmetric")) {
		t.Errorf("blocks with members are left out: %v", err)
	}
	// A set with a member and without its image.
	lean := reached{sp.Space, bitset.New(sp.Size()), nil}
	copy(lean.set.Words(), sp.set.Words())
	for x := range sp.set.All() {
		if blocks, _ := sweep.BlockOrbit(sweep.Symmetries(short), folding.Bits, x>>folding.Bits); blocks > 1 {
			lean.set.Flip(x)
			break
		}
	}
	lean.layers = statespace.CountLayers(lean.Space, lean.set)
	if err := write(sp.Space, lean.set, metaOf(lean, layers.FoldedStore)); err == nil || !bytes.Contains([]byte(err.Error()), []byte("the set is not symmetric")) {
		t.Errorf("a set that differs from another side: %v", err)
	}
	// A block that there is not, and one that is there twice.
	for _, block := range []uint32{uint32(sp.Size() >> 8), folding.Order[3]} {
		short.folding.Order = append(slices.Clone(folding.Order), block)
		if err := write(short, sp.set, metaOf(sp, layers.FoldedStore)); err == nil {
			t.Errorf("an order with block %d at its end was taken", block)
		}
	}
	// Wrong orbits; and those for another store, which has none.
	meta := metaOf(sp, layers.FoldedStore)
	for i := range meta.Layers {
		meta.Layers[i].Orbits = 1
	}
	if err := write(sp.Space, sp.set, meta); err == nil {
		t.Error("too few orbits were taken")
	}
	meta.Store = layers.SetStore
	if err := write(sp.Space, sp.set, meta); err != nil {
		t.Error(err)
	}
	if slices.IndexFunc(layers.Stores, func(s layers.Store) bool { return s.Name == layers.FoldedStore && s.Fits(numbers{n: 64}) == nil }) >= 0 {
		t.Error("a space without a folding fits")
	}
}
