package layers_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/trie"
)

// handmade writes a file of numbers below n and opens it.
func handmade(t *testing.T, n uint64, meta layers.Meta, sections ...layers.Section) (*layers.File, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.reach")
	meta.Space, meta.Size = numbers{n: n}.Definition(), n
	meta.Layers = []layers.LayerCount{{States: meta.States}}
	layers.Handmade(t, path, &meta, sections...)
	f, err := layers.Open(path, define)
	if err == nil {
		t.Cleanup(func() { f.Close() })
	}
	return f, err
}

func little(v any) []byte {
	var b bytes.Buffer
	if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// allocated returns how many bytes f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// A small file cannot make a reader take much time or memory, whatever it says.
func TestHostile(t *testing.T) {
	// A roaring container of many runs takes long to validate.
	var runs []uint16
	const n = 1 << 15
	for i := range n {
		runs = append(runs, uint16(2*i), 0)
	}
	frozen := slices.Concat(little(runs), little([]uint16{0, n}), []byte{3}, little(uint32(13766|1<<15)))
	f, err := handmade(t, 1<<16, layers.Meta{Store: layers.RoaringStore, States: n},
		layers.Section{Name: "bitmaps", Data: frozen}, layers.Section{Name: "index", Data: little([]uint64{0, 0, 0, uint64(len(frozen))})})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Has(2); !errors.Is(err, layers.ErrDamaged) {
		t.Errorf("a container of many runs: %v", err)
	}

	// A large space has many shards.
	used := allocated(func() {
		f, err := handmade(t, 1<<62, layers.Meta{Store: layers.RoaringStore}, layers.Section{Name: "bitmaps"}, layers.Section{Name: "index"})
		if err != nil {
			t.Fatal(err)
		}
		if has, err := f.Has(1 << 61); has || err != nil {
			t.Errorf("an empty set has a number: %t, %v", has, err)
		}
	})
	if used > 1<<22 {
		t.Errorf("a file without bitmaps took %d bytes", used)
	}

	// Bits change their places in a frame that is not whole.
	whole, rest := layers.Compress(t, make([]uint64, 1<<17)), layers.Compress(t, make([]uint64, 1))
	order := bitset.PlainOrder(23)
	order[0], order[1] = 1, 0
	_, err = handmade(t, 1<<23+64, layers.Meta{Store: layers.PackedStore, Symmetries: 1, BitOrder: order},
		layers.Section{Name: "frames", Data: slices.Concat(whole, rest)},
		layers.Section{Name: "offsets", Data: little([]uint64{0, uint64(len(whole)), uint64(len(whole) + len(rest))})})
	if !errors.Is(err, layers.ErrDamaged) {
		t.Errorf("bits out of place in a part of a frame: %v", err)
	}

	// A packed trie with leaves that are not used.
	b, err := trie.NewBuilder(64, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Add([]uint64{5}); err != nil {
		t.Fatal(err)
	}
	one, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	words := slices.Clone(one.Words())
	leaves := uint64(1 << 20)
	words[len(words)-2] = leaves
	many, err := trie.Over(append(words, make([]uint64, leaves-1)...))
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	if err := many.Pack(&packed); err != nil {
		t.Fatal(err)
	}
	f, err = handmade(t, 64, layers.Meta{Store: layers.PackedTrieStore, States: 2}, layers.Section{Name: "packed trie", Data: packed.Bytes()})
	if err != nil {
		t.Fatal(err)
	}
	used = allocated(func() {
		if _, err := f.Has(1); !errors.Is(err, layers.ErrDamaged) {
			t.Errorf("a packed trie of 2^20 leaves that are not used: %v", err)
		}
	})
	if used > 1<<22 {
		t.Errorf("a packed trie of %d bytes took %d", packed.Len(), used)
	}
}

// A file cut short while its states are written in another store, or made a set, is an
// error that names it.
func TestCutWhileConverted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a mapped file cannot be cut short here")
	}
	for _, sp := range []reached{reach(t, "ooooo\nooooo\noo.oo\nooooo"), slides(t, "slide/klotski")} {
		testCut(t, sp)
	}
}

func testCut(t *testing.T, sp reached) {
	for _, from := range sp.stores() {
		for _, to := range sp.stores() {
			path := filepath.Join(t.TempDir(), "from")
			writeStore(t, path, from.Name, sp)
			f, err := layers.Open(path, define)
			if err != nil {
				t.Fatal(err)
			}
			if err := f.Check(t.Context(), 1, nil); err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(path, 4096); err != nil {
				t.Fatal(err)
			}
			w, err := layers.Create(filepath.Join(t.TempDir(), "to"), 0, false)
			if err != nil {
				t.Fatal(err)
			}
			_, err = w.Finish(t.Context(), sp.Space, f.Members(), metaOf(sp, to.Name), layers.Making{Threads: 2})
			if !errors.Is(err, mapped.ErrFault) || !bytes.Contains([]byte(err.Error()), []byte(path)) {
				t.Errorf("%s to %s: %v", from.Name, to.Name, err)
			}
			f.Close()
		}
	}
}

// Stores are for sizes that are no powers of two as well.
func TestOddSizes(t *testing.T) {
	sizes := []uint64{1, 2, 63, 64, 65, 1000, 1<<19 - 1, 1<<19 + 1}
	if !testing.Short() {
		sizes = append(sizes, 1<<23+1<<19+77)
	}
	for _, n := range sizes {
		rng := rand.New(rand.NewPCG(n, 2))
		sp, set := numbers{n: n}, bitset.New(n)
		for range n/3 + 1 {
			set.Add(rng.Uint64N(n))
		}
		set.Add(n - 1)
		meta := &layers.Meta{Space: sp.Definition(), Size: n, States: set.Count(), Layers: []layers.LayerCount{{States: set.Count()}}}
		write := func(store string, members bitset.Reader) *layers.File {
			meta.Store = store
			path := filepath.Join(t.TempDir(), "a.reach")
			w, err := layers.Create(path, 0, false)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Finish(t.Context(), sp, members, meta, layers.Making{Threads: 2}); err != nil {
				t.Fatalf("n=%d, %s: %v", n, store, err)
			}
			f, err := layers.Open(path, define)
			if err != nil {
				t.Fatalf("n=%d, %s: %v", n, store, err)
			}
			t.Cleanup(func() { f.Close() })
			return f
		}
		for _, from := range layers.Stores {
			if from.Fits(sp) != nil {
				continue
			}
			first := write(from.Name, set)
			for _, to := range layers.Stores {
				if to.Fits(sp) != nil {
					continue
				}
				f := write(to.Name, first.Members())
				got, free, err := layers.LoadSet(t.Context(), f.Members(), 1)
				if err != nil || !slices.Equal(got.Words(), set.Words()) {
					t.Fatalf("n=%d, %s of %s: the set differs, %v", n, to.Name, from.Name, err)
				}
				free()
				for range min(50, 1+(1<<24)/n/10) {
					x, i := rng.Uint64N(n), rng.Uint64N(set.Count())
					has, err1 := f.Has(x)
					rank, err2 := bitset.Rank(f.Members(), x)
					y, err3 := bitset.Select(f.Members(), i)
					wantRank, _ := bitset.Rank(set, x)
					wantY, _ := bitset.Select(set, i)
					if err := errors.Join(err1, err2, err3); err != nil || has != set.Has(x) || rank != wantRank || y != wantY {
						t.Fatalf("n=%d, %s of %s: Has(%d) = %t, Rank %d, Select(%d) = %d, %v; want Rank %d, Select %d", n, to.Name, from.Name, x, has, rank, i, y, err, wantRank, wantY)
					}
				}
			}
		}
	}
}

// Frames hold least members only: others would be members of the whole and not be found.
func TestProveFrames(t *testing.T) {
	sp := reach(t, "oooo\no.oo\noooo\noooo")
	symmetries := statespace.Symmetries(sp.Space)
	others := bitset.New(sp.Size())
	for x := range sp.set.All() {
		if statespace.Orbit(symmetries, x) == 1 || slices.ContainsFunc(symmetries, func(s statespace.Symmetry) bool { return s.Map(x) < x }) {
			others.Add(x)
		}
	}
	meta := metaOf(sp, layers.PackedStore)
	meta.Symmetries = 1 + len(symmetries)
	path := filepath.Join(t.TempDir(), "a.reach")
	frame := layers.Compress(t, others.Words())
	layers.Handmade(t, path, meta, layers.Section{Name: "frames", Data: frame}, layers.Section{Name: "offsets", Data: little([]uint64{0, uint64(len(frame))})})
	if err := prove(t, path, sp); !errors.Is(err, layers.ErrDamaged) {
		t.Errorf("frames of members that are not least: %v", err)
	}
}

// A folded file that is not so is found out: by Open, by the questions that meet it, or by
// the proof.
func TestHostileFolded(t *testing.T) {
	sp := octagon(t)
	folding := statespace.FoldingOf(sp.Space)
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
		layers.Handmade(t, path, meta, layers.Section{Name: "blocks", Data: little(blocks)}, layers.Section{Name: "index", Data: little(index)})
	}
	write(blocks, index, meta)
	if err := errors.Join(read(path), prove(t, path, sp)); err != nil {
		t.Fatal(err)
	}

	f, err := layers.Open(path, define)
	if err != nil {
		t.Fatal(err)
	}
	set, _ := f.Folded()
	if order, err := set.(statespace.OrderedSet).Order(); err != nil || !slices.Equal(order, folding.Order) {
		t.Errorf("the blocks of the file are %v, %v; want %v", order, err, folding.Order)
	}
	f.Close()

	// What Open refuses.
	refused := func(what string, blocks []uint64, index []uint32, meta layers.Meta) {
		t.Helper()
		write(blocks, index, &meta)
		if f, err := layers.Open(path, define); !errors.Is(err, layers.ErrDamaged) {
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
		refused("blocks of so many bits", blocks, index, bad)
	}
	for _, n := range []int{-1, 0, 1, 9} {
		bad := *meta
		bad.Symmetries = n
		refused("so many symmetries", blocks, index, bad)
	}
	for _, orbits := range []uint64{1, meta.Layers[5].States/8 - 1, meta.Layers[5].States + 1, 1 << 63} {
		bad := *meta
		bad.Layers = slices.Clone(meta.Layers)
		for i := range bad.Layers {
			bad.Layers[i].Orbits = bad.Layers[i].States
		}
		bad.Layers[5].Orbits = orbits
		refused("so many orbits", blocks, index, bad)
	}
	for _, store := range []string{layers.SetStore, layers.PackedStore} {
		bad := *meta
		bad.Store, bad.Symmetries = store, 0
		refused("blocks in another store", blocks, index, bad)
		bad.BlockBits, bad.Layers = 0, slices.Clone(meta.Layers)
		bad.Layers[0].Orbits = 1
		refused("orbits in another store", blocks, index, bad)
	}

	// A place that there is not: whoever meets it.
	bad := slices.Clone(index)
	lost := folding.Order[0]
	bad[lost] = uint32(len(folding.Order) + 1)
	write(blocks, bad, meta)
	if f, err = layers.Open(path, define); err != nil {
		t.Fatal(err)
	}
	x := uint64(lost) << bits
	for _, y := range []uint64{x, sp.Space.(foldable).Symmetries()[0].Map(x)} {
		if _, err := f.Has(y); !errors.Is(err, layers.ErrDamaged) {
			t.Errorf("a block at a place that there is not: %v", err)
		}
		if _, err := f.Members().(bitset.Finder).Word(y / 64); !errors.Is(err, layers.ErrDamaged) {
			t.Errorf("a block at a place that there is not: %v", err)
		}
	}
	for _, err := range []error{f.Prove(t.Context(), nil, 2), readStore(f)} {
		if !errors.Is(err, layers.ErrDamaged) {
			t.Errorf("a block at a place that there is not: %v", err)
		}
	}
	f.Close()

	// What proofs find.
	unproved := func(what string, blocks []uint64, index []uint32) {
		t.Helper()
		write(blocks, index, meta)
		f, err := layers.Open(path, define)
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
	symmetries := sp.Space.(foldable).Symmetries()
	for block, place := range index {
		_, stabiliser := statespace.BlockOrbit(symmetries, bits, uint64(block))
		if _, by := statespace.KeptBlock(symmetries, bits, uint64(block)); by != nil {
			bad := slices.Clone(index)
			bad[folding.Order[0]], bad[block] = 0, index[folding.Order[0]]
			unproved("a block that is not kept", blocks, bad)
		} else if place > 0 && len(stabiliser) > 0 {
			for i := uint64(0); i < 1<<bits; i += 37 {
				if x := uint64(block)<<bits + i; slices.ContainsFunc(stabiliser, func(s statespace.Symmetry) bool { return s.Map(x) != x }) {
					bad := slices.Clone(blocks)
					bad[uint64(place-1)*n+i/64] ^= 1 << (i % 64)
					unproved("a block that is not the same from all sides", bad, index)
				}
			}
		}
	}
}

// Sets that cannot be folded are not written so.
func TestNotFolded(t *testing.T) {
	sp := octagon(t)
	folding := statespace.FoldingOf(sp.Space)
	write := func(sp statespace.Space, set *bitset.Set, meta *layers.Meta) error {
		t.Helper()
		w, err := layers.Create(filepath.Join(t.TempDir(), "a.reach"), 0, false)
		if err != nil {
			t.Fatal(err)
		}
		_, err = w.Finish(t.Context(), sp, set, meta, layers.Making{Threads: 2})
		return err
	}
	if err := write(sp.Space, sp.set, metaOf(sp, layers.FoldedStore)); err != nil {
		t.Fatal(err)
	}
	// A member in a block that the order leaves out.
	short := sp.Space.(foldable)
	short.folding.Order = slices.DeleteFunc(slices.Clone(folding.Order), func(block uint32) bool { return slices.Max(sp.set.Words()[4*block:][:4]) != 0 })
	if err := write(short, sp.set, metaOf(sp, layers.FoldedStore)); err == nil || !bytes.Contains([]byte(err.Error()), []byte("were told")) {
		t.Errorf("blocks with members are left out: %v", err)
	}
	// A set with a member and without its image.
	lean := reached{sp.Space, bitset.New(sp.Size())}
	copy(lean.set.Words(), sp.set.Words())
	for x := range sp.set.All() {
		if blocks, _ := statespace.BlockOrbit(short.Symmetries(), folding.Bits, x>>folding.Bits); blocks > 1 {
			lean.set.Flip(x)
			break
		}
	}
	if err := write(sp.Space, lean.set, metaOf(lean, layers.FoldedStore)); err == nil || !bytes.Contains([]byte(err.Error()), []byte("not the same from all sides")) {
		t.Errorf("a set that differs from another side: %v", err)
	}
	// A block that there is not, and one that is there twice.
	for _, block := range []uint32{uint32(sp.Size() >> 8), folding.Order[3]} {
		short.folding.Order = append(slices.Clone(folding.Order), block)
		if err := write(short, sp.set, metaOf(sp, layers.FoldedStore)); err == nil {
			t.Errorf("an order with block %d at its end was taken", block)
		}
	}
	// Orbits that were told wrong; and of another store, which has none.
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
