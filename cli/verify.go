package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/internal/amount"
	"pagoda/internal/console"
	"pagoda/internal/mapped"
	"pagoda/internal/printable"
	"pagoda/layers"
	"pagoda/run"
)

func (p *Program) check() *cobra.Command {
	return verdictCommand(&cobra.Command{
		Use:   "check FILE",
		Short: "Check every byte of a file against its checksums",
		Long: `check reads a file and compares it with the checksums in it. It finds files that were
cut short or changed in any byte. verify also proves that the states are right.`,
	}, "checksums match", func(cmd *cobra.Command, path string) (*ask.File, error) {
		f, err := ask.OpenAny(cmd.Context(), path, p.Families.Define, console.MemoryOf(cmd))
		return f, notSpace(cmd, p.Families, path, err)
	}, run.CheckFile)
}

func (p *Program) verify() *cobra.Command {
	return verdictCommand(&cobra.Command{
		Use:   "verify FILE",
		Short: "Prove that a file holds exactly what can be reached",
		Long: `verify checks a file as check does, then proves that its states are right. In a space with
layers: the start is a member, successors of members are members, every other member has a
predecessor that is a member, and the layers have the sizes that the file says. A folded file
is proved as it is. In other spaces it searches again and compares all distances; those of
a list prove themselves.

The proof makes moves by code of its own and shares little with the engines but the numbering.
What a text says about its puzzle is not proved: title, author, year, source, notes, and the
lengths that are known.`,
	}, "proved: exactly the states that can be reached", p.open, p.Families.Verify)
}

// A verdict is what check and verify print.
type verdict struct {
	File    string  `json:"file"`
	OK      bool    `json:"ok"`
	Bytes   uint64  `json:"file_bytes"`
	States  uint64  `json:"states"`
	Seconds float64 `json:"seconds"`
	Threads int     `json:"threads"`
	PeakRSS uint64  `json:"peak_rss_bytes"`
	Error   string  `json:"error,omitempty"`
}

// verdictCommand completes a command that opens a file and checks it.
func verdictCommand(cmd *cobra.Command, good string, open func(cmd *cobra.Command, path string) (*ask.File, error), check func(context.Context, *layers.File, run.Options) error) *cobra.Command {
	console.JSON(cmd, "one JSON object")
	job := NewJob(cmd, console.OfFile)
	cmd.Args = console.Args(1, 1, "one file")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		o := job.Options()
		begin := time.Now()
		v := verdict{File: args[0], Threads: o.Threads}
		f, err := open(cmd, args[0])
		if err == nil {
			defer f.Close()
			v.Bytes, v.States = f.Size(), f.Meta().States
			err = check(cmd.Context(), f.File, o)
		}
		v.OK, v.Seconds, v.PeakRSS = err == nil, time.Since(begin).Seconds(), mapped.PeakRSS()
		switch {
		case errors.Is(err, console.ErrInterrupted):
			return err
		case err != nil:
			v.Error = err.Error()
		}
		return errors.Join(err, console.Answer(cmd, v, func(w io.Writer) error {
			if v.OK {
				fmt.Fprintf(w, "%s: %s: %s bytes, %s states, %.2f s.\n", printable.Line(v.File), good, amount.Comma(v.Bytes), amount.Comma(v.States), v.Seconds)
			}
			return nil
		}))
	}
	return cmd
}
