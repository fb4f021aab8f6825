package peg_test

import (
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pagoda/bitset"
	"pagoda/internal/long"
	"pagoda/puzzle/peg"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/pegtest"
	"pagoda/statespace"
	"pagoda/statespace/spacetest"
	"pagoda/statespace/sweep"
)

func TestNarrate(t *testing.T) {
	sp := pegtest.Lookup(t, "peg/4x4")
	index := func(text string) statespace.Index {
		t.Helper()
		x, err := sp.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	start, one, two := "oooo/o.oo/oooo/oooo", "oooo/oo../oooo/oooo", "oooo/ooo./oo.o/oo.o"
	path := func(moves ...int) statespace.Path {
		return statespace.Path{From: index(start), Steps: []statespace.Step{{Move: moves[0], State: index(one)}, {Move: moves[1], State: index(two)}}}
	}
	first, second := -1, -1
	for _, e := range sp.Successors(nil, index(start)) {
		if e.To == index(one) {
			first = e.Move
		}
	}
	for _, e := range sp.Successors(nil, index(one)) {
		if e.To == index(two) {
			second = e.Move
		}
	}
	const want = "[(1,3) over (1,2) to (1,1) (3,2) over (2,2) to (1,2)] [oooo/o.oo/oooo/oooo oooo/oo../oooo/oooo oooo/ooo./oo.o/oo.o] <nil>"
	for _, moves := range [][]int{{first, second}, {statespace.AnyMove, second}, {statespace.AnyMove, statespace.AnyMove}} {
		texts, states, err := sp.Narrate(path(moves...))
		if got := fmt.Sprint(texts, states, err); got != want {
			t.Errorf("%v: %s", moves, got)
		}
	}
	for _, moves := range [][]int{{second, second}, {first, first}, {1 << 20, second}, {-2, second}} {
		if _, _, err := sp.Narrate(path(moves...)); err == nil || !strings.Contains(err.Error(), "no jump leads from oooo/") {
			t.Errorf("%v: %v", moves, err)
		}
	}
	far := statespace.Path{From: index(start), Steps: []statespace.Step{{Move: statespace.AnyMove, State: index(two)}}}
	if _, _, err := sp.Narrate(far); err == nil || err.Error() != "jump 1 of the path: no jump leads from "+start+" to "+two {
		t.Errorf("two jumps in one step: %v", err)
	}
}

// isSlow reports whether a space is passed over: the engines take seconds, or in a short run
// tenths of a second. They are not tried at all on spaces of more than 2^22 numbers. A short run passes over
// large blocks, too.
func isSlow(sp *peg.Space) bool {
	most := uint64(1 << 19)
	if !long.Tests {
		most = 1 << 13
		if blocks := sweep.BlocksOf(sp); blocks != nil && blocks.Bits > 17 {
			return true
		}
	}
	return sp.Size() > most && sp.Size() <= 1<<22
}

func TestLaws(t *testing.T) {
	spaces := boards(t)
	for _, b := range peg.Boards() {
		spaces = append(spaces, pegtest.Lookup(t, b.Name))
	}
	for _, name := range []string{"peg/1x1", "peg/2x2", "peg/1x7", "peg/3x3@0,0", "peg/4x5@0,1", "peg/8x8"} {
		spaces = append(spaces, pegtest.Lookup(t, name))
	}
	tested := make(map[string]bool)
	for _, sp := range spaces {
		if tested[sp.Name()] || isSlow(sp) {
			continue
		}
		tested[sp.Name()] = true
		t.Run(sp.Name(), func(t *testing.T) { spacetest.Test(t, sp, 200) })
	}
}

func TestRandomBoards(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 35))
	engines, kernels := make(map[string]int), make(map[string]int)
	n := 120
	if !long.Tests {
		n = 12
	}
	for range n {
		b, start := pegtest.RandomBoard(rng)
		sp, err := peg.New("random", b, start)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range sweep.Engines(sp) {
			engines[e.Name]++
			for _, k := range e.Kernels {
				kernels[k]++
			}
		}
		spacetest.Test(t, sp, 10)
		if t.Failed() {
			t.Fatalf("board:\n%s", b.Text(start))
		}
	}
	t.Log(engines, kernels)
	if engines[peg.SweepEngine] < n/8 {
		t.Errorf("the sweep was tried on %d boards only", engines[peg.SweepEngine])
	}
}

// sweepEngine returns the engine that has kernels.
func sweepEngine(t *testing.T, sp *peg.Space) statespace.SweepEngine {
	t.Helper()
	e, err := spacetest.FindEngine(sp, peg.SweepEngine)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// All kernels find the same set, on random boards whose blocks they can work on, at any
// number of threads.
func TestKernels(t *testing.T) {
	rng := rand.New(rand.NewPCG(512, 256))
	names := sweepEngine(t, pegtest.Lookup(t, "peg/5x5")).Kernels
	most := 200
	if !long.Tests {
		most = 20
	}
	for boards := 0; boards < most; {
		b, start := pegtest.RandomBoard(rng)
		if len(b.Cells()) < 12 {
			continue
		}
		sp, err := peg.New("random", b, start)
		if err != nil {
			t.Fatal(err)
		}
		e, err := spacetest.FindEngine(sp, peg.SweepEngine)
		if err != nil || !slices.Equal(e.Kernels, names) {
			continue
		}
		boards++
		var want []uint64
		for _, name := range slices.Backward(names) {
			if err := e.UseKernel(name); err != nil {
				t.Fatal(err)
			}
			threads := []int{1, 2, 7}[rng.IntN(3)] // TestRandomBoards takes all in turn
			set := bitset.New(sp.Size())
			if err := sweep.Enumerate(t.Context(), sp, set, threads, nil); err != nil {
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

// UseKernel refuses kernels that a space cannot use. Only the sweep has kernels.
func TestUseKernel(t *testing.T) {
	large, small, none := pegtest.Lookup(t, "peg/5x5"), pegtest.Lookup(t, "peg/3x4"), pegtest.Lookup(t, "peg/triangle21")
	for _, name := range sweepEngine(t, large).Kernels {
		if err := sweepEngine(t, large).UseKernel(name); err != nil || sweepEngine(t, large).Kernel != name {
			t.Errorf("%s: the sweep uses %s; %v", name, sweepEngine(t, large).Kernel, err)
		}
		err := sweepEngine(t, small).UseKernel(name)
		if name != peg.GenericKernel && (err == nil || err.Error() != "the kernel "+name+" cannot run here: the blocks are smaller than a vector of 64 bytes") {
			t.Errorf("%s on a small board: %v", name, err)
		}
		if kernel := sweepEngine(t, small).Kernel; kernel != peg.GenericKernel {
			t.Errorf("a small board uses %s", kernel)
		}
	}
	if err := sweepEngine(t, large).UseKernel("avx3"); err == nil || !strings.Contains(err.Error(), "there is no kernel") {
		t.Errorf("a kernel that there is not: %v", err)
	}
	for _, sp := range []*peg.Space{large, small, none} {
		levels, err := spacetest.FindEngine(sp, peg.LayersEngine)
		if err != nil || levels.Kernel != "" || len(levels.Kernels) > 0 {
			t.Errorf("%s: the levels use %q of %v; %v", sp.Name(), levels.Kernel, levels.Kernels, err)
		}
	}
	if engines := sweep.Engines(none); len(engines) != 1 {
		t.Errorf("%s has %d engines, and should have no sweep", none.Name(), len(engines))
	}
}

// Boards that fall apart have many invariants.
func TestScatteredBoards(t *testing.T) {
	rows := 3
	if !long.Tests {
		rows = 2
	}
	for _, text := range []string{
		strings.Repeat("oo. .oo\n\n", 4),                   // 8 lines
		strings.Repeat("o.o \n\n", 7),                      // 7
		strings.Repeat("o#o#o#o#o#o#o#o\n\n", 8),           // 64 cells and no line
		"oo.\n\n" + strings.Repeat("o#o#o#o#o#o#o\n\n", 8), // 57 invariants of single cells
		strings.Repeat("oo. oo. oo. oo.\n\n", rows),
		"oo.o.oo.o.o.o.oo.ooo.oooo.o.oo.oo.oo.oo.o.\n",
	} {
		b, start, err := board.ParseBoard(text)
		if err != nil {
			t.Fatal(err)
		}
		sp, err := peg.New("scattered", b, start)
		if err != nil {
			t.Fatal(err)
		}
		if isSlow(sp) {
			continue
		}
		t.Run(b.FormatPosition(start), func(t *testing.T) { spacetest.Test(t, sp, 20) })
	}
}

// Broken finds a set of cells whose parity no jump changes for each position outside the
// class, and none for the others.
func TestBroken(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	for _, name := range []string{"peg/5x7", "peg/english", "peg/triangle15", "peg/2x2"} {
		sp := pegtest.Lookup(t, name)
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

func TestClassError(t *testing.T) {
	sp := pegtest.Lookup(t, "peg/5x7")
	spacetest.MustFail(t, sp, "o"+strings.Repeat(".", 34), true)
	spacetest.MustFail(t, sp, strings.Repeat(".", 34), false)
	_, err := sp.Parse("o" + strings.Repeat(".", 34))
	var outside *peg.ClassError
	if !errors.As(err, &outside) || !errors.Is(err, statespace.ErrOutside) || outside.Broken == 0 {
		t.Errorf("%v", err)
	}
}

// FuzzEngines compares the engines with the plain search and the certificate, on boards
// and starts drawn from the input: the width and lattice, then two bits for each place,
// whether it is a cell and whether it has a peg.
func FuzzEngines(f *testing.F) {
	f.Add([]byte{4, 0xff, 0xff, 0xbf, 0xff, 0xff, 0xff, 0xff, 0xff})
	f.Add([]byte{0x85, 0xdd, 0xfd, 0xff, 0xff, 0xff, 0x7f})
	f.Add([]byte{5, 0x5f, 0xf7, 0xff, 0xfb, 0xff, 0xff, 0xff, 0x37, 0xff})
	f.Add([]byte{19, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, data []byte) {
		if sp := fuzzSpace(t, data); sp != nil {
			spacetest.Test(t, sp, 3)
		}
	})
}

// fuzzSpace draws a space from the input of a fuzz target, or returns nil.
func fuzzSpace(t *testing.T, data []byte) *peg.Space {
	if len(data) == 0 {
		return nil
	}
	width := 1 + int(data[0]&31)
	lattice := board.Lattice(data[0] >> 7)
	var cells []board.Cell
	var start board.Position
	for i := range 4 * len(data[1:]) {
		bits := data[1+i/4] >> (2 * (i % 4))
		if bits&1 == 0 || len(cells) == 15 {
			continue
		}
		start |= uint64(bits>>1&1) << len(cells)
		cells = append(cells, board.Cell{Row: i / width, Col: i % width})
	}
	b, err := board.NewBoard(lattice, cells)
	if err != nil {
		return nil // no cells, or too far apart
	}
	sp, err := peg.New("fuzz", b, start)
	if err != nil {
		t.Fatal(err)
	}
	return sp
}
