package layers_test

import (
	"context"

	"pagoda/statespace"
)

// A counted ring keeps values: how many shortest paths lead to a number, up to 255, and the number
// itself in 4 bytes.
type counted struct{ ring }

func (c counted) Name() string         { return "counted " + c.ring.Name() }
func (c counted) DistanceName() string { return "moves" }

func (c counted) Definition() statespace.Definition {
	d := c.ring.Definition()
	d.Family, d.Name = "counted", c.Name()
	return d
}

func (c counted) Columns() []statespace.Column {
	return []statespace.Column{{Name: "paths", About: "shortest paths", Bytes: 1}, {Name: "number", About: "the number itself", Bytes: 4}}
}

func (c counted) Value(dst []uint64, x uint64, near statespace.Near) {
	dst[0], dst[1] = 0, x
	for _, e := range c.Best(nil, x, near) {
		dst[0] = min(255, dst[0]+near(e.To)[0])
	}
	dst[0] = max(1, dst[0]) // the root
}

func (c counted) Best(dst []statespace.Edge, x uint64, near statespace.Near) []statespace.Edge {
	for _, e := range c.Predecessors(nil, x) {
		if near(e.To) != nil {
			dst = append(dst, e)
		}
	}
	return dst
}

func (c counted) Figures(_ context.Context, _ int, at func(dst []uint64, x uint64) (int, error)) ([]statespace.Figure, error) {
	reached, values := uint64(0), make([]uint64, 2)
	for x := range c.N {
		distance, err := at(values, x)
		if err != nil {
			return nil, err
		}
		if distance >= 0 {
			reached++
		}
	}
	return []statespace.Figure{{Name: "reached", Value: reached}}, nil
}
