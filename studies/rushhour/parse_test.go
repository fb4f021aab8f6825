package rushhour

import (
	"fmt"
	"slices"

	"pagoda/puzzle/slide/formats"
	"pagoda/puzzle/slide/tray"
)

// Parse reads a board as String writes it; see formats.ParseRushHour. Vehicles must have two or three
// cells, and the goal car two.
func Parse(text string) (Board, error) {
	p, err := formats.ParseRushHour(text)
	if err != nil {
		return Board{}, err
	}
	var b Board
	if len(text) == MaxSide*MaxSide {
		b.Side = MaxSide
	}
	for at := range b.side() * b.side() {
		c := tray.Cell{Row: at / b.side(), Col: at % b.side()}
		if _, open := p.Number(c); !open {
			b.Walls |= 1 << (MaxSide*c.Row + c.Col)
		}
	}
	for i, name := range []byte(p.Pieces()) {
		cells := p.PieceCells(p.Start(), i)
		v := Vehicle{cells[0].Row, cells[0].Col, len(cells), p.Axis(i) == tray.Vertical}
		switch {
		case name == 'A' && v.Length != 2:
			return Board{}, fmt.Errorf("car A has %d cells, expected 2", v.Length)
		case v.Length > 3:
			return Board{}, fmt.Errorf("vehicle %c has %d cells, expected 2 or 3", name, v.Length)
		case name == 'A':
			b.Vehicles = slices.Insert(b.Vehicles, 0, v)
		default:
			b.Vehicles = append(b.Vehicles, v)
		}
	}
	return b, nil
}
