package threes

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"pagoda/puzzle/tiles/glide"
	"pagoda/statespace"
	"pagoda/statespace/chance"
)

// Family is the family of definitions.
const Family = "threes"

// Define returns the space of a definition.
func Define(d statespace.Definition) (statespace.Space, error) { return chance.Define(d, NewGame) }

// Name implements statespace.Game.
func (g *Game) Name() string { return g.name }

// Definition implements statespace.Game.
func (g *Game) Definition() statespace.Definition {
	return statespace.Definition{Family: Family, Name: g.name, Puzzle: statespace.Encode(g.Options), Numbering: json.RawMessage(`"boards"`)}
}

// LayerName implements statespace.Game. Slides keep the sum; the next tile adds its value.
func (g *Game) LayerName() string { return "sum" }

// Start implements statespace.Game.
func (g *Game) Start() []statespace.GameDraw { return g.start() }

// Steps implements statespace.Game.
func (g *Game) Steps() []int {
	steps := []int{1, 2, 3}
	if g.Bonus {
		for tile := uint8(Six); tile <= g.stop-4; tile++ { // up to an eighth of the tile below the stop tile
			steps = append(steps, Value(tile))
		}
	}
	return steps
}

// MostMoves implements statespace.Game.
func (g *Game) MostMoves() int {
	switch {
	case g.Hidden:
		return glide.Directions
	case g.Bonus:
		return 4 * glide.Directions
	}
	return 3 * glide.Directions
}

// MostDraws implements statespace.Game.
func (g *Game) MostDraws() int {
	n := 1
	if g.Hidden || g.Bonus {
		n = len(g.Steps())
	}
	return n * max(g.Options.Rows, g.Options.Columns)
}

// highest returns the highest tile that a board can have.
func (g *Game) highest() uint8 { return min(g.most, g.stop) }

// Estimate implements statespace.Game: boards up to symmetry, with some bags each. Play to the end reaches
// about a quarter of them. The states of a layer are above what was found.
//
// A board leaves little choice for the bag: the 1s less the 2s are known, and the sum but for whole bags.
// With bonus tiles the sum is known but for a multiple of 3.
func (g *Game) Estimate() (all, layer float64) {
	to := func(kinds int) float64 {
		boards := math.Pow(float64(kinds), float64(g.Cells())) / float64(g.Symmetries())
		bags := float64(g.Bag+1) / 2.2
		if g.Options.Bonus {
			bags = float64((g.Bag+1)*(g.Bag+1)) / 6
		}
		return boards * max(1, bags)
	}
	all = to(int(g.most)+1) / 4
	layers := 2 * float64(Value(g.most)) // the greatest sum is about twice the highest tile
	if g.stop <= most {
		all = min(all, to(int(g.stop)))
		layers = min(layers, float64(g.Cells()*Value(g.stop))/4)
	}
	return all, min(all, 3.4*all/layers)
}

// Check implements statespace.Game.
func (g *Game) Check(layer int, state uint64) error {
	b := g.Board(state)
	if err := g.Grid.Check(b, layer); err != nil {
		return err
	}
	bag := state >> g.shift
	if bag > 0xfff || bag == g.full && bag != 0 {
		return fmt.Errorf("has a bag that is written in another way")
	}
	for tile, left := range g.Left(state) {
		if left > g.Bag {
			return fmt.Errorf("has %d tiles %d left in a bag of %d", left, tile+1, g.Bag)
		}
	}
	if highest := glide.Max(b); highest > most {
		return fmt.Errorf("has a tile above %d", Value(most))
	}
	return nil
}

// MarkName implements statespace.Game.
func (g *Game) MarkName() string { return "tile" }

// Mark implements statespace.Game.
func (g *Game) Mark(text string) (int, error) { return g.ReadTile(text) }

// FormatMark implements statespace.Game.
func (g *Game) FormatMark(mark int) string { return strconv.Itoa(Value(uint8(mark))) }

// Marks implements statespace.Game: the tiles from 6 on that a board can have.
func (g *Game) Marks() (all []int) {
	for tile := Six; tile <= int(g.highest()); tile++ {
		all = append(all, tile)
	}
	return all
}

// Target implements statespace.Game: the stop tile, or 0.
func (g *Game) Target() int {
	if g.Stop == 0 {
		return 0
	}
	return int(g.stop)
}

// FormatChoice implements statespace.Game: a slide, and what the player knew of the next tile.
func (g *Game) FormatChoice(m statespace.GameMove) string {
	slide := glide.Direction(m.Number).String()
	switch {
	case g.Hidden:
		return slide
	case m.Case == 3:
		return slide + ", with + next"
	}
	return fmt.Sprintf("%s, with %d next", slide, m.Case+1)
}

// FormatMove implements statespace.Game.
func (g *Game) FormatMove(_ int, _ uint64, m statespace.GameMove, d statespace.GameDraw) string {
	return fmt.Sprintf("%v, then a %d", glide.Direction(m.Number), d.Step)
}

// Before implements statespace.Game: a search looks through whole layers.
func (g *Game) Before(dst []uint64, _ uint64, _ int) ([]uint64, bool) { return dst, false }
