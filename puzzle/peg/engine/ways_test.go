//go:build !js

package engine

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"testing"

	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/layout"
	"pagoda/statespace"
)

// Paths are counted linearly: if the start has a large number of paths, every count is its multiple.
// So all counts are more words long, or become so on the way, and are still exact.
func TestLongWays(t *testing.T) {
	rectangle, err := board.Rectangle(4, 5)
	if err != nil {
		t.Fatal(err)
	}
	square, err := board.Rectangle(5, 5)
	if err != nil {
		t.Fatal(err)
	}
	longer := 0 // counts that have more words than the start
	for _, start := range []struct {
		*board.Board
		start board.Position
	}{
		{rectangle, rectangle.Full() &^ (1 << 5)},
		{square, 1<<1 | 1<<3 | 1<<5 | 1<<6 | 1<<7 | 1<<8 | 1<<9 | 1<<11 | 1<<13 | 1<<15 | 1<<16 | 1<<17 | 1<<18 | 1<<19 | 1<<21 | 1<<23}, // 8 symmetries
	} {
		l := layout.New(start.Board, start.Stabilizer(start.start))
		e, c := newEngine(t, start.Board, start.start, l)
		to := []uint64{e.root}
		for x := uint64(0); x < 1<<c.Dim(); x += 1 + x/500 {
			to = append(to, x)
		}
		count := func(first *big.Int) (*statespace.Ways, int) {
			words := []uint64{}
			for n := new(big.Int).Set(first); n.Sign() > 0; n.Rsh(n, 64) {
				words = append(words, new(big.Int).And(n, new(big.Int).SetUint64(^uint64(0))).Uint64())
			}
			b := &budget{allowed: 1 << 30}
			r, err := e.represent(t.Context(), e.symmetries(), 2, b)
			if err != nil {
				t.Fatal(err)
			}
			defer r.free()
			w := newWays(r, statespace.WaysQuestion{To: to, Layers: true}, words, true, b)
			if _, err := statespace.DoFrom(t.Context(), w, 0, w.between, 2, nil); err != nil || w.fault.Load() != nil {
				t.Fatal(err, *w.fault.Load())
			}
			limbs := 0
			for _, n := range w.paths {
				limbs = max(limbs, len(n))
			}
			return w.answer(), limbs
		}
		one, limbs := count(big.NewInt(1))
		if limbs != 1 {
			t.Errorf("the counts have %d words", limbs)
		}
		for _, shift := range []uint{40, 60, 64, 120, 300} {
			first := new(big.Int).Lsh(big.NewInt(1), shift)
			first.Sub(first, big.NewInt(12345))
			got, limbs := count(first)
			if limbs > (int(shift)+63)/64 {
				longer++
			}
			for i := range to {
				if want := new(big.Int).Mul(first, one.To[i]); got.To[i].Cmp(want) != 0 {
					t.Fatalf("2^%d: %v paths, want %v", shift, got.To[i], want)
				}
			}
			if len(got.Layers) != len(one.Layers) {
				t.Fatalf("%d layers, want %d", len(got.Layers), len(one.Layers))
			}
			for i, l := range one.Layers {
				l.Paths.Mul(l.Paths, first)
				l.Games.Mul(l.Games, first)
				if fmt.Sprint(got.Layers[i]) != fmt.Sprint(l) {
					t.Errorf("2^%d: %v, want %v", shift, got.Layers[i], l)
				}
				l.Paths.Div(l.Paths, first)
				l.Games.Div(l.Games, first)
			}
		}
	}
	if longer < 3 {
		t.Errorf("counts became longer in %d cases", longer)
	}
}

func TestIsGroup(t *testing.T) {
	b, err := board.Rectangle(5, 5)
	if err != nil {
		t.Fatal(err)
	}
	start := b.Full() &^ (1 << 12)
	c, err := board.NewClass(b, start, layout.New(b, b.Stabilizer(start)).Free)
	if err != nil {
		t.Fatal(err)
	}
	all := c.Symmetries(start)
	groups := 0
	for pick := range 1 << len(all) {
		var some []*board.Symmetry
		for i, s := range all {
			if pick>>i&1 == 1 {
				some = append(some, s)
			}
		}
		if isGroup(some, c.Dim()) {
			groups++
		}
	}
	if len(all) != 7 || groups != 10 { // the subgroups of the dihedral group of order 8
		t.Errorf("of %d symmetries %d sets are groups", len(all), groups)
	}
}

// A set that is not what the start reaches is noticed, and so is too little memory.
func TestWaysFail(t *testing.T) {
	b, err := board.Rectangle(4, 5)
	if err != nil {
		t.Fatal(err)
	}
	start := b.Full() &^ (1 << 5)
	e, _ := newEngine(t, b, start, layout.New(b, b.Stabilizer(start)))
	fault := func(change func(r *representativeSet)) error {
		budget := &budget{allowed: 1 << 30}
		r, err := e.represent(t.Context(), e.symmetries(), 2, budget)
		if err != nil {
			t.Fatal(err)
		}
		defer r.free()
		change(r)
		w := newWays(r, statespace.WaysQuestion{Layers: true}, []uint64{1}, true, budget)
		_, err = statespace.DoFrom(t.Context(), w, 0, w.between, 2, nil)
		if f := w.fault.Load(); f != nil {
			return *f
		}
		return err
	}
	if err := fault(func(*representativeSet) {}); err != nil {
		t.Errorf("the set itself is refused: %v", err)
	}
	none, some := 0, 0
	for i := 5; i < 2000; i += 199 {
		var changed bool
		err := fault(func(r *representativeSet) {
			word := &r.set[i%len(r.set)]
			if some++; *word&(*word-1) != 0 && i%2 == 0 {
				*word &= *word - 1 // a member is missing
				changed = true
			} else if *word != ^uint64(0) {
				*word |= *word + 1 // one is too many
				changed, none = true, none+1
			}
		})
		if changed && !errors.Is(err, statespace.ErrNoPath) {
			t.Errorf("word %d: a wrong set is taken: %v", i, err)
		}
	}
	if none == 0 || some == none {
		t.Errorf("of %d sets %d have a member too many", some, none)
	}
	for _, memory := range []uint64{0, 1 << 10, e.Memory() + 100, e.Memory() + 1<<15} {
		if _, err := e.CountWays(t.Context(), statespace.WaysQuestion{Layers: true, Memory: memory, Threads: 1}); !errors.Is(err, statespace.ErrMemory) {
			t.Errorf("with %d bytes: %v", memory, err)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errStop)
	for _, q := range []statespace.WaysQuestion{{Layers: true}, {To: []uint64{e.root}}} {
		q.Memory, q.Threads = 1<<30, 2
		if _, err := e.CountWays(ctx, q); !errors.Is(err, errStop) {
			t.Errorf("it goes on after the end of its context: %v", err)
		}
	}
}

var errStop = errors.New("stop")
