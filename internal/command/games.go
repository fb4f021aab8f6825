package command

import (
	"github.com/spf13/cobra"

	"pagoda/internal/cli"
)

func (p *program) games() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "games FILE",
		Short: "Count all games, from the start to a dead end",
		Long: `games counts all games, exactly: the sequences of moves that lead from the start to a dead
end, a state without a move. It shows how many end in each layer: with one peg, for example.
The moves of the puzzle must lose something, so that each game ends.

It needs 8 bytes for each state of the file up to symmetry, and 8 to 24 more for those of
two layers, within --mem.`,
		Args: cli.Args(1, 1, "one file"),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	job := NewJob(cmd, cli.OfFile)
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
		g, err := f.Games(cmd.Context(), o)
		if err != nil {
			return err
		}
		if asJSON {
			return cli.WriteJSON(cmd.OutOrStdout(), g)
		}
		return g.WriteText(cmd.OutOrStdout())
	}
	return cmd
}
