package slide

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"pagoda/cli"
	"pagoda/internal/amount"
	"pagoda/internal/console"
	"pagoda/internal/progress"
	"pagoda/puzzle/slide/contest"
	"pagoda/puzzle/slide/tray"
	"pagoda/studies/design"
	"pagoda/studies/hardest"
)

type designOptions struct {
	time time.Duration
	seed uint64
	job  *cli.Job
}

func designCommand() *cobra.Command {
	var o designOptions
	cmd := &cobra.Command{
		Use:   "design",
		Short: "Design the hardest sliding-block puzzle from given pieces",
		Long: `design reads a box, shapes of pieces and a goal from stdin. It looks for the puzzle that needs
the most moves, and prints each puzzle that is harder than all before: a drawing, and a
shortest solution, replayed by a checker of its own. The last one counts; reach solve and
reach run read it.

The search goes through all placements of any pieces at once. When it ends, no puzzle is
harder: stderr says so. --time, Ctrl-C and SIGTERM end it before; then stderr says what was
covered. If the placements do not fit into memory, or are too many for --time, samples are
searched instead, until --time or Ctrl-C: some pieces at a time, at random and by changing the
pieces of hard puzzles.

The input is in the format of the contest of 2001 of the course 6.046 at MIT: the box, the free
pieces, the goal piece and its goal, between lines with a single -. docs/guides/design.md
describes it and the output.

The exit code is 1 if the goal piece does not fit at its goal, and 130 after Ctrl-C or SIGTERM,
unless the search was complete.`,
		Example: `  reach design < box.txt > puzzle.txt
  reach design < box.txt | reach solve - -o puzzle.gif
  reach design --time 10m --quiet < box.txt | tee puzzles.txt | reach judge box.txt`,
		Args: console.Args(0, 0, "no arguments; the input comes on stdin"),
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	flags := cmd.Flags()
	console.Time(cmd, &o.time, "time", 0, "", "end the search after this time; 0: when all is searched")
	flags.Uint64Var(&o.seed, "seed", 1, "the seed of the samples")
	o.job = cli.NewJob(cmd, console.OfMachine)
	return cmd
}

// searchRate is about how many placements a thread searches in a second, at least.
const searchRate = 1e6

// errTime is the cause of a search that ends with its time.
var errTime = errors.New("the time is over")

func (o *designOptions) run(cmd *cobra.Command) error {
	p, _, err := readProblem(cmd, "-")
	if err != nil {
		return err
	}
	if err := p.CheckGoal(); err != nil {
		console.PrintError(cmd.ErrOrStderr(), cmd.Root().Name(), fmt.Errorf("no puzzle can be solved: %w", err))
		return console.ErrNo
	}
	ctx, end := limited(cmd, o.time)
	defer end()
	d := &designing{cmd: cmd, problem: p}
	defer d.stop()
	r, err := design.Search(ctx, p, design.Options{Threads: o.job.Threads(), Memory: o.job.Memory(), Seed: o.seed,
		MaxPlacements: uint64(o.time.Seconds() * float64(o.job.Threads()) * searchRate), Better: d.better, Progress: d.progress, Sampling: d.sampling})
	d.stop()
	if err != nil {
		return tooLarge("stdin", err)
	}
	cause := context.Cause(ctx)
	d.say(covered(r, cause))
	if !r.Proved && errors.Is(cause, console.ErrInterrupted) {
		return cause
	}
	return nil
}

// A designing shows how far a search is.
type designing struct {
	cmd         *cobra.Command
	problem     *contest.Problem
	done, total atomic.Int64
	part        func() // stops what is shown
}

// better prints a puzzle: first as a text that draws it.
func (d *designing) better(z *contest.Puzzle) error {
	t, err := d.problem.Tray(z)
	if err != nil {
		return err
	}
	t.Title = fmt.Sprintf("%s, %s", cli.Count(uint64(z.Length), "move"), cli.Count(uint64(len(z.Pieces)), "piece"))
	t.Lengths[tray.Moves] = z.Length
	_, err = fmt.Fprintf(d.cmd.OutOrStdout(), "%s%s\n", t.Format(), z.Format())
	return err
}

// progress shows how far the exact search is. It is called by several goroutines.
func (d *designing) progress(done, total uint64) {
	d.done.Store(max(d.done.Load(), int64(done)))
	if d.total.Swap(int64(total)) == 0 {
		d.part = progress.Start(d.cmd.Context(), "searching", total, "placements", func() (int64, int64) { return d.done.Load(), d.total.Load() })
	}
}

// sampling says why samples are searched.
func (d *designing) sampling(why error) {
	d.stop()
	if many, ok := errors.AsType[*design.TooManyError](why); ok {
		why = fmt.Errorf("there are %s, too many to search", placements(many.Placements))
	}
	d.say(fmt.Sprintf("not all placements can be searched: %v; samples are searched until --time or Ctrl-C\n", why))
	d.part = progress.Start(d.cmd.Context(), "searching samples", 0, "", nil)
}

// stop ends what is shown.
func (d *designing) stop() {
	if d.part != nil {
		d.part()
		d.part = nil
	}
}

// say prints lines on stderr.
func (d *designing) say(lines string) {
	defer console.HoldProgress(d.cmd.Context())()
	io.WriteString(d.cmd.ErrOrStderr(), lines)
}

// placements writes a number of placements.
func placements(n uint64) string {
	if n >= hardest.ManyPlacements {
		return fmt.Sprintf("more than %s placements", amount.Comma(hardest.ManyPlacements))
	}
	return cli.Count(n, "placement")
}

// covered says what a search has covered that ended by itself or for a cause.
func covered(r *design.Report, cause error) string {
	switch {
	case r.Proved && r.Placements == 0:
		return "proved: the goal piece cannot move, as it fits nowhere but at its goal\n"
	case r.Proved:
		return fmt.Sprintf("proved: no puzzle from these pieces in this box needs more than %s (all %s)\n", cli.Count(uint64(r.Best.Length), "move"), cli.Count(r.Placements, "placement"))
	}
	if cause == nil {
		cause = fmt.Errorf("puzzles of more than %d pieces were not searched", design.MaxPieces)
	}
	var s strings.Builder
	fmt.Fprintf(&s, "%v: the best puzzle so far has %s; there may be harder ones\n", cause, cli.Count(uint64(r.Best.Length), "move"))
	if r.Placements > 0 {
		fmt.Fprintf(&s, "searched: %s of %s\n", amount.Comma(r.Searched), placements(r.Placements))
	}
	if n := r.Sampled; n != (design.Sampled{}) {
		fmt.Fprintf(&s, "samples: %s of pieces with all their placements, %s in part, %s too large; %s can be solved\n", cli.Count(uint64(n.Whole), "multiset"),
			amount.Comma(uint64(n.Parts)), amount.Comma(uint64(n.Large)), cli.Count(n.Placements, "placement"))
	}
	return s.String()
}
