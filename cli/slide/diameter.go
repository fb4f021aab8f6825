package slide

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/cli"
	"pagoda/internal/console"
	"pagoda/internal/suggest"
	"pagoda/puzzle"
	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/tray"
	"pagoda/run"
)

// componentOptions are those of commands that look at all positions of a puzzle.
type componentOptions struct {
	metric string
	json   bool
	limit  cli.LimitFlag
	job    *cli.Job

	most    int    // results to print
	memory  uint64 // bytes
	threads int
}

func (o *componentOptions) flags(cmd *cobra.Command, what string) {
	flags := cmd.Flags()
	metricFlag(cmd, &o.metric, slide.MetricNames())
	flags.BoolVar(&o.json, "json", false, "print one JSON object")
	o.limit = cli.NewLimitFlag(cmd, 10, fmt.Sprintf("%s (up to %s are kept)", what, ask.Comma(slide.MaxPairs)))
	o.job = cli.NewJob(cmd, console.OfMachine)
}

// metricFlag adds the flag --metric, which takes a metric or more words.
func metricFlag(cmd *cobra.Command, p *string, words []string) {
	console.OneOf(cmd, p, "metric", tray.Moves.String(), words, "what counts as a move: "+suggest.Either(words))
}

// open reads the puzzle and the metric.
func (o *componentOptions) open(cmd *cobra.Command, families *puzzle.Set, arg string) (*tray.Puzzle, tray.Metric, string, error) {
	m, err := tray.ParseMetric(o.metric)
	if err != nil {
		return nil, 0, "", console.Usagef("--metric: %w", err)
	}
	if o.most, err = o.limit.Get(slide.MaxPairs); err != nil {
		return nil, 0, "", err
	}
	if o.most == 0 {
		o.most = slide.MaxPairs
	}
	job, err := o.job.Options()
	if err != nil {
		return nil, 0, "", err
	}
	o.memory, o.threads = run.MemoryLimit(job.Memory), job.Threads
	p, name, err := openPuzzle(cmd, families, arg)
	return p, m, name, err
}

// more says that there are more results than are printed.
func (o *componentOptions) more(what string) string {
	if o.most == slide.MaxPairs {
		return fmt.Sprintf("more %s exist: only %s are kept\n", what, ask.Comma(slide.MaxPairs))
	}
	return fmt.Sprintf("more %s exist: --limit 0 lists up to %s\n", what, ask.Comma(slide.MaxPairs))
}

// tooLarge makes a *slide.SizeError one of how the command was given.
func tooLarge(name string, err error) error {
	var size *slide.SizeError
	if errors.As(err, &size) {
		return console.Usagef("%s: %w%s", name, err, memFor(size))
	}
	return err
}

// limited returns the context of a command that ends after some time; 0 is no limit.
func limited(cmd *cobra.Command, limit time.Duration) (ctx context.Context, stop func(), err error) {
	if limit < 0 {
		return nil, nil, console.Usagef("--time is %v, expected a time such as 30s or 10m, or 0 for no limit", limit)
	}
	if limit == 0 {
		return cmd.Context(), func() {}, nil
	}
	ctx, cancel := context.WithTimeoutCause(cmd.Context(), limit, errTime)
	return ctx, cancel, nil
}

func diameterCommand(families *puzzle.Set) *cobra.Command {
	var o componentOptions
	var limit time.Duration
	cmd := &cobra.Command{
		Use:   "diameter PUZZLE",
		Short: "Find the two positions of a sliding-block puzzle that are farthest apart",
		Long: `diameter looks at all positions of a puzzle that can be reached. It finds the
greatest distance between two of them, the diameter; the least distance that the
farthest position from any can have, the radius; and all pairs at the greatest
distance. The goal does not matter.

Searches from some positions bound both until they are known. --time, Ctrl-C and SIGTERM
end them before; then it prints the bounds so far. It also prints bounds if not even a few
bytes for each position fit into memory. The exit code is 130 after Ctrl-C or SIGTERM.`,
		Example: `  reach diameter slide/klotski --metric steps
  reach diameter my-puzzle.txt --time 10m --json`,
		Args:              console.Args(1, 1, "one puzzle"),
		ValidArgsFunction: completePuzzles,
		RunE: func(cmd *cobra.Command, args []string) error {
			p, m, name, err := o.open(cmd, families, args[0])
			if err != nil {
				return err
			}
			ctx, stop, err := limited(cmd, limit)
			if err != nil {
				return err
			}
			defer stop()
			d, err := slide.FindDiameter(ctx, p, m, o.memory, o.threads)
			interrupted := errors.Is(err, console.ErrInterrupted)
			if err != nil && (d == nil || !interrupted && !errors.Is(err, errTime)) {
				return tooLarge(name, notCounted(err))
			}
			why := "the exact values take more memory"
			if err != nil {
				why = err.Error()
			}
			pairs := [][2]string{}
			for _, pair := range d.Pairs[:min(o.most, len(d.Pairs))] {
				pairs = append(pairs, [2]string{p.FormatPosition(pair[0]), p.FormatPosition(pair[1])})
			}
			w := cmd.OutOrStdout()
			if o.json {
				writes := console.WriteJSON(w, struct {
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
				}{name, m.String(), d.States, d.Exact, d.Diameter, d.Most, d.Radius, d.Least, d.PairCount, pairs})
				if writes == nil && interrupted {
					writes = err
				}
				return writes
			}
			var b strings.Builder
			fmt.Fprintf(&b, "%s: %s positions\n", name, ask.Comma(d.States))
			if d.Exact {
				fmt.Fprintf(&b, "diameter  %d %v, by %s\nradius    %d\n", d.Diameter, m, cli.Count(d.PairCount, "pair"), d.Radius)
			} else {
				what := "is"
				if d.Diameter == d.Most && d.Least == d.Radius {
					what = "pairs are"
				}
				fmt.Fprintf(&b, "diameter  %s %v\nradius    %s\nnot all %s known: %s\n", bounds(d.Diameter, d.Most), m, bounds(d.Least, d.Radius), what, why)
			}
			for _, pair := range pairs {
				fmt.Fprintf(&b, "%s  %s\n", pair[0], pair[1])
			}
			if d.Exact && uint64(len(pairs)) < d.PairCount {
				b.WriteString(o.more("pairs"))
			}
			if _, err := w.Write([]byte(b.String())); err != nil {
				return err
			}
			if interrupted {
				return err
			}
			return nil
		},
	}
	o.flags(cmd, "pairs")
	cmd.Flags().DurationVar(&limit, "time", 0, "print the bounds that are known after this time, such as 30s or 10m; 0 is no limit")
	return cmd
}

// bounds writes the bounds of a number.
func bounds(least, most int) string {
	if least == most {
		return fmt.Sprint(least)
	}
	return fmt.Sprintf("at least %d and at most %d", least, most)
}

// notCounted says what --time lacks if it ends before there are bounds.
func notCounted(err error) error {
	if errors.Is(err, errTime) {
		return console.Usagef("%w before all positions were found, so there are no bounds; give more with --time", err)
	}
	return err
}

func hardestCommand(families *puzzle.Set) *cobra.Command {
	var o componentOptions
	var limit time.Duration
	cmd := &cobra.Command{
		Use:   "hardest PUZZLE",
		Short: "Find the start of a sliding-block puzzle that is farthest from its goal",
		Long: `hardest looks at all positions of a puzzle that can be reached, and finds those from
which a shortest solution is longest. --time, Ctrl-C and SIGTERM end the search before;
then it prints the farthest starts that it has found.

The exit code is 1 if no goal can be reached, and 130 after Ctrl-C or SIGTERM.`,
		Args:              console.Args(1, 1, "one puzzle"),
		ValidArgsFunction: completePuzzles,
		RunE: func(cmd *cobra.Command, args []string) error {
			p, m, name, err := o.open(cmd, families, args[0])
			if err != nil {
				return err
			}
			if !p.HasGoal() {
				return console.Usagef("%s: %w: draw one below goal:", name, slide.ErrNoGoal)
			}
			ctx, stop, err := limited(cmd, limit)
			if err != nil {
				return err
			}
			defer stop()
			h, stopped := slide.FindHardest(ctx, p, m, o.memory, o.threads)
			interrupted := errors.Is(stopped, console.ErrInterrupted)
			if stopped != nil && (h == nil || !interrupted && !errors.Is(stopped, errTime)) {
				return tooLarge(name, notCounted(stopped))
			}
			starts := []string{}
			for _, s := range h.Starts[:min(o.most, len(h.Starts))] {
				starts = append(starts, p.FormatPosition(s))
			}
			w := cmd.OutOrStdout()
			switch {
			case o.json:
				err = console.WriteJSON(w, struct {
					Puzzle string   `json:"puzzle"`
					Metric string   `json:"metric"`
					States uint64   `json:"states"`
					Goals  uint64   `json:"goal_states"`
					Exact  bool     `json:"exact"`
					Length int      `json:"length"` // a lower bound if not exact
					Count  uint64   `json:"start_count"`
					Starts []string `json:"starts"`
				}{name, m.String(), h.States, h.Goals, h.Exact, h.Length, h.Count, starts})
			case h.Goals == 0:
				_, err = fmt.Fprintf(w, "%s cannot be solved: no goal is among the %s positions that can be reached\n", name, ask.Comma(h.States))
			default:
				var b strings.Builder
				fmt.Fprintf(&b, "%s: %s positions, %s of them goals\n", name, ask.Comma(h.States), ask.Comma(h.Goals))
				if h.Exact {
					fmt.Fprintf(&b, "hardest  %d %v, from %s\n", h.Length, m, cli.Count(h.Count, "start"))
				} else {
					fmt.Fprintf(&b, "hardest  at least %d %v\nnot all is known: %v\n", h.Length, m, stopped)
				}
				for _, s := range starts {
					fmt.Fprintln(&b, s)
				}
				if uint64(len(starts)) < h.Count {
					b.WriteString(o.more("starts"))
				}
				_, err = w.Write([]byte(b.String()))
			}
			switch {
			case err == nil && interrupted:
				err = stopped
			case err == nil && h.Goals == 0:
				err = console.ErrNo
			}
			return err
		},
	}
	o.flags(cmd, "starts")
	cmd.Flags().DurationVar(&limit, "time", 0, "print what is known after this time, such as 30s or 10m; 0 is no limit")
	return cmd
}
