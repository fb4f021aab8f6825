package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"pagoda/internal/cli"
	"pagoda/internal/mapped"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/catalog"
)

// plan is what explain prints.
type plan struct {
	Space     string `json:"space"`
	Engine    string `json:"engine"`
	Kernel    string `json:"kernel"` // empty if the engine has none
	Size      uint64 `json:"size"`
	SetBytes  uint64 `json:"set_bytes"` // of the set or the distances
	Memory    uint64 `json:"memory_bytes"`
	Machine   uint64 `json:"machine_bytes"` // 0 where it is not known
	Limit     uint64 `json:"limit_bytes"`   // of what a run may take; 0 where it is not known
	Fits      bool   `json:"fits"`
	FileBytes uint64 `json:"file_bytes"`
	Threads   int    `json:"threads"`
	*streamPlan
	Details fmt.Stringer `json:"details"`
}

// streamPlan is of a run that makes a stream of blocks.
type streamPlan struct {
	KeptBlocks   uint64  `json:"kept_blocks"`
	WindowBlocks uint64  `json:"window_blocks"` // of them, in memory at a time
	BlockBytes   uint64  `json:"block_bytes"`
	RingBytes    uint64  `json:"ring_bytes"`
	TableBytes   uint64  `json:"table_bytes"`
	Seconds      float64 `json:"seconds"` // about
}

// An estimator is a Streamer that can tell beforehand how long it takes.
type estimator interface {
	statespace.Streamer
	EstimateStream(ctx context.Context, threads int) (time.Duration, error)
}

func explainCommand() *cobra.Command {
	var asJSON bool
	var metric string
	var mem cli.Memory
	var threads *int
	cmd := &cobra.Command{
		Use:               "explain SPACE",
		ValidArgsFunction: completeSpaces,
		Short:             "Tell what a run would do, before it does it",
		Long: `explain shows how the states of a space are numbered, which engine would enumerate
them and in which order, and how much memory and disk that takes. It enumerates
nothing, so it answers at once for spaces far too large to run.

Of a peg board that the sweep folds and makes in a ring, it also estimates the time:
it makes a few of the blocks, with random contents, and scales what that has taken to
all of them and to --threads processors. Nothing else should run on these, and what it
takes to write the file comes on top.`,
		Example: `  reach explain peg/6x7
  reach explain peg/6x8 --threads 64 --mem 1TiB`,
		Args: cli.Args(1, 1, "one space"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cli.CheckThreads(*threads); err != nil {
				return err
			}
			sp, err := catalog.Lookup(args[0], cmd.InOrStdin(), catalog.Sliding{Metric: metric})
			if err != nil {
				return cli.UsageError(err)
			}
			p, err := newPlan(cmd.Context(), sp, mem, *threads)
			if err != nil {
				return err
			}
			w := cmd.OutOrStdout()
			if asJSON {
				return cli.WriteJSON(w, p)
			}
			return p.write(w, sp, mem)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	metricFlag(cmd, &metric)
	cmd.Flags().Var(&mem, "mem", "tell whether it fits into so much memory, such as 8GiB (default: 7/8 of the machine's)")
	threads = cli.Threads(cmd)
	return cmd
}

// newPlan tells what a run would do if nothing but these were asked for.
func newPlan(ctx context.Context, sp statespace.Space, mem cli.Memory, threads int) (*plan, error) {
	p := &plan{Space: sp.Name(), Engine: statespace.Engines(sp)[0], Size: sp.Size(), SetBytes: cli.StateBytes(sp),
		Machine: mapped.PhysicalMemory(), Threads: threads}
	var err error
	if p.Kernel, err = useKernel(sp, p.Engine, autoKernel); err != nil {
		return nil, err
	}
	p.Memory = cli.MemoryOf(sp, p.Engine)
	if s, ok := statespace.StreamerOf(sp, p.Engine).(estimator); ok {
		took, err := s.EstimateStream(ctx, threads)
		if err != nil {
			return nil, err
		}
		p.Memory = cli.StreamMemory(s, p.Engine, s.Slots())
		p.streamPlan = &streamPlan{KeptBlocks: s.KeptBlocks(), WindowBlocks: s.Slots(), BlockBytes: cli.RingBytes(s, 1),
			RingBytes: cli.RingBytes(s, s.Slots()), TableBytes: statespace.Memory(sp, p.Engine), Seconds: took.Seconds()}
	}
	store, err := layers.FindStore(bestStore(sp))
	if err != nil {
		return nil, err
	}
	p.FileBytes = store.FileSize(sp)
	if mem != 0 || p.Machine != 0 {
		p.Limit = mem.Limit()
	}
	p.Fits = p.Memory <= mem.Limit()
	if e, ok := sp.(statespace.Explainer); ok {
		p.Details = e.Explain()
	}
	return p, nil
}

func (p *plan) write(w io.Writer, sp statespace.Space, mem cli.Memory) error {
	fits := "more than 7/8 of this machine's " + humanize.IBytes(p.Machine)
	switch {
	case mem != 0 && p.Fits:
		fits = "--mem allows " + humanize.IBytes(p.Limit)
	case mem != 0:
		fits = "more than the " + humanize.IBytes(p.Limit) + " that --mem allows"
	case p.Machine == 0:
		fits = "this machine's is not known"
	case p.Fits:
		fits = "this machine has " + humanize.IBytes(p.Machine)
	}
	engine := p.Engine
	if p.Kernel != "" {
		engine += " by " + p.Kernel
	}
	details := ""
	if p.Details != nil {
		details = p.Details.String()
	}
	if _, err := fmt.Fprintf(w, "%s\n%sengine      %s\n", p.Space, details, engine); err != nil {
		return err
	}
	if p.streamPlan == nil {
		_, err := fmt.Fprintf(w, `memory      %s, of it %s for %s for each of %s numbers (%s)
file        %s bytes
`, humanize.IBytes(p.Memory), humanize.IBytes(p.SetBytes), cli.StateBits(sp), cli.Comma(p.Size), fits, cli.Comma(p.FileBytes))
		return err
	}
	_, err := fmt.Fprintf(w, `memory      %s, of it %s for the ring and %s at most for tables (%s)
file        %s bytes: the blocks that are made, and an index
time        about %s on %s: an estimate, from a few blocks with random contents that were made just now;
            to write the file is not in it
`, humanize.IBytes(p.Memory), humanize.IBytes(p.RingBytes), humanize.IBytes(p.TableBytes), fits,
		cli.Comma(p.FileBytes), roughly(p.Seconds), inThreads(p.Threads))
	return err
}

// inThreads tells a number of threads.
func inThreads(n int) string {
	if n == 1 {
		return "1 thread"
	}
	return cli.Comma(uint64(n)) + " threads"
}

// roughly tells a time with the digits that an estimate has.
func roughly(seconds float64) string {
	switch d := time.Duration(seconds * float64(time.Second)); {
	case d < 100*time.Second:
		return fmt.Sprintf("%.2g s", seconds)
	case d < 100*time.Minute:
		return fmt.Sprintf("%.0f minutes", d.Minutes())
	case d < 100*time.Hour:
		return fmt.Sprintf("%.0f hours", d.Hours())
	default:
		return fmt.Sprintf("%.0f days", d.Hours()/24)
	}
}
