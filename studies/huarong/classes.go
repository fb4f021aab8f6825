// Package huarong lists the classes of Huarong Dao, which is also called Klotski: all sets of one piece of 2x2, pieces
// of 1x2, and single cells that fit into a tray and leave two or more cells empty.
package huarong

import (
	"fmt"
	"slices"
	"strings"

	"pagoda/puzzle/slide/tray"
)

// Name begins the names of classes.
const Name = "huarong-dao"

// A Class is all placements of some horizontal pieces, vertical ones and single cells. Pieces of a kind are alike.
type Class struct {
	Name string // their numbers in this order: huarong-dao/1-4-4
	// Puzzle has these pieces at any places, and the goal that piece A, the one of 2x2, is at the bottom, in the middle.
	// If the number of columns is odd, A has a column less on its left.
	Puzzle *tray.Puzzle
}

// Classes returns the classes of a tray of up to 26 pieces, by the number of pieces of 1x2, of horizontal ones, and of
// single cells.
func Classes(rows, cols int) (all []Class, err error) {
	free := rows*cols - 4 - 2
	for dominoes := range free/2 + 1 {
		for horizontal := range dominoes + 1 {
			for single := range free - 2*dominoes + 1 {
				vertical := dominoes - horizontal
				drawn := []byte(strings.Repeat(strings.Repeat(".", cols)+"/", rows))
				if !fill(drawn, cols+1, 0, [...]int{1, horizontal, vertical, single}, 'A') {
					break // nor do more single cells fit
				}
				row := strings.Repeat(".", (cols-2)/2) + "AA"
				p, err := tray.Parse(string(drawn[:len(drawn)-1]) + " " + strings.Repeat("/", rows-2) + row + "/" + row)
				if err != nil {
					return nil, err
				}
				all = append(all, Class{fmt.Sprintf("%s/%d-%d-%d", Name, horizontal, vertical, single), p})
			}
		}
	}
	return all, nil
}

// fill draws some pieces of 2x2, horizontal ones, vertical ones and single cells into the cells from one on. A cell of the
// next row comes a stride later. It reports false if the pieces do not fit. The piece of 2x2 is A, others follow the name.
func fill(drawn []byte, stride, at int, left [4]int, name byte) bool {
	for at < len(drawn) && drawn[at] != '.' {
		at++
	}
	if at == len(drawn) || left == [4]int{} {
		return left == [4]int{}
	}
	for i, cells := range [...][]int{{0, 1, stride, stride + 1}, {0, 1}, {0, stride}, {0}} {
		taken := func(by int) bool { return at+by >= len(drawn) || drawn[at+by] != '.' }
		if left[i] == 0 || slices.ContainsFunc(cells, taken) {
			continue
		}
		rest, piece, next := left, byte('A'), name
		rest[i]--
		if i > 0 {
			next++
			piece = next
		}
		for _, by := range cells {
			drawn[at+by] = piece
		}
		if fill(drawn, stride, at+1, rest, next) {
			return true
		}
		for _, by := range cells {
			drawn[at+by] = '.'
		}
	}
	return fill(drawn, stride, at+1, left, name)
}
