package layers_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pagoda/bitset"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/peg"
	"pagoda/statespace/spacetest"
)

// streamer folds a peg space so that the kept blocks can be put in an order in which no move
// leads back, and returns its plain streamer.
func streamer(t testing.TB, board string) (statespace.Streamer, reached) {
	t.Helper()
	sp := reach(t, board)
	for bits := 6; 1<<bits < sp.Size(); bits++ {
		if statespace.CheckFolding(sp.Space, bits) != nil {
			continue
		}
		f := foldable{sp.Space.(*peg.Space), statespace.Folding{Bits: bits}}
		if f.folding.Order = inMoveOrder(f, bits); f.folding.Order != nil {
			return spacetest.NewPlainStreamer(f), reached{f, sp.set}
		}
	}
	t.Fatalf("no blocks of %s have an order", board)
	return nil, reached{}
}

// inMoveOrder lists the kept blocks, each after those from which moves lead to it; nil if
// moves lead around.
func inMoveOrder(sp statespace.Symmetric, bits int) (order []uint32) {
	from := make(map[uint64]map[uint64]bool)
	for x := range sp.Size() {
		block, by := statespace.KeptBlock(sp.Symmetries(), bits, x>>bits)
		if by != nil {
			continue
		}
		if from[block] == nil {
			from[block] = make(map[uint64]bool)
		}
		for _, e := range sp.Predecessors(nil, x) {
			if kept, _ := statespace.KeptBlock(sp.Symmetries(), bits, e.To>>bits); kept != block {
				from[block][kept] = true
			}
		}
	}
	for len(from) > 0 {
		var free []uint32
		for block, sources := range from {
			if len(sources) == 0 {
				free = append(free, uint32(block))
			}
		}
		if len(free) == 0 {
			return nil
		}
		slices.Sort(free)
		order = append(order, free...)
		for _, block := range free {
			delete(from, uint64(block))
			for _, sources := range from {
				delete(sources, uint64(block))
			}
		}
	}
	return order
}

// streamedBoards are what streams are tested on, with and without symmetries.
var streamedBoards = []string{"ooo\nooo\no.o\nooo\nooo", "ooo\nooo\n.oo\nooo\nooo", "ooo.ooo\nooooooo", "ooooo\nooo.o\nooooo"}

func createStream(t *testing.T, path string, sp statespace.Streamer) (*layers.StreamWriter, *statespace.Streaming) {
	t.Helper()
	store, err := layers.FindStore(layers.FoldedStore)
	if err != nil {
		t.Fatal(err)
	}
	w, err := layers.Create(path, store.FileSize(sp), false)
	if err != nil {
		t.Fatal(err)
	}
	return stream(t, sp, w.Stream(sp))
}

func stream(t *testing.T, sp statespace.Streamer, w *layers.StreamWriter) (*layers.StreamWriter, *statespace.Streaming) {
	t.Helper()
	s, err := statespace.NewStreaming(sp, make([]uint64, sp.Slots()<<sp.Folding().Bits/64), w.Append)
	if err != nil {
		t.Fatal(err)
	}
	return w, s
}

// streamMeta is what a file of a stream that is done tells.
func streamMeta(sp statespace.Streamer, s *statespace.Streaming) *layers.Meta {
	meta := &layers.Meta{Space: sp.Definition(), Layer: "pegs", Size: sp.Size(), Layers: layers.LayerCounts(s.Tally())}
	for _, l := range meta.Layers {
		meta.States += l.States
	}
	return meta
}

// checkpointMeta is what a checkpoint tells.
func checkpointMeta(sp statespace.Streamer) *layers.Meta {
	return &layers.Meta{Space: sp.Definition(), Store: layers.CheckpointStore, Size: sp.Size(), Checkpoint: &layers.Checkpoint{}}
}

var errStop = errors.New("stop")

// stopAfter makes all stages up to one.
func stopAfter(t *testing.T, s *statespace.Streaming, stage int) {
	t.Helper()
	if err := s.Run(t.Context(), func(done int) error {
		if done == stage {
			return errStop
		}
		return nil
	}, 2, nil); !errors.Is(err, errStop) {
		t.Fatalf("it ended with %v", err)
	}
}

// saveStream writes a checkpoint.
func saveStream(t *testing.T, path string, sp statespace.Streamer, s *statespace.Streaming, out *layers.StreamWriter) {
	t.Helper()
	w, err := layers.Create(path, 0, true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.FinishStreaming(t.Context(), sp, s, out, checkpointMeta(sp)); err != nil {
		t.Fatal(err)
	}
}

// A streamed file has the bytes of one that is written from the set, wherever the run was
// stopped and taken up.
func TestStream(t *testing.T) {
	for _, board := range streamedBoards {
		sp, whole := streamer(t, board)
		dir := t.TempDir()
		want := filepath.Join(dir, "want")
		writeStore(t, want, layers.FoldedStore, whole)
		wantBytes, err := os.ReadFile(want)
		if err != nil {
			t.Fatal(err)
		}
		stages := sp.Stream(make([]uint64, sp.Slots()<<sp.Folding().Bits/64)).Stages()
		for stop := range stages {
			path, checkpoint := filepath.Join(t.TempDir(), "a.reach"), filepath.Join(dir, "checkpoint")
			w, s := createStream(t, path, sp)
			if stop > 0 {
				stopAfter(t, s, stop)
				saveStream(t, checkpoint, sp, s, w)
				if stop%2 == 0 { // it went on, and was killed
					if err := s.Run(t.Context(), nil, 1, nil); err != nil {
						t.Fatal(err)
					}
				}
				w.Abort()
				f, err := layers.OpenCheckpoint(checkpoint, define)
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
				if w, err = layers.Reopen(t.Context(), f, sp, path, false, 2); err != nil {
					t.Fatal(err)
				}
				if _, err := layers.Reopen(t.Context(), f, sp, path, false, 2); !errors.Is(err, layers.ErrBusy) {
					t.Errorf("it is taken back by two: %v", err)
				}
				w, s = stream(t, sp, w)
				if err := f.Restore(sp, s, w); err != nil {
					t.Fatal(err)
				}
			}
			if err := s.Run(t.Context(), nil, 2, nil); err != nil {
				t.Fatal(err)
			}
			if _, err := w.Finish(t.Context(), streamMeta(sp, s)); err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, wantBytes) {
				t.Fatalf("%s, stopped after stage %d: the file differs, %v", board, stop, err)
			}
			noDebris(t, path)
		}
	}
}

// So has one that was made in memory for all blocks, which a checkpoint holds.
func TestStreamInMemory(t *testing.T) {
	for _, board := range streamedBoards {
		sp, whole := streamer(t, board)
		all := uint64(len(sp.Folding().Order))
		stages := sp.Stream(make([]uint64, sp.Slots()<<sp.Folding().Bits/64)).Stages()
		for _, slots := range []uint64{sp.Slots(), all} {
			for stop := 1; stop < stages; stop++ {
				begin := func() *statespace.Streaming {
					s, err := statespace.NewStreaming(sp, make([]uint64, slots<<sp.Folding().Bits/64), nil)
					if err != nil {
						t.Fatal(err)
					}
					return s
				}
				s := begin()
				stopAfter(t, s, stop)
				checkpoint := filepath.Join(t.TempDir(), "checkpoint")
				saveStream(t, checkpoint, sp, s, nil)
				f, err := layers.OpenCheckpoint(checkpoint, define)
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
				if _, err := bitset.Has(f.Members(), 0); err == nil {
					t.Error("a checkpoint of blocks has members")
				}
				s = begin()
				if err := f.Restore(sp, s, nil); err != nil {
					t.Fatal(err)
				}
				if err := s.Run(t.Context(), nil, 2, nil); err != nil {
					t.Fatal(err)
				}
				if slots < all {
					continue
				}
				set, err := s.Set()
				if err != nil {
					t.Fatal(err)
				}
				path := filepath.Join(t.TempDir(), "a.reach")
				for _, store := range whole.stores() {
					writeMembers(t, path, store.Name, whole, statespace.Unfolded{FoldedSet: set, Symmetries: sp.Symmetries()}, 2)
					got, err1 := os.ReadFile(path)
					writeStore(t, path, store.Name, whole)
					want, err2 := os.ReadFile(path)
					if err := errors.Join(err1, err2); err != nil || !bytes.Equal(got, want) {
						t.Fatalf("%s, stopped after stage %d, %s: the file differs, %v", board, stop, store.Name, err)
					}
				}
				if stop > 2 {
					break // for its time
				}
			}
		}
	}
}

// largerBlocks has blocks of twice the size.
type largerBlocks struct{ statespace.Streamer }

func (l largerBlocks) BlockBits() int { return l.Streamer.BlockBits() + 1 }

// A partial file that is not the one of the checkpoint is refused, and stays; so is the
// checkpoint of other blocks.
func TestReopenRefuses(t *testing.T) {
	sp, _ := streamer(t, streamedBoards[0])
	dir := t.TempDir()
	path := filepath.Join(dir, "a.reach")
	partial, checkpoint := path+layers.PartialSuffix, path+".checkpoint"
	w, s := createStream(t, path, sp)
	stages := sp.Stream(make([]uint64, sp.Slots()<<sp.Folding().Bits/64)).Stages()
	stop := stages - 1
	stopAfter(t, s, stop)
	saveStream(t, checkpoint, sp, s, w)
	w.Abort()
	good, err := os.ReadFile(partial)
	if err != nil {
		t.Fatal(err)
	}
	f, err := layers.OpenCheckpoint(checkpoint, define)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	end := 4096 + int(s.Blocks()<<sp.Folding().Bits/8)
	resume := func() error {
		w, err := layers.Reopen(t.Context(), f, sp, path, false, 2)
		if err != nil {
			return err
		}
		defer w.Abort()
		_, s := stream(t, sp, w)
		return f.Restore(sp, s, w)
	}
	refused := func(what string, data []byte, want error) {
		t.Helper()
		if err := os.WriteFile(partial, data, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := resume(); !errors.Is(err, want) {
			t.Errorf("%s: %v", what, err)
		}
		if now, err := os.ReadFile(partial); err != nil || len(now) < len(data) {
			t.Errorf("%s: it is no longer there: %v", what, err)
		}
	}
	refused("as it was", good, nil)
	for _, at := range []int{4096, end - 1} {
		bad := bytes.Clone(good)
		bad[at] ^= 8
		refused("a bit flipped", bad, layers.ErrLost)
	}
	refused("cut short", good[:end-1], layers.ErrLost)
	if err := resume(); !errors.Is(err, layers.ErrLost) {
		t.Errorf("cut short, again: %v", err)
	}
	os.Remove(partial)
	if err := resume(); !errors.Is(err, layers.ErrLost) {
		t.Errorf("no file: %v", err)
	}
	if _, err := os.Stat(partial); err == nil {
		t.Error("one was made")
	}
	// A run was killed when the file had its name, too.
	if err := os.WriteFile(partial, good, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(partial, path); err == nil {
		if w, err := layers.Reopen(t.Context(), f, sp, path, true, 2); !errors.Is(err, layers.ErrExists) {
			t.Errorf("the finished file was taken back: %v, %v", w, err)
		}
		os.Remove(path)
	}
	if _, err := layers.Reopen(t.Context(), f, largerBlocks{sp}, path, false, 2); !errors.Is(err, layers.ErrDamaged) {
		t.Errorf("other blocks: %v", err)
	}
	memory, err := statespace.NewStreaming(sp, make([]uint64, sp.Slots()<<sp.Folding().Bits/64), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Restore(sp, memory, nil); !errors.Is(err, layers.ErrDamaged) {
		t.Errorf("blocks that are in a file were restored from the checkpoint: %v", err)
	}
}

// Finish refuses a stream that is not whole; when it is stopped, it can go on.
func TestStreamFinish(t *testing.T) {
	sp, _ := streamer(t, streamedBoards[0])
	path := filepath.Join(t.TempDir(), "a.reach")
	w, s := createStream(t, path, sp)
	stopAfter(t, s, 1)
	if _, err := w.Finish(t.Context(), streamMeta(sp, s)); err == nil {
		t.Error("a stream that is not whole was finished")
	}
	if err := s.Run(t.Context(), nil, 1, nil); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Finish(ctx, streamMeta(sp, s)); !errors.Is(err, context.Canceled) {
		t.Errorf("it was stopped: %v", err)
	}
	if _, err := w.Finish(t.Context(), streamMeta(sp, s)); err != nil {
		t.Error(err)
	}
	if err := read(path); err != nil {
		t.Error(err)
	}
	noDebris(t, path)

	nothing := filepath.Join(t.TempDir(), "a.reach")
	w, _ = createStream(t, nothing, sp)
	w.Abort()
	noDebris(t, nothing)
	if _, err := os.Stat(nothing); err == nil {
		t.Error("a file was made of nothing")
	}
}

// When blocks could not be written, there is no checkpoint without them, even if what comes
// after them could be written again.
func TestStreamFails(t *testing.T) {
	sp, _ := streamer(t, streamedBoards[0])
	dir := t.TempDir()
	w, s := createStream(t, filepath.Join(dir, "a.reach"), sp)
	defer w.Abort()
	stopAfter(t, s, 2)
	checkpoint := filepath.Join(dir, "checkpoint")
	save := func() error {
		c, err := layers.Create(checkpoint, 0, true)
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.FinishStreaming(t.Context(), sp, s, w, checkpointMeta(sp))
		return err
	}
	mend := layers.Fail(t, w)
	if err := save(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("blocks that cannot be written: %v", err)
	}
	mend()
	if err := save(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("a checkpoint without the blocks that could not be written: %v", err)
	}
	if _, err := os.Stat(checkpoint); err == nil {
		t.Error("it was put in place")
	}
}

// A checkpoint that tells of another run is refused.
func TestRestoreRefuses(t *testing.T) {
	sp, _ := streamer(t, streamedBoards[0])
	path := filepath.Join(t.TempDir(), "checkpoint")
	for _, c := range []layers.Checkpoint{
		{Done: 1000, Stream: &layers.Streamed{}},
		{Done: 1, Stream: &layers.Streamed{}},
		{Done: 0, Stream: &layers.Streamed{Blocks: 1, Ring: 1}},
	} {
		c.Stream.BlockBits = sp.BlockBits()
		meta := checkpointMeta(sp)
		meta.Checkpoint = &c
		layers.Handmade(t, path, meta, layers.Section{Name: "ring", Data: make([]byte, c.Stream.Ring<<c.Stream.BlockBits/8)})
		f, err := layers.OpenCheckpoint(path, define)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		s, err := statespace.NewStreaming(sp, make([]uint64, sp.Slots()<<sp.BlockBits()/64), nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Restore(sp, s, nil); !errors.Is(err, layers.ErrDamaged) {
			t.Errorf("%d stages with %d blocks: %v", c.Done, c.Stream.Blocks, err)
		}
	}
}
