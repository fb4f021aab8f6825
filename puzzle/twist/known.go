package twist

import (
	"strconv"
	"strings"

	"pagoda/puzzle"
	"pagoda/puzzle/twist/definition"
)

// row returns the puzzle of a row of pieces. A move gives, for each place, where its piece comes from and its turn.
func row(name string, n, turns int, moves []string, from func(move, place int) definition.From) *definition.Puzzle {
	p := &definition.Puzzle{Name: name, Sets: []definition.Set{{Name: "pieces", Places: n, Turns: turns}}}
	p.Solved = definition.Arrangement{nil}
	for k := range n {
		p.Solved[0] = append(p.Solved[0], definition.Piece{Kind: k})
	}
	for i, move := range moves {
		var all []definition.From
		for k := range n {
			all = append(all, from(i, k))
		}
		p.Moves = append(p.Moves, definition.Move{Name: move, Sets: [][]definition.From{all}})
	}
	return p
}

// flips returns the names of moves that flip the first pieces of n, from some number on.
func flips(least, n int) (names []string) {
	for k := least; k <= n; k++ {
		names = append(names, "F"+strconv.Itoa(k))
	}
	return names
}

// abouts say what the puzzles are whose definitions come with package definition.
var abouts = map[string]string{
	"2x2x2":         "the cube of 2 by 2 by 2",
	"3x3x3":         "the cube of 3 by 3 by 3",
	"3x3x3-corners": "the corners of the cube of 3 by 3 by 3",
	"3x3x3-phase-1": "the first phase of Kociemba's method for the cube of 3 by 3 by 3",
	"3x3x3-phase-2": "the second phase of Kociemba's method for the cube of 3 by 3 by 3",
	"dino":          "the Dino Cube",
	"gear":          "the Gear Cube",
	"ivy":           "the Ivy Cube",
	"m24":           "a group of 244,823,040 orders of 24 pieces, found by Mathieu",
	"pyraminx":      "the Pyraminx without its tips",
	"skewb":         "the Skewb",
}

// A kind of puzzles has names with numbers, at N and K.
type kind struct {
	name, about, shown string // the last two are of one of them
	make               func(name string, n []int) *definition.Puzzle
}

var kinds = []kind{
	{"topspin-N-K", "TopSpin: 10 pieces in a ring, flipped 4 at a time", "topspin-10-4", func(name string, n []int) *definition.Puzzle {
		return row(name, n[0], 1, []string{"R", "F"}, func(move, place int) definition.From {
			switch {
			case move == 0:
				return definition.From{Place: (place + n[0] - 1) % n[0]}
			case place < n[1]:
				return definition.From{Place: n[1] - 1 - place}
			}
			return definition.From{Place: place}
		})
	}},
	{"pancake-N", "a stack of 9 pancakes", "pancake-9", func(name string, n []int) *definition.Puzzle {
		return row(name, n[0], 1, flips(2, n[0]), func(move, place int) definition.From {
			if last := move + 1; place <= last {
				return definition.From{Place: last - place}
			}
			return definition.From{Place: place}
		})
	}},
	{"burnt-pancake-N", "a stack of 7 pancakes that are burnt on one side", "burnt-pancake-7", func(name string, n []int) *definition.Puzzle {
		return row(name, n[0], 2, flips(1, n[0]), func(move, place int) definition.From {
			if place <= move {
				return definition.From{Place: move - place, Turn: 1}
			}
			return definition.From{Place: place}
		})
	}},
}

// entries lists spaces that people should know.
func entries() (all []puzzle.Entry) {
	for _, name := range definition.Names() {
		all = append(all, puzzle.Entry{Name: FamilyName + "/" + name, About: abouts[name], Text: func() string {
			text, _ := definition.Named(name)
			return text
		}})
	}
	for _, k := range kinds {
		all = append(all, puzzle.Entry{Name: FamilyName + "/" + k.shown, About: k.about})
	}
	return all
}

// find returns the puzzle of a name without the family, or nil.
func find(name string) (*definition.Puzzle, error) {
	if text, ok := definition.Named(name); ok {
		return definition.Parse(text)
	}
	words := strings.Split(name, "-")
	for _, k := range kinds {
		pattern := strings.Split(k.name, "-")
		if len(pattern) != len(words) {
			continue
		}
		var numbers []int
		fits := true
		for i, word := range pattern {
			if word != "N" && word != "K" {
				fits = fits && word == words[i]
				continue
			}
			n, err := strconv.Atoi(words[i])
			numbers = append(numbers, n)
			fits = fits && err == nil && n > 0 && n <= mostPlaces && n <= numbers[0] && strconv.Itoa(n) == words[i]
		}
		if fits {
			return k.make(name, numbers), nil
		}
	}
	return nil, nil
}
