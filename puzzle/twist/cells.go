package twist

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pagoda/internal/amount"
	"pagoda/puzzle/twist/definition"
	"pagoda/statespace"
	"pagoda/statespace/cells"
)

// mostContents bounds the contents of a cell, as cells.Celled does.
const mostContents = 127

// Cells implements cells.Celled: the places, a set in each row.
func (s *Space) Cells() (all []cells.Cell) {
	for place, set := range s.setOf {
		all = append(all, cells.Cell{Row: int(set), Col: place - s.first[set]})
	}
	return all
}

// kinds and most are the greatest numbers of kinds and of turns of a set.
func (m *model) most() (kinds, turns int) {
	for i, set := range m.Sets {
		turns = max(turns, set.Turns)
		for _, p := range m.Solved[i] {
			kinds = max(kinds, p.Kind+1)
		}
	}
	return kinds, turns
}

// Contents implements cells.Celled: a kind with a turn.
func (s *Space) Contents() int {
	kinds, turns := s.most()
	return kinds * turns
}

// State implements cells.Celled.
func (s *Space) State(dst cells.Pattern, x statespace.Index) {
	_, turns := s.most()
	for place, p := range s.pieces(s.unrank(x)) {
		dst[place] = int8(p.Kind*turns + max(0, p.Turn))
	}
}

// pieces returns the pieces of a state, at all places.
func (m *model) pieces(state []uint8) (all []definition.Piece) {
	for place, set := range m.setOf {
		all = append(all, m.full.sets[set].pieces[m.full.codeAt(state, place)])
	}
	return all
}

// FormatPattern implements cells.Celled: the pieces of a set by their kinds from 1 on, each with its turn.
func (s *Space) FormatPattern(p cells.Pattern) string {
	_, turns := s.most()
	return s.inSets(func(place int) string {
		if p[place] == cells.Any {
			return open
		}
		return formatPiece(definition.Piece{Kind: int(p[place]) / turns, Turn: int(p[place]) % turns})
	})
}

// open is written for a place of a pattern where any piece may be.
const open = "?"

// inSets writes places set by set.
func (s *Space) inSets(at func(place int) string) string {
	var sets []string
	for i, set := range s.Sets {
		var all []string
		for k := range set.Places {
			all = append(all, at(s.first[i]+k))
		}
		sets = append(sets, strings.Join(all, ","))
	}
	return strings.Join(sets, "/")
}

// formatPiece writes a piece: 3+1 is of the third kind, turned once.
func formatPiece(p definition.Piece) string {
	if p.Turn > 0 {
		return fmt.Sprintf("%d+%d", p.Kind+1, p.Turn)
	}
	return strconv.Itoa(p.Kind + 1)
}

// Format implements statespace.Space: as FormatPattern.
func (s *Space) Format(x statespace.Index) string { return s.format(s.unrank(x)) }

// format writes a state.
func (s *Space) format(state []uint8) string {
	all := s.pieces(state)
	return s.inSets(func(place int) string { return formatPiece(all[place]) })
}

// ParsePattern implements cells.Celled.
func (s *Space) ParsePattern(text string) (cells.Pattern, error) {
	p := make(cells.Pattern, len(s.setOf))
	kinds, turns := s.most()
	err := s.eachPiece(text, func(place int, word string) error {
		if word == open {
			p[place] = cells.Any
			return nil
		}
		piece, err := parsePiece(word)
		if err != nil || piece.Kind < 0 || piece.Kind >= kinds || piece.Turn < 0 || piece.Turn >= turns {
			return fmt.Errorf("expected a kind from 1 to %d, with a turn such as 1+1, or %s, found %.40q", kinds, open, word)
		}
		p[place] = int8(piece.Kind*turns + piece.Turn)
		return nil
	})
	return p, err
}

// eachPiece calls do with each place and what a text has there.
func (s *Space) eachPiece(text string, do func(place int, word string) error) error {
	sets := strings.Split(text, "/")
	if len(sets) != len(s.Sets) {
		return fmt.Errorf("expected the pieces of %s with / between them, found %d", amount.Of(len(s.Sets), "set"), len(sets))
	}
	for i, set := range s.Sets {
		all := strings.FieldsFunc(sets[i], func(r rune) bool { return r == ',' || r == ' ' })
		if len(all) != set.Places {
			return fmt.Errorf("the set %s has %s, found %d", set.Name, amount.Of(set.Places, "place"), len(all))
		}
		for k, word := range all {
			if err := do(s.first[i]+k, word); err != nil {
				return fmt.Errorf("place %d of the set %s: %w", k+1, set.Name, err)
			}
		}
	}
	return nil
}

// parsePiece reads what formatPiece writes.
func parsePiece(word string) (p definition.Piece, err error) {
	kind, turn, turned := strings.Cut(word, "+")
	if p.Kind, err = strconv.Atoi(kind); turned && err == nil {
		p.Turn, err = strconv.Atoi(turn)
	}
	p.Kind--
	return p, err
}

// parseState reads what Format writes.
func (s *Space) parseState(text string) (state []uint8, err error) {
	state = make([]uint8, len(s.full.places))
	left := make([]map[int]int, len(s.Sets)) // by set and kind: pieces that are not there yet
	for i := range s.Sets {
		left[i] = make(map[int]int)
		for _, p := range s.Solved[i] {
			left[i][p.Kind]++
		}
	}
	return state, s.eachPiece(text, func(place int, word string) error {
		p, err := parsePiece(word)
		set := s.setOf[place]
		c := &s.full.sets[set]
		code := slices.Index(c.pieces, p)
		if code < 0 && p.Turn == 0 {
			code = slices.Index(c.pieces, definition.Piece{Kind: p.Kind, Turn: definition.Any})
		}
		if err != nil || code < 0 {
			return fmt.Errorf("expected a kind of the set with a turn from 0 to %d, such as %s, found %.40q", s.Sets[set].Turns-1, formatPiece(c.pieces[len(c.pieces)-1]), word)
		}
		if left[set][p.Kind]--; left[set][p.Kind] < 0 {
			return fmt.Errorf("there are fewer pieces of the kind %d", p.Kind+1)
		}
		if len(c.pieces) > 1 {
			state[s.full.at[place]] = uint8(code)
		}
		return nil
	})
}
