package hardest

import (
	"context"
	"errors"
	"slices"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/slide/tray"
)

// N. Bickford's SBPFinder found 12,295,564 placements that are just solved on 4x4. Another program
// counted 3,026 on 3x3.
func TestJustSolved(t *testing.T) {
	for _, c := range []struct {
		side int
		want uint64
	}{{3, 3026}, {4, 12295564}} {
		if c.side > 3 && !long.Tests {
			continue
		}
		b := Rectangle(1, c.side, c.side)
		goals, err := Goals(b, Journey{Strict: true}, 0)
		if err != nil {
			t.Fatal(err)
		}
		byPieces, err := JustSolved(t.Context(), &Problem{Board: b, Goals: goals, Metric: tray.Moves}, 1<<30)
		total := uint64(0)
		for _, n := range byPieces {
			total += n
		}
		if err != nil || total != c.want {
			t.Errorf("%dx%d: %d, %v, want %d", c.side, c.side, total, err, c.want)
		}
	}
}

// A patient context ends when it was asked some times.
type patient struct {
	context.Context
	left int
}

func (c *patient) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// JustSolved can be ended anywhere.
func TestJustSolvedEnds(t *testing.T) {
	b := Rectangle(1, 2, 3)
	goals, err := Goals(b, Journey{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	p := &Problem{Board: b, Goals: goals, Metric: tray.Moves}
	for asked := range 1000 {
		c := &patient{t.Context(), asked}
		if _, err := JustSolved(c, p, 1<<30); err == nil {
			if asked < 10 {
				t.Errorf("it asked %d times whether to go on", asked)
			}
			return
		}
	}
	t.Error("it does not end")
}

// The counts are those of all placements of a unit, looked at one by one.
func TestJustSolvedPlainly(t *testing.T) {
	for _, text := range []string{"...\n..#\n...\nwalls: (0,0) right", "floors: 2\ntray:\n..\n..\n..\n.#\n"} {
		b, err := tray.ParseBoard(text)
		if err != nil {
			t.Fatal(err)
		}
		for n := range 8 {
			goals, err := Goals(*b, Journey{n&1 != 0, n&2 != 0, n&4 != 0}, 0)
			if err != nil {
				t.Fatal(err)
			}
			p := &Problem{Board: *b, Goals: goals, Metric: tray.Moves, MinPieces: 2, MaxPieces: 4}
			got, err := JustSolved(t.Context(), p, 1<<30)
			if want := justSolvedPlainly(t, p); err != nil || !slices.Equal(got, want) {
				t.Errorf("%q, %d: %v, %v, want %v", text, n, got, err, want)
			}
		}
	}
}

// A count that takes more than the memory is refused.
func TestJustSolvedMemory(t *testing.T) {
	b := Rectangle(1, 3, 3)
	goals, err := Goals(b, Journey{Strict: true}, 0)
	if err != nil {
		t.Fatal(err)
	}
	var limit *LimitError
	if _, err := JustSolved(t.Context(), &Problem{Board: b, Goals: goals, Metric: tray.Moves}, 1000); !errors.As(err, &limit) {
		t.Errorf("%v, want a LimitError", err)
	}
}

func justSolvedPlainly(t *testing.T, p *Problem) []uint64 {
	s, err := newSearcher(t.Context(), p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.turns = nil
	parts, err := s.plan(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	total := make([]uint64, len(p.Board.Cells)+1)
	for _, p := range parts {
		u := s.newUnit(p.counts, p.goals)
		u.number()
		for number := range uint32(u.size) {
			pieces := u.placement(number)
			goal := &s.all[pieces[0]]
			if _, ends := s.placesOf(int(u.marks[goal.shape])); !slices.Contains(ends, pieces[0]) {
				continue
			}
			taken := uint64(0)
			for _, id := range pieces[1:] {
				taken |= s.all[id].mask
			}
			if slices.ContainsFunc(s.steps, func(d step) bool { to := s.moved(goal.mask, d); return to != 0 && to&taken == 0 }) {
				total[len(pieces)]++
			}
		}
	}
	return total
}
