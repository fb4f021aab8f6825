// Package chancetest helps tests of games against chance.
package chancetest

import (
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"pagoda/sorted"
	"pagoda/statespace"
	"pagoda/statespace/chance"
)

// Solve solves a small game for some objectives, and keeps all values in memory.
func Solve(t testing.TB, g statespace.Game, objectives string) (*chance.Solution, chance.Result) {
	t.Helper()
	all, err := chance.ParseObjectives(g, objectives)
	if err != nil {
		t.Fatal(err)
	}
	s, err := chance.New(g, chance.Options{Objectives: all, Threads: 2, Dir: filepath.Join(t.TempDir(), "layers")})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Discard()
	if err := s.Run(t.Context(), nil, nil); err != nil {
		t.Fatal(err)
	}
	known, columns := make(map[uint64][]uint64), chance.Columns(all)
	for i := range s.Result().Layers {
		states, err := States(s, i)
		if err != nil {
			t.Fatal(err)
		}
		values, err := s.Values(i)
		if err != nil {
			t.Fatal(err)
		}
		for k, state := range states {
			known[state] = values[k*columns:][:columns]
		}
	}
	return &chance.Solution{Game: g, Objectives: all, Lookup: func(dst []float64, layer int, state uint64) error {
		found, ok := known[state]
		if !ok {
			return fmt.Errorf("the state %x of layer %d was not found", state, layer)
		}
		for c, bits := range found {
			dst[c] = math.Float64frombits(bits)
		}
		return nil
	}}, s.Result()
}

// States returns the states of a layer, by its place among those of the result.
func States(s *chance.Solver, i int) (states []uint64, err error) {
	data, err := s.List(i)
	if err != nil {
		return nil, err
	}
	list, err := sorted.Over(data)
	if err != nil {
		return nil, err
	}
	for c := range list.Chunks() {
		if states, err = list.Chunk(states, c); err != nil {
			return nil, err
		}
	}
	return states, nil
}
