package cluster

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pagoda/cluster/storage"
	"pagoda/layers"
	"pagoda/run"
)

// By blocks, with small groups, jobs of a few stages and hardly any memory for sources, a run writes the file
// of one machine.
func TestBlocks(t *testing.T) {
	for _, c := range []struct{ space, store string }{
		{"peg/4x4", ""}, {"peg/5x5", ""}, {"peg/triangle15", ""}, {"peg/5x5", layers.SetStore}, {"peg/5x5", layers.SparseStore},
	} {
		sp := lookup(t, c.space)
		o := Options{By: ByBlocks, Blocks: 3, Levels: 7}
		o.Output, o.Store, o.Memory, o.Threads = filepath.Join(t.TempDir(), "x.reach"), c.store, 4<<10, 2
		file, _ := want(t, sp, run.Options{Store: c.store})
		r, err := Run(t.Context(), sp, o)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(read(t, o.Output), file) {
			t.Errorf("%s: the file of %s is not that of reach run", c.space, r.Store)
		}
		if _, err := os.Stat(o.Output + placeSuffix); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: the stages are still there", c.space)
		}
	}
}

// A run goes on from its last whole stage. It says which object is missing or damaged that it needs, and from
// where the run makes it again.
func TestBlocksDamage(t *testing.T) {
	sp := lookup(t, "peg/5x5")
	file, _ := want(t, sp, run.Options{})
	memory := uint64(1 << 20)
	begin := func(o Options) error {
		memory++ // so that it does not have the blocks of another run of this process
		o.Memory, o.Overwrite, o.Attempts, o.Keep, o.Blocks = memory, true, 2, true, 3
		_, err := Run(t.Context(), sp, o)
		return err
	}
	var o Options
	o.Output = filepath.Join(t.TempDir(), "x.reach")
	place := o.Output + placeSuffix
	stop := func() { // as if the run had been stopped after stage 11
		for _, pattern := range []string{"stage-0001[2-9]/manifest", "pieces/*"} {
			names, _ := filepath.Glob(filepath.Join(place, pattern))
			for _, name := range names {
				if err := os.Remove(name); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if err := begin(o); err != nil {
		t.Fatal(err)
	}
	const object = "stage-00011/00001"
	name := filepath.Join(place, filepath.FromSlash(object))
	good := read(t, name)
	flipped := bytes.Clone(good)
	flipped[len(flipped)-1] ^= 1
	head := bytes.Clone(good)
	head[0] ^= 1
	for _, bad := range []struct {
		data []byte
		want error
	}{
		{flipped, storage.ErrDamaged}, {head, storage.ErrDamaged}, {good[:len(good)-1], storage.ErrDamaged}, {nil, storage.ErrMissing},
	} {
		stop()
		os.Remove(name)
		if bad.data != nil {
			if err := os.WriteFile(name, bad.data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		err := begin(o)
		if !errors.Is(err, bad.want) || !strings.Contains(err.Error(), object) || !strings.Contains(err.Error(), "remove stage-00011/manifest and all later stages") {
			t.Errorf("the error is %v, expected that %s is %v", err, object, bad.want)
		}
	}
	if by := (Options{Options: o.Options, By: ByLayers}); !errors.Is(begin(by), run.ErrInTheWay) {
		t.Error("a run by blocks goes on by layers")
	}
	if err := os.Remove(filepath.Join(place, "stage-00011", "manifest")); err != nil {
		t.Fatal(err)
	}
	if err := begin(o); err != nil || !bytes.Equal(read(t, o.Output), file) {
		t.Errorf("the run goes on with another file, %v", err)
	}
}

// Every block is found in the frame of the group where it lies, whatever the sizes.
func TestSchedule(t *testing.T) {
	sp := lookup(t, "peg/5x6")
	for _, group := range []int{0, 1, 5, 100} {
		w := &worker{sp: sp, plan: &plan{Blocks: newBlockPlan(sp, group, 2)}}
		b, err := newBlockWorker(w)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for stage := range b.stages() {
			for group := range b.groups(stage) {
				blocks := b.group(stage, group)
				if n += len(blocks); len(blocks) == 0 || len(blocks) > b.Group {
					t.Errorf("group %d of stage %d has %d blocks, expected 1 to %d", group, stage, len(blocks), b.Group)
				}
				for place, block := range blocks {
					key, at := b.find(block)
					if want := (frameKey{stage, group, place / b.Frame}); key != want || at != place%b.Frame {
						t.Fatalf("block %d is at %d of %v, expected %v", block, at, key, want)
					}
				}
			}
		}
		if n != int(b.Count) {
			t.Errorf("the groups have %d blocks, expected %d", n, b.Count)
		}
	}
}

// A space without blocks cannot be enumerated by them.
func TestNoBlocks(t *testing.T) {
	o := Options{By: ByBlocks}
	o.Output = filepath.Join(t.TempDir(), "x.reach")
	if _, err := Run(t.Context(), lookup(t, "slide/box-2x2x3"), o); !errors.Is(err, run.ErrOptions) || !strings.Contains(err.Error(), ByLayers) {
		t.Errorf("the error is %v, expected one that names --by layers", err)
	}
}
