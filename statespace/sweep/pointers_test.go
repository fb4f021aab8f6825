package sweep_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"pagoda/bitset"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/internal/toys"
	"pagoda/statespace/sweep"
)

// fill returns the pointers of all states that can be reached.
func fill(t *testing.T, sp statespace.Space, set *bitset.Set) (*statespace.Pointers, *bitset.Planes) {
	t.Helper()
	p, err := sweep.PointersOf(t.Context(), sp, set, 2)
	if err != nil {
		t.Fatal(err)
	}
	planes, err := bitset.PlanesOver(make([]uint64, bitset.PlaneWords(sp.Size(), p.Bits)), sp.Size(), p.Bits)
	if err != nil {
		t.Fatal(err)
	}
	if err := sweep.FillPointers(t.Context(), p, sp, set, planes, 2, nil); err != nil {
		t.Fatal(err)
	}
	return p, planes
}

// Pointers lead back to a root. In a space without layers, by a shortest path.
func TestPointers(t *testing.T) {
	for _, sp := range []statespace.Space{
		toys.Countdown{Start: 100}, toys.NewSwept(toys.Pairs{N: 4}), toys.NewHanoi(5), toys.NewLights(3, 3, 1),
		toys.Ring{N: 300, Add: 7, From: []uint64{3, 100}}, toys.Ring{N: 300, Add: 7, From: []uint64{3}, Goals: []uint64{50, 51}, ToGoal: true},
	} {
		s, err := bfs.New(t.Context(), bfs.Of(sp), bfs.Options{Whole: true, ToGoal: sp.Parts().Goals.Ends})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if err := s.Run(t.Context(), nil, nil); err != nil {
			t.Fatal(err)
		}
		set := bitset.New(sp.Size())
		for x := range sp.Size() {
			if has, _ := s.Members().Has(x); has {
				set.Add(x)
			}
		}
		p, planes := fill(t, sp, set)
		pointer := func(x uint64) (uint16, error) { return planes.Get(x), nil }
		layered := sp.Parts().Layers != nil
		for x := range sp.Size() {
			path, err := sweep.FollowPointers(p, sp, pointer, x, sp.Size())
			if !set.Has(x) {
				if planes.Get(x) != 0 || !errors.Is(err, statespace.ErrNoPath) {
					t.Fatalf("%s: number %d cannot be reached, and has the pointer %d: %v", sp.Name(), x, planes.Get(x), err)
				}
				continue
			}
			length := int(s.Members().Depths().Entry(x)) - 1
			if err != nil || !layered && len(path.Steps) != length {
				t.Fatalf("%s: %d moves to number %d, which is at distance %d: %v", sp.Name(), len(path.Steps), x, length, err)
			}
			if _, states, err := statespace.Narrate(sp, path); err != nil || states[len(states)-1] != sp.Format(x) || !slices.Contains(sp.Roots(), path.From) {
				t.Fatalf("%s: the path to number %d leads through %v from number %d: %v", sp.Name(), x, states, path.From, err)
			}
			if n := uint64(len(path.Steps)); n > 0 {
				if _, err := sweep.FollowPointers(p, sp, pointer, x, n-1); !errors.Is(err, statespace.ErrNoPath) {
					t.Fatalf("a path of %d moves is found with at most %d: %v", n, n-1, err)
				}
			}
		}
		if x, wrong, err := sweep.CheckPointers(t.Context(), p, sp, set, planes, 2); wrong || err != nil {
			t.Errorf("%s: the pointer of number %d is refused, %v", sp.Name(), x, err)
		}
		// Another pointer is refused, or leads to a nearer member too.
		for x := range set.All() {
			old := planes.Get(x)
			for v := range uint16(1) << p.Bits {
				planes.Set(x, v)
				e, ok := p.Follow(x, v)
				nearer := ok && v > 1 && set.Has(e.To) && (layered || s.Members().Depths().Entry(e.To)+1 == s.Members().Depths().Entry(x))
				good := nearer || v == 1 && slices.Contains(sp.Roots(), x)
				if at, wrong, err := sweep.CheckPointers(t.Context(), p, sp, set, planes, 1); wrong == good || wrong && at != x || err != nil {
					t.Fatalf("%s: the pointer %d of number %d is refused: %t, of number %d, %v", sp.Name(), v, x, wrong, at, err)
				}
			}
			if planes.Set(x, old); x > 60 {
				break
			}
		}
	}
}

func TestPointerErrors(t *testing.T) {
	sp := toys.NewHanoi(3)
	set := toys.Reach(t, sp)
	p, planes := fill(t, sp, set)
	narrow, err := bitset.PlanesOver(make([]uint64, 1), 27, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := sweep.FillPointers(t.Context(), p, sp, set, narrow, 1, nil); err == nil || err.Error() != fmt.Sprintf("a set of 27 numbers needs as many pointers of %d bits, found 27 of 1 bits", p.Bits) {
		t.Errorf("pointers of 1 bit: %v", err)
	}
	if _, err := sweep.FollowPointers(p, sp, func(uint64) (uint16, error) { return 0, errStop }, 5, 100); !errors.Is(err, errStop) {
		t.Errorf("a pointer that cannot be read became %v", err)
	}
	ctx := ended(t)
	if err := sweep.FillPointers(ctx, p, sp, set, planes, 1, nil); !errors.Is(err, errStop) {
		t.Errorf("filling goes on after the end of its context: %v", err)
	}
	if _, _, err := sweep.CheckPointers(ctx, p, sp, set, planes, 1); !errors.Is(err, errStop) {
		t.Errorf("checking goes on after the end of its context: %v", err)
	}
	if _, err := sweep.PointersOf(ctx, sp, set, 1); !errors.Is(err, errStop) {
		t.Errorf("counting goes on after the end of its context: %v", err)
	}
	if swept := toys.NewSwept(toys.Countdown{Start: 5}); sweep.Of(swept).Pointers == nil {
		t.Error("a space has pointers of its own")
	} else if p, err := sweep.PointersOf(t.Context(), swept, bitset.New(6), 1); err != nil || p != sweep.Of(swept).Pointers {
		t.Errorf("a space has pointers of its own, and others are used: %v", err)
	}
	// A set without members needs one bit.
	if p, err := sweep.PointersOf(t.Context(), sp, bitset.New(27), 1); err != nil || p.Bits != 1 {
		t.Errorf("%d bits for no members, %v", p.Bits, err)
	}
}
