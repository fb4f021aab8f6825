package lunar

import (
	"pagoda/internal/lists"
	"pagoda/puzzle/lunar/board"
	"pagoda/statespace"
	"pagoda/statespace/cells"
)

// What can be in a cell.
const (
	emptyContent = iota
	letterContent
	numberContent
	contents
)

// Cells implements cells.Celled.
func (s *Placements) Cells() []cells.Cell { return s.b.Cells() }

// Contents implements cells.Celled.
func (s *Placements) Contents() int { return contents }

// State implements cells.Celled.
func (s *Placements) State(dst cells.Pattern, x statespace.Index) {
	p := s.position(x)
	for i := range dst {
		dst[i] = emptyContent + letterContent*int8(p.Letters>>i&1) + numberContent*int8(p.Numbers>>i&1)
	}
}

// ParsePattern implements cells.Celled.
func (s *Placements) ParsePattern(text string) (cells.Pattern, error) {
	drawn, err := s.b.Drawn(text, true)
	if err != nil {
		return nil, err
	}
	p := make(cells.Pattern, len(drawn))
	for i, ch := range drawn {
		switch {
		case ch == board.OpenChar:
			p[i] = cells.Any
		case board.IsLetter(ch):
			p[i] = letterContent
		case board.IsNumber(ch):
			p[i] = numberContent
		}
	}
	return p, nil
}

// FormatPattern implements cells.Celled.
func (s *Placements) FormatPattern(p cells.Pattern) string {
	return s.b.Draw(func(cell int) byte {
		switch p[cell] {
		case cells.Any:
			return board.OpenChar
		case letterContent:
			return board.LetterNames[0]
		case numberContent:
			return 'o'
		}
		return s.b.EmptyAt(cell)
	})
}

func (s *Placements) mirrors() []statespace.Symmetry {
	return lists.Map(s.b.Turns(), func(turn []int) statespace.Symmetry { return symmetry{s.numbering, turn} })
}

// A symmetry turns the board.
type symmetry struct {
	*numbering
	turn []int
}

// Map implements statespace.Symmetry.
func (s symmetry) Map(x statespace.Index) statespace.Index {
	return s.number(s.position(x).Turned(s.turn))
}
