package peg

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/cli"
	"pagoda/internal/console"
	"pagoda/internal/suggest"
	"pagoda/puzzle"
	"pagoda/puzzle/peg"
	"pagoda/puzzle/peg/board"
	"pagoda/render"
	"pagoda/statespace"
	"pagoda/studies/weighted"
	"pagoda/studies/weighted/draw"
)

// aboutWeights says how commands read a board with weights, for their help.
const aboutWeights = `BOARD is the name of a board, such as english, 20x20 or peg/english@0,2, of any size up to
256 x 256; or a file that draws a board, with its weights below the line "weights:"; or a
file with the matrix of the contest: -1 off the board, 0 for a hole, or the weight of a
peg. --weights magic takes the weights from the magic square that MATLAB makes, --weights
FILE from a file with a number for each place: as CSV, or with spaces between numbers.
Without weights each peg weighs 1.`

// A weightsFlag is the flag --weights, of commands with the argument BOARD.
type weightsFlag struct{ weights string }

func (f *weightsFlag) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.weights, "weights", "", "the weights of the pegs: magic, or a `FILE` with a matrix; - is stdin")
	console.NotEmpty(cmd, "weights")
	console.CompleteFlag(cmd, "weights", cobra.ShellCompDirectiveDefault, weighted.MagicName)
}

// completeBoard offers names of boards for the argument BOARD.
func completeBoard(families *puzzle.Set, begun string) []string {
	return cli.CompleteNames(puzzle.NewSet(families.Named(peg.FamilyName)).Entries(), begun)
}

// open returns the game that the argument BOARD and the flag --weights describe, and a name for it.
// If neither has weights, each peg weighs 1.
func (f *weightsFlag) open(cmd *cobra.Command, families *puzzle.Set, board string) (g *weighted.Game, name string, err error) {
	if board == "-" && f.weights == "-" {
		return nil, "", console.Usagef("the board and --weights are both -, and stdin can be read once: name a file for one of them")
	}
	g, name, err = openBoard(cmd, families, board)
	if err != nil {
		return nil, name, err
	}
	switch f.weights {
	case "":
		if g.Weights == nil {
			g.Weights = slices.Repeat([]int64{1}, len(g.Pegs))
		}
	case weighted.MagicName:
		g.Weights = weighted.MagicWeights(g.Shape)
	default:
		none := func(string) ([]int64, error) { return nil, statespace.ErrUnknown }
		g.Weights, _, err = cli.Named(cmd, f.weights, none, func(text string) ([]int64, error) { return weighted.ParseWeights(g.Shape, text) }, nil, func() ([]int64, string, error) {
			return nil, "", fmt.Errorf("--weights is %.60q, and there is no file of this name: expected magic, a file with a matrix, or - for stdin%s",
				f.weights, suggest.Question(f.weights, []string{weighted.MagicName}))
		})
	}
	return g, name, err
}

// openBoard returns the game that the argument BOARD describes. Its weights are nil if it has none.
func openBoard(cmd *cobra.Command, families *puzzle.Set, arg string) (g *weighted.Game, name string, err error) {
	return cli.Named(cmd, arg, named, weighted.ParseGame, cli.Summed[*weighted.Game], func() (*weighted.Game, string, error) {
		full := peg.Prefix + arg
		if g, err := named(full); !errors.Is(err, statespace.ErrUnknown) {
			return g, full, err
		}
		if meant := puzzle.NewSet(families.Named(peg.FamilyName)).Suggest(cmd.Context(), arg, 0); meant != "" {
			return nil, arg, fmt.Errorf("unknown board %.100q%s", arg, meant)
		}
		return nil, arg, fmt.Errorf("unknown board %.100q: expected a name such as english or 20x20, a file that draws a board, or - for such a text on stdin", arg)
	})
}

// named returns the board of a name as a game without weights.
func named(name string) (*weighted.Game, error) {
	shape, pegs, err := peg.LookupShape(name)
	if err != nil {
		return nil, err
	}
	return &weighted.Game{Shape: shape, Pegs: pegs}, nil
}

// A gamePicture is the flags of commands that draw a weighted game.
type gamePicture struct{ cli.Picture }

// flags adds the flags to a command. Others are formats that the command writes itself.
func (p *gamePicture) flags(cmd *cobra.Command, others ...string) {
	p.Flags(cmd, render.DefaultCell, others...)
	p.Captions(cmd)
}

// check finds out whether a file is written, or a format other than the usual one, and refuses flags that
// mean nothing. Sheets names the formats with a panel for each move: "svg and png".
func (p *gamePicture) check(cmd *cobra.Command, sheets string) (writes bool, err error) {
	if console.Given(cmd, "output", "format") == "" {
		return false, console.Refuse(cmd, true, "size theme columns speed loop no-captions", "--%s is for a picture: name a file for it with -o")
	}
	if err := p.FindFormat(cmd); err != nil {
		return true, err
	}
	if console.AsJSON(cmd) && p.Out == "" {
		return true, console.Usagef("--json prints to stdout: name a file for the picture with -o")
	}
	return true, cmp.Or(
		p.For(cmd, "columns", sheets),
		console.Refuse(cmd, !strings.Contains(sheets+", gif", p.Format), "no-captions", "--%s is for pictures; the format here is "+p.Format),
		p.CheckFlags(cmd))
}

// draw draws a game, which must be one that can be played.
func (p *gamePicture) draw(cmd *cobra.Command, g *weighted.Game, jumps []board.Jump) error {
	film, err := draw.NewFilm(g, jumps)
	if err != nil {
		return console.UsageError(err)
	}
	return p.Write(cmd, film.Strip(), film)
}
