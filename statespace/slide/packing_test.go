package slide

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// placements lists all placements of a puzzle's pieces by their keys, in no order.
func placements(p *Puzzle) []string {
	var keys []string
	pos := make(Position, len(p.pieces))
	var place func(n int, taken uint64)
	place = func(n int, taken uint64) {
		if n == len(p.order) {
			keys = append(keys, p.Key(pos))
			return
		}
		i := p.order[n]
		from := 0
		if n > 0 && p.pieces[p.order[n-1]].kind == p.pieces[i].kind {
			from = int(pos[p.order[n-1]]) + 1
		}
		for at := from; at < len(p.cells); at++ {
			if mask := p.kindOf(i).mask[at]; mask != 0 && mask&taken == 0 {
				pos[i] = uint8(at)
				place(n+1, taken|mask)
			}
		}
	}
	place(0, 0)
	return keys
}

// TestPacking holds the numbers against all placements of random puzzles.
func TestPacking(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 300 {
		p := randomPuzzle(rng)
		pk, err := NewPacking(p, 0)
		if err != nil {
			t.Fatal(err)
		}
		keys := placements(p)
		if uint64(len(keys)) != pk.Size() {
			t.Fatalf("%s: %d placements are numbered, there are %d", p.Format(), pk.Size(), len(keys))
		}
		seen := make([]bool, len(keys))
		for _, key := range keys {
			x := pk.Rank(p.position(key))
			if x >= pk.Size() || seen[x] {
				t.Fatalf("%s: number %d, of %d, is there twice or too large", p.Format(), x, pk.Size())
			}
			seen[x] = true
			if got := p.Key(pk.Unrank(x)); got != key {
				t.Fatalf("%s: %d is %v, want %v", p.Format(), x, []byte(got), []byte(key))
			}
		}
	}
}

// TestPackingSizes: numbers of placements and of nodes that other programs found.
func TestPackingSizes(t *testing.T) {
	for _, c := range []struct {
		text  string
		size  uint64
		nodes int
	}{
		{"BAAC/BAAC/DEEF/DghF/i..j", 65880, 1448},
		{"tray: 1AA2/BAAC/BD.C/3D.4/EEFF\ndistinct: *", 31466880, 16868},
	} {
		p, err := ParsePuzzle(c.text)
		if err != nil {
			t.Fatal(err)
		}
		pk, err := NewPacking(p, 0)
		if err != nil {
			t.Fatal(err)
		}
		if pk.Size() != c.size || pk.Nodes() != c.nodes {
			t.Errorf("%s: %d placements, %d nodes, want %d and %d", c.text, pk.Size(), pk.Nodes(), c.size, c.nodes)
		}
	}
}

// TestCursor holds what the cursor lists against the plain successors, on numbers in any
// order.
func TestCursor(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range 300 {
		p := randomPuzzle(rng)
		pk, err := NewPacking(p, 0)
		if err != nil {
			t.Fatal(err)
		}
		for m := range Metric(Metrics) {
			c := newCursor(pk, m)
			for range 20 {
				x := rng.Uint64N(pk.Size())
				c.seek(x)
				got := c.successors(nil)
				slices.Sort(got)
				got = slices.Compact(got)
				var want []uint64
				for _, s := range p.successors(m, pk.Unrank(x)) {
					want = append(want, pk.Rank(s.pos))
				}
				slices.Sort(want)
				want = slices.Compact(want)
				if !slices.Equal(got, want) {
					t.Fatalf("%s\n%s: %v leads to %v, want %v", p.Format(), p.FormatPosition(pk.Unrank(x)), m, got, want)
				}
			}
		}
	}
}

// TestBands holds tables with bands of all widths against the packing.
func TestBands(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	for range 100 {
		p := randomPuzzle(rng)
		pk, err := NewPacking(p, 0)
		if err != nil {
			t.Fatal(err)
		}
		for width := 1; width <= p.cols; width++ {
			tab := newBandTableOf(pk, width)
			if tab == nil {
				if width == 1 {
					t.Fatalf("%s: no table of single cells", p.Format())
				}
				break
			}
			pk.once.Do(func() {})
			pk.moves = tab
			c := newCursor(pk, Steps)
			for range 20 {
				x := rng.Uint64N(pk.Size())
				c.seek(x)
				want := pk.Unrank(x)
				var pieces, plain []uint64 // their cells
				for _, at := range c.pieces[:c.count] {
					pieces = append(pieces, c.places[at].mask)
				}
				for i := range want {
					plain = append(plain, p.mask(want, i))
				}
				slices.Sort(pieces)
				slices.Sort(plain)
				if !slices.Equal(pieces, plain) {
					t.Fatalf("%s\nwidth %d: %d has pieces at %x, want %x", p.Format(), width, x, pieces, plain)
				}
				if got := c.rank(0, uint8(c.bands-1)); got != x {
					t.Fatalf("%s\nwidth %d: %d has rank %d", p.Format(), width, x, got)
				}
				var moves, plainMoves []uint64
				moves = c.successors(nil)
				for _, s := range p.successors(Steps, want) {
					plainMoves = append(plainMoves, pk.Rank(s.pos))
				}
				slices.Sort(moves)
				slices.Sort(plainMoves)
				if !slices.Equal(slices.Compact(moves), slices.Compact(plainMoves)) {
					t.Fatalf("%s\nwidth %d: %d leads to %v, want %v", p.Format(), width, x, moves, plainMoves)
				}
			}
		}
	}
}
