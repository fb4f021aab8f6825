package tiles

import (
	"slices"
	"testing"

	"pagoda/puzzle/tiles/player"
	"pagoda/render"
)

// Points are the shares of games that reach at least a score, counted plainly.
func TestChances(t *testing.T) {
	played := func(scores ...int64) (games []player.Played) {
		for _, s := range scores {
			games = append(games, player.Played{Score: s})
		}
		return games
	}
	games := played(8, 0, 4, 8, 0)
	if got, want := chances(games, false), []render.Chance{{Value: 0, Chance: 1}, {Value: 4, Chance: 0.6}, {Value: 8, Chance: 0.4}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got, want := chances(games, true), []render.Chance{{Value: 4, Chance: 0.6}, {Value: 8, Chance: 0.4}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	var many []int64
	for s := range int64(2*render.MaxPoints + 5) {
		many = append(many, s)
	}
	points := chances(played(many...), false)
	if len(points) > render.MaxPoints || points[0].Chance != 1 || points[len(points)-1].Value != float64(len(many)-1) {
		t.Errorf("%d points from %v to %v", len(points), points[0], points[len(points)-1])
	}
	for _, p := range points {
		if want := float64(len(many)-int(p.Value)) / float64(len(many)); p.Chance != want {
			t.Errorf("the chance of %v is %v, want %v", p.Value, p.Chance, want)
		}
	}
}
