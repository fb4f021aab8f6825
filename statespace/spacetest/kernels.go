package spacetest

import (
	"slices"

	"pagoda/bitset"
	"pagoda/statespace"
	"pagoda/statespace/sweep"
)

const (
	lawPlaces   = "a move takes its piece from a place below 64 to another one"
	lawImages   = "a symmetry takes the places of a move to those of its image"
	lawNumbered = "every state has a pattern, and its pattern has its number"
	lawBitOrder = "BitOrder has each bit of the numbers once"
	lawPointers = "pointers lead back to a root, and are the least that do"
)

// kernels checks the parts of a Sweep that need no set, on some states.
func (c *checker) kernels(states []statespace.Index) error {
	s := sweep.Of(c.sp)
	if s.BitOrder != nil {
		if order := s.BitOrder(); order.Check() != nil || uint64(1)<<len(order) != c.sp.Size() {
			return c.brokenAll(lawBitOrder, "it is %v, Size() is %d: %v", order, c.sp.Size(), order.Check())
		}
	}
	for _, x := range states {
		if s.Patterns != nil {
			if err := c.pattern(s.Patterns, x); err != nil {
				return err
			}
		}
		for _, e := range c.sp.Successors(nil, x) {
			if s.Places == nil {
				break
			}
			if from, to := s.Places(e.Move); from < 0 || from >= 64 || to < 0 || to >= 64 || from == to {
				return c.broken(lawPlaces, x, "move %d is from place %d to place %d", e.Move, from, to)
			}
			if err := c.placeImages(s, x, e); err != nil {
				return err
			}
		}
	}
	return nil
}

// placeImages checks where the symmetries take the places of a move.
func (c *checker) placeImages(s *statespace.Sweep, x statespace.Index, e statespace.Edge) error {
	if s.PlaceImage == nil {
		return nil
	}
	from, to := s.Places(e.Move)
	for i, symmetry := range statespace.Symmetries(c.sp) {
		found := slices.ContainsFunc(c.sp.Successors(nil, symmetry.Map(x)), func(image statespace.Edge) bool {
			a, b := s.Places(image.Move)
			return image.To == symmetry.Map(e.To) && a == s.PlaceImage(i, from) && b == s.PlaceImage(i, to)
		})
		if !found {
			return c.broken(lawImages, x, "symmetry %d takes the places %d and %d of move %d to %d and %d, and no such move leads from its image", i+1, from, to, e.Move, s.PlaceImage(i, from), s.PlaceImage(i, to))
		}
	}
	return nil
}

// pattern checks the pattern of a state, and those beside it.
func (c *checker) pattern(p *statespace.Patterns, x statespace.Index) error {
	pattern := p.Of(x)
	if p.Bits < 64 && pattern>>p.Bits != 0 {
		return c.broken(lawNumbered, x, "its pattern is %d, of more than %d bits", pattern, p.Bits)
	}
	found := false
	for _, n := range p.Numbered(nil, pattern/64) {
		if n.Bit < 0 || n.Bit >= 64 || n.Number >= c.sp.Size() || p.Of(n.Number) != pattern/64*64+uint64(n.Bit) {
			return c.broken(lawNumbered, x, "in the word of its pattern %d, pattern %d should not have number %d", pattern, n.Bit, n.Number)
		}
		found = found || n.Number == x
	}
	if !found {
		return c.broken(lawNumbered, x, "its pattern %d is not among those with a number", pattern)
	}
	return nil
}

// pointers checks the pointers of all members of a set of what can be reached.
func (c *checker) pointers(set *bitset.Set) error {
	p, err := sweep.PointersOf(c.ctx, c.sp, set, 2)
	if err != nil {
		return err
	}
	filled := func(fill func(planes *bitset.Planes) error) (*bitset.Planes, error) {
		planes, err := bitset.PlanesOver(make([]uint64, bitset.PlaneWords(c.sp.Size(), p.Bits)), c.sp.Size(), p.Bits)
		if err != nil {
			return nil, err
		}
		return planes, fill(planes)
	}
	fast, err := filled(func(planes *bitset.Planes) error { return sweep.FillPointers(c.ctx, p, c.sp, set, planes, 2, nil) })
	if err != nil {
		return err
	}
	plain, err := filled(func(planes *bitset.Planes) error { return sweep.FillPointersPlain(c.ctx, p, c.sp, set, planes, 1) })
	if err != nil {
		return err
	}
	proof := fast
	if p.Proof != nil {
		if proof, err = filled(func(planes *bitset.Planes) error { return statespace.Do(c.ctx, p.Proof(set, planes), 2, nil) }); err != nil {
			return err
		}
	}
	for x := range c.sp.Size() {
		v := fast.Get(x)
		if w := proof.Get(x); v != w {
			return c.broken(lawPointers, x, "its pointer is %d, and its proof finds %d", v, w)
		}
		if v != plain.Get(x) {
			return c.broken(lawPointers, x, "its pointer is %d, found one by one it is %d", v, plain.Get(x))
		}
		if v < 2 {
			continue
		}
		if e, ok := p.Follow(x, v); !ok || !slices.Contains(c.sp.Predecessors(nil, x), e) {
			return c.broken(lawPointers, x, "its pointer %d leads to %+v, which is none of its Predecessors", v, e)
		}
	}
	if x, wrong, err := sweep.CheckPointers(c.ctx, p, c.sp, set, fast, 2); wrong || err != nil {
		return c.broken(lawPointers, x, "its pointer %d is refused: %v", fast.Get(x), err)
	}
	pointer := func(x statespace.Index) (uint16, error) { return fast.Get(x), nil }
	seen := 0
	for x := range set.All() {
		path, err := sweep.FollowPointers(p, c.sp, pointer, x, c.sp.Size())
		if err != nil {
			return c.broken(lawPointers, x, "%v", err)
		}
		if err := c.isPath(path, x); err != nil {
			return err
		}
		if seen++; seen == 50 {
			break
		}
	}
	return nil
}
