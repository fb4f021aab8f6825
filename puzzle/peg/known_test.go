package peg

import (
	"fmt"
	"strconv"
	"testing"

	"pagoda/internal/csvtest"
)

// The counts of large boards are those of docs/data/peg-layers.csv.
func TestKnown(t *testing.T) {
	type layer struct{ pegs, states, orbits uint64 }
	table := make(map[string][]layer)
	for _, row := range csvtest.Rows(t, "../../docs/data/peg-layers.csv")[1:] {
		var n [3]uint64
		var err error
		for i := range n {
			if n[i], err = strconv.ParseUint(row[1+i], 10, 64); err != nil {
				t.Fatal(err)
			}
		}
		table[row[0]] = append(table[row[0]], layer{n[0], n[1], n[2]})
	}
	for name, k := range known() {
		if _, err := Lookup(name); err != nil {
			t.Fatal(err)
		}
		var states, orbits uint64
		for _, l := range table[name] {
			states += l.states
			orbits += l.orbits
		}
		if want := [2]string{k.Numbers["states"].String(), k.Numbers["orbits"].String()}; want != [2]string{fmt.Sprint(states), fmt.Sprint(orbits)} {
			t.Errorf("%s has %s positions and up to symmetry, the table %d, %d", name, want, states, orbits)
		}
		layers := facts(name)().Layers
		if len(layers) > 0 && len(layers) != len(table[name]) {
			t.Errorf("%s has %d layers, the table %d", name, len(layers), len(table[name]))
			continue
		}
		for i, l := range layers {
			if want := table[name][i]; want != (layer{uint64(l.Layer), l.States, l.Orbits}) {
				t.Errorf("%s: layer %d is %+v, in the table %+v", name, i, l, want)
			}
		}
	}
}
