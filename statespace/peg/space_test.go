package peg_test

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pagoda/bitset"
	"pagoda/statespace"
	"pagoda/statespace/catalog"
	"pagoda/statespace/peg"
	"pagoda/statespace/spacetest"
)

func lookup(t testing.TB, name string) *peg.Space {
	t.Helper()
	sp, err := catalog.Lookup(name, nil, catalog.Sliding{})
	if err != nil {
		t.Fatal(err)
	}
	return sp.(*peg.Space)
}

func TestLaws(t *testing.T) {
	for _, e := range catalog.Entries() {
		t.Run(e.Name, func(t *testing.T) { spacetest.Test(t, lookup(t, e.Name), 200) })
	}
	for _, name := range []string{"peg/1x1", "peg/2x2", "peg/1x7", "peg/3x3@0,0", "peg/4x5@0,1", "peg/8x8"} {
		t.Run(name, func(t *testing.T) { spacetest.Test(t, lookup(t, name), 200) })
	}
}

// randomBoard draws a connected or scattered board with few cells and any start.
func randomBoard(rng *rand.Rand) (*peg.Board, peg.Position) {
	for {
		rows, cols := 1+rng.IntN(6), 1+rng.IntN(6)
		lattice := peg.Lattice(rng.IntN(2))
		density := []float64{1, 0.9, 0.7, 0.5}[rng.IntN(4)]
		var cells []peg.Cell
		for r := range rows {
			for c := range cols {
				if rng.Float64() < density {
					cells = append(cells, peg.Cell{Row: r, Col: c})
				}
			}
		}
		if len(cells) == 0 || len(cells) > 22 {
			continue
		}
		b, err := peg.NewBoard(lattice, cells)
		if err != nil {
			panic(err)
		}
		start := b.Full()
		for holes := 1 + rng.IntN(4); holes > 0; holes-- {
			start &^= 1 << rng.IntN(len(cells))
		}
		if rng.IntN(4) == 0 {
			start = rng.Uint64() & b.Full()
		}
		return b, start
	}
}

func TestRandomBoards(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 35))
	engines, kernels := make(map[string]int), make(map[string]int)
	n := 400
	if testing.Short() {
		n = 150
	}
	for range n {
		b, start := randomBoard(rng)
		sp, err := peg.New("random", b, start)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range sp.Engines() {
			engines[e]++
		}
		for _, k := range sp.Kernels() {
			kernels[k]++
		}
		spacetest.Test(t, sp, 10)
		if t.Failed() {
			t.Fatalf("board:\n%s", b.Text(start))
		}
	}
	t.Log(engines, kernels)
	if engines[peg.SweepEngine] < n/5 {
		t.Errorf("the sweep was tried on %d boards only", engines[peg.SweepEngine])
	}
}

// All kernels find the same set, on random boards whose blocks they can work on, at any
// number of threads.
func TestKernels(t *testing.T) {
	rng := rand.New(rand.NewPCG(512, 256))
	names := lookup(t, "peg/5x5").Kernels()
	most := 200
	if testing.Short() {
		most = 20
	}
	for boards := 0; boards < most; {
		b, start := randomBoard(rng)
		if len(b.Cells()) < 12 {
			continue
		}
		sp, err := peg.New("random", b, start)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(sp.Engines(), peg.SweepEngine) || !slices.Equal(sp.Kernels(), names) {
			continue
		}
		boards++
		var want []uint64
		for _, name := range slices.Backward(names) {
			if err := sp.UseKernel(name); err != nil {
				t.Fatal(err)
			}
			threads := []int{1, 2, 7}[rng.IntN(3)] // TestRandomBoards takes all in turn
			set := bitset.New(sp.Size())
			if err := statespace.Enumerate(t.Context(), sp, peg.SweepEngine, set, threads, nil); err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = set.Words()
			}
			if !slices.Equal(set.Words(), want) {
				t.Fatalf("%s on %d threads finds another set than %s; board:\n%s", name, threads, names[len(names)-1], b.Text(start))
			}
		}
	}
}

// A kernel is refused for a space that has no use for it.
func TestUseKernel(t *testing.T) {
	large, small, none := lookup(t, "peg/5x5"), lookup(t, "peg/3x4"), lookup(t, "peg/triangle21")
	for _, name := range large.Kernels() {
		if err := large.UseKernel(name); err != nil || large.Kernel(peg.SweepEngine) != name || large.Kernel(peg.LevelsEngine) != "" {
			t.Errorf("%s: the sweep uses %s, the levels %q; %v", name, large.Kernel(peg.SweepEngine), large.Kernel(peg.LevelsEngine), err)
		}
		err := small.UseKernel(name)
		if name != peg.GenericKernel && (err == nil || err.Error() != "peg/3x4 has no kernel "+name+": its blocks are smaller than a vector of 64 bytes") {
			t.Errorf("%s on a small board: %v", name, err)
		}
		if small.Kernel(peg.SweepEngine) != peg.GenericKernel {
			t.Errorf("a small board uses %s", small.Kernel(peg.SweepEngine))
		}
		if err := none.UseKernel(name); err == nil || !strings.Contains(err.Error(), "has no kernels") {
			t.Errorf("%s on a board without a sweep: %v", name, err)
		}
	}
}

// Boards that fall apart have many invariants.
func TestScatteredBoards(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("oo. .oo\n\n", 4),                   // 8 lines
		strings.Repeat("o.o \n\n", 7),                      // 7
		strings.Repeat("o o o o o o o o\n\n", 8),           // 64 cells and no line
		"oo.\n\n" + strings.Repeat("o o o o o o o\n\n", 8), // 57 invariants of single cells
		strings.Repeat("oo. oo. oo. oo.\n\n", 5),
		"oo.o.oo.o.o.o.oo.ooo.oooo.o.oo.oo.oo.oo.o.\n",
	} {
		b, start, err := peg.ParseBoard(text)
		if err != nil {
			t.Fatal(err)
		}
		sp, err := peg.New("scattered", b, start)
		if err != nil {
			t.Fatal(err)
		}
		spacetest.Test(t, sp, 20)
	}
}

// No position of a class is broken, and any other is, on a set of cells whose parity
// no jump changes.
func TestBroken(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	for _, name := range []string{"peg/5x7", "peg/english", "peg/triangle15", "peg/2x2"} {
		sp := lookup(t, name)
		for range 1000 {
			p := rng.Uint64() & sp.Board().Full()
			_, ok := sp.Class().Number(p)
			cells := sp.Class().Broken(p)
			if ok != (cells == 0) {
				t.Fatalf("%s: %s is broken on %x, of the class: %t", name, sp.Board().FormatPosition(p), cells, ok)
			}
			if !ok && bits.OnesCount64(cells&p)&1 == bits.OnesCount64(cells&sp.Start())&1 {
				t.Fatalf("%s: %s agrees with the start on %x", name, sp.Board().FormatPosition(p), cells)
			}
			for _, l := range sp.Board().Lines() {
				if bits.OnesCount64(cells&(1<<l.A|1<<l.B|1<<l.C))&1 == 1 {
					t.Fatalf("%s: a jump on %v changes the parity of %x", name, l, cells)
				}
			}
		}
	}
}
