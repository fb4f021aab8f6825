package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
)

const head = `# The hardest sliding-block puzzles

Which sliding-block puzzle takes the most moves? This page has the answer for small boards, for each number of pieces. A piece may be
any set of cells that touch by edges. One of them, the goal piece A, starts in the upper left corner and must get to the lower right
corner. Pieces of the same shape are interchangeable, except A. N. Bickford calls such puzzles "simple simple simple"; he [searched 4x4 in
moves](https://nbickford.wordpress.com/2012/01/22/sliding-block-puzzles-part-3/).

` + "`reach find 4x4`" + ` searches a board: see [commands](../reference/commands.md#reach-find). It searches all
puzzles of the board at once and leaves out only reflections and rotations: see
[how it works](../explanation/how-it-works.md). So no puzzle of these boards is harder.

All lengths and puzzles are in [hardest.csv](../data/hardest.csv), a row for each board, goal, metric and number of pieces:

| column | |
|---|---|
| board | rows x columns, or floors x rows x columns |
| goal | strict: A must cover the corner cell. loose: the smallest rectangle around A must touch the corner. from-anywhere: A may start anywhere, and the goal is strict. to-anywhere: any place may be its goal. anywhere: both may be anywhere |
| metric | steps: a move is one piece by one cell. lines: in a straight line. moves: along any path |
| pieces, length | the number of pieces, A among them, and the length of the shortest solution of the hardest puzzles |
| starts | how many hardest puzzles there are, up to symmetry |
| solutions, puzzle | the number of shortest solutions, and the puzzle: one of those with the fewest. ` + "`reach solve`" + ` reads it |

[Two pieces](two-pieces.md) have a page of their own. [hardest-boards.csv](../data/hardest-boards.csv) has the sizes of the searches: the placements in which A is at the goal and can leave
it by a step (just_solved), and all that were searched.
`

const verified = `
## 4x5, under way

The search of 4x5 in moves looks through 49,566,313,014 placements in 221 parts. One thread makes 3 million placements a second, so it takes
about five hours. The journals have the parts that are done: [4x5-moves.find](../data/4x5-moves.find) 103 of them and
[4x5-moves-strict.find](../data/4x5-moves-strict.find) 94. These commands go on:

    reach find 4x5 --strict=false --checkpoint docs/data/4x5-moves.find
    reach find 4x5 --checkpoint docs/data/4x5-moves-strict.find

## What was verified

- ` + "`reach solve`" + ` found the same length for every hardest puzzle. It shares no code with the search. A checker replayed the
  solutions that were printed.
- The lengths of 4x4 in moves are those that Bickford published: 1, 4, 9, 19, 36, 51, 62, 89, 132, 81, 64, 73, 61, 25 and 21 for 1 to
  15 pieces. So is the number of placements that are just solved, %s.
- A plain search, one component after the other, agrees on small boards in all metrics, also with walls and floors.
- With 2x9 and 2x2x4, a search of the goals that are loose and not strict was added to the strict one. On smaller boards this gives the same.
- The results do not depend on the number of threads. A board has the same results as its reflections and rotations.
- Tests solve each puzzle of the data again. ` + "`scripts/reproduce-hardest.sh`" + ` searches the boards again and compares.
`

// page returns the page.
func (r *results) page() (string, error) {
	var s strings.Builder
	s.WriteString(head)
	if err := r.summary(&s); err != nil {
		return "", err
	}
	r.part(&s)
	r.differences(&s)
	r.boxes(&s)
	r.anywhere(&s)
	s.WriteString("\n## Pictures\n\nEach picture has the hardest puzzles of a board in moves with a strict goal. *9: 132* below a puzzle says that it has 9 pieces and\ntakes 132 moves.\n")
	for _, board := range boards {
		fmt.Fprintf(&s, "\n### %s\n\n![Puzzles of %s](../pictures/hardest-%s.svg)\n", board, board, board)
	}
	fmt.Fprintf(&s, verified, humanize.Comma(int64(r.sizes[[2]string{"4x4", strict}].solved)))
	return s.String(), nil
}

// summary writes the greatest length of each board and metric, and the puzzles of the library that have it.
func (r *results) summary(s *strings.Builder) error {
	s.WriteString("\n## The hardest of each board\n\nThe greatest length with a strict goal, and the number of pieces that it takes. The library has these puzzles:\n`reach solve slide/hardest-3x4`.\n\n" +
		"| board | steps | lines | moves | in the library |\n|---|---|---|---|---|\n")
	for _, board := range boards {
		all, err := r.records(board)
		if err != nil {
			return fmt.Errorf("%s: %w", board, err)
		}
		if all == nil {
			continue
		}
		fmt.Fprintf(s, "| [%s](#%s) ", board, board)
		for _, metric := range metrics {
			if best := r.hardest(key{board, strict, metric}); best != nil {
				fmt.Fprintf(s, "| %d with %d ", best.Length, best.Pieces)
			} else {
				s.WriteString("| not searched ")
			}
		}
		var names []string
		for _, one := range all {
			names = append(names, fmt.Sprintf("`slide/%s`", one.name))
		}
		fmt.Fprintf(s, "| %s |\n", strings.Join(names, ", "))
	}
	return nil
}

// part writes what is known of boards that were searched with some numbers of pieces only.
func (r *results) part(s *strings.Builder) {
	s.WriteString("\n## Larger boards, in part\n\nThese boards were searched with some numbers of pieces only, with a strict goal. *2: 8* says that the hardest puzzles with 2 pieces take\n8 moves.\n\n| board | metric | hardest |\n|---|---|---|\n")
	for _, board := range boards {
		for _, metric := range metrics {
			k := key{board, strict, metric}
			if r.found[k] == nil || r.hardest(k) != nil {
				continue
			}
			fmt.Fprintf(s, "| %s | %s | %s |\n", board, metric, r.lengths(k))
		}
	}
}

// lengths returns the greatest lengths of a search by number of pieces.
func (r *results) lengths(k key) string {
	var all []string
	for _, one := range r.found[k] {
		all = append(all, fmt.Sprintf("%d: %d", one.Pieces, one.Length))
	}
	return strings.Join(all, ", ")
}

// differences writes where the goals that are not strict give other lengths.
func (r *results) differences(s *strings.Builder) {
	s.WriteString(`
## Strict and loose goals

A loose goal allows more goal pieces: those that do not cover the corner of the smallest rectangle around them. So the hardest
puzzle is at least as hard. It is harder here:

| board | metric | pieces | strict | loose |
|---|---|---:|---:|---:|
`)
	for _, board := range boards {
		for _, metric := range metrics {
			for _, one := range r.found[key{board, loose, metric}] {
				length := 0
				if other := r.at(key{board, strict, metric}, one.Pieces); other != nil {
					length = other.Length
				}
				if length != one.Length {
					fmt.Fprintf(s, "| %s | %s | %d | %d | %d |\n", board, metric, one.Pieces, length, one.Length)
				}
			}
		}
	}
}

// boxes compares boxes with boards of one floor that have as many cells.
func (r *results) boxes(s *strings.Builder) {
	s.WriteString(`
## Several floors

In a box, pieces also move up and down between floors, and their cells touch by faces. We know of no other search of all puzzles of
a box. A cell of a box has more neighbours than one of a board, so there are more shapes of pieces, but also more ways around. The
greatest lengths in moves with a strict goal:

| box | length | boards with as many cells |
|---|---:|---|
`)
	for _, box := range boards {
		most := r.hardest(key{box, strict, "moves"})
		if strings.Count(box, "x") < 2 || most == nil {
			continue
		}
		var flat []string
		for _, board := range boards {
			if other := r.hardest(key{board, strict, "moves"}); other != nil && strings.Count(board, "x") == 1 && cells(board) == cells(box) {
				flat = append(flat, fmt.Sprintf("%s: %d", board, other.Length))
			}
		}
		fmt.Fprintf(s, "| %s | %d | %s |\n", box, most.Length, strings.Join(flat, ", "))
	}
}

// anywhere writes what was found with goals that are not from corner to corner.
func (r *results) anywhere(s *strings.Builder) {
	s.WriteString(`
## From anywhere, to anywhere

With ` + "`--from anywhere`" + ` A may start at any place. With ` + "`--to anywhere`" + ` any place may be its goal. The greatest lengths in moves:

| board | corner to corner | anywhere to corner | corner to anywhere | anywhere to anywhere |
|---|---:|---:|---:|---:|
`)
	kinds := []string{strict, fromAnywhere, toAnywhere, bothAnywhere}
	for _, board := range boards {
		if slices.ContainsFunc(kinds, func(goal string) bool { return r.hardest(key{board, goal, "moves"}) == nil }) {
			continue
		}
		fmt.Fprintf(s, "| %s ", board)
		for _, goal := range kinds {
			fmt.Fprintf(s, "| %d ", r.hardest(key{board, goal, "moves"}).Length)
		}
		s.WriteString("|\n")
	}
	s.WriteString("\nBickford asked how hard it is to search all puzzles of 4x4 in which A goes from anywhere to anywhere, which he calls \"simple simple\".\nThe search takes 150 s of processor time. No puzzle takes more than the 132 moves from corner to corner, but some numbers of pieces have\nharder ones. *4: 28* says that the hardest puzzles with 4 pieces take 28 moves:\n\n| 4x4 | hardest |\n|---|---|\n")
	for _, goal := range kinds {
		fmt.Fprintf(s, "| %s | %s |\n", goal, r.lengths(key{"4x4", goal, "moves"}))
	}
}
