package layers_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pagoda/internal/long"
	"pagoda/layers"
	"pagoda/puzzle/peg"
	"pagoda/statespace"
	"pagoda/statespace/sweep"
)

// Every byte of every store matters, and no length but the right one will do.
func TestDamagedStores(t *testing.T) {
	t.Run("pegs", func(t *testing.T) { testDamaged(t, reach(t, "oooo\no.oo\noooo\noooo")) })
	t.Run("slides", func(t *testing.T) { testDamaged(t, slides(t, "slide/dads")) })
	t.Run("directed", func(t *testing.T) { testDamaged(t, explore(t, directedRing)) })
	t.Run("values", func(t *testing.T) { testDamaged(t, explore(t, counted{directedRing})) })
}

func testDamaged(t *testing.T, sp reached) {
	for _, store := range sp.stores() {
		path := filepath.Join(t.TempDir(), "a.reach")
		writeStore(t, path, store.Name, sp)
		testDamage(t, store.Name, path, read)
	}
}

// testDamage changes and cuts a file in many places, and reads it each time.
func testDamage(t *testing.T, what, path string, read func(path string) error) {
	t.Helper()
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := read(path); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	write := func(data []byte) {
		t.Helper()
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	places := long.Or(250, 8)
	var wrong *layers.FileError
	for at := 12; at < len(good); at += 1 + len(good)/places {
		bad := bytes.Clone(good)
		bad[at] ^= 1 << (at % 8)
		write(bad)
		if err := read(path); !errors.As(err, &wrong) || !errors.Is(err, layers.ErrDamaged) {
			t.Errorf("%s: byte %d flipped: %v", what, at, err)
		}
		write(good[:at])
		if err := read(path); !errors.As(err, &wrong) {
			t.Errorf("%s: cut to %d bytes: %v", what, at, err)
		}
	}
	write(append(bytes.Clone(good), 0))
	if err := read(path); !errors.As(err, &wrong) {
		t.Errorf("%s: a byte too long: %v", what, err)
	}
	// With right checksums it may say anything, but does not break.
	rng := rand.New(rand.NewPCG(1, 1))
	for range places + places/4 {
		bad := bytes.Clone(good)
		for range 1 + rng.IntN(4) {
			bad[4096+rng.IntN(len(bad)-4096)] ^= 1 << rng.IntN(8)
		}
		layers.MendAll(bad)
		write(bad)
		read(path)
	}
	write(good)
}

// A misplaced space gives some states wrong layers.
type misplaced struct{ *peg.Space }

func (s misplaced) Parts() statespace.Parts {
	p := s.Space.Parts()
	p.Layers = s
	return p
}

func (s misplaced) Layer(x statespace.Index) int { return s.Space.Layer(x) - int(x%97/96) }

// prove proves a file whose set of members is right.
func prove(t *testing.T, path string, sp reached) error {
	t.Helper()
	f, err := layers.Open(t.Context(), path, define, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	set, free, err := layers.LoadSet(t.Context(), f.Members(), 1)
	if err != nil {
		return err
	}
	defer free()
	if !slices.Equal(set.Words(), sp.set.Words()) {
		t.Fatal("the set should be right")
	}
	return f.Prove(t.Context(), set, 2)
}

// Proofs find what is wrong besides the set: a pointer that leads to no member, or to one that
// is not nearer, or that is not the least.
func TestProvePointers(t *testing.T) {
	for _, sp := range []reached{reach(t, "oooo\no.oo\noooo\noooo"), slides(t, "slide/dads"), explore(t, directedRing), explore(t, undirectedRing)} {
		for _, store := range []string{layers.BackptrStore, layers.RawBackptrStore} {
			if s, err := layers.FindStore(store); err == nil && s.Fits(sp.Space) == nil {
				testProvePointers(t, sp, store)
			}
		}
	}
}

func testProvePointers(t *testing.T, sp reached, store string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.reach")
	writeStore(t, path, store, sp)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p, err := sweep.PointersOf(t.Context(), sp.Space, sp.set, 1)
	if err != nil {
		t.Fatal(err)
	}
	nearer, width := nearerIn(t, sp.Space), uint64(p.Bits)
	tried, accepted := 0, 0
	for x := range sp.set.All() {
		if x%7 > 0 {
			continue
		}
		entry := x
		if store == layers.RawBackptrStore {
			entry = sweep.Of(sp.Space).Patterns.Of(x)
		}
		for v := uint16(1); v < 1<<width; v += 1 + 1<<width/20 {
			bad := bytes.Clone(data)
			for bit := range width {
				at := 4096 + 8*(entry/64*width+bit) + entry%64/8
				bad[at] = bad[at]&^(1<<(entry%8)) | byte(v>>bit&1)<<(entry%8)
			}
			layers.MendAll(bad)
			if err := os.WriteFile(path, bad, 0o644); err != nil {
				t.Fatal(err)
			}
			good := sweep.GoodPointer(p, sp.Space, sp.set, nearer, x, v)
			for u := uint16(1); u < v; u++ {
				good = good && !sweep.GoodPointer(p, sp.Space, sp.set, nearer, x, u)
			}
			if err := prove(t, path, sp); (err == nil) != good {
				t.Fatalf("%s, %s: pointer %d of %d: %v", sp.Name(), store, v, x, err)
			}
			if tried++; good {
				accepted++
			}
		}
		if tried > 200 {
			break
		}
	}
	if accepted == 0 || accepted == tried {
		t.Errorf("%s, %s: of %d pointers, %d are right", sp.Name(), store, tried, accepted)
	}
}

// So they find a state in the bitmap of another layer.
func TestProveLayers(t *testing.T) {
	sp := reach(t, "oooo\no.oo\noooo\noooo")
	path := filepath.Join(t.TempDir(), "a.reach")
	w, err := layers.Create(path, 0, true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Finish(t.Context(), misplaced{sp.Space.(*peg.Space)}, sp.set, metaOf(sp, layers.RoaringStore), layers.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := prove(t, path, sp); !errors.Is(err, layers.ErrDamaged) {
		t.Errorf("states in bitmaps of other layers: %v", err)
	}
}
