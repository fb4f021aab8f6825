package twenty48

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strconv"

	"pagoda/internal/lists"
	"pagoda/puzzle/tiles/glide"
	"pagoda/statespace"
	"pagoda/statespace/chance"
)

// Options say which game of 2048 it is.
type Options struct {
	Rows    int `json:"rows"`
	Columns int `json:"columns"`
	// Target is the number of the tile that wins and ends the game; 0: games go on as long as
	// there are moves.
	Target uint64 `json:"target,omitempty"`
	// P4 is the chance that a new tile is a 4, from 0 to 1.
	P4 float64 `json:"p4"`
	// Start is the board in which games start, as text; empty: two tiles in random cells. A Game has it as
	// glide.Grid.Format writes it.
	Start string `json:"start,omitempty"`
}

// DefaultP4 is the chance of a 4 in the game as it is played.
const DefaultP4 = 0.1

// Suffix returns what a name says of the rules behind the board, such as @p4=0.5; nothing if they are as usual.
func (o Options) Suffix() string {
	if o.P4 == DefaultP4 {
		return ""
	}
	return "@p4=" + strconv.FormatFloat(o.P4, 'g', -1, 64)
}

// Game is 2048 on a board, for package chance.
type Game struct {
	Options
	*glide.Grid
	name   string
	target uint8
	most   uint8 // the greatest tile that a board can have
	start  []statespace.GameDraw
	draws  []spawn
}

// A spawn is a tile that may appear.
type spawn struct {
	tile   uint8
	chance float64
}

// NewGame returns a game. An error says what was expected and what was found.
func NewGame(name string, o Options) (*Game, error) {
	if !(o.P4 >= 0 && o.P4 <= 1) {
		return nil, fmt.Errorf("the chance of a 4 should be a number from 0 to 1, found %v", o.P4)
	}
	grid, err := glide.New(o.Rows, o.Columns, Tiles)
	if err != nil {
		return nil, err
	}
	g := &Game{Options: o, Grid: grid, name: name}
	if o.Target != 0 {
		if g.target, err = g.Tile(o.Target); err != nil {
			return nil, fmt.Errorf("target: %w", err)
		}
		if o.Target < 8 {
			return nil, fmt.Errorf("the target should be at least 8, as a 4 may appear by itself: found %d", o.Target)
		}
	}
	if o.P4 < 1 {
		g.draws = append(g.draws, spawn{1, 1 - o.P4})
	}
	if o.P4 > 0 {
		g.draws = append(g.draws, spawn{2, o.P4})
	}
	largest := g.draws[len(g.draws)-1].tile
	if o.Start == "" {
		g.start = g.standard()
	} else {
		board, err := grid.Parse(o.Start)
		if err != nil {
			return nil, fmt.Errorf("the start: %w", err)
		}
		if board == 0 {
			return nil, fmt.Errorf("the start has no tiles: expected one at least, such as 2")
		}
		g.Options.Start = grid.Format(board)
		largest = max(largest, glide.Max(board))
		if g.target > 0 && largest >= g.target {
			return nil, fmt.Errorf("the start has the target already: expected tiles below %d in %s", o.Target, g.Options.Start)
		}
		if board == ^glide.Board(0) { // no statespace.GameDraw has this state
			return nil, fmt.Errorf("the start is a board of 16 tiles of 32768, which has no number here: expected any other")
		}
		g.start = []statespace.GameDraw{{To: uint64(g.Canonical(board)), Step: g.Sum(board), Chance: 1}}
	}
	// At most i tiles are 2^(largest+cells-i) or more: that holds in the beginning, and every merge keeps it.
	g.most = uint8(min(int(largest)+g.Cells()-1, 15))
	if g.target > 0 {
		g.most = min(g.most, g.target)
	}
	return g, nil
}

// standard returns the boards with two tiles, or with one if there is one cell only.
func (g *Game) standard() (start []statespace.GameDraw) {
	found := make(map[glide.Board]float64)
	cells := g.Cells()
	for i := range cells {
		for _, s := range g.draws {
			one := glide.Board(0).With(i, s.tile)
			if cells == 1 {
				found[one] += s.chance
			}
			for j := range i {
				for _, t := range g.draws {
					found[g.Canonical(one.With(j, t.tile))] += s.chance * t.chance / float64(cells*(cells-1)/2)
				}
			}
		}
	}
	for _, b := range slices.Sorted(maps.Keys(found)) {
		start = append(start, statespace.GameDraw{To: uint64(b), Step: g.Sum(b), Chance: found[b]})
	}
	slices.SortStableFunc(start, func(a, b statespace.GameDraw) int { return cmp.Compare(a.Step, b.Step) })
	return start
}

// Name implements statespace.Game.
func (g *Game) Name() string { return g.name }

// Definition implements statespace.Game.
func (g *Game) Definition() statespace.Definition {
	return statespace.Definition{Family: Family, Name: g.name, Puzzle: statespace.Encode(g.Options), Numbering: json.RawMessage(`"boards"`)}
}

// Define returns the space of a definition.
func Define(d statespace.Definition) (statespace.Space, error) { return chance.Define(d, NewGame) }

// Family is the family of definitions.
const Family = "2048"

// LayerName implements statespace.Game.
func (g *Game) LayerName() string { return "sum" }

// Start implements statespace.Game.
func (g *Game) Start() []statespace.GameDraw { return g.start }

// Steps implements statespace.Game.
func (g *Game) Steps() []int { return lists.Map(g.draws, func(s spawn) int { return 1 << s.tile }) }

// MostMoves implements statespace.Game.
func (g *Game) MostMoves() int { return glide.Directions }

// MostDraws implements statespace.Game.
func (g *Game) MostDraws() int { return len(g.draws) * g.Cells() }

// Estimate implements statespace.Game. It takes a part of all boards up to symmetry: the more cells, the less, and less
// without a target, as few boards have room for many large tiles. The constants fit the boards that were solved, and
// those of a layer are above what was found there.
func (g *Game) Estimate() (all, layer float64) {
	kinds, cells := g.most+1, float64(g.Cells())
	free := cells - 2
	if g.target > 0 {
		free = cells - 6
	}
	if g.most == g.target {
		kinds--
	}
	all = math.Pow(float64(kinds), cells) / float64(g.Symmetries()) * math.Exp(-max(0, free)/4)
	all *= math.Pow(min(1, float64(kinds)/5), max(0, cells-10)/2) // a low target ends games before a large board fills
	layers := math.Exp2(float64(g.most))                          // the greatest sum is about twice the greatest tile, and sums are even
	if g.most == g.target {
		layers *= cells / 8 // boards full of smaller tiles
	}
	return all, min(all, 2.8*all/layers)
}

// MarkName implements statespace.Game.
func (g *Game) MarkName() string { return "tile" }

// Mark implements statespace.Game.
func (g *Game) Mark(text string) (int, error) { return g.ReadTile(text) }

// FormatMark implements statespace.Game.
func (g *Game) FormatMark(mark int) string { return strconv.Itoa(1 << mark) }

// Marks implements statespace.Game: the tiles from 4 on that a board can have.
func (g *Game) Marks() (all []int) {
	for t := 2; t <= int(g.most); t++ {
		all = append(all, t)
	}
	return all
}

// Target implements statespace.Game.
func (g *Game) Target() int { return int(g.target) }

// Parse implements statespace.Game.
func (g *Game) Parse(text string) (layer int, state uint64, err error) {
	b, err := g.Grid.Parse(text)
	if err != nil {
		return 0, 0, err
	}
	b = g.Canonical(b)
	return g.Sum(b), uint64(b), nil
}

// Check implements statespace.Game.
func (g *Game) Check(layer int, state uint64) error {
	return g.Grid.Check(glide.Board(state), layer)
}

// Format implements statespace.Game.
func (g *Game) Format(_ int, state uint64) string { return g.Grid.Format(glide.Board(state)) }

// FormatChoice implements statespace.Game.
func (g *Game) FormatChoice(m statespace.GameMove) string { return glide.Direction(m.Number).String() }

// FormatMove implements statespace.Game.
func (g *Game) FormatMove(layer int, _ uint64, m statespace.GameMove, d statespace.GameDraw) string {
	return fmt.Sprintf("%s, then a %d", g.FormatChoice(m), d.Step)
}

// NewRules implements statespace.Game.
func (g *Game) NewRules() statespace.GameRules { return rules{g} }

type rules struct{ *Game }

// Moves implements statespace.GameRules.
func (r rules) Moves(dst []statespace.GameMove, state uint64) []statespace.GameMove {
	b := glide.Board(state)
	for d := range glide.Direction(glide.Directions) {
		after, gain := r.Slide(b, d)
		if after == b {
			continue
		}
		m := statespace.GameMove{Gain: float64(gain), Number: uint8(d), Chance: 1}
		if r.target > 0 && has(after, r.target) {
			m.Won = true
		} else {
			m.After = uint64(r.Canonical(after))
		}
		dst = append(dst, m)
	}
	return dst
}

// Image implements statespace.Game.
func (g *Game) Image(text string) (uint64, error) {
	b, err := g.Grid.Parse(text)
	return uint64(b), err
}

// Follow implements statespace.Game.
func (g *Game) Follow(image uint64, m statespace.GameMove, d statespace.GameDraw) (move statespace.GameMove, next uint64) {
	for _, move := range (rules{g}).Moves(nil, image) {
		if move.Won != m.Won || move.After != m.After || move.Gain != m.Gain {
			continue
		}
		if m.Won {
			return move, image
		}
		if to, ok := g.Grid.Follow(glide.Board(image), glide.Direction(move.Number), glide.Board(d.To), false); ok {
			return move, uint64(to)
		}
	}
	return m, d.To // of another state
}

// has reports whether a board has a tile.
func has(b glide.Board, tile uint8) bool {
	const ones = 0x1111111111111111
	x := b ^ glide.Board(tile)*ones
	return (x-ones)&^x&(8*ones) != 0
}

// Draws implements statespace.GameRules.
func (r rules) Draws(dst []statespace.GameDraw, after uint64) []statespace.GameDraw {
	var images [8]glide.Board
	n := r.Grid.Images(glide.Board(after), &images)
	empty := r.Empty(images[0])
	cells := bits.OnesCount64(uint64(empty))
	var chances [2]float64
	for i, s := range r.draws {
		chances[i] = s.chance / float64(cells)
	}
	for cell := range r.Cells() {
		if images[0].At(cell) != 0 {
			continue
		}
		for i, s := range r.draws {
			least := ^glide.Board(0)
			for k, image := range images[:n] {
				least = min(least, image|glide.Board(s.tile)<<(4*r.ImageCell(k, cell)))
			}
			dst = append(dst, statespace.GameDraw{To: uint64(least), Step: 1 << s.tile, Chance: chances[i]})
		}
	}
	return dst
}

// Mark implements statespace.GameRules.
func (r rules) Mark(state uint64) int { return int(glide.Max(glide.Board(state))) }

// Final implements statespace.GameRules: nothing is added to the score.
func (r rules) Final(uint64) float64 { return 0 }

// Images implements statespace.GameRules.
func (r rules) Images(state uint64) int { return r.Orbit(glide.Board(state)) }

// Rule slides a line: tiles go to its first cell, and two equal ones that meet become one of twice the
// value, which does not merge again in the same slide. The gain is the sum of the tiles made. Two tiles
// of 32768, the greatest, do not merge.
func Rule(line []uint8) (gain int32) {
	to, last := 0, uint8(0) // last is the tile that the next one may merge with
	for i, tile := range line {
		if tile == 0 {
			continue
		}
		line[i] = 0
		if tile == last && tile < 15 {
			line[to-1]++
			gain += 1 << (tile + 1)
			last = 0
			continue
		}
		line[to] = tile
		to++
		last = tile
	}
	return gain
}

// Tiles are those of the game: tile k shows 2^k.
var Tiles = glide.Tiles{
	Rule:    Rule,
	Numbers: [16]uint64{0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768},
	About:   "which is a power of two from 2 to 32768",
}
