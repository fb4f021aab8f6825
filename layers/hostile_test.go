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
	"strings"
	"testing"

	"pagoda/bitset"
	"pagoda/internal/long"
	"pagoda/internal/mapped"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/trie"
	"pagoda/trie/zstd"
)

// handmade writes a file of numbers below n and opens it.
func handmade(t *testing.T, n uint64, meta layers.Meta, sections ...layers.RawSection) (*layers.File, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.reach")
	meta.Space, meta.Size, meta.Layer = numbers{n: n}.Definition(), n, "all"
	meta.Layers = []statespace.Layer{{States: meta.States}}
	layers.Handmade(t, path, &meta, sections...)
	f, err := layers.Open(t.Context(), path, define, 0)
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
		layers.RawSection{Name: "bitmaps", Data: frozen}, layers.RawSection{Name: "index", Data: little([]uint64{0, 0, 0, uint64(len(frozen))})})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Has(2); !errors.Is(err, layers.ErrDamaged) {
		t.Errorf("a container of many runs: %v", err)
	}

	// A large space has many shards.
	used := allocated(func() {
		f, err := handmade(t, 1<<62, layers.Meta{Store: layers.RoaringStore}, layers.RawSection{Name: "bitmaps"}, layers.RawSection{Name: "index"})
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
	_, err = handmade(t, 1<<23+64, layers.Meta{Store: layers.PackedStore, Details: layers.Details{Symmetries: 1, BitOrder: order}},
		layers.RawSection{Name: "frames", Data: slices.Concat(whole, rest)},
		layers.RawSection{Name: "offsets", Data: little([]uint64{0, uint64(len(whole)), uint64(len(whole) + len(rest))})})
	if !errors.Is(err, layers.ErrDamaged) {
		t.Errorf("bits out of place in a part of a frame: %v", err)
	}

	// A packed trie with leaves that are not used.
	five := bitset.New(64)
	five.Add(0)
	five.Add(2)
	one, err := trie.Build(t.Context(), five, nil, 1)
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
	if err := many.Pack(&packed, zstd.Coder{}); err != nil {
		t.Fatal(err)
	}
	f, err = handmade(t, 64, layers.Meta{Store: layers.PackedTrieStore, States: 2}, layers.RawSection{Name: "packed trie", Data: packed.Bytes()})
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
	board, puzzle := "ooooo\nooooo\noo.oo\nooooo", "slide/klotski"
	if !long.Tests {
		board, puzzle = "oooo\no.oo\noooo\noooo", "slide/dads"
	}
	for _, sp := range []reached{reach(t, board), slides(t, puzzle), explore(t, directedRing)} {
		testCut(t, sp)
	}
}

func testCut(t *testing.T, sp reached) {
	open := func(store string) (f *layers.File, path string) {
		path = filepath.Join(t.TempDir(), "from")
		writeStore(t, path, store, sp)
		f, err := layers.Open(t.Context(), path, define, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Check(t.Context(), 1, nil); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, 4096); err != nil {
			t.Fatal(err)
		}
		return f, path
	}
	// The numbers of a list are all members. It is its codes that are lost.
	f, path := open(layers.SparseStore)
	if err := f.Read(func() error {
		for x := range f.Space().Size() {
			f.Space().Format(x)
		}
		return nil
	}); !errors.Is(err, mapped.ErrFault) || !strings.Contains(err.Error(), path) {
		t.Errorf("a list: %v", err)
	}
	f.Close()
	for _, from := range sp.stores() {
		for _, to := range sp.stores() {
			if from.Lists || to.Lists {
				continue
			}
			f, path := open(from.Name)
			w, err := layers.Create(filepath.Join(t.TempDir(), "to"), 0, false)
			if err != nil {
				t.Fatal(err)
			}
			_, err = w.Finish(t.Context(), sp.Space, f.Members(), metaOf(sp, to.Name), layers.WriteOptions{Threads: 2})
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
	if long.Tests {
		sizes = append(sizes, 1<<23+1<<19+77)
	}
	for _, n := range sizes {
		rng := rand.New(rand.NewPCG(n, 2))
		sp, set := numbers{n: n}, bitset.New(n)
		for range n/3 + 1 {
			set.Add(rng.Uint64N(n))
		}
		set.Add(0)
		set.Add(n - 1)
		meta := &layers.Meta{Space: sp.Definition(), Size: n, States: set.Count(), Layer: "all", Layers: []statespace.Layer{{States: set.Count()}}}
		write := func(store string, members bitset.Reader) *layers.File {
			meta := *meta
			meta.Store = store
			path := filepath.Join(t.TempDir(), "a.reach")
			w, err := layers.Create(path, 0, false)
			if err != nil {
				t.Fatal(err)
			}
			space, members := inStore(t, sp, members, &meta)
			if _, err := w.Finish(t.Context(), space, members, &meta, layers.WriteOptions{Threads: 2}); err != nil {
				t.Fatalf("n=%d, %s: %v", n, store, err)
			}
			f, err := layers.Open(t.Context(), path, define, 0)
			if err != nil {
				t.Fatalf("n=%d, %s: %v", n, store, err)
			}
			t.Cleanup(func() { f.Close() })
			return f
		}
		// The set is drawn, and no moves lead to its members: see TestNoMoveLeadsThere.
		holds := func(s layers.Store) bool { return s.Fits(sp) == nil && s.Name != layers.BackptrStore }
		for i, from := range layers.Stores {
			if !holds(from) {
				continue
			}
			first := membersOf(t, write(from.Name, set), sp)
			for k, to := range layers.Stores {
				if !holds(to) || n > 1000 && (i+k)%3 > 0 {
					continue // large ones are made of a part of the others
				}
				f := write(to.Name, first)
				members := membersOf(t, f, sp)
				got, free, err := layers.LoadSet(t.Context(), members, 1)
				if err != nil || !slices.Equal(got.Words(), set.Words()) {
					t.Fatalf("n=%d, %s of %s: the set differs, %v", n, to.Name, from.Name, err)
				}
				free()
				for range min(50, 1+(1<<24)/n/10) {
					x, i := rng.Uint64N(n), rng.Uint64N(set.Count())
					has, err1 := bitset.Has(members, x)
					rank, err2 := bitset.Rank(members, x)
					y, err3 := bitset.Select(members, i)
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

// A set with a member that no move leads to has no pointers, and is not written with some.
func TestNoMoveLeadsThere(t *testing.T) {
	for _, sp := range []reached{reach(t, "oooo\no.oo\noooo\noooo"), explore(t, longRing)} {
		for _, name := range []string{layers.BackptrStore, layers.RawBackptrStore} {
			store, err := layers.FindStore(name)
			if err != nil || store.Fits(sp.Space) != nil {
				continue
			}
			more := reached{sp.Space, bitset.New(sp.Size()), slices.Clone(sp.layers)}
			copy(more.set.Words(), sp.set.Words())
			for x := range sp.Size() {
				if !sp.set.Has(x) && len(sp.Predecessors(nil, x)) == 0 || x%3 == 1 && !sp.set.Has(x) {
					more.set.Add(x)
					break
				}
			}
			more.layers[0].States++
			path := filepath.Join(t.TempDir(), "a.reach")
			w, err := layers.Create(path, 0, false)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Finish(t.Context(), sp.Space, more.set, metaOf(more, name), layers.WriteOptions{}); err == nil || !bytes.Contains([]byte(err.Error()), []byte("no pointer")) {
				t.Errorf("%s, %s: %v", sp.Name(), name, err)
			}
			noDebris(t, path)
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
	layers.Handmade(t, path, meta, layers.RawSection{Name: "frames", Data: frame}, layers.RawSection{Name: "offsets", Data: little([]uint64{0, uint64(len(frame))})})
	if err := prove(t, path, sp); !errors.Is(err, layers.ErrDamaged) {
		t.Errorf("frames of members that are not least: %v", err)
	}

	// A frame without members has no bytes, and none has members beyond the last.
	for what, words := range map[string][]uint64{"empty": {0}, "beyond": {1<<40 - 1, 1 << 41}} {
		n := uint64(41)
		if what == "beyond" {
			n = 64 + 41
		}
		frame := layers.Compress(t, words)
		f, err := handmade(t, n, layers.Meta{Store: layers.PackedStore, States: 0, Details: layers.Details{Symmetries: 1}},
			layers.RawSection{Name: "frames", Data: frame}, layers.RawSection{Name: "offsets", Data: little([]uint64{0, uint64(len(frame))})})
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Prove(t.Context(), bitset.New(n), 1); !errors.Is(err, layers.ErrDamaged) {
			t.Errorf("a frame, %s: %v", what, err)
		}
	}
}
