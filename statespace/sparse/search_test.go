package sparse

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"pagoda/internal/long"
	"pagoda/internal/mapped"
	"pagoda/sorted"
	"pagoda/statespace"
)

// pancakes are stacks of n pancakes, 4 bits each. A move turns the upper ones over.
type pancakes int

func (n pancakes) Expand(dst []uint64, code []uint64) []uint64 {
	turned := code[0] & 15
	for k := 1; k < int(n); k++ {
		turned = turned<<4 | code[0]>>(4*k)&15
		low := uint64(1)<<(4*k+4) - 1
		dst = append(dst, code[0]&^low|turned)
	}
	return dst
}

func (n pancakes) Goal(code []uint64) bool { return code[0]&15 == uint64(n)-1 }

func (n pancakes) graph() statespace.CodeGraph {
	root := uint64(0)
	for k := range int(n) {
		root |= uint64(k) << (4 * k)
	}
	return statespace.CodeGraph{Words: 1, Back: 1, Roots: [][]uint64{{root}}, NewExpander: func() statespace.CodeExpander { return n }}
}

// TestPancakes: the numbers of stacks by distance, OEIS A092113. Some levels are worth several
// threads. Back -1 is right for any graph.
func TestPancakes(t *testing.T) {
	want := []uint64{1, 7, 42, 251, 1191, 4281, 10561, 15011, 8520, 455}
	for _, back := range []int{1, -1} {
		for _, o := range []Options{{}, {Threads: 2}, {Threads: 3, Memory: 16 << 20, Dir: t.TempDir()}} {
			g := pancakes(8).graph()
			g.Back = back
			s, err := New(g, o)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			progress := new(statespace.Progress)
			if err := s.Run(t.Context(), nil, progress); err != nil {
				t.Fatal(err)
			}
			r := s.Result()
			if !slices.Equal(r.Levels, want) {
				t.Errorf("Back %d, %+v: %v, want %v", back, o, r.Levels, want)
			}
			if done, total := progress.Read(); done != int64(r.States) || total != done {
				t.Errorf("progress %d of %d, and %d states", done, total, r.States)
			}
		}
	}
}

// TestLimits: a search ends with an error at more states than are allowed, and not before; or
// when the memory is full.
func TestLimits(t *testing.T) {
	g := newToy(rand.New(rand.NewPCG(15, 16)), undirected, 1, 1500)
	all := plain(g.graph(), false)
	for way := range ways {
		for _, most := range []uint64{1, 2, 100, all.States / 2, all.States - 1, all.States} {
			s := start(t, g.graph(), Options{MaxStates: most, Threads: 2}, way)
			err := s.Run(t.Context(), nil, nil)
			found := s.Result()
			if most == all.States {
				if err != nil {
					t.Errorf("%s: with %d states: %v", way, most, err)
				}
				continue
			}
			want := fmt.Sprintf("%d states up to distance %d", found.States, len(found.Levels)-1)
			if len(found.Levels) == 0 {
				want = "roots alone"
			}
			if !errors.Is(err, ErrStates) || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: with %d states: %v", way, most, err)
			}
			if n := len(found.Levels); found.States > most || found.States+all.Levels[n] <= most || !slices.Equal(found.Levels, all.Levels[:n]) {
				t.Errorf("%s: with %d states there are levels %v of %v", way, most, found.Levels, all.Levels)
			}
		}
	}

	s, err := New(pancakes(10).graph(), Options{Memory: 10 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	err = s.Run(t.Context(), nil, nil)
	found := s.Result()
	if !errors.Is(err, statespace.ErrMemory) || !strings.Contains(err.Error(), fmt.Sprintf("%d states up to distance %d", found.States, len(found.Levels)-1)) || found.States < 100_000 {
		t.Errorf("%v, with %d states", err, found.States)
	}
	if _, err := s.Save(t.Context()); err == nil {
		t.Error("levels without a directory were saved")
	}
	if err := s.Restore(t.Context(), nil); err == nil {
		t.Error("levels without a directory were restored")
	}
}

// TestLittleMemory: too little memory is refused with how much is enough, and that is.
func TestLittleMemory(t *testing.T) {
	for _, words := range []int{1, 2, sorted.MaxWords} {
		for _, threads := range []int{1, 2, 16} {
			for _, dir := range []string{"", t.TempDir()} {
				g := statespace.CodeGraph{Words: words, Roots: [][]uint64{make([]uint64, words)}, NewExpander: func() statespace.CodeExpander { return pancakes(3) }}
				_, err := New(g, Options{Memory: 1 << 19, Threads: threads, Dir: dir})
				if err == nil {
					t.Fatalf("%d words and %d threads: 512 KiB are enough", words, threads)
				}
				if want := fmt.Sprintf("at least %.1f MiB", float64(Least(words, threads))/(1<<20)); !errors.Is(err, statespace.ErrMemory) || !strings.Contains(err.Error(), want) {
					t.Fatalf("%v; want %q", err, want)
				}
				s, err := New(g, Options{Memory: Least(words, threads), Threads: threads, Dir: dir})
				if err != nil {
					t.Fatalf("%d words and %d threads: %v", words, threads, err)
				}
				s.Close()
			}
		}
	}
}

// TestMemory measures the memory of a process that searches.
func TestMemory(t *testing.T) {
	const child = "PAGODA_SPARSE_MEMORY"
	if dir := os.Getenv(child); dir != "" {
		o := Options{Memory: 40 << 20, Threads: 2}
		if dir != "none" {
			o = Options{Memory: 16 << 20, Threads: 2, Dir: dir}
		}
		s, err := New(pancakes(10).graph(), o)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Run(t.Context(), nil, nil); err != nil {
			t.Fatal(err)
		}
		n := 0
		each(t, s, func([]uint64, int) { n++ })
		if n != 3628800 {
			t.Fatalf("%d states", n)
		}
		const rest = 16 << 20 // of the program
		t.Logf("peak %d MiB of %d", mapped.PeakRSS()>>20, o.Memory>>20)
		if peak := mapped.PeakRSS(); peak > o.Memory+rest {
			t.Fatalf("%d bytes of memory, want %d and %d for the rest of the program", peak, o.Memory, rest)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !long.Tests || mapped.PeakRSS() == 0 {
		t.Skip("starts a process and measures its memory")
	}
	for _, dir := range []string{"none", t.TempDir()} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestMemory$")
		cmd.Env = append(os.Environ(), child+"="+dir)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
}

// An odd Expander returns what is no code.
type odd struct{ n int }

func (o odd) Expand(dst []uint64, _ []uint64) []uint64 {
	return append(dst, make([]uint64, o.n)...)
}

func (o odd) Goal([]uint64) bool { return false }

func TestWrongGraphs(t *testing.T) {
	odd3 := func() statespace.CodeExpander { return odd{3} }
	for _, g := range []statespace.CodeGraph{
		{Words: 0, Roots: [][]uint64{{}}, NewExpander: odd3},
		{Words: sorted.MaxWords + 1, Roots: [][]uint64{make([]uint64, sorted.MaxWords+1)}, NewExpander: odd3},
		{Words: 2, NewExpander: odd3},
		{Words: 2, Roots: [][]uint64{{1, 2}, {1}}, NewExpander: odd3},
	} {
		if _, err := New(g, Options{}); err == nil {
			t.Errorf("a search of %d words from %v", g.Words, g.Roots)
		}
	}
	s, err := New(statespace.CodeGraph{Words: 2, Roots: [][]uint64{{1, 2}}, NewExpander: odd3}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run(t.Context(), nil, nil); err == nil || !strings.Contains(err.Error(), "3 words") {
		t.Errorf("successors of 3 words: %v", err)
	}
	if _, _, err := levelOf(s, []uint64{1}); err == nil {
		t.Error("a code of one word was looked up")
	}
	if _, err := s.List(1); err == nil {
		t.Error("there is a list of a level that is not there")
	}
	for range 2 {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Table(t.Context(), nil); !errors.Is(err, errClosed) {
		t.Errorf("a closed search lists its states: %v", err)
	}
	if levels, err := start(t, pancakes(4).graph(), Options{}, "disk").Save(t.Context()); len(levels) > 0 || err != nil {
		t.Errorf("before it runs, a search saves %v: %v", levels, err)
	}
	_, saved := s.Save(t.Context())
	_, has := s.Has([]uint64{1, 2}, 0)
	for _, err := range []error{s.Run(t.Context(), nil, nil), s.Restore(t.Context(), nil), saved, has} {
		if !errors.Is(err, errClosed) {
			t.Errorf("the search is closed: %v", err)
		}
	}
}

// A recorded source of random numbers begins with the bytes of a fuzz test.
type recorded struct {
	data []byte
	rest *rand.PCG
}

func (r *recorded) Uint64() uint64 {
	if len(r.data) < 8 {
		return r.rest.Uint64()
	}
	x := binary.LittleEndian.Uint64(r.data)
	r.data = r.data[8:]
	return x
}

// FuzzSearch holds searches against the plain one.
func FuzzSearch(f *testing.F) {
	f.Add(uint16(0), uint16(100), []byte("abcdefghijklmnopqrstuvwx"))
	f.Add(uint16(21), uint16(700), bytes.Repeat([]byte{0xff, 1, 0}, 50))
	f.Fuzz(func(t *testing.T, choice, states uint16, data []byte) {
		pick := func(n int) int {
			k := int(choice) % n
			choice /= uint16(n)
			return k
		}
		kind, words, threads, toGoal := pick(kinds), 1+pick(3), 1+pick(3), pick(2) == 1
		way := []string{"memory", "disk", "tiny memory", "tiny"}[pick(4)]
		g := newToy(rand.New(&recorded{data, rand.NewPCG(uint64(states), 1)}), kind, words, 1+int(states)%1000)
		s := start(t, g.graph(), Options{Threads: threads, ToGoal: toGoal}, way)
		if err := s.Run(t.Context(), nil, nil); err != nil {
			t.Fatal(err)
		}
		plain(g.graph(), toGoal).hold(t, s, g.codes)
	})
}
