package cli

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/internal/console"
	"pagoda/internal/table"
	"pagoda/layers"
	"pagoda/run"
)

// A conversion writes the states of a file in another store.
type conversion struct {
	output string
	force  bool
	job    *Job
}

func (c *conversion) flags(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&c.output, "output", "o", "", "the `FILE` to write")
	console.CompleteFlag(cmd, "output", cobra.ShellCompDirectiveFilterFileExt, "reach", "reachz")
	cmd.Flags().BoolVar(&c.force, "force", false, "overwrite the file if there is one")
	c.job = NewJob(cmd, console.OfFile)
}

func (p *Program) convert() *cobra.Command {
	var c conversion
	var stores storeFlags
	about := table.List(layers.Stores, func(s layers.Store) (name, about string) { return s.Name, s.About })
	cmd := &cobra.Command{
		Use:   "convert FILE -o OUT",
		Short: "Write the states of a file in another store",
		Long: `convert writes the states of a file in another store. Every store gives the same answers to
all questions; they differ in size and speed. docs/reference/stores.md compares them. A store
that does not fit the space is refused. A file in pieces is joined.

The stores:

` + about,
		Args: console.Args(1, 1, "one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			name, err := stores.name()
			if err != nil {
				return err
			}
			return c.run(cmd, p, args[0], func(f *ask.File) (layers.Store, error) {
				store, err := layers.FindStore(cmp.Or(name, run.BestStore(f.Space())))
				return store, console.UsageError(err)
			})
		},
	}
	c.flags(cmd)
	stores.add(cmd)
	return cmd
}

func (p *Program) pack() *cobra.Command {
	return p.packing("pack FILE", "Make a file small, to share or to keep", `pack writes a small file with the same states, FILE.reachz: one state of each symmetry orbit,
compressed, or the trie or the distances compressed as they are. query answers from it. unpack
writes the set, the trie or the distances again.`, layers.PackedEnding, func(f *ask.File) (layers.Store, error) {
		packed := f.Store().Packed
		if packed == "" && f.Store().Unpacked == "" {
			return layers.Store{}, console.Usagef("%s has the store %s, which is small as it is: share the file", f.Path(), f.Meta().Store)
		}
		if packed == "" {
			return layers.Store{}, console.Usagef("%s is packed already: its store is %s", f.Path(), f.Meta().Store)
		}
		return layers.FindStore(packed)
	})
}

func (p *Program) unpack() *cobra.Command {
	return p.packing("unpack FILE", "Undo pack: write the file that was packed", `unpack undoes pack: it writes FILE.reach with the set, the trie or the distances of a packed
file. Its bytes are those of the file that was packed, unless that had another store.`, layers.Ending, func(f *ask.File) (layers.Store, error) {
		unpacked := f.Store().Unpacked
		if unpacked == "" {
			return layers.Store{}, console.Usagef("%s is not packed: its store is %s", f.Path(), f.Meta().Store)
		}
		return layers.FindStore(unpacked)
	})
}

// packing returns a command that converts a file to a store that find chooses. Unless an output is given, it has
// the name of the file, with another ending.
func (p *Program) packing(use, short, long, ending string, find func(*ask.File) (layers.Store, error)) *cobra.Command {
	var c conversion
	cmd := &cobra.Command{
		Use:   use,
		Short: short,
		Long:  long,
		Args:  console.Args(1, 1, "one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("output") {
				return c.run(cmd, p, args[0], find)
			}
			c.output = strings.TrimSuffix(strings.TrimSuffix(args[0], layers.Ending), layers.PackedEnding) + ending
			return c.run(cmd, p, args[0], func(f *ask.File) (layers.Store, error) {
				store, err := find(f)
				if err == nil && c.output == args[0] {
					err = console.Usagef("name the file to write with -o: it would be %s itself", args[0])
				}
				return store, err
			})
		},
	}
	c.flags(cmd)
	return cmd
}

// run converts a file.
func (c *conversion) run(cmd *cobra.Command, p *Program, path string, find func(*ask.File) (layers.Store, error)) error {
	if c.output == "" || c.output == "-" {
		return console.Usagef("name the file to write with -o: it is binary and is put in place as a whole")
	}
	o := c.job.Options()
	o.Output, o.Overwrite = c.output, c.force
	f, err := p.open(cmd, path)
	if err != nil {
		return err
	}
	defer f.Close()
	store, err := find(f)
	if err != nil {
		return err
	}
	return run.Convert(cmd.Context(), f.File, store, o)
}
