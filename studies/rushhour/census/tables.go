package census

import (
	"math/bits"
	"slices"
)

// lanes is how many words a column can have at most, and mostInWord how many vehicles a line.
const (
	lanes      = 32
	mostInWord = MaxSide / 2
)

// tables are what all searches of a size have in common.
type tables struct {
	Size

	across, down []word    // the words of rows and of columns
	contents     [][2]int  // of rows: see contents
	car          [2]int    // that of the row of the goal car
	acrossSlides [][]slide // by word of a row
	less         []uint32  // by word of a column: the words without one of its vehicles

	wallsAcross, wallsDown [MaxSide]uint8 // by row its columns with walls, and by column its rows

	// By the set of rows that are taken in a column, and by word of the column.
	allowed [1 << MaxSide]uint32        // the words that fit
	count   [1 << MaxSide]uint32        // how many they are
	rank    [1 << MaxSide][lanes]uint32 // how many of them are before a word
	moves   [1 << MaxSide][lanes]uint32 // the words after a slide
	grid    [MaxSide][lanes]uint64      // by column and word: the cells, bit 8*row+column
	has     [MaxSide]uint32             // by row: the words that take it
	with    [mostInWord + 1]uint32      // by number of vehicles: the words
}

func newTables(z Size) *tables {
	t := &tables{Size: z, across: words(z.Cols), down: words(z.Rows)}
	t.acrossSlides = slides(t.across, z.Steps)
	t.contents = contents(t.across)
	for _, c := range t.contents {
		if first := t.across[c[0]]; slices.Equal(first.lengths, []int{2}) {
			t.car = c
		}
	}
	for _, words := range without(t.down) {
		var set uint32
		for _, w := range words {
			set |= 1 << w
		}
		t.less = append(t.less, set)
	}
	for row := range z.Rows {
		for col := range z.Cols {
			if z.wall(row, col) {
				t.wallsAcross[row] |= 1 << col
				t.wallsDown[col] |= 1 << row
			}
		}
	}
	downSlides := slides(t.down, z.Steps)
	for w, d := range t.down {
		t.with[d.vehicles] |= 1 << w
		for row := range z.Rows {
			if d.cells>>row&1 == 0 {
				continue
			}
			t.has[row] |= 1 << w
			for col := range z.Cols {
				t.grid[col][w] |= 1 << (8*row + col)
			}
		}
	}
	for taken := range 1 << z.Rows {
		for w, d := range t.down {
			t.rank[taken][w] = uint32(bits.OnesCount32(t.allowed[taken]))
			if int(d.cells)&taken != 0 {
				continue
			}
			t.allowed[taken] |= 1 << w
			for _, s := range downSlides[w] {
				if int(s.swept)&taken == 0 {
					t.moves[taken][w] |= 1 << s.to
				}
			}
		}
		t.count[taken] = uint32(bits.OnesCount32(t.allowed[taken]))
	}
	return t
}
