package slide

import (
	"errors"
	"regexp"
	"strconv"
	"sync"

	"github.com/spf13/cobra"

	"pagoda/internal/console"
	"pagoda/puzzle"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace/cells"
	"pagoda/studies/hardest"
)

// boxName matches the size of a rectangle, or of a box.
var boxName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:([0-9]+)x)?([0-9]+)x([0-9]+)$`) })

// openBoard returns the board that an argument names: a rectangle, a box, a text file that draws it, or - for
// such a text on stdin.
func openBoard(cmd *cobra.Command, arg string) (b hardest.Board, name string, err error) {
	if m := boxName().FindStringSubmatch(arg); m != nil {
		var size [3]int
		for i, text := range m[1:] {
			if text == "" {
				text = "1"
			}
			if size[i], err = strconv.Atoi(text); err != nil || size[i] < 1 || size[i] > tray.MaxSide {
				return b, arg, console.Usagef("the board %.40s: expected 1 to %d rows and columns, such as 4x4", arg, tray.MaxSide)
			}
		}
		if n := size[0] * size[1] * size[2]; n > tray.MaxCells {
			return b, arg, console.Usagef("the board %.40s has %d cells, expected at most %d", arg, n, tray.MaxCells)
		}
		return hardest.Rectangle(size[0], size[1], size[2]), arg, nil
	}
	name, text, err := puzzle.ReadText(arg, cmd.InOrStdin())
	if puzzle.NoFile(arg, err) {
		return b, arg, console.Usagef("unknown board %.100q: expected rows x columns such as 4x4, floors x rows x columns such as 2x2x3, a text file that draws a board, or - for such a text on stdin", arg)
	}
	if err != nil {
		return b, name, console.UsageError(err)
	}
	read, err := tray.ParseBoard(text)
	if err != nil {
		return b, name, console.UsageError(puzzle.InFile(name, err))
	}
	return *read, name, nil
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
