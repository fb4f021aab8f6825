package slide

import (
	"io"
	"slices"

	"github.com/spf13/cobra"

	"pagoda/internal/console"
	"pagoda/internal/lists"
	"pagoda/internal/suggest"
	"pagoda/puzzle"
	"pagoda/puzzle/slide/formats"
)

// formatNames are what --as takes.
func formatNames() []string {
	return lists.Map(formats.All(), func(f formats.Format) string { return f.Name })
}

func puzzleCommand(families *puzzle.Set) *cobra.Command {
	var as string
	cmd := &cobra.Command{
		Use:   "puzzle PUZZLE",
		Short: "Print a sliding-block puzzle, or convert it",
		Long: `puzzle prints a sliding-block puzzle as a text that reach solve reads. Use it to see a
puzzle, to start one of your own, or to convert one to another format.

The formats:

  text       the format of this program, which can express every puzzle
  rushhour   36 characters: a Rush Hour of 6 x 6 where car A goes to the right edge
  knuth      the input of D. E. Knuth's program SLIDING, with all pieces in the goal
  jimslide   the configuration of J. Leonard's programs JimSlide and js2
  hrd        nine hexadecimal digits: a Klotski of 4 x 5 for dnomd343's programs

A puzzle is a name of the library, an n-puzzle such as slide/n3x4, a text file in any of these
formats, or - for such a text on stdin. A text may also be a line of the Rush Hour database, a
Rush Hour board of 25 or 49 characters or in lines, a level of GNOME Klotski, a level of
jeantimex/klotski in JSON, a list of pieces in JSON or YAML, or the numbers of an n-puzzle,
row by row, with 0 for the empty cell and perhaps goal: spiral behind them. A puzzle in one
line, except a tray without a goal, can also be the argument: 1A9BF0C00.
docs/reference/texts.md describes all texts; stderr says how one was read. It is an error if
the format cannot express the puzzle; only comments, such as title and author, are left out.`,
		Example: `  reach puzzle slide/klotski > my-puzzle.txt
  reach puzzle slide/rushhour --as rushhour
  echo BCDDE.BCF.EGB.FAAGHHHI.G..JIKKLLJMM. | reach puzzle -`,
		Args:              console.Args(1, 1, "one puzzle"),
		ValidArgsFunction: completePuzzles(),
		RunE: func(cmd *cobra.Command, args []string) error {
			i := slices.Index(formatNames(), as)
			p, _, err := openPuzzle(cmd, families, args[0])
			if err != nil {
				return err
			}
			text, err := formats.All()[i].Write(p)
			if err != nil {
				return console.Usagef("%s cannot be written as %s: %w", args[0], as, err)
			}
			_, err = io.WriteString(cmd.OutOrStdout(), text)
			return err
		},
	}
	console.OneOf(cmd, &as, "as", "text", formatNames(), "the format to write: "+suggest.Either(formatNames()))
	return cmd
}
