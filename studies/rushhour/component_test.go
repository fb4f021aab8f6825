package rushhour

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/internal/long"
	_ "pagoda/layers/all"
	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/tray"
	_ "pagoda/run/all"
)

// published is the hardest board that is known.
const published = "BCDDEoBCFoEGBoFAAGHHHIoGooJIKKLLJMMo"

func parse(t *testing.T, text string) Board {
	t.Helper()
	b, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// randomBoard returns a board with some walls and vehicles at random places.
func randomBoard(rng *rand.Rand, walls, tries int) Board {
	b := Board{Vehicles: []Vehicle{{Row: rng.IntN(Side), Col: rng.IntN(Side - 1), Length: 2}}}
	taken := b.Vehicles[0].Cells()
	for range walls {
		if cell := uint64(1) << (MaxSide*rng.IntN(Side) + rng.IntN(Side)); taken&cell == 0 {
			b.Walls |= cell
			taken |= cell
		}
	}
	for range tries {
		v := Vehicle{Length: 2 + rng.IntN(2), Vertical: rng.IntN(2) == 0}
		v.Row, v.Col = rng.IntN(Side), rng.IntN(Side+1-v.Length)
		if v.Vertical {
			v.Row, v.Col = v.Col, v.Row
		}
		if taken&v.Cells() == 0 {
			b.Vehicles = append(b.Vehicles, v)
			taken |= v.Cells()
		}
	}
	return b
}

// The board of 51 moves, as published: 4,780 positions, and no harder one among them.
func TestPublished(t *testing.T) {
	var s Searcher
	b := parse(t, published)
	c, err := s.Explore(b)
	if err != nil {
		t.Fatal(err)
	}
	length, ok := c.Length()
	most, starts := c.Hardest()
	if !ok || length != 51 || most != 51 || len(starts) != 3 || c.Positions() != 4780 {
		t.Errorf("%d moves, %v; at most %d, from %v; %d positions", length, ok, most, starts, c.Positions())
	}
	if i, err := s.Needless(b); i != -1 || err != nil {
		t.Errorf("vehicle %d of the published board is needless, %v", i, err)
	}
	if b.String() != published {
		t.Errorf("it is written as %v", b)
	}
}

// The search agrees with the engine for all sliding-block puzzles.
func TestExplore(t *testing.T) {
	var s Searcher
	rng := rand.New(rand.NewPCG(1, 2))
	solvable, tries := 0, 150
	if !long.Tests {
		tries = 20
	}
	for range tries {
		b := randomBoard(rng, rng.IntN(4), 4+rng.IntN(40))
		c, err := s.Explore(b)
		if err != nil {
			t.Fatalf("%v: %v", b, err)
		}
		p, err := b.Puzzle()
		if err != nil {
			t.Fatalf("%v: %v", b, err)
		}
		h, err := slide.FindHardest(t.Context(), p, tray.Lines, slide.Options{})
		if err != nil {
			t.Fatalf("%v: %v", b, err)
		}
		most, starts := c.Hardest()
		if h.Reason == "" && uint64(c.Positions()) != h.States || most != h.Length || uint64(len(starts)) != h.Count {
			t.Fatalf("%v: %d positions, hardest %d by %d, the engine finds %d, %d by %d", b, c.Positions(), most, len(starts), h.States, h.Length, h.Count)
		}
		length, ok := c.Length()
		questions := c.Questions()
		r, err := slide.Solve(t.Context(), p, tray.Moves, slide.Options{})
		if err != nil || r.Solved != ok || ok && r.Length != length {
			t.Fatalf("%v: %d moves, %v, the engine finds %d, %v, %v", b, length, ok, r.Length, r.Solved, err)
		}
		if math.IsInf(questions, 1) == ok || ok && length == 0 != (questions == 0) {
			t.Fatalf("%v: %d moves, %v, and %f questions", b, length, ok, questions)
		}
		if n, again, err := s.Solve(b); err != nil || again != ok || ok && n != length {
			t.Fatalf("%v: Solve finds %d, %v, %v, Explore %d, %v", b, n, again, err, length, ok)
		}
		if ok {
			solvable++
			checkNeedless(t, &s, b, length)
		}
	}
	if solvable < tries/4 || solvable == tries {
		t.Errorf("%d of %d boards can be solved", solvable, tries)
	}
}

// checkNeedless compares Needless with an attempt at every vehicle.
func checkNeedless(t *testing.T, s *Searcher, b Board, length int) {
	t.Helper()
	var needless []int
	for i := 1; i < len(b.Vehicles); i++ {
		n, ok, err := s.Solve(b.Without(i))
		if err != nil || !ok || n > length {
			t.Fatalf("%v takes %d moves, and without vehicle %d %d, %v, %v", b, length, i, n, ok, err)
		}
		if n == length {
			needless = append(needless, i)
		}
	}
	i, err := s.Needless(b)
	if err != nil || i < 0 != (needless == nil) || i >= 0 && !slices.Contains(needless, i) {
		t.Fatalf("%v: vehicle %d is needless, %v, want one of %v", b, i, err, needless)
	}
}

// All positions of a component have the same least board.
func TestLeast(t *testing.T) {
	var s Searcher
	c, err := s.Explore(parse(t, published))
	if err != nil {
		t.Fatal(err)
	}
	least := c.Least().String()
	_, starts := c.Hardest()
	for _, b := range starts {
		slices.Reverse(b.Vehicles[1:])
		c, err := s.Explore(b)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Least().String(); got != least {
			t.Errorf("the least board from %v is %s, from another position %s", b, got, least)
		}
	}
}

func TestErrors(t *testing.T) {
	s := Searcher{Most: 100}
	if _, err := s.Explore(parse(t, published)); !errors.Is(err, ErrLarge) {
		t.Errorf("4,780 positions, at most 100: %v", err)
	}
	if _, _, err := s.Solve(parse(t, published)); !errors.Is(err, ErrLarge) {
		t.Errorf("4,780 positions, at most 100: %v", err)
	}
	car := Vehicle{Row: 2, Length: 2}
	for _, b := range []Board{
		{},
		{Vehicles: slices.Repeat([]Vehicle{car}, MaxVehicles+1)},
		{Vehicles: []Vehicle{{Length: 2, Vertical: true}}},
		{Vehicles: []Vehicle{{Length: 4}}},
		{Vehicles: []Vehicle{{Col: 5, Length: 2}}},
		{Vehicles: []Vehicle{car, {Row: 4, Length: 3, Vertical: true}}},
		{Vehicles: []Vehicle{car, {Row: -1, Length: 2}}},
		{Vehicles: []Vehicle{car, car}},
		{Walls: 1 << (2 * MaxSide), Vehicles: []Vehicle{car}},
		{Vehicles: []Vehicle{car}, Side: MaxSide + 1},
		{Vehicles: []Vehicle{car}, Side: -1},
	} {
		if _, err := s.Explore(b); err == nil || errors.Is(err, ErrLarge) {
			t.Errorf("%+v: %v", b, err)
		}
		if _, _, err := s.Solve(b); err == nil || errors.Is(err, ErrLarge) {
			t.Errorf("%+v: %v", b, err)
		}
		if _, err := s.Needless(b); err == nil {
			t.Errorf("%+v has a needless vehicle", b)
		}
	}
}

// Boards are read as they are written.
func TestParse(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		b := randomBoard(rng, rng.IntN(6), rng.IntN(40))
		again := parse(t, b.String())
		if again.String() != b.String() || again.Walls != b.Walls || len(again.Vehicles) != len(b.Vehicles) || again.Vehicles[0] != b.Vehicles[0] {
			t.Fatalf("%v is read as %v", b, again)
		}
	}
	for _, text := range []string{
		"", "AA", "ooooooooooooAAAooooooooooooooooooooo", "ooooooooooooAAooooBBBBoooooooooooooo",
		"oooooooooooooooooooooooooooooooooooo", "AooooooAoooooooooooooooooooooooooooo",
	} {
		if b, err := Parse(text); err == nil {
			t.Errorf("%q is read as %v", text, b)
		}
	}
}
