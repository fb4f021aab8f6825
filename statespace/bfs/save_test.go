package bfs_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/bits"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pagoda/bitset"
	"pagoda/internal/long"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/internal/toys"
)

// stopped returns a search that was stopped: between levels, or when it has visited a number of
// words of states. It returns nil if the search has ended before.
func stopped(t *testing.T, g statespace.Graph, o bfs.Options, levels, words int) *bfs.Search {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	v := newVisits()
	v.left, v.stop = words, func() { cancel(errStop) }
	o.Visit = v.visit
	s := newSearch(t, g, o)
	err := s.Run(ctx, func() error {
		if levels--; levels == 0 {
			return errStop
		}
		return nil
	}, nil)
	if err == nil {
		return nil
	}
	if !errors.Is(err, errStop) {
		t.Fatal(err)
	}
	return s
}

// A search that was stopped anywhere is restored by another one, on any number of threads, and both
// end with the same bytes as one that was not stopped.
func TestRestore(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	rounds := 40
	if !long.Tests {
		rounds = 4
	}
	for round := range rounds {
		const n = 20000 // five words of the bits that say where the frontier is
		sp := toys.RandomGraph(rng, n, n+rng.IntN(n), round%2 == 0)
		g, o := bfs.Of(sp), bfs.Options{ToGoal: round%3 == 0, Whole: round%4 == 0}
		want := run(t, g, o)
		testEnded(t, g, o, want)
		k := find(sp, o.ToGoal)
		k.check(t, &want.Result, want.Members())
		for range 8 {
			levels, words := 1+rng.IntN(len(k.layers)), -1
			if rng.IntN(3) > 0 {
				levels, words = -1, 1+rng.IntN(300)
			}
			o.Threads = 1 + rng.IntN(3)
			s := stopped(t, g, o, levels, words)
			if s == nil {
				continue
			}
			saved := s.Save()
			o.Threads = 1 + rng.IntN(3)
			other := newSearch(t, g, o)
			copied := clone(saved)
			if err := other.Restore(copied); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(other.Save(), saved) {
				t.Fatal("a search that was restored saves something else")
			}
			for _, s := range []*bfs.Search{s, other} {
				if err := s.Run(t.Context(), nil, nil); err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(s.Result, want.Result) || !slices.Equal(s.Marks().Words(), want.Marks().Words()) {
					t.Fatalf("stopped after %d levels or %d words, it finds %+v, want %+v", levels, words, s.Result, want.Result)
				}
				if d, w := s.Members().Depths(), want.Members().Depths(); w != nil && !slices.EqualFunc(planes(d), planes(w), slices.Equal) {
					t.Fatal("the whole distances differ")
				}
			}
			if !reflect.DeepEqual(copied, clone(copied)) {
				t.Fatal("what was restored has changed")
			}
		}
	}
}

func planes(d *bfs.Depths) (all [][]uint64) {
	for bit := range d.Width() {
		all = append(all, d.Plane(bit))
	}
	return all
}

// A search is stopped again and again, also before its first level, and in it.
func TestRestoreOften(t *testing.T) {
	for _, sp := range []statespace.Space{toys.Line(100, false), toys.Line(1, false), toys.NewHanoi(5), toys.Ring{N: 5000, Add: 77, From: []uint64{0, 4999}}} {
		g := bfs.Of(sp)
		for _, whole := range []bool{false, true} {
			o := bfs.Options{Whole: whole, Threads: 2}
			s := newSearch(t, g, o)
			for i := 0; ; i++ {
				ctx, cancel := context.WithCancelCause(t.Context())
				if i%3 == 0 {
					cancel(errStop)
				}
				err := s.Run(ctx, func() error { return errStop }, nil)
				cancel(nil)
				if err == nil {
					break
				}
				next := newSearch(t, g, o)
				if err := next.Restore(s.Save()); err != nil {
					t.Fatal(err)
				}
				s = next
			}
			find(sp, false).check(t, &s.Result, s.Members())
			if d, want := s.Members().Depths(), run(t, g, o).Members().Depths(); want != nil && d.Width() != want.Width() {
				t.Errorf("%s: %d bits of whole distances, want %d", sp.Name(), d.Width(), want.Width())
			}
			testEnded(t, g, o, s)
		}
	}
}

// A search that is stopped while the last states of a level are at work ends the level, or saves open states.
func TestRestoreLastWord(t *testing.T) {
	defer bfs.ShareLevels(1)()
	g, o := bfs.Of(toys.Line(20000, false)), bfs.Options{Threads: 2}
	s := stopped(t, g, o, -1, 100)
	if err := newSearch(t, g, o).Restore(s.Save()); err != nil {
		t.Fatal(err)
	}
}

// testEnded holds that a search which has ended is restored, as one that has nothing to do.
func testEnded(t *testing.T, g statespace.Graph, o bfs.Options, s *bfs.Search) {
	t.Helper()
	saved := clone(s.Save())
	other := newSearch(t, g, o)
	if err := other.Restore(saved); err != nil {
		t.Fatalf("a search that has ended: %v", err)
	}
	if err := other.Run(t.Context(), func() error { return errStop }, nil); err != nil {
		t.Errorf("a search that has ended goes on: %v", err)
	}
	if !reflect.DeepEqual(other.Result, s.Result) || !slices.Equal(other.Marks().Words(), s.Marks().Words()) || !reflect.DeepEqual(other.Save(), saved) {
		t.Errorf("restored at its end, a search has found %+v, want %+v", other.Result, s.Result)
	}
	// One that has not, as if it had.
	some := slices.IndexFunc(saved.Marks, func(word uint64) bool { return word != 0 })
	saved.Open[some/bfs.MarkBits] |= saved.Marks[some]
	if err := newSearch(t, g, o).Restore(saved); err == nil {
		t.Error("a search that has ended has open states")
	}
	saved = clone(s.Save())
	saved.Layers = slices.Clone(saved.Layers)
	saved.Layers[0]++
	if err := newSearch(t, g, o).Restore(saved); err == nil {
		t.Error("a search that has ended has too few marks")
	}
}

// A graph with a Stepper is restored too, between levels and in a level.
func TestRestoreStepper(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 10))
	for range 60 {
		sp := randomBipartite(rng, 200, 220)
		g := stepped(sp)
		want := run(t, g, bfs.Options{})
		k := find(sp, false)
		k.check(t, &want.Result, want.Members())
		ctx, cancel := context.WithCancelCause(t.Context())
		levels := 1 + rng.IntN(len(k.layers))
		s := newSearch(t, g, bfs.Options{})
		if err := s.Run(ctx, func() error {
			if levels--; levels == 1 && rng.IntN(2) == 0 {
				cancel(errStop) // the next level is stopped before it is made
			} else if levels == 0 {
				return errStop
			}
			return nil
		}, nil); err != nil && !errors.Is(err, errStop) {
			t.Fatal(err)
		} else if err == nil {
			continue
		}
		cancel(nil)
		next := newSearch(t, g, bfs.Options{})
		if err := next.Restore(s.Save()); err != nil {
			t.Fatal(err)
		}
		if err := next.Run(t.Context(), nil, nil); err != nil {
			t.Fatal(err)
		}
		k.check(t, &next.Result, next.Members())
	}
	g := stepped(toys.Line(10, true))
	saved := newSearch(t, g, bfs.Options{}).Save()
	saved.States++
	if err := newSearch(t, g, bfs.Options{}).Restore(saved); err == nil || !strings.Contains(err.Error(), "should be open") {
		t.Errorf("another number of states: %v", err)
	}
}

// What no search has saved is refused.
func TestRestoreRefuses(t *testing.T) {
	directed, back := toys.Ring{N: 100, Add: 7, From: []uint64{1}, Goals: []uint64{8}}, toys.NewHanoi(4)
	type change struct {
		name   string
		change func(s *bfs.Saved)
		want   string
	}
	both := []change{
		{"marks too short", func(s *bfs.Saved) { s.Marks = s.Marks[1:] }, "marks of"},
		{"open states too long", func(s *bfs.Saved) { s.Open = append(s.Open, 0) }, "open states of"},
		{"level below 0", func(s *bfs.Saved) { s.Level = -1 }, "level -1"},
		{"another level", func(s *bfs.Saved) { s.Level += 3 }, "counted n or n+1 layers"},
		{"a layer missing", func(s *bfs.Saved) { s.Layers = s.Layers[2:] }, "counted n or n+1 layers"},
		{"a layer without states", func(s *bfs.Saved) { s.Layers[0] = 0 }, "levels should have states"},
		{"a huge layer", func(s *bfs.Saved) { s.Layers[1] = ^uint64(0) }, "levels should have states"},
		{"a larger layer", func(s *bfs.Saved) { s.Layers[1]++ }, "should have marks"},
		{"a layer of another number", func(s *bfs.Saved) { s.Layers = append(s.Layers, s.States+1) }, "as many states as its layer"},
		{"no states", func(s *bfs.Saved) { s.States = 0 }, "there should be no open states"},
		{"a state too many", func(s *bfs.Saved) { s.States++ }, "should have marks"},
		{"another open state", func(s *bfs.Saved) { s.Open[0] = ^s.Open[0] }, "the open states should be on level"},
		{"a mark missing", func(s *bfs.Saved) { clear(s.Marks[:2]); s.Open[0] = 0 }, "should have"},
		{"a mark beyond the last number", func(s *bfs.Saved) { s.Marks[len(s.Marks)-1] |= 1 << 63 }, "beyond the last of"},
		{"goals below the roots", func(s *bfs.Saved) { s.Length = -1 }, "a length of -1"},
		{"goals beyond the level", func(s *bfs.Saved) { s.Length = s.Level + 1 }, "goals are found up to"},
		{"a goal beyond the last number", func(s *bfs.Saved) { s.Goals = []uint64{1 << 40} }, "goals should be below"},
		{"a goal twice", func(s *bfs.Saved) { s.Goals = []uint64{1, 1} }, "in order"},
		{"a goal at another distance", func(s *bfs.Saved) {
			s.Goals, s.Length = []uint64{uint64(bits.TrailingZeros64(bfs.WithMark(s.Marks[0], s.Marks[1], 2)))}, 0
		}, "should have the mark"},
		{"nothing to do", func(s *bfs.Saved) { clear(s.Open) }, "should have"},
	}
	for _, tt := range []struct {
		sp      statespace.Space
		changes []change
	}{
		{directed, append(both,
			change{"an open state missing", func(s *bfs.Saved) { s.Open[0] &= s.Open[0] - 1 }, "should have whole distances"},
			change{"no whole distances", func(s *bfs.Saved) { s.Depths, s.State.Depths = nil, 0 }, "should have whole distances"},
			change{"other bits of whole distances", func(s *bfs.Saved) { s.State.Depths++ }, "at most 16 bits"},
			change{"too many bits of whole distances", func(s *bfs.Saved) { s.State.Depths, s.Depths = 17, make([][]uint64, 17) }, "at most 16 bits"},
			change{"a short plane", func(s *bfs.Saved) { s.Depths[1] = s.Depths[1][1:] }, "plane 1"},
			change{"another whole distance", func(s *bfs.Saved) { s.Depths[0][1] = ^s.Depths[0][1] }, "should have whole distances"},
		)},
		{back, append(both,
			change{"whole distances", func(s *bfs.Saved) { s.State.Depths, s.Depths = 1, [][]uint64{make([]uint64, 2)} }, "at most 0 bits"},
		)},
	} {
		g := bfs.Of(tt.sp)
		for _, c := range tt.changes {
			saved := clone(stopped(t, g, bfs.Options{}, 5, -1).Save())
			c.change(&saved)
			err := newSearch(t, g, bfs.Options{}).Restore(saved)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "not what a search has saved") {
				t.Errorf("%s: %s: %v; want %q", tt.sp.Name(), c.name, err, c.want)
			}
		}
	}
}

// What is saved goes through the sections of a checkpoint, and what no sections can have held is refused.
func TestSections(t *testing.T) {
	for _, g := range []statespace.Graph{bfs.Of(toys.Ring{N: 100, Add: 7, From: []uint64{1}, Goals: []uint64{8}}), bfs.Of(toys.NewHanoi(4)), stepped(toys.Line(100, true))} {
		s := stopped(t, g, bfs.Options{}, 5, -1)
		saved := s.Save()
		sections := make(map[string][]byte)
		for _, section := range saved.Sections() {
			if err := section.Write(func(p []byte) error {
				sections[section.Name] = append(sections[section.Name], p...)
				return nil
			}); err != nil || uint64(len(sections[section.Name])) != section.Bytes {
				t.Errorf("the section %s has %d bytes, expected %d (%v)", section.Name, len(sections[section.Name]), section.Bytes, err)
			}
		}
		take := func(state bfs.State, sections map[string][]byte) error {
			got, err := state.With(g.Size, func(name string) ([]byte, error) {
				if sections[name] == nil && name != "goals" && name != "depths" {
					return nil, fmt.Errorf("no section %s", name)
				}
				return bytes.Clone(sections[name]), nil
			})
			if err != nil {
				return err
			}
			other := newSearch(t, g, bfs.Options{})
			if err := other.Restore(got); err != nil {
				return err
			}
			if a, b := encode(whole(other.Save())), encode(whole(saved)); !bytes.Equal(a, b) {
				t.Errorf("it restores %d bytes, and has saved %d others", len(a), len(b))
			}
			return nil
		}
		if err := take(saved.State, sections); err != nil {
			t.Error(err)
		}
		for name, data := range sections {
			for what, other := range map[string][]byte{"none": nil, "a byte more": append(slices.Clone(data), 0), "words less": data[:len(data)/16*8]} {
				if what != "a byte more" && (name == "goals" || len(data) == 0) {
					continue // there may be any number of goals
				}
				bad := maps.Clone(sections)
				bad[name] = other
				if err := take(saved.State, bad); err == nil {
					t.Errorf("the section %s, %s: it was taken", name, what)
				}
			}
		}
		for _, width := range []int{-1, saved.State.Depths + 1, 17, 1 << 40} {
			state := saved.State
			state.Depths = width
			if err := take(state, sections); err == nil {
				t.Errorf("whole distances of %d bits were taken", width)
			}
		}
	}
}

// whole returns what was saved with its open states in one part.
func whole(s bfs.Saved) bfs.Saved {
	if s.OpenParts != nil {
		s.Open = slices.Concat(slices.Collect(s.OpenParts)...)
		s.OpenParts = nil
	}
	return s
}

// FuzzRestore restores any values. What is not refused must run to an end, with at least the states
// that were there.
func FuzzRestore(f *testing.F) {
	spaces := []statespace.Space{toys.Ring{N: 100, Add: 7, From: []uint64{1, 50}, Goals: []uint64{8}}, toys.NewHanoi(4)}
	for i, sp := range spaces {
		s, err := bfs.New(context.Background(), bfs.Of(sp), bfs.Options{})
		if err != nil {
			f.Fatal(err)
		}
		for range 4 {
			if err := s.Run(context.Background(), func() error { return errStop }, nil); !errors.Is(err, errStop) {
				f.Fatal(err)
			}
			f.Add(i, encode(s.Save()))
		}
		s.Close()
	}
	f.Fuzz(func(t *testing.T, which int, data []byte) {
		sp := spaces[uint(which)%uint(len(spaces))]
		saved := decode(data)
		s := newSearch(t, bfs.Of(sp), bfs.Options{Threads: 2})
		if err := s.Restore(saved); err != nil {
			return
		}
		if err := s.Run(t.Context(), nil, nil); err != nil {
			t.Fatal(err)
		}
		support := bitset.Support{Planes: s.Marks()}
		for x := range sp.Size() {
			was := (saved.Marks[x/64*2]|saved.Marks[x/64*2+1])>>(x%64)&1 == 1
			if is, err := support.Has(x); was && !is || err != nil {
				t.Errorf("number %d was reached, and is not any more, %v", x, err)
			}
		}
	})
}

// encode writes what a search has saved as numbers, each list with its length before it.
func encode(s bfs.Saved) []byte {
	numbers := []uint64{uint64(s.Level), s.States, uint64(s.Length), uint64(s.State.Depths), uint64(len(s.Depths))}
	for _, list := range append([][]uint64{s.Layers, s.Goals, s.Marks, s.Open}, s.Depths...) {
		numbers = append(append(numbers, uint64(len(list))), list...)
	}
	data := make([]byte, 0, 8*len(numbers))
	for _, n := range numbers {
		data = binary.LittleEndian.AppendUint64(data, n)
	}
	return data
}

// decode reads what encode writes, and something from any bytes.
func decode(data []byte) (s bfs.Saved) {
	next := func() (n uint64) {
		if len(data) >= 8 {
			n, data = binary.LittleEndian.Uint64(data), data[8:]
		}
		return n
	}
	s.Level, s.States, s.Length, s.State.Depths = int(next()), next(), int(next()), int(next())
	depths := next() % 20
	list := func() (all []uint64) {
		for range min(next(), uint64(len(data)/8)) {
			all = append(all, next())
		}
		return all
	}
	s.Layers, s.Goals, s.Marks, s.Open = list(), list(), list(), list()
	for range depths {
		s.Depths = append(s.Depths, list())
	}
	return s
}

func Example_checkpoint() {
	ctx, graph := context.Background(), bfs.Of(toys.NewHanoi(4))
	first, err := bfs.New(ctx, graph, bfs.Options{})
	if err != nil {
		panic(err)
	}
	defer first.Close()
	err = first.Run(ctx, func() error {
		if first.States() > 20 {
			return errors.New("it is late")
		}
		return nil
	}, nil)
	fmt.Println(first.States(), "states,", err)

	second, err := bfs.New(ctx, graph, bfs.Options{Threads: 4})
	if err != nil {
		panic(err)
	}
	defer second.Close()
	if err := second.Restore(first.Save()); err != nil {
		panic(err)
	}
	err = second.Run(ctx, nil, nil)
	fmt.Println(second.States(), "states,", err)
	// Output:
	// 27 states, it is late
	// 81 states, <nil>
}
