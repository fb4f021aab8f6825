package ask

import (
	"context"
	"fmt"

	"pagoda/bitset"
	"pagoda/statespace"
	"pagoda/statespace/graph"
)

// Graph makes the graph of the members: see graph.Build. It compares them, and their distances, with
// what the search finds; if they differ, the file is damaged.
func (f *File) Graph(ctx context.Context, o graph.Options) (g *graph.Graph, err error) {
	o.Member = func(x statespace.Index) (bool, error) { return bitset.Has(f.Members(), x) }
	err = f.Read(func() error {
		if g, err = graph.Build(ctx, f.Space(), o); err != nil {
			return err
		}
		members := uint64(0)
		distances, known := f.Distances()
		for _, v := range g.Vertices {
			members += uint64(v.Orbit)
			if !known {
				continue
			}
			at, err := distances.IsAt(v.State, v.Distance)
			if err != nil {
				return err
			}
			if !at {
				return f.Damaged(fmt.Sprintf("%s is at distance %d, and the file has another", f.Space().Format(v.State), v.Distance))
			}
		}
		if all := f.Meta().States; o.Within < 0 && members != all {
			return f.Damaged(fmt.Sprintf("%d of its %d members can be reached through members", members, all))
		}
		return nil
	})
	return g, err
}
