package threes

import (
	"fmt"
	"strings"

	"pagoda/puzzle/tiles/glide"
)

// Format implements statespace.Game. It writes the board as glide.Grid does, then @ and the tiles left in
// the bag, such as 1,2/.,3@111222333. A full bag is not written, nor is one that the game does not have.
func (g *Game) Format(_ int, state uint64) string {
	text := g.Grid.Format(g.Board(state))
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

// Parse implements statespace.Game: it reads what Format writes. The tiles of the bag may have any order.
// It refuses tiles that are too high for the board, and bags that cannot have dealt the board: what
// was dealt must add up to the tiles, and 1s and 2s only leave the board in pairs. It reads other
// states that no game reaches.
func (g *Game) Parse(text string) (layer int, state uint64, err error) {
	board, bag, err := g.parse(text, true)
	if err != nil {
		return 0, 0, err
	}
	return g.Sum(board), g.key(board, bag), nil
}

// Image implements statespace.Game.
func (g *Game) Image(text string) (uint64, error) {
	board, bag, err := g.parse(text, true)
	return g.packed(board, bag), err
}

// key returns the state of a board and a bag.
func (g *Game) key(b glide.Board, bag uint64) uint64 { return g.packed(g.Canonical(b), bag) }

// packed returns an image of a state.
func (g *Game) packed(b glide.Board, bag uint64) uint64 {
	if bag == g.full {
		bag = 0
	}
	return uint64(b) | bag<<g.shift
}

// parse reads a board and a bag. Reached says that games should be able to reach them from the start, as
// far as that is easy to say.
func (g *Game) parse(text string, reached bool) (b glide.Board, bag uint64, err error) {
	text, left, hasBag := strings.Cut(strings.TrimSpace(text), "@")
	if b, err = g.Grid.Parse(text); err != nil {
		return 0, 0, err
	}
	if b == 0 {
		return 0, 0, fmt.Errorf("the board has no tiles: expected one at least, such as 1, 2, 3, 6 or 12")
	}
	highest := min(most, g.stop)
	if reached {
		highest = g.highest()
	}
	if found := glide.Max(b); found > highest {
		return 0, 0, fmt.Errorf("the highest tile of this game is %d, found %d", Value(highest), Value(found))
	}
	bag = g.full
	if hasBag {
		if bag, err = g.parseBag(left); err != nil {
			return 0, 0, err
		}
	}
	if reached && g.full != 0 && !g.fits(b, bag) {
		return 0, 0, g.misfit(b, bag)
	}
	return b, bag, nil
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
		if counts[r-'1']++; counts[r-'1'] > g.Bag {
			return 0, fmt.Errorf("bag: expected at most %d tiles %c, found more", g.Bag, r)
		}
		bag += 1 << (4 * (r - '1'))
	}
	return bag, nil
}

// An origin is what a game keeps of its start, whatever is played: see originOf.
type origin struct{ pairs, sum int }

// originOf returns what no move changes: the 1s less the 2s, on the board and in the bag; and the sum of
// the board and the bag, but for whole bags.
func (g *Game) originOf(b glide.Board, bag uint64) origin {
	left := tilesIn(bag)
	on := ones(b)
	return origin{left[0] - left[1] + on[0] - on[1], (g.Sum(b) + left[0] + 2*left[1] + 3*left[2]) % (6 * max(1, g.Bag))}
}

// ones counts the tiles 1 and 2 of a board.
func ones(b glide.Board) (on [2]int) {
	for ; b != 0; b >>= 4 {
		if tile := b & 15; tile == 1 || tile == 2 {
			on[tile-1]++
		}
	}
	return on
}

// fits reports whether the tiles dealt from a bag can have made a board.
func (g *Game) fits(b glide.Board, bag uint64) bool {
	o := g.originOf(b, bag)
	if g.Bonus && glide.Max(b) >= BonusFrom { // bonus tiles are multiples of 6
		return o.pairs == g.origin.pairs && (o.sum-g.origin.sum)%6 == 0
	}
	if o != g.origin || g.Options.Start != "" {
		return o == g.origin
	}
	// How many have been dealt at least?
	left := tilesIn(bag)
	whole := (g.Sum(b) + left[0] + 2*left[1] + 3*left[2]) / 6 // of each value, with those in the bag
	on := ones(b)
	return 3*whole-left[0]-left[1]-left[2] >= g.Starts() && on[0] <= whole-left[0] && on[1] <= whole-left[1]
}

// misfit says why a bag does not fit a board, and which do.
func (g *Game) misfit(b glide.Board, bag uint64) error {
	var fit []string
	more := 0
	for try := uint64(1); try <= g.full; try++ {
		size := uint64(g.Bag)
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
		return fmt.Errorf("no bag can have dealt a board with these tiles, which add up to %d: check them", g.Sum(b))
	case more > 0:
		return fmt.Errorf("expected a bag that can have dealt these tiles, such as %s (and %d more), found %s", strings.Join(fit, ", "), more, found)
	}
	return fmt.Errorf("expected a bag that can have dealt these tiles: %s, found %s", strings.Join(fit, " or "), found)
}
