package packages

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"pagoda/puzzle/peg/board"
	"pagoda/statespace"
	"pagoda/statespace/paths"
	"pagoda/statespace/spacetest"
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

// wide is the dense engine with numbers of three words.
func wide(ctx context.Context, b Block) (*result, error) {
	f := newDenseFinder(b, Options{})
	f.width = 3
	return f.find(ctx)
}

// Both engines find what the plain walk finds.
func TestWalk(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		b := randomBlock(rng, 14)
		want := walk(b)
		for _, engine := range []func(context.Context, Block) (*result, error){denseBy(1), denseBy(3), wide, sparsely} {
			if diff := same(by(t, b, engine), want); diff != "" {
				t.Fatal(diff)
			}
		}
	}
}

// A package is a space that keeps the laws.
func TestSpace(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for tested := 0; tested < 60; {
		b := randomBlock(rng, 10)
		p, err := Find(t.Context(), b, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if p.States == 0 {
			continue
		}
		tested++
		sp := NewSpace("random", p)
		spacetest.Test(t, sp, 30)
		if starts := slices.Collect(p.UsableStarts()); uint64(len(starts)) != p.Starts.Usable || slices.ContainsFunc(starts, func(q board.Position) bool { return !p.isStart(q) }) {
			t.Errorf("%v: the usable starts are %v", b, starts)
		}
		if goals := slices.Collect(p.UsableGoals()); uint64(len(goals)) != p.Goals.Usable || slices.ContainsFunc(goals, func(q board.Position) bool { return !p.isGoal(q) }) {
			t.Errorf("%v: the usable goals are %v", b, goals)
		}
		if sp.Size() != p.States || uint64(len(sp.Roots())) != p.Starts.Usable || uint64(len(sp.Goals())) != p.Goals.Usable {
			t.Errorf("%v: the space has %d states, %d roots and %d goals; the package %+v", b, sp.Size(), len(sp.Roots()), len(sp.Goals()), p)
		}
		jumps := 0
		for x := range sp.Size() {
			jumps += len(sp.Successors(nil, x))
		}
		if uint64(jumps) != p.Jumps {
			t.Errorf("%v: the space has %d jumps, the package %d", b, jumps, p.Jumps)
		}
	}
	if _, err := NewSpace("purge", findText(t, "#..o/ooo#/ooo#", "#..o/...#/...#")).Parse("ooo/ooo/ooo"); !errors.Is(err, statespace.ErrOutside) {
		t.Errorf("a position outside of the package: %v", err)
	}
}

// An example leads from a usable start to a goal, by jumps within the package.
func TestExample(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	long := 0
	for range 300 {
		p, err := Find(t.Context(), randomBlock(rng, 12), Options{})
		if err != nil {
			t.Fatal(err)
		}
		at, jumps, ok := p.Example()
		if ok != (p.States > 0) {
			t.Fatalf("%v: there is an example: %t, with %d states", p.Block, ok, p.States)
		}
		if !ok {
			continue
		}
		long = max(long, len(jumps))
		if !p.isStart(at) || !p.Has(at) || len(jumps) == 0 && p.Jumps > 0 && !p.isGoal(at) {
			t.Errorf("%v: the example begins at %b", p.Block, at)
		}
		for _, k := range jumps {
			j := p.Board.Jump(k)
			if !canJump(j, at) || !p.Has(at^j.Mask()) {
				t.Fatalf("%v: the example makes the jump %v in %b", p.Block, j, at)
			}
			at ^= j.Mask()
		}
		if !p.isGoal(at) {
			t.Errorf("%v: the example ends at %b", p.Block, at)
		}
	}
	if long < 4 {
		t.Errorf("the longest example has %d jumps", long)
	}
}

// Both engines agree on blocks that are large for the plain walk.
func TestEngines(t *testing.T) {
	for _, f := range [][2]string{
		{"????/oooo/oooo/oooo", "????/????/..../...."},
		{"????/????/oooo/oooo/oooo", "????/????/..../..../...."},
		{"lattice: triangular/?/??/ooo/oooo/ooooo", "?/??/.../..../....."},
	} {
		b, err := Parse(f[0], f[1])
		if err != nil {
			t.Fatal(err)
		}
		p, q := by(t, b, denseBy(2)), by(t, b, sparsely)
		if diff := same(p, q); diff != "" || p.States == 0 {
			t.Errorf("%d states; %s", p.States, diff)
		}
	}
}

// The sparse engine gives up if the starts reach more positions than it may hold, each counted once.
func TestSparseMost(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range 100 {
		b := randomBlock(rng, 12)
		// All that can be reached from the starts is the package in which each position is a goal.
		b.Goal = board.Pattern{Any: b.Board.Full()}
		reached := by(t, b, sparsely).States
		if _, err := findSparse(t.Context(), b, reached); err != nil {
			t.Errorf("%v: with room for %d positions: %v", b, reached, err)
		}
		if _, err := findSparse(t.Context(), b, reached-1); reached > 0 && !errors.Is(err, errMany) {
			t.Errorf("%v: with room for all but one of %d positions: %v", b, reached, err)
		}
	}
}

func TestMemory(t *testing.T) {
	full := fullBlock(t, 5, 4)
	var memory *statespace.MemoryError
	if _, err := Find(t.Context(), full, Options{Memory: 128 << 10}); !errors.As(err, &memory) || memory.Need != 256<<10 {
		t.Errorf("in 128 KiB: %v", err)
	}
	if _, err := Find(t.Context(), full, Options{Memory: 300 << 10}); !errors.As(err, &memory) || !strings.Contains(err.Error(), "to count sequences") {
		t.Errorf("in 300 KiB: %v", err)
	}
	var size *SizeError
	if _, err := Find(t.Context(), fullBlock(t, 6, 6), Options{Memory: 1 << 20}); !errors.As(err, &size) {
		t.Errorf("36 open cells: %v", err)
	}
	// Most of the 36 cells are known, and few positions are reached.
	b, err := Parse("oo.ooo/....../??..../....../....../......", "....../....../??..../....../......?/......?")
	if err == nil {
		t.Errorf("blocks of different cells: %v", b)
	}
	b, err = Parse("oo.ooo/....../??..../....../....../......", "....../...?../??..../....../....../......")
	if err != nil {
		t.Fatal(err)
	}
	if p, err := Find(t.Context(), b, Options{Memory: 1 << 20}); err != nil || p.Starts.All != 4 {
		t.Errorf("%+v, %v", p, err)
	}
}

// What ends the context ends the search.
func TestEnds(t *testing.T) {
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(enough)
	if _, err := findDense(ctx, fullBlock(t, 5, 4), Options{}); !errors.Is(err, enough) {
		t.Errorf("dense: %v", err)
	}
	if _, err := sparsely(ctx, fullBlock(t, 4, 3)); !errors.Is(err, enough) {
		t.Errorf("sparse: %v", err)
	}
}

// Sums keep their carries.
func TestNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 1000 {
		a, b := make([]uint64, 4), make([]uint64, 1+rng.IntN(3))
		for _, x := range [][]uint64{a[:3], b} {
			for i := range x {
				x[i] = []uint64{rng.Uint64(), 0, ^uint64(0), 1}[rng.IntN(4)]
			}
		}
		want := new(big.Int).Add(paths.Number(a), paths.Number(b))
		if addTo(a, b); paths.Number(a).Cmp(want) != 0 || bitLen(a) != want.BitLen() {
			t.Fatalf("the sum is %v of %d bits, want %v of %d", paths.Number(a), bitLen(a), want, want.BitLen())
		}
	}
}

// BenchmarkWalk20 finds the package of a block of 4x5 open cells, by the plain walk too, and reports how
// much longer that takes.
func BenchmarkWalk20(b *testing.B) {
	block := fullBlock(b, 4, 5)
	block.Start, block.Goal = board.Pattern{Any: 0xf, Pegs: 0xffff0}, board.Pattern{Any: 0xf}
	begin := time.Now()
	want := walk(block)
	plain := time.Since(begin)
	for b.Loop() {
		if p, err := findDense(b.Context(), block, Options{}); err != nil || p.jumps != want.Jumps {
			b.Fatal(p, err)
		}
	}
	b.ReportMetric(plain.Seconds()/(b.Elapsed().Seconds()/float64(b.N)), "plain/fast")
}

// BenchmarkFull25 finds the package of 5x5 open cells: all positions but two.
func BenchmarkFull25(b *testing.B) {
	block := fullBlock(b, 5, 5)
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("threads=%d", threads), func(b *testing.B) {
			for b.Loop() {
				if _, err := Find(b.Context(), block, Options{Threads: threads}); err != nil {
					b.Fatal(err)
				}
			}
		})
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
