package layers_test

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pagoda/bitset"
	"pagoda/internal/long"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
)

// foundValues finds the values of a space as run does.
func foundValues(t testing.TB, sp statespace.Space) *bfs.Members {
	t.Helper()
	s, err := bfs.New(t.Context(), bfs.Of(sp), bfs.Options{Threads: 2, Whole: true, ToGoal: sp.Parts().Goals.Ends})
	if err == nil {
		err = s.Run(t.Context(), nil, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	members, err := s.Members().WithValues(t.Context(), sp, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(members.Values().Free)
	return members
}

// open opens a file of the tests.
func open(t testing.TB, path string) *layers.File {
	t.Helper()
	f, err := layers.Open(t.Context(), path, define, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// wideRing has entries of 33 bits with their values, so a frame has fewer groups than without.
var wideRing = ring{N: 600_000, Steps: []uint64{1, 1000, 30_000}}

// A file has the values that were found, in columns just wide enough, and the figures.
func TestValues(t *testing.T) {
	spaces := []reached{
		explore(t, counted{directedRing}), explore(t, counted{undirectedRing}), explore(t, counted{endingRing}),
		explore(t, problems(t, "3x5", 2, 2)), explore(t, problems(t, "cross", 1, 2)),
	}
	if long.Tests { // for its time: TestWideFrames has it, too
		spaces = append(spaces, explore(t, counted{wideRing}))
	}
	for _, sp := range spaces {
		valued := sp.Space
		members := foundValues(t, valued)
		v := members.Values()
		for _, store := range []string{layers.DistanceStore, layers.PackedDistanceStore} {
			path := filepath.Join(t.TempDir(), "a.reach")
			writeMembers(t, path, store, sp, members, 2)
			first, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			writeStore(t, path, store, sp)
			if again, err := os.ReadFile(path); err != nil || string(again) != string(first) {
				t.Errorf("%s, %s: with values that are found again, it is another file (%v)", sp.Name(), store, err)
			}
			f := open(t, path)
			values, ok := f.Values()
			if !ok {
				t.Fatalf("%s, %s: it has no values", sp.Name(), store)
			}
			for i, most := range v.Max() {
				if c, want := values.Columns[i], valued.Parts().Values.Columns[i].Name; c.Name != want || c.Bits != bits.Len64(most) {
					t.Errorf("%s, %s: column %d is %+v, want %s of %d bits", sp.Name(), store, i, c, want, bits.Len64(most))
				}
			}
			if err := f.Read(func() error {
				got, want := make([]uint64, len(values.Columns)), make([]uint64, len(values.Columns))
				for x := range sp.Size() {
					if err := values.Get(got, x); err != nil {
						return err
					}
					if v.Get(want, x); !slices.Equal(got, want) {
						t.Fatalf("%s, %s: number %d has the values %d, want %d", sp.Name(), store, x, got, want)
					}
				}
				if x, found, err := f.ValuesElsewhere(); found || err != nil {
					t.Errorf("%s, %s: number %d is no member and has values: %v", sp.Name(), store, x, err)
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if has := sp.Space.Parts().Values.Figures != nil; has != (len(f.Meta().Figures) > 0) {
				t.Errorf("%s, %s: the figures are %v", sp.Name(), store, f.Meta().Figures)
			}
		}
	}
}

// frames are compressed parts of at most 1 MiB, however wide the entries are.
func TestWideFrames(t *testing.T) {
	sp := explore(t, counted{wideRing})
	path := filepath.Join(t.TempDir(), "a.reach")
	writeStore(t, path, layers.PackedDistanceStore, sp)
	f := open(t, path)
	width := f.Meta().DistanceBits
	for _, c := range f.Meta().Columns {
		width += c.Bits
	}
	groups := 1 << 19 / 64
	for groups*width*8 > 1<<20 {
		groups /= 2
	}
	if groups == 1<<19/64 {
		t.Fatalf("entries of %d bits are not wide", width)
	}
	all := int(bitset.Words(sp.Size()))
	for _, s := range f.Sections() {
		if want := 8 * ((all+groups-1)/groups + 1); s.Name == "offsets" && len(s.Data) != want {
			t.Errorf("the offsets of the frames take %d bytes, want %d", len(s.Data), want)
		}
	}
}

// What a file says of its columns has to fit the space, the sections and each other.
func TestHostileColumns(t *testing.T) {
	sp := explore(t, counted{directedRing})
	path := filepath.Join(t.TempDir(), "a.reach")
	for _, store := range []string{layers.DistanceStore, layers.PackedDistanceStore} {
		writeStore(t, path, store, sp)
		f := open(t, path)
		sections, right := f.Sections(), *f.Meta()
		f.Close()
		for name, spoil := range map[string]func(m *layers.Meta){
			"good":             func(m *layers.Meta) {},
			"none":             func(m *layers.Meta) { m.Columns = nil },
			"too few":          func(m *layers.Meta) { m.Columns = m.Columns[:1] },
			"too many":         func(m *layers.Meta) { m.Columns = append(m.Columns, layers.Column{Name: "more", Bits: 1}) },
			"a million":        func(m *layers.Meta) { m.Columns = slices.Repeat(m.Columns, 1<<19) },
			"another name":     func(m *layers.Meta) { m.Columns[0].Name = "ways" },
			"in another order": func(m *layers.Meta) { m.Columns[0], m.Columns[1] = m.Columns[1], m.Columns[0] },
			"wider":            func(m *layers.Meta) { m.Columns[0].Bits++ },
			"wider than it may be": func(m *layers.Meta) {
				m.Columns[0].Bits, m.Columns[1].Bits = 9, m.Columns[1].Bits-9+m.Columns[0].Bits
			},
			"narrower":              func(m *layers.Meta) { m.Columns[1].Bits-- },
			"of less than no bits":  func(m *layers.Meta) { m.Columns[0].Bits = -1 },
			"of very many bits":     func(m *layers.Meta) { m.Columns[1].Bits = 1 << 62 },
			"distances of no bits":  func(m *layers.Meta) { m.DistanceBits = 0 },
			"wider distances":       func(m *layers.Meta) { m.DistanceBits++; m.Columns[1].Bits-- },
			"very wide distances":   func(m *layers.Meta) { m.DistanceBits = 1 << 40 },
			"figures without names": func(m *layers.Meta) { m.Figures = []statespace.Figure{{}} },
			"figures that are like other fields": func(m *layers.Meta) {
				m.Figures = []statespace.Figure{{Name: `a","b`}}
			},
			"figures twice": func(m *layers.Meta) { m.Figures = []statespace.Figure{{Name: "a"}, {Name: "a"}} },
		} {
			meta := right
			meta.Columns = slices.Clone(right.Columns)
			spoil(&meta)
			layers.Handmade(t, path, &meta, sections...)
			err := read(path)
			if good := name == "good"; good != (err == nil) || !good && !errors.Is(err, layers.ErrDamaged) {
				t.Errorf("%s: %s: %v", store, name, err)
			}
		}
		// Sections that are cut short or too long.
		for i := range sections {
			for _, n := range []int{0, 8, len(sections[i].Data) / 2, len(sections[i].Data) - 8, len(sections[i].Data) + 8} {
				bad := slices.Clone(sections)
				bad[i].Data = append(slices.Clone(bad[i].Data), make([]byte, 8)...)[:n]
				layers.Handmade(t, path, &right, bad...)
				if err := read(path); !errors.Is(err, layers.ErrDamaged) {
					t.Errorf("%s: section %s with %d of %d bytes: %v", store, bad[i].Name, n, len(sections[i].Data), err)
				}
			}
		}
	}
}

// Other stores keep no columns and no figures, and other spaces have none.
func TestHostileColumnsElsewhere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.reach")
	for _, sp := range []reached{explore(t, counted{undirectedRing}), explore(t, undirectedRing)} {
		for _, store := range sp.stores() {
			if valued := sp.Space.Parts().Values.Any(); store.Lists || valued && store.WholeDistances {
				continue
			}
			writeStore(t, path, store.Name, sp)
			f := open(t, path)
			sections, right := f.Sections(), *f.Meta()
			f.Close()
			for name, spoil := range map[string]func(m *layers.Meta){
				"columns": func(m *layers.Meta) { m.Columns = []layers.Column{{Name: "paths", Bits: 1}} },
				"figures": func(m *layers.Meta) { m.Figures = []statespace.Figure{{Name: "reached", Value: 1}} },
			} {
				if name == "figures" && store.WholeDistances {
					continue // a proof refuses them
				}
				meta := right
				spoil(&meta)
				layers.Handmade(t, path, &meta, sections...)
				if err := read(path); !errors.Is(err, layers.ErrDamaged) {
					t.Errorf("%s, %s with %s: %v", sp.Name(), store.Name, name, err)
				}
			}
		}
	}
}

// A vast space has very many numbers, and values.
type vast struct{ counted }

func (v vast) Size() uint64 { return 1 << 61 }

func (v vast) Parts() statespace.Parts {
	p := v.counted.Parts()
	p.Values.Columns = slices.Repeat([]statespace.Column{{Name: "wide", Bytes: 4}}, 31)
	return p
}

// The length of sections does not overflow.
func TestVastColumns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.reach")
	sp := vast{counted{directedRing}}
	for _, store := range []string{layers.DistanceStore, layers.PackedDistanceStore} {
		for wide := range 32 {
			columns := slices.Repeat([]layers.Column{{Name: "wide", Bits: 32}}, 31)
			columns[0].Bits = wide // with 31, an entry has 1024 bits, and 2^55 groups take 2^70 bits
			meta := &layers.Meta{Space: sp.Definition(), Store: store, Size: sp.Size(), States: 1, Layer: "depth",
				Layers: []statespace.Layer{{States: 1}}, Details: layers.Details{DistanceBits: 1, Columns: columns}}
			layers.Handmade(t, path, meta, layers.RawSection{Name: "distances"}, layers.RawSection{Name: "frames"}, layers.RawSection{Name: "offsets", Data: make([]byte, 16)})
			f, err := layers.Open(t.Context(), path, func(context.Context, statespace.Definition, uint64) (statespace.Space, error) { return sp, nil }, 0)
			if !errors.Is(err, layers.ErrDamaged) {
				t.Errorf("%s, column 0 with %d bits: %v", store, wide, err)
			}
			if err == nil {
				f.Close()
			}
		}
	}
}

// A crowded ring keeps 40 values of 4 bytes.
type crowded struct{ counted }

func (c crowded) Parts() statespace.Parts {
	p := c.counted.Parts()
	p.Values.Columns, p.Values.Figures = nil, nil
	for i := range 40 {
		p.Values.Columns = append(p.Values.Columns, statespace.Column{Name: fmt.Sprint("value", i), About: "a value", Bytes: 4})
	}
	p.Values.Value = func(dst []uint64, x uint64, _ statespace.Near) {
		for i := range dst {
			dst[i] = x * uint64(i+1) * 0x9e3779b1 % (1 << 32)
		}
	}
	return p
}

// A file takes any number of columns.
func TestManyColumns(t *testing.T) {
	sp := crowded{counted{ring{N: 1000, Steps: []uint64{1, 7}}}}
	path := filepath.Join(t.TempDir(), "a.reach")
	for _, store := range []string{layers.DistanceStore, layers.PackedDistanceStore} {
		writeStore(t, path, store, explore(t, sp))
		f, err := layers.Open(t.Context(), path, func(context.Context, statespace.Definition, uint64) (statespace.Space, error) { return sp, nil }, 0)
		if err != nil {
			t.Fatal(err)
		}
		values, _ := f.Values()
		if err := f.Read(func() error {
			got, want := make([]uint64, 40), make([]uint64, 40)
			for x := range sp.N {
				if err := values.Get(got, x); err != nil {
					return err
				}
				if sp.Parts().Values.Value(want, x, nil); !slices.Equal(got, want) {
					t.Fatalf("%s: number %d has the values %d, want %d", store, x, got, want)
				}
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
		f.Close()
	}
}

// Whole distances take as many bits as the greatest one needs, and no others are accepted.
func TestDistanceBits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.reach")
	for _, sp := range []reached{explore(t, longRing), explore(t, directedRing), explore(t, ring{N: 1, Steps: []uint64{0}}), slides(t, "slide/dads")} {
		writeStore(t, path, layers.DistanceStore, sp)
		f, err := layers.Open(t.Context(), path, define, 0)
		if err != nil {
			t.Fatal(err)
		}
		if want := bits.Len(uint(len(sp.layers))); f.Meta().DistanceBits != want {
			t.Errorf("%s: distances up to %d have %d bits, want %d", sp.Name(), len(sp.layers)-1, f.Meta().DistanceBits, want)
		}
		f.Close()
	}
	sp := explore(t, directedRing)
	width := bits.Len(uint(len(sp.layers)))
	for _, given := range []int{-1, 0, width - 1, width, width + 1, 17, 1 << 40} {
		meta := metaOf(sp, layers.DistanceStore)
		meta.DistanceBits = given
		data := make([]byte, (sp.Size()+63)/64*8*uint64(min(max(given, 0), 64)))
		layers.Handmade(t, path, meta, layers.RawSection{Name: "distances", Data: data})
		f, err := layers.Open(t.Context(), path, define, 0)
		if good := given == width; good != (err == nil) || !good && !errors.Is(err, layers.ErrDamaged) {
			t.Errorf("distances of %d bits: %v", given, err)
		}
		if err == nil {
			f.Close()
		}
	}
}
