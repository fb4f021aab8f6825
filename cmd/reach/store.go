package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"pagoda/bitset"
	"pagoda/internal/cli"
	"pagoda/layers"
	"pagoda/statespace"
)

// storeFlags are the flags --store and --numbering.
type storeFlags struct{ store, numbering string }

// The values of --numbering.
const (
	classNumbering = "class"
	rawNumbering   = "raw"
)

func (f *storeFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.store, "store", "", "how the file keeps the states: "+strings.Join(storeNames(), ", ")+" (default: "+layers.Mod3Store+" of sliding blocks, "+layers.FoldedStore+" of boards that are swept, else "+layers.SetStore+")")
	cmd.Flags().StringVar(&f.numbering, "numbering", classNumbering, "what has an entry in the store backptr: "+classNumbering+", the numbers of the space; or "+rawNumbering+", all patterns of the board")
	for flag, values := range map[string][]string{"store": storeNames(), "numbering": {classNumbering, rawNumbering}} {
		if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
			panic(err) // there is no such flag
		}
	}
}

// storeNames lists the stores that --store takes.
func storeNames() (names []string) {
	for _, s := range layers.Stores {
		if s.Name != layers.RawBackptrStore {
			names = append(names, s.Name)
		}
	}
	return names
}

// find returns the store that was asked for, if the space can have it.
func (f *storeFlags) find(sp statespace.Space) (layers.Store, error) {
	name := cmp.Or(f.store, bestStore(sp))
	switch {
	case f.numbering != classNumbering && f.numbering != rawNumbering:
		return layers.Store{}, cli.Usagef("--numbering is %.40q, expected %s or %s", f.numbering, classNumbering, rawNumbering)
	case f.numbering == rawNumbering && name != layers.BackptrStore:
		return layers.Store{}, cli.Usagef("--numbering %s is for --store %s", rawNumbering, layers.BackptrStore)
	case f.numbering == rawNumbering:
		name = layers.RawBackptrStore
	}
	store, err := layers.FindStore(name)
	if err != nil || f.store == layers.RawBackptrStore {
		return store, cli.Usagef("--store is %.40q, expected %s", f.store, strings.Join(storeNames(), ", "))
	}
	return store, cli.UsageError(store.Fits(sp))
}

// bestStore returns the store of a space that is taken if none is asked for: all questions
// are answered from it.
func bestStore(sp statespace.Space) string {
	switch sp := sp.(type) {
	case statespace.Reversible:
		return layers.Mod3Store
	case statespace.Streamer:
		if sp.BlockBits() > 0 {
			return layers.FoldedStore
		}
	}
	return layers.SetStore
}

// setFileSize returns the size of a file of the store set.
func setFileSize(sp statespace.Space) uint64 {
	set, err := layers.FindStore(layers.SetStore)
	if err != nil {
		panic(err) // there is always one
	}
	return set.FileSize(sp)
}

// finishFile writes the states of a space in the store that meta names. It returns the
// size of the file.
func finishFile(ctx context.Context, stderr io.Writer, w *layers.Writer, sp statespace.Space, members bitset.Reader, meta *layers.Meta, threads int, quiet bool) (int64, error) {
	making := layers.Making{Threads: threads, Progress: new(statespace.Progress)}
	if !quiet {
		defer cli.Progress(stderr, "writing "+meta.Store, sp.Size(), "numbers", making.Progress.Read)()
	}
	return w.Finish(ctx, sp, members, meta, making)
}

// A conversion writes the states of a file in another store.
type conversion struct {
	output       string
	force, quiet bool
	mem          cli.Memory
	threads      *int
}

func (c *conversion) flags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVarP(&c.output, "output", "o", "", "the file to write")
	flags.BoolVar(&c.force, "force", false, "overwrite the file if there is one")
	flags.BoolVar(&c.quiet, "quiet", false, "no progress on stderr")
	c.mem.Flag(cmd)
	c.threads = cli.Threads(cmd)
}

func convertCommand() *cobra.Command {
	var c conversion
	var stores storeFlags
	var about strings.Builder
	for _, s := range layers.Stores {
		if s.Name != layers.RawBackptrStore {
			fmt.Fprintf(&about, "  %-12s %s\n", s.Name, s.About)
		}
	}
	cmd := &cobra.Command{
		Use:   "convert FILE -o OUT",
		Short: "Write the states of a file in another store",
		Long: `convert writes a file with the same states in another store. All questions have the
same answers from every store:

` + about.String(),
		Example: `  reach convert peg-5x7.reach --store trie -o peg-5x7.trie.reach
  reach convert peg-5x7.reach --store backptr --numbering raw -o paper.reach`,
		Args: cli.Args(1, 1, "one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.run(cmd, args[0], func(f *layers.File) (layers.Store, error) { return stores.find(f.Space()) })
		},
	}
	c.flags(cmd)
	stores.add(cmd)
	return cmd
}

func packCommand() *cobra.Command {
	var c conversion
	cmd := &cobra.Command{
		Use:   "pack FILE",
		Short: "Make a file small, to share or to keep",
		Long: `pack writes a small file with the same states: folded by the symmetries of the start
and compressed; of a trie, the trie compressed. query answers from it as it is, and
reach unpack writes the set or trie again.`,
		Example: "  reach pack peg-5x7.reach        # makes peg-5x7" + layers.PackedEnding,
		Args:    cli.Args(1, 1, "one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.between(cmd, args[0], layers.PackedEnding, func(f *layers.File) (layers.Store, error) {
				switch f.Meta().Store {
				case layers.TrieStore:
					return layers.FindStore(layers.PackedTrieStore)
				case layers.PackedStore, layers.PackedTrieStore:
					return layers.Store{}, cli.Usagef("%s is packed already: its store is %s", f.Path(), f.Meta().Store)
				}
				return layers.FindStore(layers.PackedStore)
			})
		},
	}
	c.flags(cmd)
	return cmd
}

func unpackCommand() *cobra.Command {
	var c conversion
	cmd := &cobra.Command{
		Use:     "unpack FILE",
		Short:   "Write a packed file as what it was",
		Long:    `unpack writes the set of a file that reach pack has made; of a packed trie, the trie.`,
		Example: "  reach unpack peg-5x7" + layers.PackedEnding,
		Args:    cli.Args(1, 1, "one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.between(cmd, args[0], layers.Ending, func(f *layers.File) (layers.Store, error) {
				switch f.Meta().Store {
				case layers.PackedStore:
					return layers.FindStore(layers.SetStore)
				case layers.PackedTrieStore:
					return layers.FindStore(layers.TrieStore)
				}
				return layers.Store{}, cli.Usagef("%s is not packed: its store is %s", f.Path(), f.Meta().Store)
			})
		},
	}
	c.flags(cmd)
	return cmd
}

// between is run with an output that is named after the file unless it is given.
func (c *conversion) between(cmd *cobra.Command, path, ending string, find func(*layers.File) (layers.Store, error)) error {
	if cmd.Flags().Changed("output") {
		return c.run(cmd, path, find)
	}
	c.output = strings.TrimSuffix(strings.TrimSuffix(path, layers.Ending), layers.PackedEnding) + ending
	return c.run(cmd, path, func(f *layers.File) (layers.Store, error) {
		store, err := find(f)
		if err == nil && c.output == path {
			err = cli.Usagef("name the file to write with -o: it would be %s itself", path)
		}
		return store, err
	})
}

// run converts a file.
func (c *conversion) run(cmd *cobra.Command, path string, find func(*layers.File) (layers.Store, error)) error {
	if err := cli.CheckThreads(*c.threads); err != nil {
		return err
	}
	if c.output == "" || c.output == "-" {
		return cli.Usagef("name the file to write with -o: it is binary and is put in place as a whole")
	}
	ctx, stderr := cmd.Context(), cmd.ErrOrStderr()
	f, sp, err := cli.OpenFile(path)
	if err != nil {
		return err
	}
	defer f.Close()
	store, err := find(f)
	if err != nil {
		return err
	}
	if need := store.MemoryFrom(f); need > c.mem.Limit() {
		return cli.Usagef("%s takes about %s of memory to make; --mem allows %s", c.output, cli.Enough(need), humanize.IBytes(c.mem.Limit()))
	}
	if err := cli.CheckFile(ctx, f, *c.threads, c.quiet, stderr); err != nil {
		return err
	}
	w, err := layers.Create(c.output, store.FileSize(sp), c.force)
	if errors.Is(err, layers.ErrExists) {
		err = fmt.Errorf("%w; --force overwrites it", err)
	}
	if err != nil {
		return err
	}
	defer w.Abort()
	meta := &layers.Meta{Space: f.Meta().Space, Store: store.Name, Size: f.Meta().Size, States: f.Meta().States, Layer: f.Meta().Layer, Layers: f.Meta().Layers, Goal: f.Meta().Goal}
	_, err = finishFile(ctx, stderr, w, sp, f.Members(), meta, *c.threads, c.quiet)
	return err
}
