package statespace_test

import (
	"slices"
	"testing"

	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/internal/toys"
	"pagoda/statespace/spacetest"
)

// A space toward a state keeps the laws, and a search of it ends at that state, at its distance.
func TestToward(t *testing.T) {
	sp := toys.NewHanoi(4)
	whole, err := bfs.New(t.Context(), bfs.Of(sp), bfs.Options{})
	if err == nil {
		err = whole.Run(t.Context(), nil, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer whole.Close()
	for _, goal := range []statespace.Index{sp.Roots()[0], 7, sp.Size() - 1} {
		to := statespace.Toward(sp, goal)
		if err := spacetest.Check(t.Context(), to, 20); err != nil {
			t.Error(err)
		}
		s, err := bfs.New(t.Context(), bfs.Of(to), bfs.Options{ToGoal: true})
		if err == nil {
			err = s.Run(t.Context(), nil, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		if is, err := whole.Distances().IsAt(goal, s.Length); err != nil || !is || !slices.Equal(s.Goals, []uint64{goal}) {
			t.Errorf("toward %d: %+v, %v", goal, s.Result, err)
		}
		s.Close()
	}
}
