package packages

import (
	"context"
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/statespace"
	"pagoda/statespace/peg/board"
)

// find finds the package of two texts.
func findText(t testing.TB, start, goal string) *Package {
	t.Helper()
	b, err := Parse(start, goal)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Find(t.Context(), b, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The figures of findsolitairepackages. The 6-purge takes a block of 2x3 pegs away. Its top row with
// one more cell, and with everything in it unknown, gives the second figures. The third are those of
// 3x3 pegs below which there is one more.
func TestFigures(t *testing.T) {
	for _, f := range []struct {
		name, start, goal        string
		states, jumps, sequences int64
		starts, ofStarts         uint64
		goals, ofGoals           uint64
	}{
		{"6-purge", "#..o/ooo#/ooo#", "#..o/...#/...#", 11, 15, 6, 1, 1, 1, 1},
		{"its top row unknown", "????/ooo#/ooo#", "????/...#/...#", 128, 214, 524, 14, 15, 14, 15},
		{"4x3 block", "ooo/ooo/ooo/o..", "???/.../.../...", 39, 70, 74, 1, 1, 2, 7},
	} {
		p := findText(t, f.start, f.goal)
		got := fmt.Sprint(p.States, p.Jumps, p.Sequences, p.Starts, p.Goals)
		want := fmt.Sprint(f.states, f.jumps, f.sequences, Ends{f.ofStarts, f.starts}, Ends{f.ofGoals, f.goals})
		if got != want {
			t.Errorf("%s: %s, want %s", f.name, got, want)
		}
	}
}

// A walk is the plain reference: it looks at all 2^n positions one by one.
func walk(b Block) *Package {
	n := len(b.Board.Cells())
	reached, leads, from := make([]bool, 1<<n), make([]bool, 1<<n), make([]*big.Int, 1<<n)
	byPegs := make([][]board.Position, n+1)
	for p := range board.Position(1) << n {
		byPegs[bits.OnesCount64(p)] = append(byPegs[bits.OnesCount64(p)], p)
	}
	jumps := func(p board.Position) (to []board.Position) {
		for k := range b.Board.Jumps() {
			j := b.Board.Jump(k)
			if p>>j.From&1 == 1 && p>>j.Over&1 == 1 && p>>j.To&1 == 0 {
				to = append(to, p&^(1<<j.From|1<<j.Over)|1<<j.To)
			}
		}
		return to
	}
	is := func(pattern board.Pattern, p board.Position) bool {
		return p != 0 && p != b.Board.Full() && pattern.Matches(p)
	}
	w := &Package{Block: b, Sequences: new(big.Int)}
	for _, layer := range slices.Backward(byPegs) {
		for _, p := range layer {
			reached[p] = reached[p] || is(b.Start, p)
			for _, q := range jumps(p) {
				reached[q] = reached[q] || reached[p]
			}
		}
	}
	s := new(sparse)
	for pegs, layer := range byPegs {
		for _, p := range layer {
			from[p] = new(big.Int)
			if is(b.Goal, p) {
				w.Goals.All++
				leads[p] = true
				from[p].SetInt64(1)
			}
			inside := uint64(0)
			for _, q := range jumps(p) {
				if leads[q] {
					leads[p] = true
					inside++
				}
				from[p].Add(from[p], from[q])
			}
			if is(b.Start, p) {
				w.Starts.All++
				w.Sequences.Add(w.Sequences, from[p])
			}
			if reached[p] && leads[p] {
				w.States++
				w.Jumps += inside
				s[pegs] = append(s[pegs], p)
				if is(b.Start, p) {
					w.Starts.Usable++
				}
				if is(b.Goal, p) {
					w.Goals.Usable++
				}
			}
		}
	}
	w.set = s
	for pegs := n; pegs >= 0; pegs-- {
		if len(s[pegs]) > 0 {
			w.Layers = append(w.Layers, statespace.Layer{Layer: pegs, States: uint64(len(s[pegs]))})
		}
	}
	return w
}

// randomBlock draws a block of at most most cells, whose patterns leave some cells open.
func randomBlock(rng *rand.Rand, most int) Block {
	for {
		rows, cols := 1+rng.IntN(5), 1+rng.IntN(5)
		density := []float64{1, 1, 0.9, 0.7}[rng.IntN(4)]
		var cells []board.Cell
		for r := range rows {
			for c := range cols {
				if rng.Float64() < density {
					cells = append(cells, board.Cell{Row: r, Col: c})
				}
			}
		}
		if len(cells) == 0 || len(cells) > most {
			continue
		}
		b, err := board.NewBoard(board.Lattice(rng.IntN(2)), cells)
		if err != nil {
			panic(err)
		}
		pattern := func(pegs float64) (p board.Pattern) {
			open := []float64{0, 0.2, 0.5, 1}[rng.IntN(4)]
			for i := range cells {
				switch {
				case rng.Float64() < open:
					p.Any |= 1 << i
				case rng.Float64() < pegs:
					p.Pegs |= 1 << i
				}
			}
			return p
		}
		return Block{b, pattern(0.8), pattern(0.2)}
	}
}

// same returns how two packages differ; "" if they do not.
func same(p, q *Package) string {
	if a, b := fmt.Sprint(p.States, p.Jumps, p.Sequences, p.Starts, p.Goals, p.Layers), fmt.Sprint(q.States, q.Jumps, q.Sequences, q.Starts, q.Goals, q.Layers); a != b {
		return fmt.Sprintf("%v: %s and %s", p.Block, a, b)
	}
	if !slices.Equal(slices.Collect(p.All()), slices.Collect(q.All())) {
		return fmt.Sprintf("%v: the states differ", p.Block)
	}
	return ""
}

// by finds a package by one of the engines.
func by(t testing.TB, b Block, engine func(context.Context, Block) (*result, error)) *Package {
	t.Helper()
	found, err := engine(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	return newPackage(b, found)
}

func denseBy(threads int) func(context.Context, Block) (*result, error) {
	return func(ctx context.Context, b Block) (*result, error) {
		return findDense(ctx, b, Options{Threads: threads})
	}
}

func sparsely(ctx context.Context, b Block) (*result, error) { return findSparse(ctx, b, 1<<40) }

// Both engines find what the plain walk finds.
func TestWalk(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		b := randomBlock(rng, 14)
		want := walk(b)
		for _, engine := range []func(context.Context, Block) (*result, error){denseBy(1), denseBy(3), sparsely} {
			if diff := same(by(t, b, engine), want); diff != "" {
				t.Fatal(diff)
			}
		}
	}
}

func BenchmarkFull25(b *testing.B) {
	block := fullBlock(b, 5, 5)
	for b.Loop() {
		if _, err := Find(b.Context(), block, Options{Threads: 2}); err != nil {
			b.Fatal(err)
		}
	}
}

// fullBlock is a rectangle with everything open.
func fullBlock(t testing.TB, w, h int) Block {
	r, err := board.Rectangle(w, h)
	if err != nil {
		t.Fatal(err)
	}
	open := board.Pattern{Any: r.Full()}
	return Block{r, open, open}
}
