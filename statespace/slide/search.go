package slide

import (
	"context"
	"fmt"
	"math/big"
	"slices"
)

// A levels is what is kept of a breadth-first search over the numbers of a Packing: of
// each number whether it has been reached and its distance modulo 3, two bits; and
// whether its moves have been made, one bit.
type levels struct {
	planes []uint64 // two words for 64 numbers; together 0: not reached, else the distance modulo 3 plus 1
	closed []uint64
	dirty  [2][]uint8 // of a level and the next: stretches of numbers that have any
	last   uint64     // the last number whose moves have been made
	// lastLevel is the numbers of the last level, MaxPairs of them at most.
	lastLevel []uint64
}

// dirtyShift: a stretch is 4096 numbers, 64 words.
const dirtyShift = 12

func newLevels(size uint64) *levels {
	words := (size + 63) / 64
	stretches := size>>dirtyShift + 1
	return &levels{planes: make([]uint64, 2*words), closed: make([]uint64, words), dirty: [2][]uint8{make([]uint8, stretches), make([]uint8, stretches)}}
}

// searchBytes returns about how many bytes a search of so many numbers takes.
func searchBytes(size uint64) uint64 { return size/64*24 + size>>dirtyShift*2 + 1<<20 }

// mark returns how a level is written in the planes.
func mark(level int) int { return level%3 + 1 }

// add adds those of the numbers to a level that have not been reached, and returns how
// many. It does without branches, which would wait for memory one number after the other.
func (l *levels) add(numbers []uint64, level int) uint64 {
	m := uint64(mark(level))
	low, high := -(m & 1), -(m >> 1)
	dirty := l.dirty[level&1]
	count := uint64(0)
	for _, x := range numbers {
		w := l.planes[x>>6<<1:][:2]
		a, b := w[0], w[1]
		fresh := 1 << (x & 63) &^ (a | b)
		w[0] = a | fresh&low
		w[1] = b | fresh&high
		one := fresh >> (x & 63)
		dirty[x>>dirtyShift] |= uint8(one)
		count += one
	}
	return count
}

// at reports whether a number, known to be at the level, one before it or one behind
// it, is at the level.
func (l *levels) at(x uint64, level int) bool {
	w := l.planes[x>>6<<1:][:2]
	return levelWord(w[0], w[1], mark(level))>>(x&63)&1 == 1
}

// Solve finds the shortest solutions of a puzzle in a metric, and the positions that can
// be reached, by the engine that the options name; all engines give the same answers. The
// default one numbers all placements of the pieces and keeps three bits for each; where
// that takes more memory than is allowed, the error is a *SizeError, and nothing has been
// searched. When ctx ends, Solve stops soon and returns the cause.
func Solve(ctx context.Context, p *Puzzle, m Metric, o Options) (*Result, error) {
	switch o.Engine {
	case NumbersEngine:
	case HashEngine:
		return solveHash(ctx, p, m, o)
	case PlainEngine:
		return SolvePlain(ctx, p, m, o)
	default:
		return nil, fmt.Errorf("unknown engine %v", o.Engine)
	}
	if o.ToGoal && len(p.goals) == 0 {
		return nil, ErrNoGoal
	}
	if !m.Super() {
		if tp, err := NewTilePacking(p); err == nil {
			return tp.solve(ctx, m, o)
		}
	}
	pk, err := newPackingIn(p, o.Memory)
	if err != nil {
		return nil, err
	}
	return pk.Solve(ctx, m, o.ToGoal)
}

// newPackingIn numbers the placements of a puzzle if a search fits into so many bytes of
// memory; 0 is no bound.
func newPackingIn(p *Puzzle, memory uint64) (*Packing, error) {
	nodes := 0
	if memory > 0 {
		nodes = int(min(MaxNodes, 1+memory/packNodeBytes(p)))
	}
	pk, err := NewPacking(p, nodes)
	if err != nil {
		return nil, err
	}
	if need := searchBytes(pk.Size()) + pk.Bytes(); memory > 0 && need > memory {
		return nil, &SizeError{Numbers: pk.Size(), Need: need, Memory: memory}
	}
	return pk, nil
}

// Solve is the function Solve on a packing that is made already.
func (pk *Packing) Solve(ctx context.Context, m Metric, toGoal bool) (*Result, error) {
	l := newLevels(pk.size)
	c := newCursor(pk, m)
	start := pk.Rank(pk.puzzle.Start())
	result := &Result{Metric: m, Solutions: new(big.Int)}
	ends, err := pk.search(ctx, c, l, []uint64{start}, toGoal, result)
	if err != nil {
		return nil, err
	}
	if result.Solved {
		leads := func(dst []uint64, x uint64) []uint64 {
			c.seek(x)
			return c.successors(dst)
		}
		if err := pk.puzzle.trace(ctx, l.at, leads, pk.Rank, start, ends, result); err != nil {
			return nil, err
		}
	}
	return result, nil
}

// search fills the levels from different starts on, and what the result tells of them. It returns the numbers of
// the goals at the least distance, in order.
func (pk *Packing) search(ctx context.Context, c *cursor, l *levels, starts []uint64, toGoal bool, result *Result) (ends []uint64, err error) {
	goals := pk.goals()
	var next []uint64
	for level, count := 0, l.add(starts, 0); count > 0 && !(toGoal && result.Solved); level++ {
		result.Layers = append(result.Layers, count)
		result.States += count
		count = 0
		l.lastLevel = l.lastLevel[:0]
		dirty := l.dirty[level&1]
		for stretch, any := range dirty {
			if any == 0 {
				continue
			}
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			dirty[stretch] = 0
			first := uint64(stretch) << (dirtyShift - 6)
			last := min(first+1<<(dirtyShift-6), uint64(len(l.closed)))
			for w := first; w < last; w++ {
				word := levelWord(l.planes[2*w], l.planes[2*w+1], mark(level)) &^ l.closed[w]
				l.closed[w] |= word
				next = next[:0]
				for ; word != 0; word &= word - 1 {
					x := w<<6 + trailing(word)
					l.last = x
					if len(l.lastLevel) < MaxPairs {
						l.lastLevel = append(l.lastLevel, x)
					}
					c.seek(x)
					if !result.Solved && len(goals) > 0 && c.solved(goals) {
						ends = append(ends, x)
					}
					next = c.successors(next)
				}
				count += l.add(next, level+1)
			}
		}
		if len(ends) > 0 && !result.Solved {
			result.Solved = true
			result.Length = level
		}
		result.Whole = count == 0 && !(toGoal && result.Solved)
	}
	return ends, nil
}

// ways is how many shortest ways there are from a number to a goal.
type ways struct {
	x uint64
	n *big.Int
}

// trace counts the shortest ways back from the goals, and takes the first of them. isAt
// tells as levels.at does of numbers that leads appends, which are those that a move leads to,
// perhaps one of them twice.
func (p *Puzzle) trace(ctx context.Context, isAt func(x uint64, level int) bool, leads func(dst []uint64, x uint64) []uint64, rank func(Position) uint64,
	start uint64, ends []uint64, result *Result) error {
	at := make([][]uint64, result.Length+1) // the numbers on shortest ways by level
	at[result.Length] = ends
	var layer []ways
	for _, x := range ends {
		layer = append(layer, ways{x, big.NewInt(1)})
	}
	var next []uint64
	for level := result.Length - 1; level >= 0; level-- {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		var before []ways
		for _, from := range layer {
			next = leads(next[:0], from.x) // a move can be taken back
			slices.Sort(next)
			for _, y := range slices.Compact(next) {
				if isAt(y, level) {
					before = append(before, ways{y, from.n})
				}
			}
		}
		slices.SortFunc(before, func(a, b ways) int {
			switch {
			case a.x < b.x:
				return -1
			case a.x > b.x:
				return 1
			}
			return 0
		})
		layer = layer[:0]
		for i := 0; i < len(before); {
			sum := ways{before[i].x, new(big.Int)}
			for ; i < len(before) && before[i].x == sum.x; i++ {
				sum.n.Add(sum.n, before[i].n)
			}
			layer = append(layer, sum)
			at[level] = append(at[level], sum.x)
		}
	}
	if len(layer) == 1 && layer[0].x == start {
		result.Solutions = layer[0].n
	}
	pos := p.Start()
	for _, on := range at[1:] {
		var mv Move
		mv, pos = p.moveTo(result.Metric, pos, func(pos Position) bool {
			_, ok := slices.BinarySearch(on, rank(pos))
			return ok
		})
		result.Moves = append(result.Moves, mv)
	}
	return nil
}
