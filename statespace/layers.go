package statespace

import (
	"maps"
	"slices"

	"pagoda/bitset"
)

// A Layer says how many states a layer has.
type Layer struct {
	Layer  int    `json:"layer"`
	States uint64 `json:"states"`
	// Orbits is the number of states up to the symmetries of the space. It is 0 if they were
	// not counted.
	Orbits uint64 `json:"orbits,omitempty"`
}

// LayerCounts are layers by their numbers.
type LayerCounts map[int]*Layer

// Of returns the layer of a state. In a space without layers, all states are in layer 0.
func (c LayerCounts) Of(sp Space, x Index) *Layer {
	n := 0
	if l, ok := sp.(Layered); ok {
		n = l.Layer(x)
	}
	if c[n] == nil {
		c[n] = &Layer{Layer: n}
	}
	return c[n]
}

// Add adds other layers to the counts.
func (c LayerCounts) Add(layers []Layer) {
	for _, l := range layers {
		if c[l.Layer] == nil {
			c[l.Layer] = &Layer{Layer: l.Layer}
		}
		c[l.Layer].States += l.States
		c[l.Layer].Orbits += l.Orbits
	}
}

// List returns the layers in the order in which moves lead from one to another.
func (c LayerCounts) List(sp Space) (layers []Layer) {
	for _, n := range slices.Sorted(maps.Keys(c)) {
		layers = append(layers, *c[n])
	}
	if l, ok := sp.(Layered); ok && l.LayersFall() {
		slices.Reverse(layers)
	}
	return layers
}

// CountLayers counts the members of a set by layer, one at a time.
func CountLayers(sp Space, set *bitset.Set) []Layer {
	counts := make(LayerCounts)
	for x := range set.All() {
		counts.Of(sp, x).States++
	}
	return counts.List(sp)
}
