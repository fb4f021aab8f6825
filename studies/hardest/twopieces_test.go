package hardest

import (
	"math/bits"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/slide/tray"
)

// side bounds the sides of the boards of a twoSearch.
const side = 7

// A twoSearch finds the hardest puzzles with two pieces, in moves with a strict goal, by a way of its own: beside each goal
// piece the other piece grows by a cell at a time. A piece with more cells has fewer places, so one that makes a puzzle
// impossible need not grow. A place is the distance from the upper left corner, as a bit.
type twoSearch struct {
	rows, cols, width int
	length            int
	starts            map[[2]uint64]bool // the pieces at the start

	goal  uint64                     // the goal piece, in the upper left corner
	end   int                        // its place at the end
	free  [2 * side][3 * side]uint64 // by cell, from column -side: the places of the goal piece that do not cover it
	other []tray.Cell                // the other piece; its first cell is at 0, 0
	seen  [side][2 * side]bool       // cells that it has or must not have, from column -side
}

// pairs are the places of the other piece, and those of the goal piece with each of them.
type pairs struct {
	other uint64
	goal  [64]uint64
}

// bit returns the bit of a cell.
func (s *twoSearch) bit(c tray.Cell) int { return c.Row*s.width + c.Col }

// grow searches the other pieces with the cells that are there, one of some at their edge, and any more.
func (s *twoSearch) grow(p *pairs, edge []tray.Cell) {
	for len(edge) > 0 {
		c := edge[len(edge)-1]
		edge = edge[:len(edge)-1]
		s.other = append(s.other, c)
		if now, ok := s.search(p, c); ok {
			more := append([]tray.Cell(nil), edge...)
			for _, d := range []tray.Cell{{Row: c.Row, Col: c.Col + 1}, {Row: c.Row, Col: c.Col - 1}, {Row: c.Row + 1, Col: c.Col}, {Row: c.Row - 1, Col: c.Col}} {
				if d.Row < 0 || d.Row == s.rows || d.Row == 0 && d.Col < 0 || s.seen[d.Row][d.Col+side] {
					continue
				}
				s.seen[d.Row][d.Col+side] = true
				more = append(more, d)
			}
			s.grow(now, more)
			for _, d := range more[len(edge):] {
				s.seen[d.Row][d.Col+side] = false
			}
		}
		s.other = s.other[:len(s.other)-1]
	}
}

// search searches the puzzles in which the other piece has one more cell. It returns the pairs of places from which they
// can be solved, and reports whether a larger piece can be as hard as what was found.
func (s *twoSearch) search(p *pairs, c tray.Cell) (*pairs, bool) {
	var all, solved pairs
	for left := p.other; left != 0; left &= left - 1 {
		at := bits.TrailingZeros64(left)
		places := p.goal[at] & s.free[at/s.width+c.Row][at%s.width+c.Col+side]
		all.add(at, places)
		solved.add(at, places&(1<<s.end))
	}
	var starts uint64
	for length, idle := 1, 0; idle < 2; length++ { // the goal piece moves last, then they take turns
		var changed bool
		if length%2 == 1 {
			changed = s.moveGoal(&all, &solved)
		} else {
			changed = s.moveOther(&all, &solved)
		}
		if idle++; changed {
			idle = 0
		}
		fresh := solved.starts() &^ starts
		starts |= fresh
		if fresh == 0 || length < s.length {
			continue
		}
		if length > s.length {
			s.length = length
			clear(s.starts)
		}
		for ; fresh != 0; fresh &= fresh - 1 {
			var other uint64
			for _, c := range s.other {
				other |= 1 << (bits.TrailingZeros64(fresh) + s.bit(c))
			}
			s.starts[[2]uint64{s.goal, other}] = true
		}
	}
	// A piece with one place is a wall, and then there is one move.
	wall := solved.other&(solved.other-1) == 0
	return &solved, starts != 0 && !(wall && s.length > 1)
}

// add adds places of the goal piece with one of the other.
func (p *pairs) add(at int, places uint64) {
	if places != 0 {
		p.other |= 1 << at
		p.goal[at] |= places
	}
}

// starts returns the places of the other piece with the goal piece at the start.
func (p *pairs) starts() (at uint64) {
	for left := p.other; left != 0; left &= left - 1 {
		k := bits.TrailingZeros64(left)
		at |= p.goal[k] & 1 << k
	}
	return at
}

// moveGoal adds the pairs after a move of the goal piece, and reports whether there are any.
func (s *twoSearch) moveGoal(all, p *pairs) (changed bool) {
	for left := p.other; left != 0; left &= left - 1 {
		at := bits.TrailingZeros64(left)
		for from := uint64(0); from != p.goal[at]; {
			from = p.goal[at]
			p.goal[at] |= (from<<1 | from>>1 | from<<s.width | from>>s.width) & all.goal[at]
			changed = changed || from != p.goal[at]
		}
	}
	return changed
}

// moveOther adds the pairs after a move of the other piece, and reports whether there are any.
func (s *twoSearch) moveOther(all, p *pairs) (changed bool) {
	for left := p.other; left != 0; {
		at := bits.TrailingZeros64(left)
		left &= left - 1
		beside := uint64(1) << at
		for next := (beside<<1 | beside>>1 | beside<<s.width | beside>>s.width) & all.other; next != 0; next &= next - 1 {
			to := bits.TrailingZeros64(next)
			if fresh := p.goal[at] & all.goal[to] &^ p.goal[to]; fresh != 0 {
				p.add(to, fresh)
				left |= 1 << to
				changed = true
			}
		}
	}
	return changed
}

// searchGoal searches all puzzles with a goal piece that takes some rows and columns.
func (s *twoSearch) searchGoal(goal uint64, rows, cols int) {
	s.goal, s.end = goal, (s.rows-rows)*s.width+s.cols-cols
	var all pairs
	for row := range s.rows {
		for col := range s.cols {
			var places uint64 // those that do not cover this cell
			for i := range s.rows - rows + 1 {
				for j := range s.cols - cols + 1 {
					if at := i*s.width + j; goal<<at>>s.bit(tray.Cell{Row: row, Col: col})&1 == 0 {
						places |= 1 << at
					}
				}
			}
			s.free[row][col+side] = places
			all.add(row*s.width+col, places)
		}
	}
	s.seen[0][side] = true
	s.grow(&all, []tray.Cell{{}})
}

// searchTwo returns the length of the hardest puzzles with two pieces, and their number up to symmetry.
func searchTwo(t *testing.T, rows, cols int) (length, starts int) {
	t.Helper()
	s := &twoSearch{rows: rows, cols: cols, width: cols + 1, starts: make(map[[2]uint64]bool)}
	turned := func(mask uint64) (to uint64) {
		for ; mask != 0; mask &= mask - 1 {
			at := bits.TrailingZeros64(mask)
			to |= 1 << s.bit(tray.Cell{Row: at % s.width, Col: at / s.width})
		}
		return to
	}
	for r := range rows {
		for c := range cols {
			// A goal piece with two places moves once to its end, after at most one move of the other.
			if places := (rows - r) * (cols - c); places == 1 || places == 2 && s.length > 2 {
				continue
			}
			g, err := newGrid(Rectangle(1, r+1, c+1))
			if err != nil {
				t.Fatal(err)
			}
			if err := g.connected(func(set uint64) {
				if set>>g.bit(tray.Cell{Row: r, Col: c})&1 == 0 || g.cornered(set) != set {
					return
				}
				var goal uint64
				for row := range r + 1 {
					goal |= set >> (row * g.width) & (1<<g.width - 1) << (row * s.width)
				}
				if rows != cols || goal <= turned(goal) {
					s.searchGoal(goal, r+1, c+1)
				}
			}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for pair := range s.starts {
		if rows != cols || pair[0] != turned(pair[0]) || pair[1] <= turned(pair[1]) || !s.starts[[2]uint64{pair[0], turned(pair[1])}] {
			starts++
		}
	}
	return s.length, starts
}

// Two pieces: a search of its own finds the same as Search, and what docs/studies/two-pieces.md says of larger boards.
func TestTwoPieces(t *testing.T) {
	sizes := [][2]int{{2, 2}, {2, 4}, {3, 3}, {3, 4}}
	if long.Tests {
		sizes = append(sizes, [2]int{4, 4}, [2]int{3, 5}, [2]int{2, 7})
	}
	for _, size := range sizes {
		b := Rectangle(1, size[0], size[1])
		goals, err := Goals(b, Journey{Strict: true}, 0)
		if err != nil {
			t.Fatal(err)
		}
		found, err := Search(t.Context(), &Problem{Board: b, Goals: goals, Metric: tray.Moves, MinPieces: 2, MaxPieces: 2}, Options{})
		if err != nil || len(found) != 1 {
			t.Fatalf("%v: %v, %v", size, found, err)
		}
		if length, starts := searchTwo(t, size[0], size[1]); length != found[0].Length || starts != len(found[0].Starts) {
			t.Errorf("%v: length %d from %d starts, want %d from %d", size, length, starts, found[0].Length, len(found[0].Starts))
		}
	}
	if length, starts := searchTwo(t, 5, 5); length != 4 || starts != 732 {
		t.Errorf("5x5: length %d from %d starts, want 4 from 732", length, starts)
	}
	if !long.Tests {
		return
	}
	if length, starts := searchTwo(t, 6, 6); length != 8 || starts != 14 {
		t.Errorf("6x6: length %d from %d starts, want 8 from 14", length, starts)
	}
}
