package slide

import (
	"fmt"
	"io"
	"math"
	"math/big"

	"github.com/spf13/cobra"

	"pagoda/cli"
	"pagoda/internal/amount"
	"pagoda/internal/console"
	"pagoda/puzzle"
	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/trees"
)

// The fewest and most samples: an interval from a few would say little.
const (
	leastSamples = 100
	mostSamples  = 1e8
)

type bbOptions struct {
	metric         string
	width, samples int
	seed           uint64
	job            *cli.Job
}

func bbCommand(families *puzzle.Set) *cobra.Command {
	var o bbOptions
	cmd := &cobra.Command{
		Use:   "bb PUZZLE",
		Short: "Measure how hard a sliding-block puzzle is by the BB metric",
		Long: `bb finds the BB metric of N. Baxter and N. Bickford: the number of vertices less one, less the
mean length of the path from start to goal over all spanning trees of the graph of positions.
Vertices are the positions that can be reached; all goals are one vertex. An edge is a pair of
positions that one move connects; moves from one position to different goals are different
edges. If the start is a goal, the length is 0.

The value is exact if the biconnected components between start and goal are narrow. For
components wider than --width, or of more than 65,536 vertices, random trees are drawn. Then
the value is an estimate with a 95 % confidence interval, and the output says so. It takes about
250 bytes for each position. The exit code is 1 if no goal can be reached.`,
		Args:              console.Args(1, 1, "one puzzle"),
		ValidArgsFunction: completePuzzles(),
		RunE:              func(cmd *cobra.Command, args []string) error { return o.run(cmd, families, args[0]) },
	}
	flags := cmd.Flags()
	metricFlag(cmd, &o.metric, slide.MetricNames())
	flags.IntVar(&o.width, "width", slide.BBWidth, fmt.Sprintf("compute components up to this width exactly, up to %d; each one more takes about ten times as long; 0: sample all but bridges", trees.MaxWidth))
	flags.IntVar(&o.samples, "samples", trees.DefaultSamples, fmt.Sprintf("trees to draw for the other components, %d to 10^8; four times as many halve the interval", leastSamples))
	console.Between(cmd, 0, trees.MaxWidth, "width")
	console.Between(cmd, leastSamples, mostSamples, "samples")
	flags.Uint64Var(&o.seed, "seed", 1, "seed of the random numbers: the same one gives the same result")
	console.JSON(cmd, "one JSON object")
	o.job = cli.NewJob(cmd, console.OfMachine)
	return cmd
}

func (o *bbOptions) run(cmd *cobra.Command, families *puzzle.Set, arg string) error {
	p, name, err := openWithGoal(cmd, families, arg)
	if err != nil {
		return err
	}
	options := trees.Options{Memory: o.job.Memory(), Width: o.width, Samples: o.samples, Seed: o.seed, Threads: o.job.Threads()}
	b, err := slide.FindBB(cmd.Context(), p, metricOf(o.metric), options)
	if err != nil {
		return tooLarge(name, err)
	}
	return console.NoIf(b.Goals == 0, console.Answer(cmd, newBBResult(name, b), func(w io.Writer) error { return writeBB(w, name, b) }))
}

// writeBB writes what bb has found for people.
func writeBB(w io.Writer, name string, b *slide.BB) error {
	if b.Goals == 0 {
		return cli.WriteUnsolvable(w, name, b.Reason, b.States)
	}
	fmt.Fprintf(w, "%s: %s positions, %s of them goals; with these as one, %s vertices\n", name, amount.Comma(b.States), amount.Comma(b.Goals), amount.Comma(b.Vertices))
	if b.Exact != nil {
		fmt.Fprintf(w, "BB metric    %s, exact\n", shortRat(b.ExactValue()))
		fmt.Fprintf(w, "mean length  %s %v\n", shortRat(b.Exact), b.Metric)
		return nil
	}
	// As many digits as the error leaves, and one more.
	digits := 0
	if b.Error > 0 {
		digits = min(max(0, 1-int(math.Floor(math.Log10(b.Error)))), 9)
	}
	fmt.Fprintf(w, "BB metric    %.*f, an estimate: %.*f to %.*f with 95 %% confidence, from %s with seed %d\n", digits, b.Value, digits, b.Low, digits, b.High,
		cli.Count(uint64(b.Samples), "sample"), b.Seed)
	fmt.Fprintf(w, "mean length  %.*f %v, standard error %.*f\n", digits, b.Length, b.Metric, digits, b.Error)
	return nil
}

// shortRat writes a number with six digits behind the point, and as a fraction too where
// that is short.
func shortRat(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	if f := r.RatString(); len(f) <= 40 {
		return r.FloatString(6) + " = " + f
	}
	return r.FloatString(6)
}

// A bbResult is what bb prints as JSON. What is not known is null.
type bbResult struct {
	Puzzle      string   `json:"puzzle"`
	Metric      string   `json:"metric"`
	States      uint64   `json:"states"`
	Goals       uint64   `json:"goal_states"`
	Vertices    *uint64  `json:"vertices"`
	Exact       bool     `json:"exact"`
	Value       *float64 `json:"value"`
	ExactValue  *string  `json:"value_exact"` // as 17/3
	Low         *float64 `json:"value_low"`
	High        *float64 `json:"value_high"`
	Length      *float64 `json:"mean_length"`
	ExactLength *string  `json:"mean_length_exact"`
	Error       *float64 `json:"standard_error"`
	Samples     *int     `json:"samples"`
	Seed        *uint64  `json:"seed"`
	Blocks      int      `json:"blocks"`
	Sampled     int      `json:"sampled_blocks"`
	Reason      string   `json:"reason,omitempty"`
}

func newBBResult(name string, b *slide.BB) bbResult {
	r := bbResult{Puzzle: name, Metric: b.Metric.String(), States: b.States, Goals: b.Goals, Exact: b.Exact != nil, Blocks: b.Parts, Sampled: b.Sampled, Reason: b.Reason}
	if b.Goals == 0 {
		return r
	}
	r.Vertices, r.Value, r.Length = &b.Vertices, &b.Value, &b.Length
	if b.Exact != nil {
		value, length := b.ExactValue().RatString(), b.Exact.RatString()
		r.ExactValue, r.ExactLength = &value, &length
		return r
	}
	r.Low, r.High, r.Error, r.Samples, r.Seed = &b.Low, &b.High, &b.Error, &b.Samples, &b.Seed
	return r
}
