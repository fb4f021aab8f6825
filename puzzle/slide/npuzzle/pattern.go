package npuzzle

import (
	"fmt"
	"math/bits"
	"slices"

	"pagoda/statespace"
	"pagoda/statespace/permutation"
	"pagoda/statespace/rows"
)

// A Pattern is some tiles of an n-puzzle; the others are alike, and their moves cost nothing. Its distances
// are lower bounds of the moves of these tiles, so those of patterns without a common tile may be added: they
// are a pattern database (Korf and Felner 2002). A row is the set of cells that the tiles take, with one of the
// regions of the other cells in which the empty cell is; a column is the order of the tiles in their cells.
type Pattern struct {
	rows.Graph
	height, width int
	tiles         int
	goal          uint32 // the cells in which they are to be
	lowBits       int
	high, low     []uint32 // the rank of a set is high[set>>lowBits] + low[set&(1<<lowBits-1)]
	first         []uint32 // by the rank of a set: its first row
	sets, regions []uint32 // by row
	near          []uint32 // by cell: the cells beside it
	roots         []uint64
	// order1 and order2 make the column of an order: three bits for each place, first the lowest.
	order1, order2 [1 << 12]uint32
}

// MostTiles is the greatest number of tiles of a pattern, and mostCells that of the cells of the board.
const (
	MostTiles = 8
	mostCells = 32
)

// PatternSize returns about how many numbers a pattern has.
func PatternSize(cells, tiles int) uint64 {
	n := 4.0 / 3 // regions of a set
	for i := range tiles {
		n *= float64(cells - i)
	}
	return uint64(n)
}

// NewPattern numbers a pattern on a board. Goal is the cells in which its tiles are to be, and empty those in
// which the empty cell may be then; a bit stands for each cell, row by row. Tiles are numbered by their
// cells in the goal.
func NewPattern(height, width int, goal, empty uint32) (*Pattern, error) {
	cells, tiles := height*width, bits.OnesCount32(goal)
	if height < 2 || width < 2 || cells > mostCells {
		return nil, fmt.Errorf("a pattern is of a board of at least 2 rows and columns and at most %d cells, found %d x %d", mostCells, height, width)
	}
	if tiles < 1 || tiles > min(MostTiles, cells-1) || goal&empty != 0 || empty == 0 || uint64(goal|empty)>>cells != 0 {
		return nil, fmt.Errorf("a pattern has 1 to %d tiles, and a cell besides that may be empty, found the cells %#x and %#x", min(MostTiles, cells-1), goal, empty)
	}
	if PatternSize(cells, tiles) >= 1<<36 {
		return nil, fmt.Errorf("a pattern of %d tiles on %d cells has too many placements", tiles, cells)
	}
	p := &Pattern{height: height, width: width, tiles: tiles, goal: goal, lowBits: (cells + 1) / 2}
	for cell := range cells {
		near := uint32(0)
		for _, d := range [][2]int{{-1, 0}, {0, -1}, {0, 1}, {1, 0}} {
			if r, c := cell/width+d[0], cell%width+d[1]; r >= 0 && r < height && c >= 0 && c < width {
				near |= 1 << (r*width + c)
			}
		}
		p.near = append(p.near, near)
	}
	p.rankSets(cells)
	p.makeOrders()
	p.Graph.Rows, p.Graph.Columns, p.Graph.Moves = len(p.sets), int(permutation.Count(tiles)), p.movesOf
	for region := range p.regionsOf(goal) {
		if region&empty != 0 {
			p.roots = append(p.roots, uint64(p.row(goal, uint8(bits.TrailingZeros32(region))))*uint64(p.Columns))
		}
	}
	return p, nil
}

// rankSets numbers the sets of cells, and rows within them.
func (p *Pattern) rankSets(cells int) {
	highBits := cells - p.lowBits
	p.high, p.low = make([]uint32, 1<<highBits), make([]uint32, 1<<p.lowBits)
	bySize := make([]uint32, cells+1) // low parts of each size
	for low := range p.low {
		size := bits.OnesCount32(uint32(low))
		p.low[low] = bySize[size]
		bySize[size]++
	}
	sets := uint32(0)
	for high := range p.high {
		p.high[high] = sets
		size := p.tiles - bits.OnesCount32(uint32(high))
		if size < 0 || size > p.lowBits {
			continue
		}
		for low := range p.low {
			if bits.OnesCount32(uint32(low)) != size {
				continue
			}
			set := uint32(high)<<p.lowBits | uint32(low)
			p.first = append(p.first, uint32(len(p.sets)))
			for region := range p.regionsOf(set) {
				p.sets, p.regions = append(p.sets, set), append(p.regions, region)
			}
		}
		sets += bySize[size]
	}
}

// regionsOf yields the regions of the cells that are not in a set, by their lowest cells.
func (p *Pattern) regionsOf(set uint32) func(yield func(uint32) bool) {
	return func(yield func(uint32) bool) {
		for free := ^set & (1<<len(p.near) - 1); free != 0; {
			region := free & -free
			for added := region; added != 0; {
				beside := uint32(0)
				for ; added != 0; added &= added - 1 {
					beside |= p.near[bits.TrailingZeros32(added)]
				}
				added = beside & free &^ region
				region |= added
			}
			if free &^= region; !yield(region) {
				return
			}
		}
	}
}

// makeOrders makes the columns of orders, and the maps of tiles that go from a place of the order to another.
func (p *Pattern) makeOrders() {
	k := p.tiles
	digit := func(i, less int) uint32 { // how many labels behind are smaller, times those orders
		return uint32(less) * uint32(permutation.Count(k-1-i))
	}
	for packed := range p.order1 {
		var labels [4]uint32
		for i := range labels {
			labels[i] = uint32(packed) >> (3 * i) & 7
			smaller := 0
			for j := range i {
				if labels[j] < labels[i] {
					smaller++
				}
			}
			if i < k && int(labels[i]) >= smaller {
				p.order1[packed] += digit(i, int(labels[i])-smaller)
			}
		}
		for i := 4; i < k; i++ {
			less := 0
			for j := i + 1; j < k; j++ {
				if labels[j-4] < labels[i-4] {
					less++
				}
			}
			p.order2[packed] += digit(i, less)
		}
	}
	order, moved := make([]uint8, k), make([]uint8, k)
	for i := range k {
		for j := range k {
			var to []uint16
			if i != j {
				to = make([]uint16, permutation.Count(k))
				for x := range to {
					permutation.Unrank(order, uint64(x))
					moved = slices.Insert(slices.Delete(append(moved[:0], order...), i, i+1), j, order[i])
					to[x] = uint16(permutation.Rank(moved))
				}
			}
			p.Maps = append(p.Maps, to)
			p.Inverse = append(p.Inverse, uint16(j*k+i))
		}
	}
}

// row returns the row of a set and the cell that is empty.
func (p *Pattern) row(set uint32, empty uint8) uint32 {
	row := p.first[p.high[set>>p.lowBits]+p.low[set&(1<<p.lowBits-1)]]
	for p.regions[row]>>empty&1 == 0 {
		row++
	}
	return row
}

// movesOf appends the moves of a row: a tile goes to a cell beside it that can be empty.
func (p *Pattern) movesOf(dst []rows.Move, row int) []rows.Move {
	set, region := p.sets[row], p.regions[row]
	for tiles := set; tiles != 0; tiles &= tiles - 1 {
		from := uint8(bits.TrailingZeros32(tiles))
		for free := p.near[from] & region; free != 0; free &= free - 1 {
			to := uint8(bits.TrailingZeros32(free))
			rest := set &^ (1 << from)
			i, j := bits.OnesCount32(rest&(1<<from-1)), bits.OnesCount32(rest&(1<<to-1))
			dst = append(dst, rows.Move{Row: p.row(rest|1<<to, from), Map: uint16(i*p.tiles + j)})
		}
	}
	return dst
}

// mostMoves bounds the moves of a row.
func (p *Pattern) mostMoves() int { return 2 * p.tiles }

// Search returns the graph of the pattern, for a search of package bfs. It begins at the goal.
func (p *Pattern) Search() statespace.Graph { return p.Graph.Graph(p.mostMoves(), p.roots) }

// Roots returns the numbers of the goal: one for each region in which the empty cell may be.
func (p *Pattern) Roots() []uint64 { return p.roots }

// Rank returns the number of tiles in cells, given by tile, and an empty cell.
func (p *Pattern) Rank(at []uint8, empty uint8) uint64 {
	set, order := uint32(0), make([]uint8, 0, p.tiles)
	for _, cell := range at {
		set |= 1 << cell
	}
	for cells := set; cells != 0; cells &= cells - 1 {
		order = append(order, uint8(slices.Index(at, uint8(bits.TrailingZeros32(cells)))))
	}
	return uint64(p.row(set, empty))*uint64(p.Columns) + permutation.Rank(order)
}

// Unrank returns the cells of the tiles of a number, and the cells that may be empty.
func (p *Pattern) Unrank(x uint64) (at []uint8, empty uint32) {
	row, order := x/uint64(p.Columns), make([]uint8, p.tiles)
	permutation.Unrank(order, x%uint64(p.Columns))
	at = make([]uint8, p.tiles)
	for i, cells := 0, p.sets[row]; cells != 0; i, cells = i+1, cells&(cells-1) {
		at[order[i]] = uint8(bits.TrailingZeros32(cells))
	}
	return at, p.regions[row]
}
