package peg

import (
	"context"
	"math/bits"
	"slices"
	"unicode/utf8"

	"pagoda/ask"
	"pagoda/puzzle"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/font"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/sparse"
)

// A player is what the page needs to play a board. It is a puzzle.Speller.
type player struct {
	file    *ask.File // nil: the board alone is known
	space   *Space
	goals   []string // single pegs that can be reached; without a file, those that no count of pegs forbids
	keeper  *keeper  // nil: there are no hints
	noHints string   // why not
	script  script   // how letters are played, without a file; may be nil
}

// SpaceOf returns the space of a file of positions, with its own numbers. The file may use others.
func SpaceOf(f *ask.File) (*Space, error) {
	sp, _ := sparse.Original(f.Space(), statespace.Path{})
	board, ok := sp.(*Space)
	if !ok {
		return nil, ask.Questionf("expected positions of a peg board; %s holds %s", f.Path(), sp.Name())
	}
	return board, nil
}

// newPlayer is Page.Play.
func newPlayer(of statespace.Space, f *ask.File, o run.Options) (puzzle.Player, error) {
	original, _ := sparse.Original(of, statespace.Path{})
	sp, ok := original.(*Space)
	if !ok {
		return nil, nil
	}
	p := &player{file: f, space: sp}
	if f != nil {
		var err error
		if p.keeper, err = newKeeper(p.space, o); err != nil {
			p.noHints = err.Error()
		}
	}
	for _, single := range p.space.Singles() {
		pattern := p.space.Board().FormatPosition(single)
		if f == nil {
			p.goals = append(p.goals, pattern)
			continue
		}
		r, err := f.Has(pattern)
		if err != nil {
			return nil, err
		}
		if r.Reachable {
			p.goals = append(p.goals, pattern)
		}
	}
	return p, nil
}

// Close implements puzzle.Player.
func (p *player) Close() {
	if p.keeper != nil {
		p.keeper.close()
	}
}

// A boardInfo says how to draw a peg board and play on it.
type boardInfo struct {
	Kind    string       `json:"kind"` // peg
	Lattice string       `json:"lattice"`
	Cells   []board.Cell `json:"cells"` // row and column, in the order of a pattern
	Jumps   [][3]int     `json:"jumps"` // from, over, to: numbers of cells
	// Goals are the single pegs that can be reached; without a file, those that no count of pegs forbids.
	Goals []string `json:"goals"`
	// NoHints says why there are no hints, if there are none.
	NoHints string  `json:"no_hints,omitempty"`
	Font    []glyph `json:"font"` // the letters that can be reached, if the board is theirs
}

// A glyph is a letter of the font.
type glyph struct {
	Letter   string `json:"letter"`
	Pattern  string `json:"pattern"`
	Wish     string `json:"wish"`
	Distance int    `json:"distance"` // of pattern and wish
}

// Board implements puzzle.Player.
func (p *player) Board() any {
	b := p.space.Board()
	info := &boardInfo{Kind: "peg", Lattice: b.Lattice().String(), Cells: b.Cells(), Goals: p.goals, NoHints: p.noHints}
	for k := range b.Jumps() {
		j := b.Jump(k)
		info.Jumps = append(info.Jumps, [3]int{j.From, j.Over, j.To})
	}
	if HasFont(p.space) {
		for _, g := range font.Glyphs() {
			info.Font = append(info.Font, glyph{string(g.Rune), g.Pattern, g.Wish, g.Distance})
		}
	}
	return info
}

// A hint is the answer to Hint.
type hint struct {
	Pattern   string `json:"pattern"`
	Target    string `json:"target"`
	Reachable bool   `json:"reachable"`
	Reason    string `json:"reason,omitempty"`
	Jumps     []next `json:"jumps"`
	*ask.Route
}

// A next is a jump that can be made.
type next struct {
	JumpText
	Keeps bool `json:"keeps"` // the target can be reached after it
}

// Hint implements puzzle.Player.
func (p *player) Hint(ctx context.Context, pattern, target string) (any, error) {
	if p.file == nil {
		return nil, puzzle.ErrNoFile
	}
	if p.keeper == nil {
		return nil, &puzzle.NoHintsError{Reason: p.noHints}
	}
	b := p.space.Board()
	at, err := position(b, pattern)
	if err != nil {
		return nil, err
	}
	to, err := position(b, target)
	if err != nil {
		return nil, err
	}
	sp, err := p.space.From(at)
	if err != nil {
		return nil, err
	}
	h := &hint{Pattern: b.FormatPosition(at), Target: b.FormatPosition(to), Jumps: []next{}}
	from := sp.Roots()[0]
	goal, inClass := sp.Class().Number(to)
	edges := sp.Successors(nil, from)
	reaches := make([]bool, len(edges))
	path := statespace.Path{From: from}
	switch {
	case !inClass:
		h.Reason = ask.Class
	case at == to:
		h.Reachable = true
	case bits.OnesCount64(at) <= bits.OnesCount64(to): // each jump takes a peg
		h.Reason = ask.Unreached
	default:
		err := p.keeper.ask(ctx, to, func(reach func(x statespace.Index) bool) {
			for i, e := range edges {
				reaches[i] = reach(e.To)
			}
			if h.Reachable = reach(from); h.Reachable {
				path = pathTo(sp, from, goal, reach)
			}
		})
		if err != nil {
			return nil, err
		}
		if !h.Reachable {
			h.Reason = ask.Unreached
		}
	}
	for i, e := range edges {
		h.Jumps = append(h.Jumps, next{sp.Jump(e.Move), reaches[i]})
	}
	if h.Reachable {
		h.Route, err = ask.NewRoute(sp, path)
	}
	return h, err
}

// position reads a position of the page.
func position(b *board.Board, text string) (board.Position, error) {
	p, err := b.ParsePosition(text)
	if err != nil {
		err = ask.BadPattern(text, err)
	}
	return p, err
}

// pathTo returns a path from one number to another, which it reaches. From every state on the way
// some jump leads to a state that reaches it too.
func pathTo(sp *Space, from, to statespace.Index, reaches func(x statespace.Index) bool) statespace.Path {
	path := statespace.Path{From: from}
	var edges []statespace.Edge
	for x := from; x != to; {
		edges = sp.Successors(edges[:0], x)
		i := slices.IndexFunc(edges, func(e statespace.Edge) bool { return reaches(e.To) })
		if i < 0 {
			break
		}
		x = edges[i].To
		path.Steps = append(path.Steps, statespace.Step{Move: edges[i].Move, State: x})
	}
	return path
}

// Prompt implements puzzle.Prompter.
func (p *player) Prompt(letters []byte) (err error) {
	p.script, err = readScript(p.space, letters)
	return err
}

// Spell implements puzzle.Speller.
func (p *player) Spell(ctx context.Context, text string, columns int) (*puzzle.Word, error) {
	if !HasFont(p.space) {
		return nil, ask.Questionf("words are positions of %s, this is %s", font.Space, p.space.Name())
	}
	if !utf8.ValidString(text) {
		return nil, ask.Questionf("the text is not UTF-8")
	}
	if n := utf8.RuneCountInString(text); n > MaxLetters {
		return nil, ask.Questionf("the text has %d characters, expected at most %d", n, MaxLetters)
	}
	var letters []*Letter
	var err error
	switch {
	case p.file != nil:
		letters, err = Spell(ctx, p.file, text)
	case p.script != nil:
		letters, err = spell(text, p.script.play)
	default:
		err = puzzle.ErrNoFile
	}
	if err != nil {
		return nil, err
	}
	films, columns, err := Compose(p.space, letters, columns)
	return &puzzle.Word{Letters: letters, Films: films, Columns: columns}, err
}
