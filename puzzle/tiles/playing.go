package tiles

import (
	"context"
	"fmt"
	"image/color"
	"math"

	"pagoda/ask"
	"pagoda/puzzle"
	"pagoda/puzzle/tiles/advice"
	picture "pagoda/puzzle/tiles/draw"
	"pagoda/puzzle/tiles/glide"
	"pagoda/puzzle/tiles/player"
	"pagoda/puzzle/tiles/threes"
	"pagoda/puzzle/tiles/twenty48"
	"pagoda/render"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/cells"
	"pagoda/statespace/chance"
)

// A pagePlayer is what the page needs to play the game of a file. It is a puzzle.Player. It keeps nothing: the
// file has all values.
type pagePlayer struct {
	file     *ask.File // nil: the board alone is known
	exact    statespace.Game
	game     player.Game
	solution *chance.Solution // nil: there are no hints
	noHints  string
	start    []float64 // what the start is worth, by column
}

// newPlayer is Page.Play. It returns nil if the space is no game.
func newPlayer(sp statespace.Space, f *ask.File, _ run.Options) (puzzle.Player, error) {
	exact := sp.Parts().Chance
	game, plays := player.Of(exact)
	if !plays {
		return nil, nil
	}
	p := &pagePlayer{file: f, exact: exact, game: game}
	if f == nil {
		return p, nil
	}
	solution, err := f.Solved()
	if err != nil { // the file lists states alone
		p.noHints = err.Error()
		return p, nil
	}
	p.solution = solution
	values, _ := f.Worth()
	err = f.Read(func() (err error) {
		p.start, err = values.Start()
		return err
	})
	return p, err
}

// Close implements puzzle.Player.
func (p *pagePlayer) Close() {}

// A tilesBoard says how to draw a game and how to play it.
type tilesBoard struct {
	Kind    string   `json:"kind"` // tiles
	Game    string   `json:"game"` // 2048 or threes
	Rows    int      `json:"rows"`
	Cols    int      `json:"cols"`
	P4      *float64 `json:"p4,omitempty"`     // 2048: the chance that a new tile is a 4
	Bag     *int     `json:"bag,omitempty"`    // Threes: how many 1s, 2s and 3s a full bag holds each; 0: no bag
	Hidden  *bool    `json:"hidden,omitempty"` // Threes: the next tile is not shown
	Bonus   *bool    `json:"bonus,omitempty"`  // Threes: a bonus tile may come next
	Start   string   `json:"start"`            // the board in which games begin, if it was drawn
	Target  uint64   `json:"target"`           // the tile that wins and ends the game; 0: none
	Largest uint64   `json:"largest"`          // two tiles of this number do not join
	// Tiles has the numbers that a tile may show, in increasing order.
	Tiles      []tileLook  `json:"tiles"`
	Objectives []objective `json:"objectives"`
	NoHints    string      `json:"no_hints,omitempty"` // why there are no hints, if there are none
}

// A tileLook is how a tile looks. The colours are those of pictures: of the tile, and of the number on it.
type tileLook struct {
	Number uint64    `json:"number"`
	Light  [2]string `json:"light"`
	Dark   [2]string `json:"dark"`
}

// An objective is what a player may want, with what the start is worth.
type objective struct {
	Name string `json:"name"`
	Kind string `json:"kind"`           // of its first term: score, chance, discount, moves or length
	Tile uint64 `json:"tile,omitempty"` // of a chance, a discount or moves
	worth
}

// kinds names the kinds of terms.
var kinds = map[chance.Kind]string{chance.Score: "score", chance.Reach: "chance", chance.Discount: "discount", chance.Moves: "moves", chance.Length: "length"}

// A worth is the value of an objective: that of its first term.
type worth struct {
	Value *float64 `json:"value"` // nil: infinite
	// Complement is 1 less a chance above one half, with all digits.
	Complement *float64 `json:"complement,omitempty"`
}

// worths returns the values of the first terms of objectives.
func (p *pagePlayer) worths(values []float64) []worth {
	all := make([]worth, 0, len(p.solution.Objectives))
	column := 0
	for _, o := range p.solution.Objectives {
		v, w := values[column], worth{}
		if o.Terms[0].Kind == chance.Reach {
			c := chance.Chance(v)
			if v = c.P(); math.Signbit(float64(c)) {
				w.Complement = new(c.Q())
			}
		}
		w.Value = finite(v)
		all = append(all, w)
		column += len(o.Terms)
	}
	return all
}

// finite returns nil for what JSON cannot write.
func finite(x float64) *float64 {
	if math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// board describes a game of some rows and columns, but for what is its own.
func board(rows, columns int, tiles *glide.Tiles, palette picture.Palette, greatest uint8) *tilesBoard {
	b := &tilesBoard{Kind: "tiles", Rows: rows, Cols: columns, Largest: tiles.Numbers[greatest], Tiles: []tileLook{}, Objectives: []objective{}}
	for tile := uint8(1); tile <= greatest; tile++ {
		of := tileLook{Number: tiles.Numbers[tile]}
		colors := map[string]*[2]string{"light": &of.Light, "dark": &of.Dark}
		for _, theme := range render.Themes() {
			if to := colors[theme.Name]; to != nil {
				face, letters := palette.Colors(theme, tile)
				*to = [2]string{hex(face), hex(letters)}
			}
		}
		b.Tiles = append(b.Tiles, of)
	}
	return b
}

func twenty48Board(o twenty48.Options) *tilesBoard {
	b := board(o.Rows, o.Columns, &twenty48.Tiles, picture.Doubling, 15)
	b.Game, b.P4, b.Start, b.Target = twenty48.Family, &o.P4, o.Start, o.Target
	return b
}

func threesBoard(o threes.Options) *tilesBoard {
	b := board(o.Rows, o.Columns, &threes.Tiles, picture.Thirds, 14)
	b.Game, b.Bag, b.Hidden, b.Bonus, b.Start, b.Target = threes.Family, &o.Bag, &o.Hidden, &o.Bonus, o.Start, uint64(o.Stop)
	return b
}

// LargeThrees describes the board of Threes as it is played, on 4 by 4 cells, as Player.Board does. There is no space of
// it: exact rules are for smaller boards.
func LargeThrees() any { return threesBoard(threes.Standard(4, 4)) }

// Board implements puzzle.Player.
func (p *pagePlayer) Board() any {
	var b *tilesBoard
	switch g := p.exact.(type) {
	case *twenty48.Game:
		b = twenty48Board(g.Options)
	case *threes.Game:
		b = threesBoard(g.Options)
	}
	b.NoHints = p.noHints
	if p.solution == nil {
		return b
	}
	start := p.worths(p.start)
	for i, o := range p.solution.Objectives {
		of := objective{Name: o.Name, Kind: kinds[o.Terms[0].Kind], worth: start[i]}
		if mark := o.Terms[0].Mark; mark > 0 {
			of.Tile = p.game.Grid().Numbers[mark]
		}
		b.Objectives = append(b.Objectives, of)
	}
	return b
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// A tilesHint is the answer to Hint.
type tilesHint struct {
	Pattern string `json:"pattern"`
	// Unknown says why nothing is known, if the file lacks the state: then all that follows is empty.
	Unknown string `json:"unknown,omitempty"`
	// Ended is won or over if no slide can be made, and else empty.
	Ended string `json:"ended"`
	// Values has what the state is worth before the next tile is known, by objective; it is empty if the state is
	// not in the file, as the game was won before.
	Values []worth `json:"values"`
	// Cases has a next tile each; 2048 has one case, and so has Threes if the next tile is not shown.
	Cases []tilesCase `json:"cases"`
}

// A tilesCase is what can be done with a next tile.
type tilesCase struct {
	Next   string      `json:"next"` // what the player sees: a number, + for a bonus tile, or nothing
	Chance float64     `json:"chance"`
	Moves  []tilesMove `json:"moves"` // all slides that change the board: up, down, left, right
}

// A tilesMove is a slide. Values, Best and Loss are by objective.
type tilesMove struct {
	Move   string      `json:"move"`
	Board  string      `json:"board"` // after the slide
	Gain   int64       `json:"gain"`  // what it adds to the score
	Won    bool        `json:"won"`   // it reaches the target, and no tile comes
	Draws  []tilesDraw `json:"draws"`
	Values []worth     `json:"values"`
	Best   []bool      `json:"best"`
	Loss   []*float64  `json:"loss"` // of the first terms, against the best slide; nil: infinite
}

// A tilesDraw is a tile that may come.
type tilesDraw struct {
	Cell    cells.Cell `json:"cell"` // row and column
	Tile    uint64     `json:"tile"`
	Chance  float64    `json:"chance"`
	Pattern string     `json:"pattern"` // the state after it
}

// Hint implements puzzle.Player. The target must be empty: the objectives are those of the file.
func (p *pagePlayer) Hint(_ context.Context, pattern, target string) (h any, err error) {
	if p.noHints != "" {
		return nil, &puzzle.NoHintsError{Reason: p.noHints}
	}
	if p.file == nil {
		return nil, puzzle.ErrNoFile
	}
	if target != "" {
		return nil, ask.Questionf("hints of number tiles are for the objectives of the file: expected no target, found %s", ask.Shorten(target))
	}
	layer, state, err := p.exact.Parse(pattern)
	if err != nil {
		return nil, ask.BadPattern(pattern, err)
	}
	image, err := p.exact.Image(pattern)
	if err != nil {
		return nil, ask.BadPattern(pattern, err)
	}
	found := &tilesHint{Pattern: p.exact.Format(layer, image), Values: []worth{}, Cases: []tilesCase{}}
	goal := p.exact.Target()
	won := goal > 0 && p.exact.NewRules().Mark(state) >= goal
	if won {
		found.Ended = "won"
	}
	r, err := p.file.Has(pattern)
	switch {
	case err != nil:
		return nil, err
	case !r.Reachable && won: // the slide that wins ends the game before there is a state
		return found, nil
	case !r.Reachable:
		found.Unknown = "no game comes to it: " + r.Detail
		return found, nil
	}
	err = p.file.Read(func() error { return p.answer(found, layer, state, image) })
	return found, err
}

// answer fills in what a state of the file is worth.
func (p *pagePlayer) answer(h *tilesHint, layer int, state, image uint64) error {
	values := make([]float64, chance.Columns(p.solution.Objectives))
	if err := p.solution.Lookup(values, layer, state); err != nil {
		return err
	}
	h.Values = p.worths(values)
	if h.Ended != "" {
		return nil
	}
	for _, shown := range p.game.Shown(nil, image) {
		c := tilesCase{Next: p.game.Hint(shown.To), Chance: shown.Chance}
		a, err := advice.Of(p.game, p.solution, shown.To)
		if err != nil {
			return err
		}
		for d := range glide.Direction(glide.Directions) {
			if after, gain, moved := p.game.Slide(shown.To, d); moved && a.Slide[d] != nil {
				c.Moves = append(c.Moves, p.move(a, d, after, gain))
			}
		}
		if c.Moves == nil {
			h.Ended = "over"
			return nil
		}
		h.Cases = append(h.Cases, c)
	}
	return nil
}

// move describes a slide that leads to an afterstate.
func (p *pagePlayer) move(a *advice.Advice, d glide.Direction, after player.State, gain int32) tilesMove {
	grid, choice := p.game.Grid(), a.Slide[d]
	m := tilesMove{Move: d.String(), Board: grid.Format(after.Board), Gain: int64(gain), Won: choice.Won, Draws: []tilesDraw{}, Values: p.worths(choice.Values), Best: choice.Best}
	for _, cost := range a.Costs(d) {
		m.Loss = append(m.Loss, finite(cost))
	}
	if m.Won {
		return m
	}
	for _, to := range p.game.Entries(nil, after) {
		cell, _ := grid.NewTile(after.Board, to.To.Board)
		tile := grid.Numbers[to.To.Board.At(cell)]
		image := p.game.Image(to.To)
		m.Draws = append(m.Draws, tilesDraw{cells.Cell{Row: cell / grid.Columns(), Col: cell % grid.Columns()}, tile, to.Chance, p.exact.Format(0, image)})
	}
	return m
}
