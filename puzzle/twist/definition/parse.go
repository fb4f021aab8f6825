package definition

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"pagoda/internal/lazy"
	"pagoda/internal/lists"
	"pagoda/statespace/boardtext"
)

// The limits of a text.
const (
	MaxText   = 1 << 20 // bytes
	MaxPlaces = 4096    // in all sets together
	MaxTurns  = 255
	MaxMoves  = 1024 // with symmetries and sequences
)

var (
	// inSets matches the first command of ksolve or twsearch.
	inSets = lazy.Regexp(`\A(?:[ \t\r]*(?:#.*)?\n)*[ \t]*(?:Name(?:[ \t]*\r?\n|[ \t]+[^ \t=:])|Set[ \t]+[^ \t=:]+[ \t]+[0-9])`)
	// inCycles matches a line with a move in cycles, also if their brackets are missing.
	inCycles = lazy.Regexp(`(?m)^[ \t]*[^\s#=:]+[ \t]*:?=[ \t]*(?:\(|[0-9]+[ \t]+[0-9])`)
	inJSON   = lazy.Regexp(`\A\s*\{[^\x00]*"(?:orbits|defaultPattern)"`)
)

// Is reports whether a text is meant to be a definition.
func Is(text string) bool {
	text = strings.TrimPrefix(text, "\ufeff")
	return inSets().MatchString(text) || inCycles().MatchString(text) || inJSON().MatchString(text)
}

// Parse reads a definition in any of the formats, which it recognizes by their content. The error is a
// *cells.SyntaxError.
func Parse(text string) (*Puzzle, error) {
	b := &builder{sets: make(map[string]int), words: make(map[string]*word), end: boardtext.Span{Line: 1, Col: 1}}
	if len(text) > MaxText {
		return nil, b.end.Errorf(0, "the text has %d bytes, expected at most %d", len(text), MaxText)
	}
	text = strings.ToValidUTF8(strings.TrimPrefix(text, "\ufeff"), "\ufffd")
	var err error
	switch {
	case strings.HasPrefix(strings.TrimSpace(text), "{"):
		err = b.readJSON(text)
	case inSets().MatchString(text):
		err = b.readSets(text)
	case inCycles().MatchString(text):
		err = b.readCycles(text)
	default:
		err = b.end.Errorf(0, "no definition of a puzzle: expected moves in cycles, such as R = (1 3 8 6)(2 5 7 4), "+
			"a file of ksolve or twsearch, which begins with Name or Set, or a KPuzzle in JSON")
	}
	if err == nil {
		err = b.finish()
	}
	if err != nil {
		return nil, err
	}
	return &b.Puzzle, nil
}

// A builder makes a puzzle of what a reader finds.
type builder struct {
	Puzzle
	rotations bool // names such as x and Uv are symmetries
	places    int
	sets      map[string]int // by name
	kinds     []map[int]int  // by set: kinds by the numbers of pieces in the text, from 0
	turns     []int          // by set: how many turns look different
	words     map[string]*word
	order     []*word        // as they are written
	worked    int            // how many places sequences have moved pieces to
	end       boardtext.Span // where something may be missing
}

// A word names a move, a symmetry, or a sequence of other words.
type word struct {
	name     string
	at       boardtext.Span
	sequence string
	does     [][]From // nil if the sequence is not worked out
	inWork   bool
}

// A number is one that is written, and where.
type number struct {
	at    boardtext.Span
	value int
}

// open is the value of a question mark.
const open = math.MaxInt32

// numbers reads a row of numbers from 0 on. They may be open if marks is true.
func numbers(words []boardtext.Span, marks bool) ([]number, error) {
	row := make([]number, len(words))
	for i, w := range words {
		row[i] = number{w, open}
		if marks && w.Text == "?" {
			continue
		}
		v, err := strconv.ParseUint(w.Text, 10, 16)
		if err != nil {
			return nil, w.Errorf(0, "expected a number from 0 to %d, found %.40q", math.MaxUint16, w.Text)
		}
		row[i].value = int(v)
	}
	return row, nil
}

// fits returns an error if places, or turns that are not nil, are not one number for each place of a set, or if one is
// out of range: places are from first to last, or open.
func (s Set) fits(at boardtext.Span, places, turns []number, first, last int) error {
	for i, row := range [][]number{places, turns} {
		if i == 1 {
			first, last = 0, s.Turns-1
		}
		if len(row) != s.Places && (i == 0 || row != nil) {
			if len(row) > 0 {
				at = row[0].at
			}
			return at.Errorf(0, "found %d numbers: set %s has %d places", len(row), s.Name, s.Places)
		}
		for _, n := range row {
			if n.value < first || n.value > last && n.value != open {
				return n.at.Errorf(0, "set %s: expected a number from %d to %d, found %d", s.Name, first, last, n.value)
			}
		}
	}
	return nil
}

// addSet adds a set. Until solve is called, its pieces are all different, and solved without a turn.
func (b *builder) addSet(at boardtext.Span, s Set) error {
	_, found := b.sets[s.Name]
	switch {
	case found:
		return at.Errorf(0, "set %s is there twice", s.Name)
	case s.Places < 1 || s.Places > MaxPlaces-b.places:
		return at.Errorf(0, "set %s has %d places: expected at least one, and at most %d in all sets together", s.Name, s.Places, MaxPlaces)
	case s.Turns < 1 || s.Turns > MaxTurns:
		return at.Errorf(0, "set %s has %d orientations: expected 1 to %d", s.Name, s.Turns, MaxTurns)
	}
	b.places += s.Places
	b.sets[s.Name] = len(b.Sets)
	b.Sets = append(b.Sets, s)
	b.turns = append(b.turns, s.Turns)
	b.Solved, b.kinds = append(b.Solved, nil), append(b.kinds, nil)
	different := make([]number, s.Places)
	for i := range different {
		different[i].value = i
	}
	return b.solve(at, len(b.Sets)-1, different, nil, 0)
}

// solve sets the solved state of a set. Equal numbers are pieces that are alike; they count from first. Without turns,
// none is turned.
func (b *builder) solve(at boardtext.Span, set int, pieces, turns []number, first int) error {
	s := b.Sets[set]
	if err := s.fits(at, pieces, turns, first, open); err != nil {
		return err
	}
	values := lists.Map(pieces, func(n number) int { return n.value - first })
	slices.Sort(values)
	kinds := make(map[int]int)
	for kind, value := range slices.Compact(values) {
		kinds[value] = kind
	}
	b.kinds[set] = kinds
	solved := make([]Piece, s.Places)
	seen, turning := make(map[int]Piece), false
	for i, n := range pieces {
		p := Piece{Kind: kinds[n.value-first]}
		if turns != nil && s.Turns > 1 {
			p.Turn = turns[i].value
			if p.Turn == open {
				p.Turn = Any
			}
		}
		if other, ok := seen[p.Kind]; ok && (other.Turn == Any) != (p.Turn == Any) {
			return turns[i].at.Errorf(0, "set %s: of two pieces that are alike, the orientation of one is open: expected both or none", s.Name)
		}
		seen[p.Kind], solved[i] = p, p
		turning = turning || p.Turn != Any
	}
	if b.Solved[set] = solved; !turning {
		b.turns[set] = 1
	}
	return nil
}

// from returns how a move permutes and turns a set: places and turns as for solve.
func (b *builder) from(at boardtext.Span, set int, places, turns []number, first int) ([]From, error) {
	s := b.Sets[set]
	if err := s.fits(at, places, turns, first, first+s.Places-1); err != nil {
		return nil, err
	}
	all, seen := make([]From, s.Places), make([]bool, s.Places)
	for i, n := range places {
		all[i].Place = n.value - first
		if seen[all[i].Place] {
			return nil, n.at.Errorf(0, "set %s: %d is there twice: expected each number from %d to %d once", s.Name, n.value, first, first+s.Places-1)
		}
		seen[all[i].Place] = true
		if turns != nil {
			all[i].Turn = turns[i].value
		}
	}
	return all, nil
}

// name adds a word.
func (b *builder) name(at boardtext.Span, name, sequence string, does [][]From) error {
	if other := b.words[name]; other != nil {
		return at.Errorf(0, "move %s is there twice: the other is in line %d", name, other.at.Line)
	}
	if len(b.order) == MaxMoves {
		return at.Errorf(0, "expected at most %d moves", MaxMoves)
	}
	w := &word{name: name, at: at, sequence: sequence, does: does}
	b.words[name] = w
	b.order = append(b.order, w)
	return nil
}

// rotation matches the names of rotations in the notation of cubes.
var rotation = lazy.Regexp(`^(?:[xyz][2']?|[A-Z_]+v)$`)

// finish makes moves and symmetries of the words.
func (b *builder) finish() error {
	for _, w := range b.order {
		does, err := b.work(w)
		if err != nil {
			return err
		}
		switch m := (Move{w.name, does}); {
		case isWord(w.sequence): // another name of a move
		case b.rotations && rotation().MatchString(w.name):
			b.Symmetries = append(b.Symmetries, m)
		default:
			b.Moves = append(b.Moves, m)
		}
	}
	if len(b.Moves) == 0 {
		return b.end.Errorf(0, "the puzzle has no moves")
	}
	for set, turns := range b.turns {
		if turns != b.Sets[set].Turns {
			b.reduce(set, turns)
		}
	}
	return nil
}

// reduce makes turns of a set look alike that differ by a multiple of a divisor of its turns.
func (p *Puzzle) reduce(set, turns int) {
	for i := range p.Solved[set] {
		p.Solved[set][i].Turn = max(0, p.Solved[set][i].Turn) % turns
	}
	for _, moves := range [][]Move{p.Moves, p.Symmetries} {
		for _, m := range moves {
			for i := range m.Sets[set] {
				m.Sets[set][i].Turn %= turns
			}
		}
	}
	p.Sets[set].Turns = turns
}
