// Package slide has the commands of sliding blocks: single puzzles and decks, diameters, the
// hardest puzzles, the designer and the judge.
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
	"pagoda/statespace"
)

// Commands returns what sliding blocks bring to the command lines.
func Commands() cli.Commands {
	return cli.Commands{
		Family:  slide.FamilyName,
		Solving: &cli.Solving{About: aboutSolving, Example: examplesOfSolving},
		Dealing: []*cli.Dealing{rushHourDealing(), trayDealing()},
		Reach: func(families *puzzle.Set) []*cobra.Command {
			return []*cobra.Command{puzzleCommand(families), diameterCommand(families), hardestCommand(families), bbCommand(families), findCommand(), judgeCommand(), designCommand(), componentsCommand(families)}
		},
	}
}

// aboutSolving and examplesOfSolving are the part of the family in the help of solve.
const aboutSolving = `Swapping interchangeable pieces makes no difference. If the text of the puzzle says another
length, a line says so. A move is its pieces and a letter for each cell: U D L R, C to the floor
above and S below.

What counts as a move is the metric:

  steps        one piece by one cell
  lines        one piece by any number of cells in one direction
  moves        one piece along any path
  supersteps   several pieces together by one cell
  superlines   several pieces together by any number of cells in one direction
  supermoves   several pieces together along any path
  all          all of these, in this order

The goal is part of the text: see reach puzzle --help. With --batch, --metric all prints six
objects for a line.
`

const examplesOfSolving = `  reach solve slide/klotski
  reach solve my-puzzle.txt --metric all --json
  reach solve slide/klotski -o klotski.gif --speed 250
  echo 'AABB/AACC/12../DEFF/DEGG ..../..../..../AA/AA' | reach solve - --metric steps
  reach solve --batch rush.txt --metric lines > rush.jsonl`

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
	flag := cmd.Flags().Lookup("metric")
	base, metric, given := strings.Cut(arg, "@")
	if _, err := tray.ParseMetric(metric); given && isNamed(base) && (flag != nil || err == nil) {
		if flag != nil && flag.Value.String() != metric {
			if flag.Changed {
				return nil, arg, console.Usagef("%s names its metric, and --metric is %s: give one of them", arg, flag.Value)
			}
			if err := flag.Value.Set(metric); err != nil {
				return nil, arg, console.Usagef("%s: %w", arg, err)
			}
		}
		arg = base
	}
	p, name, err = cli.Named(cmd, arg, slide.Named, func(text string) (*tray.Puzzle, error) {
		p, err := formats.Parse(text)
		if f := otherFamily(cmd.Context(), families, text); err != nil && f != nil {
			return nil, fmt.Errorf("it is of the family %s (%s): expected a sliding-block puzzle", f.Name, f.About)
		}
		return p, err
	}, func(text string, _ *tray.Puzzle) (as string, chosen bool) { return formats.ReadAs(text) }, func() (*tray.Puzzle, string, error) {
		full := library.Prefix + strings.TrimPrefix(arg, library.Prefix)
		p, err := slide.Named(full)
		if !errors.Is(err, statespace.ErrUnknown) {
			return p, full, err
		}
		unknown := fmt.Errorf("%w %.100q: it is neither in the library nor a file that draws a tray", statespace.ErrUnknown, arg)
		return nil, arg, cli.Unknown(cmd, families, arg, "a sliding-block puzzle", unknown, families.Named(slide.FamilyName))
	})
	if err == nil {
		cli.Told(cmd, arg)(families.ReadAs(arg, name))
	}
	return p, name, err
}

// isNamed reports whether a name, perhaps without its family, is that of a puzzle.
func isNamed(name string) bool {
	_, err := slide.Named(library.Prefix + strings.TrimPrefix(name, library.Prefix))
	return err == nil
}

// openWithGoal is openPuzzle for a puzzle that must have a goal.
func openWithGoal(cmd *cobra.Command, families *puzzle.Set, arg string) (*tray.Puzzle, string, error) {
	p, name, err := openPuzzle(cmd, families, arg)
	if err == nil && !p.HasGoal() {
		err = console.Usagef("%s: %w: draw one below goal:", name, slide.ErrNoGoal)
	}
	return p, name, err
}
