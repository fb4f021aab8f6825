package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/internal/amount"
	"pagoda/internal/console"
	"pagoda/internal/printable"
	"pagoda/layers"
	"pagoda/run"
)

func (p *Program) explain() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "explain SPACE",
		Short: "Predict what a run would do and need",
		Long: `explain shows how the states of a space are numbered, which engine would enumerate them, and
how much memory and disk that needs. It enumerates nothing, except the states of a small game
against chance, so it answers at once for spaces that are far too large to run. With --mem it
compares with that much memory, such as another machine has.

If an engine makes the states block by block, explain also estimates the time: it makes a few
of the blocks, with random contents, and scales their time to all of them and to --threads
processors. That is a lower bound: it assumes that nothing else runs there, and leaves out the
time to write the file. For an n-puzzle with two levels of 1 GiB or more, explain measures how
long words of the next level take, and plans the whole search, with the levels in memory or on
disks.`,
		Args: console.Args(1, 1, "one space"),
	}
	console.JSON(cmd, "one JSON object")
	var f runFlags
	f.add(cmd, p.Families, "the `FILE` of the run: its disk counts (default: that of run)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		sp, o, err := f.read(cmd, p.Families, args[0])
		if err != nil {
			return err
		}
		found, err := run.Predict(cmd.Context(), sp, o)
		if err != nil {
			return err
		}
		return console.Answer(cmd, found, func(w io.Writer) error { return writePrediction(w, found, o.Memory != 0) })
	}
	return cmd
}

// writePrediction writes what a run would take, and whether it fits into a limit that was
// given or is that of the machine.
func writePrediction(w io.Writer, p *run.Prediction, limited bool) error {
	fits := "more than 7/8 of this machine's " + humanize.IBytes(p.Machine)
	switch {
	case limited && p.Fits:
		fits = "--mem allows " + humanize.IBytes(p.Limit)
	case limited:
		fits = "more than the " + humanize.IBytes(p.Limit) + " that --mem allows"
	case p.Machine == 0:
		fits = "the memory of this machine is not known"
	case p.Fits:
		fits = "this machine has " + humanize.IBytes(p.Machine)
	}
	fmt.Fprintln(w, p.Space)
	if p.Details != nil {
		io.WriteString(w, p.Details.String())
	}
	io.WriteString(w, "engine      "+p.Engine)
	if p.Kernel != "" {
		io.WriteString(w, " by "+p.Kernel)
	}
	fmt.Fprintln(w)
	switch {
	case p.Lists:
		fmt.Fprintf(w, "memory      at least %s; it grows with the states (%s)\nfile        its size grows with the states\n", humanize.IBytes(p.Memory), fits)
	case p.Estimate > 0:
		file := "about " + humanize.IBytes(p.FileBytes)
		if p.FileBytes == 0 {
			file = "none: the run lists the states only"
		}
		fmt.Fprintf(w, "memory      about %s, for a few layers of about %s states (%s)\nfile        %s\n",
			humanize.IBytes(p.Memory), amount.Comma(uint64(min(p.Estimate, 1<<62))), fits, file)
	case p.BlockPrediction == nil:
		file := amount.Comma(p.FileBytes) + " bytes"
		if p.FileBytes == 0 {
			file = "its size depends on how far the states are from the start"
		}
		values := ""
		if p.ValueBytes > 0 {
			values = fmt.Sprintf(" and %s for values", humanize.IBytes(p.ValueBytes))
			file += ", and on the greatest values"
		}
		fmt.Fprintf(w, "memory      %s, %s%s (%s)\nfile        %s\n", humanize.IBytes(p.Memory), p.Most, values, fits, file)
	default:
		if k := p.Packing; k != nil {
			fmt.Fprintf(w, "memory      %s at least (%s)\n"+
				"packed      the ring, %s, does not fit: its blocks are packed to about 1/%.0f, as those of %s were, which makes %s.\n"+
				"            The cache for whole blocks has about %s. A block is unpacked about %.1f times\n",
				humanize.IBytes(p.Memory), fits, humanize.IBytes(p.RingBytes), k.Ratio, k.RatioOf, humanize.IBytes(k.Packed), humanize.IBytes(k.Cache), k.Unpacked)
			if k.Scratch > 0 {
				fmt.Fprintf(w, "scratch     about %s\n", humanize.IBytes(k.Scratch))
			}
		} else {
			fmt.Fprintf(w, "memory      %s, of it %s for the ring and %s at most for tables (%s)\n",
				humanize.IBytes(p.Memory), humanize.IBytes(p.RingBytes), humanize.IBytes(p.TableBytes), fits)
		}
		file := amount.Comma(p.FileBytes) + " bytes"
		if p.Store == layers.FoldedStore {
			file += ": the blocks that are made, and an index"
		}
		if p.FileBytes == 0 {
			file = "none: there are too many blocks to number in a file; --no-file counts the layers"
		}
		fmt.Fprintf(w, "file        %s\n", file)
		if p.Seconds > 0 {
			fmt.Fprintf(w, "time        at least %s on %s, estimated from a few blocks with random contents;\n"+
				"            the time to write the file is not included\n", amount.Roughly(p.Seconds), Count(uint64(p.Threads), "thread"))
		}
	}
	if p.Free > 0 && p.FileBytes > p.Free {
		fmt.Fprintf(w, "disk        too small: %s are free, and the file needs %s\n", humanize.Bytes(p.Free), humanize.Bytes(p.FileBytes))
	}
	if p.Plan != nil {
		io.WriteString(w, p.Plan.String())
	}
	for i, o := range p.Offers {
		what := o.Refused
		if what == "" {
			what = humanize.IBytes(o.Memory) + ", " + o.Most
		}
		fmt.Fprintf(w, "%-12s%-8s  %-19s  %s\n", []string{"offers", ""}[min(i, 1)], o.Engine, o.Turn, what)
	}
	if p.Sparsely {
		io.WriteString(w, "instead     run uses the engine sparse, as long as its list of states fits into memory\n")
	}
	return nil
}

func (p *Program) info() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "info FILE",
		Short: "Show what a file holds",
		Long: `info shows the space, the store and the layers of a file, and figures about its states if it
has some. It reads the header and the metadata, not the states. It also describes checkpoints.`,
		Args: console.Args(1, 1, "one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			info, store, err := ask.ReadInfo(cmd.Context(), args[0], p.Families.Describe, console.MemoryOf(cmd))
			if err != nil {
				return notSpace(cmd, p.Families, args[0], err)
			}
			return console.Answer(cmd, info, func(w io.Writer) error { return writeInfo(w, info, store) })
		},
	}
	OpenFlags(cmd)
	console.JSON(cmd, "one JSON object")
	return cmd
}

// writeInfo writes what a file holds.
func writeInfo(w io.Writer, info ask.Info, store string) error {
	fmt.Fprintf(w, "file    %s, %s bytes, format %d\nspace   %s\n", printable.Line(info.File), amount.Comma(info.FileBytes), info.FormatVersion, info.Space)
	if info.Start != "" {
		fmt.Fprintf(w, "start   %s\n", info.Start)
	}
	if c := info.Checkpoint; c != nil {
		fmt.Fprintf(w, "store   %s of a run by the engine %s; resume continues it", info.Store, printable.Line(c.Engine))
		if c.Done > 0 {
			fmt.Fprintf(w, "; %s done", Count(uint64(c.Done), "stage"))
		}
		fmt.Fprintln(w)
		return nil
	}
	fmt.Fprintf(w, "store   %s: %s\nstates  %s, %.2f %% of %s numbers; %.4g bytes each\n", info.Store, store,
		amount.Comma(info.States), 100*float64(info.States)/float64(info.Size), amount.Comma(info.Size), info.BytesPerState)
	if len(info.Objectives) > 0 {
		fmt.Fprintf(w, "values  %s; %d bytes each\n", printable.Line(strings.Join(info.Objectives, ", ")), info.ValueBytes)
	}
	fmt.Fprintln(w)
	info.Layers.WriteText(w)
	writeFigures(w, info.Figures)
	return nil
}
