package threes

import (
	"fmt"
	"strings"

	"pagoda/statespace/tiles"
)

// Format writes a state on one line: the board as tiles.Grid does, then @ and the tiles left in
// the bag, such as 1,2/.,3@111222333. A full bag is not written, nor is one that the game does not have.
func (g *Game) Format(_ int, state uint64) string {
	text := g.grid.Format(g.Board(state), Names)
	if state>>g.shift == 0 {
		return text
	}
	return text + "@" + bagText(g.bag(state))
}

func bagText(bag uint64) string {
	var s strings.Builder
	for i, digit := range []string{"1", "2", "3"} {
		s.WriteString(strings.Repeat(digit, int(bag>>(4*i)&15)))
	}
	return s.String()
}

// Parse reads a state as Format writes it, and returns its layer too. The tiles of the bag may have
// any order. An error says what was expected and found. It refuses tiles that are too high for the
// board, and bags that do not fit the board: what was dealt must add up to the tiles, and 1s and 2s
// only leave the board in pairs. Other states that no game reaches are read.
func (g *Game) Parse(text string) (layer int, state uint64, err error) {
	text, left, hasBag := strings.Cut(strings.TrimSpace(text), "@")
	b, err := g.grid.Parse(text, Names)
	if err != nil {
		return 0, 0, err
	}
	if b == 0 {
		return 0, 0, fmt.Errorf("the board has no tiles: expected one at least, such as 1, 2, 3, 6 or 12")
	}
	highest := uint8(g.grid.Cells() + 2) // a 3 for each cell, joined up, and one more
	if g.options.Stop != 0 && (g.options.Bonus || g.stop < highest) {
		highest = g.stop
	}
	if found := tiles.Max(b); found > highest {
		return 0, 0, fmt.Errorf("the highest tile of this game is %d, found %d", Value(highest), Value(found))
	}
	bag := g.full
	if hasBag {
		if bag, err = g.parseBag(left); err != nil {
			return 0, 0, err
		}
	}
	if g.full != 0 && !g.fits(b, bag) {
		return 0, 0, g.misfit(b, bag)
	}
	state = uint64(g.grid.Canonical(b))
	if bag != g.full {
		state |= bag << g.shift
	}
	return Sum(b), state, nil
}

func (g *Game) parseBag(text string) (bag uint64, err error) {
	if g.full == 0 {
		return 0, fmt.Errorf("this game has no bag: expected a board without @, found @%.60q", text)
	}
	if text == "" {
		return 0, fmt.Errorf("expected the tiles left in the bag after @, such as @1123; a full bag is written without @")
	}
	var counts [3]int
	for i, r := range text {
		if r < '1' || r > '3' {
			return 0, fmt.Errorf("bag: expected tiles 1, 2 and 3, found %q at place %d", r, i+1)
		}
		if counts[r-'1']++; counts[r-'1'] > g.options.Bag {
			return 0, fmt.Errorf("bag: expected at most %d tiles %c, found more", g.options.Bag, r)
		}
		bag += 1 << (4 * (r - '1'))
	}
	return bag, nil
}

// fits reports whether the tiles dealt from a bag can have made a board.
func (g *Game) fits(b tiles.Board, bag uint64) bool {
	left := [3]int{int(bag & 15), int(bag >> 4 & 15), int(bag >> 8)}
	var on [3]int // tiles 1 and 2 on the board
	for rest := b; rest != 0; rest >>= 4 {
		if tile := rest & 15; tile == 1 || tile == 2 {
			on[tile-1]++
		}
	}
	if left[1]-left[0] != on[0]-on[1] {
		return false
	}
	// A round of the bag adds up to 6 times its size. Bonus tiles are multiples of 6.
	all, size := Sum(b)+left[0]+2*left[1]+3*left[2], g.options.Bag
	if g.options.Bonus && tiles.Max(b) >= bonus {
		return all%6 == 0
	}
	rounds := all / (6 * size) // with the one that the bag has begun
	dealt := 3*size*rounds - left[0] - left[1] - left[2]
	return all%(6*size) == 0 && dealt >= g.Starts() && on[0] <= size*rounds-left[0] && on[1] <= size*rounds-left[1]
}

// misfit says why a bag does not fit a board, and which do.
func (g *Game) misfit(b tiles.Board, bag uint64) error {
	var fit []string
	more := 0
	for try := uint64(1); try <= g.full; try++ {
		size := uint64(g.options.Bag)
		if try&15 > size || try>>4&15 > size || !g.fits(b, try) {
			continue
		}
		if len(fit) < 3 {
			text := "@" + bagText(try)
			if try == g.full {
				text = "a full bag"
			}
			fit = append(fit, text)
		} else {
			more++
		}
	}
	found := "a full bag"
	if bag != g.full {
		found = "@" + bagText(bag)
	}
	switch {
	case fit == nil:
		return fmt.Errorf("no bag can have dealt a board with these tiles, which add up to %d: check them", Sum(b))
	case more > 0:
		return fmt.Errorf("expected a bag that can have dealt these tiles, such as %s (and %d more), found %s", strings.Join(fit, ", "), more, found)
	}
	return fmt.Errorf("expected a bag that can have dealt these tiles: %s, found %s", strings.Join(fit, " or "), found)
}
