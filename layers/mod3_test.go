package layers_test

import (
	"errors"
	"math/big"
	"path/filepath"
	"testing"

	"pagoda/layers"
)

// What a file says of distances is looked at when it is opened: layers that have gaps, goals
// that cannot be.
func TestHostileGoals(t *testing.T) {
	sp := slides(t, "slide/dads")
	path := filepath.Join(t.TempDir(), "a.reach")
	one := big.NewInt(1)
	for name, spoil := range map[string]func(*layers.Meta){
		"good":          func(m *layers.Meta) {},
		"no layers":     func(m *layers.Meta) { m.Layers, m.States, m.Goal = nil, 0, nil },
		"a gap":         func(m *layers.Meta) { m.Layers[1].Layer = 2 },
		"an empty one":  func(m *layers.Meta) { m.Layers[0].States, m.Layers[1].States = 0, m.States },
		"beyond":        func(m *layers.Meta) { m.Goal.Nearest = []uint64{m.Size} },
		"twice":         func(m *layers.Meta) { m.Goal.Nearest, m.Goal.Count = []uint64{5, 5}, 2 },
		"none":          func(m *layers.Meta) { m.Goal.Nearest, m.Goal.Count = nil, 0 },
		"too many":      func(m *layers.Meta) { m.Goal.Count = 7 },
		"far":           func(m *layers.Meta) { m.Goal.Distance = 2 },
		"before all":    func(m *layers.Meta) { m.Goal.Distance = -1 },
		"no ways":       func(m *layers.Meta) { m.Goal.Solutions = new(big.Int) },
		"unknown ways":  func(m *layers.Meta) { m.Goal.Solutions = nil },
		"negative ways": func(m *layers.Meta) { m.Goal.Solutions = big.NewInt(-1) },
	} {
		meta := metaOf(sp, layers.Mod3Store)
		meta.Layers = []layers.LayerCount{{Layer: 0, States: 1}, {Layer: 1, States: meta.States - 1}}
		meta.Goal = &layers.Goal{Distance: 1, Solutions: one, Count: 1, Nearest: []uint64{5}}
		spoil(meta)
		layers.Handmade(t, path, meta, layers.Section{Name: "distances", Data: make([]byte, (sp.Size()+63)/64*16)})
		f, err := layers.Open(path, define)
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
	for store, section := range map[string]layers.Section{
		layers.Mod3Store: {Name: "distances", Data: make([]byte, words*16)},
		layers.SetStore:  {Name: "set", Data: make([]byte, words*8)},
	} {
		section.Data[len(section.Data)-1] = 0x80
		layers.Handmade(t, path, metaOf(sp, store), section)
		if f, err := layers.Open(path, define); !errors.Is(err, layers.ErrDamaged) {
			t.Errorf("%s: %v", store, err)
			if err == nil {
				f.Close()
			}
		}
	}
}
