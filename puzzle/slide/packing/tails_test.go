package packing

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/slide/slidetest"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
)

// limitTails sets the limits of tails until the test ends.
func limitTails(t *testing.T, large, most, shared uint64) {
	l, m, s := largeSize, maxTails, sharedTails
	largeSize, maxTails, sharedTails = large, most, shared
	t.Cleanup(func() { largeSize, maxTails, sharedTails = l, m, s })
}

// TestTails compares the moves of blocks with those of a cursor, and whole searches with and without tails.
func TestTails(t *testing.T) {
	rng := rand.New(rand.NewPCG(29, 30))
	cases := 250
	if !long.Tests {
		cases = 60
	}
	tried, stepped, spans, floors := 0, 0, 0, 0
	for i := range cases {
		p, most := slidetest.Random(rng), uint64(1)<<rng.IntN(13)
		if i == 0 { // tails with many steps
			p, most = slidetest.Parse(t, "alike: *\ntray: a.b.c/.d.e./f.g.h/.i.j."), 1<<16
		}
		limitTails(t, 0, most, 0)
		pk := newPacking(t, p)
		tails := pk.tails()
		if tails == nil {
			continue // there are too many, or no bands before them
		}
		tried++
		if p.Floors() > 1 {
			floors++
		}
		e, c := newBlockExpander(pk, tails), newCursor(pk, tray.Steps)
		for range 20 {
			first := rng.Uint64N(pk.Size()) / statespace.BlockSize * statespace.BlockSize
			var states statespace.Block
			var want []uint64
			few := rng.IntN(3) * rng.IntN(50)
			for x := first; x < min(pk.Size(), first+statespace.BlockSize); x++ {
				if rng.IntN(1+few) == 0 {
					states[(x-first)/64] |= 1 << (x % 64)
					c.seek(x)
					want = c.successors(want)
				}
			}
			got, all := e.ExpandBlock(nil, nil, first, &states)
			for _, s := range all {
				for k, word := range states {
					for ; word != 0; word &= word - 1 {
						if at := k*64 + bits.TrailingZeros64(word); s.From <= at && at < s.To {
							got = append(got, first+uint64(at)+uint64(s.Add))
						}
					}
				}
			}
			spans += len(all)
			slices.Sort(got)
			slices.Sort(want)
			if got, want = slices.Compact(got), slices.Compact(want); !slices.Equal(got, want) {
				t.Fatalf("%s: from %x after %d moves lead to %v, want %v", p.Format(), states, first, got, want)
			}
		}
		for i := range tails.tails {
			if tails.tails[i].long {
				stepped++
			}
		}
		if i%10 == 0 {
			compareSearches(t, p)
		}
	}
	if tried < cases*2/5 || floors < cases/15 || stepped < 100 || spans < 40*cases {
		t.Errorf("%d puzzles have tails, %d of them floors; %d tails are long, %d moves are shared", tried, floors, stepped, spans)
	}
}

// compareSearches compares a search with one without tails.
func compareSearches(t *testing.T, p *tray.Puzzle) {
	t.Helper()
	var found []*bfs.Search
	for _, threads := range []int{0, 1, 3} {
		pk := newPacking(t, p)
		if threads == 0 {
			pk.bands().onceTails.Do(func() {})
		}
		g := pk.Graph(tray.Steps)
		g.Roots = slices.Values([]uint64{rank(pk, p.Start())})
		s, err := bfs.New(t.Context(), g, bfs.Options{Threads: threads})
		if err == nil {
			defer s.Close()
			err = s.Run(t.Context(), nil, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, s)
		if one := found[0]; !slices.Equal(s.Layers, one.Layers) || !slices.Equal(s.Goals, one.Goals) || !slices.Equal(s.Marks().Words(), one.Marks().Words()) {
			t.Fatalf("%s: a search with tails and %d threads finds %v, goals %v, without %v, %v", p.Format(), threads, s.Layers, s.Goals, one.Layers, one.Goals)
		}
	}
}

// A small puzzle has no tails, nor one in which few placements have the same bands before the tail.
func TestNoTails(t *testing.T) {
	klotski := slidetest.Parse(t, "tray: BAAC/BAAC/DEEF/DghF/i..j")
	if newPacking(t, klotski).tails() != nil {
		t.Error("a small puzzle has tails")
	}
	for shared, has := range map[uint64]bool{1: true, 1 << 20: false} {
		limitTails(t, 1000, 1<<16, shared)
		if pk := newPacking(t, klotski); (pk.tails() != nil) != has || has && pk.tails().bytes() < 64*100 {
			t.Errorf("if %d placements must have the same bands before the tail, there are tails: %t, want %t", shared, !has, has)
		}
	}
}
