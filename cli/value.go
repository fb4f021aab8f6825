package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/internal/console"
	"pagoda/internal/exactjson"
	"pagoda/statespace/chance"
)

func (p *Program) value() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "value FILE PATTERN",
		Short: "Show what a state of a game against chance and its moves are worth",
		Long: `value shows what a state of a game against chance is worth for each objective of the file, and
what each of its moves is worth if play is the best from then on. A star marks the best moves;
moves that are equally good all have one. If the player sees what comes next, such as a tile,
there is a table for each case.

The file keeps one of the images of a state under the symmetries of the game. If that is not
the pattern itself, value shows it behind the word as; the moves are those of the pattern. The
exit code is 1 if the state cannot be reached.`,
		Args: console.Args(2, 2, "a file and a pattern"),
	}
	OpenFlags(cmd)
	console.JSON(cmd, "one JSON object")
	cmd.RunE = p.asking(func(cmd *cobra.Command, f *ask.File, args []string) error {
		w, err := f.Value(console.Pattern(args[0]))
		if err != nil {
			return err
		}
		if !w.Reachable {
			return unreached(cmd, w.Reach)
		}
		return console.Answer(cmd, worthJSON(&w), func(to io.Writer) error { return writeStateWorth(to, &w) })
	})
	return cmd
}

// A choiceJSON is a move with what it is worth, as JSON.
type choiceJSON struct {
	Move string  `json:"move"`
	Gain float64 `json:"gain"`
	Won  bool    `json:"won,omitempty"`
	*worth
	Best []string `json:"best"` // the objectives for which it is a best move
}

// worthJSON returns the answer as an object. The layer has its own name in it, as in those of members.
func worthJSON(w *ask.Worth) exactjson.Object {
	moves := []choiceJSON{}
	for _, m := range w.Moves {
		c := choiceJSON{w.Game.FormatChoice(m.GameMove), m.Gain, m.Won, newWorth(w.Game, w.Objectives, m.Values, allDigits), []string{}}
		for i, o := range w.Objectives {
			if m.Best[i] {
				c.Best = append(c.Best, o.Name)
			}
		}
		moves = append(moves, c)
	}
	return exactjson.Object{
		struct {
			ask.Reach
			As string `json:"as"`
		}{w.Reach, w.As},
		map[string]int{w.LayerName: w.Layer},
		struct {
			*worth
			Moves []choiceJSON `json:"moves"`
		}{newWorth(w.Game, w.Objectives, w.Values, allDigits), moves},
	}
}

// writeStateWorth writes what a state and its moves are worth for people.
func writeStateWorth(to io.Writer, w *ask.Worth) error {
	if pattern := strings.NewReplacer("\r\n", "/", "\n", "/").Replace(w.Pattern); pattern != w.As {
		fmt.Fprintf(to, "%s  as  ", pattern)
	}
	fmt.Fprintf(to, "%s  (%s %d)\n", w.As, w.LayerName, w.Layer)
	newWorth(w.Game, w.Objectives, w.Values, digitsOf(w.Rounding)).writeText(to)
	if len(w.Moves) == 0 {
		fmt.Fprintln(to, "\nno moves: the game has ended")
	}
	for low := 0; low < len(w.Moves); {
		high := low + 1
		for high < len(w.Moves) && w.Moves[high].Case == w.Moves[low].Case {
			high++
		}
		var moves []*chance.Choice
		var names []string
		for i := range w.Moves[low:high] {
			m := &w.Moves[low+i]
			moves, names = append(moves, m), append(names, w.Game.FormatChoice(m.GameMove))
		}
		fmt.Fprintln(to)
		writeChoices(to, w.Game, w.Objectives, moves, names, digitsOf(w.Rounding))
		low = high
	}
	return nil
}
