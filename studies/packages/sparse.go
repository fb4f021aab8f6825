package packages

import (
	"context"
	"iter"
	"math/big"
	"math/bits"
	"slices"

	"pagoda/internal/progress"
	"pagoda/puzzle/peg/board"
	"pagoda/statespace"
	"pagoda/statespace/paths"
)

// sparseBytes is about what a position takes in the sparse engine.
const sparseBytes = 64

// A sparse set has a sorted list of positions for each number of pegs.
type sparse [board.MaxCells + 1][]board.Position

// has implements set.
func (s *sparse) has(p board.Position) bool {
	_, ok := slices.BinarySearch(s[bits.OnesCount64(p)], p)
	return ok
}

// layer implements set.
func (s *sparse) layer(pegs int) iter.Seq[board.Position] { return slices.Values(s[pegs]) }

// findSparse finds a package with lists of positions. If the starts reach more than most, the error is
// errMany.
func findSparse(ctx context.Context, b Block, most uint64) (*result, error) {
	s := new(sparse)
	if err := s.addStarts(ctx, b, most); err != nil {
		return nil, err
	}
	var done statespace.Progress
	done.Start(int64(2 * len(b.Board.Cells())))
	defer progress.Start(ctx, "finding the package", uint64(2*len(b.Board.Cells())), "layers", done.Read)()
	var reached uint64
	for pegs := len(s) - 1; pegs > 0; pegs-- {
		slices.Sort(s[pegs])
		s[pegs] = slices.Compact(s[pegs])
		if reached += uint64(len(s[pegs])); reached > most {
			return nil, errMany
		}
		if err := s.jump(ctx, b.Board, pegs, most-reached); err != nil {
			return nil, err
		}
		done.Add(1)
	}
	return s.keep(ctx, b, &done)
}

// addStarts adds the starts of a block.
func (s *sparse) addStarts(ctx context.Context, b Block, most uint64) error {
	if b.number(b.Start) > most {
		return errMany
	}
	n := 0
	for open := b.Start.Any; ; open = (open - 1) & b.Start.Any {
		if p := b.Start.Pegs | open; b.counts(p) {
			s[bits.OnesCount64(p)] = append(s[bits.OnesCount64(p)], p)
		}
		if n++; n%(1<<16) == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if open == 0 {
			return nil
		}
	}
}

// jump adds what the positions with a number of pegs reach by one jump. If there are then more than most
// positions with one peg less, the error is errMany, now or later.
func (s *sparse) jump(ctx context.Context, b *board.Board, pegs int, most uint64) error {
	below := s[pegs-1]
	for i, p := range s[pegs] {
		for k := range b.Jumps() {
			if j := b.Jump(k); canJump(j, p) {
				below = append(below, p^j.Mask())
			}
		}
		if i%(1<<12) == 0 {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if uint64(len(below)) > 2*most+1<<12 { // each is there several times
				slices.Sort(below)
				if below = slices.Compact(below); uint64(len(below)) > most {
					return errMany
				}
			}
		}
	}
	s[pegs-1] = below
	return nil
}

// keep removes what cannot reach a goal, by rising number of pegs, and counts sequences.
func (s *sparse) keep(ctx context.Context, b Block, done *statespace.Progress) (*result, error) {
	r := &result{set: s, sequences: new(big.Int)}
	var below numbers // the sequences from each position with one peg less
	most := 1         // the bits of the greatest of them
	for pegs := range s {
		here := newNumbers(uint64(len(s[pegs])), widthFor(most, b.Board.Jumps()), nil)
		kept := s[pegs][:0]
		most = 1
		for i, p := range s[pegs] {
			if i%(1<<12) == 0 && ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			n := here.at(uint64(len(kept)))
			clear(n)
			goal := b.isGoal(p)
			if goal {
				n[0] = 1
			}
			leads := goal
			for k := range b.Board.Jumps() {
				j := b.Board.Jump(k)
				if !canJump(j, p) {
					continue
				}
				if at, ok := slices.BinarySearch(s[pegs-1], p^j.Mask()); ok {
					leads = true
					r.jumps++
					addTo(n, below.at(uint64(at)))
				}
			}
			if !leads {
				continue
			}
			kept = append(kept, p)
			r.layers[pegs]++
			if goal {
				r.goals++
			}
			if b.isStart(p) {
				r.starts++
				r.sequences.Add(r.sequences, paths.Number(n))
			}
			most = max(most, bitLen(n))
		}
		s[pegs], below = kept, here
		done.Add(1)
	}
	return r, nil
}
