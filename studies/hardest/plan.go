package hardest

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"math/bits"
	"slices"

	"pagoda/internal/lists"
)

// A part is what one unit has: counts of pieces by class, and goals.
type part struct {
	counts, goals []int
	size          uint64
	starts        uint64 // placements with the goal piece at a start; 0 if that is anywhere
}

// pieces returns the number of pieces, with the goal piece.
func (p *part) pieces() int { return 1 + lists.Sum(p.counts) }

// DefaultPartLimit returns how many placements a part of a search may have that takes some bytes of
// memory: a power of two, so that a little more memory makes no difference.
func DefaultPartLimit(memory uint64) uint64 {
	return min(maxPart, uint64(1)<<max(0, bits.Len64(memory/6*8)-1))
}

// maxPart is the greatest size of a part: some minutes of one thread.
const maxPart = 1 << 29

// leastPart is the size below which a part is not split. Tests change it.
var leastPart = uint64(1 << 22)

// maxClasses is the greatest number of classes into which parts are split if they need not be.
const maxClasses = 8

// name is the same for the same part of the same problem: it tells goals apart by their cells, not by
// their numbers. On a board without its first cell, a turn that moves the last one may keep the strict goals and not the
// loose ones, or the other way round. The name includes such turns, because they change which starts count as one.
func (s *searcher) name(p *part) string {
	h := fnv.New64a()
	for _, i := range p.goals {
		g := &s.p.Goals[i]
		fmt.Fprintln(h, g.Cells, g.Axis, g.Starts, g.Ends)
	}
	last := len(s.Cells) - 1
	for i := range s.turns {
		if t := &s.turns[i]; t.Turn.Cells[last] != last && s.p.Goals[p.goals[0]].Starts != nil {
			fmt.Fprintln(h, t.Turn.Cells)
		}
	}
	return fmt.Sprintf("pieces %v goals %d %016x placements %d", p.counts, len(p.goals), h.Sum64(), p.size)
}

// plan splits the problem into parts, small ones first.
func (s *searcher) plan(ctx context.Context) (parts []part, err error) {
	most := bits.OnesCount64(s.open)
	if s.p.MaxPieces > 0 {
		most = min(most, s.p.MaxPieces)
	}
	var coarse []sized
	strict := uint64(0) // placements of goals that are not loose: if there are any, they set the limit of all parts
	for pieces := max(1, s.p.MinPieces); pieces <= most; pieces++ {
		for _, goals := range s.together(s.searched()) {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			c, err := s.measure([]int{pieces - 1}, goals)
			if err != nil {
				return nil, err
			}
			coarse = append(coarse, c)
			for i, size := range c.sizes {
				s.total = add(s.total, size)
				if !s.p.Goals[goals[i]].Loose {
					strict = add(strict, size)
				}
			}
		}
	}
	if s.o.Counted != nil {
		if err := s.o.Counted(s.total); err != nil {
			return nil, err
		}
	}
	limit := min(s.o.PartLimit, max(leastPart, cmp.Or(strict, s.total)/32))
	for _, c := range coarse {
		if err := s.split(ctx, c, limit, &parts); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(a.size, b.size) })
	return parts, nil
}

// sized is goals with the placements of each, for the same counts of pieces.
type sized struct {
	counts, goals []int
	sizes, starts []uint64 // by goal
}

// measure counts the placements of goals. The error is a *LimitError if that takes more than the memory that the
// graph leaves.
func (s *searcher) measure(counts, goals []int) (sized, error) {
	memory := s.o.Memory - min(s.o.Memory, s.graph.bytes())
	if err := checkLefts(counts, uint64(len(s.undecided)), memory); err != nil {
		return sized{}, err
	}
	u := s.newUnit(counts, goals)
	begins := make([]bool, len(s.all))
	for _, goal := range goals {
		if s.p.Goals[goal].Starts == nil {
			continue
		}
		starts, _ := s.placesOf(goal)
		for _, id := range starts {
			begins[id] = true
		}
	}
	sizes, starts := u.goalSizes(begins)
	c := sized{counts, goals, make([]uint64, len(goals)), make([]uint64, len(goals))}
	for i, goal := range goals {
		c.sizes[i], c.starts[i] = sizes[goal], starts[goal]
	}
	return c, nil
}

// split splits goals into parts that are not larger than the limit, if that can be. The placements of
// a goal that has more are split into finer classes of pieces.
func (s *searcher) split(ctx context.Context, c sized, limit uint64, parts *[]part) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	n, most := len(c.counts), c.counts[len(c.counts)-1]
	finer := most > 0 && slices.ContainsFunc(s.ranks, func(rank int32) bool { return int(rank) >= n })
	p := part{counts: c.counts}
	flush := func() {
		if p.size > 0 {
			*parts = append(*parts, p)
		}
		p = part{counts: c.counts}
	}
	var large []int
	for i, size := range c.sizes {
		switch {
		case size == 0:
			continue
		case size > limit && finer && (n < maxClasses || size > maxNumbers):
			large = append(large, c.goals[i])
			continue
		case size > maxNumbers:
			return &LimitError{What: "placements of the same pieces", Bytes: planes(size), Memory: planes(maxNumbers)}
		}
		if p.size+size > limit {
			flush()
		}
		p.goals = append(p.goals, c.goals[i])
		p.size += size
		p.starts += c.starts[i]
	}
	flush()
	if large == nil {
		return nil
	}
	for last := range most + 1 {
		counts := append(slices.Clone(c.counts), last)
		counts[n-1] = most - last
		next, err := s.measure(counts, large)
		if err != nil {
			return err
		}
		if err := s.split(ctx, next, limit, parts); err != nil {
			return err
		}
	}
	return nil
}

// together returns groups of goals that can share units. The goals of a group have different forms. They all
// start anywhere, or each has its starts. All are loose, or none is.
func (s *searcher) together(goals []int) (groups [][]int) {
	type place struct {
		form            int32
		anywhere, loose bool
	}
	type group struct {
		nth             int // of the goals with this form
		anywhere, loose bool
	}
	count := make(map[place]int)
	index := make(map[group]int)
	for _, i := range goals {
		anywhere, loose := s.p.Goals[i].Starts == nil, s.p.Goals[i].Loose
		p := place{s.goals[i], anywhere, loose}
		g := group{count[p], anywhere, loose}
		count[p]++
		at, ok := index[g]
		if !ok {
			at = len(groups)
			index[g] = at
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], i)
	}
	return groups
}

// searched returns the goals that are to be searched, those of few cells first: those that can be
// reached from elsewhere, and one of those that are turned or reflected.
func (s *searcher) searched() (goals []int) {
	for i := range s.p.Goals {
		starts, ends := s.placesOf(i)
		other := slices.ContainsFunc(starts, func(id int32) bool { return !slices.Contains(ends, id) })
		first := !slices.ContainsFunc(s.turns, func(t turn) bool { return t.goals[i] < i })
		if other && len(ends) > 0 && first {
			goals = append(goals, i)
		}
	}
	slices.SortStableFunc(goals, func(a, b int) int { return int(s.forms[s.goals[a]].cells) - int(s.forms[s.goals[b]].cells) })
	return goals
}

// placesOf returns where the goal piece may start and end.
func (s *searcher) placesOf(goal int) (starts, ends []int32) {
	return s.places.placesOf(&s.p.Goals[goal])
}

// rank orders the forms of the other pieces for classes: by their cells, or one by one if the
// problem lists them.
func (s *searcher) rank() {
	rank := int32(0)
	for _, f := range s.forms {
		switch {
		case !f.free:
			s.ranks = append(s.ranks, noPlace)
		case s.p.Shapes == nil:
			s.ranks = append(s.ranks, int32(f.cells)-1)
		default:
			s.ranks = append(s.ranks, rank)
			rank++
		}
	}
}

// classes returns the class of each form, for a number of classes. The last class has all forms
// of this rank and above.
func (s *searcher) classes(n int) []int32 {
	classes := slices.Clone(s.ranks)
	for i := range classes {
		classes[i] = min(classes[i], int32(n-1))
	}
	return classes
}

// newUnit returns the unit of some goals and counts of pieces by class, with its size.
func (s *searcher) newUnit(counts, goals []int) *unit {
	u := &unit{graph: s.graph, classes: s.classes(len(counts)), counts: counts, goals: goals}
	u.setUp(s.goals)
	return u
}
