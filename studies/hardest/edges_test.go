package hardest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"pagoda/puzzle/slide/tray"
)

// one is a problem on a board: a piece of one cell goes from the first cell to the last.
func one(b Board) *Problem {
	p := &Problem{Board: b, Shapes: []Shape{}, Metric: tray.Moves}
	if len(b.Cells) > 0 {
		first, last := b.Cells[0], b.Cells[len(b.Cells)-1]
		p.Goals = []Goal{{Shape: Shape{Cells: []tray.Cell{first}}, Starts: []tray.Cell{first}, Ends: []tray.Cell{last}}}
	}
	return p
}

// No problem makes a panic.
func TestBadProblems(t *testing.T) {
	square := Rectangle(1, 2, 2)
	cell := func(row, col int) tray.Cell { return tray.Cell{Row: row, Col: col} }
	with := func(change func(p *Problem)) *Problem {
		p := one(square)
		change(p)
		return p
	}
	board := func(rows, cols, floors int, cells ...tray.Cell) *Problem {
		return one(Board{Rows: rows, Cols: cols, Floors: floors, Cells: cells})
	}
	wall := func(c tray.Cell, side tray.Direction) *Problem {
		return with(func(p *Problem) { p.Board.Walls = []tray.Wall{{Cell: c, Side: side}} })
	}
	for name, p := range map[string]*Problem{
		"nothing":                {},
		"no cells":               board(2, 2, 1),
		"no rows":                board(0, 2, 1, cell(0, 0)),
		"no columns":             board(2, 0, 1, cell(0, 0)),
		"many rows":              board(math.MaxInt, 1, 1, cell(0, 0)),
		"many columns":           board(1, math.MaxInt, 1, cell(0, 0)),
		"a negative floor":       board(2, 2, -1, cell(0, 0)),
		"too many floors":        board(2, 2, 3, cell(0, 0)),
		"odd floors":             board(3, 2, 2, cell(0, 0)),
		"a negative row":         board(2, 2, 1, cell(-1, 0)),
		"a negative column":      board(2, 2, 1, cell(0, -1)),
		"a row too far":          board(2, 2, 1, cell(2, 0)),
		"a column too far":       board(2, 2, 1, cell(0, 2)),
		"a cell twice":           board(2, 2, 1, cell(0, 0), cell(0, 0)),
		"cells in another order": board(2, 2, 1, cell(1, 0), cell(0, 0)),
		"a wall at the border":   wall(cell(0, 1), tray.Right),
		"a wall below all":       wall(cell(1, 1), tray.Down),
		"a wall to no floor":     wall(cell(0, 0), tray.Climb),
		"a wall elsewhere":       wall(cell(-9, 7), tray.Right),
		"a wall at no side":      wall(cell(0, 0), 77),
		"supermoves":             with(func(p *Problem) { p.Metric = tray.Supermoves }),
		"no metric":              with(func(p *Problem) { p.Metric = 200 }),
		"fewer than no pieces":   with(func(p *Problem) { p.MaxPieces = -1 }),
		"at least -1 pieces":     with(func(p *Problem) { p.MinPieces = -1 }),
		"pieces the wrong way":   with(func(p *Problem) { p.MinPieces, p.MaxPieces = 3, 2 }),
		"a shape of no cells":    with(func(p *Problem) { p.Shapes = []Shape{{}} }),
		"a shape off the board":  with(func(p *Problem) { p.Shapes = []Shape{{Cells: []tray.Cell{cell(0, 0), cell(0, 2)}}} }),
		"a shape far off":        with(func(p *Problem) { p.Shapes = []Shape{{Cells: []tray.Cell{cell(-1<<40, 1<<60)}}} }),
		"a shape along no axis":  with(func(p *Problem) { p.Shapes = []Shape{{Cells: []tray.Cell{cell(0, 0)}, Axis: 99}} }),
		"a goal of no cells":     with(func(p *Problem) { p.Goals[0].Cells = nil }),
		"a goal off the board":   with(func(p *Problem) { p.Goals[0].Cells = []tray.Cell{cell(2, 2)} }),
		"a goal along no axis":   with(func(p *Problem) { p.Goals[0].Axis = 99 }),
		"an end off the board":   with(func(p *Problem) { p.Goals[0].Ends = []tray.Cell{cell(0, 3)} }),
		"a start off the board":  with(func(p *Problem) { p.Goals[0].Starts = []tray.Cell{cell(-1, -1)} }),
		"more than 64 bits":      one(Rectangle(1, 1, 65)),
		"more than 64 with gaps": one(Rectangle(1, 9, 7)),
		"floors of more than 64": one(Rectangle(3, 4, 4)),
		"too many shapes":        {Board: Rectangle(1, 5, 12), Goals: one(Rectangle(1, 5, 12)).Goals},
		"numbers beyond 32 bits": with(func(p *Problem) { *p = *one(Rectangle(1, 7, 8)); p.Shapes = []Shape{p.Goals[0].Shape} }),
	} {
		if results, err := Search(t.Context(), p, Options{}); err == nil {
			t.Errorf("%s: %v, want an error", name, results)
		}
	}
	for _, b := range []Board{{}, {Rows: 1, Cols: 1, Cells: []tray.Cell{cell(5, 5)}}, {Rows: -4, Cols: 2, Floors: -2, Cells: square.Cells}} {
		if goals, err := Goals(b, Journey{Strict: true}, 0); err == nil {
			t.Errorf("%v: %v, want an error", b, goals)
		}
		if results, err := Plain(t.Context(), one(b)); err == nil {
			t.Errorf("%v: %v, want an error", b, results)
		}
	}
}

// Problems without puzzles have results without a length, or none.
func TestNoPuzzles(t *testing.T) {
	apart := Board{Rows: 1, Cols: 3, Cells: []tray.Cell{{}, {Col: 2}}}
	cell := one(Rectangle(1, 1, 1))
	closed := one(Rectangle(1, 1, 2))
	closed.Board.Walls = []tray.Wall{{Side: tray.Right}}
	split := one(Rectangle(1, 1, 2)) // the only place of the shape is across a thin wall
	split.Board.Walls = closed.Board.Walls
	split.Goals[0].Cells = split.Board.Cells
	full := one(Rectangle(1, 1, 2))
	full.Goals[0].Cells = full.Board.Cells
	none := one(Rectangle(1, 2, 2))
	none.Goals = nil
	nowhere := one(Rectangle(1, 2, 2))
	nowhere.Goals[0].Starts = []tray.Cell{}
	ended := one(Rectangle(1, 2, 2))
	ended.Goals[0].Ends = nil
	many := one(Rectangle(1, 2, 2))
	many.MinPieces = 7
	for _, p := range []*Problem{one(apart), cell, closed, split, full, none, nowhere, ended, many, {Board: Rectangle(1, 1, 1), Goals: cell.Goals}} {
		w := newTwin(t, p)
		for _, r := range w.compare(t, Options{}) {
			if r.Length != 0 || len(r.Starts) != 0 {
				t.Errorf("%v: %v", p, r)
			}
		}
	}
}

// Boards that fill 64 bits with their gaps, and boards with gaps that are cells elsewhere.
func TestWideBoards(t *testing.T) {
	for _, size := range []point{{1, 1, 64}, {1, 13, 4}, {1, 5, 12}, {1, 32, 1}, {2, 3, 7}, {4, 1, 7}, {3, 2, 6}} {
		b := Rectangle(size[0], size[1], size[2])
		for m := range tray.Supersteps {
			p := one(b)
			p.Metric, p.MaxPieces = m, 2
			last := len(b.Cells) - 1
			p.Shapes = []Shape{{Cells: b.Cells[:1]}, {Cells: b.Cells[last-size[2]+1:]}, {Cells: []tray.Cell{b.Cells[0], b.Cells[last]}}}
			w := newTwin(t, p)
			checkSolved(t, p, w.compare(t, Options{}))
		}
	}
}

// Rows without cells can lie beyond the 64 bits.
func TestRowsBeyond(t *testing.T) {
	b := Rectangle(3, 8, 2)
	b.Cells = slices.DeleteFunc(b.Cells, func(c tray.Cell) bool { return c.Row%8 > 1 })
	first, last := b.Cells[0], b.Cells[len(b.Cells)-1]
	for _, cells := range [][]tray.Cell{b.Cells[:1], {first, {Row: 1}}, {first, {Col: 1}}, {first, {Row: 1, Col: 1}}} {
		p := one(b)
		p.Goals[0].Cells, p.Goals[0].Ends = cells, []tray.Cell{last, {Row: last.Row, Col: last.Col - 1}, {Row: last.Row - 1, Col: last.Col}, {Row: last.Row - 1, Col: last.Col - 1}}
		p.Shapes, p.MaxPieces = []Shape{{Cells: b.Cells[:2]}}, 3
		w := newTwin(t, p)
		checkSolved(t, p, w.compare(t, Options{}))
	}
}

// A part never has more placements than it can have numbers.
func TestPartLimit(t *testing.T) {
	s, err := newSearcher(t.Context(), one(Rectangle(1, 2, 2)), Options{PartLimit: math.MaxUint64})
	if err != nil || s.o.PartLimit > maxNumbers {
		t.Errorf("%d, %v", s.o.PartLimit, err)
	}
}

// Counts of pieces that take too much memory, or overflow, are refused.
func TestManyKinds(t *testing.T) {
	limit := new(LimitError)
	for kinds, ok := range map[int]bool{1: true, 31: true, 32: false, 64: false, 200: false} {
		if err := checkLefts(slices.Repeat([]int{1}, kinds), 1000, noBound); ok != (err == nil) || !ok && !errors.As(err, &limit) {
			t.Errorf("%d kinds of pieces: %v", kinds, err)
		}
	}
	s, err := newSearcher(t.Context(), one(Rectangle(1, 2, 2)), Options{Memory: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.measure(slices.Repeat([]int{1}, 20), []int{0}); !errors.As(err, &limit) || limit.Memory > 1<<20 {
		t.Errorf("20 kinds of pieces with 1 MiB: %v", err)
	}
}

// A search that is ended says why.
func TestCancel(t *testing.T) {
	cause := errors.New("enough")
	goals, err := Goals(Rectangle(1, 3, 4), Journey{Strict: true}, 0)
	if err != nil {
		t.Fatal(err)
	}
	p := &Problem{Board: Rectangle(1, 3, 4), Goals: goals, Metric: tray.Moves}
	ctx, cancel := context.WithCancelCause(t.Context())
	_, err = Search(ctx, p, Options{Threads: 2, PartLimit: 1000, Progress: func(done, _ uint64) {
		if done > 20000 {
			cancel(cause)
		}
	}})
	if !errors.Is(err, cause) {
		t.Errorf("Search: %v, want %v", err, cause)
	}
	if _, err := Search(ctx, p, Options{}); !errors.Is(err, cause) {
		t.Errorf("Search: %v, want %v", err, cause)
	}
	if _, err := Plain(ctx, p); !errors.Is(err, cause) {
		t.Errorf("Plain: %v, want %v", err, cause)
	}
	wrong := errors.New("not kept")
	if _, err := Search(t.Context(), p, Options{Keep: func(string, Result) error { return wrong }}); !errors.Is(err, wrong) {
		t.Errorf("Keep: %v, want %v", err, wrong)
	}
}

// A large part that is ended before it has any end is not taken for one that has none.
func TestCancelEnds(t *testing.T) {
	b := Rectangle(1, 3, 5)
	goals, err := Goals(b, Journey{Strict: true}, 0)
	if err != nil {
		t.Fatal(err)
	}
	s, err := newSearcher(t.Context(), &Problem{Board: b, Goals: goals, Metric: tray.Moves, MinPieces: 6, MaxPieces: 6}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	parts, err := s.plan(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p := parts[len(parts)-1]
	if p.size <= largeVisit {
		t.Fatalf("the largest part has %d placements, expected more", p.size)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.search(ctx, s.newUnit(p.counts, p.goals), &Result{Pieces: 6}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
}

// With little memory a search is refused with a LimitError before it begins, with more it finds the same as
// without a bound. Goals refuses only what Search refuses.
func TestMemory(t *testing.T) {
	w := cornerTwins(t, Rectangle(1, 3, 3), tray.Moves)[0]
	refused, early, done := 0, 0, 0
	for memory := uint64(1); done < 3; memory += memory/10 + 1 {
		searched := false
		keep := func(string, Result) error { searched = true; return nil }
		_, err := Search(t.Context(), w.Problem, Options{Threads: 1, Memory: memory, PartLimit: 1000, Keep: keep})
		_, refusal := Goals(w.Board, Journey{}, memory)
		limit := new(LimitError)
		if errors.As(refusal, &limit) {
			early++
		}
		if errors.As(err, &limit) {
			if refused++; searched || memory > 1<<27 {
				t.Fatalf("%d bytes are refused, in the middle of the search: %v: %v", memory, searched, err)
			}
			continue
		}
		if done++; refusal != nil {
			t.Errorf("the goals are refused with %d bytes: %v", memory, refusal)
		}
		w.compare(t, Options{Memory: memory, PartLimit: 1000})
	}
	if early < 10 || refused <= early {
		t.Errorf("%d sizes of memory are too small, %d for the goals", refused, early)
	}
}

// What Keep was called with makes the same results when some of it is Known; progress ends at the
// total, and Better grows to the greatest length.
func TestKept(t *testing.T) {
	goals, err := Goals(Rectangle(1, 3, 3), Journey{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	w := newTwin(t, &Problem{Board: Rectangle(1, 3, 3), Goals: goals, Metric: tray.Lines})
	longest := 0
	for _, r := range w.results {
		longest = max(longest, r.Length)
	}
	kept := make(map[string]Result)
	var mu sync.Mutex
	for run := range 3 {
		best, done, total := 0, uint64(0), uint64(0)
		w.compare(t, Options{Threads: 3, PartLimit: 50,
			Keep: func(part string, r Result) error {
				mu.Lock()
				defer mu.Unlock()
				if len(part)%3 == run {
					kept[part] = r
				}
				return nil
			},
			Known: func(part string) (Result, bool) {
				mu.Lock()
				defer mu.Unlock()
				r, ok := kept[part]
				return r, ok
			},
			Better: func(length int, st Start) {
				if length <= best {
					t.Errorf("length %d comes after %d", length, best)
				}
				best = length
			},
			Progress: func(d, all uint64) {
				mu.Lock()
				defer mu.Unlock()
				done, total = max(done, d), all
			},
		})
		if done != total || best != longest {
			t.Errorf("%d of %d placements, best length %d, want %d", done, total, best, longest)
		}
	}
	if len(kept) == 0 {
		t.Error("no part was kept")
	}
	// Forged parts are refused.
	for part, r := range kept {
		if len(r.Starts) == 0 {
			continue
		}
		i := slices.IndexFunc(w.results, func(all Result) bool { return all.Pieces == r.Pieces })
		goal, pieces := r.Starts[0].Goal, r.Starts[0].Pieces
		for name, bad := range map[string]Result{
			"no start":             {r.Pieces, r.Placements, r.Reached, longest + 1, nil},
			"no start, as others":  {r.Pieces, r.Placements, r.Reached, w.results[i].Length, nil},
			"a goal of none":       {r.Pieces, r.Placements, r.Reached, r.Length, []Start{{len(w.Goals), pieces}}},
			"a goal of another":    {r.Pieces, r.Placements, r.Reached, r.Length, []Start{{(goal + 1) % len(w.Goals), pieces}}},
			"too few pieces":       {r.Pieces, r.Placements, r.Reached, r.Length, []Start{{goal, pieces[:len(pieces)-1]}}},
			"other placements":     {r.Pieces, r.Placements + 1, r.Reached, r.Length, r.Starts},
			"other pieces":         {r.Pieces + 1, r.Placements, r.Reached, r.Length, r.Starts},
			"a start, no length":   {r.Pieces, r.Placements, r.Reached, 0, r.Starts},
			"a cell twice":         {r.Pieces, r.Placements, r.Reached, r.Length, []Start{{goal, append([]Shape{{Cells: append(pieces[0].Cells[:1:1], pieces[0].Cells...)}}, pieces[1:]...)}}},
			"a start in two parts": {r.Pieces, r.Placements, r.Reached, r.Length, []Start{{goal, append([]Shape{{Cells: []tray.Cell{{Row: 0, Col: 0}, {Row: 2, Col: 2}}}}, pieces[1:]...)}}},
		} {
			_, err := Search(t.Context(), w.Problem, Options{PartLimit: 50, Known: func(p string) (Result, bool) { return bad, p == part }})
			if err == nil || !strings.Contains(err.Error(), "the checkpoint is damaged") {
				t.Errorf("%s, of a part with the starts %v: %v", name, r.Starts, err)
			}
		}
		break
	}
}

// A reflection may keep the strict goals and not the loose ones, or the other way round. A strict search and a loose one
// still find the right results from each other's parts.
func TestKeptTurns(t *testing.T) {
	cell := func(row, col int) tray.Cell { return tray.Cell{Row: row, Col: col} }
	middle := Rectangle(1, 4, 3) // the only strict goal covers the last two rows, but for the corners above
	middle.Cells = slices.DeleteFunc(middle.Cells, func(c tray.Cell) bool { return c == cell(0, 0) || c == cell(0, 2) })
	middle.Walls = []tray.Wall{{Cell: cell(1, 2), Side: tray.Down}, {Cell: cell(1, 0), Side: tray.Down}, {Cell: cell(1, 0), Side: tray.Right}, {Cell: cell(1, 1), Side: tray.Right}}
	other := 0
	for _, b := range []Board{middle, Rectangle(1, 3, 3)} {
		var problems [2]*Problem
		var kept [2]map[string]Result
		var want [2]string
		var turns [2]int
		search := func(i int, known map[string]Result) string {
			results, err := Search(t.Context(), problems[i], Options{Threads: 1,
				Known: func(part string) (Result, bool) { r, ok := known[part]; return r, ok },
				Keep:  func(part string, r Result) error { kept[i][part] = r; return nil }})
			if err != nil {
				t.Fatal(err)
			}
			return fmt.Sprint(results)
		}
		for i := range problems {
			goals, err := Goals(b, Journey{Strict: i == 0}, 0)
			if err != nil {
				t.Fatal(err)
			}
			problems[i], kept[i] = &Problem{Board: b, Goals: goals, Metric: tray.Moves}, make(map[string]Result)
			s, err := newSearcher(t.Context(), problems[i], Options{})
			if err != nil {
				t.Fatal(err)
			}
			turns[i], want[i] = len(s.turns), search(i, nil)
		}
		if turns[0] != turns[1] {
			other++
		}
		for i := range problems {
			if got := search(i, kept[1-i]); got != want[i] {
				t.Errorf("%s, strict %v: %s, want %s", b.Format(), i == 0, got, want[i])
			}
		}
	}
	if other != 1 {
		t.Errorf("%d boards have other turns for strict goals than for all, want 1", other)
	}
}

func FuzzSearch(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("sliding blocks of any shape"))
	f.Add([]byte("\xb2\xc4;9\xe9\xfd\xe9\xe9\xfd\xe9\x87՟\xc4")) // cells of 2 x 2, the last column without any
	f.Fuzz(func(t *testing.T, data []byte) {
		w := newTwin(t, problemOf(data))
		w.compare(t, Options{Threads: 1})
		w.compare(t, Options{Threads: 2, PartLimit: uint64(len(data))})
	})
}
