package lunar

import (
	"testing"

	"pagoda/internal/long"
	"pagoda/statespace/spacetest"
)

func TestLaws(t *testing.T) {
	for _, c := range []struct {
		board            string
		letters, numbers int
	}{{"5x5", 1, 2}, {"3x5", 2, 2}, {"3x3", 2, 3}, {"cross", 1, 1}, {"1x5", 1, 2}, {"3x3", 3, 0}} {
		g := newGroup(t, c.board, c.letters, c.numbers)
		if !long.Tests && g.Size() > 1<<11 {
			continue
		}
		spacetest.Test(t, g, 100)
		spacetest.Test(t, g.Whole(), 100)
	}
}
