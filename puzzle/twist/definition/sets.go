package definition

import (
	"slices"
	"strings"

	"pagoda/statespace/boardtext"
)

// A setReader reads a definition of ksolve or twsearch, command by command.
type setReader struct {
	*builder
	lines  []boardtext.Span // those that are left, without comments and empty ones
	solved bool
}

// first is the number of the first place and of the first piece, by command.
var first = map[string]int{"Solved": 1, "StartState": 0, "Move": 1, "MoveTransformation": 0}

// readSets reads a definition of ksolve or twsearch.
func (b *builder) readSets(text string) error {
	b.rotations = true
	r := &setReader{builder: b}
	for _, l := range boardtext.Lines(text) {
		if l = l.Trim(); l.Text != "" && l.Text[0] != '#' {
			r.lines = append(r.lines, l)
		}
	}
	b.end = r.lines[len(r.lines)-1]
	for len(r.lines) > 0 {
		if err := r.command(); err != nil {
			return err
		}
	}
	if !r.solved {
		return b.end.Errorf(0, "the text ends without a solved state: expected Solved, which may be empty, and End")
	}
	return nil
}

// command reads a command.
func (r *setReader) command() error {
	line := r.lines[0]
	r.lines = r.lines[1:]
	words := line.Words()
	what := words[0]
	// With its name, each of these has as many words.
	if n, ok := map[string]int{"Set": 4, "Solved": 1, "StartState": 1, "Move": 2, "MoveTransformation": 2, "MoveAlias": 3}[what.Text]; ok && len(words) != n {
		return what.Errorf(0, "expected %d words behind %s, found %d", n-1, what.Text, len(words)-1)
	}
	switch what.Text {
	case "Name":
		if r.Name != "" {
			return what.Errorf(0, "the puzzle has two names: %.40s is the first", r.Name)
		}
		r.Name = strings.TrimSpace(strings.TrimPrefix(line.Text, what.Text))
		return nil
	case "Set":
		return r.set(words[1:])
	case "Solved", "StartState":
		if r.solved {
			return what.Errorf(0, "the puzzle has two solved states: expected one")
		}
		r.solved = true
		return r.rows(what, true, func(at boardtext.Span, set int, pieces, turns []number) error {
			return r.solve(at, set, pieces, turns, first[what.Text])
		})
	case "Move", "MoveTransformation":
		return r.move(what, words[1])
	case "MoveAlias", "MoveSequence":
		if len(words) < 3 {
			return what.Errorf(0, "expected a name and moves behind %s", what.Text)
		}
		return r.name(words[1], words[1].Text, strings.ReplaceAll(strings.Join(strings.Fields(line.Text)[2:], " "), ",", " "), nil)
	case "Illegal":
		return r.forbid(what, words[1:])
	case "Ignore", "Multiplicators", "ParallelMoves":
		return r.skip(what)
	case "Block", "ForbiddenPairs", "ForbiddenGroups", "MoveLimits":
		return what.Errorf(0, "%s is not supported: it forbids moves that the other commands allow", what.Text)
	}
	return what.Errorf(0, "unknown command %.40q: expected Name, Set, Solved, Move, MoveSequence or another command of ksolve or twsearch", what.Text)
}

// set reads the words of a set: its name, places and turns.
func (r *setReader) set(words []boardtext.Span) error {
	n, err := numbers(words[1:], false)
	if err != nil {
		return err
	}
	name := words[0]
	if r.solved || len(r.order) > 0 {
		return name.Errorf(0, "set %s comes too late: expected it before the solved state and the moves", name.Text)
	}
	if isRow(name.Text) || name.Text == "End" {
		return name.Errorf(0, "a set cannot be named %.40s: a name begins with a letter", name.Text)
	}
	return r.addSet(name, Set{name.Text, n[0].value, n[1].value})
}

// isRow reports whether a line has numbers.
func isRow(line string) bool { return strings.ContainsRune("0123456789?+-", rune(line[0])) }

// rows reads the numbers of sets, up to End, and calls take with each set: its places and, if they are given, turns.
func (r *setReader) rows(what boardtext.Span, marks bool, take func(at boardtext.Span, set int, places, turns []number) error) error {
	seen := make([]bool, len(r.Sets))
	for len(r.lines) > 0 {
		name := r.lines[0]
		r.lines = r.lines[1:]
		if name.Text == "End" {
			return nil
		}
		set, ok := r.sets[name.Text]
		if !ok {
			return name.Errorf(0, "expected the name of a set, or End, found %.40q", name.Text)
		}
		if seen[set] {
			return name.Errorf(0, "set %s is there twice in this %s", r.Sets[set].Name, what.Text)
		}
		seen[set] = true
		var rows [2][]number
		for i := 0; i < len(rows) && len(r.lines) > 0 && isRow(r.lines[0].Text); i++ {
			var err error
			if rows[i], err = numbers(r.lines[0].Words(), marks); err != nil {
				return err
			}
			r.lines = r.lines[1:]
		}
		if err := take(name, set, rows[0], rows[1]); err != nil {
			return err
		}
	}
	return r.end.Errorf(0, "the text ends within the command %s of line %d: expected End", what.Text, what.Line)
}

// move reads a move. Move has the turn of a piece where the piece comes from, MoveTransformation where it comes to.
func (r *setReader) move(what, name boardtext.Span) error {
	m := r.still()
	err := r.rows(what, false, func(at boardtext.Span, set int, places, turns []number) (err error) {
		for i := range turns {
			if r.Sets[set].Turns == 1 {
				turns[i].value = 0 // ksolve lets a piece without orientations be turned, which changes nothing
			}
		}
		m[set], err = r.from(at, set, places, turns, first[what.Text])
		for i, f := range m[set] {
			if what.Text == "Move" && turns != nil {
				m[set][i].Turn = turns[f.Place].value
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	return r.name(name, name.Text, "", m)
}

// forbid reads the words of Illegal: a set, a place, and pieces that may not be there.
func (r *setReader) forbid(what boardtext.Span, words []boardtext.Span) error {
	if len(words) < 3 || !r.solved {
		return what.Errorf(0, "expected a set, a place and pieces behind Illegal, and the solved state before it")
	}
	set, ok := r.sets[words[0].Text]
	if !ok {
		return words[0].Errorf(0, "there is no set %.40s", words[0].Text)
	}
	row, err := numbers(words[1:], false)
	if err != nil {
		return err
	}
	place := row[0].value - 1
	if place < 0 || place >= r.Sets[set].Places {
		return row[0].at.Errorf(0, "expected a place from 1 to %d, found %d", r.Sets[set].Places, row[0].value)
	}
	for _, n := range row[1:] {
		kind, ok := r.kinds[set][n.value-1]
		switch x := (Illegal{set, place, kind}); {
		case !ok:
			return n.at.Errorf(0, "the solved state has no piece %d in set %s", n.value, r.Sets[set].Name)
		case r.Solved[set][place].Kind == kind:
			return n.at.Errorf(0, "the solved state has piece %d at place %d, where it is illegal", n.value, place+1)
		case !slices.Contains(r.Illegal, x):
			r.Illegal = append(r.Illegal, x)
		}
	}
	return nil
}

// skip skips a command that tells a solver how to search, up to End.
func (r *setReader) skip(what boardtext.Span) error {
	for i, l := range r.lines {
		if l.Text == "End" {
			r.lines = r.lines[i+1:]
			return nil
		}
	}
	return r.end.Errorf(0, "the text ends within the command %s of line %d: expected End", what.Text, what.Line)
}
