package layers_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"pagoda/layers"
)

// The proof of any store refuses what the store does not have: a section more, and bytes in gaps.
func TestProveLayout(t *testing.T) {
	for _, sp := range []reached{reach(t, "oooo\no.oo\noooo\noooo"), slides(t, "slide/dads"), explore(t, directedRing)} {
		for _, store := range sp.stores() {
			if store.Lists {
				continue // its set has other numbers
			}
			path := filepath.Join(t.TempDir(), "a.reach")
			writeStore(t, path, store.Name, sp)
			good, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f, err := layers.Open(t.Context(), path, define, 0)
			if err != nil {
				t.Fatal(err)
			}
			gaps, sections, meta := f.Gaps(), f.Sections(), *f.Meta()
			f.Close()
			if err := prove(t, path, sp); err != nil {
				t.Fatalf("%s, %s: %v", sp.Name(), store.Name, err)
			}
			for _, at := range gaps {
				bad := bytes.Clone(good)
				bad[at]++
				layers.MendAll(bad)
				if err := os.WriteFile(path, bad, 0o644); err != nil {
					t.Fatal(err)
				}
				if err := prove(t, path, sp); !errors.Is(err, layers.ErrDamaged) {
					t.Errorf("%s, %s: byte %d of a gap: %v", sp.Name(), store.Name, at, err)
				}
			}
			layers.Handmade(t, path, &meta, sections...)
			if err := prove(t, path, sp); err != nil {
				t.Errorf("%s, %s, made by hand: %v", sp.Name(), store.Name, err)
			}
			for i := range sections {
				longer := slices.Clone(sections)
				longer[i].Data = append(bytes.Clone(longer[i].Data), 0)
				layers.Handmade(t, path, &meta, longer...)
				if err := prove(t, path, sp); !errors.Is(err, layers.ErrDamaged) {
					t.Errorf("%s, %s: a section %s that is longer by a byte: %v", sp.Name(), store.Name, sections[i].Name, err)
				}
			}
			if len(sections) > 1 {
				swapped := slices.Clone(sections)
				slices.Reverse(swapped)
				layers.Handmade(t, path, &meta, swapped...)
				if err := prove(t, path, sp); !errors.Is(err, layers.ErrDamaged) {
					t.Errorf("%s, %s: sections in another order: %v", sp.Name(), store.Name, err)
				}
			}
			layers.Handmade(t, path, &meta, append(sections, layers.RawSection{Name: "more", Data: []byte("hello")})...)
			if err := prove(t, path, sp); !errors.Is(err, layers.ErrDamaged) {
				t.Errorf("%s, %s: a section more: %v", sp.Name(), store.Name, err)
			}
			layers.Handmade(t, path, &meta, append(sections, sections[0])...)
			if f, err := layers.Open(t.Context(), path, define, 0); !errors.Is(err, layers.ErrDamaged) {
				t.Errorf("%s, %s: a section twice: %v", sp.Name(), store.Name, err)
				f.Close()
			}
		}
	}
}

// Roaring bitmaps have no numbers beyond the last, and none is empty.
func TestProveBitmaps(t *testing.T) {
	sp := explore(t, directedRing)
	path := filepath.Join(t.TempDir(), "a.reach")
	var bitmap roaring.Bitmap
	for x := range sp.set.All() {
		bitmap.Add(uint32(x))
	}
	freeze := func(b *roaring.Bitmap) []byte {
		data, err := b.Freeze()
		if err != nil {
			t.Fatal(err)
		}
		return append(data, make([]byte, -len(data)&63)...)
	}
	length := func(b *roaring.Bitmap) uint64 { return b.GetFrozenSizeInBytes() }
	proved := func(bitmaps []byte, index ...uint64) error {
		layers.Handmade(t, path, metaOf(sp, layers.RoaringStore), layers.RawSection{Name: "bitmaps", Data: bitmaps}, layers.RawSection{Name: "index", Data: little(index)})
		return prove(t, path, sp)
	}
	good := freeze(&bitmap)
	n := length(&bitmap)
	if err := proved(good, 0, 0, 0, n); err != nil {
		t.Fatal(err)
	}
	more := bitmap.Clone()
	more.Add(uint32(sp.Size()))
	empty := roaring.New()
	beside := bytes.Clone(good)
	for what, err := range map[string]error{
		"a number beyond the last": proved(freeze(more), 0, 0, 0, length(more)),
		"an empty bitmap":          proved(append(bytes.Clone(good), freeze(empty)...), 0, 0, 0, n, 0, 1, uint64(len(good)), length(empty)),
		"bytes behind the last":    proved(append(beside, 1), 0, 0, 0, n),
	} {
		if !errors.Is(err, layers.ErrDamaged) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
