//go:build !js

package slidingblocks

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/family"
	"pagoda/internal/cli"
	"pagoda/internal/command"
	"pagoda/internal/suggest"
	"pagoda/run"
	"pagoda/statespace/slide"
	"pagoda/statespace/slide/tray"
)

// componentOptions are those of commands that look at all positions of a puzzle.
type componentOptions struct {
	metric string
	json   bool
	limit  command.LimitFlag
	job    *command.Job

	most    int    // results to print
	memory  uint64 // bytes
	threads int
}

func (o *componentOptions) flags(cmd *cobra.Command, what string) {
	flags := cmd.Flags()
	metricFlag(cmd, &o.metric, metricNames())
	flags.BoolVar(&o.json, "json", false, "print one JSON object")
	o.limit = command.NewLimitFlag(cmd, 10, fmt.Sprintf("%s (up to %s are kept)", what, ask.Comma(slide.MaxPairs)))
	o.job = command.NewJob(cmd, cli.OfMachine)
}

// metricFlag adds the flag --metric, which takes a metric or more words.
func metricFlag(cmd *cobra.Command, p *string, words []string) {
	cli.OneOf(cmd, p, "metric", tray.Moves.String(), words, "what counts as a move: "+suggest.Either(words))
}

// open reads the puzzle and the metric.
func (o *componentOptions) open(cmd *cobra.Command, families *family.Set, arg string) (*tray.Puzzle, tray.Metric, string, error) {
	m, err := tray.ParseMetric(o.metric)
	if err != nil {
		return nil, 0, "", cli.Usagef("--metric: %w", err)
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
		return cli.Usagef("%s: %w%s", name, err, memFor(size))
	}
	return err
}

func diameterCommand(families *family.Set) *cobra.Command {
	var o componentOptions
	cmd := &cobra.Command{
		Use:   "diameter PUZZLE",
		Short: "Find the two positions of a sliding-block puzzle that are farthest apart",
		Long: `diameter looks at all positions of a puzzle that can be reached. It finds the
greatest distance between two of them, the diameter; the least distance that the
farthest position from any can have, the radius; and all pairs at the greatest
distance. The goal does not matter.

If the moves of all positions do not fit into memory, it bounds the diameter by a few
searches, and says so.`,
		Args:              cli.Args(1, 1, "one puzzle"),
		ValidArgsFunction: completePuzzles,
		RunE: func(cmd *cobra.Command, args []string) error {
			p, m, name, err := o.open(cmd, families, args[0])
			if err != nil {
				return err
			}
			d, err := slide.FindDiameter(cmd.Context(), p, m, o.memory, o.threads)
			if err != nil {
				return tooLarge(name, err)
			}
			pairs := [][2]string{}
			for _, pair := range d.Pairs[:min(o.most, len(d.Pairs))] {
				pairs = append(pairs, [2]string{p.FormatPosition(pair[0]), p.FormatPosition(pair[1])})
			}
			w := cmd.OutOrStdout()
			if o.json {
				return cli.WriteJSON(w, struct {
					Puzzle   string      `json:"puzzle"`
					Metric   string      `json:"metric"`
					States   uint64      `json:"states"`
					Exact    bool        `json:"exact"`
					Diameter int         `json:"diameter"`      // a lower bound if not exact
					Most     int         `json:"diameter_most"` // an upper bound
					Radius   int         `json:"radius"`        // an upper bound if not exact
					Count    uint64      `json:"pair_count"`
					Pairs    [][2]string `json:"pairs"`
				}{name, m.String(), d.States, d.Exact, d.Diameter, d.Most, d.Radius, d.PairCount, pairs})
			}
			var b strings.Builder
			fmt.Fprintf(&b, "%s: %s positions\n", name, ask.Comma(d.States))
			if d.Exact {
				fmt.Fprintf(&b, "diameter  %d %v, by %s\nradius    %d\n", d.Diameter, m, command.Count(d.PairCount, "pair"), d.Radius)
			} else {
				fmt.Fprintf(&b, "diameter  at least %d and at most %d %v; the exact one takes more memory\nradius    at most %d\n", d.Diameter, d.Most, m, d.Radius)
			}
			for _, pair := range pairs {
				fmt.Fprintf(&b, "%s  %s\n", pair[0], pair[1])
			}
			if uint64(len(pairs)) < d.PairCount {
				b.WriteString(o.more("pairs"))
			}
			_, err = w.Write([]byte(b.String()))
			return err
		},
	}
	o.flags(cmd, "pairs")
	return cmd
}

func hardestCommand(families *family.Set) *cobra.Command {
	var o componentOptions
	cmd := &cobra.Command{
		Use:   "hardest PUZZLE",
		Short: "Find the start of a sliding-block puzzle that is farthest from its goal",
		Long: `hardest looks at all positions of a puzzle that can be reached, and finds those from
which a shortest solution is longest.

The exit code is 1 if no goal can be reached.`,
		Args:              cli.Args(1, 1, "one puzzle"),
		ValidArgsFunction: completePuzzles,
		RunE: func(cmd *cobra.Command, args []string) error {
			p, m, name, err := o.open(cmd, families, args[0])
			if err != nil {
				return err
			}
			if !p.HasGoal() {
				return cli.Usagef("%s: %w: draw one below goal:", name, slide.ErrNoGoal)
			}
			h, err := slide.FindHardest(cmd.Context(), p, m, o.memory, o.threads)
			if err != nil {
				return tooLarge(name, err)
			}
			starts := []string{}
			for _, s := range h.Starts[:min(o.most, len(h.Starts))] {
				starts = append(starts, p.FormatPosition(s))
			}
			w := cmd.OutOrStdout()
			switch {
			case o.json:
				err = cli.WriteJSON(w, struct {
					Puzzle string   `json:"puzzle"`
					Metric string   `json:"metric"`
					States uint64   `json:"states"`
					Goals  uint64   `json:"goal_states"`
					Length int      `json:"length"`
					Count  uint64   `json:"start_count"`
					Starts []string `json:"starts"`
				}{name, m.String(), h.States, h.Goals, h.Length, h.Count, starts})
			case h.Goals == 0:
				_, err = fmt.Fprintf(w, "%s cannot be solved: no goal is among the %s positions that can be reached\n", name, ask.Comma(h.States))
			default:
				var b strings.Builder
				fmt.Fprintf(&b, "%s: %s positions, %s of them goals\nhardest  %d %v, from %s\n", name, ask.Comma(h.States), ask.Comma(h.Goals),
					h.Length, m, command.Count(h.Count, "start"))
				for _, s := range starts {
					fmt.Fprintln(&b, s)
				}
				if uint64(len(starts)) < h.Count {
					b.WriteString(o.more("starts"))
				}
				_, err = w.Write([]byte(b.String()))
			}
			if err == nil && h.Goals == 0 {
				err = cli.ErrNo
			}
			return err
		},
	}
	o.flags(cmd, "starts")
	return cmd
}
