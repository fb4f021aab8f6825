package bfs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math/big"
	"math/rand/v2"
	"slices"

	"pagoda/internal/lists"
	"pagoda/internal/mapped"
	account "pagoda/internal/memory"
	"pagoda/statespace"
)

// ShortestPaths are all shortest paths from the roots to some states at the same distance. One
// goroutine may use them.
type ShortestPaths struct {
	forward Lister
	// layers has the states on these paths by distance from the roots, in order. Each comes
	// with the number of paths from there to the end. There are no layers without a path.
	layers [][]onPath
}

type onPath struct {
	x uint64
	n *big.Int
}

func compareOnPath(a, b onPath) int { return cmp.Compare(a.x, b.x) }

// onPathBytes is about how many bytes a state on a shortest path takes.
const onPathBytes = 120

// FindShortest finds all shortest paths to some states, which are all at the distance length.
// It keeps the states on these paths in memory. The error is statespace.ErrMemory if they take
// more than memory bytes; if memory is 0, there is no bound. It is statespace.ErrNoPath if there
// are no states, if one of them is not at this distance, or if the distances are wrong.
func FindShortest(ctx context.Context, sp statespace.Space, distances Distances, to []uint64, length int, memory uint64) (s *ShortestPaths, err error) {
	if length < 0 || len(to) == 0 {
		return nil, fmt.Errorf("%d states at distance %d: %w", len(to), length, statespace.ErrNoPath)
	}
	isRoot := rootsOf(sp)
	err = mapped.Guard(func() error {
		for _, x := range to {
			if is, err := distances.IsAt(x, length); err != nil {
				return err
			} else if !is {
				return errNoPath(sp, x)
			}
		}
		s, err = Trace(ctx, forward(Of(sp)), backward(sp), distances.IsAt, to, length, memory)
		if err == nil && (len(s.layers) == 0 || slices.ContainsFunc(s.layers[0], func(o onPath) bool { return !isRoot(o.x) })) {
			return errNoPath(sp, to[0])
		}
		return err
	})
	return s, err
}

// Shortest finds all shortest paths to the goals that the search has found, in an undirected graph.
// A directed graph does not say from where moves lead to a state: use FindShortest with its space.
// The bound on memory is that of FindShortest.
func (s *Search) Shortest(ctx context.Context, memory uint64) (*ShortestPaths, error) {
	if !s.graph.Undirected {
		return nil, errors.New("the moves of this graph cannot be followed back; find the shortest paths in its space")
	}
	neighbours := forward(s.graph)
	return Trace(ctx, neighbours, neighbours, s.Distances().IsAt, s.Goals, s.Length, memory)
}

// Trace is FindShortest for the distances of a search of another kind. Forward lists the
// states to which moves lead from a state, and back the states from which they lead to it.
// isAt reports whether one of the latter is at a distance.
func Trace(ctx context.Context, forward, back Lister, isAt func(x uint64, distance int) (bool, error), to []uint64, length int, memory uint64) (*ShortestPaths, error) {
	s := &ShortestPaths{forward: forward}
	one := big.NewInt(1)
	layer := lists.Map(slices.Compact(slices.Sorted(slices.Values(to))), func(x uint64) onPath { return onPath{x, one} })
	s.layers = append(s.layers, layer)
	states := uint64(len(layer))
	share := account.For(ctx, "the states on shortest paths")
	defer share.Free()
	var neighbours []uint64
	for level := length - 1; level >= 0 && len(layer) > 0; level-- {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		var before []onPath
		for _, from := range layer {
			neighbours = back(neighbours[:0], from.x)
			slices.Sort(neighbours)
			for _, y := range slices.Compact(neighbours) {
				is, err := isAt(y, level)
				if err != nil {
					return nil, err
				}
				if is {
					before = append(before, onPath{y, from.n})
				}
			}
		}
		layer = sumEqual(before)
		s.layers = append(s.layers, layer)
		if err := share.Set(onPathBytes * (states + uint64(len(layer)))); err != nil {
			return nil, err
		}
		if states += uint64(len(layer)); memory > 0 && states*onPathBytes > memory {
			return nil, fmt.Errorf("%w: more than %d states lie on the paths, of about %d bytes each; %d bytes are allowed", statespace.ErrMemory, states, onPathBytes, memory)
		}
	}
	if slices.Reverse(s.layers); len(layer) == 0 {
		s.layers = nil
	}
	return s, nil
}

// sumEqual sorts states, and adds up the counts of equal ones.
func sumEqual(all []onPath) (sums []onPath) {
	slices.SortFunc(all, compareOnPath)
	for _, o := range all {
		if n := len(sums); n == 0 || sums[n-1].x != o.x {
			sums = append(sums, onPath{o.x, new(big.Int)})
		}
		last := sums[len(sums)-1]
		last.n.Add(last.n, o.n)
	}
	return sums
}

// Has reports whether a state lies on one of the paths. The distance of the state is at most
// their length.
func (s *ShortestPaths) Has(x uint64, distance int) bool {
	if distance >= len(s.layers) {
		return false
	}
	_, ok := slices.BinarySearchFunc(s.layers[distance], onPath{x: x}, compareOnPath)
	return ok
}

// starts returns the first states of the paths.
func (s *ShortestPaths) starts() []onPath {
	if len(s.layers) == 0 {
		return nil
	}
	return s.layers[0]
}

// Total returns how many paths there are.
func (s *ShortestPaths) Total() *big.Int {
	n := new(big.Int)
	for _, root := range s.starts() {
		n.Add(n, root.n)
	}
	return n
}

// after returns the states of a layer to which moves lead from x.
func (s *ShortestPaths) after(x uint64, layer int) (next []onPath) {
	neighbours := s.forward(nil, x)
	slices.Sort(neighbours)
	for _, y := range slices.Compact(neighbours) {
		if i, ok := slices.BinarySearchFunc(s.layers[layer], onPath{x: y}, compareOnPath); ok {
			next = append(next, s.layers[layer][i])
		}
	}
	return next
}

// All yields the paths, in the order of the numbers of their states.
func (s *ShortestPaths) All() iter.Seq[statespace.Path] {
	return func(yield func(statespace.Path) bool) {
		var steps []statespace.Step
		var walk func(from, x uint64, layer int) bool
		walk = func(from, x uint64, layer int) bool {
			if layer == len(s.layers) {
				return yield(statespace.Path{From: from, Steps: slices.Clone(steps)})
			}
			for _, next := range s.after(x, layer) {
				steps = append(steps, statespace.Step{Move: statespace.AnyMove, State: next.x})
				more := walk(from, next.x, layer+1)
				steps = steps[:len(steps)-1]
				if !more {
					return false
				}
			}
			return true
		}
		for _, root := range s.starts() {
			if !walk(root.x, root.x, 1) {
				return
			}
		}
	}
}

// First returns the path that the space would choose, and describes it: see statespace.Texts.Follow. There must be a path.
func (s *ShortestPaths) First(sp statespace.Space) (path statespace.Path, moves []fmt.Stringer, states []string, err error) {
	if follow := sp.Parts().Texts.Follow; follow != nil {
		return follow(len(s.layers)-1, s.Has)
	}
	path.From = s.starts()[0].x
	x := path.From
	for layer := 1; layer < len(s.layers); layer++ {
		edges := sp.Successors(nil, x)
		i := slices.IndexFunc(edges, func(e statespace.Edge) bool { return s.Has(e.To, layer) })
		x = edges[i].To
		path.Steps = append(path.Steps, statespace.Step{Move: statespace.AnyMove, State: x})
	}
	moves, states, err = statespace.Narrate(sp, path)
	return path, moves, states, err
}

// Random draws one of the paths. Each is as likely as any other. There must be a path.
func (s *ShortestPaths) Random(rng *rand.Rand) statespace.Path {
	draw := func(from []onPath) uint64 {
		i := statespace.Draw(rng, len(from), func(i int) *big.Int { return from[i].n })
		return from[i].x
	}
	path := statespace.Path{From: draw(s.starts())}
	x := path.From
	for layer := 1; layer < len(s.layers); layer++ {
		x = draw(s.after(x, layer))
		path.Steps = append(path.Steps, statespace.Step{Move: statespace.AnyMove, State: x})
	}
	return path
}
