package best

import (
	"fmt"
	"slices"

	"pagoda/puzzle/peg/board"
	"pagoda/studies/weighted"
)

// MaxCells bounds the rows times the columns of the boards that Search takes.
const MaxCells = 4096

// A kind stands for the pegs of one weight; 0 is a hole. Greater kinds are heavier.
type kind uint16

// A hop is a jump, by cells.
type hop struct{ from, over, to int32 }

// A field is a game as the searches need it. They read it only.
type field struct {
	game    *weighted.Game
	start   []kind // by cell
	weights []int64
	jumps   []hop   // by the cell they come from
	first   []int32 // by cell: the first of its jumps, and the end

	cols  int
	pegs  int
	total int64 // weight of all pegs
	mean  int64 // of the sizes of the weights, at least 1
}

// newField prepares a game.
func newField(g *weighted.Game) (*field, error) {
	if err := g.Check(); err != nil {
		return nil, err
	}
	rows, cols := g.Shape.Rows(), g.Shape.Cols()
	if rows*cols > MaxCells {
		return nil, fmt.Errorf("the board has %d rows and %d columns: expected at most %d places in all", rows, cols, MaxCells)
	}
	f := &field{game: g, cols: cols, weights: []int64{0}}
	var all []int64
	var sizes int64
	for cell, peg := range g.Pegs {
		if peg {
			w := g.Weights[cell]
			all = append(all, w)
			f.total += w
			sizes += max(w, -w)
			f.pegs++
		}
	}
	f.mean = max(1, sizes/int64(max(1, f.pegs)))
	slices.Sort(all)
	f.weights = append(f.weights, slices.Compact(all)...)
	for cell, peg := range g.Pegs {
		var k int
		if peg {
			k, _ = slices.BinarySearch(f.weights[1:], g.Weights[cell])
			k++
		}
		f.start = append(f.start, kind(k))
	}
	for k := range g.Shape.Jumps() {
		j := g.Shape.Jump(k)
		f.jumps = append(f.jumps, hop{int32(j.From), int32(j.Over), int32(j.To)})
	}
	slices.SortStableFunc(f.jumps, func(a, b hop) int { return int(a.from - b.from) })
	f.first = make([]int32, len(f.start)+1)
	for _, h := range f.jumps {
		f.first[h.from+1]++
	}
	for cell := range f.start {
		f.first[cell+1] += f.first[cell]
	}
	return f, nil
}

// places returns the rows times the columns.
func (f *field) places() int { return f.game.Shape.Rows() * f.cols }

// can reports whether a jump can be made.
func (h hop) can(at []kind) bool { return at[h.from] != 0 && at[h.over] != 0 && at[h.to] == 0 }

// make makes a jump.
func (h hop) make(at []kind) { at[h.from], at[h.over], at[h.to] = 0, 0, at[h.from] }

// hash returns the hash of a peg in a cell. That of a position is the exclusive or of its pegs, and
// of lastHash.
func (f *field) hash(cell int32, k kind) uint64 { return scramble(uint64(cell)<<16 | uint64(k)) }

// lastHash is the share of the peg that can jump on for nothing.
func (f *field) lastHash(cell int32) uint64 {
	if cell < 0 {
		return 0
	}
	return scramble(1<<40 | uint64(cell))
}

// hashOf returns the hash of a position.
func (f *field) hashOf(at []kind, last int32) uint64 {
	h := f.lastHash(last)
	for cell, k := range at {
		if k != 0 {
			h ^= f.hash(int32(cell), k)
		}
	}
	return h
}

// scramble is the finalizer of SplitMix64 (Steele, Lea and Flood, 2014).
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// canGoOn reports whether the peg in a cell can jump.
func (f *field) canGoOn(at []kind, cell int32) bool {
	for _, h := range f.jumps[f.first[cell]:f.first[cell+1]] {
		if h.can(at) {
			return true
		}
	}
	return false
}

// left returns the weight of the pegs of a position.
func (f *field) left(at []kind) (sum int64) {
	for _, k := range at {
		sum += f.weights[k]
	}
	return sum
}

// score replays jumps and returns the score, and that of the best game that stops earlier, with its
// number of jumps. The jumps must be legal.
func (f *field) score(jumps []uint32) (best int64, length int) {
	at := slices.Clone(f.start)
	cost, left, last := int64(0), f.total, int32(-1)
	best = left
	for i, j := range jumps {
		h := f.jumps[j]
		if h.from != last {
			cost += f.weights[at[h.from]]
		}
		left -= f.weights[at[h.over]]
		h.make(at)
		last = h.to
		if cost+left < best {
			best, length = cost+left, i+1
		}
	}
	return best, length
}

// game writes jumps as jumps of the board.
func (f *field) gameOf(jumps []uint32) []board.Jump {
	all := make([]board.Jump, len(jumps))
	for i, j := range jumps {
		h := f.jumps[j]
		all[i] = board.Jump{From: int(h.from), Over: int(h.over), To: int(h.to)}
	}
	return all
}

// unmake takes a jump back, which was over a peg.
func (h hop) unmake(at []kind, over kind) { at[h.from], at[h.over], at[h.to] = at[h.to], over, 0 }
