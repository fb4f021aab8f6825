package statespace

import (
	"maps"
	"slices"

	"pagoda/bitset"
	"pagoda/internal/lists"
)

// Layers split the states of a space, such as positions by the number of pegs. Either every move leads
// to a lower layer or every move leads to a higher one, so the moves make no cycle. All methods are
// required.
type Layers interface {
	// LayerName says what the number of a layer counts, in the plural: "pegs".
	LayerName() string
	// Layer returns the layer of state x, from 0.
	Layer(x Index) int
	// LayersFall reports whether moves lead to lower layers. If not, they lead to higher
	// ones.
	LayersFall() bool
}

// Depth is the LayerName of spaces whose layers are distances and have no other name.
const Depth = "depth"

// LayerName says what the number of a layer counts in a file of the states of a space.
func LayerName(sp Space) string {
	own := sp.Parts()
	if of := own.Codes.Of; of != nil {
		own.Values = of.Parts().Values
	}
	switch {
	case own.Values.Any():
		return own.Values.DistanceName
	case own.Layers != nil:
		return own.Layers.LayerName()
	}
	return Depth
}

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

// Of returns the layer of a state. If layers is nil, all states are in layer 0.
func (c LayerCounts) Of(layers Layers, x Index) *Layer {
	n := 0
	if layers != nil {
		n = layers.Layer(x)
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
func (c LayerCounts) List(layers Layers) (all []Layer) {
	all = lists.Map(slices.Sorted(maps.Keys(c)), func(n int) Layer { return *c[n] })
	if layers != nil && layers.LayersFall() {
		slices.Reverse(all)
	}
	return all
}

// CountLayers counts the members of a set by layer, one at a time.
func CountLayers(sp Space, set *bitset.Set) []Layer {
	counts, layers := make(LayerCounts), sp.Parts().Layers
	for x := range set.All() {
		counts.Of(layers, x).States++
	}
	return counts.List(layers)
}
