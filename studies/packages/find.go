package packages

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/big"

	"github.com/dustin/go-humanize"

	"pagoda/internal/lists"
	"pagoda/puzzle/peg/board"
	"pagoda/statespace"
)

// Options say how a package is found.
type Options struct {
	Threads int    // 0 is 1
	Memory  uint64 // bounds the bytes, about; more are a *statespace.MemoryError. 0 is no bound.
}

// A Package is the positions that a start of a block can reach and that can reach a goal.
type Package struct {
	Block
	States uint64 // positions
	Jumps  uint64 // from one of them to another
	// Sequences is the number of sequences of jumps from a usable start to a usable goal.
	Sequences *big.Int
	// Starts and Goals count the positions that the patterns of the block stand for.
	Starts, Goals Ends
	// Layers counts the positions by their number of pegs, most pegs first.
	Layers []statespace.Layer

	set set
}

// Ends counts starts or goals. The full and the empty block are not among them.
type Ends struct {
	All    uint64
	Usable uint64 // those in the package
}

// A set holds the positions of a package.
type set interface {
	has(p board.Position) bool
	// layer yields the positions with a number of pegs, in increasing order.
	layer(pegs int) iter.Seq[board.Position]
}

// A result is what an engine finds.
type result struct {
	set           set
	layers        board.PegCounts
	jumps         uint64
	sequences     *big.Int
	starts, goals uint64 // in the set
}

// The bounds of the engines.
const (
	// alwaysDense is the number of cells up to which bits for all positions take no time.
	alwaysDense = 20
	// MaxDense is the greatest number of cells with a bit for each position.
	MaxDense = 34
	// sparseShare says what share of all positions, as a power of 2, takes longer in lists than with a
	// bit for each.
	sparseShare = 8
)

// errMany is the error of the sparse engine if there are too many positions.
var errMany = errors.New("too many positions")

// Find finds the package of a block. A package with no states is no error. When ctx ends, Find stops
// soon and returns the cause.
func Find(ctx context.Context, b Block, o Options) (*Package, error) {
	if err := b.check(); err != nil {
		return nil, err
	}
	found, err := find(ctx, b, o)
	if err != nil {
		return nil, err
	}
	return newPackage(b, found), nil
}

// newPackage returns the package of a result.
func newPackage(b Block, found *result) *Package {
	p := &Package{Block: b, Jumps: found.jumps, Sequences: found.sequences, Layers: board.LayersOf(&found.layers, nil), set: found.set,
		Starts: Ends{All: b.number(b.Start), Usable: found.starts}, Goals: Ends{All: b.number(b.Goal), Usable: found.goals}}
	p.States = lists.SumOf(p.Layers, func(l statespace.Layer) uint64 { return l.States })
	return p
}

// find chooses the engine. Lists go first: they are given up when they grow too long.
func find(ctx context.Context, b Block, o Options) (*result, error) {
	n := len(b.Board.Cells())
	need := denseBytes(n)
	dense := n <= MaxDense && (o.Memory == 0 || need <= o.Memory)
	if dense && n <= alwaysDense {
		return findDense(ctx, b, o)
	}
	most := uint64(1) << max(0, n-sparseShare)
	if !dense {
		most = 1 << 62
	}
	if o.Memory > 0 {
		most = min(most, o.Memory/sparseBytes)
	}
	found, err := findSparse(ctx, b, most)
	switch {
	case !errors.Is(err, errMany):
		return found, err
	case dense:
		return findDense(ctx, b, o)
	case n > MaxDense:
		return nil, &SizeError{Cells: n, Reached: most}
	}
	return nil, &statespace.MemoryError{Name: "the package", Need: need, Most: fmt.Sprintf("most of it a bit for each of 2^%d positions", n), Allowed: o.Memory,
		Instead: "leave fewer cells open"}
}

// A SizeError says that a block has too many cells for a bit for each position, and that its starts
// reach too many positions for lists of them.
type SizeError struct {
	Cells   int
	Reached uint64 // the starts reach more positions than this
}

func (e *SizeError) Error() string {
	return fmt.Sprintf("the block has %d cells, and its starts reach more than %s positions, more than fit into memory: expected a block of at most %d cells, or fewer open cells",
		e.Cells, humanize.Comma(int64(e.Reached)), MaxDense)
}

// Has reports whether a position of the block is in the package.
func (p *Package) Has(q board.Position) bool { return q <= p.Board.Full() && p.set.has(q) }

// All yields the positions, most pegs first, and in increasing order among those with as many pegs.
func (p *Package) All() iter.Seq[board.Position] {
	return func(yield func(board.Position) bool) {
		for _, l := range p.Layers {
			for q := range p.set.layer(l.Layer) {
				if !yield(q) {
					return
				}
			}
		}
	}
}

// UsableStarts and UsableGoals yield the starts and the goals in the package, in the order of All.
func (p *Package) UsableStarts() iter.Seq[board.Position] {
	return p.those(p.isStart, p.Starts.Usable)
}
func (p *Package) UsableGoals() iter.Seq[board.Position] { return p.those(p.isGoal, p.Goals.Usable) }

// those yields the n positions that are starts, or goals.
func (p *Package) those(is func(board.Position) bool, n uint64) iter.Seq[board.Position] {
	return func(yield func(board.Position) bool) {
		left := n
		for q := range p.All() {
			if left == 0 {
				return
			}
			if is(q) {
				left--
				if !yield(q) {
					return
				}
			}
		}
	}
}

// AppendJumps appends the numbers of the jumps of the board that lead from a position of the package
// to another one.
func (p *Package) AppendJumps(dst []int, q board.Position) []int {
	for k := range p.Board.Jumps() {
		if j := p.Board.Jump(k); canJump(j, q) && p.Has(q^j.Mask()) {
			dst = append(dst, k)
		}
	}
	return dst
}

// canJump reports whether a position allows a jump.
func canJump(j board.Jump, p board.Position) bool {
	return (p>>j.From)&(p>>j.Over)&^(p>>j.To)&1 == 1
}

// Example returns a sequence: a usable start and the numbers of the jumps that lead from it to a goal.
// The start has the most pegs among those that allow a jump within the package. If none does, there are
// no jumps. It returns false if the package has no states.
func (p *Package) Example() (start board.Position, jumps []int, ok bool) {
	var can []int
	for q := range p.UsableStarts() {
		if can = p.AppendJumps(can[:0], q); len(can) > 0 || !ok {
			start, ok = q, true
		}
		if len(can) > 0 {
			break
		}
	}
	for at := start; len(can) > 0; {
		jumps, at = append(jumps, can[0]), at^p.Board.Jump(can[0]).Mask()
		if p.isGoal(at) {
			break
		}
		can = p.AppendJumps(can[:0], at)
	}
	return start, jumps, ok
}
