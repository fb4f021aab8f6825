package tiles

import (
	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/cli"
	"pagoda/cli/tiles/play"
	"pagoda/internal/console"
	"pagoda/puzzle"
	"pagoda/puzzle/tiles/player"
)

// fileCommands returns the commands that ask files.
func fileCommands(families *puzzle.Set) []*cobra.Command {
	var seed uint64
	var hints bool
	cmd := &cobra.Command{
		Use:   "play FILE",
		Short: "Play 2048 or Threes in the terminal, with the cost of each mistake",
		Long: `play lets you play the game of a file in the terminal. After each slide it says what that has
cost, compared with the best one, for each objective of the file. Arrow keys, wasd or hjkl
slide, ? shows what all slides are worth, u takes one back, n begins another game, q ends.

Without a terminal, play reads words from stdin: up, down, left, right, undo, hint, new, quit.
A seed always brings the same tiles after the same slides.`,
		Example: `  query play 2048-2x3.reach
  query play threes-2x2.reach --hints --seed 7`,
		Args: console.Args(1, 1, "a file"),
	}
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of the random numbers: the same one gives the same result")
	cmd.Flags().BoolVar(&hints, "hints", false, "show what all slides are worth from the beginning")
	cli.OpenFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		f, err := cli.Open(cmd, families, args[0])
		if err != nil {
			return err
		}
		defer f.Close()
		exact := f.Space().Parts().Chance
		g, ok := player.Of(exact)
		if !ok {
			return ask.Questionf("%s is of %s: play is for 2048 and Threes", f.Path(), f.Space().Name())
		}
		solution, err := f.Solved()
		if err != nil {
			return err
		}
		return play.Run(cmd, g, play.Options{Seed: seed, Solution: solution, Hints: hints})
	}
	return []*cobra.Command{cmd}
}
