package rushhour

import (
	"math/bits"
	"strconv"
	"testing"

	"pagoda/internal/csvtest"
	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/tray"
)

// rows reads the rows of a file of docs/data below its heads, as numbers where they are.
func rows(t *testing.T, name string) (all [][]int, text [][]string) {
	t.Helper()
	text = csvtest.Rows(t, "../../docs/data/"+name)[1:]
	for _, row := range text {
		numbers := make([]int, len(row))
		for i, field := range row {
			numbers[i], _ = strconv.Atoi(field) // 0 for words
		}
		all = append(all, numbers)
	}
	return all, text
}

// The hardest boards of 6x6 have their lengths, their solutions and as many needless vehicles as the data says, and its
// numbers add up.
func TestData(t *testing.T) {
	const boards, solvable = 31_106_546_110, 23_298_560_674
	var s Searcher
	sums, starts := [2]int{}, map[int]int{}
	all, text := rows(t, "rush-hour-6x6.csv")
	for i, row := range all {
		pieces, length, minimal, puzzle := row[0], row[3], text[i][5] == "yes", text[i][7]
		sums[0] += row[1]
		sums[1] += row[2]
		starts[length] += row[4]
		b := parse(t, puzzle)
		n, ok, err := s.Solve(b)
		if err != nil || !ok || n != length || len(b.Vehicles) != pieces || pieces != i+1 {
			t.Errorf("%s takes %d moves with %d vehicles, %v, %v, want %d with %d", puzzle, n, len(b.Vehicles), ok, err, length, pieces)
		}
		checkBoard(t, &s, b, minimal, length, text[i][6])
	}
	if len(all) != Side*Side/2 || sums != [2]int{boards, solvable} {
		t.Errorf("%d numbers of pieces have %v boards", len(all), sums)
	}
	sum := 0
	lengths, _ := rows(t, "rush-hour-6x6-lengths.csv")
	for d, row := range lengths {
		if sum += row[1]; row[0] != d || row[1] < starts[d] {
			t.Errorf("%d boards have length %d, and %d are among the hardest of their number of pieces", row[1], row[0], starts[d])
		}
	}
	if most := len(lengths) - 1; sum != solvable || most != 51 || lengths[most][1] != starts[most] {
		t.Errorf("%d boards can be solved, in at most %d moves", sum, most)
	}
}

// checkBoard checks whether a board is minimal, and its shortest solutions by the engine of sliding blocks.
func checkBoard(t *testing.T, s *Searcher, b Board, minimal bool, length int, solutions string) {
	t.Helper()
	if needless, err := s.Needless(b); err != nil || needless < 0 != minimal {
		t.Errorf("%s: vehicle %d is needless, %v; minimal: %v", b, needless, err, minimal)
	}
	p, err := b.Puzzle()
	if err != nil {
		t.Fatal(err)
	}
	one, err := slide.Solve(t.Context(), p, tray.Lines, slide.Options{ToGoal: true})
	if err != nil || one.Length != length || one.Solutions.String() != solutions {
		t.Errorf("%s takes %d lines with %v solutions, %v, want %d with %s", b, one.Length, one.Solutions, err, length, solutions)
	}
}

// So have those of 6x7 with few vehicles.
func TestSevenColumns(t *testing.T) {
	var s Searcher
	all, text := rows(t, "rush-hour-6x7.csv")
	for i, row := range all {
		pieces, length, minimal, puzzle := row[0], row[3], text[i][5] == "yes", text[i][7]
		b := parse(t, puzzle)
		if n, ok, err := s.Solve(b); err != nil || !ok || n != length || len(b.Vehicles) != pieces || pieces != i+1 || b.String() != puzzle {
			t.Errorf("%s takes %d moves with %d vehicles, %v, %v, want %d with %d", puzzle, n, len(b.Vehicles), ok, err, length, pieces)
		}
		checkBoard(t, &s, b, minimal, length, text[i][6])
	}
	if len(all) < 5 {
		t.Errorf("%d rows", len(all))
	}
}

// The hardest boards with walls have their walls, their lengths, their solutions and as many needless vehicles as the data
// says.
func TestWallData(t *testing.T) {
	var s Searcher
	all, text := rows(t, "rush-hour-walls.csv")
	for i, row := range all {
		rows, cols := int(text[i][0][0]-'0'), int(text[i][0][2]-'0')
		walls, pieces, length, minimal, puzzle := row[1], row[2], row[5], text[i][7] == "yes", text[i][9]
		b := parse(t, puzzle)
		if n := bits.OnesCount64(b.Walls); n != Side*Side-rows*cols+walls || len(b.Vehicles) != pieces {
			t.Errorf("%s has %d walls, with those around it, and %d vehicles, want %d and %d", puzzle, n, len(b.Vehicles), walls, pieces)
		}
		checkBoard(t, &s, b, minimal, length, text[i][8])
	}
	if len(all) < 42 {
		t.Errorf("%d rows", len(all))
	}
}

// Card 40 of the game that is sold is one of the three hardest boards.
func TestCard40(t *testing.T) {
	var s Searcher
	c, err := s.Explore(parse(t, published))
	if err != nil {
		t.Fatal(err)
	}
	_, starts := c.Hardest()
	for _, b := range starts {
		if b.String() == "BCCoDoBEFoDGBEFAAGHHHIoGooJIKKLLJMMo" { // reach puzzle slide/rushhour40 --as rushhour
			return
		}
	}
	t.Errorf("the hardest boards are %v", starts)
}
