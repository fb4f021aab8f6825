package packing

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pagoda/internal/long"
	"pagoda/internal/mapped"
	"pagoda/puzzle/slide/slidetest"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace"
)

func newPacking(t *testing.T, p *tray.Puzzle) *Packing {
	t.Helper()
	pk, err := New(t.Context(), p, 0)
	if err != nil {
		t.Fatal(err)
	}
	return pk
}

func rank(pk *Packing, pos tray.Position) uint64 {
	x, _ := pk.Rank(pos)
	return x
}

// TestPacking compares the numbers with all placements of random puzzles.
func TestPacking(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 300 {
		p := slidetest.Random(rng)
		pk := newPacking(t, p)
		if pk.Size() > 1<<17 {
			continue // for its time
		}
		keys := slidetest.Placements(p)
		if uint64(len(keys)) != pk.Size() {
			t.Fatalf("%s: %d placements are numbered, there are %d", p.Format(), pk.Size(), len(keys))
		}
		seen := make([]bool, len(keys))
		for _, key := range keys {
			x, ok := pk.Rank(p.PositionOf(key))
			if !ok || x >= pk.Size() || seen[x] {
				t.Fatalf("%s: number %d, of %d, comes twice or is too large", p.Format(), x, pk.Size())
			}
			seen[x] = true
			if got := p.Key(pk.Unrank(x)); got != key {
				t.Fatalf("%s: %d is %v, want %v", p.Format(), x, []byte(got), []byte(key))
			}
		}
	}
}

// TestSizes has numbers of placements and of nodes that other programs found.
func TestSizes(t *testing.T) {
	for _, c := range []struct {
		text  string
		size  uint64
		nodes int
	}{
		{"tray: BAAC/BAAC/DEEF/DghF/i..j", 65880, 1448},
		{"tray: 1AA2/BAAC/BD.C/3D.4/EEFF\ndistinct: *", 31466880, 16868},
	} {
		pk := newPacking(t, slidetest.Parse(t, c.text))
		if pk.Size() != c.size || pk.Nodes() != c.nodes {
			t.Errorf("%s: %d placements, %d nodes, want %d and %d", c.text, pk.Size(), pk.Nodes(), c.size, c.nodes)
		}
	}
}

// TestLimits: a graph that is too large and too many placements are errors.
func TestLimits(t *testing.T) {
	klotski := slidetest.Parse(t, "tray: BAAC/BAAC/DEEF/DghF/i..j")
	many := slidetest.Parse(t, "distinct: *\ntray: 12345/6789A/BCDE.")
	var limit *LimitError
	if _, err := New(t.Context(), klotski, 100*nodeBytes(klotski)); !errors.As(err, &limit) || limit.Placements != 0 || limit.Nodes < 100 || limit.Nodes > 200 {
		t.Errorf("with about 100 nodes: %v", err)
	}
	if _, err := New(t.Context(), klotski, 2000*nodeBytes(klotski)); err != nil {
		t.Errorf("with about 2000 nodes: %v", err)
	}
	large := slidetest.Parse(t, "tray: A"+strings.Repeat(".", 64))
	if _, err := New(t.Context(), large, 0); !errors.As(err, &limit) || limit.Cells != 65 || !strings.Contains(err.Error(), "in a tray of 65 cells") {
		t.Errorf("in a large tray: %v", err)
	}
	if _, err := New(t.Context(), many, 0); !errors.As(err, &limit) || limit.Placements <= MaxPlacements || !strings.Contains(err.Error(), "more placements than 34359738367") {
		t.Errorf("with many placements: %v", err)
	}
}

// TestCursor compares the moves of a cursor with Puzzle.Successors, at numbers in any order.
func TestCursor(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range 300 {
		p := slidetest.Random(rng)
		pk := newPacking(t, p)
		for m := range tray.Metric(tray.Metrics) {
			c := newCursor(pk, m)
			for range 20 {
				x := rng.Uint64N(pk.Size())
				c.seek(x)
				got := c.successors(nil)
				slices.Sort(got)
				got = slices.Compact(got)
				var want []uint64
				for _, s := range p.Successors(m, pk.Unrank(x)) {
					want = append(want, rank(pk, s.To))
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

// TestLanes compares the moves that lanes find with those found one piece after the other, and vectors
// with single words.
func TestLanes(t *testing.T) {
	if !hasVectors {
		t.Skip("no vectors")
	}
	rng := rand.New(rand.NewPCG(25, 26))
	tried := make(map[tray.Metric]int)
	for range 400 {
		p := slidetest.Random(rng)
		pk := newPacking(t, p)
		for m := range tray.Metric(tray.Metrics) {
			lanes, pieces := newCursor(pk, m), newCursor(pk, m)
			if lanes.finder.table == nil {
				break // there are too many classes
			}
			tried[m]++
			lanes.onLanes, pieces.onLanes = true, false
			for range 20 {
				x := rng.Uint64N(pk.Size())
				lanes.seek(x)
				pieces.seek(x)
				got, want := lanes.singles(nil), pieces.singles(nil)
				slices.Sort(got)
				slices.Sort(want)
				if got, want = slices.Compact(got), slices.Compact(want); !slices.Equal(got, want) {
					t.Fatalf("%s\n%s: %v leads to %v by lanes, want %v", p.Format(), p.FormatPosition(pk.Unrank(x)), m, got, want)
				}
				var fast, plain found
				lanes.finder.find(&fast, m.Single(), lanes.taken, lanes.boards)
				lanes.finder.findPlain(&plain, m.Single(), lanes.taken, lanes.boards)
				if fast.lanes != plain.lanes || fast.lanesOn != plain.lanesOn {
					t.Fatalf("%s: lanes %b and %b of %v, want %b and %b", p.Format(), fast.lanes, fast.lanesOn, m, plain.lanes, plain.lanesOn)
				}
				for i := range 8 * lanes.finder.vectors {
					if fast.lanes>>i&1 == 1 && fast.from[i] != plain.from[i] || fast.lanesOn>>i&1 == 1 && fast.on[i] != plain.on[i] {
						t.Fatalf("%s: lane %d of %v has %x and %x, want %x and %x", p.Format(), i, m, fast.from[i], fast.on[i], plain.from[i], plain.on[i])
					}
				}
				if !m.Super() {
					continue
				}
				var can, plainCan [8]uint64
				lanes.finder.movable(&can, lanes.boards)
				pieces.together.movable(&plainCan)
				for d := range lanes.directions {
					if can[d]&(can[d]-1) == 0 {
						can[d] = 0 // one piece alone: the plain one leaves it out
					}
					if can[d] != plainCan[d] {
						t.Fatalf("%s\n%s: pieces %b can go %v, want %b", p.Format(), p.FormatPosition(pk.Unrank(x)), can[d], d, plainCan[d])
					}
				}
			}
		}
	}
	if tried[0] < 200 {
		t.Errorf("only %d puzzles have lanes", tried[0])
	}
}

// TestShifts compares the shifts of moves with walks through all codes.
func TestShifts(t *testing.T) {
	rng := rand.New(rand.NewPCG(27, 28))
	walks := 0
	for i := range 200 {
		p := slidetest.Random(rng)
		if i == 0 { // a step of A changes bands of all rows
			p = slidetest.Parse(t, "distinct: *\ntray: ABCDEFG/A....../A....../.......")
		}
		pk := newPacking(t, p)
		c := newCursor(pk, tray.Moves)
		for range 20 {
			c.seek(rng.Uint64N(pk.Size()))
			for _, at := range c.pieces[:c.count] {
				for d := range c.directions {
					to, s := c.stepTo(at, d), &c.shifts[int(at)<<directionBits+int(d)]
					if c.need(at, d)&c.taken != 0 {
						continue
					}
					a, b := &c.places[at], &c.places[to]
					want := c.walk(min(a.first, b.first), max(a.last, b.last), []uint16{at}, []uint16{to})
					if s.walk > 0 {
						if got := c.shifted(s); got != want {
							t.Fatalf("%s: a step %v from place %d leads to %d, want %d", p.Format(), d, at, got, want)
						}
					} else {
						walks++
					}
					if got := c.moved(at, to); got != want {
						t.Fatalf("%s: a move from place %d to %d leads to %d, want %d", p.Format(), at, to, got, want)
					}
				}
			}
		}
	}
	if walks == 0 {
		t.Error("no bands were too many for a window")
	}
}

// TestKeys compares the moves and goals of keys with those of the puzzle.
func TestKeys(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	cases := 400
	if !long.Tests {
		cases = 80
	}
	goals := 0
	for i := range cases {
		p := slidetest.Random(rng)
		if i%4 == 0 {
			p = slidetest.Enlarge(t, rng, p)
		}
		for m := range tray.Metric(tray.Metrics) {
			k := NewKeys(p, m)
			for range 20 {
				at := slidetest.Walk(p, rng, 20)
				key := k.Of(at)
				if got := p.Key(k.Position(key)); got != p.Key(at) || !k.Valid(key) {
					t.Fatalf("%s%s: the position of its key is %v, valid: %t", p.Format(), p.FormatPosition(at), []byte(got), k.Valid(key))
				}
				if k.Goal(key) != p.Solved(at) {
					t.Fatalf("%s%s is a goal: %t, by its key: %t", p.Format(), p.FormatPosition(at), p.Solved(at), k.Goal(key))
				}
				if p.Solved(at) {
					goals++
				}
				var got, want []string
				for next := range slices.Chunk(k.Expand(nil, key), k.Words()) {
					got = append(got, text(next))
				}
				for _, s := range p.Successors(m, at) {
					want = append(want, text(k.Of(s.To)))
				}
				slices.Sort(got)
				slices.Sort(want)
				if !slices.Equal(slices.Compact(got), slices.Compact(want)) {
					t.Fatalf("%s%s: %v leads to %q, want %q", p.Format(), p.FormatPosition(at), m, got, want)
				}
			}
		}
	}
	if goals < cases/4 {
		t.Errorf("only %d positions were goals", goals)
	}
}

// TestValid: among all keys of small puzzles, those of placements are valid.
func TestValid(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 20))
	for n := 0; n < 30; {
		p := slidetest.Random(rng)
		if n%4 == 0 {
			p = slidetest.Enlarge(t, rng, p)
		}
		k := NewKeys(p, tray.Steps)
		bits := uint(len(p.Pieces())) * k.width
		if bits > 16 {
			continue
		}
		n++
		want := make(map[uint64]bool)
		for _, key := range slidetest.Placements(p) {
			want[k.Of(p.PositionOf(key))[0]] = true
		}
		for key := range uint64(1) << bits {
			if k.Valid([]uint64{key}) != want[key] {
				t.Fatalf("%s: key %x is valid: %t, want %t", p.Format(), key, !want[key], want[key])
			}
		}
		if k.Valid(nil) || k.Valid([]uint64{0, 0}) {
			t.Error("a key of another length is valid")
		}
	}
}

// TestSets: a position in which too many sets of pieces can move together is an error.
func TestSets(t *testing.T) {
	defer func(n int) { maxSets = n }(maxSets)
	maxSets = 50
	rng := rand.New(rand.NewPCG(25, 26))
	p := slidetest.Parse(t, "tray:\nA.B.C.\n......\nD.E.F.\n")
	for _, p := range []*tray.Puzzle{p, slidetest.Enlarge(t, rng, p)} {
		for m := range tray.Metric(tray.Metrics) {
			err := mapped.Guard(func() error {
				k := NewKeys(p, m)
				k.Expand(nil, k.Of(p.Start()))
				return nil
			})
			if errors.Is(err, statespace.ErrSuccessors) != m.Super() {
				t.Errorf("%s%v: %v", p.Format(), m, err)
			}
		}
	}
	if err := mapped.Guard(func() error { newCursor(newPacking(t, p), tray.Superlines).successors(nil); return nil }); !errors.Is(err, statespace.ErrSuccessors) {
		t.Errorf("by numbers: %v", err)
	}
}

// TestDamagedKeys: keys in a large tray that are not valid make no panic.
func TestDamagedKeys(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	invalid := 0
	for range 100 {
		p := slidetest.Enlarge(t, rng, slidetest.Random(rng))
		for m := range tray.Metric(tray.Metrics) {
			k := NewKeys(p, m)
			key := make([]uint64, k.Words())
			for i := range key {
				key[i] = rng.Uint64() << rng.IntN(64)
			}
			k.Expand(nil, key)
			k.Goal(key)
			if !k.Valid(key) {
				invalid++
			}
		}
	}
	if invalid < 100 {
		t.Errorf("only %d keys are not valid", invalid)
	}
}

// text makes a key comparable.
func text(key []uint64) string {
	var s strings.Builder
	for _, w := range key {
		for ; w > 0; w >>= 8 {
			s.WriteByte(byte(w))
		}
		s.WriteByte('/')
	}
	return s.String()
}

// TestBands compares band tables of all widths with the Packing.
func TestBands(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	for range 100 {
		p := slidetest.Random(rng)
		pk := newPacking(t, p)
		_, cols := p.Size()
		for width := 1; width <= cols; width++ {
			table := newBandTableOf(pk, width)
			if table == nil {
				if width == 1 {
					t.Fatalf("%s: no table of single cells", p.Format())
				}
				break
			}
			pk.once.Do(func() {})
			pk.table = table
			c := newCursor(pk, tray.Steps)
			for range 20 {
				x := rng.Uint64N(pk.Size())
				c.seek(x)
				want := pk.Unrank(x)
				var pieces, plain []uint64 // their cells
				for _, at := range c.pieces[:c.count] {
					pieces = append(pieces, c.places[at].mask)
				}
				for i := range want {
					plain = append(plain, p.Mask(want, i)[0])
				}
				slices.Sort(pieces)
				slices.Sort(plain)
				if !slices.Equal(pieces, plain) {
					t.Fatalf("%s\nwidth %d: %d has pieces at %x, want %x", p.Format(), width, x, pieces, plain)
				}
				if got := c.walk(0, uint8(c.bands-1), nil, nil); got != x {
					t.Fatalf("%s\nwidth %d: %d has rank %d", p.Format(), width, x, got)
				}
				moves := c.successors(nil)
				var plainMoves []uint64
				for _, s := range p.Successors(tray.Steps, want) {
					plainMoves = append(plainMoves, rank(pk, s.To))
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

// TestDescent compares a descent with the costs of all placements.
func TestDescent(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	for range 200 {
		p := slidetest.Random(rng)
		pk := newPacking(t, p)
		costs := make([][]uint64, len(p.Cells()))
		for cell := range costs {
			for range 1 + len(p.Kinds()) {
				costs[cell] = append(costs[cell], rng.Uint64N(4))
			}
		}
		cost := make([]uint64, pk.Size())
		least := ^uint64(0)
		contents := make([]int8, len(costs))
		for x := range cost {
			p.Fill(contents, pk.Unrank(uint64(x)))
			for cell, content := range contents {
				cost[x] += costs[cell][content]
			}
			least = min(least, cost[x])
		}
		d := pk.NewDescent(costs)
		if d.Least() != least {
			t.Fatalf("%s: the least cost is %d, want %d", p.Format(), d.Least(), least)
		}
		for bound := least; bound < least+5; bound++ {
			next, wantBeyond := uint64(0), ^uint64(0)
			// skip goes to the next placement within the bound.
			skip := func() {
				for ; next < pk.Size() && cost[next] > bound; next++ {
					wantBeyond = min(wantBeyond, cost[next])
				}
			}
			beyond, err := d.Within(t.Context(), bound, func(x, c uint64) (uint64, bool, error) {
				if skip(); x != next || c != cost[x] {
					t.Fatalf("%s: within %d, number %d of cost %d comes, want number %d", p.Format(), bound, x, c, next)
				}
				next++
				return bound, true, nil
			})
			if skip(); err != nil || next != pk.Size() || beyond != wantBeyond {
				t.Fatalf("%s: within %d the next number is %d of %d, the next cost %d, want %d: %v", p.Format(), bound, next, pk.Size(), beyond, wantBeyond, err)
			}
		}
	}
	// The bound can fall on the way, and the visit can end.
	p := slidetest.Parse(t, "tray: A....")
	pk := newPacking(t, p)
	costs := [][]uint64{{0, 1}, {0, 2}, {0, 1}, {0, 0}, {0, 0}}
	var seen []uint64
	_, err := pk.NewDescent(costs).Within(t.Context(), 2, func(x, cost uint64) (uint64, bool, error) {
		seen = append(seen, cost)
		return cost, len(seen) < 3, nil
	})
	if err != nil || !slices.Equal(seen, []uint64{0, 0}) {
		t.Errorf("costs %v: %v", seen, err)
	}
}

// TestProof compares the moves of proofs with Puzzle.Successors, and their goals with Puzzle.Solved.
func TestProof(t *testing.T) {
	rng := rand.New(rand.NewPCG(91, 10))
	for range 300 {
		p := slidetest.Random(rng)
		pk := newPacking(t, p)
		for m := range tray.Metric(tray.Metrics) {
			e := pk.Proof(m).NewExpander()
			for range 20 {
				x := rng.Uint64N(pk.Size())
				var goals []uint64
				got := e.Expand(nil, x&^63, 1<<(x&63), &goals)
				slices.Sort(got)
				got = slices.Compact(got)
				var want []uint64
				for _, s := range p.Successors(m, pk.Unrank(x)) {
					want = append(want, rank(pk, s.To))
				}
				slices.Sort(want)
				want = slices.Compact(want)
				if !slices.Equal(got, want) || (len(goals) == 1) != p.Solved(pk.Unrank(x)) {
					t.Fatalf("%s, %v: from %d to %v, want %v; goals %v", p.Format(), m, x, got, want, goals)
				}
			}
		}
	}
}

// TestKeyProof compares the moves of proofs on keys with Puzzle.Successors, also in a tray of more than 64 cells.
func TestKeyProof(t *testing.T) {
	rng := rand.New(rand.NewPCG(52, 10))
	wide := slidetest.Parse(t, "tray: AAB......C/AAB......C/....DD..../....DD..EE/F........./F.........G/..HH....../..........")
	for i := range 120 {
		p := wide
		if i >= 20 {
			p = slidetest.Random(rng)
		}
		for m := range tray.Metric(tray.Metrics) {
			keys, e := NewKeys(p, m), NewKeyProver(p, m)
			pos := p.Start()
			for range 8 {
				next := p.Successors(m, pos)
				var want [][]uint64
				for _, s := range next {
					want = append(want, keys.Of(s.To))
				}
				got := slices.Collect(slices.Chunk(e.Expand(nil, keys.Of(pos)), keys.Words()))
				for _, all := range []*[][]uint64{&got, &want} {
					slices.SortFunc(*all, slices.Compare)
					*all = slices.CompactFunc(*all, slices.Equal)
				}
				if !slices.EqualFunc(got, want, slices.Equal) || e.Goal(keys.Of(pos)) != p.Solved(pos) {
					t.Fatalf("%s, %v: from %v to %x, want %x", p.Format(), m, pos, got, want)
				}
				if len(next) == 0 {
					break
				}
				pos = next[rng.IntN(len(next))].To
			}
		}
	}
}
