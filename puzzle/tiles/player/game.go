package player

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strings"

	"pagoda/puzzle/tiles/glide"
	"pagoda/puzzle/tiles/threes"
	"pagoda/puzzle/tiles/twenty48"
)

// A State is a board and what else decides how the game goes on. Rest is 0 in 2048.
type State struct {
	Board glide.Board
	Rest  uint64
}

// A Draw is a state that chance may make of an afterstate.
type Draw struct {
	To     State
	Chance float64
}

// A Game is the rules of a game of number tiles. Its methods may be called by several goroutines.
type Game interface {
	// Name returns the name of the game and its board, such as 2048/4x4, and its other options.
	Name() string
	Grid() *glide.Grid
	// Start deals the start of a game.
	Start(r *rand.Rand) State
	// Slide slides. The slide may be made if moved is true. Gain is what it adds to the score.
	Slide(s State, d glide.Direction) (after State, gain int32, moved bool)
	// Draws appends the states that may follow an afterstate. Their chances add up to 1.
	Draws(dst []Draw, after State) []Draw
	// Draw draws one of them.
	Draw(r *rand.Rand, after State) State
	// Hint returns what the player sees of the next tile, or nothing.
	Hint(s State) string
	// Score returns the score so far, given the sum of the gains.
	Score(gains int64, b glide.Board) int64
	// Parse returns the start of a game with a board and a hint.
	Parse(board, hint string) (State, error)
	// Exact finds a state in the exact game of package twenty48 or threes, where one state stands for
	// all its images: its layer, its number, and the chance.Case of what the player sees. Symmetry
	// is one of the grid that takes the board to that of the number.
	Exact(s State) (layer int, state uint64, known uint8, symmetry int)
	// Image returns the image of that number with the board as it lies. Shown appends the states that the player
	// may see of an image: one for each next tile, or one alone if none is shown.
	Image(s State) uint64
	Shown(dst []Draw, image uint64) []Draw
	// Entries is as Draws before the next tile is drawn: each state is that of its Image, whatever the player sees.
	Entries(dst []Draw, after State) []Draw
}

// until is a game that ends with a tile.
type until struct {
	Game
	tile uint8
}

// Until returns the game that ends when the tile of a number is on the board. Players are made for the game
// itself: they do not know of the end.
func Until(g Game, number uint64) (Game, error) {
	tile, err := g.Grid().Tile(number)
	if err != nil {
		return nil, err
	}
	least := uint8(3) // 8: a 4 may appear by itself
	if _, ok := g.(*three); ok {
		least = threes.Six
	}
	if tile < least {
		return nil, fmt.Errorf("a game should end with a tile of at least %d: found %d", g.Grid().Numbers[least], number)
	}
	return &until{g, tile}, nil
}

// Won reports whether a board has the tile that ends a game of Until.
func Won(g Game, b glide.Board) bool {
	u, ok := g.(*until)
	return ok && glide.Max(b) >= u.tile
}

func (g *until) Name() string {
	board, options, more := strings.Cut(g.Game.Name(), "@")
	board = fmt.Sprintf("%s:%d", board, g.Grid().Numbers[g.tile])
	if more {
		return board + "@" + options
	}
	return board
}

func (g *until) Slide(s State, d glide.Direction) (after State, gain int32, moved bool) {
	if Won(g, s.Board) {
		return s, 0, false
	}
	return g.Game.Slide(s, d)
}

// canonical returns a symmetry that takes a board to the least of its images, and that image.
func canonical(g *glide.Grid, b glide.Board) (symmetry int, least glide.Board) {
	least = g.Canonical(b)
	for g.Image(symmetry, b) != least {
		symmetry++
	}
	return symmetry, least
}

// draw draws a state as Game.Draw does, from the list of all.
func draw(r *rand.Rand, draws []Draw) State {
	x := r.Float64()
	for _, d := range draws {
		if x -= d.Chance; x < 0 {
			return d.To
		}
	}
	return draws[len(draws)-1].To // the chances add up to a little less than 1
}

// nth returns the place of the n-th lowest bit of a set.
func nth(set uint64, n int) int {
	for range n {
		set &= set - 1
	}
	return bits.TrailingZeros64(set)
}

// A twenty is 2048.
type twenty struct {
	grid  *glide.Grid
	p4    float64
	start *glide.Board // if it was drawn
}

// New2048 returns 2048 on a board of 2 to 16 cells, where a new tile is a 4 with chance p4.
func New2048(rows, columns int, p4 float64) (Game, error) {
	if !(p4 >= 0 && p4 <= 1) {
		return nil, fmt.Errorf("the chance of a 4 should be a number from 0 to 1, found %v", p4)
	}
	grid, err := glide.New(rows, columns, twenty48.Tiles)
	if err != nil {
		return nil, err
	}
	if grid.Cells() < 2 {
		return nil, fmt.Errorf("games start with two tiles: expected a board of 2 to %d cells, found %dx%d", glide.MostCells, rows, columns)
	}
	return &twenty{grid: grid, p4: p4}, nil
}

func (g *twenty) Name() string {
	return fmt.Sprintf("2048/%dx%d", g.grid.Rows(), g.grid.Columns()) + twenty48.Options{P4: g.p4}.Suffix()
}
func (g *twenty) Grid() *glide.Grid { return g.grid }
func (g *twenty) Hint(State) string { return "" }

func (g *twenty) Score(gains int64, _ glide.Board) int64 { return gains }

func (g *twenty) Start(r *rand.Rand) State {
	if g.start != nil {
		return State{Board: *g.start}
	}
	return g.Draw(r, g.Draw(r, State{}))
}

func (g *twenty) Slide(s State, d glide.Direction) (after State, gain int32, moved bool) {
	after.Board, gain = g.grid.Slide(s.Board, d)
	return after, gain, after.Board != s.Board
}

func (g *twenty) Draws(dst []Draw, after State) []Draw {
	empty := g.grid.Empty(after.Board)
	n := float64(bits.OnesCount64(uint64(empty)))
	for ; empty != 0; empty &= empty - 1 {
		one := empty & -empty
		if g.p4 < 1 {
			dst = append(dst, Draw{State{Board: after.Board | one}, (1 - g.p4) / n})
		}
		if g.p4 > 0 {
			dst = append(dst, Draw{State{Board: after.Board | one<<1}, g.p4 / n})
		}
	}
	return dst
}

func (g *twenty) Draw(r *rand.Rand, after State) State {
	empty := uint64(g.grid.Empty(after.Board))
	tile := glide.Board(1)
	if r.Float64() < g.p4 {
		tile = 2
	}
	return State{Board: after.Board | tile<<nth(empty, r.IntN(bits.OnesCount64(empty)))}
}

func (g *twenty) Parse(board, hint string) (State, error) {
	if hint != "" {
		return State{}, fmt.Errorf("2048 shows no next tile: expected none, found %.20q", hint)
	}
	b, err := g.grid.Parse(board)
	if err != nil {
		return State{}, err
	}
	all := 0
	for x := b; x != 0; x >>= 4 {
		switch tile := uint8(x & 15); {
		case tile > 2 || tile == 1 && g.p4 == 1 || tile == 2 && g.p4 == 0:
			return State{}, fmt.Errorf("games start with tiles that may appear: found %d", g.grid.Numbers[tile])
		case tile > 0:
			all++
		}
	}
	if all != 2 {
		return State{}, fmt.Errorf("games start with two tiles: found %d", all)
	}
	return State{Board: b}, nil
}

func (g *twenty) Image(s State) uint64 { return uint64(s.Board) }

func (g *twenty) Shown(dst []Draw, image uint64) []Draw {
	return append(dst, Draw{State{Board: glide.Board(image)}, 1})
}

func (g *twenty) Entries(dst []Draw, after State) []Draw { return g.Draws(dst, after) }

func (g *twenty) Exact(s State) (layer int, state uint64, known uint8, symmetry int) {
	symmetry, b := canonical(g.grid, s.Board)
	return g.grid.Sum(b), uint64(b), 0, symmetry
}

// A three is Threes. Rest has the bag in its low 12 bits, four for each tile, the next tile in the four
// bits above, 4 being a bonus tile and 0 one that is not drawn yet, and after a slide a bit for each cell that it
// may enter from bit 16 on. The four bits from bit 32 on are then the highest tile before the slide, if bonus tiles
// may depend on it.
type three struct {
	threes.Options
	grid  *glide.Grid
	full  uint64
	start *State // if it was drawn: a board and its bag
}

const bonusHint = 4

// NewThrees returns Threes on a board of 2 to 16 cells. Stop and Start of the options do not matter.
func NewThrees(o threes.Options) (Game, error) {
	if o.Bag < 0 || o.Bag > threes.MostBag {
		return nil, fmt.Errorf("expected a bag of 1 to %d tiles of each value, or 0 for no bag, found %d", threes.MostBag, o.Bag)
	}
	grid, err := glide.New(o.Rows, o.Columns, threes.Tiles)
	if err != nil {
		return nil, err
	}
	if grid.Cells() < 2 {
		return nil, fmt.Errorf("expected a board of 2 to %d cells, found %dx%d", glide.MostCells, o.Rows, o.Columns)
	}
	return &three{Options: o, grid: grid, full: uint64(o.Bag) * 0x111}, nil
}

func (g *three) Name() string      { return fmt.Sprintf("threes/%dx%d", g.Rows, g.Columns) + g.Suffix() }
func (g *three) Grid() *glide.Grid { return g.grid }

// Score implements Game: only the tiles at the end count.
func (g *three) Score(_ int64, b glide.Board) (sum int64) {
	for ; b != 0; b >>= 4 {
		sum += int64(threes.Score(uint8(b & 15)))
	}
	return sum
}

func (g *three) Hint(s State) string {
	switch hint := s.Rest >> 12 & 15; {
	case g.Hidden:
		return ""
	case hint != bonusHint:
		return fmt.Sprint(hint)
	}
	return "+"
}

// left returns how many 1s, 2s and 3s may come next, and of how many.
func (g *three) left(bag uint64) (left [4]uint64, all uint64) {
	if g.Bag == 0 {
		return [4]uint64{0, 1, 1, 1}, 3
	}
	left = [4]uint64{0, bag & 15, bag >> 4 & 15, bag >> 8 & 15}
	return left, left[1] + left[2] + left[3]
}

// hinted appends the states in which the next tile is drawn, and the bag is without it; or if it is hidden, the
// state before that.
func (g *three) hinted(dst []Draw, b glide.Board, bag uint64, hidden bool, chance float64) []Draw {
	if bag == 0 {
		bag = g.full
	}
	if hidden {
		return append(dst, Draw{State{b, bag}, chance})
	}
	return g.next(dst, b, bag, glide.Max(b), chance)
}

// next appends the states in which the next tile is drawn from a bag or is a bonus tile, which depends on the highest
// tile.
func (g *three) next(dst []Draw, b glide.Board, bag uint64, highest uint8, chance float64) []Draw {
	if g.Bonus && highest >= threes.BonusFrom {
		dst = append(dst, Draw{State{b, bag | bonusHint<<12}, chance * threes.BonusChance})
		chance *= 1 - threes.BonusChance
	}
	left, all := g.left(bag)
	for tile := uint64(1); tile <= 3; tile++ {
		if left[tile] > 0 {
			rest := bag | tile<<12
			if g.Bag > 0 {
				rest -= 1 << (4 * (tile - 1))
			}
			dst = append(dst, Draw{State{b, rest}, chance * float64(left[tile]) / float64(all)})
		}
	}
	return dst
}

func (g *three) Start(r *rand.Rand) State {
	if g.start != nil {
		return draw(r, g.hinted(nil, g.start.Board, g.start.Rest, g.Hidden, 1))
	}
	s := draw(r, g.next(nil, 0, g.full, 0, 1))
	for range 9 * g.grid.Cells() / 16 {
		empty := uint64(g.grid.Empty(s.Board))
		at := nth(empty, r.IntN(bits.OnesCount64(empty)))
		b, bag := s.Board|glide.Board(s.Rest>>12)<<at, s.Rest&0xfff
		if bag == 0 {
			bag = g.full
		}
		s = draw(r, g.next(nil, b, bag, 0, 1))
	}
	if g.Hidden { // the last tile is put back
		s.Rest = g.putBack(s.Rest)
	}
	return s
}

// putBack returns the bag before the next tile was drawn.
func (g *three) putBack(rest uint64) (bag uint64) {
	bag = rest & 0xfff
	if next := rest >> 12 & 15; next >= 1 && next <= 3 && g.Bag > 0 {
		bag += 1 << (4 * (next - 1))
	}
	return bag
}

func (g *three) Slide(s State, d glide.Direction) (after State, gain int32, moved bool) {
	b, _ := g.grid.Slide(s.Board, d)
	if b == s.Board {
		return s, 0, false
	}
	rest := s.Rest&0xffff | g.grid.Entries(d, g.grid.MovedLines(s.Board, b, d))<<16
	if g.Bonus {
		rest |= uint64(glide.Max(s.Board)) << 32
	}
	return State{b, rest}, int32(g.Score(0, b) - g.Score(0, s.Board)), true
}

func (g *three) Draws(dst []Draw, after State) []Draw { return g.draws(dst, after, g.Hidden) }

func (g *three) Entries(dst []Draw, after State) []Draw { return g.draws(dst, after, true) }

// draws appends what may follow an afterstate. If the tile after the next is hidden, it is not drawn yet.
func (g *three) draws(dst []Draw, after State, hidden bool) []Draw {
	if after.Rest>>12&15 != 0 {
		return g.enter(dst, after, after.Rest, hidden, 1)
	}
	var room [4]Draw
	for _, d := range g.next(room[:0], after.Board, after.Rest&0xfff, uint8(after.Rest>>32), 1) {
		dst = g.enter(dst, after, d.To.Rest, hidden, d.Chance)
	}
	return dst
}

// enter appends the states in which a next tile enters an afterstate. The tile and the bag without it are as in Rest.
func (g *three) enter(dst []Draw, after State, next uint64, hidden bool, chance float64) []Draw {
	cells := after.Rest >> 16 & 0xffff
	first, last := uint8(next>>12&15), uint8(next>>12&15)
	if first == bonusHint {
		first, last = threes.Six, uint8(after.Rest>>32)-3 // up to an eighth
	}
	chance /= float64(bits.OnesCount64(cells)) * float64(last-first+1)
	for ; cells != 0; cells &= cells - 1 {
		for tile := first; tile <= last; tile++ {
			dst = g.hinted(dst, after.Board.With(bits.TrailingZeros64(cells), tile), next&0xfff, hidden, chance)
		}
	}
	return dst
}

func (g *three) Draw(r *rand.Rand, after State) State {
	var room [256]Draw // more are rare: hidden bonus tiles
	return draw(r, g.Draws(room[:0], after))
}

// Parse takes a start: the bag is the full one, without the tiles of the board and the next one.
func (g *three) Parse(board, hint string) (State, error) {
	b, err := g.grid.Parse(board)
	if err != nil {
		return State{}, err
	}
	next := strings.Index("0123", hint)
	switch {
	case g.Hidden && hint == "":
		next = 0
	case g.Hidden:
		return State{}, fmt.Errorf("expected no next tile, which the player does not see, found %.20q", hint)
	case len(hint) != 1 || next < 1:
		return State{}, fmt.Errorf("expected the next tile, 1, 2 or 3, found %.20q", hint)
	}
	var used [4]int
	all := 0
	if next > 0 {
		used[next]++
		all++
	}
	for x := b; x != 0; x >>= 4 {
		if tile := x & 15; tile > 3 {
			return State{}, fmt.Errorf("games start with tiles 1, 2 and 3: found %d", threes.Value(uint8(tile)))
		} else if tile > 0 {
			used[tile]++
			all++
		}
	}
	found := all
	if next > 0 {
		found--
	}
	if most := 9 * g.grid.Cells() / 16; found != most {
		return State{}, fmt.Errorf("games start with %d tiles: found %d", most, found)
	}
	if g.Bag == 0 {
		return State{b, uint64(next) << 12}, nil
	}
	bags := found / (3 * g.Bag) // that are empty when the next tile is drawn
	rest := uint64(next) << 12
	for tile := 1; tile <= 3; tile++ {
		left := (bags+1)*g.Bag - used[tile]
		if left < 0 || left > g.Bag {
			return State{}, fmt.Errorf("a bag of %d of each tile cannot have dealt the start %s with %s next", g.Bag, board, hint)
		}
		rest |= uint64(left) << (4 * (tile - 1))
	}
	return State{b, rest}, nil
}

func (g *three) Exact(s State) (layer int, state uint64, known uint8, symmetry int) {
	symmetry, b := canonical(g.grid, s.Board)
	if !g.Hidden {
		known = uint8(s.Rest>>12&15) - 1
	}
	return g.grid.Sum(b), g.Image(State{b, s.Rest}), known, symmetry
}

// Image implements Game. The exact state is that before the next tile is drawn.
func (g *three) Image(s State) uint64 {
	bag := g.putBack(s.Rest)
	if bag == g.full {
		bag = 0
	}
	return uint64(s.Board) | bag<<g.shift()
}

// shift returns the bits of a board in a number.
func (g *three) shift() int { return 4 * g.grid.Cells() }

func (g *three) Shown(dst []Draw, image uint64) []Draw {
	return g.hinted(dst, glide.Board(image&(1<<g.shift()-1)), image>>g.shift(), g.Hidden, 1)
}
