package layers_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/catalog"
	"pagoda/statespace/peg"
)

// A reached is a space with what can be reached in it.
type reached struct {
	statespace.Space
	set *bitset.Set
}

// stores lists the stores that the space can have.
func (sp reached) stores() (fit []layers.Store) {
	for _, s := range layers.Stores {
		if s.Fits(sp.Space) == nil {
			fit = append(fit, s)
		}
	}
	return fit
}

// slides is a sliding-block puzzle.
func slides(t testing.TB, name string) reached {
	t.Helper()
	sp, err := catalog.Lookup(name, nil, catalog.Sliding{})
	if err != nil {
		t.Fatal(err)
	}
	set := bitset.New(sp.Size())
	if err := statespace.Search(t.Context(), sp, set); err != nil {
		t.Fatal(err)
	}
	return reached{sp, set}
}

func reach(t testing.TB, board string) reached { return reachBy(t, board, statespace.PlainEngine) }

func reachBy(t testing.TB, board, engine string) reached {
	t.Helper()
	b, start, err := peg.ParseBoard(board)
	if err != nil {
		t.Fatal(err)
	}
	sp, err := peg.New("test", b, start)
	if err != nil {
		t.Fatal(err)
	}
	set := bitset.New(sp.Size())
	if err := statespace.Enumerate(t.Context(), sp, engine, set, 1, nil); err != nil {
		t.Fatal(err)
	}
	return reached{sp, set}
}

// A foldable is a peg space with another Folding than its own: blocks of so many bits, in
// any order.
type foldable struct {
	*peg.Space
	folding statespace.Folding
}

func (s foldable) Folding() *statespace.Folding { return &s.folding }
func (s foldable) BlockBits() int               { return s.folding.Bits }
func (s foldable) KeptBlocks() uint64           { return uint64(len(s.folding.Order)) }

// refold gives a peg space blocks of so many bits, 64 numbers at least, or of the next
// number of bits that its symmetries allow. Their order is drawn. Of the kept blocks without
// members, half are left out.
func refold(t testing.TB, sp reached, bits int) reached {
	t.Helper()
	for statespace.CheckFolding(sp.Space, bits) != nil {
		if bits++; bits > 63 {
			t.Fatalf("%s cannot be folded", sp.Name())
		}
	}
	f := foldable{sp.Space.(*peg.Space), statespace.Folding{Bits: bits}}
	n := uint64(1) << bits / 64
	rng := rand.New(rand.NewPCG(uint64(bits), 1))
	for _, block := range rng.Perm(int(sp.Size() >> bits)) {
		_, by := statespace.KeptBlock(f.Symmetries(), bits, uint64(block))
		empty := !slices.ContainsFunc(sp.set.Words()[uint64(block)*n:][:n], func(w uint64) bool { return w != 0 })
		if by == nil && !(empty && rng.IntN(2) == 0) {
			f.folding.Order = append(f.folding.Order, uint32(block))
		}
	}
	return reached{f, sp.set}
}

// octagon has 8 symmetries, and 2^9 blocks of 2^8 numbers.
func octagon(t testing.TB) reached {
	return refold(t, reach(t, " ooo \nooooo\noo.oo\nooooo\n ooo "), 8)
}

// small has 64 numbers at most.
func small(t testing.TB) reached { return reach(t, "ooo\no.o\nooo") }

// boards are what stores are tested on: pegs and sliding blocks, with and without symmetries, of fewer numbers
// than a word has, and of more than a block.
func boards(t testing.TB) map[string]reached {
	all := map[string]reached{
		"line":       reach(t, "oo."),
		"3x3":        small(t),
		"4x4":        reach(t, "oooo\no.oo\noooo\noooo"),
		"odd":        reach(t, "ooo\noo.o\n oooo\noo oo"),
		"4x4 folded": refold(t, reach(t, "oooo\no.oo\noooo\noooo"), 6),
		"octagon":    octagon(t),
		"klotski":    slides(t, "slide/klotski@steps"),
		"triangular": reach(t, "lattice: triangular\n.\noo\nooo\noooo\nooooo"),
	}
	if !testing.Short() {
		all["4x6"] = reach(t, "oooo\noooo\noo.o\noooo\noooo\noooo")
		all["5x5"] = refold(t, reach(t, "ooooo\nooooo\noo.oo\nooooo\nooooo"), 12)
	}
	return all
}

func metaOf(sp reached, store string) *layers.Meta {
	meta := &layers.Meta{Space: sp.Definition(), Store: store, Size: sp.Size()}
	if l, ok := sp.Space.(statespace.Layered); ok {
		meta.Layer = l.LayerName()
	}
	for _, l := range statespace.CountLayersPlain(sp.Space, sp.set) {
		meta.Layers = append(meta.Layers, layers.LayerCount{Layer: l.Layer, States: l.States})
		meta.States += l.States
	}
	return meta
}

func writeMembers(t testing.TB, path, store string, sp reached, members bitset.Reader, threads int) {
	t.Helper()
	w, err := layers.Create(path, 0, true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Finish(t.Context(), sp.Space, members, metaOf(sp, store), layers.Making{Threads: threads}); err != nil {
		t.Fatal(err)
	}
}

func writeStore(t testing.TB, path, store string, sp reached) {
	t.Helper()
	writeMembers(t, path, store, sp, sp.set, 1)
}

// readStore reads a file in all the ways that its store has.
func readStore(f *layers.File) error {
	return mapped.Guard(func() error {
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
		for x := uint64(0); x < r.Len(); x += 1 + r.Len()/100 {
			if finder, ok := r.(bitset.Finder); ok {
				if _, err := finder.Word(x / 64); err != nil {
					return err
				}
			}
			if distance := f.Distance(); distance != nil {
				if _, err := distance(x); err != nil {
					return err
				}
			}
			if pointer := f.Pointer(); pointer != nil {
				if _, err := pointer(x); err != nil {
					return err
				}
			}
			if r.Len() > 1<<22 && x > 0 {
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
	for name, sp := range boards(t) {
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
				if n := store.FileSize(sp.Space); n != 0 && (uint64(len(data)) > n || uint64(len(data)) < n-8192) {
					t.Errorf("%s: %d bytes, FileSize says %d", store.Name, len(data), n)
				}
			}
			for _, from := range sp.stores() {
				f, err := layers.Open(filepath.Join(dir, from.Name), define)
				if err != nil {
					t.Fatal(err)
				}
				testMembers(t, from.Name, f, sp)
				for i, to := range sp.stores() {
					path := filepath.Join(dir, "converted")
					writeMembers(t, path, to.Name, sp, f.Members(), 1+i%3)
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
	if testing.Short() {
		t.Skip("a large board")
	}
	layers.UseShardBits(t, 24)
	sp := reachBy(t, "oooooo\noooooo\nooo.oo\noooooo\noooooo", peg.SweepEngine)
	for _, store := range []string{layers.RoaringStore, layers.PackedStore} {
		path := filepath.Join(t.TempDir(), "a.reach")
		writeMembers(t, path, store, sp, sp.set, 2)
		f, err := layers.Open(path, define)
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
	if testing.Short() {
		t.Skip("a large board")
	}
	sp := reachBy(t, "ooooo\nooooo\noo.oo\nooooo\nooooo", peg.SweepEngine)
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
		f, err := layers.Open(path, define)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		testMembers(t, layers.FoldedStore, f, sp)
		last = f
	}
	set := filepath.Join(dir, "set")
	writeMembers(t, set, layers.SetStore, sp, last.Members(), 2)
	if f, err := layers.Open(set, define); err != nil || !slices.Equal(f.Members().(interface{ Words() []uint64 }).Words(), sp.set.Words()) {
		t.Errorf("the set of a folded file differs, %v", err)
	} else {
		f.Close()
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
	questions := 1000
	if sp.Size() > 1<<22 {
		questions = 10 // ranks look at all blocks
	}
	for range questions {
		x := rng.Uint64N(sp.Size())
		has, err1 := f.Has(x)
		rank, err2 := bitset.Rank(r, x)
		want, err3 := bitset.Rank(sp.set, x)
		if err := errors.Join(err1, err2, err3); err != nil || has != sp.set.Has(x) || rank != want {
			t.Fatalf("%s: Has(%d) = %t, Rank %d; want %d (%v)", store, x, has, rank, want, err)
		}
		if finder, ok := r.(bitset.Finder); ok {
			if word, err := finder.Word(x / 64); err != nil || word != sp.set.Words()[x/64] {
				t.Fatalf("%s: Word(%d) = %x, %v; want %x", store, x/64, word, err, sp.set.Words()[x/64])
			}
		}
		i := rng.Uint64N(sp.set.Count() + 1)
		y, err1 := bitset.Select(r, i)
		z, err2 := bitset.Select(sp.set, i)
		if y != z || errors.Is(err1, bitset.ErrRank) != errors.Is(err2, bitset.ErrRank) {
			t.Fatalf("%s: Select(%d) = %d, %v; want %d, %v", store, i, y, err1, z, err2)
		}
	}
	if many, ok := r.(bitset.Batcher); ok {
		numbers, words := make([]uint64, 64), make([]uint64, 64)
		for i := range numbers {
			numbers[i] = rng.Uint64N(bitset.Words(sp.Size()))
		}
		if err := many.FindWords(words, numbers); err != nil {
			t.Errorf("%s: FindWords: %v", store, err)
		}
		for k, i := range numbers {
			if words[k] != sp.set.Words()[i] {
				t.Errorf("%s: FindWords finds %x at %d; want %x", store, words[k], i, sp.set.Words()[i])
			}
		}
	} else if store == layers.FoldedStore {
		t.Errorf("%s finds words one by one only", store)
	}
	if has, err := f.Has(sp.Size()); has || err != nil {
		t.Errorf("%s: Has(Size) = %t, %v", store, has, err)
	}
	if r, ok := sp.Space.(statespace.Reversible); ok && f.Meta().Store == layers.Mod3Store {
		distances, err := bitset.PlanesOver(make([]uint64, bitset.PlaneWords(sp.Size(), statespace.DistanceBits)), sp.Size(), statespace.DistanceBits)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := statespace.FindDistances(t.Context(), r, statespace.PlainEngine, distances, 1, nil); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(distances.Words(), f.Distances().Words()) {
			t.Errorf("%s: the distances are not those of the plain search", store)
		}
	}
	if store == layers.FoldedStore && sp.Size() <= 1<<22 && len(statespace.Symmetries(sp.Space)) > 0 {
		least := func(x uint64) bool {
			return !slices.ContainsFunc(statespace.Symmetries(sp.Space), func(s statespace.Symmetry) bool { return s.Map(x) < x })
		}
		orbits := make(map[int]uint64)
		for x := range sp.set.All() {
			if least(x) {
				orbits[sp.Space.(statespace.Layered).Layer(x)]++
			}
		}
		for _, l := range f.Meta().Layers {
			if l.Orbits != orbits[l.Layer] {
				t.Errorf("layer %d has %d states up to symmetry, the file tells %d", l.Layer, orbits[l.Layer], l.Orbits)
			}
		}
	}
	if pointer := f.Pointer(); pointer != nil {
		for x := range sp.set.All() {
			if v, err := pointer(x); err != nil || !statespace.GoodPointer(sp.Space.(statespace.Pointed), sp.set, x, v) {
				t.Fatalf("%s: the pointer of %d is %d, %v", store, x, v, err)
			}
			if x > 1<<16 {
				break
			}
		}
	}
}

// Every byte of every store matters, and no length but the right one will do.
func TestDamagedStores(t *testing.T) {
	t.Run("pegs", func(t *testing.T) { testDamaged(t, reach(t, "oooo\no.oo\noooo\noooo")) })
	t.Run("slides", func(t *testing.T) { testDamaged(t, slides(t, "slide/dads")) })
}

func testDamaged(t *testing.T, sp reached) {
	for _, store := range sp.stores() {
		path := filepath.Join(t.TempDir(), "a.reach")
		writeStore(t, path, store.Name, sp)
		good, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := read(path); err != nil {
			t.Fatalf("%s: %v", store.Name, err)
		}
		var told *layers.FileError
		for at := 12; at < len(good); at += 1 + len(good)/400 {
			bad := bytes.Clone(good)
			bad[at] ^= 1 << (at % 8)
			if err := os.WriteFile(path, bad, 0o644); err != nil {
				t.Fatal(err)
			}
			if err := read(path); !errors.As(err, &told) || !errors.Is(err, layers.ErrDamaged) {
				t.Errorf("%s: byte %d flipped: %v", store.Name, at, err)
			}
			if err := os.WriteFile(path, good[:at], 0o644); err != nil {
				t.Fatal(err)
			}
			if err := read(path); !errors.As(err, &told) {
				t.Errorf("%s: cut to %d bytes: %v", store.Name, at, err)
			}
		}
		// With right checksums it may say anything, but does not break.
		rng := rand.New(rand.NewPCG(1, 1))
		rounds := 500
		if testing.Short() {
			rounds = 100
		}
		for range rounds {
			bad := bytes.Clone(good)
			for range 1 + rng.IntN(4) {
				bad[4096+rng.IntN(len(bad)-4096)] ^= 1 << rng.IntN(8)
			}
			layers.MendAll(bad)
			if err := os.WriteFile(path, bad, 0o644); err != nil {
				t.Fatal(err)
			}
			read(path)
		}
	}
}

// A misplaced space tells wrong layers of some states.
type misplaced struct{ *peg.Space }

func (s misplaced) Layer(x statespace.Index) int { return s.Space.Layer(x) - int(x%97/96) }

// prove proves a file of which the set of the members is right.
func prove(t *testing.T, path string, sp reached) error {
	t.Helper()
	f, err := layers.Open(path, define)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	set, free, err := layers.LoadSet(t.Context(), f.Members(), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer free()
	if !slices.Equal(set.Words(), sp.set.Words()) {
		t.Fatal("the set should be right")
	}
	return f.Prove(t.Context(), set, 2)
}

// Proofs find what is wrong beside the set: a pointer that leads to no member, a state in
// the bitmap of another layer.
func TestProve(t *testing.T) {
	sp := reach(t, "oooo\no.oo\noooo\noooo")
	path := filepath.Join(t.TempDir(), "a.reach")
	prove := func() error { return prove(t, path, sp) }
	pointed := sp.Space.(*peg.Space)
	for _, store := range []string{layers.BackptrStore, layers.RawBackptrStore} {
		writeStore(t, path, store, sp)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		tried := 0
		for x := range sp.set.All() {
			if x%7 > 0 {
				continue
			}
			entry := x
			if store == layers.RawBackptrStore {
				entry = pointed.Pattern(x)
			}
			for v := uint8(1); v < 1<<pointed.PointerBits(); v += 3 {
				bad := bytes.Clone(data)
				for bit := range uint64(pointed.PointerBits()) {
					at := 4096 + 8*(entry/64*uint64(pointed.PointerBits())+bit) + entry%64/8
					bad[at] = bad[at]&^(1<<(entry%8)) | v>>bit&1<<(entry%8)
				}
				layers.MendAll(bad)
				if err := os.WriteFile(path, bad, 0o644); err != nil {
					t.Fatal(err)
				}
				if err := prove(); (err == nil) != statespace.GoodPointer(pointed, sp.set, x, v) {
					t.Fatalf("%s: pointer %d of %d: %v", store, v, x, err)
				}
				tried++
			}
			if tried > 200 {
				break
			}
		}
	}
	w, err := layers.Create(path, 0, true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Finish(t.Context(), misplaced{pointed}, sp.set, metaOf(sp, layers.RoaringStore), layers.Making{}); err != nil {
		t.Fatal(err)
	}
	if err := prove(); err == nil {
		t.Error("states in bitmaps of other layers were not found")
	}
}
