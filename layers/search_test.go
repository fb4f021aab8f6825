package layers_test

import (
	"bytes"
	"cmp"
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
	"pagoda/statespace/sweep"
)

// searchOptions are those of a search of a whole space.
func searchOptions(sp statespace.Space, threads int) bfs.Options {
	return bfs.Options{ToGoal: sp.Parts().Goals.Ends, Threads: threads}
}

func newSearch(t testing.TB, sp statespace.Space, threads int) *bfs.Search {
	t.Helper()
	s, err := bfs.New(t.Context(), bfs.Of(sp), searchOptions(sp, threads))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// saveSearch writes the checkpoint of a search.
func saveSearch(t testing.TB, path string, sp statespace.Space, s *bfs.Search) {
	t.Helper()
	w, err := layers.Create(path, 0, true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.FinishSearch(t.Context(), s.Save(), checkpointMeta(sp)); err != nil {
		t.Fatal(err)
	}
}

// restoreSearch begins a search from a checkpoint.
func restoreSearch(t testing.TB, path string, sp statespace.Space, threads int) *bfs.Search {
	t.Helper()
	f, err := layers.OpenCheckpoint(t.Context(), path, define, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Check(t.Context(), 1, nil); err != nil {
		t.Fatal(err)
	}
	if state, err := f.SearchState(); err != nil || state == nil || f.Meta().Checkpoint.Done != state.Level {
		t.Errorf("%d levels are done, it is at %+v, %v", f.Meta().Checkpoint.Done, state, err)
	}
	if _, err := bitset.Has(f.Members(), 0); err == nil {
		t.Error("the checkpoint of a search has members")
	}
	s := newSearch(t, sp, threads)
	if err := f.RestoreSearch(s); err != nil {
		t.Fatal(err)
	}
	return s
}

// sameSearch compares what two searches have found.
func sameSearch(t testing.TB, what string, sp statespace.Space, got, want *bfs.Search) {
	t.Helper()
	if !slices.Equal(got.Layers, want.Layers) || !slices.Equal(got.Goals, want.Goals) || got.Length != want.Length {
		t.Fatalf("%s, %s: %+v, want %+v", sp.Name(), what, got.Result, want.Result)
	}
	a, b := got.Distances(), want.Distances()
	if !slices.Equal(got.Marks().Words(), want.Marks().Words()) || a.Whole != b.Whole {
		t.Fatalf("%s, %s: the marks differ", sp.Name(), what)
	}
	for x := range sp.Size() {
		d, err1 := a.At(x)
		e, err2 := b.At(x)
		if d != e || err1 != nil || err2 != nil {
			t.Fatalf("%s, %s: the entry of %d is %d, want %d", sp.Name(), what, x, d, e)
		}
	}
}

// searchedSpaces are searched breadth-first: directed and undirected ones, by plain moves, by
// fast moves, and by whole levels.
func searchedSpaces(t testing.TB) []statespace.Space {
	return []statespace.Space{directedRing, longRing, undirectedRing, endingRing,
		ring{N: 64, Steps: []uint64{63}}, slides(t, "slide/dads").Space, slides(t, "slide/n2x3").Space}
}

// A search that is stopped anywhere, saved and restored finds what one finds that is not
// stopped.
func TestSearchCheckpoint(t *testing.T) {
	path := filepath.Join(t.TempDir(), "checkpoint")
	for _, sp := range searchedSpaces(t) {
		whole := newSearch(t, sp, 1)
		if err := whole.Run(t.Context(), nil, nil); err != nil {
			t.Fatal(err)
		}
		// Between levels.
		every := 1 + len(whole.Layers)/8
		for stop := 1; stop < len(whole.Layers); stop += every {
			s, levels := newSearch(t, sp, 2), 0
			err := s.Run(t.Context(), func() error {
				if levels++; levels == stop {
					return errStop
				}
				return nil
			}, nil)
			if !errors.Is(err, errStop) {
				t.Fatalf("%s: it ended with %v", sp.Name(), err)
			}
			saveSearch(t, path, sp, s)
			s = restoreSearch(t, path, sp, 1+stop%3)
			if err := s.Run(t.Context(), nil, nil); err != nil {
				t.Fatal(err)
			}
			sameSearch(t, fmt.Sprintf("stopped after level %d", stop), sp, s, whole)
		}
		// Before the first level.
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		s := newSearch(t, sp, 1)
		if err := s.Run(ctx, nil, nil); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		saveSearch(t, path, sp, s)
		s = restoreSearch(t, path, sp, 2)
		if err := s.Run(t.Context(), nil, nil); err != nil {
			t.Fatal(err)
		}
		sameSearch(t, "stopped before the first level", sp, s, whole)
	}
	// At its end, too.
	s := newSearch(t, longRing, 1)
	if err := s.Run(t.Context(), nil, nil); err != nil {
		t.Fatal(err)
	}
	saveSearch(t, path, longRing, s)
	ended := restoreSearch(t, path, longRing, 2)
	sameSearch(t, "restored at its end", longRing, ended, s)
}

// A stopping ring ends a context at some move.
type stoppingRing struct {
	ring
	moves *int
	stop  func()
}

func (r stoppingRing) Successors(dst []statespace.Edge, x uint64) []statespace.Edge {
	if *r.moves--; *r.moves == 0 {
		r.stop()
	}
	return r.ring.Successors(dst, x)
}

// So does a search that is stopped in the middle of a level.
func TestSearchCheckpointInLevel(t *testing.T) {
	path := filepath.Join(t.TempDir(), "checkpoint")
	// Levels of many groups of 64 numbers.
	for _, sp := range []ring{{N: 1 << 16, Steps: []uint64{1, 256, 4097, 30001}}, {N: 1 << 16, Steps: []uint64{1, 256, 4097, 30001}, Back: true, Goals: []uint64{1 << 15}}} {
		whole := newSearch(t, sp, 1)
		if err := whole.Run(t.Context(), nil, nil); err != nil {
			t.Fatal(err)
		}
		for stop := 1; stop < 1<<16-100; stop += 7000 {
			ctx, cancel := context.WithCancelCause(t.Context())
			moves := stop
			s := newSearch(t, stoppingRing{sp, &moves, func() { cancel(errStop) }}, 1)
			if err := s.Run(ctx, nil, nil); !errors.Is(err, errStop) {
				t.Fatalf("it ended with %v", err)
			}
			saveSearch(t, path, sp, s)
			s = restoreSearch(t, path, sp, 3)
			if err := s.Run(t.Context(), nil, nil); err != nil {
				t.Fatal(err)
			}
			sameSearch(t, fmt.Sprintf("stopped at move %d", stop), sp, s, whole)
		}
	}
}

// halfSearched writes the checkpoint of a search that has made half of its levels.
func halfSearched(t testing.TB, path string, sp statespace.Space) *bfs.Search {
	t.Helper()
	levels := len(searchPlain(t, sp).Layers) / 2
	s := newSearch(t, sp, 1)
	if err := s.Run(t.Context(), func() error {
		if levels--; levels <= 0 {
			return errStop
		}
		return nil
	}, nil); !errors.Is(err, errStop) {
		t.Fatalf("it ended with %v", err)
	}
	saveSearch(t, path, sp, s)
	return s
}

// resume does with a checkpoint all that a run does: it opens and checks it, and goes on.
func resume(path string) error {
	f, err := layers.OpenCheckpoint(context.Background(), path, define, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	ctx := context.Background()
	if err := f.Check(ctx, 1, nil); err != nil {
		return err
	}
	sp := f.Space()
	search, err1 := f.SearchState()
	stream, err2 := f.BlockState()
	var layered layersState
	if err := cmp.Or(err1, err2, f.State(&layered)); err != nil {
		return err
	}
	switch {
	case search != nil:
		s, err := bfs.New(ctx, bfs.Of(sp), searchOptions(sp, 2))
		if err != nil {
			return err
		}
		defer s.Close()
		if err := f.RestoreSearch(s); err != nil {
			return err
		}
		return s.Run(ctx, nil, nil)
	case stream != nil:
		blocks := sweep.BlocksOf(sp)
		if blocks == nil {
			return f.RestoreBlocks(sp, nil, nil)
		}
		s, err := sweep.NewBlockRun(sp, memoryFor(sp, max(blocks.Window, blocks.Representatives)), nil)
		if err != nil {
			return err
		}
		if err := f.RestoreBlocks(sp, s, nil); err != nil {
			return err
		}
		return s.Run(ctx, nil, 2, nil)
	}
	if layered.Chance != nil {
		return resumeLayers(f, layered)
	}
	return readStore(f)
}

// Every byte of a checkpoint matters. With right checksums it may say anything: a run is refused
// or goes on, and does not break.
func TestDamagedCheckpoints(t *testing.T) {
	path := filepath.Join(t.TempDir(), "checkpoint")
	for _, sp := range searchedSpaces(t) {
		if len(searchPlain(t, sp).Layers) > 100 && !long.Tests {
			continue
		}
		halfSearched(t, path, sp)
		testDamage(t, "the search of "+sp.Name(), path, resume)
	}
	board := reach(t, "oooo\no.oo\noooo\noooo")
	saveSet(t, path, board)
	testDamage(t, "a set", path, resume)
	halfSwept(t, path, pegs(t, fiveByFive))
	testDamage(t, "blocks", path, resume)
	saveLayers(t, path, solvedGames(t)[1], 20)
	testDamage(t, "layers", path, resume)
}

// saveSet writes a checkpoint that holds a set.
func saveSet(t testing.TB, path string, sp reached) {
	t.Helper()
	w, err := layers.Create(path, 0, true)
	if err != nil {
		t.Fatal(err)
	}
	meta := checkpointMeta(sp.Space)
	if _, err := w.Finish(t.Context(), sp.Space, sp.set, meta, layers.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
}

// fiveByFive is a board whose sweep has several stages.
const fiveByFive = "ooooo\nooooo\noo.oo\nooooo\nooooo"

// halfSwept writes the checkpoint of a run of blocks that has made half of its stages.
func halfSwept(t testing.TB, path string, sp statespace.Space) {
	t.Helper()
	blocks := sweep.BlocksOf(sp)
	s, err := sweep.NewBlockRun(sp, memoryFor(sp, max(blocks.Window, blocks.Representatives)), nil)
	if err != nil {
		t.Fatal(err)
	}
	half := stagesOf(sp) / 2
	if err := s.Run(t.Context(), func(done int) error {
		if done == half {
			return errStop
		}
		return nil
	}, 1, nil); !errors.Is(err, errStop) {
		t.Fatalf("it ended with %v", err)
	}
	saveStream(t, path, sp, s, nil)
}

// What a checkpoint of a search says is checked when the search is restored.
func TestHostileSearch(t *testing.T) {
	path := filepath.Join(t.TempDir(), "checkpoint")
	for _, sp := range []ring{directedRing, undirectedRing} {
		saved := halfSearched(t, path, sp).Save()
		type sections struct {
			state                      bfs.State
			marks, open, goals, depths []byte
		}
		good := sections{saved.State, little(saved.Marks), little(saved.Open), little(saved.Goals), little(slices.Concat(saved.Depths...))}
		check := func(what string, s sections) {
			t.Helper()
			meta := checkpointMeta(sp)
			meta.Checkpoint.State = stateOf("search", s.state)
			layers.Handmade(t, path, meta, layers.Section{Name: "distances", Data: s.marks}, layers.Section{Name: "open", Data: s.open},
				layers.Section{Name: "goals", Data: s.goals}, layers.Section{Name: "depths", Data: s.depths})
			f, err := layers.OpenCheckpoint(t.Context(), path, define, 0)
			if err == nil {
				defer f.Close()
				err = f.RestoreSearch(newSearch(t, sp, 1))
			}
			var wrong *layers.FileError
			if good := what == "good"; good != (err == nil) || !good && (!errors.As(err, &wrong) || !errors.Is(err, layers.ErrDamaged)) {
				t.Errorf("%s, %s: %v", sp.Name(), what, err)
			}
		}
		check("good", good)
		bad := good
		bad.marks = good.marks[8:]
		check("too few marks", bad)
		bad = good
		bad.open = append(slices.Clone(good.open), 0)
		check("an open byte too many", bad)
		bad = good
		bad.goals = []byte{1, 2, 3}
		check("part of a goal", bad)
		bad = good
		bad.depths = append(slices.Clone(good.depths), make([]byte, 8)...)
		check("whole distances too many", bad)
		for _, width := range []int{-1, 17, 1 << 40} {
			bad = good
			bad.state.Depths = width
			check(fmt.Sprintf("distances of %d bits", width), bad)
		}
		for _, goals := range [][]uint64{{sp.N}, {5, 5}, {7, 3}, {1}} {
			bad = good
			bad.goals = little(goals)
			check(fmt.Sprintf("the goals %v", goals), bad)
		}
		for _, level := range []int{-1, 0, saved.Level + 1, saved.Level + 3, 1 << 40} {
			bad = good
			bad.state.Level = level
			check(fmt.Sprintf("level %d", level), bad)
		}
		bad = good
		bad.state.States = 0
		check("a level without states", bad)
		bad.state.States = 1 << 63
		check("a level of many states", bad)
		bad = good
		bad.state.Layers = nil
		check("no layers", bad)
		bad = good
		bad.open = bytes.Repeat([]byte{0xff}, len(good.open))
		check("everything open", bad)
		if n := sp.N % 64; n != 0 {
			for name, section := range map[string]*[]byte{"marks": &bad.marks, "open states": &bad.open, "whole distances": &bad.depths} {
				if len(*section) == 0 {
					continue
				}
				bad = good
				*section = slices.Clone(*section)
				(*section)[len(*section)-1] = 0x80
				check(name+" beyond the last number", bad)
			}
		}
	}
}

// A run does not go on from the checkpoint of another kind, nor from a file that is no
// checkpoint.
func TestRestoreOther(t *testing.T) {
	dir := t.TempDir()
	board := reach(t, "oooo\no.oo\noooo\noooo")
	finished, set, blocks, search, levels := filepath.Join(dir, "finished"), filepath.Join(dir, "set"), filepath.Join(dir, "blocks"), filepath.Join(dir, "search"), filepath.Join(dir, "levels")
	writeStore(t, finished, layers.SetStore, board)
	saveSet(t, set, board)
	halfSwept(t, blocks, pegs(t, fiveByFive))
	halfSearched(t, search, directedRing)
	saveLevels(t, levels, directedRing, filepath.Join(dir, "of levels"), 5)
	for _, path := range []string{finished, set, blocks, search, levels} {
		open := layers.OpenCheckpoint
		if path == finished {
			open = layers.Open
		}
		f, err := open(t.Context(), path, define, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		sp := f.Space()
		begin := func() *sweep.BlockRun {
			if blocks := sweep.BlocksOf(sp); blocks != nil {
				return newRun(t, sp, max(blocks.Window, blocks.Representatives), nil)
			}
			return nil
		}
		for what, restore := range map[string]func() error{
			search: func() error { return f.RestoreSearch(newSearch(t, sp, 1)) },
			blocks: func() error { return f.RestoreBlocks(sp, begin(), nil) },
			"a partial file": func() error {
				_, err := layers.Reopen(t.Context(), f, sp, filepath.Join(dir, "a"), true, 1)
				return err
			},
		} {
			if err := restore(); path == what && err != nil || path != what && !errors.Is(err, layers.ErrDamaged) {
				t.Errorf("%s restored from %s: %v", what, path, err)
			}
		}
	}
	// The other way round, both kinds of files say what they are.
	if _, err := layers.Open(t.Context(), search, define, 0); !errors.Is(err, layers.ErrUnfinished) {
		t.Errorf("a checkpoint: %v", err)
	}
	if _, err := layers.OpenCheckpoint(t.Context(), finished, define, 0); !errors.Is(err, layers.ErrNotCheckpoint) {
		t.Errorf("a finished file: %v", err)
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
		layers.Handmade(t, path, meta, layers.Section{Name: "distances", Data: data})
		f, err := layers.Open(t.Context(), path, define, 0)
		if good := given == width; good != (err == nil) || !good && !errors.Is(err, layers.ErrDamaged) {
			t.Errorf("distances of %d bits: %v", given, err)
		}
		if err == nil {
			f.Close()
		}
	}
}

// FuzzResume goes on from checkpoints that say anything.
func FuzzResume(f *testing.F) {
	path := filepath.Join(f.TempDir(), "checkpoint")
	add := func() {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, sp := range searchedSpaces(f) {
		halfSearched(f, path, sp)
		add()
	}
	saveSet(f, path, reach(f, "oooo\no.oo\noooo\noooo"))
	add()
	halfSwept(f, path, pegs(f, fiveByFive))
	add()
	saveLevels(f, path, undirectedRing, f.TempDir(), 5)
	add()
	for _, g := range solvedGames(f)[:2] {
		saveLayers(f, path, g, 20)
		add()
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		// With right checksums the fuzzer gets behind them.
		layers.MendAll(data)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		resume(path)
	})
}
