package hardest

import (
	"math"
	"math/bits"
	"slices"

	"pagoda/internal/mapped"
)

// A unit is placements that are numbered and searched together: no move leads out of it, because
// moves keep the pieces. It is what some counts of pieces and some goals make.
type unit struct {
	*graph
	classes []int32 // by form: the class of pieces of this form, or noPlace
	counts  []int   // by class: the pieces besides the goal piece
	goals   []int   // of the problem

	radix []uint32 // by class: what a piece takes from left
	lefts uint32   // values of left: how many pieces are left of each class, in a mixed radix
	marks []int32  // by form: the goal of this unit that has it, or noPlace

	// The numbers of the paths. Each node has a row for each value of left: the first number
	// of each edge after an empty cell, and behind them the number of all. Before the goal piece has
	// come, its edges follow those of the other pieces. The rows after it has come follow those before.
	nodes []node
	rows  []uint32
	mark  []uint32 // the edges that can be the goal piece, in increasing order

	size uint64
}

// A node is what a search needs of a node of the graph.
type node struct {
	edge  uint32 // the first
	mark  uint32 // the first edge among those of the goal piece
	empty uint32
	cell  uint32
}

// nodeBytes is the size of a node.
const nodeBytes = 16

// maxNumbers is the greatest size of a unit.
const maxNumbers = math.MaxUint32

// checkLefts checks how many values left has for counts of pieces. The error is a *LimitError if lefts does not
// hold them, or if goalSizes takes more than memory for them, on a graph with some nodes.
func checkLefts(counts []int, nodes, memory uint64) error {
	const each = 3 * 8 // bytes by node and by value of left
	lefts := uint64(1)
	for _, n := range counts {
		lefts = times(lefts, uint64(n+1))
	}
	memory = min(memory, each*nodes*math.MaxUint32)
	if bytes := times(lefts, each*nodes); bytes > memory {
		return &LimitError{What: "the counts of placements by kinds of pieces", Bytes: bytes, Memory: memory}
	}
	return nil
}

// setUp makes what follows from the pieces, which checkLefts accepts. The forms are those of the goals of the problem.
func (u *unit) setUp(forms []int32) {
	u.lefts = 1
	u.radix = nil
	for _, n := range u.counts {
		u.radix = append(u.radix, u.lefts)
		u.lefts *= uint32(n + 1)
	}
	u.marks = make([]int32, len(u.forms))
	for i := range u.marks {
		u.marks[i] = noPlace
	}
	for _, goal := range u.goals {
		u.marks[forms[goal]] = int32(goal)
	}
}

// paths counts the paths from each node to the end, by node and by left: those on which the goal
// piece is still to come, and the others.
func (u *unit) paths() (before, after []uint64) {
	nodes, lefts := len(u.undecided), int(u.lefts)
	before, after = make([]uint64, nodes*lefts), make([]uint64, nodes*lefts)
	after[int(u.end())*lefts] = 1
	for n := nodes - 2; n >= 0; n-- {
		b, a := before[n*lefts:][:lefts], after[n*lefts:][:lefts]
		e := int(u.empty[n]) * lefts
		copy(b, before[e:][:lefts])
		copy(a, after[e:][:lefts])
		for _, edge := range u.edges[u.graph.begin[n]:u.graph.begin[n+1]] {
			form, to := u.all[edge.place].shape, int(edge.to)*lefts
			if class := u.classes[form]; class != noPlace && u.counts[class] > 0 {
				r := int(u.radix[class])
				for l := r; l < lefts; l++ {
					if u.leftOf(uint32(l), class) > 0 {
						b[l] = add(b[l], before[to+l-r])
						a[l] = add(a[l], after[to+l-r])
					}
				}
			}
			if u.marks[form] != noPlace {
				for l := range b {
					b[l] = add(b[l], after[to+l])
				}
			}
		}
	}
	return before, after
}

// goalSizes returns the number of placements of each goal, and of those with the goal piece at a
// place where it begins.
func (u *unit) goalSizes(begins []bool) (sizes, starts map[int]uint64) {
	_, after := u.paths()
	nodes, lefts := len(u.undecided), int(u.lefts)
	to := make([]uint64, nodes*lefts) // paths from the start without the goal piece
	to[lefts-1] = 1
	sizes, starts = make(map[int]uint64), make(map[int]uint64)
	for n := range nodes - 1 {
		from := to[n*lefts:][:lefts]
		e := to[int(u.empty[n])*lefts:][:lefts]
		for l, paths := range from {
			e[l] = add(e[l], paths)
		}
		for _, edge := range u.edges[u.graph.begin[n]:u.graph.begin[n+1]] {
			form := u.all[edge.place].shape
			next := to[int(edge.to)*lefts:][:lefts]
			if class := u.classes[form]; class != noPlace && u.counts[class] > 0 {
				r := int(u.radix[class])
				for l := r; l < lefts; l++ {
					if u.leftOf(uint32(l), class) > 0 {
						next[l-r] = add(next[l-r], from[l])
					}
				}
			}
			if goal := u.marks[form]; goal != noPlace {
				n := product(from, after[int(edge.to)*lefts:][:lefts])
				sizes[int(goal)] = add(sizes[int(goal)], n)
				if begins[edge.place] {
					starts[int(goal)] = add(starts[int(goal)], n)
				}
			}
		}
	}
	return sizes, starts
}

// product adds up the paths that go on in several ways.
func product(paths, ways []uint64) (sum uint64) {
	for i, n := range paths {
		if n > 0 && ways[i] > 0 {
			sum = add(sum, times(n, ways[i]))
		}
	}
	return sum
}

// times multiplies numbers of paths; those that are too many stay so.
func times(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	if high > 0 {
		return ManyPlacements
	}
	return min(low, ManyPlacements)
}

// ManyPlacements stands for this number of placements or more.
const ManyPlacements = 1 << 62

// add adds numbers of paths; those that are too many stay so.
func add(a, b uint64) uint64 { return min(a+b, ManyPlacements) }

// leftOf returns how many pieces of a class are left.
func (u *unit) leftOf(left uint32, class int32) int {
	if len(u.counts) == 1 {
		return int(left)
	}
	return int(left/u.radix[class]) % (u.counts[class] + 1)
}

// number makes the rows. The size of the unit must be at most maxNumbers.
func (u *unit) number() {
	before, after := u.paths()
	paths := [2][]uint64{before, after}
	nodes, lefts := len(u.undecided), int(u.lefts)
	u.size = before[lefts-1]
	u.nodes, u.mark = mapped.Large[node](nodes), nil
	for n := range u.nodes {
		u.nodes[n] = node{edge: u.graph.begin[n], mark: uint32(len(u.mark)), cell: uint32(u.cell[n])}
		for i := u.graph.begin[n]; i < u.graph.begin[n+1]; i++ {
			if u.marks[u.all[u.edges[i].place].shape] != noPlace {
				u.mark = append(u.mark, i)
			}
		}
		if uint32(n) != u.end() {
			u.nodes[n].empty = u.empty[n]
		}
	}
	u.rows = mapped.Large[uint32]((2*(len(u.edges)+nodes) + len(u.mark)) * lefts)
	for there := range 2 {
		for n := range nodes - 1 {
			for l := range lefts {
				u.fill(there, uint32(n), uint32(l), paths)
			}
		}
	}
}

// rowAt returns where a row is, and its length. The node must not be the end.
func (u *unit) rowAt(there int, n, left uint32) (at uint64, width uint32) {
	node, next := &u.nodes[n], &u.nodes[n+1]
	at, width = uint64(node.edge)+uint64(n), next.edge-node.edge+1
	if there == 0 {
		at, width = at+uint64(node.mark), width+next.mark-node.mark
	} else {
		at += uint64(len(u.edges) + len(u.nodes) + len(u.mark))
	}
	return at*uint64(u.lefts) + uint64(left)*uint64(width), width
}

// row returns a row: the end of the numbers of each choice, the empty cell first.
func (u *unit) row(there int, n, left uint32) []uint32 {
	at, width := u.rowAt(there, n, left)
	return u.rows[at:][:width:width]
}

// fill makes a row. The last number of the row is that of all paths. Numbers beyond maxNumbers are
// of nodes that no path of the unit visits.
func (u *unit) fill(there int, n, left uint32, paths [2][]uint64) {
	row, lefts := u.row(there, n, left), int(u.lefts)
	at := paths[there][int(u.empty[n])*lefts+int(left)]
	row[0] = clip(at)
	edges := u.edges[u.graph.begin[n]:u.graph.begin[n+1]]
	for i, e := range edges {
		class := u.classes[u.all[e.place].shape]
		if class != noPlace && u.counts[class] > 0 && u.leftOf(left, class) > 0 {
			at += paths[there][int(e.to)*lefts+int(left-u.radix[class])]
		}
		row[1+i] = clip(at)
	}
	if there == 0 {
		for i, e := range u.mark[u.nodes[n].mark:u.nodes[n+1].mark] {
			at += paths[1][int(u.edges[e].to)*lefts+int(left)]
			row[1+len(edges)+i] = clip(at)
		}
	}
}

func clip(n uint64) uint32 { return uint32(min(n, maxNumbers)) }

// placement returns the pieces of a number: places by their numbers, the goal piece first.
func (u *unit) placement(number uint32) []int32 {
	pieces := []int32{noPlace}
	node, left, there := uint32(0), u.lefts-1, 0
	for node != u.end() {
		row := u.row(there, node, left)
		choice := search(row, number)
		if choice > 0 {
			number -= row[choice-1]
		}
		if choice == 0 {
			node = u.empty[node]
		} else if e := uint32(choice-1) + u.graph.begin[node]; e < u.graph.begin[node+1] {
			edge := u.edges[e]
			node, left, pieces = edge.to, left-u.radix[u.classes[u.all[edge.place].shape]], append(pieces, edge.place)
		} else {
			edge := u.edges[u.mark[e-u.graph.begin[node+1]+u.nodes[node].mark]]
			node, there, pieces[0] = edge.to, 1, edge.place
		}
	}
	return pieces
}

// search returns the first choice whose numbers end behind a number.
func search(row []uint32, number uint32) int {
	choice, _ := slices.BinarySearch(row, number+1)
	return choice
}

// bytes returns how many bytes the search of the unit takes at most, besides its graph: its planes, the
// counts of paths and the rows, what a scanner has by node and by place, and the starts of a level.
func (u *unit) bytes(size, starts uint64) uint64 {
	nodes, edges := uint64(len(u.undecided)), uint64(len(u.edges))
	rows := 4 * (3*edges + 2*nodes)     // of a value of left: those of the goal piece at most double the edges
	tails := min(maxTailBytes, 64*size) // the counts of paths are gone when a scanner has its tails by node
	return planes(size) + uint64(u.lefts)*(rows+16*nodes) + nodes*nodeBytes + edges*4 + uint64(len(u.all))*8 + 8*starts + tails
}

// planes returns how many bytes the three planes of bits take.
func planes(size uint64) uint64 { return (size+wordBits-1)/wordBits*8*3 + size/512 }

const wordBits = bits.UintSize
