package hardest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"pagoda/internal/csvtest"
	"pagoda/internal/long"
	_ "pagoda/layers/all"
	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/tray"
	_ "pagoda/run/all"
)

// checkSolved solves each start of the results by the engine of single puzzles, and reads its text and
// its record again.
func checkSolved(t *testing.T, p *Problem, results []Result) {
	t.Helper()
	for _, r := range results {
		for _, st := range r.Starts {
			z, text, err := p.Puzzle(st)
			if err != nil {
				t.Fatalf("%v: %v", st, err)
			}
			s, err := slide.Solve(t.Context(), z, p.Metric, slide.Options{ToGoal: true})
			if err != nil || !s.Solved || s.Length != r.Length {
				t.Errorf("%s: %v, %v, want length %d", text, s, err, r.Length)
			}
		}
		text, err := json.Marshal(p.Record("some part", r))
		if err != nil {
			t.Fatal(err)
		}
		part, again, err := p.ParseRecord(text)
		if err != nil || part != "some part" || fmt.Sprint(again) != fmt.Sprint(r) {
			t.Errorf("%s is read as %q, %v, %v; want %v", text, part, again, err, r)
		}
	}
}

// Boards with walls and floors, and all journeys.
func TestJourneys(t *testing.T) {
	boards := []string{"...\n...\n", "...\n..#\n...\nwalls: (0,0) right", "#..\n...\n..\n", "floors: 2\ntray:\n..\n..\n..\n.#\n", "..."}
	if !long.Tests {
		boards = boards[2:]
	}
	for _, text := range boards {
		b, err := tray.ParseBoard(text)
		if err != nil {
			t.Fatal(err)
		}
		for n := range 8 {
			j := Journey{n&1 != 0, n&2 != 0, n&4 != 0}
			goals, err := Goals(*b, j, 0)
			if err != nil {
				t.Fatal(err)
			}
			for m := range tray.Supersteps {
				p := &Problem{Board: *b, Goals: goals, Metric: m}
				results, err := Search(t.Context(), p, Options{})
				if err != nil {
					t.Fatal(err)
				}
				checkSolved(t, p, results)
			}
		}
	}
}

// Pieces that move along one axis have it in the text.
func TestAxes(t *testing.T) {
	b := Rectangle(1, 4, 3)
	cell := func(row, col int) tray.Cell { return tray.Cell{Row: row, Col: col} }
	p := &Problem{Board: b, Metric: tray.Lines, MaxPieces: 4,
		Shapes: []Shape{{[]tray.Cell{cell(0, 0), cell(0, 1)}, tray.Horizontal}, {[]tray.Cell{cell(0, 0), cell(1, 0)}, tray.Vertical}},
		Goals:  []Goal{{Shape: Shape{[]tray.Cell{cell(1, 0), cell(1, 1)}, tray.Horizontal}, Ends: []tray.Cell{cell(1, 1)}}}}
	results, err := Search(t.Context(), p, Options{})
	if err != nil || len(results) != 4 || results[2].Length < 2 {
		t.Fatalf("%v, %v", results, err)
	}
	checkSolved(t, p, results)
}

// unitRushHour is Rush Hour with cars of one cell on a board. One that moves along its row must get to the right edge.
func unitRushHour(b Board) *Problem {
	cars, goals := UnitRushHour(b)
	return &Problem{Board: b, Metric: tray.Moves, Shapes: cars, Goals: goals}
}

// Two shapes can have the same cells and move along different axes. Searches and records keep them apart.
func TestUnitRushHour(t *testing.T) {
	for _, b := range []Board{Rectangle(1, 2, 2), Rectangle(1, 2, 4), Rectangle(1, 3, 3)} {
		for m := range tray.Supersteps {
			p := unitRushHour(b)
			p.Metric = m
			w := newTwin(t, p)
			results := w.compare(t, Options{Threads: 1})
			checkSolved(t, p, results)
			w.compare(t, Options{Threads: 2, PartLimit: 1})
			w.compare(t, Options{Threads: 7, PartLimit: 300})
		}
	}
}

// J. Tromp and R. Cilibrasi (Limits of Rush Hour Logic Complexity, 2005) found how many moves the hardest boards of n x n
// with one empty cell take: 3, 12, 40 and 199 for n from 2 on.
func TestTromp(t *testing.T) {
	published := map[string]string{"2x2": "3", "3x3": "12", "4x4": "40", "5x5": "199"}
	found := make(map[string][]string)
	for _, row := range csvtest.Rows(t, "../../docs/data/unit-rush-hour.csv")[1:] {
		board, puzzle := row[0], row[5]
		z, err := tray.Parse(puzzle)
		if err != nil {
			t.Fatal(err)
		}
		s, err := slide.Solve(t.Context(), z, tray.Moves, slide.Options{ToGoal: true})
		if got := fmt.Sprint(len(z.Pieces()), s.Length, s.Solutions); err != nil || got != fmt.Sprint(row[1], " ", row[2], " ", row[4]) {
			t.Errorf("%s: pieces, moves and solutions %s, %v, want %v", puzzle, got, err, row)
		}
		if len(z.Pieces()) == len(z.Cells())-1 {
			if row[2] != published[board] {
				t.Errorf("%s takes %s moves, and %s are published", puzzle, row[2], published[board])
			}
			delete(published, board)
		}
		found[board] = append(found[board], row[2]+" "+row[3])
	}
	if len(published) > 0 {
		t.Errorf("there are no puzzles of %v", published)
	}
	for n := 2; n < 5; n++ {
		if n == 4 && !long.Tests {
			break
		}
		results, err := Search(t.Context(), unitRushHour(Rectangle(1, n, n)), Options{})
		var got []string
		for _, r := range results {
			if r.Length > 0 {
				got = append(got, fmt.Sprint(r.Length, len(r.Starts)))
			}
		}
		if want := found[fmt.Sprintf("%dx%d", n, n)]; err != nil || !slices.Equal(got, want) {
			t.Errorf("%dx%d has %v, %v, want %v", n, n, got, err, want)
		}
	}
}

func TestNoPuzzle(t *testing.T) {
	b := Rectangle(1, 7, 7)
	p := &Problem{Board: b, Goals: []Goal{{Shape: Shape{Cells: b.Cells[:1]}, Ends: b.Cells[1:2]}}}
	one := func(n int) (all []Shape) {
		for i := range n {
			all = append(all, Shape{Cells: b.Cells[i : i+1]})
		}
		return all
	}
	if _, _, err := p.Puzzle(Start{Pieces: one(49)}); err != nil {
		t.Error(err)
	}
	long := Rectangle(1, 1, 63)
	q := &Problem{Board: long, Goals: p.Goals}
	var many []Shape
	for i := range long.Cells {
		many = append(many, Shape{Cells: long.Cells[i : i+1]})
	}
	if _, _, err := q.Puzzle(Start{Pieces: many}); !errors.Is(err, ErrNames) {
		t.Errorf("%v, want ErrNames", err)
	}
	for _, st := range []Start{{}, {Goal: 1, Pieces: one(2)}, {Goal: -1}, {Pieces: []Shape{{}}}, {Pieces: append(one(1), one(1)...)}, {Pieces: []Shape{{Cells: []tray.Cell{{Row: 9}}}}}, {Pieces: []Shape{{b.Cells[:1], tray.Axes}}}} {
		if _, _, err := p.Puzzle(st); err == nil {
			t.Errorf("%v has a puzzle", st)
		}
	}
}

// Boards that are too large are refused, and not searched for ever.
func TestTooLarge(t *testing.T) {
	for _, b := range []Board{Rectangle(1, 7, 7), Rectangle(1, 8, 8), Rectangle(1, 1, 200)} {
		_, err := Goals(b, Journey{Strict: true}, 0)
		var limit *LimitError
		if !errors.As(err, &limit) {
			t.Errorf("%d x %d: %v, want a LimitError", b.Rows, b.Cols, err)
		}
	}
}

func FuzzParseRecord(f *testing.F) {
	b := Rectangle(1, 2, 3)
	goals, err := Goals(b, Journey{Strict: true}, 0)
	if err != nil {
		f.Fatal(err)
	}
	problems := []*Problem{{Board: b, Goals: goals, Metric: tray.Moves}, unitRushHour(b)}
	for _, p := range problems {
		results, err := Search(f.Context(), p, Options{})
		if err != nil {
			f.Fatal(err)
		}
		for _, r := range results {
			text, err := json.Marshal(p.Record("a part", r))
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, p := range problems {
			part, r, err := p.ParseRecord(text)
			if err != nil {
				continue
			}
			for _, st := range r.Starts {
				if z, text, err := p.Puzzle(st); err == nil && len(z.Pieces()) != r.Pieces {
					t.Errorf("%s has %d pieces, want %d", text, len(z.Pieces()), r.Pieces)
				}
			}
			again, err := json.Marshal(p.Record(part, r))
			if err != nil {
				t.Fatal(err)
			}
			if _, other, err := p.ParseRecord(again); err != nil || fmt.Sprint(other) != fmt.Sprint(r) {
				t.Errorf("%s is read again as %v, %v", text, other, err)
			}
		}
	})
}
