// Package slide is the commands of sliding blocks: single puzzles and decks, diameters, the hardest puzzles,
// and the designer and judge.
package slide

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/cli"
	"pagoda/internal/console"
	"pagoda/puzzle"
	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/formats"
	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/slide/tray"
	"pagoda/run"
	"pagoda/statespace"
)

// Commands returns what sliding blocks bring to the command lines.
func Commands() cli.Commands {
	return cli.Commands{
		Family:  slide.FamilyName,
		Solving: solving(),
		Dealing: dealing(),
		Reach: func(families *puzzle.Set) []*cobra.Command {
			return []*cobra.Command{puzzleCommand(families), diameterCommand(families), hardestCommand(families), bbCommand(families), findCommand(), judgeCommand(), designCommand()}
		},
	}
}

// otherFamily returns the family of a text that draws a puzzle of another one, or nil.
func otherFamily(ctx context.Context, families *puzzle.Set, text string) *puzzle.Family {
	f := families.Reader(text)
	if f == nil || f.Name == slide.FamilyName {
		return nil
	}
	if _, err := f.Read(ctx, "", text, puzzle.Choice{}); err != nil {
		return nil
	}
	return f
}

// openPuzzle returns the puzzle that an argument names, and a name for messages: one of the
// library, or of a text file, or - for a text on stdin.
func openPuzzle(cmd *cobra.Command, families *puzzle.Set, arg string) (p *tray.Puzzle, name string, err error) {
	p, err = slide.Named(arg)
	if !errors.Is(err, statespace.ErrUnknown) {
		return p, arg, console.UsageError(err)
	}
	name, text, err := puzzle.ReadText(arg, cmd.InOrStdin())
	switch {
	case puzzle.NoFile(arg, err):
		return openBare(cmd, families, arg)
	case err != nil:
		return nil, "", console.UsageError(err)
	}
	if p, err = formats.Parse(text); err != nil {
		if f := otherFamily(cmd.Context(), families, text); f != nil {
			return nil, "", console.Usagef("%s draws no sliding-block puzzle: it is of the family %s (%s)", name, f.Name, f.About)
		}
	}
	return p, name, console.UsageError(puzzle.InFile(name, err))
}

// openBare returns the puzzle of a name that is neither one of the library nor that of a file: one
// of the library without the family.
func openBare(cmd *cobra.Command, families *puzzle.Set, arg string) (*tray.Puzzle, string, error) {
	full := library.Prefix + strings.TrimPrefix(arg, library.Prefix)
	p, err := slide.Named(full)
	if !errors.Is(err, statespace.ErrUnknown) {
		return p, full, console.UsageError(err)
	}
	if base, metric, given := strings.Cut(full, "@"); given {
		if _, err := slide.Named(base); err == nil {
			return nil, "", console.Usagef("%w %.100q: give the metric with --metric %s", statespace.ErrUnknown, arg, metric)
		}
	}
	choice := puzzle.Choice{Memory: run.MemoryLimit(0)}
	for _, f := range families.All() {
		_, err := f.Lookup(cmd.Context(), f.Name+"/"+arg, choice)
		if f.Name != slide.FamilyName && (strings.HasPrefix(arg, f.Name+"/") || !errors.Is(err, statespace.ErrUnknown)) {
			return nil, "", console.Usagef("%.100q is of the family %s (%s): expected a sliding-block puzzle", arg, f.Name, f.About)
		}
	}
	err = unknownPuzzle(arg)
	if meant := puzzle.NewSet(families.Named(slide.FamilyName)).Suggest(cmd.Context(), arg, choice.Memory); meant != "" {
		err = fmt.Errorf("%w %.100q%s", statespace.ErrUnknown, arg, meant)
	}
	return nil, "", console.UsageError(console.Advised(err, "`"+cmd.Root().Name()+" spaces` lists all"))
}

// unknownPuzzle is the error of a name that is nothing.
func unknownPuzzle(name string) error {
	return fmt.Errorf("%w %.100q: it is neither in the library nor a file that draws a tray", statespace.ErrUnknown, name)
}
