package toys

import (
	"fmt"

	"pagoda/statespace"
	"pagoda/statespace/cells"
)

// digits is for spaces whose numbers have the contents of the cells as digits, the first cell
// lowest.
type digits struct{ cells.Letters }

// number reads a state.
func (d digits) number(text string) (x statespace.Index, err error) {
	p, err := d.ParseState(text)
	for i := len(p) - 1; i >= 0; i-- {
		x = x*uint64(d.Contents()) + uint64(p[i])
	}
	return x, err
}

// State implements cells.Celled.
func (d digits) State(dst cells.Pattern, x statespace.Index) {
	for i := range dst {
		dst[i] = int8(x % uint64(d.Contents()))
		x /= uint64(d.Contents())
	}
}

// Hanoi is the Tower of Hanoi, a space with cells, a feature and a goal whose moves can be taken back. The cells are the
// disks, the smallest one first, and the content of a cell is the peg of the disk. All disks
// are on peg A at the start and on peg C at the goal.
type Hanoi struct {
	digits
	disks int
}

// NewHanoi returns the Tower of Hanoi with some disks.
func NewHanoi(disks int) Hanoi { return Hanoi{digits{cells.Grid(1, disks, "ABC")}, disks} }

// Name implements statespace.Space.
func (h Hanoi) Name() string { return fmt.Sprintf("hanoi/%d", h.disks) }

// Size implements statespace.Space.
func (h Hanoi) Size() uint64 {
	size := uint64(1)
	for range h.disks {
		size *= 3
	}
	return size
}

// Roots implements statespace.Space.
func (h Hanoi) Roots() []statespace.Index { return []statespace.Index{0} }

// Format implements statespace.Space.
func (h Hanoi) Format(x statespace.Index) string {
	p := make(cells.Pattern, h.disks)
	h.State(p, x)
	return h.FormatPattern(p)
}

// Parse implements statespace.Space.
func (h Hanoi) Parse(text string) (statespace.Index, error) { return h.number(text) }

// FormatMove implements statespace.Space. A move is a disk and a peg, 3*disk+peg.
func (h Hanoi) FormatMove(_ statespace.Index, move statespace.Edge) string {
	return fmt.Sprintf("disk %d to peg %c", move.Move/3+1, "ABC"[move.Move%3])
}

// Definition implements statespace.Space.
func (h Hanoi) Definition() statespace.Definition { return definition(h.Name(), h.disks) }

// each calls do for each move: disk from a peg to another leads from x to y.
func (h Hanoi) each(x statespace.Index, do func(disk, from, to int, y statespace.Index)) {
	covered := [3]bool{} // pegs with smaller disks
	place := uint64(1)
	for disk := range h.disks {
		from := int(x / place % 3)
		for to := range 3 {
			if to != from && !covered[from] && !covered[to] {
				do(disk, from, to, x+uint64(to)*place-uint64(from)*place)
			}
		}
		covered[from] = true
		place *= 3
	}
}

// Successors implements statespace.Space.
func (h Hanoi) Successors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	h.each(x, func(disk, _, to int, y statespace.Index) {
		dst = append(dst, statespace.Edge{To: y, Move: 3*disk + to})
	})
	return dst
}

// Predecessors implements statespace.Space.
func (h Hanoi) Predecessors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	h.each(x, func(disk, from, _ int, y statespace.Index) {
		dst = append(dst, statespace.Edge{To: y, Move: 3*disk + from})
	})
	return dst
}

// Parts implements statespace.Space.
func (h Hanoi) Parts() statespace.Parts {
	return statespace.Parts{Undirected: true, Cells: h, Texts: statespace.Texts{Features: h.features},
		Goals: statespace.Goals{Is: func(x statespace.Index) bool { return x == h.Size()-1 }}}
}

func (h Hanoi) features() []statespace.Feature {
	return []statespace.Feature{{Name: "home", About: "disks on peg C", New: func() func(x statespace.Index) int64 {
		p := make(cells.Pattern, h.disks)
		return func(x statespace.Index) (n int64) {
			h.State(p, x)
			for _, peg := range p {
				if peg == 2 {
					n++
				}
			}
			return n
		}
	}}}
}

// Lights is the puzzle Lights Out, a space with cells on a grid whose moves can be taken back. To press a cell
// switches it and its neighbours. The goal is that all lights are off.
type Lights struct {
	digits
	rows, cols int
	start      statespace.Index
}

// NewLights returns a puzzle of some rows and columns. Bit i of start is the light of cell i, row
// by row.
func NewLights(rows, cols int, start statespace.Index) Lights {
	return Lights{digits{cells.Grid(rows, cols, ".o")}, rows, cols, start}
}

// Name implements statespace.Space.
func (l Lights) Name() string { return fmt.Sprintf("lights/%dx%d", l.rows, l.cols) }

// Size implements statespace.Space.
func (l Lights) Size() uint64 { return 1 << (l.rows * l.cols) }

// Roots implements statespace.Space.
func (l Lights) Roots() []statespace.Index { return []statespace.Index{l.start} }

// Format implements statespace.Space.
func (l Lights) Format(x statespace.Index) string {
	p := make(cells.Pattern, len(l.Cells()))
	l.State(p, x)
	return l.FormatPattern(p)
}

// Parse implements statespace.Space.
func (l Lights) Parse(text string) (statespace.Index, error) { return l.number(text) }

// FormatMove implements statespace.Space.
func (l Lights) FormatMove(_ statespace.Index, move statespace.Edge) string {
	return fmt.Sprintf("press %v", l.Cells()[move.Move])
}

// Definition implements statespace.Space.
func (l Lights) Definition() statespace.Definition {
	return definition(l.Name(), []uint64{uint64(l.rows), uint64(l.cols), l.start})
}

// Successors implements statespace.Space.
func (l Lights) Successors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	for i, at := range l.Cells() {
		y := x
		for k, other := range l.Cells() {
			if d := [2]int{at.Row - other.Row, at.Col - other.Col}; d[0]*d[0]+d[1]*d[1] <= 1 {
				y ^= 1 << k
			}
		}
		dst = append(dst, statespace.Edge{To: y, Move: i})
	}
	return dst
}

// Predecessors implements statespace.Space: to press a cell again takes the move back.
func (l Lights) Predecessors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	return l.Successors(dst, x)
}

// Parts implements statespace.Space.
func (l Lights) Parts() statespace.Parts {
	return statespace.Parts{Undirected: true, Cells: l, Goals: statespace.Goals{
		Is:  func(x statespace.Index) bool { return x == 0 },
		All: func() []statespace.Index { return []statespace.Index{0} },
	}}
}
