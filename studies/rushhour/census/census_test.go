package census

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/slide/formats"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace"
	"pagoda/studies/rushhour"
)

// WithWalls has every set of walls once.
func TestWithWalls(t *testing.T) {
	z := Size{Rows: 4, Cols: 5, Exit: 1}
	want := make(map[Size]bool)
	for a := range 20 {
		for b := range a {
			one := z
			for _, cell := range []int{a, b} {
				one.Walls |= 1 << (rushhour.Side*(cell/5) + cell%5)
			}
			want[one] = true
		}
	}
	got := z.WithWalls(2)
	for _, one := range got {
		if err := one.Check(); err != nil || !want[one] {
			t.Errorf("%v with walls %b: %v", one, one.Walls, err)
		}
		delete(want, one)
	}
	if len(got) != 190 || len(want) > 0 || !slices.Equal(z.WithWalls(0), []Size{z}) {
		t.Errorf("%d sets of two walls; %d are missing", len(got), len(want))
	}
}

// eachBoard calls do with every board of a size: vehicles are put down cell by cell.
func eachBoard(z Size, do func(b rushhour.Board)) {
	side := max(6, z.Cols)
	left := side - z.Cols
	b := rushhour.Board{Side: side}
	for row := range side {
		for col := range side {
			if row >= z.Rows || col < left || z.Walls>>(side*row+col-left)&1 == 1 {
				b.Walls |= 1 << (MaxSide*row + col)
			}
		}
	}
	var fill func(cell int, taken uint64)
	fill = func(cell int, taken uint64) {
		if cell == z.Rows*side {
			do(b)
			return
		}
		fill(cell+1, taken)
		row, col := cell/side, cell%side
		for length := 2; length <= 3; length++ {
			for _, vertical := range []bool{false, true} {
				v := rushhour.Vehicle{Row: row, Col: col, Length: length, Vertical: vertical}
				if !vertical && (row == z.Exit || col+length > side) || vertical && row+length > z.Rows || v.Cells()&taken != 0 {
					continue
				}
				b.Vehicles = append(b.Vehicles, v)
				fill(cell+1, taken|v.Cells())
				b.Vehicles = b.Vehicles[:len(b.Vehicles)-1]
			}
		}
	}
	for col := left; col+2 <= side; col++ {
		b.Vehicles = []rushhour.Vehicle{{Row: z.Exit, Col: col, Length: 2}}
		if car := b.Vehicles[0].Cells(); car&b.Walls == 0 {
			fill(0, b.Walls|car)
		}
	}
}

// plain is a tally that is made by solving each board alone, with the texts of the records.
type plain struct {
	all              []uint64
	byMoves          [][]uint64
	hardest, minimal [][]string
	moves, least     []int
}

func newPlain(t *testing.T, z Size) *plain {
	n := z.MostVehicles() + 1
	p := &plain{make([]uint64, n), make([][]uint64, n), make([][]string, n), make([][]string, n), slices.Repeat([]int{-1}, n), slices.Repeat([]int{-1}, n)}
	s := rushhour.Searcher{Steps: z.Steps}
	take := func(most *int, texts *[]string, moves int, b rushhour.Board) {
		if moves > *most {
			*most, *texts = moves, nil
		}
		if moves == *most {
			*texts = append(*texts, b.String())
		}
	}
	eachBoard(z, func(b rushhour.Board) {
		k := len(b.Vehicles)
		p.all[k]++
		moves, ok, err := s.Solve(b)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			return
		}
		for len(p.byMoves[k]) <= moves {
			p.byMoves[k] = append(p.byMoves[k], 0)
		}
		p.byMoves[k][moves]++
		take(&p.moves[k], &p.hardest[k], moves, b)
		if moves < p.least[k] {
			return
		}
		for i := 1; i < k; i++ {
			if n, _, _ := s.Solve(b.Without(i)); n == moves {
				return
			}
		}
		take(&p.least[k], &p.minimal[k], moves, b)
	})
	return p
}

// texts returns the boards of keys, in order.
func texts(t *testing.T, z Size, keys []Key) (all []string) {
	t.Helper()
	for _, key := range keys {
		b, err := z.Board(key)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b.String())
	}
	slices.Sort(all)
	return all
}

// checkRecord compares a record with all boards that take the most moves.
func checkRecord(t *testing.T, what string, z Size, r Record, moves int, want []string) {
	t.Helper()
	got := texts(t, z, r.Keys)
	slices.Sort(want)
	if r.Moves != moves || len(got) != min(len(want), mostKeys) {
		t.Errorf("%s: %d moves by %d boards, want %d by %d", what, r.Moves, len(got), moves, len(want))
		return
	}
	for _, text := range got {
		if _, ok := slices.BinarySearch(want, text); !ok {
			t.Errorf("%s: %s is no such board", what, text)
		}
	}
}

// The census agrees with a search of each board alone.
func TestPlain(t *testing.T) {
	size := func(rows, cols, exit int, steps bool) Size {
		return Size{Rows: rows, Cols: cols, Exit: exit, Steps: steps}
	}
	sizes := []Size{size(3, 3, 1, false), size(3, 4, 0, false), size(3, 7, 1, false), size(4, 3, 2, true), size(4, 4, 1, false)}
	sizes = append(sizes, size(4, 4, 1, false).WithWalls(1)...)
	sizes = append(sizes, size(3, 4, 1, true).WithWalls(2)...)
	sizes = append(sizes, size(3, 7, 1, false).WithWalls(2)[114]) // in the last column and in the last row
	if long.Tests {
		sizes = append(sizes, size(4, 4, 2, true), size(5, 3, 2, false), size(3, 5, 1, true), size(6, 3, 2, false), size(3, 6, 2, false), size(4, 5, 1, false), size(5, 4, 2, true))
		sizes = append(sizes, size(4, 4, 1, false).WithWalls(2)...)
		sizes = append(sizes, size(5, 4, 2, false).WithWalls(1)...)
		five := size(5, 5, 2, false).WithWalls(2)
		sizes = append(sizes, five[20], five[len(five)-1])
	}
	for _, z := range sizes {
		t.Run(z.String(), func(t *testing.T) {
			t.Parallel()
			want := newPlain(t, z)
			got, err := Run(t.Context(), Options{Size: z, Least: 1, Most: z.MostVehicles(), Threads: 2})
			if err != nil {
				t.Fatal(err)
			}
			if all := z.Placements(); !slices.Equal(all, want.all) {
				t.Errorf("placements %v, want %v", all, want.all)
			}
			for k, counts := range want.byMoves {
				if fmt.Sprint(got.ByMoves[k]) != fmt.Sprint(counts) {
					t.Errorf("%d vehicles: %v boards by moves, want %v", k, got.ByMoves[k], counts)
				}
				checkRecord(t, fmt.Sprintf("%d vehicles", k), z, got.Hardest[k], want.moves[k], want.hardest[k])
				checkRecord(t, fmt.Sprintf("%d vehicles, minimal", k), z, got.Minimal[k], want.least[k], want.minimal[k])
			}
		})
	}
}

// The number of all placements of 6x6, by a program that puts down rows and counts what fits in columns.
func TestPlacements(t *testing.T) {
	sum := uint64(0)
	for _, n := range (Size{Rows: 6, Cols: 6, Exit: 2}).Placements() {
		sum += n
	}
	if sum != 31106546110 {
		t.Errorf("%d placements", sum)
	}
}

// runAll looks at all boards of a size.
func runAll(t *testing.T, o Options) *Tally {
	t.Helper()
	if o.Most == 0 {
		o.Least, o.Most = 1, o.MostVehicles()
	}
	tally, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return tally
}

// 5x5 is the same by any number of threads.
func Test5x5(t *testing.T) {
	if !long.Tests {
		t.Skip("it takes seconds")
	}
	z := Size{Rows: 5, Cols: 5, Exit: 2}
	one := runAll(t, Options{Size: z, Threads: 1})
	if three := runAll(t, Options{Size: z, Threads: 3}); !reflect.DeepEqual(one, three) {
		t.Error("three threads find something else than one")
	}
	var most []int
	solvable := uint64(0)
	for k := range one.Hardest {
		most = append(most, one.Hardest[k].Moves)
		solvable += one.Solvable(k)
	}
	if want := []int{-1, 1, 2, 3, 4, 5, 6, 13, 15, 18, 20, 10, 8}; !slices.Equal(most, want) || solvable != 5842041 {
		t.Errorf("most moves %v, want %v; %d boards can be solved", most, want, solvable)
	}
}

// A run can be stopped and goes on from what it has kept, with another number of threads.
func TestResume(t *testing.T) {
	o := Options{Size: Size{Rows: 4, Cols: 5, Exit: 1}, Least: 1, Most: 10}
	want := runAll(t, o)
	for _, stop := range []int{1, 7, 40} {
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		reason, saved := errors.New("enough"), []byte(nil)
		saves := 0
		first := o
		first.every = 1
		first.Threads = 1
		first.Save = func(s *State) (err error) {
			if saves++; saves == stop {
				cancel(reason)
			}
			saved, err = json.Marshal(s)
			return err
		}
		if _, err := Run(ctx, first); !errors.Is(err, reason) {
			t.Fatalf("after %d parts: %v", stop, err)
		}
		again := o
		again.Threads = 2
		again.Resume = new(State)
		if err := json.Unmarshal(saved, again.Resume); err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, word := range again.Resume.Done {
			n += bits.OnesCount64(word)
		}
		if n != stop {
			t.Errorf("%d parts are finished, want %d", n, stop)
		}
		if got := runAll(t, again); !reflect.DeepEqual(got, want) {
			t.Errorf("stopped after %d parts, it finds something else", stop)
		}
	}
	failed := errors.New("the disk is full")
	o.Save = func(*State) error { return failed }
	if _, err := Run(t.Context(), o); !errors.Is(err, failed) {
		t.Errorf("a state that cannot be kept: %v", err)
	}
}

// Bounds leave out boards with other numbers of vehicles, and change nothing else.
func TestBounds(t *testing.T) {
	z := Size{Rows: 5, Cols: 4, Exit: 3}
	all := runAll(t, Options{Size: z})
	for least := 1; least <= z.MostVehicles(); least++ {
		most := min(least+2, z.MostVehicles())
		checkBounds(t, all, runAll(t, Options{Size: z, Least: least, Most: most}), least, most)
	}
}

// A search finds the same if only the blocks that come up get numbers.
func TestComeUp(t *testing.T) {
	defer func(most uint64) { mostNumbered = most }(mostNumbered)
	some := (Size{Rows: 4, Cols: 4, Exit: 1}).WithWalls(1)
	for _, o := range []Options{
		{Size: Size{Rows: 4, Cols: 5, Exit: 1}, Least: 1, Most: 10},
		{Size: Size{Rows: 4, Cols: 7, Exit: 1, Steps: true}, Least: 2, Most: 5},
		{Size: Size{Rows: 4, Cols: 7, Exit: 1}, Least: 13, Most: 14},
		{Size: some[2], Least: 1, Most: 8, Threads: 3},
	} {
		mostNumbered = 1 << 25
		want := runAll(t, o)
		mostNumbered = 0
		if got := runAll(t, o); !reflect.DeepEqual(got, want) {
			t.Errorf("%v: it finds something else", o.Size)
		}
		o.Memory = 1000
		if _, err := Run(t.Context(), o); !errors.Is(err, statespace.ErrMemory) {
			t.Errorf("%v with 1000 bytes: %v", o.Size, err)
		}
	}
}

// The blocks of the solved boards alone may take more memory than there is, and a search can be stopped while it
// lists them.
func TestSolvedPauses(t *testing.T) {
	o := Options{Size: Size{Rows: 6, Cols: 7, Exit: 2}, Least: 1, Most: 21, Memory: 1 << 20}
	ts := newTables(o.Size)
	s := newSearcher(ts, &o)
	p := newPart(ts, make([]int, o.Rows))
	if err := s.search(t.Context(), p); !errors.Is(err, statespace.ErrMemory) || len(s.come.Keys) > 1<<15 {
		t.Errorf("with 1 MiB: %v, with %d blocks", err, len(s.come.Keys))
	}
	o.Memory = 0
	ended, end := context.WithCancel(t.Context())
	end()
	if err := s.search(ended, p); !errors.Is(err, context.Canceled) || len(s.come.Keys) > 1<<10 {
		t.Errorf("when it is stopped: %v, with %d blocks", err, len(s.come.Keys))
	}
}

func checkBounds(t *testing.T, all, some *Tally, least, most int) {
	t.Helper()
	for k := range all.ByMoves {
		if inside := k >= least && k <= most; !inside && (some.ByMoves[k] != nil || some.Hardest[k].Moves != -1 || some.Minimal[k].Moves != -1) ||
			inside && !(slices.Equal(some.ByMoves[k], all.ByMoves[k]) && reflect.DeepEqual(some.Hardest[k], all.Hardest[k]) && reflect.DeepEqual(some.Minimal[k], all.Minimal[k])) {
			t.Errorf("%d vehicles: %v and %v, within bounds %v and %v", k, all.ByMoves[k], all.Hardest[k], some.ByMoves[k], some.Hardest[k])
		}
	}
}

func TestErrors(t *testing.T) {
	z := Size{Rows: 4, Cols: 4, Exit: 1}
	for _, o := range []Options{
		{Size: Size{Rows: 2, Cols: 4}, Least: 1, Most: 2},
		{Size: Size{Rows: 4, Cols: 8}, Least: 1, Most: 2},
		{Size: Size{Rows: 7, Cols: 4}, Least: 1, Most: 2},
		{Size: Size{Rows: 4, Cols: 4, Exit: 4}, Least: 1, Most: 2},
		{Size: Size{Rows: 4, Cols: 4, Exit: -1}, Least: 1, Most: 2},
		{Size: Size{Rows: 4, Cols: 4, Exit: 1, Walls: 1 << 4}, Least: 1, Most: 2},
		{Size: Size{Rows: 4, Cols: 4, Exit: 1, Walls: 1 << 63}, Least: 1, Most: 2},
		{Size: z, Least: 0, Most: 2},
		{Size: z, Least: 3, Most: 2},
		{Size: z, Least: 3, Most: 9},
	} {
		if _, err := Run(t.Context(), o); err == nil {
			t.Errorf("%+v is no error", o)
		}
	}
	if _, err := Run(t.Context(), Options{Size: z, Least: 1, Most: 8, Memory: 1000}); !errors.Is(err, statespace.ErrMemory) {
		t.Errorf("with 1000 bytes: %v", err)
	}
	for _, key := range []Key{1 << 63, 1 << (wordBits * 8), 31, 0} {
		if b, err := z.Board(key); err == nil {
			t.Errorf("%d is the key of %v", key, b)
		}
	}
}

// A state that is damaged or of another run is refused.
func TestForeignStates(t *testing.T) {
	o := Options{Size: Size{Rows: 4, Cols: 4, Exit: 1}, Least: 1, Most: 8}
	var whole []byte
	o.Save = func(s *State) (err error) {
		whole, err = json.Marshal(s)
		return err
	}
	runAll(t, o)
	for _, c := range []struct {
		what   string
		change func(s *State)
	}{
		{"another size", func(s *State) { s.Size.Rows = 5 }},
		{"another metric", func(s *State) { s.Size.Steps = true }},
		{"other bounds", func(s *State) { s.Most = 7 }},
		{"no parts", func(s *State) { s.Done = nil }},
		{"more parts", func(s *State) { s.Done = append(s.Done, 0) }},
		{"no counts", func(s *State) { s.Tally.ByMoves = s.Tally.ByMoves[1:] }},
		{"no records", func(s *State) { s.Tally.Hardest = nil }},
		{"no minimal records", func(s *State) { s.Tally.Minimal = s.Tally.Minimal[:1] }},
		{"other records", func(s *State) { s.Tally.Hardest[3].Moves++ }},
		{"a minimal board harder than all", func(s *State) { s.Tally.Minimal[3].Moves = 100 }},
		{"a negative record", func(s *State) { s.Tally.Minimal[3].Moves = -2 }},
		{"a record without boards", func(s *State) { s.Tally.Minimal[3].Keys = nil }},
		{"boards out of order", func(s *State) { slices.Reverse(s.Tally.Minimal[3].Keys) }},
		{"no board", func(s *State) { s.Tally.Hardest[3].Keys[0] = 0 }},
		{"too many boards", func(s *State) { s.Tally.Hardest[3].Keys = slices.Repeat(s.Tally.Hardest[3].Keys[:1], mostKeys+1) }},
	} {
		s := new(State)
		if err := json.Unmarshal(whole, s); err != nil {
			t.Fatal(err)
		}
		c.change(s)
		again := o
		again.Resume = s
		want := ErrCheckpoint
		if strings.HasPrefix(c.what, "another") || c.what == "other bounds" {
			want = ErrOther
		}
		if _, err := Run(t.Context(), again); !errors.Is(err, want) {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}

// Component is the same for all positions that can be reached, and for their reflections.
func TestComponent(t *testing.T) {
	z := Size{Rows: 5, Cols: 5, Exit: 2}
	var s rushhour.Searcher
	of := func(text string) string {
		b := parse(t, text)
		c, err := z.Component(&s, b)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	one := of("xBBCCoxDDoEoxFAAEoxFoGHHxIIGooxxxxxx")
	if turned := of("xIIGooxFoGHHxFAAEoxDDoEoxBBCCoxxxxxx"); turned != one {
		t.Errorf("the reflection has %s, want %s", turned, one)
	}
	if moved := of("xBBoCCxDDoEoxFAAEoxFoGHHxIIGooxxxxxx"); moved != one {
		t.Errorf("after a move it is %s, want %s", moved, one)
	}
	if other := of("xBBoooxDDoEoxFAAEoxFoGHHxIIGooxxxxxx"); other == one {
		t.Errorf("another board has %s too", other)
	}
	walls := of("xBoxooxBoCooxAACooxoooooxoooDDxxxxxx")
	if turned := of("xoooDDxoooooxAACooxBoCooxBoxooxxxxxx"); turned != walls {
		t.Errorf("with its wall, the reflection has %s, want %s", turned, walls)
	}
	if other := of("xoooDDxoooooxAACooxBoCooxBooxoxxxxxx"); other == walls {
		t.Errorf("a board with another wall has %s too", other)
	}
}

// M. Fogleman's program starts from boards in which no vehicle can move left or up, and no line is full. It
// numbers them from 0, and names the last number of a size (fogleman/rush, cpp/src/config.h).
func TestPublishedCounts(t *testing.T) {
	for _, c := range []struct {
		size Size
		last int
	}{{Size{Rows: 4, Cols: 4, Exit: 1}, 1348}, {Size{Rows: 5, Cols: 5, Exit: 2}, 268108}} {
		if !long.Tests && c.size.Rows > 4 {
			continue
		}
		count := 0
		eachBoard(c.size, func(b rushhour.Board) {
			if isLeast(c.size, b) {
				count++
			}
		})
		if count != c.last+1 {
			t.Errorf("%v: %d boards, want %d", c.size, count, c.last+1)
		}
	}
}

// isLeast reports whether no vehicle can move left or up, and no line is full.
func isLeast(z Size, b rushhour.Board) bool {
	taken := b.Walls
	var inRow, inCol [rushhour.Side]int
	for _, v := range b.Vehicles {
		taken |= v.Cells()
		if v.Vertical {
			inCol[v.Col] += v.Length
		} else {
			inRow[v.Row] += v.Length
		}
	}
	for line := range rushhour.Side {
		if inRow[line] == z.Cols || inCol[line] == z.Rows {
			return false
		}
	}
	for _, v := range b.Vehicles {
		first, before := MaxSide*v.Row+v.Col, 1
		if v.Vertical {
			before = MaxSide
		}
		if at := v.Col; v.Vertical && v.Row > 0 || !v.Vertical && at > 0 {
			if taken>>(first-before)&1 == 0 {
				return false
			}
		}
	}
	return true
}

// The part with the hardest board of 6x6, as published: nothing in it takes more than 51 moves.
func TestPublished(t *testing.T) {
	if !long.Tests {
		t.Skip("it takes seconds with the race detector")
	}
	z := Size{Rows: 6, Cols: 6, Exit: 2}
	const published = "BCDDEoBCFoEGBoFAAGHHHIoGooJIKKLLJMMo"
	b := parse(t, published)
	tables := newTables(z)
	rows := make([]int, z.Rows)
	for row := range rows {
		var inRow []rushhour.Vehicle
		for _, v := range b.Vehicles {
			if !v.Vertical && v.Row == row {
				inRow = append(inRow, v)
			}
		}
		slices.SortFunc(inRow, func(v, w rushhour.Vehicle) int { return v.Col - w.Col })
		var lengths []int
		for _, v := range inRow {
			lengths = append(lengths, v.Length)
		}
		rows[row] = slices.IndexFunc(tables.contents, func(c [2]int) bool { return slices.Equal(tables.across[c[0]].lengths, lengths) })
	}
	o := &Options{Size: z, Least: 13, Most: 13}
	s := newSearcher(tables, o)
	others := newTally(z.MostVehicles()) // what other parts have, so that easier boards are passed over
	others.Hardest[13].Moves, others.Minimal[13].Moves = 49, 49
	s.begin(&others)
	if err := s.search(t.Context(), newPart(tables, rows)); err != nil {
		t.Fatal(err)
	}
	for _, r := range []Record{s.tally.Hardest[13], s.tally.Minimal[13]} {
		if all := texts(t, z, r.Keys); r.Moves != 51 || len(all) != 3 || !slices.Contains(all, published) {
			t.Errorf("%d moves, by %v", r.Moves, all)
		}
	}
}

// parse reads a board of cars and trucks, in 36 characters.
func parse(t *testing.T, text string) (b rushhour.Board) {
	t.Helper()
	p, err := formats.ParseRushHour(text)
	if err != nil {
		t.Fatal(err)
	}
	for at := range rushhour.Side * rushhour.Side {
		b.Walls |= 1 << (MaxSide*(at/rushhour.Side) + at%rushhour.Side)
	}
	for _, c := range p.Cells() {
		b.Walls &^= 1 << (MaxSide*c.Row + c.Col)
	}
	for i, name := range p.Pieces() {
		cells := p.PieceCells(p.Start(), i)
		v := rushhour.Vehicle{Row: cells[0].Row, Col: cells[0].Col, Length: len(cells), Vertical: p.Axis(i) == tray.Vertical}
		if name == 'A' {
			b.Vehicles = slices.Insert(b.Vehicles, 0, v)
		} else {
			b.Vehicles = append(b.Vehicles, v)
		}
	}
	return b
}
