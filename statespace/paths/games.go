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
)

// Games are the games that end in a layer. A game is a path from a root to a dead end, a state
// without a move.
type Games struct {
	Layer    int
	DeadEnds uint64
	Count    *big.Int // of the games
}

// CountGames counts all games by the layer in which they end, in the order of moves. Layers without
// dead ends are left out. The members are exactly what the roots reach, or the error is
// statespace.ErrNoPath. It is statespace.ErrMemory if the count takes more than memory bytes. The
// numbers can have any length. When ctx ends, CountGames stops soon and returns the cause.
//
// It goes through the layers in the order of moves, and adds the number of paths to each state to
// those of its successors. Only the layers ahead have numbers. Of the states of an orbit there is
// one, with the paths to all of them: symmetries take paths to paths, so each has the same number
// of moves into another orbit.
func CountGames(ctx context.Context, sp statespace.Layered, members bitset.Reader, memory uint64, threads int, progress *statespace.Progress) ([]Games, error) {
	if members.Len() != sp.Size() {
		return nil, fmt.Errorf("%s has %d numbers, the set holds %d", sp.Name(), sp.Size(), members.Len())
	}
	g := &games{sp: sp, symmetries: statespace.Mirrors(sp), memory: memory, width: 1}
	if err := g.list(ctx, members); err != nil {
		return nil, err
	}
	for _, root := range sp.Roots() {
		if err := g.add(root, []uint64{1}); err != nil {
			return nil, err
		}
	}
	_, err := statespace.DoFrom(ctx, g, 0, g.between, threads, progress)
	if err == nil && g.fault.Load() != nil {
		err = *g.fault.Load()
	}
	if err != nil {
		return nil, err
	}
	var all []Games
	for _, l := range g.layers {
		if l.games.DeadEnds > 0 {
			all = append(all, l.games)
		}
	}
	return all, nil
}

// games is the work of CountGames: a stage is a layer.
type games struct {
	sp         statespace.Layered
	symmetries []statespace.Symmetry
	layers     []*gameLayer       // in the order of moves
	at         map[int]*gameLayer // by number
	width      int                // words of a number of paths
	memory     uint64             // bytes that may be taken
	used       atomic.Uint64      // bytes that are
	fault      atomic.Pointer[error]
	locks      [1 << 10]sync.Mutex // of the states with this index, modulo their number
}

// A gameLayer is the representatives of a layer, with the paths to their orbits.
type gameLayer struct {
	states []statespace.Index       // sorted
	paths  atomic.Pointer[[]uint64] // width words for each state; nil: no move has led here
	sync.Mutex
	games Games
}

// chunk is how many states are listed at a time.
const chunk = 1 << 13

// list lists the representatives by layer.
func (g *games) list(ctx context.Context, members bitset.Reader) error {
	listed := make(map[int][][]statespace.Index)
	for b := range bitset.Blocks(members) {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		words, err := members.Block(b)
		if err != nil {
			return err
		}
		for i, w := range words {
			first := b<<bitset.BlockBits + uint64(i)*64
			for least := statespace.Least(g.symmetries, first, w); least != 0; least &= least - 1 {
				x := first + uint64(bits.TrailingZeros64(least))
				layer := g.sp.Layer(x)
				chunks := listed[layer]
				if n := len(chunks); n == 0 || len(chunks[n-1]) == chunk {
					if err := g.allow(8 * chunk); err != nil {
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
	g.at = make(map[int]*gameLayer)
	for layer, chunks := range listed {
		l := &gameLayer{games: Games{Layer: layer, Count: new(big.Int)}}
		if err := g.allow(uint64(8 * chunk * len(chunks))); err != nil { // until the chunks are given up
			return err
		}
		l.states = slices.Concat(chunks...)
		clear(chunks)
		g.free(uint64(8 * chunk * len(chunks)))
		g.at[layer], g.layers = l, append(g.layers, l)
	}
	slices.SortFunc(g.layers, func(a, b *gameLayer) int {
		if g.sp.LayersFall() {
			a, b = b, a
		}
		return a.games.Layer - b.games.Layer
	})
	return nil
}

// allow refuses to take more memory than is allowed.
func (g *games) allow(bytes uint64) error {
	if used := g.used.Add(bytes); used > g.memory {
		return fmt.Errorf("%w: the games of %s take %d bytes and more; %d are allowed", statespace.ErrMemory, g.sp.Name(), used, g.memory)
	}
	return nil
}

func (g *games) free(bytes uint64) { g.used.Add(-bytes) }

// add adds paths to those of a state's orbit.
func (g *games) add(x statespace.Index, paths []uint64) error {
	l := g.at[g.sp.Layer(x)]
	missing := func() error {
		return fmt.Errorf("%s: a move leads there, and it is not in the set: %w", g.sp.Format(x), statespace.ErrNoPath)
	}
	if l == nil {
		return missing()
	}
	i, ok := slices.BinarySearch(l.states, statespace.Representative(g.symmetries, x))
	if !ok {
		return missing()
	}
	to, err := g.pathsOf(l)
	if err != nil {
		return err
	}
	lock := &g.locks[i%len(g.locks)]
	lock.Lock()
	fits := addCounts(to[i*g.width:(i+1)*g.width], paths, 0)
	lock.Unlock()
	if !fits {
		return fmt.Errorf("%s: too many moves lead there to count", g.sp.Format(x))
	}
	return nil
}

// pathsOf returns the table of a layer.
func (g *games) pathsOf(l *gameLayer) ([]uint64, error) {
	if paths := l.paths.Load(); paths != nil {
		return *paths, nil
	}
	l.Lock()
	defer l.Unlock()
	if paths := l.paths.Load(); paths != nil {
		return *paths, nil
	}
	paths := make([]uint64, g.width*len(l.states))
	if err := g.allow(8 * uint64(len(paths))); err != nil {
		return nil, err
	}
	l.paths.Store(&paths)
	return paths, nil
}

// between gives up a layer that is done, and widens the numbers when they come near to what fits.
// Then there is room for 2^31 moves into a state from one layer.
func (g *games) between(done int) error {
	if fault := g.fault.Load(); fault != nil {
		return *fault
	}
	l := g.layers[done-1]
	g.free(8 * uint64((g.width+1)*len(l.states)))
	l.paths.Store(nil)
	l.states = nil
	large := false
	var ahead []*gameLayer
	for _, l := range g.layers[done:] {
		if paths := l.paths.Load(); paths != nil {
			ahead = append(ahead, l)
			for i := g.width - 1; i < len(*paths) && !large; i += g.width {
				large = (*paths)[i]>>32 > 0
			}
		}
	}
	if !large {
		return nil
	}
	for _, l := range ahead {
		if err := g.allow(8 * uint64((g.width+1)*len(l.states))); err != nil {
			return err
		}
		wide := make([]uint64, (g.width+1)*len(l.states))
		for i, paths := 0, *l.paths.Load(); i < len(l.states); i++ {
			copy(wide[i*(g.width+1):], paths[i*g.width:(i+1)*g.width])
		}
		g.free(8 * uint64(g.width*len(l.states)))
		l.paths.Store(&wide)
	}
	g.width++
	return nil
}

const gamesTask = 512 // states

// Stages implements statespace.Work.
func (g *games) Stages() int { return len(g.layers) }

// Tasks implements statespace.Work.
func (g *games) Tasks(stage int) int {
	return (len(g.layers[stage].states) + gamesTask - 1) / gamesTask
}

// NewWorker implements statespace.Work.
func (g *games) NewWorker() statespace.Worker { return &gameWorker{games: g} }

type gameWorker struct {
	*games
	edges []statespace.Edge
}

// Do implements statespace.Worker.
func (w *gameWorker) Do(stage, task int) {
	if w.fault.Load() != nil {
		return
	}
	if err := w.push(w.layers[stage], task*gamesTask); err != nil {
		w.fault.CompareAndSwap(nil, &err)
	}
}

// push adds the paths of some states of a layer to those of their successors.
func (w *gameWorker) push(l *gameLayer, first int) error {
	paths, err := w.pathsOf(l)
	if err != nil {
		return err
	}
	ended, sum := uint64(0), new(big.Int)
	for i := first; i < min(first+gamesTask, len(l.states)); i++ {
		x, of := l.states[i], paths[i*w.width:(i+1)*w.width]
		if !slices.ContainsFunc(of, func(word uint64) bool { return word != 0 }) {
			return fmt.Errorf("%s: no path leads there: %w", w.sp.Format(x), statespace.ErrNoPath)
		}
		w.edges = w.sp.Successors(w.edges[:0], x)
		if len(w.edges) == 0 {
			ended += uint64(statespace.Orbit(w.symmetries, x))
			sum.Add(sum, number(of))
		}
		for _, e := range w.edges {
			if err := w.add(e.To, of); err != nil {
				return err
			}
		}
	}
	if ended > 0 {
		l.Lock()
		l.games.DeadEnds += ended
		l.games.Count.Add(l.games.Count, sum)
		l.Unlock()
	}
	return nil
}
