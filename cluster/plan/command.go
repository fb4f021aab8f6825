package plan

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"pagoda/cli"
	"pagoda/internal/console"
	"pagoda/internal/lists"
	"pagoda/puzzle"
	"pagoda/statespace/sweep"
)

// Command returns the command plan.
func Command(set *puzzle.Set) *cobra.Command {
	c := Defaults
	var workers []int
	var sets []string
	var file, constants, by string
	var size float64
	cmd := &cobra.Command{
		Use:   "plan [SPACE]",
		Short: "Predict the time and the price of a run on a cluster",
		Long: `plan predicts what a run on a cluster takes: the bytes stored, read and shuffled, the CPU
time, the hours and the dollars, for some numbers of workers. It runs nothing. It simulates
the run on paper, from constants that were measured on other runs.

The states of the run must be known. Those of slide/n4x4, the 15-puzzle, are built in. For peg
solitaire by blocks, plan finds the blocks. Else --levels FILE has them: the output of
reach info --json for a file that is there, or the states of the levels as numbers. With the
output of reach find --explain --json, plan predicts a search of all boards, part by part.

The constants are for Dataflow workers n2-standard-8 at list prices in us-central1. --set
changes one; --constants FILE takes those that --json prints, or some of them.`,
		Example: `  reach-beam plan slide/n4x4 --workers 16,64,256,1024
  reach-beam plan peg/7x7
  reach info --json 5x6.reach | reach-beam plan --levels - --set state_ns=165
  reach find 4x5 --explain --json | reach-beam plan --levels -`,
		Args: console.Args(0, 1, "at most one space"),
	}
	flags := cmd.Flags()
	flags.IntSliceVar(&workers, "workers", []int{16, 64, 256}, "how many workers")
	flags.StringVar(&file, "levels", "", "a `FILE` with the states of the levels, or with the parts of a search; - is stdin")
	console.OneOf(cmd, &by, "by", "", []string{"layers", "blocks"}, "how the run enumerates a space (default: by blocks if it has blocks)")
	flags.Float64Var(&size, "size", 0, "how many numbers the space has; some of them are its states (default: as the space or the file says)")
	flags.StringVar(&constants, "constants", "", "a `FILE` with constants, as --json prints them")
	flags.StringArrayVar(&sets, "set", nil, "change a constant, as `NAME=VALUE`: state_ns=178, say; may be repeated")
	console.JSON(cmd, "one JSON object")
	choice := cli.ChoiceFlags(cmd, set)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if constants != "" {
			if err := readFile(cmd, "constants", constants, c.read); err != nil {
				return err
			}
		}
		back := false // whether it is set
		for _, one := range sets {
			name, value, _ := strings.Cut(one, "=")
			if err := c.read(fmt.Appendf(nil, "{%q:%s}", name, value)); err != nil {
				return console.Usagef("--set %s: %w; expected the name of a constant and its value, such as state_ns=178", one, err)
			}
			back = back || name == "back"
		}
		if err := c.check(workers); err != nil {
			return console.UsageError(err)
		}
		in := new(Input)
		if file != "" {
			if err := readFile(cmd, "levels", file, func(data []byte) (err error) {
				in, err = ReadInput(data)
				return err
			}); err != nil {
				return err
			}
		}
		switch {
		case len(args) > 0 && args[0] == fifteenName && file == "": // to look it up takes a second
			in.Space = fifteenName
			for _, n := range Fifteen {
				in.Levels = append(in.Levels, float64(n))
			}
			c.Back = c.Back || !back
		case len(args) > 0:
			sp, err := cli.Lookup(cmd, set, args[0], choice(0))
			if err != nil {
				return err
			}
			in.Space, in.Size = sp.Name(), cmp.Or(in.Size, float64(sp.Size()))
			c.Back = c.Back || !back && sp.Parts().Undirected
			if blocks := sweep.BlocksOf(sp); by != "layers" && file == "" && blocks != nil && blocks.Feeds != nil {
				in.Stages, in.BlockBytes = Stages(blocks.Feeds(), c.GroupBlocks), float64(uint64(1)<<blocks.Bits)/8
			}
		}
		switch {
		case in.Stages == nil && by == "blocks":
			return console.Usagef("name a space that has blocks, without --levels")
		case in.Stages == nil && in.Levels == nil && in.Parts == nil:
			return console.Usagef("the states of the levels are not known: give them by --levels FILE")
		}
		in.Size = cmp.Or(size, in.Size)
		plans := lists.Map(workers, func(n int) Plan { return c.New(n, c.Rounds(n, in)) })
		return console.Answer(cmd, struct {
			Space     string    `json:"space"`
			Constants Constants `json:"constants"`
			Plans     []Plan    `json:"plans"`
		}{in.Space, c, plans}, func(w io.Writer) error { return write(w, in, &c, plans) })
	}
	return cmd
}

// read changes the constants that a JSON object has.
func (c *Constants) read(object []byte) error {
	d := json.NewDecoder(bytes.NewReader(object))
	d.DisallowUnknownFields()
	return d.Decode(c)
}

// readFile reads a file of at most 16 MiB, as large as the metadata of a file of states, or stdin for -.
func readFile(cmd *cobra.Command, what, file string, read func(data []byte) error) error {
	_, text, err := puzzle.ReadUpTo(cmd.Context(), 16<<20, file, cmd.InOrStdin())
	if err == nil {
		err = read([]byte(text))
	}
	if err != nil {
		return fmt.Errorf("cannot read the %s of %s: %w", what, file, err)
	}
	return nil
}

// check refuses constants with which there is no plan.
func (c *Constants) check(workers []int) error {
	for _, n := range workers {
		if n < 1 {
			return fmt.Errorf("--workers has %d, expected 1 or more", n)
		}
	}
	if c.Threads < 1 || c.GroupBlocks < 1 || c.MaxShards < 1 || c.Cores < 0 || c.JobRounds < 0 {
		return errors.New("threads, blocks of a group and shards should be 1 or more, cores and levels of a job 0 or more")
	}
	if !(c.Bandwidth > 0 && c.Storage > 0 && c.Compression > 0) {
		return errors.New("bandwidth, storage and compression should be above 0")
	}
	return nil
}

// write writes plans as text.
func write(w io.Writer, in *Input, c *Constants, plans []Plan) error {
	var s strings.Builder
	fmt.Fprintf(&s, "%s: %s\n%s\n\n", cmp.Or(in.Space, "the run"), in.describe(), c.describe(in))
	t := tabwriter.NewWriter(&s, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "workers\ttime\tCPU hours\tstored\tread\tshuffled\tdollars\t")
	for _, p := range plans {
		fmt.Fprintf(t, "%d\t%s\t%.4g\t%s\t%s\t%s\t%.2f\t\n", p.Workers, duration(p.Seconds), p.CPU/3600,
			size(p.Stored), size(p.Read), size(p.Shuffled), p.Dollars)
	}
	t.Flush()
	_, err := io.WriteString(w, s.String())
	return err
}

func size(bytes float64) string { return humanize.Bytes(uint64(bytes)) }

// duration writes seconds as a person does.
func duration(s float64) string {
	switch {
	case s < 10:
		return fmt.Sprintf("%.2f s", s)
	case s >= 100*3600:
		return fmt.Sprintf("%.1f days", s/86400)
	}
	return time.Duration(s * float64(time.Second)).Round(time.Second).String()
}

// describe describes what there is to do.
func (in *Input) describe() string {
	switch {
	case in.Stages != nil:
		blocks, groups, sources := 0, 0, 0
		for _, s := range in.Stages {
			blocks, groups, sources = blocks+s.Blocks, groups+s.Groups, sources+s.Sources
		}
		return fmt.Sprintf("%d blocks of %s in %d stages and %d groups, which read %.3g sources for each block", blocks,
			size(in.BlockBytes), len(in.Stages), groups, float64(sources)/float64(blocks))
	case in.Parts != nil:
		return fmt.Sprintf("%.0f placements in %d parts", lists.Sum(in.Parts), len(in.Parts))
	}
	return fmt.Sprintf("%.0f states in %d levels", lists.Sum(in.Levels), len(in.Levels))
}

// describe describes the constants that matter.
func (c *Constants) describe(in *Input) string {
	var s strings.Builder
	switch {
	case in.Stages != nil:
		fmt.Fprintf(&s, "assumed: %.3g ns of CPU a byte of a block, stored bytes %.3g times smaller, %g s a stage and %g s a job of %d\n",
			c.ByteNS, c.Compression, c.RoundS, c.JobS, c.JobRounds)
	case in.Parts != nil:
		fmt.Fprintf(&s, "assumed: %.4g ns of CPU a placement, %g s to start\n", c.PartNS, c.RoundS+c.JobS)
	default:
		fmt.Fprintf(&s, "assumed: %.4g ns of CPU a state and %.4g ns a successor sent, %.3g successors a state, %g s a level and %g s a job of %d\n",
			c.StateNS, c.EntryNS, c.Successors, c.RoundS, c.JobS, c.JobRounds)
	}
	fmt.Fprintf(&s, "workers: %d threads, %s/s of shuffle, %s/s of storage; the busiest has %g times the mean; $%.3f an hour, $%g a GB shuffled",
		c.Threads, size(c.Bandwidth), size(c.Storage), c.Skew, c.WorkerHour, c.ShuffledGB)
	return s.String()
}
