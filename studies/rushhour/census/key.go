package census

import (
	"fmt"

	"pagoda/studies/rushhour"
)

// A Key identifies a board of a size: five bits for the word of each row, then of each column.
type Key uint64

func (k Key) word(line int) int { return int(k >> (wordBits * line) & (lanes - 1)) }

// key returns the key of a lane of a block.
func (s *searcher) key(c code, lane int) Key {
	f := &s.part.fillings[c>>fillingShift]
	var k Key
	for row := range s.Rows {
		k |= Key(s.part.choices[row][0]+int(f.digits[row])) << (wordBits * row)
	}
	for col := range s.Cols - 1 {
		k |= Key(c.word(col)) << (wordBits * (s.Rows + col))
	}
	return k | Key(lane)<<(wordBits*(s.Rows+s.Cols-1))
}

// Board returns the board of a key. A board of a smaller size has walls to the left of it and below.
func (z Size) Board(key Key) (rushhour.Board, error) {
	across, down := words(z.Cols), words(z.Rows)
	var b rushhour.Board
	left := rushhour.Side - z.Cols
	for row := range rushhour.Side {
		for col := range rushhour.Side {
			if row >= z.Rows || col < left {
				b.Walls |= 1 << (rushhour.Side*row + col)
			}
		}
	}
	b.Walls |= z.Walls << left
	for line := range z.Rows + z.Cols {
		all := across
		if line >= z.Rows {
			all = down
		}
		w := key.word(line)
		if w >= len(all) || line == z.Exit && (all[w].vehicles != 1 || all[w].lengths[0] != 2) {
			return b, fmt.Errorf("%d is no key: line %d has no word %d", key, line, w)
		}
		for i, at := range all[w].starts {
			v := rushhour.Vehicle{Row: line, Col: left + at, Length: all[w].lengths[i]}
			if line >= z.Rows {
				v = rushhour.Vehicle{Row: at, Col: left + line - z.Rows, Length: all[w].lengths[i], Vertical: true}
			}
			b.Vehicles = append(b.Vehicles, v)
			if line == z.Exit {
				last := len(b.Vehicles) - 1
				b.Vehicles[0], b.Vehicles[last] = b.Vehicles[last], b.Vehicles[0]
			}
		}
	}
	if key>>(wordBits*(z.Rows+z.Cols)) != 0 {
		return b, fmt.Errorf("%d is no key: it has too many bits", key)
	}
	return b, b.Check()
}

// Component returns a text that two boards share exactly if one can be reached from the other, or from its
// reflection. Boards can be reflected from top to bottom if the goal car is in the middle row.
func (z Size) Component(s *rushhour.Searcher, b rushhour.Board) (string, error) {
	c, err := s.Explore(b)
	if err != nil {
		return "", err
	}
	least := c.Least().String()
	if z.Exit != z.Rows-1-z.Exit {
		return least, nil
	}
	turned := rushhour.Board{Walls: b.Walls &^ (1<<(MaxSide*z.Rows) - 1)}
	for row := range z.Rows {
		turned.Walls |= b.Walls >> (MaxSide * row) & (1<<MaxSide - 1) << (MaxSide * (z.Rows - 1 - row))
	}
	for _, v := range b.Vehicles {
		rows := 1
		if v.Vertical {
			rows = v.Length
		}
		v.Row = z.Rows - rows - v.Row
		turned.Vehicles = append(turned.Vehicles, v)
	}
	if c, err = s.Explore(turned); err != nil {
		return "", err
	}
	return min(least, c.Least().String()), nil
}
