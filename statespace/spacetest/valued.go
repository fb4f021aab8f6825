package spacetest

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"sync"

	"pagoda/statespace"
	"pagoda/statespace/bfs"
)

const (
	lawColumns = "a space with values has no layers, and its distances and its columns have names"
	lawValues  = "Value finds numbers that fit their columns, from all states from which a move leads to a state"
	lawFound   = "every way to find values finds those that Value finds"
	lawBest    = "best paths end with some of the moves from nearer states"
	lawCertain = "the certificate of values accepts just the right ones"
	lawFigures = "figures have different names, and are the same on any number of threads"
	lawReason  = "WhyNot has a reason for each state that is not reached, on one line"
)

// A valueMap has the values of all states that are reached.
type valueMap map[statespace.Index][]uint64

// near returns the values of states that are one move nearer than x. It notes in met which states are
// asked for.
func (v valueMap) near(d *distances, x statespace.Index, met map[statespace.Index]bool) statespace.Near {
	return func(y statespace.Index) []uint64 {
		if met != nil {
			met[y] = true
		}
		to, reached := d.of(x)
		if from, ok := d.of(y); !ok || !reached || from != to-1 {
			return nil
		}
		return slices.Clone(v[y])
	}
}

// columns checks what a space says of its numbers.
func (c *checker) columns(of statespace.Values) error {
	if c.parts.Layers != nil {
		return c.brokenAll(lawColumns, "its layers are not by distance")
	}
	if !oneLine(of.DistanceName) {
		return c.brokenAll(lawColumns, "DistanceName is %q", of.DistanceName)
	}
	columns := of.Columns
	if again := c.sp.Parts().Values.Columns; !slices.Equal(columns, again) || len(columns) == 0 {
		return c.brokenAll(lawColumns, "Columns are %v, and another time %v", columns, again)
	}
	for i, column := range columns {
		if !oneLine(column.Name) || !oneLine(column.About) || column.Bytes != 1 && column.Bytes != 2 && column.Bytes != 4 ||
			slices.ContainsFunc(columns[:i], func(other statespace.Column) bool { return other.Name == column.Name }) {
			return c.brokenAll(lawColumns, "column %d is %+v", i, column)
		}
	}
	return nil
}

// valued checks the values of a space whose distances are known.
func (c *checker) valued(d *distances) error {
	of := c.parts.Values
	if !of.Any() {
		return nil
	}
	if err := c.columns(of); err != nil {
		return err
	}
	v, err := c.values(of, d)
	if err != nil {
		return err
	}
	if err := c.sameValues(of, d, v); err != nil || len(v) == 0 {
		return err
	}
	if err := c.certifyValues(of, d, v); err != nil {
		return err
	}
	if err := c.bestPaths(of, d, v); err != nil {
		return err
	}
	return c.figures(d, v)
}

// values finds the values of all states with a map, and checks Value and Best.
func (c *checker) values(of statespace.Values, d *distances) (valueMap, error) {
	v := make(valueMap)
	columns := of.Columns
	for distance, layer := range d.layers {
		for _, x := range layer {
			values, met := make([]uint64, len(columns)), make(map[statespace.Index]bool)
			of.Value(values, x, v.near(d, x, met))
			for i, column := range columns {
				if values[i]>>(8*column.Bytes) != 0 {
					return nil, c.broken(lawValues, x, "its %s is %d, which takes more than %d bytes", column.Name, values[i], column.Bytes)
				}
			}
			edges := c.sp.Predecessors(nil, x)
			for _, e := range edges {
				if !met[e.To] {
					return nil, c.broken(lawValues, x, "Value does not look at number %d, from which a move leads here", e.To)
				}
			}
			best := of.Best(nil, x, v.near(d, x, nil))
			if (len(best) > 0) != (distance > 0) {
				return nil, c.broken(lawBest, x, "it is at distance %d, and has the best moves %v", distance, best)
			}
			for i, e := range best {
				if !slices.Contains(edges, e) || int(d.entries[e.To]) != distance || slices.Contains(best[:i], e) {
					return nil, c.broken(lawBest, x, "Best has %v, which should be different moves of Predecessors from nearer states; all are %v", best, edges)
				}
			}
			v[x] = values
		}
	}
	return v, c.manyValues(of, d, v)
}

// manyValues checks that Value finds the same in several goroutines, and does not depend on what is in
// its list.
func (c *checker) manyValues(of statespace.Values, d *distances, v valueMap) error {
	states := slices.Sorted(maps.Keys(v))
	var group sync.WaitGroup
	wrong := make([]error, 4)
	for g := range wrong {
		group.Go(func() {
			values := slices.Repeat([]uint64{^uint64(0)}, len(of.Columns))
			for i := range min(len(states), 1000) {
				x := states[(i+g)%len(states)]
				if of.Value(values, x, v.near(d, x, nil)); !slices.Equal(values, v[x]) {
					wrong[g] = c.broken(lawValues, x, "its values are %d, and another time %d", v[x], values)
					return
				}
			}
		})
	}
	group.Wait()
	for _, err := range wrong {
		if err != nil {
			return err
		}
	}
	return nil
}

// sameValues compares the ways to find values with a map.
func (c *checker) sameValues(of statespace.Values, d *distances, v valueMap) error {
	s, err := bfs.New(c.ctx, bfs.Of(c.sp), bfs.Options{Threads: 2, Whole: true, ToGoal: c.parts.Goals.Ends})
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.Run(c.ctx, nil, nil); err != nil {
		return err
	}
	check := func(name string, threads int, found *bfs.Values, err error) error {
		if err != nil {
			return err
		}
		defer found.Free()
		values, none := make([]uint64, len(of.Columns)), make([]uint64, len(of.Columns))
		for x := range c.sp.Size() {
			want := v[x]
			if want == nil {
				want = none
			}
			if found.Get(values, x); !slices.Equal(values, want) {
				return c.broken(lawFound, x, "%s on %d threads finds %d, expected %d", name, threads, values, want)
			}
		}
		return nil
	}
	for _, threads := range []int{1, 2, 7} {
		found, err := bfs.FindValues(c.ctx, c.sp, s.Members(), threads, nil)
		if err := check("FindValues", threads, found, err); err != nil {
			return err
		}
		found, err = bfs.FindValuesPlain(c.ctx, c.sp, s.Members(), threads)
		if err := check("FindValuesPlain", threads, found, err); err != nil {
			return err
		}
	}
	return nil
}

// certifyValues checks that right distances and values are accepted, and wrong ones are not.
func (c *checker) certifyValues(of statespace.Values, d *distances, v valueMap) error {
	last := -1
	if c.parts.Goals.Ends && len(d.goals) > 0 {
		last = d.toGoal()
	}
	// Number x has another entry or another value.
	certify := func(x statespace.Index, entry uint16, column int, by uint64) (uint64, bool, error) {
		at := func(y uint64) (uint16, error) {
			distance, ok := d.of(y)
			switch {
			case column < 0 && y == x:
				return entry, nil
			case !ok:
				return 0, nil
			}
			return uint16(distance) + 1, nil
		}
		get := func(dst []uint64, y uint64) error {
			clear(dst)
			copy(dst, v[y])
			if column >= 0 && y == x {
				dst[column] ^= by
			}
			return nil
		}
		return bfs.CertifyValues(c.ctx, c.sp, at, get, last, 2, nil)
	}
	if x, wrong, err := certify(0, 0, 0, 0); wrong || err != nil {
		return c.broken(lawCertain, x, "it is refused: %v", err)
	}
	states := slices.Sorted(maps.Keys(v))
	for range 10 {
		x, entry := c.rng.Uint64N(c.sp.Size()), uint16(c.rng.IntN(len(d.layers)+2))
		if distance, ok := d.of(x); ok && int(entry) == distance+1 || !ok && entry == 0 {
			continue
		}
		if _, wrong, err := certify(x, entry, -1, 0); !wrong || err != nil {
			return c.broken(lawCertain, x, "the entry %d is accepted: %v", entry, err)
		}
	}
	for i, column := range of.Columns {
		x, by := states[c.rng.IntN(len(states))], uint64(1)<<c.rng.IntN(8*column.Bytes)
		if _, wrong, err := certify(x, 0, i, by); !wrong || err != nil {
			return c.broken(lawCertain, x, "%s may be %d or %d: %v", column.Name, v[x][i], v[x][i]^by, err)
		}
	}
	return nil
}

// bestPaths checks the best paths to some states.
func (c *checker) bestPaths(of statespace.Values, d *distances, v valueMap) error {
	g := &bfs.ValuedGraph{Space: c.sp, Distances: bfs.Distances{Whole: true, At: func(x uint64) (uint16, error) {
		if distance, ok := d.of(x); ok {
			return uint16(distance) + 1, nil
		}
		return 0, nil
	}}, Get: func(dst []uint64, x uint64) error {
		copy(dst, v[x])
		return nil
	}}
	for range 20 {
		layer := d.layers[c.rng.IntN(len(d.layers))]
		x := layer[c.rng.IntN(len(layer))]
		all, err := bfs.FindBest(c.ctx, g, x, 0)
		if err != nil {
			return c.broken(lawBest, x, "%v", err)
		}
		drawn, err := all.Random(c.rng)
		if err != nil {
			return c.broken(lawBest, x, "%v", err)
		}
		if err := c.isPath(drawn, x); err != nil {
			return err
		}
		listed := make(map[string]bool)
		for path, err := range all.All() {
			if err != nil {
				return c.broken(lawBest, x, "%v", err)
			}
			if err := c.leads(path, x); err != nil {
				return err
			}
			if listed[fmt.Sprint(path)] = true; len(listed) == mostListed {
				break
			}
		}
		if total := all.Total(); !total.IsInt64() || min(total.Int64(), mostListed) != int64(len(listed)) {
			if total.IsInt64() || len(listed) < mostListed {
				return c.broken(lawBest, x, "%d different paths are listed, and %v counted", len(listed), total)
			}
		}
	}
	return nil
}

// figureName is what the names of figures are made of.
var figureName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)

// figures checks the figures of a space.
func (c *checker) figures(d *distances, v valueMap) error {
	count := c.parts.Values.Figures
	if count == nil {
		return nil
	}
	at := func(dst []uint64, x statespace.Index) (int, error) {
		distance, ok := d.of(x)
		if !ok {
			return -1, nil
		}
		copy(dst, v[x])
		return distance, nil
	}
	var first []statespace.Figure
	for _, threads := range []int{1, 2, 7} {
		found, err := count(c.ctx, threads, at)
		if err != nil {
			return err
		}
		for i, f := range found {
			if !figureName.MatchString(f.Name) || slices.ContainsFunc(found[:i], func(other statespace.Figure) bool { return other.Name == f.Name }) {
				return c.brokenAll(lawFigures, "figure %d of %v has no name of its own", i, found)
			}
		}
		if first == nil {
			first = found
		}
		if !slices.EqualFunc(found, first, statespace.Figure.Equal) || len(found) == 0 {
			return c.brokenAll(lawFigures, "they are %v on one thread, and %v on %d", first, found, threads)
		}
	}
	ctx, cancel := context.WithCancel(c.ctx)
	cancel()
	if _, err := count(ctx, 2, at); err == nil {
		return c.brokenAll(lawFigures, "they are counted after the end of the context")
	}
	return nil
}

// reasons checks the reasons why states are not reached.
func (c *checker) reasons(d *distances) error {
	why := c.parts.Texts.WhyNot
	if why == nil {
		return nil
	}
	for x := range min(c.sp.Size(), 1<<16) {
		if _, reached := d.of(x); reached || !c.isState(x) {
			continue
		}
		if text := why(x); !oneLine(text) {
			return c.broken(lawReason, x, "the reason is %q", text)
		}
	}
	return nil
}
