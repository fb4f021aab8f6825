package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"reflect"
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
A folded file is proved as it is, and so are its layers up to symmetry.
Of sliding blocks, it searches again in the plain way, and compares all distances.
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

// wrongFile says what is wrong with the states of a file.
func wrongFile(f *layers.File, detail string) error {
	return &layers.FileError{Path: f.Path(), Err: layers.ErrDamaged, Detail: detail, Advice: "make it again with reach run"}
}

// proveDistances proves that the states of a file are what can be reached, and that their
// distances are right if it has any, by the plain search.
func proveDistances(ctx context.Context, f *layers.File, sp statespace.Reversible, threads int, progress *statespace.Progress) error {
	distances, free, err := cli.NewDistances(ctx, sp, threads)
	if err != nil {
		return err
	}
	defer free()
	found, err := statespace.FindDistances(ctx, sp, statespace.PlainEngine, distances, threads, progress)
	if err != nil {
		return err
	}
	set, freeSet, err := layers.LoadSet(ctx, f.Members(), threads)
	if err != nil {
		return err
	}
	defer freeSet()
	for i, word := range set.Words() {
		if diff := word ^ distances.NotZero(uint64(i)); diff != 0 {
			x := 64*uint64(i) + uint64(bits.TrailingZeros64(diff))
			what := "can be reached, and is no member"
			if word&diff&-diff != 0 {
				what = "is a member that cannot be reached"
			}
			return wrongFile(f, fmt.Sprintf("its states are not what can be reached: number %d, %s, %s", x, sp.Format(x), what))
		}
	}
	if told := f.Distances(); told != nil {
		for i, word := range told.Words() {
			if diff := word ^ distances.Words()[i]; diff != 0 {
				x := uint64(i)/statespace.DistanceBits*64 + uint64(bits.TrailingZeros64(diff))
				return wrongFile(f, fmt.Sprintf("its distances are wrong: that of number %d, %s, should have the mark %d, and has %d", x, sp.Format(x), distances.Get(x), told.Get(x)))
			}
		}
	}
	want, said := describeDistances(sp, found), f.Meta()
	if want.Layer != said.Layer || !slices.Equal(want.Layers, said.Layers) {
		return wrongFile(f, fmt.Sprintf("its layers should be by %s, %v, and it says %s, %v", want.Layer, want.Layers, said.Layer, said.Layers))
	}
	if !reflect.DeepEqual(want.Goal, said.Goal) {
		return wrongFile(f, "what it says of the nearest goals is not so")
	}
	return nil
}

// proveFile proves that the set of a file is what can be reached.
func proveFile(ctx context.Context, f *layers.File, sp statespace.Space, threads int, progress *statespace.Progress) error {
	if r, ok := sp.(statespace.Reversible); ok {
		return proveDistances(ctx, f, r, threads, progress)
	}
	layered, ok := sp.(statespace.Layered)
	if !ok {
		return cli.Usagef("%s may have cycles: its states cannot be proved in this way", sp.Name())
	}
	if folded, ok := f.Folded(); ok {
		faults, err := statespace.VerifyFolded(ctx, layered, folded, threads, progress)
		if err = cmp.Or(err, faultsError(f, sp, faults)); err != nil {
			return err
		}
		counts, err := statespace.CountFolded(ctx, sp, folded, threads)
		if err = cmp.Or(err, countsError(f, sp, counts)); err != nil {
			return err
		}
		return f.Prove(ctx, nil, threads)
	}
	set, free, err := layers.LoadSet(ctx, f.Members(), threads)
	if err != nil {
		return err
	}
	defer free()
	faults, err := statespace.Verify(ctx, layered, set, threads, progress)
	if err = cmp.Or(err, faultsError(f, sp, faults)); err != nil {
		return err
	}
	counts, err := statespace.CountLayers(ctx, sp, set, threads)
	if err = cmp.Or(err, countsError(f, sp, counts)); err != nil {
		return err
	}
	return f.Prove(ctx, set, threads)
}

// faultsError returns an error if there are faults.
func faultsError(f *layers.File, sp statespace.Space, faults statespace.Faults) error {
	if faults.Count == 0 {
		return nil
	}
	at := fmt.Sprintf("number %d", faults.First.State)
	if faults.First.State < sp.Size() {
		at += ", " + sp.Format(faults.First.State) + ","
	}
	return wrongFile(f, fmt.Sprintf("its states are not what can be reached: %s %v; %d states are at fault", at, faults.First.Kind, faults.Count))
}

// countsError returns an error if a file tells of other layers than were counted. It need
// not tell how many states they have up to symmetry.
func countsError(f *layers.File, sp statespace.Space, counts []statespace.Layer) error {
	found, told := describe(sp, counts).Layers, f.Meta().Layers
	if slices.Equal(told, layers.WithoutOrbits(told)) {
		found = layers.WithoutOrbits(found)
	}
	if !slices.Equal(found, told) {
		return wrongFile(f, fmt.Sprintf("its layers should be %v, it says %v", found, told))
	}
	return nil
}
