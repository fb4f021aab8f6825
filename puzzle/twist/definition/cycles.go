package definition

import (
	"strconv"
	"strings"

	"pagoda/statespace/boardtext"
)

// readCycles reads moves in cycles.
func (b *builder) readCycles(text string) error {
	type move struct {
		name  boardtext.Span
		steps []step
	}
	var (
		moves    []move
		solved   boardtext.Span
		colours  []number
		expected = "expected a move in cycles, such as R = (1 3 8 6)(2 5 7 4), or once name: or solved: with a text, found %.40q"
	)
	for _, l := range boardtext.Lines(text) {
		l.Text, _, _ = strings.Cut(l.Text, "#")
		if l = l.Trim(); l.Text == "" {
			continue
		}
		b.end = l
		key, value, _ := strings.Cut(l.Text, ":")
		switch value = strings.TrimSpace(value); {
		case key == "name" && b.Name == "" && value != "":
			b.Name = value
			continue
		case key == "solved" && colours == nil && value != "":
			solved = l
			for _, ch := range strings.Join(strings.Fields(value), "") {
				colours = append(colours, number{l, int(ch)})
			}
			continue
		}
		name, cycles, isMove := strings.Cut(l.Text, "=")
		at := l
		if at.Text = strings.TrimSpace(strings.TrimSuffix(name, ":")); !isMove || len(at.Words()) != 1 {
			return l.Errorf(0, expected, l.Text)
		}
		steps, err := readMove(l.From(len(l.Text) - len(cycles)))
		if err != nil {
			return err
		}
		moves = append(moves, move{at, steps})
	}
	places := len(colours)
	for _, m := range moves {
		for _, s := range m.steps {
			if colours != nil && s.from.value > len(colours) {
				return s.from.at.Errorf(0, "there is no place %d: line %d has the colours of %d places", s.from.value, solved.Line, len(colours))
			}
			places = max(places, s.from.value)
		}
	}
	err := b.addSet(b.end, Set{"pieces", places, 1})
	if err == nil && colours != nil {
		err = b.solve(solved, 0, colours, nil, 0)
	}
	for _, m := range moves {
		if err != nil {
			return err
		}
		does := b.still()
		for _, s := range m.steps {
			does[0][s.to.value-1].Place = s.from.value - 1
		}
		err = b.name(m.name, m.name.Text, "", does)
	}
	return err
}

// A step takes the piece of a place to another place.
type step struct{ from, to number }

// readMove reads cycles, such as (1 3 8 6)(2,5,7,4). Each number takes its piece to the place of the next one.
func readMove(l boardtext.Span) (steps []step, err error) {
	l.Text = strings.TrimRight(l.Text, ";, \t")
	if l = l.Trim(); l.Text == "" {
		return nil, l.Errorf(0, "expected cycles behind =, such as (1 3 8 6)(2 5 7 4), or () for a move that moves nothing")
	}
	seen := make(map[int]bool)
	for l.Text != "" {
		end := strings.IndexByte(l.Text, ')')
		if l.Text[0] != '(' || end < 0 {
			return nil, l.Errorf(0, "expected a cycle in brackets, such as (1 3 8 6), found %.40q", l.Text)
		}
		inside := l.From(1)
		inside.Text = strings.ReplaceAll(inside.Text[:end-1], ",", " ")
		var cycle []number
		for _, w := range inside.Words() {
			v, err := strconv.Atoi(w.Text)
			if err != nil || v < 1 || v > MaxPlaces {
				return nil, w.Errorf(0, "expected the number of a place, from 1 to %d, found %.40q", MaxPlaces, w.Text)
			}
			if seen[v] {
				return nil, w.Errorf(0, "%d is there twice: a move takes each piece to one place", v)
			}
			seen[v] = true
			cycle = append(cycle, number{w, v})
		}
		for i, n := range cycle {
			steps = append(steps, step{n, cycle[(i+1)%len(cycle)]})
		}
		l = l.From(end + 1).Trim()
	}
	return steps, nil
}
