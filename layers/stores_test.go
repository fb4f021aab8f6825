package layers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pagoda/bitset"
	"pagoda/internal/long"
	"pagoda/internal/mapped"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/sweep"
)

// readStore reads a file in all the ways that its store has.
func readStore(f *layers.File) error {
	return mapped.Guard(func() error {
		if _, _, err := f.ValuesElsewhere(); err != nil {
			return err
		}
		r := f.Members()
		words := bitset.Words(r.Len())
		for i := range min(bitset.Blocks(r), 4) {
			block, err := r.Block(i)
			if err != nil {
				return err
			}
			if n := min(words-i<<bitset.BlockBits/64, 1<<bitset.BlockBits/64); uint64(len(block)) != n {
				return fmt.Errorf("block %d has %d words, not %d", i, len(block), n)
			}
		}
		for i, x := 0, uint64(0); x < r.Len(); i, x = i+1, x+1+r.Len()/100 {
			if finder, ok := r.(bitset.Finder); ok {
				if _, err := finder.Word(x / 64); err != nil {
					return err
				}
			}
			if distances, ok := f.Distances(); ok {
				if _, err := distances.At(x); err != nil {
					return err
				}
			}
			if values, ok := f.Values(); ok {
				if err := values.Get(make([]uint64, len(values.Columns)), x); err != nil {
					return err
				}
			}
			if pointer := f.Pointer(); pointer != nil {
				if _, err := pointer(x); err != nil {
					return err
				}
			}
			if _, _, err := f.PointerPath(x); err != nil && !errors.Is(err, statespace.ErrNoPath) {
				return err
			}
			if f.Store().Lists {
				for _, e := range f.Space().Successors(nil, x) {
					f.Space().FormatMove(x, e)
				}
			}
			if i%10 > 0 || r.Len() > 1<<22 && x > 0 {
				continue // ranks look at all blocks
			}
			if _, err := bitset.Rank(r, x); err != nil {
				return err
			}
			if _, err := bitset.Select(r, x); err != nil && !errors.Is(err, bitset.ErrRank) {
				return err
			}
		}
		return nil
	})
}

// Every store holds what it was made of, answers as the set does, and makes every other
// store the same, byte for byte, on any number of threads.
func TestStores(t *testing.T) {
	for name, sp := range spaces(t) {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			files := make(map[string][]byte)
			for _, store := range sp.stores() {
				path := filepath.Join(dir, store.Name)
				writeStore(t, path, store.Name, sp)
				data, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				files[store.Name] = data
				testFileSize(t, store, sp, path, uint64(len(data)))
			}
			for n, from := range sp.stores() {
				f, err := layers.Open(t.Context(), filepath.Join(dir, from.Name), define, 0)
				if err != nil {
					t.Fatal(err)
				}
				if long.Tests || n%3 == 0 {
					testMembers(t, from.Name, f, inFile(t, f, sp))
				}
				members := membersOf(t, f, sp)
				for i, to := range sp.stores() {
					if sp.Size() > 1<<16 && (n+i)%3 > 0 || !long.Tests && (n+i)%6 > 0 {
						continue // for its time, each store is made of a part of the others
					}
					path := filepath.Join(dir, "converted")
					writeMembers(t, path, to.Name, sp, members, 1+i%3)
					if data, err := os.ReadFile(path); err != nil || !bytes.Equal(data, files[to.Name]) {
						t.Errorf("%s made of %s is not that made of the set (%v)", to.Name, from.Name, err)
					}
				}
				f.Close()
			}
		})
	}
}

// A large board has several bitmaps for a layer, and several packed frames.
func TestShardsAndFrames(t *testing.T) {
	if !long.Tests {
		t.Skip("a large board")
	}
	layers.UseShardBits(t, 24)
	sp := swept(t, "oooooo\noooooo\nooo.oo\noooooo\noooooo")
	for _, store := range []string{layers.RoaringStore, layers.PackedStore} {
		path := filepath.Join(t.TempDir(), "a.reach")
		writeMembers(t, path, store, sp, sp.set, 2)
		f, err := layers.Open(t.Context(), path, define, 0)
		if err != nil {
			t.Fatal(err)
		}
		testMembers(t, store, f, sp)
		f.Close()
	}
}

// Blocks of a folding may be larger than those of a bitset.Reader, and files of one be made
// of files of another.
func TestLargeBlocks(t *testing.T) {
	if !long.Tests {
		t.Skip("a large board")
	}
	sp := swept(t, fiveByFive)
	dir := t.TempDir()
	var last *layers.File
	for _, bits := range []int{20, 16, 12, 20} {
		sp := refold(t, sp, bits)
		path := filepath.Join(dir, fmt.Sprint(bits))
		if last == nil {
			writeMembers(t, path, layers.FoldedStore, sp, sp.set, 2)
		} else {
			writeMembers(t, path, layers.FoldedStore, sp, last.Members(), 2)
		}
		f, err := layers.Open(t.Context(), path, define, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		testMembers(t, layers.FoldedStore, f, sp)
		last = f
	}
	set := filepath.Join(dir, "set")
	writeMembers(t, set, layers.SetStore, sp, last.Members(), 2)
	if f, err := layers.Open(t.Context(), set, define, 0); err != nil || !slices.Equal(f.Members().(interface{ Words() []uint64 }).Words(), sp.set.Words()) {
		t.Errorf("the set of a folded file differs, %v", err)
	} else {
		f.Close()
	}
}

// testFileSize compares the size of a file with the prediction, which leaves out all but a page of
// the metadata.
func testFileSize(t *testing.T, store layers.Store, sp reached, path string, size uint64) {
	t.Helper()
	predicted := store.FileSize(sp.Space)
	if predicted == 0 {
		return
	}
	f, err := layers.Open(t.Context(), path, define, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	meta, err := json.Marshal(f.Meta())
	if err != nil {
		t.Fatal(err)
	}
	if more := uint64(len(meta)) / 4096 * 4096; size > predicted+more || size+8192 < predicted+more {
		t.Errorf("%s: %d bytes with %d of metadata, FileSize says %d", store.Name, size, len(meta), predicted)
	}
}

// testMembers compares a file with the set that it should hold.
func testMembers(t *testing.T, store string, f *layers.File, sp reached) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	if err := f.Check(t.Context(), 2, nil); err != nil {
		t.Error(err)
	}
	set, free, err := layers.LoadSet(t.Context(), f.Members(), 2)
	if err != nil {
		t.Fatal(err)
	}
	defer free()
	if !slices.Equal(set.Words(), sp.set.Words()) {
		t.Errorf("%s: LoadSet differs", store)
	}
	if err := f.Prove(t.Context(), set, 2); err != nil {
		t.Errorf("%s: %v", store, err)
	}
	if err := readStore(f); err != nil {
		t.Errorf("%s: %v", store, err)
	}
	r := f.Members()
	ranks := 1 // of these questions, one asks for ranks, which look at all blocks
	if sp.Size() > 1<<16 {
		ranks = 20
	}
	if sp.Size() > 1<<22 {
		ranks = 100
	}
	for question := range 1000 {
		x := rng.Uint64N(sp.Size())
		if has, err := f.Has(x); err != nil || has != sp.set.Has(x) {
			t.Fatalf("%s: Has(%d) = %t, %v", store, x, has, err)
		}
		if finder, ok := r.(bitset.Finder); ok {
			if word, err := finder.Word(x / 64); err != nil || word != sp.set.Words()[x/64] {
				t.Fatalf("%s: Word(%d) = %x, %v; want %x", store, x/64, word, err, sp.set.Words()[x/64])
			}
		}
		if question%ranks != 0 {
			continue
		}
		rank, err1 := bitset.Rank(r, x)
		want, err2 := bitset.Rank(sp.set, x)
		if err := errors.Join(err1, err2); err != nil || rank != want {
			t.Fatalf("%s: Rank(%d) = %d; want %d (%v)", store, x, rank, want, err)
		}
		i := rng.Uint64N(sp.set.Count() + 1)
		y, err1 := bitset.Select(r, i)
		z, err2 := bitset.Select(sp.set, i)
		if y != z || errors.Is(err1, bitset.ErrRank) != errors.Is(err2, bitset.ErrRank) {
			t.Fatalf("%s: Select(%d) = %d, %v; want %d, %v", store, i, y, err1, z, err2)
		}
	}
	if many, ok := r.(bitset.Batcher); ok {
		testBatches(t, store, many, sp, rng)
	} else if store == layers.FoldedStore {
		t.Errorf("%s finds words one by one only", store)
	}
	if has, err := f.Has(sp.Size()); has || err != nil {
		t.Errorf("%s: Has(Size) = %t, %v", store, has, err)
	}
	testDistances(t, store, f, sp)
	if store == layers.FoldedStore && sp.Size() <= 1<<22 && len(statespace.Symmetries(sp.Space)) > 0 {
		least := func(x uint64) bool {
			return !slices.ContainsFunc(statespace.Symmetries(sp.Space), func(s statespace.Symmetry) bool { return s.Map(x) < x })
		}
		orbits := make(map[int]uint64)
		for x := range sp.set.All() {
			if least(x) {
				orbits[sp.Space.Parts().Layers.Layer(x)]++
			}
		}
		for _, l := range f.Meta().Layers {
			if l.Orbits != orbits[l.Layer] {
				t.Errorf("layer %d has %d states up to symmetry, the file says %d", l.Layer, orbits[l.Layer], l.Orbits)
			}
		}
	}
	testPointers(t, store, f, sp)
}

// testDistances compares the distances of a file, if it has any, with those of the plain search,
// or their marks.
func testDistances(t *testing.T, store string, f *layers.File, sp reached) {
	t.Helper()
	got, ok := f.Distances()
	want, err := layers.FindStore(store)
	if layered := sp.Space.Parts().Layers != nil; want.Lists && !layered {
		want.KeepsDistances, want.WholeDistances = true, true
	}
	planes, err2 := f.Planes()
	if err := errors.Join(err, err2); err != nil || ok != want.KeepsDistances || ok && got.Whole != want.WholeDistances || ok != (planes != nil) {
		t.Errorf("%s: it has distances: %t, whole ones: %t (%v)", store, ok, got.Whole, err)
	}
	if !ok {
		return
	}
	plain := searchPlain(t, sp.Space)
	if !got.Whole && !slices.Equal(planes.Words(), plain.marks.Words()) {
		t.Errorf("%s: the marks are not those of the plain search", store)
	}
	distances := distancesByMap(sp.Space)
	for x := range sp.Size() {
		want := uint16(0)
		if sp.set.Has(x) && got.Whole {
			want = uint16(distances[x]) + 1
		} else if sp.set.Has(x) {
			want = uint16(distances[x]%3) + 1
		}
		if e, err := got.At(x); err != nil || e != want {
			t.Fatalf("%s: the entry of %s is %d, %v; want %d", store, sp.Format(x), e, err, want)
		}
	}
}

// distancesByMap finds the distances of all states in the plainest way.
func distancesByMap(sp statespace.Space) map[uint64]int {
	distances := make(map[uint64]int)
	level := sp.Roots()
	for depth := 0; len(level) > 0; depth++ {
		var next []uint64
		for _, x := range level {
			if _, seen := distances[x]; seen {
				continue
			}
			distances[x] = depth
			for _, e := range sp.Successors(nil, x) {
				next = append(next, e.To)
			}
		}
		level = next
	}
	return distances
}

// nearerIn returns which states of a space are nearer to the roots: see sweep.Nearer.
func nearerIn(t testing.TB, sp statespace.Space) sweep.Nearer {
	t.Helper()
	if sp.Parts().Layers != nil {
		return func(uint64, uint64) bool { return true }
	}
	return searchPlain(t, sp).distances.Before
}

// testPointers checks the pointers of a file, if it has any, and the paths along them.
func testPointers(t *testing.T, store string, f *layers.File, sp reached) {
	t.Helper()
	pointer := f.Pointer()
	if pointer == nil {
		return
	}
	p, err := sweep.PointersOf(t.Context(), sp.Space, sp.set, 1)
	if err != nil || p.Bits != f.Meta().PointerBits {
		t.Fatalf("%s: pointers of %d bits, want %d (%v)", store, f.Meta().PointerBits, p.Bits, err)
	}
	nearer := nearerIn(t, sp.Space)
	paths := 0
	for x := range sp.set.All() {
		if v, err := pointer(x); err != nil || !sweep.GoodPointer(p, sp.Space, sp.set, nearer, x, v) {
			t.Fatalf("%s: the pointer of %d is %d, %v", store, x, v, err)
		}
		if paths++; paths%97 == 0 {
			path, ok, err := f.PointerPath(x)
			if !ok || err != nil || !slices.Contains(sp.Roots(), path.From) || len(path.Steps) > 0 && path.Steps[len(path.Steps)-1].State != x {
				t.Errorf("%s: the path to %d is %v, %t, %v", store, x, path, ok, err)
			}
			if _, _, err := statespace.Narrate(sp.Space, path); err != nil {
				t.Errorf("%s: the path to %d: %v", store, x, err)
			}
		}
		if x > 1<<16 {
			break
		}
	}
}

// A space can have the stores that make sense for it.
func TestFits(t *testing.T) {
	for _, store := range layers.Stores {
		fits := store.Name != layers.FoldedStore && store.Name != layers.RawBackptrStore && store.Name != layers.ValuesStore
		for name, sp := range map[string]statespace.Space{"layered": numbers{n: 100}, "directed": directedRing, "undirected": undirectedRing} {
			want := fits && (!store.KeepsDistances || name == "undirected" || name == "directed" && store.WholeDistances)
			err := store.Fits(sp)
			if (err == nil) != want || !want && !strings.Contains(err.Error(), "cannot have the store "+store.Name+": ") {
				t.Errorf("the store %s of a %s space: %v", store.Name, name, err)
			}
		}
		if found, err := layers.FindStore(store.Name); err != nil || found.About != store.About {
			t.Errorf("FindStore(%q): %v", store.Name, err)
		}
	}
	if _, err := layers.FindStore(layers.CheckpointStore); err == nil {
		t.Error("checkpoints are a store of files of states")
	}
}

// A file whose space has changed since is not damaged.
func TestFitsNoLonger(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ring.reach")
	writeStore(t, path, layers.Mod3Store, explore(t, undirectedRing))
	changed := undirectedRing
	changed.Back = false
	_, err := layers.Open(t.Context(), path, func(context.Context, statespace.Definition, uint64) (statespace.Space, error) { return changed, nil }, 0)
	if want := "cannot have the store mod3: its moves cannot be taken back"; !errors.Is(err, layers.ErrVersion) || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
}

// testBatches finds words in batches. Each begins before the one before it has ended.
func testBatches(t *testing.T, store string, r bitset.Batcher, sp reached, rng *rand.Rand) {
	t.Helper()
	if words, shift := r.Early(); words != nil && (bitset.Words(sp.Size())-1)>>shift >= uint64(len(words)) {
		t.Errorf("%s: %d words, with a shift of %d, are read first", store, len(words), shift)
	}
	var batches [2]bitset.Batch
	compared := 0
	for round := range 12 {
		b, last := &batches[round%2], &batches[(round+1)%2]
		b.N = rng.IntN(bitset.BatchWords + 1)
		if round == 3 {
			b.N = bitset.BatchWords
		}
		for k := range b.N {
			b.Words[k], b.Masks[k] = rng.Uint64N(bitset.Words(sp.Size())), rng.Uint64()
			for range (k + round) % 5 { // in some batches each has many bits
				if round%4 > 0 || k%10 > 0 {
					b.Masks[k] &= rng.Uint64()
				}
			}
			if k%10 == 4 { // mostly none, or one
				b.Masks[k] = rng.Uint64() & rng.Uint64() & 1 << rng.IntN(64)
			}
			if round == 3 {
				b.Masks[k] = ^uint64(0)
			}
		}
		list := *b
		if same, both := layers.SameLists(r, &list); !same {
			t.Errorf("%s: a batch of %d words has other lists by vectors", store, b.N)
		} else if both {
			compared++
		}
		if err := r.Begin(b); err != nil {
			t.Errorf("%s: Begin: %v", store, err)
		}
		if round == 0 {
			continue
		}
		if err := r.End(last); err != nil {
			t.Errorf("%s: End: %v", store, err)
		}
		for k, i := range last.Words[:last.N] {
			if want := sp.set.Words()[i] & last.Masks[k]; last.Found[k] != want {
				t.Errorf("%s: a batch finds %x at %d; want %x", store, last.Found[k], i, want)
			}
		}
	}
	if layers.HasVectors && store == layers.FoldedStore && compared < 6 {
		t.Errorf("%s: only %d batches are listed by vectors", store, compared)
	}
}
