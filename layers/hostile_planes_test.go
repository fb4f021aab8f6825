package layers_test

import (
	"errors"
	"math/big"
	"math/bits"
	"path/filepath"
	"testing"

	"pagoda/bitset"
	"pagoda/layers"
	"pagoda/puzzle/peg"
	"pagoda/statespace"
)

// What a file says of distances is checked when it is opened: its layers have no gaps, and its
// goals can be.
func TestHostileGoals(t *testing.T) {
	sp := slides(t, "slide/dads")
	path := filepath.Join(t.TempDir(), "a.reach")
	one := big.NewInt(1)
	for name, spoil := range map[string]func(*layers.Meta){
		"good":           func(m *layers.Meta) {},
		"no layers":      func(m *layers.Meta) { m.Layers, m.States, m.Goal = nil, 0, nil },
		"a gap":          func(m *layers.Meta) { m.Layers[1].Layer = 2 },
		"an empty one":   func(m *layers.Meta) { m.Layers[0].States, m.Layers[1].States = 0, m.States },
		"beyond":         func(m *layers.Meta) { m.Goal.Nearest = []uint64{m.Size} },
		"twice":          func(m *layers.Meta) { m.Goal.Nearest, m.Goal.Count = []uint64{5, 5}, 2 },
		"none":           func(m *layers.Meta) { m.Goal.Nearest, m.Goal.Count = nil, 0 },
		"too many":       func(m *layers.Meta) { m.Goal.Count = 7 },
		"far":            func(m *layers.Meta) { m.Goal.Distance = 2 },
		"before all":     func(m *layers.Meta) { m.Goal.Distance = -1 },
		"no paths":       func(m *layers.Meta) { m.Goal.Solutions = new(big.Int) },
		"unknown paths":  func(m *layers.Meta) { m.Goal.Solutions = nil },
		"negative paths": func(m *layers.Meta) { m.Goal.Solutions = big.NewInt(-1) },
		"a checkpoint":   func(m *layers.Meta) { m.Checkpoint = &layers.Checkpoint{} },
	} {
		meta := metaOf(sp, layers.Mod3Store)
		meta.Layers = []statespace.Layer{{Layer: 0, States: 1}, {Layer: 1, States: meta.States - 1}}
		meta.Goal = &layers.Goal{Distance: 1, Solutions: one, Count: 1, Nearest: []uint64{5}}
		spoil(meta)
		layers.Handmade(t, path, meta, layers.RawSection{Name: "distances", Data: make([]byte, (sp.Size()+63)/64*16)})
		f, err := layers.Open(t.Context(), path, define, 0)
		if good := name == "good"; good != (err == nil) || !good && !errors.Is(err, layers.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil {
			f.Close()
		}
	}
}

// Numbers beyond the last one of the space are no members.
func TestBeyondTheLast(t *testing.T) {
	sp := slides(t, "slide/dads")
	if sp.Size()%64 == 0 {
		t.Fatal("all bits of the last word are numbers")
	}
	path := filepath.Join(t.TempDir(), "a.reach")
	words := (sp.Size() + 63) / 64
	for store, section := range map[string]layers.RawSection{
		layers.Mod3Store:     {Name: "distances", Data: make([]byte, words*16)},
		layers.DistanceStore: {Name: "distances", Data: make([]byte, words*8*uint64(bits.Len(uint(len(sp.layers)))))},
		layers.BackptrStore:  {Name: "pointers", Data: make([]byte, words*8*5)},
		layers.SetStore:      {Name: "set", Data: make([]byte, words*8)},
	} {
		section.Data[len(section.Data)-1] = 0x80
		meta := metaOf(sp, store)
		switch store {
		case layers.DistanceStore:
			meta.DistanceBits = bits.Len(uint(len(sp.layers)))
		case layers.BackptrStore:
			meta.PointerBits = 5
		}
		layers.Handmade(t, path, meta, section)
		if f, err := layers.Open(t.Context(), path, define, 0); !errors.Is(err, layers.ErrDamaged) {
			t.Errorf("%s: %v", store, err)
			if err == nil {
				f.Close()
			}
		}
	}
}

// Pointers of a space that has none of its own say by how many bits they are; the section has to
// agree.
func TestHostilePointers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.reach")
	for _, sp := range []reached{explore(t, directedRing), slides(t, "slide/dads"), reach(t, "oooo\no.oo\noooo\noooo")} {
		words := (sp.Size() + 63) / 64
		writeStore(t, path, layers.BackptrStore, sp)
		f, err := layers.Open(t.Context(), path, define, 0)
		if err != nil {
			t.Fatal(err)
		}
		own := f.Meta().PointerBits
		f.Close()
		_, isPeg := sp.Space.(*peg.Space)
		for _, width := range []int{-1, 0, 1, own, own + 1, 16, 17, 1 << 40} {
			for _, n := range []int{width, width - 1, width + 1} {
				meta := metaOf(sp, layers.BackptrStore)
				meta.PointerBits = width
				layers.Handmade(t, path, meta, layers.RawSection{Name: "pointers", Data: make([]byte, words*8*uint64(min(max(n, 0), 64)))})
				f, err := layers.Open(t.Context(), path, define, 0)
				good := n == width && width >= 1 && width <= 16 && (!isPeg || width == own)
				if good != (err == nil) || !good && !errors.Is(err, layers.ErrDamaged) {
					t.Errorf("%s: pointers of %d bits with room for %d: %v", sp.Name(), width, n, err)
				}
				if err == nil {
					f.Close()
				}
			}
		}
		meta := metaOf(sp, layers.BackptrStore)
		layers.Handmade(t, path, meta)
		if _, err := layers.Open(t.Context(), path, define, 0); !errors.Is(err, layers.ErrDamaged) {
			t.Errorf("%s: no pointers: %v", sp.Name(), err)
		}
	}
}

// Pointers that lead around, to no move or to nowhere give an error and no path.
func TestPointersAround(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.reach")
	sp := explore(t, ring{N: 64, Steps: []uint64{1}, Back: true})
	const width = 2
	planes, err := bitset.PlanesOver(make([]uint64, bitset.PlaneWords(sp.Size(), width)), sp.Size(), width)
	if err != nil {
		t.Fatal(err)
	}
	for x := range sp.Size() {
		planes.Set(x, 2) // each to the next one
	}
	planes.Set(10, 3)
	planes.Set(20, 1) // no root
	meta := metaOf(sp, layers.BackptrStore)
	meta.PointerBits = width
	layers.Handmade(t, path, meta, layers.RawSection{Name: "pointers", Data: little(planes.Words())})
	f, err := layers.Open(t.Context(), path, define, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, x := range []uint64{0, 9, 10, 20, 63} {
		if path, ok, err := f.PointerPath(x); !ok || !errors.Is(err, statespace.ErrNoPath) {
			t.Errorf("the path to %d is %v, %t, %v", x, path, ok, err)
		}
	}
	if err := f.Prove(t.Context(), sp.set, 2); !errors.Is(err, layers.ErrDamaged) {
		t.Errorf("pointers that lead around are proved: %v", err)
	}
}
