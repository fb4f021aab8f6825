package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"pagoda/bitset"
	"pagoda/internal/cli"
	"pagoda/layers"
	"pagoda/statespace"
)

// stores are those that a file of states can have.
var stores = []string{layers.SetStore, layers.BackptrStore}

func storeFlag(cmd *cobra.Command, store *string) {
	cmd.Flags().StringVar(store, "store", layers.SetStore, "how the file keeps the states: set, a bit for each number; or backptr, which move led there")
	if err := cmd.RegisterFlagCompletionFunc("store", cobra.FixedCompletions(stores, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // there is no such flag
	}
}

// checkStore refuses a store that is not known, or that the space does not have.
func checkStore(sp statespace.Space, store string) error {
	if !slices.Contains(stores, store) {
		return cli.Usagef("--store is %.40q, expected %s", store, strings.Join(stores, " or "))
	}
	if _, ok := sp.(statespace.Pointed); !ok && store == layers.BackptrStore {
		return cli.Usagef("%s has no pointers to the move before: its store is %s", sp.Name(), layers.SetStore)
	}
	return nil
}

// storeMemory returns how many bytes it takes to make a store, besides the set.
func storeMemory(sp statespace.Space, store string) uint64 {
	if p, ok := sp.(statespace.Pointed); ok && store == layers.BackptrStore {
		return 8 * bitset.PlaneWords(sp.Size(), p.PointerBits())
	}
	return 0
}

// createFile begins a file of a store.
func createFile(path string, sp statespace.Space, store string, overwrite bool) (*layers.Writer, error) {
	if store == layers.BackptrStore {
		return layers.CreatePointers(path, sp.Size(), sp.(statespace.Pointed).PointerBits(), overwrite)
	}
	return layers.Create(path, sp.Size(), overwrite)
}

// finishFile writes a set of states in a store. It returns the size of the file.
func finishFile(ctx context.Context, stderr io.Writer, w *layers.Writer, sp statespace.Space, set *bitset.Set, meta *layers.Meta, threads int, quiet bool) (int64, error) {
	if meta.Store != layers.BackptrStore {
		return w.Finish(ctx, set, meta)
	}
	p := sp.(statespace.Pointed)
	meta.PointerBits = p.PointerBits()
	pointers, free, err := cli.NewPlanes(ctx, sp.Size(), p.PointerBits(), threads)
	if err != nil {
		return 0, err
	}
	defer free()
	var progress statespace.Progress
	if !quiet {
		defer cli.Progress(stderr, "pointers", sp.Size(), "numbers", progress.Read)()
	}
	if err := statespace.Point(ctx, p, set, pointers, threads, &progress); err != nil {
		return 0, err
	}
	return w.FinishPointers(ctx, pointers, meta)
}

func convertCommand() *cobra.Command {
	var output, store string
	var force, quiet bool
	var mem cli.Memory
	cmd := &cobra.Command{
		Use:   "convert FILE -o OUT",
		Short: "Write the states of a file in another store",
		Long: `convert writes a file with the same states in another store. All questions have the
same answers from every store:

  set      a bit for each number
  backptr  which move led to each state, in as many bits as that takes: 6 on 5x7.
           query path follows these pointers.`,
		Example: "  reach convert peg-5x7.reach --store backptr -o peg-5x7.pointers.reach",
		Args:    cli.Args(1, 1, "one file"),
	}
	flags := cmd.Flags()
	flags.StringVarP(&output, "output", "o", "", "the file to write")
	flags.BoolVar(&force, "force", false, "overwrite the file if there is one")
	flags.BoolVar(&quiet, "quiet", false, "no progress on stderr")
	storeFlag(cmd, &store)
	mem.Flag(cmd)
	threads := cli.Threads(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := cli.CheckThreads(*threads); err != nil {
			return err
		}
		if output == "" || output == "-" {
			return cli.Usagef("name the file to write with -o: it is binary and is put in place as a whole")
		}
		ctx, stderr := cmd.Context(), cmd.ErrOrStderr()
		f, sp, err := cli.OpenFile(args[0])
		if err != nil {
			return err
		}
		defer f.Close()
		if err := checkStore(sp, store); err != nil {
			return err
		}
		need := storeMemory(sp, store) + 8*bitset.Words(sp.Size())
		if need > mem.Limit() {
			return cli.Usagef("%s takes %s of memory to make; --mem allows %s", output, humanize.IBytes(need), humanize.IBytes(mem.Limit()))
		}
		if err := cli.CheckFile(ctx, f, *threads, quiet, stderr); err != nil {
			return err
		}
		set, free, err := cli.LoadSet(ctx, f, *threads)
		if err != nil {
			return err
		}
		defer free()
		w, err := createFile(output, sp, store, force)
		if errors.Is(err, layers.ErrExists) {
			err = fmt.Errorf("%w; --force overwrites it", err)
		}
		if err != nil {
			return err
		}
		defer w.Abort()
		meta := *f.Meta()
		meta.Store, meta.PointerBits = store, 0
		_, err = finishFile(ctx, stderr, w, sp, set, &meta, *threads, quiet)
		return err
	}
	return cmd
}
