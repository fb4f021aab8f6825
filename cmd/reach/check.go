package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"pagoda/internal/cli"
	"pagoda/internal/mapped"
	"pagoda/layers"
	"pagoda/statespace"
)

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

func checkCommand() *cobra.Command {
	return verdictCommand(&cobra.Command{
		Use:   "check FILE",
		Short: "Check every byte of a file against its checksums",
		Long: `check reads a file and compares it with the checksums in it. It finds files that are
cut short or changed in any byte. Whether the states are right is for verify.`,
	}, "all bytes are as they were written", nil)
}

func verifyCommand() *cobra.Command {
	return verdictCommand(&cobra.Command{
		Use:   "verify FILE",
		Short: "Prove that a file holds exactly what can be reached",
		Long: `verify checks a file as check does, then proves that its states are right: the start
is a member, successors of members are members, every other member has a
predecessor that is a member, and the layers have the sizes that the file tells.
The proof shares nothing with the engines but the numbering.`,
	}, "proved: exactly the states that can be reached", proveFile)
}

// verdictCommand completes a command that checks a file, and then does more.
func verdictCommand(cmd *cobra.Command, good string, more func(context.Context, *layers.File, statespace.Space, int, *statespace.Progress) error) *cobra.Command {
	var asJSON, quiet bool
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	cmd.Flags().BoolVar(&quiet, "quiet", false, "no progress on stderr")
	threads := cli.Threads(cmd)
	cmd.Args = cli.Args(1, 1, "one file")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := cli.CheckThreads(*threads); err != nil {
			return err
		}
		begin := time.Now()
		v := verdict{File: args[0], Threads: *threads}
		err := func() error {
			open := cli.OpenFile
			if more == nil {
				open = cli.OpenAny
			}
			f, sp, err := open(args[0])
			if err != nil {
				return err
			}
			defer f.Close()
			v.Bytes, v.States = f.Size(), f.Meta().States
			if err := cli.CheckFile(cmd.Context(), f, *threads, quiet, cmd.ErrOrStderr()); err != nil || more == nil {
				return err
			}
			var progress statespace.Progress
			if !quiet {
				defer cli.Progress(cmd.ErrOrStderr(), "verifying", sp.Size(), "numbers", progress.Read)()
			}
			return more(cmd.Context(), f, sp, *threads, &progress)
		}()
		v.OK, v.Seconds, v.PeakRSS = err == nil, time.Since(begin).Seconds(), mapped.PeakRSS()
		if errors.Is(err, cli.ErrInterrupted) {
			return err
		}
		if asJSON {
			if err != nil {
				v.Error = err.Error()
			}
			return errors.Join(err, cli.WriteJSON(cmd.OutOrStdout(), v))
		}
		if err == nil {
			err = v.write(cmd.OutOrStdout(), good)
		}
		return err
	}
	return cmd
}

func (v *verdict) write(w io.Writer, good string) error {
	_, err := fmt.Fprintf(w, "%s: %s: %s bytes, %s states, %.2f s.\n", v.File, good, cli.Comma(v.Bytes), cli.Comma(v.States), v.Seconds)
	return err
}

// proveFile proves that the set of a file is what can be reached.
func proveFile(ctx context.Context, f *layers.File, sp statespace.Space, threads int, progress *statespace.Progress) error {
	layered, ok := sp.(statespace.Layered)
	if !ok {
		return cli.Usagef("%s may have cycles: its states cannot be proved in this way", sp.Name())
	}
	set, free, err := layers.LoadSet(ctx, f.Members(), threads)
	if err != nil {
		return err
	}
	defer free()
	faults, err := statespace.Verify(ctx, layered, set, threads, progress)
	if err != nil {
		return err
	}
	wrong := func(detail string) error {
		return &layers.FileError{Path: f.Path(), Err: layers.ErrDamaged, Detail: detail, Advice: "make it again with reach run"}
	}
	if faults.Count > 0 {
		at := fmt.Sprintf("number %d", faults.First.State)
		if faults.First.State < sp.Size() {
			at += ", " + sp.Format(faults.First.State) + ","
		}
		return wrong(fmt.Sprintf("its states are not what can be reached: %s %v; %d states are at fault", at, faults.First.Kind, faults.Count))
	}
	counts, err := statespace.CountLayers(ctx, sp, set, threads)
	if err != nil {
		return err
	}
	if found := describe(sp, counts).Layers; !slices.Equal(found, f.Meta().Layers) {
		return wrong(fmt.Sprintf("its layers should be %v, it says %v", found, f.Meta().Layers))
	}
	return f.Prove(ctx, set, threads)
}
