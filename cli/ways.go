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
	cmd := &cobra.Command{
		Use:   "ways FILE [PATTERN]",
		Short: "Count the paths from the start, and all games",
		Long: `ways counts the sequences of moves from the start, exactly. The moves of the puzzle must lose
something, so that each sequence ends.

It shows for each layer how many sequences lead to its states, and how many of them are games:
they end there, in a dead end, a state without a move. With a pattern it prints instead how
many sequences lead to it, or to each member that agrees with it, where ? is an open cell; with
--layer, to each member of some layers. All are counted in one pass.

It takes about 8 bytes for each state of the layers, or blocks, that are counted at a time, up
to symmetry; more if the numbers are longer.`,
		Args: console.Args(1, 2, "a file and perhaps a pattern"),
	}
	layers := LayerFlag(cmd, p.Families)
	console.JSON(cmd, "one JSON object, or one for each member")
	job := NewJob(cmd, console.OfFile)
	cmd.RunE = p.asking(func(cmd *cobra.Command, f *ask.File, args []string) error {
		if len(args) == 0 && *layers == cells.AllLayers {
			w, err := f.Ways(cmd.Context(), job.Options())
			if err != nil {
				return err
			}
			return console.Answer(cmd, w, w.WriteText)
		}
		c := ask.Pick{Layers: layers, Options: job.Options()}
		if len(args) == 1 {
			c.Pattern = args[0]
			// Only a text without open cells has a state.
			if r, err := f.Has(args[0]); err == nil && !r.Reachable {
				return unreached(cmd, r)
			}
		}
		all, err := f.WaysTo(cmd.Context(), c)
		if err != nil {
			return err
		}
		if len(all) == 0 {
			return none(cmd, f, c)
		}
		w := bufio.NewWriter(cmd.OutOrStdout())
		for _, m := range all {
			if console.AsJSON(cmd) {
				err = console.WriteJSON(w, m)
			} else {
				_, err = fmt.Fprintf(w, "%s  %d\n", m.Pattern, m.Paths)
			}
			if err != nil {
				return err
			}
		}
		return w.Flush()
	})
	return cmd
}
