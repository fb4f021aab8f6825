package design

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"

	"pagoda/internal/lists"
	"pagoda/internal/mapped"
	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/contest"
	"pagoda/puzzle/slide/tray"
	"pagoda/run"
	"pagoda/statespace/cells"
)

// Sampled says what sampling has searched. A sample is a multiset of pieces, drawn at random or by
// changing one that has a hard puzzle.
type Sampled struct {
	// Whole is the number of samples whose placements were all searched. Placements is how many of
	// them can be solved.
	Whole      int
	Placements uint64
	// Parts is the number of samples with too many placements: only what moves reach from one placement
	// was searched. Large is the number of samples where that was too much, too, so that only one puzzle
	// was tried.
	Parts, Large int
}

const (
	// round is the number of samples that are drawn before their results count.
	round = 16
	// parents is the number of samples with the hardest puzzles, which others are made from.
	parents = 8
	// firstSize is how many positions the first samples may have, so that none takes long. If all
	// placements are searched, there may be placements times as many. The size doubles after each
	// doubling samples.
	firstSize, placements, doubling = 1 << 14, 16, 256
	// leastTables is how many bytes the search of all placements takes that does not depend on how many
	// they are.
	leastTables = 4 << 20
	// walkMoves bounds the moves of a random walk. The search from its end may find one position for each
	// walkShare that a sample may have.
	walkMoves, walkShare = 40, 4
	// mostBias bounds how much large pieces are preferred. Puzzles of these have fewer positions.
	mostBias = 5
	// sampleMemory bounds the bytes of the search of a sample.
	sampleMemory = 256 << 20
	// firstEmpty bounds how many empty places the first samples have besides the least.
	firstEmpty = 5
)

// A sample is what was found of a multiset of pieces.
type sample struct {
	key    string // of the multiset
	whole  bool
	large  bool
	work   uint64          // about how many positions were searched
	solved uint64          // placements from which the goal can be reached
	pieces []contest.Piece // of the hardest puzzle; nil if there is none
	length int
}

// A sampler searches samples. Which they are depends on the seed only.
type sampler struct {
	*search
	first uint64          // the number of the next sample
	seen  map[string]bool // multisets that were searched
	best  []*sample       // the hardest first
	least int             // empty places of a sample: with fewer the goal piece cannot move
	more  int             // how many more there may be
	work  uint64          // about how many positions were searched
}

func newSampler(s *search) *sampler {
	return &sampler{search: s, seen: make(map[string]bool), least: room(s.p.Goal), more: firstEmpty}
}

// room returns how many empty places a piece needs to move.
func room(shape contest.Shape) int {
	least := len(shape)
	for _, by := range []tray.Cell{{Row: 1}, {Col: 1}} {
		needed := 0
		for _, c := range shape {
			if !slices.Contains(shape, tray.Cell{Row: c.Row + by.Row, Col: c.Col + by.Col}) {
				needed++
			}
		}
		least = min(least, needed)
	}
	return least
}

// run searches samples until ctx ends, or enough says so. Where many are too large, later ones have fewer
// empty places, and where none is, more.
func (s *sampler) run(ctx context.Context, enough func() bool) error {
	for !enough() {
		all, err := s.round(ctx)
		if err != nil {
			return err
		}
		large := 0
		for _, one := range all {
			if one.large {
				large++
			}
			s.work += one.work
			if s.seen[one.key] = true; one.pieces != nil && !slices.ContainsFunc(s.best, func(b *sample) bool { return b.key == one.key }) {
				s.best = append(s.best, one)
			}
		}
		slices.SortStableFunc(s.best, func(a, b *sample) int { return b.length - a.length })
		s.best = s.best[:min(parents, len(s.best))]
		switch {
		case large > round/8:
			s.more = max(1, s.more-1)
		case large == 0:
			s.more++
		}
		s.first += round
	}
	return nil
}

// round searches a round of samples at the same time, and counts them in their order.
func (s *sampler) round(ctx context.Context) ([]*sample, error) {
	var all []*sample
	for one, err := range mapped.InOrder(ctx, s.threads(), round, mapped.Below(round), func(ctx context.Context, i uint64) (*sample, error) {
		rng := rand.New(rand.NewPCG(s.o.Seed, s.first+i))
		return s.try(ctx, rng, s.draw(rng, s.least+rng.IntN(s.more)), firstSize<<min(s.first/doubling, 20))
	}) {
		if err == nil {
			err = s.count(one)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// count adds a sample to the report.
func (s *sampler) count(one *sample) error {
	r := &s.report.Sampled
	switch {
	case one.large:
		r.Large++
	case one.whole:
		r.Whole++
		r.Placements += one.solved
	case one.solved > 0:
		r.Parts++
		r.Placements += one.solved
	}
	if one.length > s.report.Best.Length {
		return s.better(one.pieces, one.length)
	}
	return nil
}

// draw draws the pieces of a sample: at random around the goal piece at its goal, or, two times out of
// three if there are samples to change, one of these with some pieces taken out and others put in. If
// enough pieces fit, some places stay empty.
func (s *sampler) draw(rng *rand.Rand, empty int) []contest.Piece {
	b := newBox(s.p)
	if len(s.best) == 0 || rng.IntN(3) == 0 {
		b.put(contest.Piece{Shape: len(s.p.Free), X: s.p.X, Y: s.p.Y})
		b.reserve(rng, empty)
		b.fill(rng, 0)
		return b.pieces
	}
	pieces := slices.Clone(s.best[rng.IntN(len(s.best))].pieces)
	for range min(1+rng.IntN(3), len(pieces)-1) {
		if i := rng.IntN(len(pieces)); pieces[i].Shape < len(s.p.Free) {
			pieces = slices.Delete(pieces, i, i+1)
		}
	}
	for _, piece := range pieces {
		b.put(piece)
	}
	b.fill(rng, empty)
	return b.pieces
}

// try searches the puzzles of a multiset of pieces up to a size, unless it is known.
func (s *sampler) try(ctx context.Context, rng *rand.Rand, pieces []contest.Piece, size uint64) (*sample, error) {
	z := &contest.Puzzle{Pieces: pieces}
	puzzle, err := s.p.Tray(z)
	if err != nil {
		return nil, err
	}
	one := &sample{key: keyOf(z, puzzle), whole: true}
	if s.seen[one.key] {
		one.whole = false
		return one, nil
	}
	o := slide.Options{Memory: sampleMemory, Threads: 1}
	if s.o.Memory > 0 {
		o.Memory = min(o.Memory, s.o.Memory/2/uint64(s.threads()))
	}
	tables := slide.Options{Memory: min(o.Memory, leastTables+placements*size), Threads: 1, MaxStates: placements * size}
	h, err := slide.FindHardestPlacement(ctx, puzzle, tray.Moves, tables)
	if slide.TooLarge(err) {
		one.whole = false
		one.key += "part"
		o.MaxStates = size
		h, err = slide.FindHardest(ctx, puzzle, tray.Moves, o)
	}
	if slide.TooLarge(err) {
		one.large, one.work = true, size
		return one, s.walk(ctx, rng, one, puzzle, size)
	}
	if err != nil {
		return nil, err
	}
	one.solved, one.length, one.work = h.States, h.Length, h.States
	if len(h.Starts) > 0 {
		hardest, err := s.p.FromTray(puzzle.From(h.Starts[0]))
		if err != nil {
			return nil, err
		}
		one.pieces = hardest.Pieces
	}
	return one, nil
}

// walk solves one puzzle of a sample that is too large: where a random walk leads. If that takes more
// than a size, there is none.
func (s *sampler) walk(ctx context.Context, rng *rand.Rand, one *sample, puzzle *tray.Puzzle, size uint64) error {
	pos := puzzle.Start()
	for range 1 + rng.IntN(walkMoves) {
		if next := puzzle.Successors(tray.Moves, pos); len(next) > 0 {
			pos = next[rng.IntN(len(next))].To
		}
	}
	from := puzzle.From(pos)
	r, err := slide.Solve(ctx, from, tray.Moves, slide.Options{ToGoal: true, Engine: run.SparseEngine, MaxStates: size / walkShare, Memory: sampleMemory})
	if slide.TooLarge(err) {
		return nil
	}
	if err != nil || !r.Solved {
		return err
	}
	z, err := s.p.FromTray(from)
	if err == nil {
		one.pieces, one.length = z.Pieces, r.Length
	}
	return err
}

// keyOf returns a text that two puzzles share if they have the same pieces, which can come to the
// same places.
func keyOf(z *contest.Puzzle, puzzle *tray.Puzzle) string {
	var words []string
	for _, k := range puzzle.Kinds() {
		first := slices.IndexFunc(k.Mask, func(cells tray.Set) bool { return !cells.IsEmpty() })
		shape := z.Pieces[strings.IndexByte(contest.Names, puzzle.Pieces()[k.Pieces[0]])].Shape
		words = append(words, fmt.Sprintf("%d %d %d;", shape, first, len(k.Pieces)))
	}
	slices.Sort(words)
	return strings.Join(words, "")
}

// threads returns the number of threads.
func (s *search) threads() int { return cmp.Or(s.o.Threads, runtime.GOMAXPROCS(0)) }

// A box is filled with pieces.
type box struct {
	problem contest.Problem // its Box has the empty places
	free    int             // empty places
	pieces  []contest.Piece
}

func newBox(p *contest.Problem) *box {
	b := &box{problem: *p}
	b.problem.Box = nil
	for _, row := range p.Box {
		b.problem.Box = append(b.problem.Box, slices.Clone(row))
		for _, open := range row {
			if open {
				b.free++
			}
		}
	}
	return b
}

// put puts a piece into the box. The places are empty.
func (b *box) put(piece contest.Piece) {
	for _, c := range b.problem.Shape(piece.Shape) {
		b.problem.Box[piece.Y+c.Row][piece.X+c.Col] = false
		b.free--
	}
	b.pieces = append(b.pieces, piece)
}

// reserve takes empty places away, as many as there are up to some, so that the first piece can move:
// a region that grows from beside it at random.
func (b *box) reserve(rng *rand.Rand, n int) {
	empty := b.problem.Box
	from := cells.Shift(b.problem.Shape(b.pieces[0].Shape), tray.Cell{Row: b.pieces[0].Y, Col: b.pieces[0].X})
	for range n {
		var edge []tray.Cell
		for _, c := range from {
			for d := range tray.Direction(tray.FlatDirections) {
				if to, ok := d.Beside(c, len(empty)); ok && to.Col >= 0 && to.Col < len(empty[0]) && empty[to.Row][to.Col] {
					edge = append(edge, to)
				}
			}
		}
		if len(edge) == 0 {
			return
		}
		c := edge[rng.IntN(len(edge))]
		empty[c.Row][c.Col] = false
		b.free--
		from = append(from, c)
	}
}

// choose chooses one of several shapes. A shape of n cells comes n^bias as often as one of one cell.
func (b *box) choose(rng *rand.Rand, choices [][]contest.Piece, bias int) int {
	var sums []float64
	sum := 0.0
	for _, fits := range choices {
		sum += math.Pow(float64(len(b.problem.Shape(fits[0].Shape))), float64(bias))
		sums = append(sums, sum)
	}
	i, _ := slices.BinarySearch(sums, rng.Float64()*sum)
	return i
}

// fill puts random free pieces into the box until at most some places are empty, or no piece fits. Large
// ones are preferred, more or less.
func (b *box) fill(rng *rand.Rand, empty int) {
	bias := rng.IntN(mostBias)
	for b.free > empty && len(b.pieces) < MaxPieces {
		var choices [][]contest.Piece // by shape, for those that fit somewhere
		for i := range b.problem.Free {
			if fits := b.fits(i, b.free-empty); len(fits) > 0 {
				choices = append(choices, fits)
			}
		}
		if len(choices) == 0 {
			return
		}
		fits := choices[b.choose(rng, choices, bias)]
		b.put(fits[rng.IntN(len(fits))])
	}
}

// fits lists where a free shape fits, if it has at most some cells.
func (b *box) fits(shape, most int) (all []contest.Piece) {
	if len(b.problem.Shape(shape)) > most {
		return nil
	}
	return lists.Map(b.problem.Places(shape), func(c tray.Cell) contest.Piece { return contest.Piece{Shape: shape, X: c.Col, Y: c.Row} })
}
