package main

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/internal/cli"
	"pagoda/statespace/catalog"
	"pagoda/statespace/slide"
)

// formatNames are what --as takes.
func formatNames() []string {
	var names []string
	for _, f := range slide.Formats() {
		names = append(names, f.Name)
	}
	return names
}

func puzzleCommand() *cobra.Command {
	var as string
	cmd := &cobra.Command{
		Use:   "puzzle PUZZLE",
		Short: "Print a sliding-block puzzle, or convert it",
		Long: `puzzle prints a sliding-block puzzle as a text that reach solve reads: to see what it
is, to begin one of your own with it, or to bring it into another format:

  text       the format of this program, which says all there is to say
  rushhour   36 characters: a Rush Hour of 6 x 6 where car A goes to the right edge
  knuth      the input of D. E. Knuth's program SLIDING, with all pieces in the goal

A puzzle is a name of the library, a text file in any of these formats, or - for such a
text on stdin. What the format cannot say is an error; only the rows of comment, such as
title and author, are left out.`,
		Example: `  reach puzzle slide/klotski > my-puzzle.txt
  reach puzzle slide/rushhour --as rushhour
  echo BCDDE.BCF.EGB.FAAGHHHI.G..JIKKLLJMM. | reach puzzle -`,
		Args:              cli.Args(1, 1, "one puzzle"),
		ValidArgsFunction: completePuzzles,
		RunE: func(cmd *cobra.Command, args []string) error {
			i := slices.Index(formatNames(), as)
			if i < 0 {
				return cli.Usagef("--as: unknown format %.40q: expected %s", as, strings.Join(formatNames(), ", "))
			}
			p, err := catalog.Puzzle(args[0], cmd.InOrStdin())
			if err != nil {
				return cli.UsageError(err)
			}
			text, err := slide.Formats()[i].Write(p)
			if err != nil {
				return cli.Usagef("%s cannot be written as %s: %w", args[0], as, err)
			}
			_, err = io.WriteString(cmd.OutOrStdout(), text)
			return err
		},
	}
	cmd.Flags().StringVar(&as, "as", "text", "format: "+strings.Join(formatNames(), ", "))
	if err := cmd.RegisterFlagCompletionFunc("as", cobra.FixedCompletions(formatNames(), cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag is there
	}
	return cmd
}
