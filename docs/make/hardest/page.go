package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
)

const head = `# The hardest sliding-block puzzles

For small boards, this page has the hardest sliding-block puzzles by number of pieces. A piece is any set of cells that touch by
edges. One of them, the goal piece A, starts in the upper left corner of the board and goes to the lower right corner. Pieces of one
shape are interchangeable, except A. This is the problem of N. Bickford's programs SBPFinder and SBPSearcher; he calls the puzzles
"simple simple simple". They searched 4x4 in moves.

` + "`reach find 4x4`" + ` makes the table of a board: see [commands.md](../reference/commands.md#the-hardest-puzzles-of-a-board). All puzzles of a
board are searched at once, and nothing is left out but reflections and rotations: see
[how-it-works.md](../explanation/how-it-works.md). So no puzzle of a board is harder than those here.

The goal is **strict** if A must cover the corner cell; otherwise its bounding rectangle must be in the corner. In **steps** a piece
moves by one cell, in **lines** in a straight line, in **moves** along any path. Boards are rows x columns, or floors x rows x columns;
in the text of a puzzle, // separates floors, the lowest first.
`

// published is what is verified of 4x4 when it is there.
const published = " The lengths in moves, strict, for 1 to 15 pieces, are those that he published."

const verified = `
## What was verified

- Every hardest puzzle up to symmetry, and not only those on this page, was solved again by the engine of ` + "`reach solve`" + `. It numbers the
  placements of the pieces of one puzzle, and shares no code with the search. An independent checker replays each solution that is
  printed.
- The number of placements that are just solved on 4x4, 12,295,564, is that of Bickford. It is counted in another way than by the
  search.%s
- The lengths of 3x3 in moves were found by a program of another design in another language.
- A plain version, which keeps a hash table and searches one component at a time, agrees on small boards, also with walls, thin walls
  and floors, in all metrics.
- The results do not depend on the number of threads and parts, and a board gives the same as its reflections and rotations.
- A test solves each puzzle of this page again. ` + "`scripts/reproduce-hardest.sh`" + ` finds the puzzles of the small boards again, or of the
  boards that are named.
`

// page returns the page.
func (r results) page() string {
	var s strings.Builder
	s.WriteString(head)
	r.summary(&s)
	r.differences(&s)
	r.boxes(&s)
	r.anywhere(&s)
	for _, board := range boards {
		if metric, drawn := r.drawn(board); drawn != nil {
			r.section(&s, board, metric)
		}
	}
	known := ""
	if r[key{"4x4", "moves", strict}] != nil {
		known = published
	}
	fmt.Fprintf(&s, verified, known)
	r.times(&s)
	return s.String()
}

// summary writes the greatest length of each board and metric.
func (r results) summary(s *strings.Builder) {
	s.WriteString("\n## The hardest of each board\n\nThe greatest length with a strict goal, and the number of pieces.\n\n| board | steps | lines | moves |\n|---|---|---|---|\n")
	for _, board := range boards {
		if _, drawn := r.drawn(board); drawn == nil {
			continue
		}
		fmt.Fprintf(s, "| [%s](#%s) ", board, board)
		for _, metric := range metrics {
			cell := "-"
			if of := r[key{board, metric, strict}]; of != nil && of.hardest() != nil {
				best := of.hardest()
				cell = fmt.Sprintf("%d (%d pieces)", best.Length, best.Pieces)
			}
			fmt.Fprintf(s, "| %s ", cell)
		}
		s.WriteString("|\n")
	}
}

// differences writes where the goals that are not strict give other lengths.
func (r results) differences(s *strings.Builder) {
	s.WriteString(`
## Strict and not strict

A goal that is not strict allows more goal pieces: those whose bounding rectangle has the corner cell, but which do not cover it. The
others have the same goal. So the hardest puzzle is at least as hard. How much harder, for the numbers of pieces where it is:

| board | metric | pieces: strict, not strict |
|---|---|---|
`)
	same := 0
	for _, board := range boards {
		for _, metric := range metrics {
			a, b := r[key{board, metric, strict}], r[key{board, metric, loose}]
			if a == nil || b == nil {
				continue
			}
			var cells []string
			for _, one := range b.Results {
				length := 0
				if other := a.at(one.Pieces); other != nil {
					length = other.Length
				}
				if length != one.Length {
					cells = append(cells, fmt.Sprintf("%d: %d, %d", one.Pieces, length, one.Length))
				}
			}
			if cells == nil {
				same++
				continue
			}
			fmt.Fprintf(s, "| %s | %s | %s |\n", board, metric, strings.Join(cells, "; "))
		}
	}
	fmt.Fprintf(s, "\nIn the other %d searches of a board in a metric, all lengths are the same.\n", same)
}

// boxes compares boxes with boards of one floor that have as many cells.
func (r results) boxes(s *strings.Builder) {
	s.WriteString("\n## Several floors\n\n" +
		"In a box, pieces also move up and down between floors, and have any shapes that touch by faces. We know of no earlier search of such\n" +
		"puzzles. A box has more neighbours for each cell than a board of one floor with as many cells: there are more pieces, but also more\n" +
		"ways around. The greatest lengths in moves, with a strict goal:\n\n| box | length | boards with as many cells |\n|---|---|---|\n")
	cells := func(board string) (n int) {
		n = 1
		for side := range strings.SplitSeq(board, "x") {
			k, _ := strconv.Atoi(side) // the boards are above
			n *= k
		}
		return n
	}
	for _, box := range boards {
		of := r[key{box, "moves", strict}]
		if strings.Count(box, "x") < 2 || of == nil {
			continue
		}
		var flat []string
		for _, board := range boards {
			if other := r[key{board, "moves", strict}]; other != nil && strings.Count(board, "x") == 1 && cells(board) == cells(box) {
				flat = append(flat, fmt.Sprintf("%s: %d", board, other.hardest().Length))
			}
		}
		fmt.Fprintf(s, "| %s | %d | %s |\n", box, of.hardest().Length, strings.Join(flat, ", "))
	}
}

// anywhere writes what was found with goals that are not from corner to corner.
func (r results) anywhere(s *strings.Builder) {
	s.WriteString(`
## From anywhere, to anywhere

With ` + "`--from anywhere`" + ` A may start at any place, and with ` + "`--to anywhere`" + ` any place may be the one where it must go. These are Bickford's
"simple simple" puzzles: one goal piece, any goal. Here are the greatest lengths in moves; the lengths by number of pieces, from 1; and
a hardest puzzle.

| board | from | to | length | by number of pieces | puzzle |
|---|---|---|---|---|---|
`)
	words := map[string]string{strict: "corner | corner", fromAnywhere: "anywhere | corner", toAnywhere: "corner | anywhere", bothAnywhere: "anywhere | anywhere"}
	for _, board := range boards {
		for i, goal := range append([]string{strict}, anywhere...) {
			of := r[key{board, "moves", goal}]
			if of == nil || i == 0 && !r.hasAnywhere(board) {
				continue
			}
			var lengths []string
			for _, one := range of.Results {
				lengths = append(lengths, strconv.Itoa(one.Length))
			}
			text, err := inLine(of.hardest().Puzzle)
			if err != nil {
				text = err.Error() // the test of the page finds it
			}
			fmt.Fprintf(s, "| %s | %s | %d | %s | `%s` |\n", board, words[goal], of.hardest().Length, strings.Join(lengths, " "), text)
		}
	}
}

// hasAnywhere reports whether a board has results that are not from corner to corner.
func (r results) hasAnywhere(board string) bool {
	return slices.ContainsFunc(anywhere, func(goal string) bool { return r[key{board, "moves", goal}] != nil })
}

// section writes the tables of a board.
func (r results) section(s *strings.Builder, board, metric string) {
	fmt.Fprintf(s, "\n## %s\n\n![The hardest puzzles of %s in %s](../pictures/hardest-%s.svg)\n\nThe picture has the hardest puzzles in %s with a strict goal: the number of pieces, and the length.\n\n",
		board, board, metric, board, metric)
	s.WriteString("| pieces | steps | lines | moves | steps, not strict | lines, not strict | moves, not strict |\n|---|---|---|---|---|---|---|\n")
	most := 0
	for _, goal := range goals {
		for _, metric := range metrics {
			if of := r[key{board, metric, goal}]; of != nil && len(of.Results) > 0 {
				most = max(most, of.Results[len(of.Results)-1].Pieces)
			}
		}
	}
	for pieces := 1; pieces <= most; pieces++ {
		fmt.Fprintf(s, "| %d ", pieces)
		for _, goal := range goals {
			for _, metric := range metrics {
				cell := "-"
				if one := r[key{board, metric, goal}].at(pieces); one != nil {
					cell = strconv.Itoa(one.Length)
				}
				fmt.Fprintf(s, "| %s ", cell)
			}
		}
		s.WriteString("|\n")
	}
	r.puzzles(s, board)
}

// puzzles writes the puzzles of a board: the strict ones, and the others where they are harder.
func (r results) puzzles(s *strings.Builder, board string) {
	s.WriteString("\n| pieces | metric | length | puzzles | solutions | one with the fewest solutions |\n|---|---|---|---|---|---|\n")
	for _, goal := range goals {
		for _, metric := range metrics {
			of := r[key{board, metric, goal}]
			if of == nil {
				continue
			}
			name := metric
			if goal == loose {
				name += ", not strict"
			}
			for _, one := range of.Results {
				if same := r[key{board, metric, strict}].at(one.Pieces); goal == loose && same != nil && same.Length == one.Length {
					continue
				}
				text, err := inLine(one.Puzzle)
				if err != nil {
					text = err.Error() // the test of the page finds it
				}
				fmt.Fprintf(s, "| %d | %s | %d | %d | %s | `%s` |\n", one.Pieces, name, one.Length, one.Starts, one.Solutions, text)
			}
		}
	}
}

// times writes how large the searches were and how long they took.
func (r results) times(s *strings.Builder) {
	s.WriteString(`
## Sizes and times

A placement is just solved if A is at the goal and can make a step. The search goes through all placements, but for goals that are
reflections or rotations of others. Times are of one or two threads on 2 cores of an AMD EPYC, which other programs shared; of
searches that went on from a checkpoint they are not known.

| board | goal | just solved | searched | seconds: steps | lines | moves |
|---|---|---|---|---|---|---|
`)
	for _, board := range boards {
		for _, goal := range goals {
			var any *search
			var cells []string
			for _, metric := range metrics {
				cell := "-"
				if of := r[key{board, metric, goal}]; of != nil {
					any, cell = of, "resumed"
					if !of.Resumed {
						cell = seconds(of.Seconds)
					}
				}
				cells = append(cells, cell)
			}
			if any == nil {
				continue
			}
			name := strict
			if goal == loose {
				name = "not strict"
			}
			fmt.Fprintf(s, "| %s | %s | %s | %s | %s |\n", board, name, humanize.Comma(int64(any.Placements)), humanize.Comma(int64(any.Searched)), strings.Join(cells, " | "))
		}
	}
}

// seconds writes a time with two digits or all that are whole.
func seconds(t float64) string {
	if t >= 10 {
		return humanize.Comma(int64(math.Round(t)))
	}
	return strconv.FormatFloat(t, 'g', 2, 64)
}
