package layout

import (
	"flag"
	"fmt"
	"hash/crc32"
	"runtime"

	"math/rand/v2"
	"os"

	"slices"
	"strings"
	"testing"

	"pagoda/internal/lists"
	"pagoda/internal/long"
	"pagoda/puzzle/peg/board"
)

var update = flag.Bool("update", false, "write testdata/plans.txt anew: only if plans may change, and with them the bytes of files")

// Plans decide the numbers of positions, and so the bytes of files: they stay as they are. The
// file has a checksum of the layout of many boards, as they were first found without a bound of
// the work.
func TestPlansStay(t *testing.T) {
	if !long.Tests {
		t.Skip("many boards")
	}
	var found strings.Builder
	plan := func(name string, l *Layout) {
		text := "none"
		if l != nil {
			text = fmt.Sprint(l.Block, l.Group, l.BlockWeights, l.Drop, l.GroupWeights, l.Closing, l.Free, l.Cost, l.BlockBits, l.GroupBits)
		}
		fmt.Fprintf(&found, "%s %08x\n", name, crc32.ChecksumIEEE([]byte(text)))
	}
	usual := slices.Clone(layouts(t))
	slices.SortFunc(usual, func(a, b boardLayout) int { return strings.Compare(a.name, b.name) })
	for _, l := range usual {
		plan(l.name, l.layout)
	}
	for seed := range uint64(50) {
		if b, start := oddBoard(seed); len(b.Lines()) >= 6 && len(b.Lines()) <= 36 {
			plan(fmt.Sprint("odd ", seed), New(b, b.Stabilizer(start)))
		}
	}
	const file = "testdata/plans.txt"
	if *update {
		if err := os.WriteFile(file, []byte(found.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want, got := strings.Split(string(data), "\n"), strings.Split(found.String(), "\n")
	if len(want) != len(got) || len(got) < 40 {
		t.Fatalf("there are %d plans, want %d, and at least 40", len(got), len(want))
	}
	for i := range want {
		if want[i] != got[i] {
			t.Errorf("the plan is %s, was %s", got[i], want[i])
		}
	}
}

// oddBoard draws a board of at most 64 cells, with gaps, and a start. Half of them have symmetries.
func oddBoard(seed uint64) (*board.Board, board.Position) {
	rng := rand.New(rand.NewPCG(seed, 77))
	for {
		lattice := board.Lattice(rng.IntN(2))
		rows, cols := 1+rng.IntN(16), 1+rng.IntN(16)
		density := []float64{1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3}[rng.IntN(8)]
		symmetric := rng.IntN(2) == 0
		in := make(map[board.Cell]bool)
		for r := range rows {
			for c := range cols {
				if rng.Float64() < density {
					peg := rng.IntN(8) > 0
					in[board.Cell{Row: r, Col: c}] = peg
					if symmetric {
						in[board.Cell{Row: rows - 1 - r, Col: cols - 1 - c}] = peg
					}
				}
			}
		}
		var cells []board.Cell
		for c := range in {
			cells = append(cells, c)
		}
		b, err := board.NewBoard(lattice, cells)
		if err != nil {
			continue // no cell, or too many
		}
		var start board.Position
		for i, c := range b.Cells() {
			if in[c] {
				start |= 1 << i
			}
		}
		return b, start
	}
}

// The board of odd shape whose blocks took 19 s and 680 MB to count, and boards for which a search
// found the most work.
var hardBoards = []string{
	"o###o/oo#oo/#ooo#/.#.#o#./o.#.#.o/o#./o.#.o/.o/o#./o.#.o",
	"#o#..o##o..#o/oo######o#oo/..##o##o#o../########o/###o#oo#o/oo#oo##oo##o/o##oo##o###o/#####oo#o#o//..##o##o##../oo######o#oo/o#..o##o..#o/#####o##o/##########o",
}

// Planning is bounded, in work and in memory, for any board. The work is counted. What is
// allocated in all shows that little of it can be in use at a time.
func TestPlansAreBounded(t *testing.T) {
	if !long.Tests {
		t.Skip("the plans of hard boards take seconds")
	}
	for _, text := range hardBoards {
		b, start, err := board.ParseBoard(strings.ReplaceAll(text, "/", "\n"))
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		symmetries, w := b.Stabilizer(start), newWork()
		l := newWithin(b, symmetries, minBlockBits, maxBlockBits, w)
		if l == nil {
			l = newWithin(b, nil, minBlockBits, maxBlockBits, w)
		}
		if l != nil {
			if n := lists.Sum(l.Representatives(start)); n == 0 {
				t.Errorf("the blocks of %s cannot be counted", text)
			}
		}
		runtime.ReadMemStats(&after)
		if allocated := (after.TotalAlloc - before.TotalAlloc) >> 20; allocated > 1<<10 {
			t.Errorf("to plan %s allocates %d MiB", text, allocated)
		}
		// The last step of a part may go beyond its end.
		const over = 20e6
		if w.trying.left < -over || w.weighing.left < -over || w.ordering.left < -over || w.narrowing.left < -over {
			t.Errorf("to plan %s takes more work than there is: left are %+v", text, *w)
		}
	}
}

// A search that runs out of effort still finds a layout, if it has seen one.
func TestLittleEffort(t *testing.T) {
	b, err := board.Rectangle(5, 7)
	if err != nil {
		t.Fatal(err)
	}
	for _, steps := range []int{0, 1e4, 1e6, 1e7, 1e8} {
		w := &work{effort{steps}, effort{steps}, effort{steps}, effort{steps}}
		l := newWithin(b, nil, minBlockBits, maxBlockBits, w)
		if l == nil && steps >= 1e7 || l != nil && steps == 0 {
			t.Errorf("with %d steps the layout is %v", steps, l)
		}
		if l != nil {
			checkWeights(t, fmt.Sprint(steps, " steps"), b.Lines(), l.BlockWeights, l.Block)
		}
	}
}

// The fillings are counted as a plain count does it: by all parities at once.
func TestFillings(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		f := &fillings{heaviest: rng.IntN(40)}
		mask := uint64(1)<<(1+rng.IntN(8)) - 1
		for range rng.IntN(14) {
			f.cells = append(f.cells, filled{rng.Uint64() & mask, rng.IntN(12)})
		}
		for _, c := range f.cells {
			if rng.IntN(2) == 0 {
				f.odd ^= c.odd
			}
		}
		if rng.IntN(8) == 0 {
			f.odd = rng.Uint64() & mask // perhaps there are none
		}
		want := make([]uint64, f.heaviest+1)
		for pick := range 1 << len(f.cells) {
			odd, weight := uint64(0), 0
			for i, c := range f.cells {
				if pick>>i&1 == 1 {
					odd, weight = odd^c.odd, weight+c.weight
				}
			}
			if odd == f.odd && weight <= f.heaviest {
				want[weight]++
			}
		}
		if got := f.count(); !slices.Equal(got, want) {
			t.Fatalf("%+v: counted %v, want %v", f, got, want)
		}
		if f.sort(); !slices.Equal(f.count(), want) {
			t.Fatalf("sorted, %+v counts otherwise: %v", f, f.count())
		}
	}
	// Counts that would be too many are not made.
	tangle := &fillings{heaviest: 100}
	for range 120 {
		tangle.cells = append(tangle.cells, filled{rng.Uint64(), 1})
	}
	if tangle.sort(); tangle.work() <= maxCounting {
		t.Errorf("60 parities that all depend on each other take %d additions", tangle.work())
	}
}
