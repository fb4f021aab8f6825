package purges

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"pagoda/internal/mapped"
	"pagoda/internal/progress"
	"pagoda/puzzle/peg/board"
	"pagoda/statespace"
)

// MinBlock and MaxBlock are the fewest and the most cells of a block that Find looks through.
const (
	MinBlock = 4
	MaxBlock = 12
)

// Options say how packages are found. The result does not depend on them.
type Options struct {
	Threads int    // 0 is 1
	Memory  uint64 // bounds the bytes, about; more are a *statespace.MemoryError. 0 is no bound.
}

// packageBytes is about what a package takes, as it is found, named, and written as text.
const packageBytes = 2048

// Find finds all purges and movers in blocks of up to most cells, MinBlock to MaxBlock, with their names, in
// the order of the library. The doc of this package says what they are. When ctx ends, Find stops soon and
// returns the cause.
func Find(ctx context.Context, most int, o Options) ([]*Package, error) {
	if most < MinBlock || most > MaxBlock {
		return nil, fmt.Errorf("the blocks have up to %d cells, expected %d to %d", most, MinBlock, MaxBlock)
	}
	var blocks []*board.Board
	for n := MinBlock; n <= most; n++ {
		blocks = append(blocks, shapes(n)...)
	}
	found := make([][]*Package, len(blocks))
	var number atomic.Uint64 // of packages
	var done statespace.Progress
	done.Start(int64(len(blocks)))
	defer progress.Start(ctx, "looking for packages", uint64(len(blocks)), "blocks", done.Read)()
	searches := sync.Pool{New: func() any { return new(search) }}
	err := mapped.Each(ctx, o.Threads, uint64(len(blocks)), func(i uint64) error {
		s := searches.Get().(*search)
		found[i] = s.packages(blocks[i])
		searches.Put(s)
		done.Add(1)
		if n := number.Add(uint64(len(found[i]))); o.Memory > 0 && n*packageBytes > o.Memory {
			return &statespace.MemoryError{Name: "the search", Need: n * packageBytes, Most: "or more, for the packages that it finds",
				Allowed: o.Memory, Instead: "choose smaller blocks"}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	all := slices.Concat(found...)
	order(all)
	name(all)
	return all, nil
}

// order sorts packages: purges first, then by cells, by the pegs that are lost, and by their texts.
func order(all []*Package) {
	type key struct {
		numbers [3]int
		text    string
	}
	keys := make(map[*Package]key, len(all))
	for _, p := range all {
		keys[p] = key{[3]int{int(p.Kind()), len(p.Block.Cells()), len(p.Jumps)}, p.Text(p.Start) + " " + p.Text(p.Goal)}
	}
	slices.SortFunc(all, func(p, q *Package) int {
		a, b := keys[p], keys[q]
		return cmp.Or(slices.Compare(a.numbers[:], b.numbers[:]), strings.Compare(a.text, b.text))
	})
}

// A search finds the packages of one block after the other.
type search struct {
	block *board.Board
	jumps []board.Jump
	masks []uint64 // by jump: its cells
	pegs  []uint64 // by jump: the pegs that it takes
	syms  []board.Permutation
	cuts  []uint64 // parts with cell 0: they and the rest are unions of lines

	// touched is, by position, the cells that every sequence from the start to it touches; it holds if
	// stamp is that of the start.
	touched []uint64
	stamp   []uint32
	round   uint32
	reached []board.Position // from the start, most pegs first
}

// packages returns the packages of a block, up to its symmetries.
func (s *search) packages(b *board.Board) (all []*Package) {
	s.set(b)
	for start := board.Position(1); start <= b.Full(); start++ {
		if !s.least(start, 0) {
			continue
		}
		s.from(start)
		for _, goal := range s.reached[1:] {
			if s.touched[goal] == b.Full() && bits.OnesCount64(goal&^start) <= 1 && bits.OnesCount64(start&^goal) > 1+bits.OnesCount64(goal&^start) &&
				s.least(start, goal) && !s.fallsApart(start, goal) {
				all = append(all, s.narrate(start, goal))
			}
		}
	}
	return all
}

// set prepares the search for a block.
func (s *search) set(b *board.Board) {
	s.block, s.syms = b, b.Symmetries()[1:]
	s.jumps, s.masks, s.pegs = s.jumps[:0], s.masks[:0], s.pegs[:0]
	for k := range b.Jumps() {
		j := b.Jump(k)
		s.jumps, s.masks, s.pegs = append(s.jumps, j), append(s.masks, j.Mask()), append(s.pegs, 1<<j.From|1<<j.Over)
	}
	s.cuts = s.cuts[:0]
	for part := uint64(1); part < b.Full(); part += 2 {
		if s.covered(part) && s.covered(b.Full()&^part) {
			s.cuts = append(s.cuts, part)
		}
	}
	if n := 1 << len(b.Cells()); len(s.touched) < n {
		s.touched, s.stamp, s.round = make([]uint64, n), make([]uint32, n), 0
	}
}

// least reports whether no symmetry of the block makes a smaller pair of a start and a goal; a goal of
// 0 stands for any.
func (s *search) least(start, goal board.Position) bool {
	return !slices.ContainsFunc(s.syms, func(p board.Permutation) bool {
		image := p.Image(start)
		return image < start || image == start && p.Image(goal) < goal
	})
}

// from finds all positions that can be reached from a start in the block, and what every way to
// them touches. Every way to a position has the same number of jumps, so a position comes after all
// those that lead to it.
func (s *search) from(start board.Position) {
	s.round++
	s.reached = append(s.reached[:0], start)
	s.stamp[start], s.touched[start] = s.round, 0
	for i := 0; i < len(s.reached); i++ {
		at := s.reached[i]
		for k, m := range s.masks {
			if at&m != s.pegs[k] {
				continue
			}
			to, touched := at^m, s.touched[at]|m
			if s.stamp[to] == s.round {
				s.touched[to] &= touched
			} else {
				s.stamp[to], s.touched[to] = s.round, touched
				s.reached = append(s.reached, to)
			}
		}
	}
}

// fallsApart reports whether the block is two parts, so that start becomes goal by jumps that stay in
// one part each: then there are two packages that share no cell.
func (s *search) fallsApart(start, goal board.Position) bool {
	return slices.ContainsFunc(s.cuts, func(part uint64) bool {
		other := s.block.Full() &^ part
		return s.canReach(start&part, goal&part, part) && s.canReach(start&other, goal&other, other)
	})
}

// covered reports whether a part of the block is a union of lines.
func (s *search) covered(part uint64) bool {
	lines := uint64(0)
	for k := 0; k < len(s.masks); k += 2 { // both jumps of a line have the same cells
		if s.masks[k]&^part == 0 {
			lines |= s.masks[k]
		}
	}
	return lines == part
}

// canReach reports whether jumps in a part of the block lead from a position to another.
func (s *search) canReach(from, to board.Position, part uint64) bool {
	if from == to {
		return true
	}
	if bits.OnesCount64(from) <= bits.OnesCount64(to) {
		return false
	}
	for k, m := range s.masks {
		if m&^part == 0 && from&m == s.pegs[k] && s.canReach(from^m, to, part) {
			return true
		}
	}
	return false
}
