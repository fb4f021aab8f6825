package chance_test

import (
	"testing"

	"pagoda/statespace"
	"pagoda/statespace/chance"
)

// Small counts the states that the solver finds, unless there are more than it may find.
func TestSmall(t *testing.T) {
	for _, g := range []statespace.Game{board(t, 2, 2, 0), board(t, 3, 3, 16), three(t, 2, 2)} {
		_, r := run(t, g, chance.Options{})
		if n, ok := chance.Small(g, int(r.States)); !ok || uint64(n) != r.States {
			t.Errorf("%s: %d states, %t, expected %d", g.Name(), n, ok, r.States)
		}
		if n, ok := chance.Small(g, int(r.States)-1); ok {
			t.Errorf("%s: %d states are too few, there are %d", g.Name(), n, r.States)
		}
	}
}
