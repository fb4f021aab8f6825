package layers_test

import (
	"context"

	"pagoda/statespace"
)

// A counted ring keeps values: how many shortest paths lead to a number, up to 255, and the number
// itself in 4 bytes.
type counted struct{ ring }

func (c counted) Name() string { return "counted " + c.ring.Name() }

func (c counted) Definition() statespace.Definition {
	d := c.ring.Definition()
	d.Family, d.Name = "counted", c.Name()
	return d
}

func (c counted) Parts() statespace.Parts {
	p := c.ring.Parts()
	p.Values = statespace.Values{Value: c.value, Best: c.best, Figures: c.figures, DistanceName: "moves",
		Columns: []statespace.Column{{Name: "paths", About: "shortest paths", Bytes: 1}, {Name: "number", About: "the number itself", Bytes: 4}}}
	return p
}

func (c counted) value(dst []uint64, x uint64, near statespace.Near) {
	dst[0], dst[1] = 0, x
	for _, e := range c.best(nil, x, near) {
		dst[0] = min(255, dst[0]+near(e.To)[0])
	}
	dst[0] = max(1, dst[0]) // the root
}

func (c counted) best(dst []statespace.Edge, x uint64, near statespace.Near) []statespace.Edge {
	for _, e := range c.Predecessors(nil, x) {
		if near(e.To) != nil {
			dst = append(dst, e)
		}
	}
	return dst
}

func (c counted) figures(_ context.Context, _ int, at func(dst []uint64, x uint64) (int, error)) ([]statespace.Figure, error) {
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
