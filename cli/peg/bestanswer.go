package peg

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/internal/console"
	"pagoda/puzzle/peg/board"
	"pagoda/studies/weighted"
	"pagoda/studies/weighted/best"
)

// A bestAnswer is what best prints.
type bestAnswer struct {
	Board   string         `json:"board"`
	Score   int64          `json:"score"`
	Bound   int64          `json:"bound"` // no game scores less
	Optimal bool           `json:"optimal"`
	Costs   int64          `json:"costs"`
	Left    int64          `json:"left"`
	Pegs    int            `json:"pegs"` // that are left
	Moves   []weightedMove `json:"moves"`
	Jumps   [][4]int       `json:"jumps"` // from-row, from-column, to-row and to-column, from 1
	Seconds float64        `json:"seconds"`
	Work    uint64         `json:"work"` // jumps that were looked at
	Seed    uint64         `json:"seed"`

	game  *weighted.Game
	jumps []board.Jump
	score weighted.Score
}

// answer describes what was found. The game is replayed by the rules; it is an error if the replay does
// not agree with the search.
func (o *bestFinder) answer(name string, g *weighted.Game, r *best.Result) (*bestAnswer, error) {
	score, err := g.Play(r.Jumps)
	if err == nil && score.Score != r.Score {
		err = fmt.Errorf("it scores %d, the search says %d", score.Score, r.Score)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: the game that was found is wrong: %w", name, err)
	}
	return &bestAnswer{Board: name, Score: r.Score, Bound: r.Bound, Optimal: r.Optimal(), Costs: score.Costs, Left: score.Left, Pegs: score.Pegs,
		Moves: movesOf(g, r.Jumps, func(*weighted.State) {}), Jumps: weighted.Rows(g.Shape, r.Jumps),
		Seconds: r.Time.Seconds(), Work: r.Work, Seed: o.seed, game: g, jumps: r.Jumps, score: score}, nil
}

// writeText writes the game in the form of the contest, and what is known about it as comments.
func (a *bestAnswer) writeText(w io.Writer) error {
	var about strings.Builder
	if err := writeScore(&about, a.score); err != nil {
		return err
	}
	fmt.Fprintf(&about, "bound  %d\n", a.Bound)
	if a.Optimal {
		fmt.Fprintf(&about, "No game scores less: %d is proved.\n", a.Score)
	} else {
		gap := a.Score - a.Bound
		fmt.Fprintln(&about, strings.TrimRight(fmt.Sprintf("gap    %d  %s", gap, percent(gap, a.Score)), " "))
		fmt.Fprintf(&about, "A better game may exist. No game scores less than %d.\n", a.Bound)
	}
	text := weighted.FormatJumps(a.game.Shape, a.jumps)
	for line := range strings.Lines(about.String()) {
		text += "% " + line
	}
	_, err := io.WriteString(w, text)
	return err
}

// percent writes how much of the score a gap is, or nothing if the score is 0.
func percent(gap, score int64) string {
	if score == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f %%", 100*float64(gap)/math.Abs(float64(score)))
}

// betterTable returns a function that shows better games and bounds on stderr, as the lines of a table.
func betterTable(cmd *cobra.Command) func(*best.Result) {
	const line = "%9s  %10v  %10v  %10v  %8s"
	stderr, first := cmd.ErrOrStderr(), true
	show := func(cells ...any) { fmt.Fprintln(stderr, strings.TrimRight(fmt.Sprintf(line, cells...), " ")) }
	return func(r *best.Result) {
		defer console.HoldProgress(cmd.Context())()
		if first {
			show("time", "score", "bound", "gap", "")
			first = false
		}
		gap := r.Score - r.Bound
		show(fmt.Sprintf("%.2f s", r.Time.Seconds()), r.Score, r.Bound, gap, percent(gap, r.Score))
	}
}
