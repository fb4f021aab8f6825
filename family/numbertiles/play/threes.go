package play

import (
	"fmt"
	"math/rand/v2"

	"pagoda/statespace/tiles"
	"pagoda/statespace/tiles/threes"
)

// A Threes is a game of Threes to play.
type Threes struct{ rules *threes.Game }

// NewThrees returns a game with these rules.
func NewThrees(rules *threes.Game) *Threes { return &Threes{rules} }

// A ThreesState is a position of Threes.
type ThreesState struct {
	Tiles tiles.Board
	// Left is how many 1s, 2s and 3s the bag holds before the next tile leaves it; a bag is never
	// empty. It is all 0 if there is no bag.
	Left [3]int
	// Next is the tile that enters with the next slide.
	Next   uint8
	hidden bool // the player does not know it
}

// Board implements State.
func (s ThreesState) Board() tiles.Board { return s.Tiles }

// Score implements State: what the tiles would be worth at the end.
func (s ThreesState) Score() (sum float64) {
	for b := s.Tiles; b != 0; b >>= 4 {
		sum += float64(threes.Score(uint8(b & 15)))
	}
	return sum
}

// Note implements State. A bonus tile is a plus sign, as in the game.
func (s ThreesState) Note() string {
	switch {
	case s.hidden:
		return ""
	case s.Bonus():
		return "next tile +"
	}
	return fmt.Sprintf("next tile %d", threes.Value(s.Next))
}

// Bonus reports whether the next tile is a bonus tile.
func (s ThreesState) Bonus() bool { return s.Next > 3 }

// Name implements Game.
func (g *Threes) Name() string { return g.rules.Name() }

// Grid implements Game.
func (g *Threes) Grid() *tiles.Grid { return g.rules.Grid }

// Names implements Game.
func (g *Threes) Names() tiles.Naming { return threes.Names }

// Start implements Game.
func (g *Threes) Start(r *rand.Rand) State {
	start := draw(g.rules.Start(), r)
	s := ThreesState{Left: g.rules.Left(start), hidden: g.rules.Hidden}
	if text := g.rules.Options.Start; text != "" {
		s.Tiles = drawn(g.Grid(), text, g.Names())
	} else {
		s.Tiles = turned(g.Grid(), g.rules.Board(start), r)
	}
	s.Next = g.next(s, r)
	return s
}

func (g *Threes) full() [3]int { return [3]int{g.rules.Bag, g.rules.Bag, g.rules.Bag} }

// fromBag draws a tile from the bag.
func (g *Threes) fromBag(s ThreesState, r *rand.Rand) uint8 {
	all := s.Left[0] + s.Left[1] + s.Left[2]
	if all == 0 {
		return uint8(1 + r.IntN(3))
	}
	n := r.IntN(all)
	tile := 0
	for n >= s.Left[tile] {
		n -= s.Left[tile]
		tile++
	}
	return uint8(tile + 1)
}

// deal takes a tile out of a bag, and fills it again if it is empty then.
func (g *Threes) deal(left [3]int, tile uint8) [3]int {
	if g.rules.Bag == 0 || tile > 3 {
		return left
	}
	left[tile-1]--
	if left == [3]int{} {
		return g.full()
	}
	return left
}

// The tile from which on there are bonus tiles, the first of these, and how often they come.
const (
	tile48      = 7
	firstBonus  = 4
	bonusChance = 1. / 21
)

// next draws the next tile: from the bag, or a bonus tile.
func (g *Threes) next(s ThreesState, r *rand.Rand) uint8 {
	if most := tiles.Max(s.Tiles); g.rules.Bonus && most >= tile48 && r.Float64() < bonusChance {
		return firstBonus + uint8(r.IntN(int(most-tile48)+1))
	}
	return g.fromBag(s, r)
}

// Slide implements Game. The next tile enters a random line of those that moved, where the slide
// comes from. No tile comes after a slide that wins.
func (g *Threes) Slide(state State, d tiles.Direction, r *rand.Rand) State {
	s := state.(ThreesState)
	before := s.Tiles
	s.Tiles, _ = g.Grid().Slide(before, d)
	if g.Won(s) {
		return s
	}
	moved := g.Grid().MovedLines(before, s.Tiles, d)
	var cells []int
	for line := range tiles.MostCells {
		if moved>>line&1 == 0 {
			continue
		}
		switch columns := g.Grid().Columns(); d {
		case tiles.Up:
			cells = append(cells, (g.Grid().Rows()-1)*columns+line)
		case tiles.Down:
			cells = append(cells, line)
		case tiles.Left:
			cells = append(cells, (line+1)*columns-1)
		case tiles.Right:
			cells = append(cells, line*columns)
		}
	}
	s.Tiles = s.Tiles.With(cells[r.IntN(len(cells))], s.Next)
	s.Left = g.deal(s.Left, s.Next)
	s.Next = g.next(s, r)
	return s
}

// Won implements Game.
func (g *Threes) Won(s State) bool {
	stop := g.rules.Target()
	return stop > 0 && int(tiles.Max(s.Board())) >= stop
}
