package play

import (
	"math/rand/v2"
	"strings"

	"pagoda/statespace/chance"
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

// draw returns one of the starts of a game.
func draw(all []chance.Draw, r *rand.Rand) uint64 {
	share := r.Float64()
	for _, d := range all[1:] {
		if share -= d.Chance; share < 0 {
			return d.To
		}
	}
	return all[0].To
}

// turned returns a random image of a board. States of package chance are one for all images.
func turned(g *tiles.Grid, b tiles.Board, r *rand.Rand) tiles.Board {
	return g.Image(r.IntN(g.Symmetries()), b)
}

// drawn returns the board of a text that a game was made with, before the sign @ if there is one.
func drawn(g *tiles.Grid, text string, names tiles.Naming) tiles.Board {
	text, _, _ = strings.Cut(text, "@")
	b, _ := g.Parse(text, names) // the game has read it
	return b
}

// A Twenty48 is a game of 2048 to play.
type Twenty48 struct{ rules *twenty48.Game }

// NewTwenty48 returns a game with these rules.
func NewTwenty48(rules *twenty48.Game) *Twenty48 { return &Twenty48{rules} }

// scored is a state of 2048.
type scored struct {
	board tiles.Board
	score float64
}

func (s scored) Board() tiles.Board { return s.board }
func (s scored) Score() float64     { return s.score }
func (scored) Note() string         { return "" }

// Name implements Game.
func (g *Twenty48) Name() string { return g.rules.Name() }

// Grid implements Game.
func (g *Twenty48) Grid() *tiles.Grid { return g.rules.Grid }

// Names implements Game.
func (g *Twenty48) Names() tiles.Naming { return twenty48.Names }

// Start implements Game.
func (g *Twenty48) Start(r *rand.Rand) State {
	if text := g.rules.Options.Start; text != "" {
		return scored{board: drawn(g.Grid(), text, g.Names())}
	}
	return scored{board: turned(g.Grid(), tiles.Board(draw(g.rules.Start(), r)), r)}
}

// spawn puts a tile into a random empty cell.
func (g *Twenty48) spawn(b tiles.Board, r *rand.Rand) tiles.Board {
	var empty []int
	for cell := range g.Grid().Cells() {
		if b.At(cell) == 0 {
			empty = append(empty, cell)
		}
	}
	tile := uint8(1)
	cell := empty[r.IntN(len(empty))]
	if r.Float64() < g.rules.P4 {
		tile = 2
	}
	return b.With(cell, tile)
}

// Slide implements Game. No tile comes after a slide that wins.
func (g *Twenty48) Slide(s State, d tiles.Direction, r *rand.Rand) State {
	b, gain := g.Grid().Slide(s.Board(), d)
	after := scored{b, s.Score() + float64(gain)}
	if !g.Won(after) {
		after.board = g.spawn(b, r)
	}
	return after
}

// Won implements Game.
func (g *Twenty48) Won(s State) bool {
	target := g.rules.Target()
	return target > 0 && int(tiles.Max(s.Board())) >= target
}
