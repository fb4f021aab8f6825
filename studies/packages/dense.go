package packages

import (
	"context"
	"math/bits"
	"sync/atomic"

	"pagoda/internal/progress"
	"pagoda/puzzle/peg/board"
	"pagoda/statespace"
)

// denseBytes returns about how many bytes the dense engine takes at least for n cells: the set and
// two directories. The numbers of sequences come on top: see sequences.
func denseBytes(n int) uint64 { return uint64(2) << max(3, n-3) }

// A denseFinder finds a package.
type denseFinder struct {
	*dense
	starts, goals ends
	cells         int
	most, least   int // pegs of a start at most, and of a goal at least
	threads       int
	memory        uint64
	width         int // words that a number of sequences takes at least; more than 1 for tests
	result        result
}

// findDense finds a package with a bit for each position.
func findDense(ctx context.Context, b Block, o Options) (*result, error) {
	return newDenseFinder(b, o).find(ctx)
}

// newDenseFinder returns a finder whose set has the starts.
func newDenseFinder(b Block, o Options) *denseFinder {
	d := newDense(b.Board)
	full := b.Board.Full()
	f := &denseFinder{
		dense: d, starts: d.ends(b.Start, full), goals: d.ends(b.Goal, full), cells: bits.OnesCount64(full),
		most: bits.OnesCount64(b.Start.Pegs | b.Start.Any), least: bits.OnesCount64(b.Goal.Pegs),
		threads: max(1, o.Threads), memory: o.Memory, width: 1,
	}
	for word := range uint64(len(d.words)) {
		d.words[word] = f.starts.in(word)
	}
	return f
}

// find finds the package.
func (f *denseFinder) find(ctx context.Context) (*result, error) {
	for _, step := range []struct {
		what string
		do   func(context.Context, *statespace.Progress) error
	}{
		{"jumping from the starts", f.reach},
		{"jumping back from the goals", f.keep},
		{"counting sequences", f.count},
	} {
		var done statespace.Progress
		stop := progress.Start(ctx, step.what, uint64(1)<<f.cells, "positions", done.Read)
		err := step.do(ctx, &done)
		stop()
		if err != nil {
			return nil, err
		}
	}
	return &f.result, nil
}

// reach adds what the starts can reach. A jump leads to one peg less, so by falling number of pegs
// the positions before a jump are all known. A word takes up what the jumps bring from other words,
// and from itself.
func (f *denseFinder) reach(ctx context.Context, done *statespace.Progress) error {
	done.Start(int64(f.tasks()) * int64(f.most-f.least))
	for pegs := f.most - 1; pegs >= f.least; pegs-- {
		if err := eachWord(ctx, f.dense, pegs, make([]struct{}, f.threads), done, func(_ struct{}, word uint64) { f.pull(word) }); err != nil {
			return err
		}
	}
	return nil
}

// pull adds to a word what jumps bring. Words are read while others write positions with fewer pegs,
// so loads and stores are atomic.
func (f *denseFinder) pull(word uint64) {
	old := atomic.LoadUint64(&f.words[word])
	if old == ^uint64(0) {
		return
	}
	found := old
	for i := range f.jumps {
		if j := &f.jumps[i]; word&j.cells == j.after {
			found |= j.made(atomic.LoadUint64(&f.words[word^j.cells]))
		}
	}
	if found != old {
		atomic.StoreUint64(&f.words[word], found)
	}
}

// keep removes what cannot reach a goal, and counts what is left by its pegs, and the jumps. By
// rising number of pegs, the positions after a jump are all known.
func (f *denseFinder) keep(ctx context.Context, done *statespace.Progress) error {
	tallies := make([]*tally, f.threads)
	for i := range tallies {
		tallies[i] = new(tally)
	}
	done.Start(int64(f.tasks()) * int64(f.cells+1))
	for pegs := range f.cells + 1 {
		if err := eachWord(ctx, f.dense, pegs, tallies, done, func(t *tally, word uint64) { f.prune(t, pegs, word) }); err != nil {
			return err
		}
	}
	r := &f.result
	r.set = f.dense
	for _, t := range tallies {
		for pegs, n := range t.layers {
			r.layers[pegs] += n
		}
		r.jumps, r.starts, r.goals = r.jumps+t.jumps, r.starts+t.starts, r.goals+t.goals
	}
	return nil
}

// A tally is what a thread counts.
type tally struct {
	layers               board.PegCounts
	jumps, starts, goals uint64
}

// prune removes the positions of a layer from a word that cannot reach a goal.
func (f *denseFinder) prune(t *tally, pegs int, word uint64) {
	old := atomic.LoadUint64(&f.words[word])
	layer := f.pegsIn(word, pegs)
	here := old & layer
	if here == 0 {
		return
	}
	goals := here & f.goals.in(word)
	kept := goals
	for i := range f.jumps {
		if j := &f.jumps[i]; word&j.cells == j.before {
			can := here & j.undone(atomic.LoadUint64(&f.words[word^j.cells]))
			t.jumps += uint64(bits.OnesCount64(can))
			kept |= can
		}
	}
	if kept != here {
		atomic.StoreUint64(&f.words[word], old&^layer|kept)
	}
	t.layers[pegs] += uint64(bits.OnesCount64(kept))
	t.goals += uint64(bits.OnesCount64(goals))
	t.starts += uint64(bits.OnesCount64(kept & f.starts.in(word)))
}
