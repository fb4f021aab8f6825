package definition

import (
	"strconv"
	"strings"

	"pagoda/statespace/boardtext"
)

// readCycles reads moves in cycles.
func (b *builder) readCycles(text string) error {
	type move struct {
		name   boardtext.Span
		cycles [][]number
	}
	var (
		moves  []move
		solved boardtext.Span
		most   number // the largest that is written
	)
	for _, l := range boardtext.Lines(text) {
		l.Text, _, _ = strings.Cut(l.Text, "#")
		if l = l.Trim(); l.Text == "" {
			continue
		}
		b.end = l
		before, after, isMove := strings.Cut(l.Text, "=")
		if key, value, ok := strings.Cut(l.Text, ":"); ok && !isMove {
			switch value := strings.TrimSpace(value); {
			case key == "name" && b.Name == "" && value != "":
				b.Name = value
			case key == "solved" && solved.Text == "" && value != "":
				solved = l.From(len(l.Text) - len(value))
			default:
				return l.Errorf(0, "expected name: or solved:, each once, and its text behind it, found %.40q", l.Text)
			}
			continue
		}
		name := boardtext.Span{Line: l.Line, Col: l.Col, Text: strings.TrimSpace(strings.TrimSuffix(before, ":"))}
		if !isMove || len(strings.Fields(name.Text)) != 1 {
			return l.Errorf(0, "expected a move in cycles, such as R = (1 3 8 6)(2 5 7 4), found %.40q", l.Text)
		}
		cycles, err := readMove(l.From(len(l.Text) - len(after)))
		if err != nil {
			return err
		}
		for _, cycle := range cycles {
			for _, n := range cycle {
				if n.value > most.value {
					most = n
				}
			}
		}
		moves = append(moves, move{name, cycles})
	}
	set := Set{"pieces", most.value, 1}
	var colours []number
	for i, ch := range solved.Text {
		if ch != ' ' && ch != '\t' {
			colours = append(colours, number{solved.From(i), int(ch)})
		}
	}
	if solved.Text != "" {
		if set.Places = len(colours); most.value > set.Places {
			return most.at.Errorf(0, "there is no place %d: line %d has the colours of %d places", most.value, solved.Line, set.Places)
		}
	}
	if err := b.addSet(b.end, set); err != nil {
		return err
	}
	if solved.Text != "" {
		if err := b.solve(solved, 0, colours, nil, 0); err != nil {
			return err
		}
	}
	for _, m := range moves {
		does := b.still()
		for _, cycle := range m.cycles {
			for i, n := range cycle {
				does[0][cycle[(i+1)%len(cycle)].value-1].Place = n.value - 1
			}
		}
		if err := b.name(m.name, m.name.Text, "", does); err != nil {
			return err
		}
	}
	return nil
}

// readMove reads cycles, such as (1 3 8 6)(2,5,7,4). Each number takes its piece to the place of the next one.
func readMove(l boardtext.Span) (cycles [][]number, err error) {
	l = l.Trim()
	l.Text = strings.TrimRight(l.Text, ";, \t")
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
		cycles = append(cycles, cycle)
		l = l.From(end + 1).Trim()
	}
	if cycles == nil {
		return nil, l.Errorf(0, "expected cycles behind =, such as (1 3 8 6)(2 5 7 4), or () for a move that moves nothing")
	}
	return cycles, nil
}
