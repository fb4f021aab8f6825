package play

import (
	"fmt"
	"math/rand/v2"

	"pagoda/statespace/tiles"
	"pagoda/statespace/tiles/twenty48"
)

// A State is a position of a game. It does not change.
type State interface {
	Board() tiles.Board
	Score() float64
	// Note is what the player should know beside the board, such as "next tile 3". It may be empty.
	Note() string
}

// A Game has the rules.
type Game interface {
	Name() string
	Grid() *tiles.Grid
	Names() tiles.Naming
	// Start draws a first state, and Slide the state after a slide. Slide is called for slides that
	// change the board only.
	Start(r *rand.Rand) State
	Slide(s State, d tiles.Direction, r *rand.Rand) State
	// Won reports whether the state ends the game as a win.
	Won(s State) bool
}

// An Objective is what a player may want.
type Objective struct {
	Name  string // "score", say
	Least bool   // a small value is better
}

// An Advisor knows what moves are worth.
type Advisor interface {
	Objectives() []Objective
	// Advise returns the value of each slide that changes the board, for each objective. The slices of the
	// others are nil. The error is for people, such as for a state that the advisor does not know.
	Advise(s State) ([tiles.Directions][]float64, error)
}

// Twenty48 is the game 2048.
type Twenty48 struct {
	grid   *tiles.Grid
	fours  float64
	target uint8
}

// NewTwenty48 returns 2048 on a board of 2 to 16 cells. Fours is the chance that a new tile is a 4,
// and target the number of the tile that wins, or 0 if games go on to the end.
func NewTwenty48(rows, columns int, fours float64, target uint64) (*Twenty48, error) {
	g, err := tiles.New(rows, columns, twenty48.Rule)
	if err != nil {
		return nil, err
	}
	if g.Cells() < 2 {
		return nil, fmt.Errorf("two tiles start the game: expected a board of at least 2 cells, found %dx%d", rows, columns)
	}
	if !(fours >= 0 && fours <= 1) {
		return nil, fmt.Errorf("the chance of a 4 is %v, expected 0 to 1", fours)
	}
	game := &Twenty48{grid: g, fours: fours}
	if target != 0 {
		if game.target, err = twenty48.Names.Tile(target); err != nil {
			return nil, fmt.Errorf("the target: %w", err)
		}
	}
	return game, nil
}

// scored is a state of 2048.
type scored struct {
	board tiles.Board
	score float64
}

func (s scored) Board() tiles.Board { return s.board }
func (s scored) Score() float64     { return s.score }
func (scored) Note() string         { return "" }

// Name implements Game.
func (g *Twenty48) Name() string { return fmt.Sprintf("2048/%dx%d", g.grid.Rows(), g.grid.Columns()) }

// Grid implements Game.
func (g *Twenty48) Grid() *tiles.Grid { return g.grid }

// Names implements Game.
func (g *Twenty48) Names() tiles.Naming { return twenty48.Names }

// Start implements Game: two tiles.
func (g *Twenty48) Start(r *rand.Rand) State {
	return scored{board: g.spawn(g.spawn(0, r), r)}
}

// spawn puts a tile into an empty cell, all alike likely.
func (g *Twenty48) spawn(b tiles.Board, r *rand.Rand) tiles.Board {
	var empty []int
	for cell := range g.grid.Cells() {
		if b.At(cell) == 0 {
			empty = append(empty, cell)
		}
	}
	tile := uint8(1)
	cell := empty[r.IntN(len(empty))]
	if r.Float64() < g.fours {
		tile = 2
	}
	return b.With(cell, tile)
}

// Slide implements Game. No tile comes after a slide that wins.
func (g *Twenty48) Slide(s State, d tiles.Direction, r *rand.Rand) State {
	b, gain := g.grid.Slide(s.Board(), d)
	after := scored{b, s.Score() + float64(gain)}
	if !g.Won(after) {
		after.board = g.spawn(b, r)
	}
	return after
}

// Won implements Game.
func (g *Twenty48) Won(s State) bool { return g.target > 0 && tiles.Max(s.Board()) >= g.target }
