package tiles

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"pagoda/cli"
	"pagoda/internal/lists"
	"pagoda/puzzle/tiles/player"
	"pagoda/render"
)

// A series is games of one player, for a plot.
type series struct {
	name  string
	games []player.Played
}

// plotChances draws the chance to reach at least a score, a curve for each series, if it is wanted.
func plotChances(cmd *cobra.Command, f *cli.PlotFlags, g player.Game, all []series) error {
	return f.Write(cmd, func(t render.Theme) (*render.Picture, error) {
		c := render.Curves{Title: g.Name(), Name: "score", Log: f.Log, Theme: t}
		for _, s := range all {
			points := chances(s.games, f.Log)
			if len(points) == 0 {
				return nil, fmt.Errorf("there is nothing to plot of %.60s: expected games with a score above 0", s.name)
			}
			c.Series = append(c.Series, render.Series{Name: s.name, Points: points})
		}
		return c.Picture()
	})
}

// chances returns the share of games that reach each of the scores, at most render.MaxPoints of them. A
// logarithmic scale has no 0.
func chances(games []player.Played, log bool) (points []render.Chance) {
	scores := lists.Map(games, func(one player.Played) int64 { return one.Score })
	slices.Sort(scores)
	apart := len(scores)/render.MaxPoints + 1
	for i, score := range scores {
		if i > 0 && score == scores[i-1] || score == 0 && log || i%apart > 0 && i < len(scores)-1 {
			continue
		}
		points = append(points, render.Chance{Value: float64(score), Chance: float64(len(scores)-i) / float64(len(scores))})
	}
	return points
}
