package glide

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
)

// A Board is the tiles of a grid, a nibble for each cell: row by row, the top left cell lowest. 0 is
// an empty cell; what the other tiles are, the game says.
type Board uint64

// At returns the tile of a cell.
func (b Board) At(cell int) uint8 { return uint8(b >> (4 * cell) & 15) }

// With returns the board with another tile in a cell.
func (b Board) With(cell int, tile uint8) Board {
	return b&^(15<<(4*cell)) | Board(tile)<<(4*cell)
}

// A Direction is one in which tiles slide.
type Direction uint8

// The directions.
const (
	Up Direction = iota
	Down
	Left
	Right
)

// Directions is how many there are.
const Directions = 4

var directionNames = [Directions]string{"up", "down", "left", "right"}

// String implements fmt.Stringer.
func (d Direction) String() string { return directionNames[d&3] }

// A Rule slides one line of tiles towards its first cell, in place. Gain is what that adds to the
// score. It does not depend on where the line lies. A rule may not change an empty line.
type Rule func(line []uint8) (gain int32)

// Tiles are those of a game: how they slide, and which numbers they show.
type Tiles struct {
	Rule Rule
	// Numbers has the number of each tile, in increasing order; 0 is an empty cell.
	Numbers [16]uint64
	// About says which numbers there are, as part of an error.
	About string
}

// Sum returns the sum of the numbers on a board.
func (t *Tiles) Sum(b Board) (sum int) {
	for ; b != 0; b >>= 4 {
		sum += int(t.Numbers[b&15])
	}
	return sum
}

// MostCells bounds the cells of a grid.
const MostCells = 16

// A Grid is a rectangle of cells for the tiles of a game. Its methods may be called by several goroutines at once.
type Grid struct {
	Tiles
	rows, columns, cells int
	// Lines of at most tableLength cells have tables: what becomes of a line that slides towards
	// its first cell, or its last. The columns of such a grid are spread as in a board.
	row, column *lineTable
	lines       [Directions][][]int // see Lines
	cellsOf     [8][MostCells]uint8 // by symmetry: where the tile of a cell goes
	turned      [8][Directions]Direction
	symmetries  int
}

// tableLength bounds the lines that have tables: these have 16^length entries.
const tableLength = 5

// A lineTable is what becomes of every line of a length.
type lineTable struct{ low, high []slid } // towards its first cell, and its last

type slid struct {
	to   uint32
	gain int32
}

// New returns a grid of 1 to 16 cells.
func New(rows, columns int, tiles Tiles) (*Grid, error) {
	if rows < 1 || columns < 1 || rows > MostCells || columns > MostCells || rows*columns > MostCells {
		return nil, fmt.Errorf("a board should have 1 to %d cells, and %dx%d has %d", MostCells, rows, columns, rows*columns)
	}
	g := &Grid{Tiles: tiles, rows: rows, columns: columns, cells: rows * columns}
	if columns <= tableLength {
		g.row = newLineTable(columns, tiles.Rule)
	}
	if rows <= tableLength {
		if g.column = g.row; rows != columns {
			g.column = newLineTable(rows, tiles.Rule)
		}
	}
	for d := range Direction(Directions) {
		g.lines[d] = g.findLines(d)
	}
	g.findSymmetries()
	return g, nil
}

func (g *Grid) findLines(d Direction) [][]int {
	number, length, next, step := g.rows, g.columns, g.columns, 1
	if d <= Down {
		number, length, next, step = g.columns, g.rows, 1, g.columns
	}
	all := make([][]int, number)
	for l := range all {
		for i := range length {
			all[l] = append(all[l], l*next+i*step)
		}
		if d == Down || d == Right {
			slices.Reverse(all[l])
		}
	}
	return all
}

func newLineTable(length int, rule Rule) *lineTable {
	n := 1 << (4 * length)
	t := &lineTable{make([]slid, n), make([]slid, n)}
	line := make([]uint8, length)
	for x := range n {
		back := 0 // the same line from its other end
		for i := range line {
			line[i] = uint8(x >> (4 * i) & 15)
			back |= int(line[i]) << (4 * (length - 1 - i))
		}
		gain := rule(line)
		t.low[x].gain, t.high[back].gain = gain, gain
		for i := range line {
			t.low[x].to |= uint32(line[i]) << (4 * i)
			t.high[back].to |= uint32(line[i]) << (4 * (length - 1 - i))
		}
	}
	return t
}

// findSymmetries finds the maps of cells that keep lines: 8 of a square, 4 of another rectangle, 2 of
// a single line.
func (g *Grid) findSymmetries() {
	for s := range 8 {
		flipRows, flipColumns, transpose := s&1 > 0, s&2 > 0, s&4 > 0
		if transpose && g.rows != g.columns || flipRows && g.rows == 1 || flipColumns && g.columns == 1 {
			continue
		}
		n := g.symmetries
		for r := range g.rows {
			for c := range g.columns {
				x, y := r, c
				if flipRows {
					x = g.rows - 1 - x
				}
				if flipColumns {
					y = g.columns - 1 - y
				}
				if transpose {
					x, y = y, x
				}
				g.cellsOf[n][r*g.columns+c] = uint8(x*g.columns + y)
			}
		}
		for d := range Direction(Directions) {
			e := d
			if flipRows && e <= Down || flipColumns && e >= Left {
				e ^= 1
			}
			if transpose {
				e ^= 2
			}
			g.turned[n][d] = e
		}
		g.symmetries++
	}
}

// Rows returns the number of rows, Columns that of columns, Cells their product.
func (g *Grid) Rows() int    { return g.rows }
func (g *Grid) Columns() int { return g.columns }
func (g *Grid) Cells() int   { return g.cells }

// Lines returns the cells of the lines that slide in a direction. The first cell of a line is the one to which its
// tiles slide.
func (g *Grid) Lines(d Direction) [][]int { return g.lines[d] }

// Symmetries returns the number of symmetries, with the identity, which is the first.
func (g *Grid) Symmetries() int { return g.symmetries }

// Image returns the image of a board under a symmetry.
func (g *Grid) Image(s int, b Board) (image Board) {
	for cell, to := range g.cellsOf[s][:g.cells] {
		image |= b >> (4 * cell) & 15 << (4 * to)
	}
	return image
}

// ImageCell returns where a symmetry takes a cell, ImageDirection what it makes of a direction.
func (g *Grid) ImageCell(s, cell int) int                   { return int(g.cellsOf[s][cell]) }
func (g *Grid) ImageDirection(s int, d Direction) Direction { return g.turned[s][d] }

// Images puts the images of a board under all symmetries into to, and returns how many there are. Some
// may be equal.
func (g *Grid) Images(b Board, to *[8]Board) int {
	switch {
	case g.rows == 4 && g.columns == 4:
		t := Transpose(b)
		to[0], to[1], to[2] = b, flipRows4(b), flipColumns4(b)
		to[3] = flipColumns4(to[1])
		to[4], to[5], to[6], to[7] = t, Transpose(to[1]), Transpose(to[2]), Transpose(to[3])
	case g.rows == 3 && g.columns == 3:
		t := transpose3(b)
		to[0], to[1], to[2] = b, flipRows3(b), flipColumns3(b)
		to[3] = flipColumns3(to[1])
		to[4], to[5], to[6], to[7] = t, flipColumns3(t), flipRows3(t), flipColumns3(flipRows3(t))
	case g.symmetries == 4 && g.rows != g.columns:
		to[0], to[1], to[2] = b, g.flipRows(b), g.flipColumns(b)
		to[3] = g.flipColumns(to[1])
	default:
		for s := range g.symmetries {
			to[s] = g.Image(s, b)
		}
	}
	return g.symmetries
}

// Canonical returns the least image of a board: one for all boards that are alike.
func (g *Grid) Canonical(b Board) Board {
	var to [8]Board
	for _, image := range to[:g.Images(b, &to)] {
		b = min(b, image)
	}
	return b
}

// Check returns an error if a board is not on the grid, not the canonical one of its images, all of the greatest tiles,
// which a game never has, or has another sum of its tiles.
func (g *Grid) Check(b Board, want int) error {
	switch {
	case g.cells < MostCells && b>>(4*g.cells) != 0:
		return fmt.Errorf("has tiles outside of %dx%d", g.rows, g.columns)
	case b == ^Board(0) || b != g.Canonical(b):
		return errors.New("is not the image that stands for the others")
	case g.Sum(b) != want:
		return fmt.Errorf("has tiles with the sum %d", g.Sum(b))
	}
	return nil
}

// Orbit returns how many different images a board has.
func (g *Grid) Orbit(b Board) int {
	var to [8]Board
	n, same := g.Images(b, &to), 0
	for _, image := range to[:n] {
		if image == b {
			same++
		}
	}
	return n / same
}

func flipColumns4(b Board) Board {
	b = b&0xff00ff00ff00ff00>>8 | b&0x00ff00ff00ff00ff<<8
	return b&0xf0f0f0f0f0f0f0f0>>4 | b&0x0f0f0f0f0f0f0f0f<<4
}

func flipRows4(b Board) Board {
	x := bits.ReverseBytes64(uint64(b)) // rows and the two halves of each
	return Board(x&0xff00ff00ff00ff00>>8 | x&0x00ff00ff00ff00ff<<8)
}

// Transpose exchanges the rows and columns of a board of 4x4.
func Transpose(b Board) Board {
	t := (b ^ b>>12) & 0x0000f0f00000f0f0
	b ^= t ^ t<<12
	t = (b ^ b>>24) & 0x00000000ff00ff00
	return b ^ t ^ t<<24
}

func flipColumns3(b Board) Board { return b&0x0f00f00f0 | b&0xf00f00f00>>8 | b&0x00f00f00f<<8 }
func flipRows3(b Board) Board    { return b&0x000fff000 | b&0xfff000000>>24 | b&0x000000fff<<24 }

func transpose3(b Board) Board {
	return b&0xf000f000f | (b&0x000f000f0)<<8 | (b&0x0f000f000)>>8 | (b&0x000000f00)<<16 | (b&0x00f000000)>>16
}

// flipRows reverses the order of rows.
func (g *Grid) flipRows(b Board) (f Board) {
	width := 4 * g.columns
	mask := Board(1)<<width - 1
	for range g.rows {
		f = f<<width | b&mask
		b >>= width
	}
	return f
}

// flipColumns reverses each row.
func (g *Grid) flipColumns(b Board) (f Board) {
	mask := Board(0xf)
	for r := 1; r < g.rows; r++ {
		mask |= mask << (4 * g.columns) & (Board(0xf) << (4 * g.columns * r))
	}
	for c := range g.columns {
		f |= b >> (4 * c) & mask << (4 * (g.columns - 1 - c))
	}
	return f
}

// Slide slides all tiles. If that changes nothing, it is no move, and after is b.
func (g *Grid) Slide(b Board, d Direction) (after Board, gain int32) {
	if d >= Left {
		if g.row == nil {
			return g.slideLong(b, d)
		}
		return g.slideRows(b, d == Right)
	}
	switch {
	case g.rows == 4 && g.columns == 4:
		after, gain = g.slideRows(Transpose(b), d == Down)
		return Transpose(after), gain
	case g.rows == 3 && g.columns == 3:
		after, gain = g.slideRows(transpose3(b), d == Down)
		return transpose3(after), gain
	case g.column == nil:
		return g.slideLong(b, d)
	}
	return g.slideColumns(b, d == Down)
}

func (g *Grid) slideRows(b Board, high bool) (after Board, gain int32) {
	table := g.row.low
	if high {
		table = g.row.high
	}
	if g.columns == 4 {
		table := table[:1<<16]
		for at := 0; at < 4*g.cells; at += 16 {
			to := table[b>>at&0xffff]
			after |= Board(to.to) << at
			gain += to.gain
		}
		return after, gain
	}
	width := 4 * g.columns
	mask := Board(1)<<width - 1
	for at := 0; at < 4*g.cells; at += width {
		to := table[b>>at&mask]
		after |= Board(to.to) << at
		gain += to.gain
	}
	return after, gain
}

func (g *Grid) slideColumns(b Board, high bool) (after Board, gain int32) {
	table := g.column.low
	if high {
		table = g.column.high
	}
	for c := range g.columns {
		x, column := Board(0), b>>(4*c)
		for r := range g.rows {
			x |= column >> (4 * g.columns * r) & 15 << (4 * r)
		}
		to := table[x]
		gain += to.gain
		for r := range g.rows {
			after |= Board(to.to) >> (4 * r) & 15 << (4 * (g.columns*r + c))
		}
	}
	return after, gain
}

// slideLong slides lines without a table.
func (g *Grid) slideLong(b Board, d Direction) (after Board, gain int32) {
	var room [MostCells]uint8
	for _, cells := range g.lines[d] {
		line := room[:len(cells)]
		for i, cell := range cells {
			line[i] = b.At(cell)
		}
		gain += g.Rule(line)
		for i, cell := range cells {
			after = after.With(cell, line[i])
		}
	}
	return after, gain
}

// MovedLines returns which lines a slide has changed, a bit each: row i for left and right, column
// i for up and down.
func (g *Grid) MovedLines(before, after Board, d Direction) (moved uint16) {
	differ := before ^ after
	for cell := range g.cells {
		if differ.At(cell) != 0 {
			if d >= Left {
				moved |= 1 << (cell / g.columns)
			} else {
				moved |= 1 << (cell % g.columns)
			}
		}
	}
	return moved
}

// Empty returns a 1 in each nibble that is an empty cell of the grid.
func (g *Grid) Empty(b Board) Board {
	b |= b >> 1
	b |= b >> 2
	return ^b & 0x1111111111111111 & (Board(1)<<(4*g.cells) - 1)
}

// Max returns the greatest tile of a board.
func Max(b Board) (most uint8) {
	for ; b != 0; b >>= 4 {
		most = max(most, uint8(b&15))
	}
	return most
}
