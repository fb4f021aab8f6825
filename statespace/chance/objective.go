package chance

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"pagoda/internal/lists"
	"pagoda/internal/suggest"
	"pagoda/statespace"
)

// A Kind is a kind of aim.
type Kind uint8

// The kinds of aims.
const (
	// Score is the expected score at the end of the game.
	Score Kind = iota
	// Reach is the chance of reaching a mark.
	Reach
	// Discount is the expected value of Term.Factor to the power of the moves made until a
	// mark is reached; it is 0 if it never is.
	Discount
	// Moves is the expected number of moves until a mark is reached, which is infinite unless
	// it is certain to be reached. As an aim that only breaks ties, it counts the moves until the
	// mark is reached or the game ends. Small values are better.
	Moves
	// Length is the expected number of moves until the game ends.
	Length
)

// A Term is one aim of an objective.
type Term struct {
	Kind   Kind
	Mark   int     // of Reach, Discount and Moves
	Factor float64 // of Discount, above 0 and at most 1
	// Least asks for the smallest value. It is set for Moves.
	Least bool
}

// An Objective is what the player wants: the best value of the first term; among the moves that are
// equally good for it the best value of the second one, and so on. Values that differ by less than
// a relative 1e-12 are taken as equal.
type Objective struct {
	Name  string // as ParseObjectives reads it
	Terms []Term
}

// MostColumns bounds the terms of all objectives of a Solver.
const MostColumns = 64

// Columns returns the number of terms of objectives. Each has a value for each state, in the order of
// the terms: in that of a Reach term, it is a Chance.
func Columns(all []Objective) int {
	return lists.SumOf(all, func(o Objective) int { return len(o.Terms) })
}

// DefaultObjectives returns those for which nobody has asked: the score, and the chance of each mark.
func DefaultObjectives(g statespace.Game) []Objective {
	all, _ := ParseObjectives(g, "score,"+g.MarkName())
	return all
}

// ParseObjectives reads a list of objectives of a game, separated by commas:
//
//	score             the expected score
//	tile              the chance of each tile: as many objectives
//	tile:512          the chance of reaching 512
//	target            the chance of reaching the target of the game
//	discount:0.95     0.95 to the power of the moves made until the target is reached
//	discount:0.95:64  the same for a tile
//	moves             the fewest expected moves to the target
//	moves:64          the same for a tile
//	length            the expected number of moves until the game ends
//	A>B               A, and among moves that are equally good for A, the best for B
//	A>-B              the same, and the worst for B
//
// Tile stands for Game.MarkName.
func ParseObjectives(g statespace.Game, text string) (all []Objective, err error) {
	seen := make(map[string]bool)
	add := func(o Objective) {
		if !seen[o.Name] {
			seen[o.Name] = true
			all = append(all, o)
		}
	}
	for _, name := range strings.Split(text, ",") {
		name = strings.TrimSpace(name)
		if strings.ContainsFunc(name, unicode.IsControl) { // it is a name in answers
			return nil, fmt.Errorf("objective %.60q: expected no control characters", name)
		}
		if name == g.MarkName() {
			for _, mark := range g.Marks() {
				add(Objective{g.MarkName() + ":" + g.FormatMark(mark), []Term{{Kind: Reach, Mark: mark}}})
			}
			continue
		}
		o := Objective{Name: name}
		for i, part := range strings.Split(name, ">") {
			t, err := parseTerm(g, part, i > 0)
			if err != nil {
				return nil, fmt.Errorf("objective %.60q: %w", name, err)
			}
			o.Terms = append(o.Terms, t)
		}
		add(o)
	}
	if n := Columns(all); n > MostColumns {
		return nil, fmt.Errorf("the objectives have %d terms: expected at most %d", n, MostColumns)
	}
	return all, nil
}

func parseTerm(g statespace.Game, text string, tie bool) (t Term, err error) {
	text = strings.TrimSpace(text)
	rest, least := strings.CutPrefix(text, "-")
	if least && !tie {
		return t, fmt.Errorf("a minus sign is for what breaks ties, after the sign >")
	}
	name, arg, hasArg := strings.Cut(rest, ":")
	such := func() string { // a mark to write
		if marks := g.Marks(); len(marks) > 0 {
			return g.FormatMark(marks[len(marks)-1])
		}
		return "N"
	}
	// mark reads the mark of a term; without one it is the target. Form is how a term with a mark begins.
	mark := func(arg, form string) error {
		if arg == "" {
			if t.Mark = g.Target(); t.Mark == 0 {
				return fmt.Errorf("%s has no target: name the %s, such as %s:%s", g.Name(), g.MarkName(), strings.TrimSuffix(form, ":"), such())
			}
			return nil
		}
		if t.Mark, err = g.Mark(arg); err == nil && g.Target() > 0 && t.Mark > g.Target() {
			err = fmt.Errorf("games end at %s %s: expected at most that, found %s", g.MarkName(), g.FormatMark(g.Target()), arg)
		}
		return err
	}
	switch {
	case name == g.MarkName() && arg == "":
		return t, fmt.Errorf("%s stands for each %s, so it breaks no ties and has none: expected one, such as %s:%s", name, name, name, such())
	case name == "score" && !hasArg:
		t.Kind = Score
	case name == "length" && !hasArg:
		t.Kind = Length
	case name == "target" && !hasArg:
		t.Kind, err = Reach, mark("", g.MarkName())
	case name == g.MarkName() && arg != "":
		t.Kind, err = Reach, mark(arg, name)
	case name == "moves":
		t.Kind, t.Least, err = Moves, true, mark(arg, name)
	case name == "discount":
		factor, of, _ := strings.Cut(arg, ":")
		t.Kind = Discount
		if t.Factor, err = strconv.ParseFloat(factor, 64); err != nil || !(t.Factor > 0 && t.Factor <= 1) {
			return t, fmt.Errorf("expected discount:F with a number F above 0 and at most 1, such as discount:0.95, found %.40q", rest)
		}
		err = mark(of, name+":"+factor)
	default:
		names := []string{"score", g.MarkName(), g.MarkName() + ":N", "target", "discount:F", "discount:F:N", "moves", "moves:N", "length"}
		return t, fmt.Errorf("expected %s, found %.40q%s", suggest.Either(names), rest, suggest.Question(name, []string{"score", g.MarkName(), "target", "discount", "moves", "length"}))
	}
	t.Least = t.Least != least
	return t, err
}

// Valid reports whether a number can be a value of the term.
func (t *Term) Valid(v float64) bool {
	if t.Kind == Reach {
		return math.Abs(v) <= 0.5
	}
	return v >= 0 && (t.Kind == Moves || !math.IsInf(v, 1))
}

// more reports whether a is a greater value of the term than b.
func (t *Term) more(a, b float64) bool {
	if t.Kind == Reach {
		return Chance(b).Less(Chance(a))
	}
	return a > b
}

// better reports whether a is a better value of the term than b.
func (t *Term) better(a, b float64) bool {
	if t.Least {
		return t.more(b, a)
	}
	return t.more(a, b)
}

// equal reports whether two values of the term are equally good.
func (t *Term) equal(a, b float64) bool { return t.near(a, b, tolerance) }

// near is equal for another tolerance.
func (t *Term) near(a, b, tolerance float64) bool {
	switch {
	case math.IsInf(a, 0) || math.IsInf(b, 0):
		return a == b
	case t.Kind == Reach && math.Signbit(a) != math.Signbit(b):
		return math.Abs(a)+math.Abs(b) >= 1-tolerance // both are about one half
	}
	return math.Abs(a-b) <= tolerance*math.Max(math.Abs(a), math.Abs(b))
}

// Loss returns by how much a value of the term is worse than the best one. For a Reach term, both are a Chance,
// and no digits are lost near 1. It is 0 for values that are equally good; these may also differ by a relative
// rounding, as those in a file of smaller numbers do.
func (t *Term) Loss(best, value, rounding float64) float64 {
	switch {
	case t.near(best, value, math.Max(rounding, tolerance)):
		return 0
	case t.Least:
		best, value = value, best
	}
	if t.Kind == Reach && math.Signbit(best) != math.Signbit(value) {
		if math.Signbit(value) {
			return -((0.5 + value) + (0.5 - best))
		}
		return (0.5 + best) + (0.5 - value)
	}
	return best - value // also of two complements, which have a minus sign
}

// tolerance is the relative difference up to which values are equally good. It exceeds what rounding does to equal
// values. Gains and the terms of a mean are not negative, and a chance is kept by its smaller side, so no step
// increases a relative error. A mean over d answers of chance and a gain add at most (d+3) 2^-53, and m moves m times
// that. Two values may be off in opposite directions. So the difference is within 1e-12 if m (d+3) is at most 4500,
// such as 225 moves with 17 answers. In longer games errors of both signs cancel. Values of a proved file have no
// greater error: see Verify.
const tolerance = 1e-12
