package census

import (
	"fmt"

	"pagoda/studies/rushhour"
)

// A Key identifies a board of a size. Its digits are the words of the rows, then of the columns, the first one the
// lowest.
type Key uint64

// digit returns the word of digit 0 of a line that has some number of words, and the base. Up to 6 columns, a digit has
// five bits. With 7, the key has no room for that, nor for words that the row of the goal car cannot have.
func (z Size) digit(line, words int) (first int, base Key) {
	switch {
	case z.Cols <= rushhour.Side:
		return 0, lanes
	case line == z.Exit:
		return 1, Key(z.Cols - 1) // the words with one car are behind the empty one
	}
	return 0, Key(words)
}

// key returns the key of a lane of a block.
func (s *searcher) key(c code, lane int) Key {
	f := &s.part.fillings[c>>fillingShift]
	k := Key(0)
	for line := s.Rows + s.Cols - 1; line >= 0; line-- {
		word, all := lane, s.down
		switch {
		case line < s.Rows:
			word, all = s.part.choices[line][0]+int(f.digits[line]), s.across
		case line > s.Rows:
			word = c.word(line - s.Rows)
		}
		first, base := s.digit(line, len(all))
		k = k*base + Key(word-first)
	}
	return k
}

// Board returns the board of a key. A board of a smaller size has walls to the left of it and below.
func (z Size) Board(key Key) (rushhour.Board, error) {
	across, down := words(z.Cols), words(z.Rows)
	b := rushhour.Board{Side: z.Side()}
	left := b.Side - z.Cols
	for row := range b.Side {
		for col := range b.Side {
			if row >= z.Rows || col < left || z.wall(row, col-left) {
				b.Walls |= 1 << (MaxSide*row + col)
			}
		}
	}
	rest := key
	for line := range z.Rows + z.Cols {
		all := across
		if line >= z.Rows {
			all = down
		}
		first, base := z.digit(line, len(all))
		w := first + int(rest%base)
		rest /= base
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
	if rest != 0 {
		return b, fmt.Errorf("%d is no key: it is too large", key)
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
	turned := rushhour.Board{Walls: b.Walls &^ (1<<(MaxSide*z.Rows) - 1), Side: b.Side}
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
