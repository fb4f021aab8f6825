package spacetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"pagoda/bitset"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
)

const (
	lawDistances = "a breadth-first search finds the distances that the plainest search finds"
	lawNarrate   = "the description of a path has a text for each move and each state"
	lawPaths     = "shortest paths lead from a root to a state, and are counted right"
)

// distances are the distances of all states that can be reached, found by the plainest search.
type distances struct {
	entries []int32 // by number: the distance plus 1, or 0 if it is not reached
	paths   []int64 // how many are shortest, or -1 if they are too many
	layers  [][]statespace.Index
	goals   []statespace.Index // the nearest, in order
}

// of returns the distance of a number, if it is reached.
func (d *distances) of(x statespace.Index) (distance int, reached bool) {
	if x >= uint64(len(d.entries)) || d.entries[x] == 0 {
		return 0, false
	}
	return int(d.entries[x]) - 1, true
}

// toGoal returns the distance of the nearest goals, if there are any.
func (d *distances) toGoal() int {
	distance, _ := d.of(d.goals[0])
	return distance
}

// find fills in the distances of a space.
func (c *checker) find() (*distances, error) {
	d := &distances{entries: make([]int32, c.sp.Size()), paths: make([]int64, c.sp.Size())}
	layer := sorted(c.sp.Roots())
	for _, root := range layer {
		d.entries[root], d.paths[root] = 1, 1
	}
	for len(layer) > 0 {
		d.layers = append(d.layers, layer)
		if len(d.goals) == 0 && c.parts.Goals.Any() {
			for _, x := range layer {
				if c.parts.Goals.Has(x) {
					d.goals = append(d.goals, x)
				}
			}
		}
		if c.parts.Goals.Ends && len(d.goals) > 0 {
			break
		}
		var next, after []statespace.Index
		var edges []statespace.Edge
		entry := int32(len(d.layers) + 1)
		for _, x := range layer {
			edges, after = c.sp.Successors(edges[:0], x), after[:0]
			for _, e := range edges {
				after = append(after, e.To)
			}
			slices.Sort(after)
			for _, y := range slices.Compact(after) {
				if y >= c.sp.Size() {
					return nil, c.broken(lawSize, x, "a move leads to number %d, Size() is %d", y, c.sp.Size())
				}
				if d.entries[y] == 0 {
					d.entries[y] = entry
					next = append(next, y)
				}
				if d.entries[y] == entry && d.paths[y] >= 0 {
					if d.paths[y] += d.paths[x]; d.paths[x] < 0 || d.paths[y] >= 1<<61 {
						d.paths[y] = -1
					}
				}
			}
		}
		slices.Sort(next)
		layer = next
	}
	return d, nil
}

// search compares the breadth-first searches with the plainest one.
func (c *checker) search(d *distances) error {
	marks, err := bitset.PlanesOver(make([]uint64, bitset.PlaneWords(c.sp.Size(), bfs.MarkBits)), c.sp.Size(), bfs.MarkBits)
	if err != nil {
		return err
	}
	r, depths, err := bfs.SearchPlain(c.ctx, c.sp, marks, 2, new(statespace.Progress))
	if err != nil {
		return err
	}
	if depths != nil {
		defer depths.Free()
		if err := c.sameDistances("the plain search for whole distances", d, r, bfs.NewMembers(marks, depths).Distances()); err != nil {
			return err
		}
	}
	if err := c.sameDistances("the plain search", d, r, bfs.Marked(marks)); err != nil {
		return err
	}
	if err := c.searchProof(d); err != nil {
		return err
	}
	for _, o := range []bfs.Options{{Threads: 1}, {Threads: 2}, {Threads: 7, Whole: true}} {
		if err := c.searchBy("plain moves", d, bfs.Plain(c.sp), o); err != nil {
			return err
		}
		if f := c.parts.Graph; f != nil {
			if err := c.searchBy("fast moves", d, f(), o); err != nil {
				return err
			}
		}
	}
	return nil
}

// searchProof compares the search of proofs with the plainest one.
func (c *checker) searchProof(d *distances) error {
	for threads, whole := range map[int]bool{1: false, 2: true, 7: false} {
		marks, err := bitset.PlanesOver(make([]uint64, bitset.PlaneWords(c.sp.Size(), bfs.MarkBits)), c.sp.Size(), bfs.MarkBits)
		if err != nil {
			return err
		}
		r, depths, err := bfs.SearchProof(c.ctx, c.sp, marks, whole, threads, new(statespace.Progress))
		if err != nil {
			return err
		}
		defer depths.Free()
		for _, got := range []bfs.Distances{bfs.Marked(marks), bfs.NewMembers(marks, depths).Distances()} {
			if err := c.sameDistances("the search of proofs", d, r, got); err != nil {
				return err
			}
		}
	}
	return nil
}

// searchBy searches a graph, without a stop, and stopped and restored after some levels.
func (c *checker) searchBy(name string, d *distances, g statespace.Graph, o bfs.Options) error {
	o.ToGoal = c.parts.Goals.Ends
	s, err := bfs.New(c.ctx, g, o)
	if err != nil {
		return err
	}
	defer func() { s.Close() }() // the last one
	// Every few levels another search takes over.
	stop := errors.New("stop")
	for every := 1 + c.rng.IntN(4); ; {
		levels := 0
		err := s.Run(c.ctx, func() error {
			if levels++; o.Threads > 1 && levels == every {
				return stop
			}
			return nil
		}, nil)
		if err == nil {
			break
		}
		if !errors.Is(err, stop) {
			return err
		}
		next, err := bfs.New(c.ctx, g, o)
		if err != nil {
			return err
		}
		if err := next.Restore(s.Save()); err != nil {
			next.Close()
			return fmt.Errorf("%s: a search by %s is not restored: %w", c.sp.Name(), name, err)
		}
		s.Close()
		s = next
	}
	if err := c.sameDistances(fmt.Sprintf("the search by %s on %d threads", name, o.Threads), d, &s.Result, bfs.Marked(s.Marks())); err != nil {
		return err
	}
	if err := c.sameDistances("its whole distances", d, &s.Result, s.Distances()); err != nil {
		return err
	}
	if o.Threads == 1 {
		return nil
	}
	return c.shortest(d, s.Distances())
}

// sameDistances compares what a search has found with the plainest one.
func (c *checker) sameDistances(by string, d *distances, r *bfs.Result, got bfs.Distances) error {
	for x := range c.sp.Size() {
		want := uint16(0)
		if n, ok := d.of(x); ok && got.Whole {
			want = uint16(n) + 1
		} else if ok {
			want = uint16(bfs.Mark(n))
		}
		if e, err := got.At(x); e != want || err != nil {
			return c.broken(lawDistances, x, "%s has the entry %d, expected %d", by, e, want)
		}
	}
	broken := func(format string, args ...any) error {
		return c.brokenAll(lawDistances, "%s "+format, append([]any{by}, args...)...)
	}
	if len(r.Layers) != len(d.layers) {
		return broken("finds %d layers, there are %d", len(r.Layers), len(d.layers))
	}
	for i, layer := range d.layers {
		if r.Layers[i] != uint64(len(layer)) {
			return broken("finds %d states at distance %d, there are %d", r.Layers[i], i, len(layer))
		}
	}
	if !slices.Equal(r.Goals, d.goals) || len(d.goals) > 0 && r.Length != d.toGoal() {
		return broken("finds the goals at numbers %v, at distance %d; the nearest are at %v", r.Goals, r.Length, d.goals)
	}
	return nil
}

// isPath checks that a path leads from a root to a state, and its description.
func (c *checker) isPath(path statespace.Path, to statespace.Index) error {
	if err := c.leads(path, to); err != nil {
		return err
	}
	return c.narrate(path, to)
}

// leads checks that the moves of a path lead from a root to a state.
func (c *checker) leads(path statespace.Path, to statespace.Index) error {
	at := path.From
	if !slices.Contains(c.sp.Roots(), at) {
		return c.broken(lawPaths, to, "the path begins at number %d, which is no root", at)
	}
	for _, step := range path.Steps {
		if !slices.ContainsFunc(c.sp.Successors(nil, at), func(e statespace.Edge) bool { return e.To == step.State }) {
			return c.broken(lawPaths, to, "no move leads from number %d to %d", at, step.State)
		}
		at = step.State
	}
	if at != to {
		return c.broken(lawPaths, to, "the path ends at number %d", at)
	}
	return nil
}

// narrate checks the description of a path to a state.
func (c *checker) narrate(path statespace.Path, to statespace.Index) error {
	moves, states, err := statespace.Narrate(c.sp, path)
	if err != nil || len(moves) != len(path.Steps) || len(states) != len(path.Steps)+1 {
		return c.broken(lawNarrate, to, "%d moves and %d states describe a path of %d moves: %v", len(moves), len(states), len(path.Steps), err)
	}
	if c.parts.Reversed {
		states = slices.Clone(states)
		slices.Reverse(states)
	}
	for i, text := range states {
		want := path.From
		if i > 0 {
			want = path.Steps[i-1].State
		}
		if x, err := c.sp.Parse(text); err != nil || x != want {
			return c.broken(lawNarrate, want, "state %d of a path is described by %q, which Parse reads as number %d: %v", i, text, x, err)
		}
	}
	for i, move := range moves {
		if _, err := json.Marshal(move); err != nil || !oneLine(move.String()) {
			return c.broken(lawNarrate, to, "move %d of the path is described by %q; the error of JSON is %v", i+1, move, err)
		}
	}
	return nil
}

// shortest checks the shortest paths to some states.
func (c *checker) shortest(d *distances, known bfs.Distances) error {
	if len(d.layers) == 0 {
		return nil
	}
	for range 20 {
		n := c.rng.IntN(len(d.layers))
		x := d.layers[n][c.rng.IntN(len(d.layers[n]))]
		path, err := bfs.ShortestPath(c.sp, known, x, len(d.layers))
		if err != nil || len(path.Steps) != n {
			return c.broken(lawPaths, x, "the path has %d moves, expected %d: %v", len(path.Steps), n, err)
		}
		if err := c.isPath(path, x); err != nil {
			return err
		}
		if err := c.allShortest(d, known, x, n); err != nil {
			return err
		}
		if n > 1 {
			if err := c.refused(d, known, x, n); err != nil {
				return err
			}
		}
	}
	return nil
}

// mostListed bounds the paths that are listed.
const mostListed = 20

// allShortest checks the shortest paths to a state, all of them if there are few.
func (c *checker) allShortest(d *distances, known bfs.Distances, x statespace.Index, n int) error {
	all, err := bfs.FindShortest(c.ctx, c.sp, known, []statespace.Index{x}, n, 0)
	if err != nil {
		return c.broken(lawPaths, x, "%v", err)
	}
	want := d.paths[x]
	if want >= 0 && all.Total().Cmp(big.NewInt(want)) != 0 {
		return c.broken(lawPaths, x, "%v paths are counted, there are %d", all.Total(), want)
	}
	if err := c.isPath(all.Random(c.rng), x); err != nil {
		return err
	}
	listed := make(map[string]bool)
	for path := range all.All() {
		if err := c.leads(path, x); err != nil {
			return err
		}
		if listed[fmt.Sprint(path)] = true; len(listed) == mostListed {
			break
		}
	}
	if want >= 0 && int64(len(listed)) != min(mostListed, want) {
		return c.broken(lawPaths, x, "%d different paths are listed, there are %d", len(listed), want)
	}
	return nil
}

// refused checks that wrong distances give an error and no path.
func (c *checker) refused(d *distances, known bfs.Distances, x statespace.Index, n int) error {
	const law = "wrong distances give an error and no path"
	wrong := bfs.Distances{Whole: known.Whole, At: func(y uint64) (uint16, error) {
		if y == x || slices.Contains(c.sp.Roots(), y) {
			return known.At(y)
		}
		return 0, nil
	}}
	if _, err := bfs.ShortestPath(c.sp, wrong, x, len(d.layers)); !errors.Is(err, statespace.ErrNoPath) {
		return c.broken(law, x, "a path is found without distances: %v", err)
	}
	if _, err := bfs.FindShortest(c.ctx, c.sp, wrong, []statespace.Index{x}, n, 0); !errors.Is(err, statespace.ErrNoPath) {
		return c.broken(law, x, "paths are found without distances: %v", err)
	}
	if _, err := bfs.ShortestPath(c.sp, known, x, n-1); !errors.Is(err, statespace.ErrNoPath) {
		return c.broken(law, x, "a path of %d moves is found, with %d at most: %v", n, n-1, err)
	}
	if _, err := bfs.FindShortest(c.ctx, c.sp, known, []statespace.Index{x}, n, 1); !errors.Is(err, statespace.ErrMemory) {
		return c.broken(law, x, "paths are found in one byte: %v", err)
	}
	return nil
}
