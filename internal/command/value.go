package command

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/internal/cli"
	"pagoda/internal/exactjson"
)

func (p *program) value() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "value FILE PATTERN",
		Short: "Show what a state of a game against chance and its moves are worth",
		Long: `value shows what a state of a game against chance is worth for each objective of the file,
and what each of its moves is worth if play is the best from then on. A star marks the best
moves; moves that are equally good all have one. If the player sees what comes next, such
as a tile, there is a table for each case.

The file keeps one of the images of a state under the symmetries of the game. If that is
another than the pattern, value shows it behind the word as; the moves are those of this
image.

The exit code is 1 if the state cannot be reached.`,
		Args: cli.Args(2, 2, "a file and a pattern"),
	}
	OpenFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		f, err := p.open(cmd, args[0])
		if err != nil {
			return err
		}
		defer f.Close()
		w, err := f.Value(cli.Pattern(args[1]))
		if err != nil {
			return err
		}
		if !w.Reachable {
			return no(true, writeReach(cmd.OutOrStdout(), w.Reach, asJSON))
		}
		if asJSON {
			object, err := worthJSON(&w)
			if err != nil {
				return err
			}
			return cli.WriteJSON(cmd.OutOrStdout(), object)
		}
		_, err = io.WriteString(cmd.OutOrStdout(), worthText(&w))
		return err
	}
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
func worthJSON(w *ask.Worth) (object json.RawMessage, err error) {
	moves := []choiceJSON{}
	for _, m := range w.Moves {
		c := choiceJSON{w.Game.FormatChoice(m.Move), m.Gain, m.Won, newWorth(w.Game, w.Objectives, m.Values), []string{}}
		for i, o := range w.Objectives {
			if m.Best[i] {
				c.Best = append(c.Best, o.Name)
			}
		}
		moves = append(moves, c)
	}
	for i, part := range []any{
		struct {
			ask.Reach
			As string `json:"as"`
		}{w.Reach, w.As},
		map[string]int{w.LayerName: w.Layer},
		struct {
			*worth
			Moves []choiceJSON `json:"moves"`
		}{newWorth(w.Game, w.Objectives, w.Values), moves},
	} {
		fields, err := exactjson.Marshal(part)
		if err != nil {
			return nil, err
		}
		if i > 0 { // one object after another
			object[len(object)-1] = ','
			fields = fields[1:]
		}
		object = append(object, fields...)
	}
	return object, nil
}

func worthText(w *ask.Worth) string {
	var s strings.Builder
	if pattern := strings.NewReplacer("\r\n", "/", "\n", "/").Replace(w.Pattern); pattern != w.As {
		fmt.Fprintf(&s, "%s  as  ", pattern)
	}
	fmt.Fprintf(&s, "%s  (%s %d)\n", w.As, w.LayerName, w.Layer)
	newWorth(w.Game, w.Objectives, w.Values).writeText(&s)
	if len(w.Moves) == 0 {
		s.WriteString("\nno moves: the game has ended\n")
	}
	for low := 0; low < len(w.Moves); {
		high := low + 1
		for high < len(w.Moves) && w.Moves[high].Case == w.Moves[low].Case {
			high++
		}
		rows := make([][]string, 1+len(w.Objectives))
		rows[0] = []string{""}
		for i, o := range w.Objectives {
			rows[i+1] = []string{o.Name}
		}
		for _, m := range w.Moves[low:high] {
			rows[0] = append(rows[0], w.Game.FormatChoice(m.Move)+" ")
			for i, of := range newWorth(w.Game, w.Objectives, m.Values).all {
				star := " "
				if m.Best[i] {
					star = "*"
				}
				rows[i+1] = append(rows[i+1], of.whole()+star)
			}
		}
		s.WriteByte('\n')
		writeRows(&s, rows)
		low = high
	}
	return s.String()
}

// writeRows writes a table whose columns end at the right.
func writeRows(s *strings.Builder, rows [][]string) {
	widths := make([]int, len(rows[0]))
	widths[0] = 15
	for _, row := range rows {
		for i, text := range row {
			widths[i] = max(widths[i], len(text))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for i, text := range row {
			if i > 0 {
				line.WriteString("  ")
			}
			fmt.Fprintf(&line, "%*s", widths[i], text)
		}
		s.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}
