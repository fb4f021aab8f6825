package layers_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"pagoda/internal/failpoint"
	"pagoda/layers"
	"pagoda/puzzle/peg"
	"pagoda/statespace"
	"pagoda/statespace/spacetest"
	"pagoda/statespace/sweep"
)

// blocked folds a peg space so that its representatives can be put in an order in which no move
// leads back. It returns the space that is made block by block in the plain way.
func blocked(t testing.TB, board string) (*spacetest.PlainStreamer, reached) {
	t.Helper()
	sp := reach(t, board)
	for bits := 6; 1<<bits < sp.Size(); bits++ {
		if sweep.CheckFolding(sp.Space, bits) != nil {
			continue
		}
		f := foldable{sp.Space.(*peg.Space), statespace.Folding{Bits: bits}}
		if f.folding.Order = inMoveOrder(f, bits); f.folding.Order != nil {
			return spacetest.NewPlainStreamer(f), reached{f, sp.set, sp.layers}
		}
	}
	t.Fatalf("no blocks of %s have an order", board)
	return nil, reached{}
}

// inMoveOrder lists the representatives, each after those from which moves lead to it; nil if
// moves lead around.
func inMoveOrder(sp statespace.Space, bits int) (order []uint32) {
	symmetries := sweep.Symmetries(sp)
	from := make(map[uint64]map[uint64]bool)
	for x := range sp.Size() {
		block, by := sweep.Represent(symmetries, bits, x>>bits)
		if by != nil {
			continue
		}
		if from[block] == nil {
			from[block] = make(map[uint64]bool)
		}
		for _, e := range sp.Predecessors(nil, x) {
			if representative, _ := sweep.Represent(symmetries, bits, e.To>>bits); representative != block {
				from[block][representative] = true
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

// blockedBoards are what runs of blocks are tested on, with and without symmetries.
var blockedBoards = []string{"ooo\nooo\no.o\nooo\nooo", "ooo\nooo\n.oo\nooo\nooo", "ooo.ooo\nooooooo", "ooooo\nooo.o\nooooo"}

// memoryFor returns memory for some blocks of a space.
func memoryFor(sp statespace.Space, blocks uint64) []uint64 {
	return make([]uint64, blocks<<sweep.BlocksOf(sp).Bits/64)
}

// stagesOf returns in how many stages a space is made.
func stagesOf(sp statespace.Space) int {
	blocks := sweep.BlocksOf(sp)
	return blocks.Stream(memoryFor(sp, blocks.Window)).Stages()
}

// newRun begins a run of blocks, which go to w unless it is nil.
func newRun(t *testing.T, sp statespace.Space, blocks uint64, w *layers.StreamWriter) *sweep.BlockRun {
	t.Helper()
	var sink func([]uint64) error
	if w != nil {
		sink = w.Append
	}
	s, err := sweep.NewBlockRun(sp, memoryFor(sp, blocks), sink)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// createStream creates a file and begins the run that makes its blocks.
func createStream(t *testing.T, path string, sp statespace.Space) (*layers.StreamWriter, *sweep.BlockRun) {
	t.Helper()
	store, err := layers.FindStore(layers.FoldedStore)
	if err != nil {
		t.Fatal(err)
	}
	created, err := layers.Create(path, store.FileSize(sp), false)
	if err != nil {
		t.Fatal(err)
	}
	w := created.Stream(sp)
	return w, newRun(t, sp, sweep.BlocksOf(sp).Window, w)
}

// streamMeta describes what a run that is done has made.
func streamMeta(sp statespace.Space, s *sweep.BlockRun) *layers.Meta {
	meta := &layers.Meta{Space: sp.Definition(), Layer: "pegs", Size: sp.Size(), Layers: slices.Clone(s.Layers())}
	for _, l := range meta.Layers {
		meta.States += l.States
	}
	return meta
}

var errStop = errors.New("stop")

// stopAfter makes the blocks of the first stages.
func stopAfter(t *testing.T, s *sweep.BlockRun, stages int) {
	t.Helper()
	if err := s.Run(t.Context(), func(done int) error {
		if done == stages {
			return errStop
		}
		return nil
	}, 2, nil); !errors.Is(err, errStop) {
		t.Fatalf("it ended with %v", err)
	}
}

// A savedStream is what a checkpoint keeps of a run whose blocks are in a partial file.
type savedStream struct {
	done   int
	layers []statespace.Layer
	bytes  uint64 // of blocks
	sums   []byte
}

// saveStream returns what a checkpoint keeps.
func saveStream(s *sweep.BlockRun, w *layers.StreamWriter, sp statespace.Space) (saved savedStream, err error) {
	if err := s.HandOn(); err != nil {
		return saved, err
	}
	saved = savedStream{s.Done(), s.Layers(), s.Blocks() << sweep.BlocksOf(sp).Bits / 8, nil}
	saved.sums, err = w.Sums()
	return saved, err
}

// reopen takes the partial file back.
func (s savedStream) reopen(t *testing.T, path string, sp statespace.Space) (*layers.StreamWriter, error) {
	return layers.Reopen(t.Context(), sp, path, false, s.bytes, s.sums, 2)
}

// A streamed file has the bytes of one that is written from the set, wherever the run was
// stopped and taken up.
func TestStream(t *testing.T) {
	for _, board := range blockedBoards {
		sp, whole := blocked(t, board)
		dir := t.TempDir()
		want := filepath.Join(dir, "want")
		writeStore(t, want, layers.FoldedStore, whole)
		wantBytes, err := os.ReadFile(want)
		if err != nil {
			t.Fatal(err)
		}
		stages := stagesOf(sp)
		for stop := range stages {
			path := filepath.Join(t.TempDir(), "a.reach")
			w, s := createStream(t, path, sp)
			if stop > 0 {
				stopAfter(t, s, stop)
				saved, err := saveStream(s, w, sp)
				if err != nil {
					t.Fatal(err)
				}
				w.Keep()
				if stop%2 == 0 { // it went on, and was killed
					if err := s.Run(t.Context(), nil, 1, nil); err != nil {
						t.Fatal(err)
					}
				}
				w.Abort()
				if w, err = saved.reopen(t, path, sp); err != nil {
					t.Fatal(err)
				}
				if _, err := saved.reopen(t, path, sp); !errors.Is(err, layers.ErrBusy) {
					t.Errorf("it is taken back by two: %v", err)
				}
				s = newRun(t, sp, sweep.BlocksOf(sp).Window, w)
				if err := s.Restore(saved.done, saved.layers, w.ReadBlock); err != nil {
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

// So has one that was made in memory for all blocks, by two runs one after the other.
func TestStreamInMemory(t *testing.T) {
	for _, board := range blockedBoards {
		sp, whole := blocked(t, board)
		all := uint64(len(sp.Folding().Order))
		stages := stagesOf(sp)
		for _, slots := range []uint64{sweep.BlocksOf(sp).Window, all} {
			for stop := 1; stop < stages; stop++ {
				s := newRun(t, sp, slots, nil)
				stopAfter(t, s, stop)
				before := s
				s = newRun(t, sp, slots, nil)
				if err := s.Restore(before.Done(), before.Layers(), func(i uint64, words []uint64) error {
					copy(words, before.Words(i))
					return nil
				}); err != nil {
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
					writeMembers(t, path, store.Name, whole, sweep.Unfolded{FoldedSet: set, Symmetries: sweep.Symmetries(sp)}, 2)
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

// A partial file that is not the one that was saved is refused, and stays.
func TestReopenRefuses(t *testing.T) {
	sp, _ := blocked(t, blockedBoards[0])
	dir := t.TempDir()
	path := filepath.Join(dir, "a.reach")
	partial := path + layers.PartialSuffix
	w, s := createStream(t, path, sp)
	stages := stagesOf(sp)
	stop := stages - 1
	stopAfter(t, s, stop)
	saved, err := saveStream(s, w, sp)
	if err != nil {
		t.Fatal(err)
	}
	w.Keep()
	w.Abort()
	good, err := os.ReadFile(partial)
	if err != nil {
		t.Fatal(err)
	}
	end := 4096 + int(s.Blocks()<<sp.Folding().Bits/8)
	resume := func() error {
		w, err := saved.reopen(t, path, sp)
		if err != nil {
			return err
		}
		defer w.Abort()
		return newRun(t, sp, sweep.BlocksOf(sp).Window, w).Restore(saved.done, saved.layers, w.ReadBlock)
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
		if w, err := layers.Reopen(t.Context(), sp, path, true, saved.bytes, saved.sums, 2); !errors.Is(err, layers.ErrExists) {
			t.Errorf("the finished file was taken back: %v, %v", w, err)
		}
		os.Remove(path)
	}
	if _, err := layers.Reopen(t.Context(), sp, path, true, saved.bytes, saved.sums[1:], 2); err == nil || !strings.Contains(err.Error(), "checksums of") {
		t.Errorf("too few checksums: %v", err)
	}
}

// Finish refuses a stream that is not whole; when it is stopped, it can go on.
func TestStreamFinish(t *testing.T) {
	sp, _ := blocked(t, blockedBoards[0])
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

// When blocks could not be written or made durable, there is no checkpoint without them, even if
// what comes after them could be written again. The system says only once that it has lost them.
func TestStreamFails(t *testing.T) {
	for _, op := range []string{"write", "sync"} {
		t.Run(op, func(t *testing.T) { testStreamFails(t, op) })
	}
}

func testStreamFails(t *testing.T, op string) {
	sp, _ := blocked(t, blockedBoards[0])
	dir := t.TempDir()
	w, s := createStream(t, filepath.Join(dir, "a.reach"), sp)
	defer w.Abort()
	stopAfter(t, s, 2)
	save := func() error {
		_, err := saveStream(s, w, sp)
		return err
	}
	undo := failpoint.Inject(func(failing, path string) error {
		if failing == op && strings.HasSuffix(path, "a.reach.partial") {
			return syscall.EIO
		}
		return nil
	})
	defer undo()
	if err := save(); !errors.Is(err, syscall.EIO) || !strings.Contains(err.Error(), op+" "+filepath.Join(dir, "a.reach.partial")) {
		t.Errorf("blocks that cannot be written: %v", err)
	}
	undo()
	if err := save(); !errors.Is(err, syscall.EIO) {
		t.Errorf("a checkpoint without the blocks that could not be written: %v", err)
	}
	if err := w.Append(make([]uint64, 1<<18)); !errors.Is(err, syscall.EIO) {
		t.Errorf("more blocks after those that could not be written: %v", err)
	}
}
