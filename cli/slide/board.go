package slide

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"pagoda/cli"
	"pagoda/internal/console"
	"pagoda/internal/lazy"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace"
	"pagoda/statespace/cells"
	"pagoda/studies/hardest"
)

// boxName matches the size of a rectangle, or of a box.
var boxName = lazy.Regexp(`^(?:([0-9]+)x)?([0-9]+)x([0-9]+)$`)

// openBoard returns the board that an argument names: a rectangle, a box, a text file that draws it, or - for
// such a text on stdin.
func openBoard(cmd *cobra.Command, arg string) (*hardest.Board, string, error) {
	return cli.Named(cmd, arg, boxOf, tray.ParseBoard, cli.Summed[*hardest.Board], func() (*hardest.Board, string, error) {
		return nil, arg, console.Usagef("unknown board %.100q: expected rows x columns such as 4x4, floors x rows x columns such as 2x2x3, a text file that draws a board, or - for such a text on stdin", arg)
	})
}

// boxOf returns the rectangle, or the box, of a size.
func boxOf(name string) (*hardest.Board, error) {
	m := boxName().FindStringSubmatch(name)
	if m == nil {
		return nil, statespace.ErrUnknown
	}
	var size [3]int
	for i, text := range m[1:] {
		var err error
		if size[i], err = strconv.Atoi(cmp.Or(text, "1")); err != nil || size[i] < 1 || size[i] > tray.MaxSide {
			return nil, fmt.Errorf("the board %.40s: expected 1 to %d rows and columns, such as 4x4", name, tray.MaxSide)
		}
	}
	if n := size[0] * size[1] * size[2]; n > tray.MaxCells {
		return nil, fmt.Errorf("the board %.40s has %d cells, expected at most %d", name, n, tray.MaxCells)
	}
	b := hardest.Rectangle(size[0], size[1], size[2])
	return &b, nil
}

// boardTooLarge says what to do if a search of a board takes too much.
func boardTooLarge(name string, err error) error {
	var limit *hardest.LimitError
	switch {
	case errors.Is(err, hardest.ErrMetric), errors.Is(err, hardest.ErrNames):
		return console.UsageError(err)
	case !errors.As(err, &limit):
		return err
	case limit.Memory > 0:
		return console.Usagef("%s: %w: more --mem may do, or fewer --pieces", name, err)
	}
	return console.Usagef("%s: %w: expected a smaller board; 4x5 and 3x6 take hours", name, err)
}

// A pieceRange is the flag --pieces: N or N-M.
type pieceRange struct{ cells.Range }

// Set implements pflag.Value.
func (r *pieceRange) Set(text string) (err error) {
	if r.Range, err = cells.ParseRange(text); err != nil || r.Least < 1 {
		return errors.New("expected a number of pieces such as 9, or a range such as 1-15, the smaller number first")
	}
	return nil
}

// Type implements pflag.Value.
func (r *pieceRange) Type() string { return "N|N-M" }
