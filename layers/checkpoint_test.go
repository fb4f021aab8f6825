package layers_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"pagoda/bitset"
	"pagoda/layers"
	"pagoda/statespace"
)

// checkpointOf describes a checkpoint of an engine that no package has.
func checkpointOf(sp statespace.Space) *layers.Meta {
	return &layers.Meta{Space: sp.Definition(), Size: sp.Size(), Checkpoint: &layers.Checkpoint{Engine: "anything", Version: 7, Division: 1, Done: 3, Store: layers.SetStore}}
}

// readCheckpoint reads all that there is in a checkpoint.
func readCheckpoint(path string) error {
	f, err := layers.OpenCheckpoint(context.Background(), path, define, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	for _, name := range []string{"many", "none", "few"} {
		if _, err := f.Section(name, layers.AnyLength); err != nil {
			return err
		}
	}
	var state struct{ Level int }
	return errors.Join(f.State(&state), f.Check(context.Background(), 2, nil))
}

// An engine gets back what it wrote, under names of its own.
func TestCheckpoint(t *testing.T) {
	path := filepath.Join(t.TempDir(), "checkpoint")
	many := make([]byte, 1<<20+5)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range many {
		many[i] = byte(rng.Uint32())
	}
	meta := checkpointOf(directedRing)
	inParts := layers.Section{Name: "many", Bytes: uint64(len(many)), Write: func(write func([]byte) error) error {
		return errors.Join(write(many[:1000]), write(many[1000:]))
	}}
	write := func(sections ...layers.Section) error {
		return layers.WriteCheckpoint(t.Context(), path, meta, map[string]int{"level": 12}, sections...)
	}
	for range 2 { // the second one replaces the first
		if err := write(inParts, layers.SectionOf("none", nil), layers.SectionOf("few", []byte("ten bytes."))); err != nil {
			t.Fatal(err)
		}
	}
	f, err := layers.OpenCheckpoint(t.Context(), path, define, 0)
	if err != nil {
		t.Fatal(err)
	}
	c, state := *f.Meta().Checkpoint, struct{ Level int }{}
	if err := f.State(&state); err != nil || state.Level != 12 || c.Engine != "anything" || c.Version != 7 || c.Done != 3 || f.Meta().Store != layers.CheckpointStore {
		t.Errorf("it says %+v, with the state %+v, %v", c, state, err)
	}
	for name, want := range map[string][]byte{"many": many, "none": nil, "few": []byte("ten bytes.")} {
		if got, err := f.Section(name, uint64(len(want))); err != nil || !bytes.Equal(got, want) {
			t.Errorf("the section %s has %d bytes, want %d, %v", name, len(got), len(want), err)
		}
		if _, err := f.Section(name, uint64(len(want))+1); !errors.Is(err, layers.ErrDamaged) {
			t.Errorf("the section %s, a byte longer: %v", name, err)
		}
	}
	if _, err := f.Section("other", layers.AnyLength); !errors.Is(err, layers.ErrDamaged) || !strings.Contains(err.Error(), `"other" should be there`) {
		t.Errorf("a section that is not there: %v", err)
	}
	if _, err := bitset.Has(f.Members(), 0); err == nil || !strings.Contains(err.Error(), "resume the run") {
		t.Errorf("a checkpoint has members: %v", err)
	}
	if err := f.State(&[]int{}); !errors.Is(err, layers.ErrDamaged) {
		t.Errorf("a state of another kind: %v", err)
	}
	f.Close()
	testDamage(t, "a checkpoint", path, readCheckpoint)

	// A checkpoint is not opened as a file of states, nor a file of states as a checkpoint.
	if _, err := layers.Open(t.Context(), path, define, 0); !errors.Is(err, layers.ErrUnfinished) {
		t.Errorf("a checkpoint: %v", err)
	}
	finished := filepath.Join(t.TempDir(), "finished")
	writeStore(t, finished, layers.SetStore, explore(t, directedRing))
	if _, err := layers.OpenCheckpoint(t.Context(), finished, define, 0); !errors.Is(err, layers.ErrNotCheckpoint) {
		t.Errorf("a finished file: %v", err)
	}

	// What cannot be written leaves the checkpoint as it was.
	failed := errors.New("failed")
	for what, sections := range map[string][]layers.Section{
		"two of a name":     {layers.SectionOf("a", nil), layers.SectionOf("a", nil)},
		"a long name":       {layers.SectionOf(strings.Repeat("a", 17), nil)},
		"the metadata":      {layers.SectionOf("meta", nil)},
		"one that fails":    {inParts, {Name: "a", Write: func(func([]byte) error) error { return failed }}},
		"more than fit":     manySections(126),
		"larger than disks": {{Name: "a", Bytes: 1 << 60}},
	} {
		if err := write(sections...); err == nil || what == "one that fails" != errors.Is(err, failed) {
			t.Errorf("sections, %s: %v", what, err)
		}
		if err := readCheckpoint(path); err != nil {
			t.Errorf("sections, %s: the checkpoint before is lost: %v", what, err)
		}
	}
	noDebris(t, path)
	if err := write(manySections(124)...); err != nil {
		t.Error(err)
	}
}

// manySections returns empty sections.
func manySections(n int) (all []layers.Section) {
	for i := range n {
		all = append(all, layers.SectionOf(string(rune('A'+i)), nil))
	}
	return all
}
