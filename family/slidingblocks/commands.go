//go:build !js

package slidingblocks

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/family"
	"pagoda/internal/cli"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/slide"
	"pagoda/statespace/slide/formats"
	"pagoda/statespace/slide/library"
	"pagoda/statespace/slide/tray"
)

// forCommands returns what the family contributes to commands.
func forCommands() family.Commands {
	return family.Commands{
		Solving: solving(),
		Dealing: dealing(),
		Reach: func(families *family.Set) []*cobra.Command {
			return []*cobra.Command{puzzleCommand(families), diameterCommand(families), hardestCommand(families), bbCommand(families), findCommand(), judgeCommand(), designCommand()}
		},
	}
}

// otherFamily returns the family of a text that draws a puzzle of another one, or nil.
func otherFamily(ctx context.Context, families *family.Set, text string) *family.Family {
	f := families.Reader(text)
	if f == nil || f.Name == slide.Family {
		return nil
	}
	if _, err := f.Read(ctx, "", text, family.Choice{}); err != nil {
		return nil
	}
	return f
}

// openPuzzle returns the puzzle that an argument names, and a name for messages: one of the
// library, or of a text file, or - for a text on stdin.
func openPuzzle(cmd *cobra.Command, families *family.Set, arg string) (p *tray.Puzzle, name string, err error) {
	p, err = named(arg)
	if !errors.Is(err, statespace.ErrUnknown) {
		return p, arg, cli.UsageError(err)
	}
	name, text, err := family.ReadText(arg, cmd.InOrStdin())
	switch {
	case family.NoFile(arg, err):
		return openBare(cmd, families, arg)
	case err != nil:
		return nil, "", cli.UsageError(err)
	}
	if p, err = formats.Parse(text); err != nil {
		if f := otherFamily(cmd.Context(), families, text); f != nil {
			return nil, "", cli.Usagef("%s draws no sliding-block puzzle: it is of the family %s (%s)", name, f.Name, f.About)
		}
	}
	return p, name, cli.UsageError(family.InFile(name, err))
}

// openBare returns the puzzle of a name that is neither one of the library nor that of a file: one
// of the library without the family.
func openBare(cmd *cobra.Command, families *family.Set, arg string) (*tray.Puzzle, string, error) {
	full := library.Prefix + strings.TrimPrefix(arg, library.Prefix)
	p, err := named(full)
	if !errors.Is(err, statespace.ErrUnknown) {
		return p, full, cli.UsageError(err)
	}
	if base, metric, given := strings.Cut(full, "@"); given {
		if _, err := named(base); err == nil {
			return nil, "", cli.Usagef("%w %.100q: give the metric with --metric %s", statespace.ErrUnknown, arg, metric)
		}
	}
	choice := family.Choice{Memory: run.MemoryLimit(0)}
	for _, f := range families.All() {
		_, err := f.Lookup(cmd.Context(), f.Name+"/"+arg, choice)
		if f.Name != slide.Family && (strings.HasPrefix(arg, f.Name+"/") || !errors.Is(err, statespace.ErrUnknown)) {
			return nil, "", cli.Usagef("%.100q is of the family %s (%s): expected a sliding-block puzzle", arg, f.Name, f.About)
		}
	}
	err = unknownPuzzle(arg)
	if meant := family.NewSet(families.Named(slide.Family)).Suggest(cmd.Context(), arg, choice.Memory); meant != "" {
		err = fmt.Errorf("%w %.100q%s", statespace.ErrUnknown, arg, meant)
	}
	return nil, "", cli.UsageError(cli.Advised(err, "`"+cmd.Root().Name()+" spaces` lists all"))
}

// unknownPuzzle is the error of a name that is nothing.
func unknownPuzzle(name string) error {
	return fmt.Errorf("%w %.100q: it is neither in the library nor a file that draws a tray", statespace.ErrUnknown, name)
}
