package slide

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"pagoda/cli"
	"pagoda/internal/amount"
	"pagoda/internal/console"
	"pagoda/internal/suggest"
	"pagoda/puzzle"
	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace"
)

// A component is the flags of commands that look at all positions of a puzzle, and what they search.
type component struct {
	metricName string
	limit      *int
	time       time.Duration
	job        *cli.Job

	puzzle *tray.Puzzle
	name   string
	metric tray.Metric
	most   int // results to print
}

// flags adds the flags to a command. What names the results, and known says what is printed after --time.
func (o *component) flags(cmd *cobra.Command, what, known string) {
	metricFlag(cmd, &o.metricName, slide.MetricNames())
	console.JSON(cmd, "one JSON object")
	o.limit = cli.LimitFlag(cmd, 10, slide.MaxPairs, fmt.Sprintf("%s (up to %s are kept)", what, amount.Comma(slide.MaxPairs)))
	o.job = cli.NewJob(cmd, console.OfMachine)
	console.Time(cmd, &o.time, "time", 0, ", or 0 for no limit", "print "+known+" after this time, such as 30s or 10m; 0 is no limit")
}

// metricFlag adds the flag --metric, which takes one of some metrics.
func metricFlag(cmd *cobra.Command, p *string, words []string) {
	console.OneOf(cmd, p, "metric", tray.Moves.String(), words, "what counts as a move: "+suggest.Either(words))
}

// metricOf returns the metric of the flag, if that takes nothing else.
func metricOf(name string) tray.Metric {
	m, err := tray.ParseMetric(name)
	if err != nil {
		panic(err)
	}
	return m
}

// search opens a puzzle and searches it within --time. Find reports whether it has found anything. What it has found
// when the search was stopped counts: stopped says why.
func (o *component) search(cmd *cobra.Command, families *puzzle.Set, arg string, open func(*cobra.Command, *puzzle.Set, string) (*tray.Puzzle, string, error), find func(ctx context.Context) (bool, error)) (stopped, err error) {
	if o.puzzle, o.name, err = open(cmd, families, arg); err != nil {
		return nil, err
	}
	o.metric, o.most = metricOf(o.metricName), cmp.Or(*o.limit, slide.MaxPairs)
	ctx, end := limited(cmd, o.time)
	defer end()
	found, stopped := find(ctx)
	if stopped != nil && (!found || !errors.Is(stopped, console.ErrInterrupted) && !errors.Is(stopped, errTime)) {
		if errors.Is(stopped, errTime) {
			return nil, console.Usagef("%w before all positions were found, so there are no bounds; give more with --time", stopped)
		}
		return nil, tooLarge(o.name, stopped)
	}
	return stopped, nil
}

// options are those of the search.
func (o *component) options() slide.Options {
	return slide.Options{Memory: o.job.Memory(), Threads: o.job.Threads()}
}

// more says that there are more results than are printed.
func (o *component) more(what string) string {
	if o.most == slide.MaxPairs {
		return fmt.Sprintf("more %s exist: only %s are kept\n", what, amount.Comma(slide.MaxPairs))
	}
	return fmt.Sprintf("more %s exist: --limit 0 lists up to %s\n", what, amount.Comma(slide.MaxPairs))
}

// interrupted returns the error of a command that has printed what it had found until it was interrupted.
func interrupted(stopped, err error) error {
	if err == nil && errors.Is(stopped, console.ErrInterrupted) {
		return stopped
	}
	return err
}

// tooLarge makes the error of a puzzle that takes too much one of how the command was given.
func tooLarge(name string, err error) error {
	switch {
	case errors.Is(err, statespace.ErrMemory):
		return console.Usagef("%s: %w; --mem sets the limit", name, err)
	case slide.TooLarge(err):
		return console.Usagef("%s: %w", name, err)
	}
	return err
}

// completePuzzles offers the names of the library, and files.
func completePuzzles() cobra.CompletionFunc {
	return console.CompleteFirst(func(begun string) []string { return cli.CompleteNames(slide.Entries(), begun) })
}

// limited returns the context of a command that ends after some time; 0 is no limit.
func limited(cmd *cobra.Command, limit time.Duration) (ctx context.Context, stop func()) {
	if limit == 0 {
		return cmd.Context(), func() {}
	}
	return context.WithTimeoutCause(cmd.Context(), limit, errTime)
}

func diameterCommand(families *puzzle.Set) *cobra.Command {
	var o component
	cmd := &cobra.Command{
		Use:   "diameter PUZZLE",
		Short: "Find the two positions of a sliding-block puzzle that are farthest apart",
		Long: `diameter looks at all positions of a puzzle that can be reached. It finds the greatest distance
between two of them, the diameter; the least distance that the farthest position from any can
have, the radius; and all pairs at the greatest distance. The goal does not matter.

Searches from some positions bound both until they are known. --time, Ctrl-C and SIGTERM end
them before; then it prints the bounds so far, and why they are not exact. The exit code is 130
after Ctrl-C or SIGTERM, and 2 if --time ends before there are bounds.

The graph of all moves takes about 40 bytes for each position and 5 for each move. With 40 for
each position alone, each search makes the moves again, which takes more time. With less, a few
searches give bounds.`,
		Example: `  reach diameter slide/klotski --metric steps
  reach diameter my-puzzle.txt --time 10m --json`,
		Args:              console.Args(1, 1, "one puzzle"),
		ValidArgsFunction: completePuzzles(),
		RunE: func(cmd *cobra.Command, args []string) error {
			var d *slide.Diameter
			stopped, err := o.search(cmd, families, args[0], openPuzzle, func(ctx context.Context) (_ bool, err error) {
				d, err = slide.FindDiameter(ctx, o.puzzle, o.metric, o.options())
				return d != nil, err
			})
			if err != nil {
				return err
			}
			pairs := [][2]string{}
			for _, pair := range d.Pairs[:min(o.most, len(d.Pairs))] {
				pairs = append(pairs, [2]string{o.puzzle.FormatPosition(pair[0]), o.puzzle.FormatPosition(pair[1])})
			}
			return interrupted(stopped, console.Answer(cmd, struct {
				Puzzle   string      `json:"puzzle"`
				Metric   string      `json:"metric"`
				States   uint64      `json:"states"`
				Exact    bool        `json:"exact"`
				Diameter int         `json:"diameter"`      // a lower bound if not exact
				Most     int         `json:"diameter_most"` // an upper bound
				Radius   int         `json:"radius"`        // an upper bound if not exact
				Least    int         `json:"radius_least"`  // a lower bound
				Count    uint64      `json:"pair_count"`
				Pairs    [][2]string `json:"pairs"`
			}{o.name, o.metricName, d.States, d.Exact, d.Diameter, d.Most, d.Radius, d.Least, d.PairCount, pairs}, func(w io.Writer) error {
				return o.writeDiameter(w, d, pairs, stopped)
			}))
		},
	}
	o.flags(cmd, "pairs", "the bounds that are known")
	return cmd
}

// writeDiameter writes the diameter, or what is known about it, for people.
func (o *component) writeDiameter(w io.Writer, d *slide.Diameter, pairs [][2]string, stopped error) error {
	fmt.Fprintf(w, "%s: %s positions\n", o.name, amount.Comma(d.States))
	if d.Exact {
		fmt.Fprintf(w, "diameter  %d %v, by %s\nradius    %d\n", d.Diameter, o.metric, cli.Count(d.PairCount, "pair"), d.Radius)
	} else {
		what := "is"
		if d.Diameter == d.Most && d.Least == d.Radius {
			what = "pairs are"
		}
		why := "the exact values take more memory"
		if stopped != nil {
			why = stopped.Error()
		}
		fmt.Fprintf(w, "diameter  %s %v\nradius    %s\nnot all %s known: %s\n", bounds(d.Diameter, d.Most), o.metric, bounds(d.Least, d.Radius), what, why)
	}
	for _, pair := range pairs {
		fmt.Fprintf(w, "%s  %s\n", pair[0], pair[1])
	}
	if d.Exact && uint64(len(pairs)) < d.PairCount {
		io.WriteString(w, o.more("pairs"))
	}
	return nil
}

// bounds writes the bounds of a number.
func bounds(least, most int) string {
	if least == most {
		return fmt.Sprint(least)
	}
	return fmt.Sprintf("at least %d and at most %d", least, most)
}

// fromStart is the --from of the positions that can be reached.
const fromStart = "start"

func hardestCommand(families *puzzle.Set) *cobra.Command {
	var o component
	var from string
	cmd := &cobra.Command{
		Use:   "hardest PUZZLE",
		Short: "Find the start of a sliding-block puzzle that is farthest from its goal",
		Long: `hardest looks at all positions of a puzzle that can be reached, and finds those from which a
shortest solution is longest. --time, Ctrl-C and SIGTERM end the search before; then it prints
the farthest starts that it has found.

With --from anywhere it looks at all placements of the pieces, whether or not moves lead there
from the start: it finds the hardest puzzle that these pieces make with this goal. A piece can
be wherever it could move to in the tray without the other pieces. The placements must fit into
--mem.

The exit code is 1 if no goal can be reached, and 130 after Ctrl-C or SIGTERM.`,
		Example: `  reach hardest slide/klotski
  reach hardest slide/klotski --from anywhere
  echo 'AABB/AACC/12../DEFF/DEGG ..../..../..../AA/AA' | reach hardest - --from anywhere --limit 1`,
		Args:              console.Args(1, 1, "one puzzle"),
		ValidArgsFunction: completePuzzles(),
		RunE: func(cmd *cobra.Command, args []string) error {
			var h *slide.Hardest
			stopped, err := o.search(cmd, families, args[0], openWithGoal, func(ctx context.Context) (_ bool, err error) {
				find := slide.FindHardest
				if from == anywhere {
					find = slide.FindHardestPlacement
				}
				h, err = find(ctx, o.puzzle, o.metric, o.options())
				return h != nil, err
			})
			if err != nil {
				return err
			}
			starts := []string{}
			for _, s := range h.Starts[:min(o.most, len(h.Starts))] {
				starts = append(starts, o.puzzle.FormatPosition(s))
			}
			err = console.Answer(cmd, struct {
				Puzzle string   `json:"puzzle"`
				Metric string   `json:"metric"`
				From   string   `json:"from"`
				Placed uint64   `json:"placements,omitempty"` // all, if from anywhere
				States uint64   `json:"states"`               // 0 if from anywhere and not exact
				Goals  uint64   `json:"goal_states"`
				Exact  bool     `json:"exact"`
				Length int      `json:"length"` // a lower bound if not exact
				Count  uint64   `json:"start_count"`
				Starts []string `json:"starts"`
				Goal   []string `json:"goals"`
				Reason string   `json:"reason,omitempty"`
			}{o.name, o.metricName, from, h.Placements, h.States, h.Goals, h.Exact, h.Length, h.Count, starts, append([]string{}, o.puzzle.FormatGoals()...), h.Reason}, func(w io.Writer) error {
				return o.writeHardest(w, h, starts, stopped)
			})
			return console.NoIf(h.Goals == 0, interrupted(stopped, err))
		},
	}
	o.flags(cmd, "starts", "what is known")
	console.OneOf(cmd, &from, "from", fromStart, []string{fromStart, anywhere}, "look at the positions that can be reached from the start, or at all placements of the pieces: start or anywhere")
	return cmd
}

// writeHardest writes the hardest starts, or what is known about them, for people.
func (o *component) writeHardest(w io.Writer, h *slide.Hardest, starts []string, stopped error) error {
	switch {
	case h.Placements == 0 && h.Goals == 0:
		return cli.WriteUnsolvable(w, o.name, h.Reason, h.States)
	case h.Goals == 0:
		_, err := fmt.Fprintf(w, "%s cannot be solved: none of %s is at the goal\n", o.name, cli.Count(h.Placements, "placement"))
		return err
	case h.Placements == 0:
		fmt.Fprintf(w, "%s: %s positions, %s of them goals\n", o.name, amount.Comma(h.States), amount.Comma(h.Goals))
	default:
		fmt.Fprintf(w, "%s: %s placements, %s of them goals", o.name, amount.Comma(h.Placements), amount.Comma(h.Goals))
		if h.Exact {
			fmt.Fprintf(w, ", %s lead to a goal", amount.Comma(h.States))
		}
		fmt.Fprintln(w)
	}
	if h.Exact {
		fmt.Fprintf(w, "hardest  %d %v, from %s\n", h.Length, o.metric, cli.Count(h.Count, "start"))
	} else {
		fmt.Fprintf(w, "hardest  at least %d %v\nnot all is known: %v\n", h.Length, o.metric, stopped)
	}
	for _, s := range starts {
		fmt.Fprintln(w, s)
	}
	if uint64(len(starts)) < h.Count {
		io.WriteString(w, o.more("starts"))
	}
	for _, g := range o.puzzle.FormatGoals() {
		fmt.Fprintln(w, "goal ", g)
	}
	return nil
}
