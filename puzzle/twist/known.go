package twist

import (
	"fmt"
	"strconv"
	"strings"

	"pagoda/puzzle"
	"pagoda/puzzle/twist/definition"
)

// The corners and edges of a cube, by the faces on which they have their stickers, clockwise. A face has a letter: up,
// right, front, down, left and back.
const (
	cubeCorners = "URF UFL ULB UBR DFR DLF DBL DRB"
	cubeEdges   = "UR UF UL UB DR DF DL DB FR FL BL BR"
)

// faceTurns are the quarter turns of the faces of a cube: where they take stickers of other faces.
var faceTurns = []string{"U FLBR", "R FUBD", "F URDL", "D FRBL", "L FDBU", "B ULDR"}

// A pieceSet is pieces of a geometry: the name of a place is the letters of the stickers there.
type pieceSet struct {
	name, places string
	turns        int
}

// geometric returns the puzzle in which moves take the letters of pieces to others. A move is its name and cycles of
// letters. It takes the pieces of the places that a function chooses.
func geometric(name string, sets []pieceSet, moves []string, takes func(move, place string) bool) *definition.Puzzle {
	p := &definition.Puzzle{Name: name}
	for _, s := range sets {
		places := strings.Fields(s.places)
		p.Sets = append(p.Sets, definition.Set{Name: s.name, Places: len(places), Turns: s.turns})
	}
	p.Solved = distinct(p.Sets)
	for _, text := range moves {
		words := strings.Fields(text)
		m := definition.Move{Name: words[0]}
		for _, s := range sets {
			places := strings.Fields(s.places)
			from := make([]definition.From, len(places))
			for i, place := range places {
				to := place
				if takes(words[0], place) {
					to = strings.Map(func(letter rune) rune { return after(words[1:], letter) }, place)
				}
				for k, other := range places {
					if turn := strings.IndexByte(other, to[0]); sameLetters(other, to) {
						from[k] = definition.From{Place: i, Turn: turn % s.turns}
					}
				}
			}
			m.Sets = append(m.Sets, from)
		}
		p.Moves = append(p.Moves, m)
	}
	return p
}

// after returns the letter to which cycles take one.
func after(cycles []string, letter rune) rune {
	for _, c := range cycles {
		if i := strings.IndexRune(c, letter); i >= 0 {
			return rune(c[(i+1)%len(c)])
		}
	}
	return letter
}

// sameLetters reports whether two names have the same letters, in any order.
func sameLetters(a, b string) bool { return len(a) == len(b) && shared(a, b) == len(a) }

// shared returns how many letters of a name another one has.
func shared(a, b string) (n int) {
	for _, letter := range a {
		if strings.ContainsRune(b, letter) {
			n++
		}
	}
	return n
}

// distinct returns the arrangement of pieces that are all different.
func distinct(sets []definition.Set) (all definition.Arrangement) {
	for _, s := range sets {
		var pieces []definition.Piece
		for i := range s.Places {
			pieces = append(pieces, definition.Piece{Kind: i})
		}
		all = append(all, pieces)
	}
	return all
}

// onFace reports whether a place is on the face that turns.
func onFace(face, place string) bool { return strings.Contains(place, face) }

// opposite takes the letters of faces to those of the opposite ones.
var opposite = strings.NewReplacer("U", "D", "D", "U", "R", "L", "L", "R", "F", "B", "B", "F")

// turning returns the puzzle of a cube that turns about corners: those of the moves. A function chooses the places.
func turning(name string, corners string, sets []pieceSet, takes func(corner, place string) bool) *definition.Puzzle {
	var moves []string
	for _, corner := range strings.Fields(corners) {
		moves = append(moves, corner+" "+corner+" "+opposite.Replace(corner))
	}
	return geometric(name, sets, moves, takes)
}

// row returns the puzzle of a row of pieces. A move gives, for each place, where its piece comes from and its turn.
func row(name string, n, turns int, moves []string, from func(move, place int) definition.From) *definition.Puzzle {
	p := &definition.Puzzle{Name: name, Sets: []definition.Set{{Name: "pieces", Places: n, Turns: turns}}}
	p.Solved = distinct(p.Sets)
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

// A known puzzle has a name. In that of a kind of puzzles, N and K are numbers.
type known struct {
	name, about string
	make        func(numbers []int) (*definition.Puzzle, error)
}

// always is make of a known puzzle without numbers.
func always(make func() *definition.Puzzle) func([]int) (*definition.Puzzle, error) {
	return func([]int) (*definition.Puzzle, error) { return make(), nil }
}

var knownPuzzles = []known{
	{"2x2x2", "the cube of 2 by 2 by 2; one corner stays where it is", always(func() *definition.Puzzle {
		return geometric("2x2x2", []pieceSet{{"corners", "URF UFL ULB UBR DFR DLF DRB", 3}}, faceTurns[:3], onFace)
	})},
	{"3x3x3-corners", "the corners of the cube of 3 by 3 by 3", always(func() *definition.Puzzle {
		return geometric("3x3x3-corners", []pieceSet{{"corners", cubeCorners, 3}}, faceTurns, onFace)
	})},
	{"3x3x3-phase1", "the cube of 3 by 3 by 3 up to turns of the corners, and which edges are in the middle layer and how they turn: the first phase of Kociemba's method", always(func() *definition.Puzzle {
		p := geometric("3x3x3-phase1", []pieceSet{{"corners", cubeCorners, 3}, {"edges", cubeEdges, 2}}, faceTurns, onFace)
		for i := range p.Solved[0] {
			p.Solved[0][i].Kind = 0
		}
		for i := range p.Solved[1] {
			p.Solved[1][i].Kind = i / 8
		}
		return p
	})},
	{"3x3x3-two-faces", "the cube of 3 by 3 by 3 by turns of two faces that meet", always(func() *definition.Puzzle {
		return geometric("3x3x3-two-faces", []pieceSet{{"corners", "URF UFL ULB UBR DFR DRB", 3}, {"edges", "UR UF UL UB DR FR BR", 1}}, faceTurns[:2], onFace)
	})},
	{"pyraminx", "the Pyraminx without its tips", always(func() *definition.Puzzle {
		// A letter is the face opposite a corner.
		return geometric("pyraminx", []pieceSet{{"edges", "UL UR UB LR LB RB", 2}, {"axes", "LRB UBR ULB URL", 3}},
			[]string{"U LRB", "L UBR", "R ULB", "B URL"}, func(corner, place string) bool { return !strings.Contains(place, corner) })
	})},
	{"skewb", "the Skewb; one corner stays where it is", always(func() *definition.Puzzle {
		return turning("skewb", "URF DFR UBR UFL", []pieceSet{{"corners", "URF UFL ULB UBR DFR DLF DRB", 3}, {"centres", "U R F D L B", 1}},
			func(corner, place string) bool { return shared(place, corner) > len(place)/2 })
	})},
	{"dino", "the Dino Cube; one edge stays where it is", always(func() *definition.Puzzle {
		return turning("dino", "ULB UBR DFR DLF DBL DRB", []pieceSet{{"edges", "UR UL UB DR DF DL DB FR FL BL BR", 1}},
			func(corner, place string) bool { return shared(place, corner) == 2 })
	})},
	{"ivy", "the Ivy Cube", always(func() *definition.Puzzle {
		return turning("ivy", "URF ULB DLF DRB", []pieceSet{{"corners", "URF ULB DLF DRB", 3}, {"centres", "U R F D L B", 1}},
			func(corner, place string) bool { return shared(place, corner) == len(place) })
	})},
	{"topspin-N-K", "TopSpin: N pieces in a ring, K of which are flipped", func(n []int) (*definition.Puzzle, error) {
		if n[1] < 2 || n[1] > n[0] {
			return nil, fmt.Errorf("%w: a flip takes 2 pieces or more, and at most all", errNumbers)
		}
		return row(fmt.Sprintf("topspin-%d-%d", n[0], n[1]), n[0], 1, []string{"R", "F"}, func(move, place int) definition.From {
			switch {
			case move == 0:
				return definition.From{Place: (place + n[0] - 1) % n[0]}
			case place < n[1]:
				return definition.From{Place: n[1] - 1 - place}
			}
			return definition.From{Place: place}
		}), nil
	}},
	{"pancake-N", "a stack of N pancakes", func(n []int) (*definition.Puzzle, error) {
		return row(fmt.Sprintf("pancake-%d", n[0]), n[0], 1, flips(2, n[0]), func(move, place int) definition.From {
			if last := move + 1; place <= last {
				return definition.From{Place: last - place}
			}
			return definition.From{Place: place}
		}), nil
	}},
	{"burnt-pancake-N", "a stack of N pancakes that are burnt on one side", func(n []int) (*definition.Puzzle, error) {
		return row(fmt.Sprintf("burnt-pancake-%d", n[0]), n[0], 2, flips(1, n[0]), func(move, place int) definition.From {
			if place <= move {
				return definition.From{Place: move - place, Turn: 1}
			}
			return definition.From{Place: place}
		}), nil
	}},
}

// shown are the numbers of puzzles that people should know, by their names.
var shown = map[string]string{"topspin-N-K": "topspin-10-4", "pancake-N": "pancake-9", "burnt-pancake-N": "burnt-pancake-7"}

// errNumbers is the error of numbers that no puzzle has.
var errNumbers = fmt.Errorf("these numbers make no puzzle")

// entries lists spaces that people should know.
func entries() (all []puzzle.Entry) {
	for _, k := range knownPuzzles {
		name := k.name
		if one, ok := shown[name]; ok {
			name = one
		}
		all = append(all, puzzle.Entry{Name: FamilyName + "/" + name, About: k.about})
	}
	return all
}

// find returns the puzzle of a name without the family, or nil.
func find(name string) (*definition.Puzzle, error) {
	words := strings.Split(name, "-")
	for _, k := range knownPuzzles {
		pattern := strings.Split(k.name, "-")
		if len(pattern) != len(words) {
			continue
		}
		var numbers []int
		fits := true
		for i, word := range pattern {
			if word == "N" || word == "K" {
				n, err := strconv.Atoi(words[i])
				fits = fits && err == nil && n > 0 && strconv.Itoa(n) == words[i]
				numbers = append(numbers, n)
			} else {
				fits = fits && word == words[i]
			}
		}
		if fits {
			return k.make(numbers)
		}
	}
	return nil, nil
}
