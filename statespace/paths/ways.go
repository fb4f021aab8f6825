package paths

import (
	"context"
	"fmt"
	"math/big"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"pagoda/bitset"
	"pagoda/statespace"
	"pagoda/statespace/sweep"
)

// CountWays counts the paths from the roots to states, and all games. A game is a path from a root
// to a dead end, a state without a move. The members are exactly what the roots reach. When ctx
// ends, CountWays stops soon and returns the cause.
func CountWays(ctx context.Context, sp statespace.Space, members bitset.Reader, q statespace.WaysQuestion) (*statespace.Ways, error) {
	if fast := sweep.Of(sp).Ways; fast != nil {
		if ways, err := fast(ctx, q); ways != nil || err != nil {
			return ways, err
		}
	}
	return CountWaysPlain(ctx, sp, members, q)
}

// CountWaysPlain is CountWays, one state at a time. If the members are not what the roots reach, the
// error is statespace.ErrNoPath.
//
// It goes through the layers in the order of moves, and adds the number of paths to each state to
// those of its successors. Only the layers ahead have numbers. Of the states of an orbit there is
// one, with the paths to all of them: symmetries take paths to paths, so each has the same number
// of moves into another orbit.
func CountWaysPlain(ctx context.Context, sp statespace.Space, members bitset.Reader, q statespace.WaysQuestion) (*statespace.Ways, error) {
	if err := statespace.CheckLen(sp, members); err != nil {
		return nil, err
	}
	w := &ways{sp: sp, of: sp.Parts().Layers, symmetries: statespace.Mirrors(sp), memory: q.Memory, width: 1, to: make(map[statespace.Index][]int), paths: make([]*big.Int, len(q.To))}
	for i, x := range q.To {
		r := statespace.Representative(w.symmetries, x)
		w.to[r] = append(w.to[r], i)
		w.paths[i] = new(big.Int)
	}
	if err := w.list(ctx, members); err != nil {
		return nil, err
	}
	for _, root := range sp.Roots() {
		if err := w.add(root, []uint64{1}); err != nil {
			return nil, err
		}
	}
	_, err := statespace.DoFrom(ctx, w, 0, w.between, q.Threads, q.Progress)
	if err == nil && w.fault.Load() != nil {
		err = *w.fault.Load()
	}
	if err != nil {
		return nil, err
	}
	answer := &statespace.Ways{To: w.paths}
	for _, l := range w.layers {
		if q.Layers {
			answer.Layers = append(answer.Layers, l.ways)
		}
	}
	return answer, nil
}

// ways is the work of CountWaysPlain: a stage is a layer.
type ways struct {
	sp         statespace.Space
	of         statespace.Layers
	symmetries []statespace.Symmetry
	layers     []*wayLayer       // in the order of moves
	at         map[int]*wayLayer // by number
	width      int               // words of a number of paths
	memory     uint64            // bytes that may be taken
	used       atomic.Uint64     // bytes that are
	fault      atomic.Pointer[error]
	locks      [1 << 10]sync.Mutex        // of the states with this index, modulo their number
	to         map[statespace.Index][]int // by representative: the states that are asked for
	paths      []*big.Int                 // to these
}

// A wayLayer is the representatives of a layer, with the paths to their orbits.
type wayLayer struct {
	states []statespace.Index       // sorted
	paths  atomic.Pointer[[]uint64] // width words for each state; nil: no move has led here
	sync.Mutex
	ways statespace.WaysLayer
}

// chunk is how many states are listed at a time.
const chunk = 1 << 13

// list lists the representatives by layer.
func (w *ways) list(ctx context.Context, members bitset.Reader) error {
	listed := make(map[int][][]statespace.Index)
	for b := range bitset.Blocks(members) {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		words, err := members.Block(b)
		if err != nil {
			return err
		}
		for i, word := range words {
			first := b<<bitset.BlockBits + uint64(i)*64
			for least := statespace.Least(w.symmetries, first, word); least != 0; least &= least - 1 {
				x := first + uint64(bits.TrailingZeros64(least))
				layer := w.of.Layer(x)
				chunks := listed[layer]
				if n := len(chunks); n == 0 || len(chunks[n-1]) == chunk {
					if err := w.allow(8 * chunk); err != nil {
						return err
					}
					chunks = append(chunks, make([]statespace.Index, 0, chunk))
					listed[layer] = chunks
				}
				last := &chunks[len(chunks)-1]
				*last = append(*last, x)
			}
		}
	}
	w.at = make(map[int]*wayLayer)
	for layer, chunks := range listed {
		l := &wayLayer{ways: statespace.WaysLayer{Layer: layer, Paths: new(big.Int), Games: new(big.Int)}}
		if err := w.allow(uint64(8 * chunk * len(chunks))); err != nil { // until the chunks are given up
			return err
		}
		l.states = slices.Concat(chunks...)
		clear(chunks)
		w.free(uint64(8 * chunk * len(chunks)))
		w.at[layer], w.layers = l, append(w.layers, l)
	}
	slices.SortFunc(w.layers, func(a, b *wayLayer) int {
		if w.of.LayersFall() {
			a, b = b, a
		}
		return a.ways.Layer - b.ways.Layer
	})
	return nil
}

// allow refuses to take more memory than is allowed.
func (w *ways) allow(bytes uint64) error {
	if used := w.used.Add(bytes); used > w.memory {
		return fmt.Errorf("%w: the paths of %s take %d bytes and more; %d are allowed", statespace.ErrMemory, w.sp.Name(), used, w.memory)
	}
	return nil
}

func (w *ways) free(bytes uint64) { w.used.Add(-bytes) }

// add adds paths to those of a state's orbit.
func (w *ways) add(x statespace.Index, paths []uint64) error {
	l := w.at[w.of.Layer(x)]
	missing := func() error {
		return fmt.Errorf("%s: a move leads there, and it is not in the set: %w", w.sp.Format(x), statespace.ErrNoPath)
	}
	if l == nil {
		return missing()
	}
	i, ok := slices.BinarySearch(l.states, statespace.Representative(w.symmetries, x))
	if !ok {
		return missing()
	}
	to, err := w.pathsOf(l)
	if err != nil {
		return err
	}
	lock := &w.locks[i%len(w.locks)]
	lock.Lock()
	fits := addCounts(to[i*w.width:(i+1)*w.width], paths, 0, 0)
	lock.Unlock()
	if !fits {
		return fmt.Errorf("%s: too many moves lead there to count", w.sp.Format(x))
	}
	return nil
}

// pathsOf returns the table of a layer.
func (w *ways) pathsOf(l *wayLayer) ([]uint64, error) {
	if paths := l.paths.Load(); paths != nil {
		return *paths, nil
	}
	l.Lock()
	defer l.Unlock()
	if paths := l.paths.Load(); paths != nil {
		return *paths, nil
	}
	paths := make([]uint64, w.width*len(l.states))
	if err := w.allow(8 * uint64(len(paths))); err != nil {
		return nil, err
	}
	l.paths.Store(&paths)
	return paths, nil
}

// between gives up a layer that is done, and widens the numbers when they come near to what fits.
// Then there is room for 2^31 moves into a state from one layer.
func (w *ways) between(done int) error {
	if fault := w.fault.Load(); fault != nil {
		return *fault
	}
	l := w.layers[done-1]
	w.free(8 * uint64((w.width+1)*len(l.states)))
	l.paths.Store(nil)
	l.states = nil
	large := false
	var ahead []*wayLayer
	for _, l := range w.layers[done:] {
		if paths := l.paths.Load(); paths != nil {
			ahead = append(ahead, l)
			for i := w.width - 1; i < len(*paths) && !large; i += w.width {
				large = (*paths)[i]>>32 > 0
			}
		}
	}
	if !large {
		return nil
	}
	for _, l := range ahead {
		if err := w.allow(8 * uint64((w.width+1)*len(l.states))); err != nil {
			return err
		}
		wide := make([]uint64, (w.width+1)*len(l.states))
		for i, paths := 0, *l.paths.Load(); i < len(l.states); i++ {
			copy(wide[i*(w.width+1):], paths[i*w.width:(i+1)*w.width])
		}
		w.free(8 * uint64(w.width*len(l.states)))
		l.paths.Store(&wide)
	}
	w.width++
	return nil
}

const waysTask = 512 // states

// Stages implements statespace.Work.
func (w *ways) Stages() int { return len(w.layers) }

// Tasks implements statespace.Work.
func (w *ways) Tasks(stage int) int {
	return (len(w.layers[stage].states) + waysTask - 1) / waysTask
}

// NewWorker implements statespace.Work.
func (w *ways) NewWorker() statespace.Worker { return &wayWorker{ways: w} }

type wayWorker struct {
	*ways
	edges []statespace.Edge
}

// Do implements statespace.Worker.
func (w *wayWorker) Do(stage, task int) {
	if w.fault.Load() != nil {
		return
	}
	if err := w.push(w.layers[stage], task*waysTask); err != nil {
		w.fault.CompareAndSwap(nil, &err)
	}
}

// push adds the paths of some states of a layer to those of their successors.
func (w *wayWorker) push(l *wayLayer, first int) error {
	paths, err := w.pathsOf(l)
	if err != nil {
		return err
	}
	sums := statespace.WaysLayer{Paths: new(big.Int), Games: new(big.Int)}
	all := make([]uint64, w.width+1)
	for i := first; i < min(first+waysTask, len(l.states)); i++ {
		x, of := l.states[i], paths[i*w.width:(i+1)*w.width]
		if !slices.ContainsFunc(of, func(word uint64) bool { return word != 0 }) {
			return fmt.Errorf("%s: no path leads there: %w", w.sp.Format(x), statespace.ErrNoPath)
		}
		orbit := uint64(statespace.Orbit(w.symmetries, x))
		sums.States += orbit
		carry := uint64(0)
		for k, word := range of {
			all[k], carry = bits.Add64(all[k], word, carry)
		}
		all[w.width] += carry
		for _, k := range w.to[x] {
			w.paths[k].Div(Number(of), new(big.Int).SetUint64(orbit))
		}
		w.edges = w.sp.Successors(w.edges[:0], x)
		if len(w.edges) == 0 {
			sums.DeadEnds += orbit
			sums.Games.Add(sums.Games, Number(of))
		}
		for _, e := range w.edges {
			if err := w.add(e.To, of); err != nil {
				return err
			}
		}
	}
	l.Lock()
	defer l.Unlock()
	l.ways.States += sums.States
	l.ways.Paths.Add(l.ways.Paths, Number(all))
	l.ways.DeadEnds += sums.DeadEnds
	l.ways.Games.Add(l.ways.Games, sums.Games)
	return nil
}
