package cli

import (
	"bufio"
	"fmt"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/internal/console"
	"pagoda/statespace/cells"
)

func (p *Program) ways() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "ways FILE [PATTERN]",
		Short: "Count the paths from the start, and all games",
		Long: `ways counts the sequences of moves from the start, exactly. The moves of the puzzle must
lose something, so that each sequence ends.

With a pattern it prints how many sequences lead to it, or to each member that agrees with
it; ? is an open cell, with anything in it. With --layer it prints that for the members of
some layers: with --pegs 1, for example. All are counted in one pass.

Otherwise it shows for each layer how many sequences lead to its states, and how many of
them are games: they end there, in a dead end, a state without a move.

It needs about 8 bytes for each state of the layers, or the blocks, that are counted at a
time, up to symmetry; more if the numbers are longer. The bound is --mem.`,
		Args: console.Args(1, 2, "a file and perhaps a pattern"),
	}
	layer := NewLayerFlag(cmd, p.Families)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object, or one for each member")
	job := NewJob(cmd, console.OfFile)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		o, err := job.Options()
		if err != nil {
			return err
		}
		f, err := p.open(cmd, args[0])
		if err != nil {
			return err
		}
		defer f.Close()
		if len(args) == 1 && layer.Range == cells.AllLayers {
			w, err := f.Ways(cmd.Context(), o)
			if err != nil {
				return err
			}
			if asJSON {
				return console.WriteJSON(cmd.OutOrStdout(), w)
			}
			return w.WriteText(cmd.OutOrStdout())
		}
		c := ask.Choice{Layers: &layer.Range, Options: o}
		if len(args) == 2 {
			c.Pattern = args[1]
			// Only a text without open cells has a state.
			if r, err := f.Has(args[1]); err == nil && !r.Reachable {
				return no(true, writeReach(cmd.OutOrStdout(), r, asJSON))
			}
		}
		all, err := f.WaysTo(cmd.Context(), c)
		if err != nil {
			return err
		}
		w := bufio.NewWriter(cmd.OutOrStdout())
		for _, m := range all {
			if asJSON {
				err = console.WriteJSON(w, m)
			} else {
				_, err = fmt.Fprintf(w, "%s  %d\n", m.Pattern, m.Paths)
			}
			if err != nil {
				return err
			}
		}
		if len(all) == 0 && !asJSON {
			fmt.Fprintln(w, f.None(c))
		}
		return no(len(all) == 0, w.Flush())
	}
	return cmd
}
