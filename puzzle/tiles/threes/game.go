package threes

import (
	"cmp"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"sync"

	"pagoda/puzzle/tiles/glide"
	"pagoda/statespace"
)

// MostCells is the number of cells of the largest boards that have exact rules here.
const MostCells = 12

// MostBag is the largest number of tiles of one value in a bag.
const MostBag = 15

// Options say which game of Threes it is. Standard has those of the game as it is played, but for
// bonus tiles.
type Options struct {
	Rows    int `json:"rows"`
	Columns int `json:"columns"`
	// Bag is how many 1s, how many 2s and how many 3s a full bag holds, at most MostBag. With 0
	// there is no bag: a next tile is 1, 2 or 3 with chance 1/3 each, whatever came before.
	Bag int `json:"bag"`
	// Hidden says that the player moves before the next tile is known.
	Hidden bool `json:"hidden,omitempty"`
	// Stop is the value of a tile that ends the game when it appears, from 6 to 6144, or 0.
	Stop int `json:"stop,omitempty"`
	// Bonus says that from a tile 48 on the next tile is, with chance 1/21, not from the bag but
	// 6, 12, ... or an eighth of the highest tile, with equal chances. The player sees that it is
	// one of these, but not its value. Both are settled before the move. Stop is then 96 or
	// more: with bonus tiles, boards may have higher tiles than the keys have room for.
	Bonus bool `json:"bonus,omitempty"`
	// Start is the state in which games start, as text; empty: floor(9 x cells / 16) tiles from the
	// bag in random cells. It may be one that no game reaches. A Game has it as Format writes a board and
	// its bag.
	Start string `json:"start,omitempty"`
}

// Standard returns the options of a board with the rules of the game as it is played, without bonus
// tiles.
func Standard(rows, columns int) Options {
	return Options{Rows: rows, Columns: columns, Bag: standardBag}
}

const standardBag = 4

// Suffix returns what a name says of the rules behind the board, such as @bag=1@hidden; nothing if they are standard.
func (o Options) Suffix() (text string) {
	if o.Bag != standardBag {
		text = fmt.Sprintf("@bag=%d", o.Bag)
	}
	if o.Hidden {
		text += "@hidden"
	}
	if o.Bonus {
		text += "@bonus"
	}
	return text
}

// A Game is the rules of Threes on one board. It never changes: several goroutines may use it.
//
// A state is a board and a bag, before the next tile is drawn. Its key has the tiles in the low
// 4 x cells bits, as a glide.Board that is the least of its images under the symmetries of the
// board. The 12 bits above count the 1s, 2s and 3s left in the bag, four bits each; all 0 is a full
// bag, or none.
//
// An afterstate is the board after a slide, in which the cells that the next tile may enter hold
// the number 15; the bag is the one after the next tile has left it, unless the player does not know
// that tile. The 3 bits above the bag are a hint. So slides in different directions have one
// afterstate whenever what follows is the same.
type Game struct {
	Options
	*glide.Grid
	name  string
	stop  uint8 // tile; 16: none
	most  uint8 // the highest tile that a board can have without a stop tile
	shift uint  // bits of a board
	board uint64
	full  uint64 // a full bag
	// The lowest bits of the cells of the first row, and of the first column.
	firstRow, firstColumn uint64
	start                 func() []statespace.GameDraw
	origin                origin
}

// Hints of afterstates. 1, 2 and 3 are the next tile itself.
const (
	hintNone   = 0 // not known
	hintBonus  = 4 // a bonus tile
	hintRaised = 5 // a bonus tile, and the slide has made a higher tile than there was
	noneRaised = 6 // not known, and the slide has made a higher tile than there was
)

// mark is what cells hold in an afterstate that the next tile may enter.
const mark = 15

// NewGame returns a game, with a name for people such as threes/3x3. It is a statespace.Game. An error says
// what was expected and what was found.
//
// Each chance.Case is a next tile: the tile less 1, or 3 for a bonus tile; it is 0 if the next tile
// is hidden. Numbers of moves are glide.Direction.
func NewGame(name string, o Options) (*Game, error) {
	if min(o.Rows, o.Columns) < 1 || max(o.Rows, o.Columns) > MostCells || o.Rows*o.Columns < 2 || o.Rows*o.Columns > MostCells {
		return nil, fmt.Errorf("expected a board of 2 to %d cells, such as 3x3, found %dx%d", MostCells, o.Rows, o.Columns)
	}
	if o.Bag < 0 || o.Bag > MostBag {
		return nil, fmt.Errorf("expected a bag of 1 to %d tiles of each value, or 0 for no bag, found %d", MostBag, o.Bag)
	}
	g := &Game{Options: o, name: name, stop: most + 2, shift: uint(4 * o.Rows * o.Columns)}
	if o.Stop != 0 {
		tile, err := Tiles.Tile(uint64(o.Stop))
		if err != nil || tile < Six || tile > most {
			return nil, fmt.Errorf("expected a stop tile 6, 12, 24, ... up to %d, found %d", Value(most), o.Stop)
		}
		g.stop = tile
	}
	if o.Bonus && (o.Stop == 0 || g.stop <= BonusFrom) {
		return nil, fmt.Errorf("bonus tiles come from 48 on, and need a stop tile of 96 or more, found %d", o.Stop)
	}
	tiles := Tiles
	tiles.Rule = exact
	grid, err := glide.New(o.Rows, o.Columns, tiles)
	if err != nil {
		return nil, err
	}
	g.Grid = grid
	g.board = 1<<g.shift - 1
	g.full = uint64(o.Bag) * 0x111
	for c := range o.Columns {
		g.firstRow |= 1 << (4 * c)
	}
	for r := range o.Rows {
		g.firstColumn |= 1 << (4 * o.Columns * r)
	}
	largest := uint8(three)
	if o.Start == "" {
		g.start = sync.OnceValue(g.standard)
	} else {
		board, bag, err := g.parse(o.Start, false)
		if err != nil {
			return nil, fmt.Errorf("the start: %w", err)
		}
		g.Options.Start = g.Grid.Format(board)
		if bag != g.full {
			g.Options.Start += "@" + bagText(bag)
		}
		if largest = max(largest, glide.Max(board)); largest >= g.stop {
			return nil, fmt.Errorf("the start has the stop tile already: expected tiles below %d in %s", o.Stop, g.Options.Start)
		}
		start := []statespace.GameDraw{{To: g.key(board, bag), Step: g.Sum(board), Chance: 1}}
		g.start = func() []statespace.GameDraw { return start }
		g.origin = g.originOf(board, bag)
	}
	if g.most = most; !o.Bonus {
		// At most i tiles are cells-i steps above the largest or more: every tile that is made keeps it so.
		g.most = uint8(min(int(largest)+g.Cells()-1, most))
	}
	return g, nil
}

// entries marks the cells that a tile may enter after a slide, given the bits that it has changed.
func (g *Game) entries(changed uint64, d glide.Direction) uint64 {
	changed |= changed >> 1
	changed |= changed >> 2 // the lowest bit of each cell
	lines, step, first := g.Options.Columns, uint(4), g.firstColumn
	if d <= glide.Down {
		lines, step, first = g.Options.Rows, uint(4*g.Options.Columns), g.firstRow
	}
	for range lines - 1 { // the lines have an end in the first cells
		changed |= changed >> step
	}
	moved := changed & first * mark
	if d == glide.Up || d == glide.Left {
		moved <<= step * uint(lines-1)
	}
	return moved
}

// Board returns the tiles of a state.
func (g *Game) Board(state uint64) glide.Board { return glide.Board(state & g.board) }

// Left returns how many 1s, 2s and 3s the bag of a state holds: all 0 if there is no bag.
func (g *Game) Left(state uint64) [3]int { return tilesIn(g.bag(state)) }

// tilesIn returns how many 1s, 2s and 3s a bag holds.
func tilesIn(bag uint64) [3]int { return [3]int{int(bag & 15), int(bag >> 4 & 15), int(bag >> 8)} }

// bag returns the bag of a state or afterstate, filled if it is empty.
func (g *Game) bag(state uint64) uint64 {
	if bag := state >> g.shift & 0xfff; bag != 0 {
		return bag
	}
	return g.full
}

// chances returns the chances of 1, 2 and 3 from a filled bag.
func chances(bag uint64) (p [3]float64) {
	if bag == 0 {
		return [3]float64{1. / 3, 1. / 3, 1. / 3}
	}
	left := [3]uint64{bag & 15, bag >> 4 & 15, bag >> 8}
	all := float64(left[0] + left[1] + left[2])
	return [3]float64{float64(left[0]) / all, float64(left[1]) / all, float64(left[2]) / all}
}

// deal takes a tile 1, 2 or 3 out of a filled bag.
func deal(bag uint64, tile uint8) uint64 {
	if bag == 0 {
		return 0
	}
	return bag - 1<<(4*(tile-1))
}

// BonusChance is the chance that the next tile is a bonus tile, if these come.
const BonusChance = 1. / 21

// NewRules implements statespace.Game.
func (g *Game) NewRules() statespace.GameRules { return rules{g} }

type rules struct{ *Game }

// Moves implements statespace.GameRules: for each tile that may be next, the slides that move a line, in the
// order of the directions.
func (g rules) Moves(dst []statespace.GameMove, state uint64) []statespace.GameMove {
	b := glide.Board(state & g.board)
	var highest uint8
	if g.Options.Stop != 0 {
		if highest = glide.Max(b); highest >= g.stop {
			return dst
		}
	}
	var after [4]uint64
	var number [4]uint8
	var raised [4]bool
	n := 0
	for d := range glide.Direction(4) {
		to, _ := g.Slide(b, d)
		if to == b {
			continue
		}
		raised[n] = g.Options.Bonus && highest >= BonusFrom-1 && glide.Max(to) > highest
		after[n] = uint64(g.Canonical(to | glide.Board(g.entries(uint64(b^to), d))))
		number[n] = uint8(d)
		n++
	}
	if n == 0 {
		return dst
	}
	hints := g.shift + 12
	if g.Options.Hidden {
		bag := state &^ g.board
		for i := range n {
			a := after[i] | bag
			if raised[i] {
				a |= noneRaised << hints
			}
			dst = append(dst, statespace.GameMove{After: a, Number: number[i], Chance: 1})
		}
		return dst
	}
	bag := g.bag(state)
	small := 1.0
	extra := g.Options.Bonus && highest >= BonusFrom
	if extra {
		small -= BonusChance
	}
	for c, p := range chances(bag) {
		if p == 0 {
			continue
		}
		above := deal(bag, uint8(c+1))<<g.shift | uint64(c+1)<<hints
		for i := range n {
			dst = append(dst, statespace.GameMove{After: after[i] | above, Number: number[i], Case: uint8(c), Chance: small * p})
		}
	}
	if extra {
		for i := range n {
			hint := uint64(hintBonus)
			if raised[i] {
				hint = hintRaised
			}
			dst = append(dst, statespace.GameMove{After: after[i] | state&^g.board | hint<<hints, Number: number[i], Case: 3, Chance: BonusChance})
		}
	}
	return dst
}

// Draws implements statespace.GameRules: for each tile that may enter, each cell where it may.
func (g rules) Draws(dst []statespace.GameDraw, after uint64) []statespace.GameDraw {
	marked := after & g.board
	// A nibble of 15 has all bits set; no tile of the board has.
	where := marked & (marked >> 1) & (marked >> 2) & (marked >> 3) & 0x1111111111111111
	rest := marked &^ (where * mark)
	bag := after & (0xfff << g.shift)
	cells := float64(bits.OnesCount64(where))
	hint := after >> (g.shift + 12)
	if hint >= 1 && hint <= 3 {
		return g.enter(dst, rest, where, uint8(hint), bag, 1/cells)
	}
	var highest uint8
	if g.Options.Bonus {
		highest = glide.Max(glide.Board(rest))
	}
	if hint == hintRaised || hint == noneRaised {
		highest--
	}
	extra := 1.0 // the chance of a bonus tile
	if hint == hintNone || hint == noneRaised {
		extra = 0
		if highest >= BonusFrom {
			extra = BonusChance
		}
		full := g.bag(after)
		for i, p := range chances(full) {
			if p > 0 {
				tile := uint8(i + 1)
				dst = g.enter(dst, rest, where, tile, deal(full, tile)<<g.shift, (1-extra)*p/cells)
			}
		}
	}
	if extra > 0 {
		kinds := float64(highest - BonusFrom + 1)
		for tile := uint8(Six); tile <= highest-3; tile++ {
			dst = g.enter(dst, rest, where, tile, bag, extra/(kinds*cells))
		}
	}
	return dst
}

// Follow implements statespace.Game.
func (g *Game) Follow(image uint64, m statespace.GameMove, d statespace.GameDraw) (move statespace.GameMove, next uint64) {
	for _, move := range (rules{g}).Moves(nil, image) {
		if move.After != m.After || move.Case != m.Case {
			continue
		}
		if to, ok := g.Grid.Follow(g.Board(image), glide.Direction(move.Number), g.Board(d.To), true); ok {
			return move, uint64(to) | d.To&^g.board
		}
	}
	return m, d.To // of another state
}

// enter appends the states in which a tile has entered one of the cells, marked by their lowest bits.
func (g *Game) enter(dst []statespace.GameDraw, b, where uint64, tile uint8, bag uint64, p float64) []statespace.GameDraw {
	for ; where != 0; where &= where - 1 {
		to := uint64(g.Canonical(glide.Board(b | (where&-where)*uint64(tile))))
		dst = append(dst, statespace.GameDraw{To: to | bag, Step: Value(tile), Chance: p})
	}
	return dst
}

// Mark implements statespace.GameRules: the highest tile.
func (g rules) Mark(state uint64) int { return int(glide.Max(glide.Board(state & g.board))) }

// Final implements statespace.GameRules: the sum of the Score of the tiles.
func (g rules) Final(state uint64) float64 {
	sum := 0
	for b := state & g.board; b != 0; b >>= 4 {
		sum += Score(uint8(b & 15))
	}
	return float64(sum)
}

// Images implements statespace.GameRules.
func (g rules) Images(state uint64) int { return g.Orbit(g.Board(state)) }

// Starts returns how many tiles a standard game starts with.
func (g *Game) Starts() int { return 9 * g.Cells() / 16 }

// standard returns the standard starts.
func (g *Game) standard() (start []statespace.GameDraw) {
	now := map[uint64]float64{0: 1}
	for range g.Starts() {
		next := make(map[uint64]float64)
		for _, state := range slices.Sorted(maps.Keys(now)) { // in order, so that sums do not vary
			b, bag := state&g.board, g.bag(state)
			var empty uint64
			for c := range g.Cells() {
				if b>>(4*c)&15 == 0 {
					empty |= 1 << (4 * c)
				}
			}
			cells := float64(bits.OnesCount64(empty))
			for i, p := range chances(bag) {
				if p == 0 {
					continue
				}
				tile := uint8(i + 1)
				for _, d := range g.enter(nil, b, empty, tile, deal(bag, tile)<<g.shift, p/cells) {
					next[d.To] += now[state] * d.Chance
				}
			}
		}
		now = next
	}
	for _, state := range slices.Sorted(maps.Keys(now)) {
		start = append(start, statespace.GameDraw{To: state, Step: g.Sum(g.Board(state)), Chance: now[state]})
	}
	slices.SortStableFunc(start, func(a, b statespace.GameDraw) int { return cmp.Compare(a.Step, b.Step) })
	return start
}
