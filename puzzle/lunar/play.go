package lunar

import (
	"cmp"
	"context"
	_ "embed" // cards
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"

	"pagoda/ask"
	"pagoda/puzzle"
	"pagoda/puzzle/lunar/board"
	"pagoda/puzzle/lunar/solver"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/cells"
	"pagoda/statespace/sparse"
)

// A player is what the page needs to play on the board of a group. It is a puzzle.Player. Hints come from
// the solver of single problems: so each problem on the board has them, also those of other groups.
type player struct {
	board   *board.Board
	about   *lunarBoard
	memory  uint64 // for the solver, in bytes
	threads int
	turn    chan struct{} // one hint at a time
	early   bool          // there is no file, and so there are no hints
}

// mostMemory bounds what the solver takes, and so its time. A problem of six pieces needs less than 1 MiB.
const mostMemory = 128 << 20

// newPlayer is Page.Play. It returns nil if the space is no group, or if there is no problem to begin with.
func newPlayer(sp statespace.Space, f *ask.File, o run.Options) (puzzle.Player, error) {
	original, _ := sparse.Original(sp, statespace.Path{})
	g, ok := original.(*Group)
	if !ok {
		return nil, nil
	}
	p := &player{board: g.Board(), threads: max(1, o.Threads), turn: make(chan struct{}, 1), early: f == nil}
	p.memory = min(mostMemory, max(puzzle.ServerMemory, run.MemoryLimit(o.Memory))-puzzle.ServerMemory)
	cards, err := cardsFor(p.board)
	if err != nil {
		return nil, err
	}
	problems := []lunarProblem{}
	if f != nil {
		problems, err = p.pick(context.Background(), f, g)
	}
	if err != nil || len(cards)+len(problems) == 0 {
		return nil, err
	}
	p.about = newBoard(g, cards, problems)
	return p, nil
}

// Close implements puzzle.Player: hints keep nothing.
func (p *player) Close() {}

// A lunarBoard says how to draw a board and what can be played on it.
type lunarBoard struct {
	Kind  string       `json:"kind"` // lunar
	Rows  int          `json:"rows"`
	Cols  int          `json:"cols"`
	Cells []cells.Cell `json:"cells"` // row and column, in the order of drawings
	Exits []cells.Cell `json:"exits"`
	// Letters and Numbers are the pieces of the problems of the group.
	Letters int `json:"letters"`
	Numbers int `json:"numbers"`
	// LetterNames and NumberNames are the names that pieces can have.
	LetterNames string         `json:"letter_names"`
	NumberNames string         `json:"number_names"`
	Start       string         `json:"start"`    // the problem with which the page begins
	Metric      string         `json:"metric"`   // what counts as a move: moves or slides
	Cards       []lunarCard    `json:"cards"`    // of our deck, if the board and the metric are those of the deck
	Problems    []lunarProblem `json:"problems"` // some of the group, by the number of moves; without a file there are none
}

// A lunarProblem is a problem with the length of its best solutions.
type lunarProblem struct {
	Pattern string `json:"pattern"`
	Moves   int    `json:"moves"`
	Steps   int    `json:"steps"`
}

// A lunarCard is a problem of our deck.
type lunarCard struct {
	lunarProblem
	Number     int     `json:"number"` // from 1
	Level      string  `json:"level"`
	Difficulty float64 `json:"difficulty"`
}

func newBoard(g *Group, cards []lunarCard, problems []lunarProblem) *lunarBoard {
	b := g.Board()
	about := &lunarBoard{Kind: "lunar", Cells: b.Cells(), Exits: []cells.Cell{}, Letters: g.Letters(), Numbers: g.Numbers(),
		LetterNames: board.LetterNames, NumberNames: board.NumberNames, Metric: b.Metric(), Cards: cards, Problems: problems}
	about.Rows, about.Cols = b.Size()
	for i, c := range b.Cells() {
		if b.Exits()>>i&1 != 0 {
			about.Exits = append(about.Exits, c)
		}
	}
	if len(cards) > 0 {
		about.Start = cards[0].Pattern
	} else {
		about.Start = problems[len(problems)/2].Pattern
	}
	return about
}

// Board implements puzzle.Player.
func (p *player) Board() any { return p.about }

// deckBoard is the board of our deck, and cards has its cards in their order: the level, the difficulty,
// the fewest moves, the fewest steps with these, and the drawing. docs/data/lunar-deck.txt is the same deck.
const deckBoard = "5x5"

//go:embed cards.txt
var cards string

// cardsFor returns the cards of our deck, if it is for a board.
func cardsFor(b *board.Board) ([]lunarCard, error) {
	all := []lunarCard{}
	if of, ok := board.Named(deckBoard); !ok || !slices.Equal(of.Cells(), b.Cells()) || of.Exits() != b.Exits() || of.Metric() != b.Metric() {
		return all, nil
	}
	for line := range strings.Lines(cards) {
		c := lunarCard{Number: len(all) + 1}
		if _, err := fmt.Sscan(line, &c.Level, &c.Difficulty, &c.Moves, &c.Steps, &c.Pattern); err != nil {
			return nil, fmt.Errorf("card %d of the deck: %w", c.Number, err)
		}
		all = append(all, c)
	}
	return all, nil
}

const (
	// perLength is how many problems the page gets of each number of moves; drawn is how many are drawn
	// to choose from.
	perLength, drawn = 6, 24
)

// A found problem may be given to the page.
type foundProblem struct {
	lunarProblem
	decoys bool // some number piece is not significant in all best solutions
}

// pick chooses problems of a group with all its letters, some of each number of moves. Those in which all
// number pieces are significant come first, and among them those with the most steps. The choice depends
// on the file only.
func (p *player) pick(ctx context.Context, f *ask.File, g *Group) ([]lunarProblem, error) {
	states, err := sample(ctx, f)
	if err != nil {
		return nil, err
	}
	byMoves := make(map[int][]foundProblem)
	err = f.Read(func() error {
		for _, x := range states {
			at, err := p.board.ParsePosition(f.Space().Format(x))
			if err != nil {
				return err
			}
			if bits.OnesCount64(at.Letters) < max(1, g.Letters()) {
				continue
			}
			one, err := p.measure(ctx, f, x, at)
			if err != nil {
				return err
			}
			one.Pattern = p.board.FormatPosition(at)
			byMoves[one.Moves] = append(byMoves[one.Moves], one)
		}
		return nil
	})
	all := []lunarProblem{}
	for _, list := range byMoves {
		slices.SortFunc(list, func(a, b foundProblem) int {
			if a.decoys != b.decoys {
				if a.decoys {
					return 1
				}
				return -1
			}
			return cmp.Or(b.Steps-a.Steps, strings.Compare(a.Pattern, b.Pattern))
		})
		for _, one := range list[:min(perLength, len(list))] {
			all = append(all, one.lunarProblem)
		}
	}
	slices.SortStableFunc(all, func(a, b lunarProblem) int { return a.Moves - b.Moves })
	return all, err
}

// sample draws members of a file at random, as many of each distance if the file has distances. It draws
// more than the page gets, as some lack letters. The seeds are fixed: a file has one description.
func sample(ctx context.Context, f *ask.File) ([]statespace.Index, error) {
	distances, ok := f.Distances()
	if !ok {
		return f.Sample(ctx, ask.Pick{}, drawn, rand.New(rand.NewPCG(1, 0)))
	}
	type reservoir struct {
		states []statespace.Index
		seen   int
		rng    *rand.Rand
	}
	var byDistance []*reservoir
	var failed error
	err := f.VisitAll(ctx, func(first, members uint64) bool {
		for ; members != 0; members &= members - 1 {
			x := first + uint64(bits.TrailingZeros64(members))
			entry, err := distances.At(x)
			if err != nil {
				failed = err
				return false
			}
			if entry <= 1 { // solved
				continue
			}
			for int(entry) >= len(byDistance) {
				byDistance = append(byDistance, &reservoir{rng: rand.New(rand.NewPCG(1, uint64(len(byDistance))))})
			}
			r := byDistance[entry]
			if r.seen++; len(r.states) < drawn {
				r.states = append(r.states, x)
			} else if i := r.rng.IntN(r.seen); i < drawn {
				r.states[i] = x
			}
		}
		return true
	})
	var all []statespace.Index
	for _, r := range byDistance {
		all = append(all, r.states...)
	}
	return all, cmp.Or(failed, err)
}

// measure returns the length of the best solutions of a member: from the values of the file, or, if it
// has none, from the solver.
func (p *player) measure(ctx context.Context, f *ask.File, x statespace.Index, at board.Position) (one foundProblem, err error) {
	distances, measured := f.Distances()
	values, kept := f.Values()
	if measured && kept {
		entry, err := distances.At(x)
		if err != nil {
			return one, err
		}
		var row [Columns]uint64
		err = values.Get(row[:], x)
		one.Moves, one.Steps = int(entry)-1, int(row[StepsColumn])
		one.decoys = bits.OnesCount64(row[AlwaysColumn]) < bits.OnesCount64(at.Numbers)
		return one, err
	}
	r, err := solver.Solve(ctx, p.board, at, p.memory, p.threads)
	if err != nil {
		return one, err
	}
	one.Moves, one.Steps, one.decoys = r.Moves, r.Steps, r.Always != at.Numbers
	return one, nil
}

// A lunarHint is the answer to Hint.
type lunarHint struct {
	Pattern   string      `json:"pattern"`
	Distance  *int        `json:"distance"`  // the fewest moves to the end; nil if there is no solution
	Steps     *int        `json:"steps"`     // the fewest steps with so few moves
	Solutions *big.Int    `json:"solutions"` // how many have so few moves and steps
	Reason    string      `json:"reason,omitempty"`
	Moves     []lunarMove `json:"moves"`    // all that can be made
	Solution  *ask.Route  `json:"solution"` // the first of the best; nil if there is none
}

// A lunarMove is a move that can be made, with the lengths that are left after it.
type lunarMove struct {
	Text     string     `json:"text"` // such as 4-LU
	Piece    string     `json:"piece"`
	Path     string     `json:"path"` // its steps: U, D, L and R
	From     cells.Cell `json:"from"`
	To       cells.Cell `json:"to"`
	Leaves   bool       `json:"leaves"`
	Pattern  string     `json:"pattern"` // the position after it
	Distance *int       `json:"distance"`
	Steps    *int       `json:"steps"`
	Keeps    bool       `json:"keeps"` // it is the first of a best solution
}

// Hint implements puzzle.Player. The target must be empty: hints lead to the end of the problem.
func (p *player) Hint(ctx context.Context, pattern, target string) (any, error) {
	if p.early {
		return nil, puzzle.ErrNoFile
	}
	if target != "" {
		return nil, ask.Questionf("hints of Lunar Lockout lead to the end of the problem: expected no target, found %s", ask.Shorten(target))
	}
	d, err := p.board.ParseDrawing(pattern)
	if err != nil {
		return nil, ask.BadPattern(pattern, err)
	}
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	h, err := p.hint(ctx, d)
	if errors.Is(err, statespace.ErrMemory) {
		return nil, &puzzle.NoHintsError{Reason: fmt.Sprintf("the positions that can be reached from %s take more than %d MiB", p.board.Format(d), p.memory>>20)}
	}
	if err != nil {
		return nil, err
	}
	return h, nil
}

func (p *player) hint(ctx context.Context, d board.Drawing) (*lunarHint, error) {
	at := d.Position()
	here, err := solver.Solve(ctx, p.board, at, p.memory, p.threads)
	if err != nil {
		return nil, err
	}
	h := &lunarHint{Pattern: p.board.Format(d), Reason: here.Reason, Solutions: here.Solutions, Moves: []lunarMove{}}
	h.Distance, h.Steps = lengths(here)
	if here.Solved {
		h.Solution = p.route(d, here)
	}
	solved := make(map[board.Position]*solver.Result) // there are several ways to some cells
	cell := p.board.Cells()
	for _, m := range p.board.Moves(nil, at) {
		after, play := p.board.Make(d, m)
		to := after.Position()
		if solved[to] == nil {
			if solved[to], err = solver.Solve(ctx, p.board, to, p.memory, p.threads); err != nil {
				return nil, err
			}
		}
		r := solved[to]
		move := lunarMove{Text: play.String(), Piece: string(play.Piece), Path: m.Way(), From: cell[m.From], To: cell[m.To], Leaves: m.Leaves,
			Pattern: p.board.Format(after), Keeps: here.Solved && r.Solved && r.Moves == here.Moves-1 && r.Steps == here.Steps-len(m.Steps)}
		move.Distance, move.Steps = lengths(r)
		h.Moves = append(h.Moves, move)
	}
	return h, nil
}

// lengths returns the fewest moves, and the fewest steps with these.
func lengths(r *solver.Result) (moves, steps *int) {
	if !r.Solved {
		return nil, nil
	}
	return &r.Moves, &r.Steps
}

// route describes the first of the best solutions.
func (p *player) route(d board.Drawing, r *solver.Result) *ask.Route {
	route := &ask.Route{Moves: []fmt.Stringer{}, Positions: []string{p.board.Format(d)}}
	for s := range r.All() {
		for _, m := range s.Moves {
			var play board.Play
			d, play = p.board.Make(d, m)
			route.Moves = append(route.Moves, play)
			route.Positions = append(route.Positions, p.board.Format(d))
		}
		break
	}
	return route
}
