package peg

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/internal/console"
	"pagoda/puzzle"
	"pagoda/puzzle/peg/board"
	"pagoda/studies/weighted"
)

// maxGame bounds the text of a game, in bytes.
const maxGame = 64 << 20

// A scorer is the flags of score.
type scorer struct {
	gamePicture
	weights   weightsFlag
	positions bool
}

func scoreCommand(families *puzzle.Set) *cobra.Command {
	var o scorer
	cmd := &cobra.Command{
		Use:   "score BOARD GAME",
		Short: "Replay and score a game of weighted peg solitaire",
		Long: `score replays a game of weighted peg solitaire and prints its score: the costs of its
moves, and the weights of the pegs that are left. A jump costs the weight of the jumping
peg, once for consecutive jumps of the same peg, which are one move. Lower is better.

` + aboutWeights + `

GAME is a file with the jumps, or - for stdin: from-row from-column to-row to-column,
counted from 1 at the top left, a jump on each line or with ; between jumps; or JSON, as
--json prints it. docs/studies/weighted.md has examples of all forms.

-o also draws the game, one position for each move; a GIF is an animation. If a jump cannot be
made, it says which and why, draws nothing, and the exit code is 1.`,
		Example: `  query score english game.txt --weights magic
  query score contest-board.txt game.txt --json
  query score peg/20x20 game.txt --weights w.csv -o game.gif`,
		Args: console.Args(2, 2, "a board and a game"),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, families, args) },
		ValidArgsFunction: func(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
			switch len(args) {
			case 0:
				return completeBoard(families, begun), cobra.ShellCompDirectiveDefault
			case 1:
				return nil, cobra.ShellCompDirectiveDefault
			}
			return nil, cobra.ShellCompDirectiveNoFileComp
		},
	}
	o.weights.add(cmd)
	o.flags(cmd)
	console.JSON(cmd, "one JSON object")
	cmd.Flags().BoolVar(&o.positions, "positions", false, "with --json: also the position before each move, and the last")
	return cmd
}

func (o *scorer) run(cmd *cobra.Command, families *puzzle.Set, args []string) error {
	if o.positions && !console.AsJSON(cmd) {
		return console.Usagef("--positions is for --json")
	}
	draws, err := o.check(cmd, "svg, png and txt")
	if err != nil {
		return err
	}
	if args[1] == "-" && (args[0] == "-" || o.weights.weights == "-") {
		return console.Usagef("the game and something else are both -, and stdin can be read once: name a file for one of them")
	}
	g, name, err := o.weights.open(cmd, families, args[0])
	if err != nil {
		return err
	}
	jumps, err := readGame(cmd, g.Shape, args[1])
	var score weighted.Score
	if err == nil {
		score, err = g.Play(jumps)
	}
	var wrong *weighted.JumpError
	if err != nil && !errors.As(err, &wrong) {
		return console.UsageError(err)
	}
	if wrong == nil && draws {
		if err := o.draw(cmd, g, jumps); err != nil {
			return err
		}
	}
	err = nil
	switch {
	case console.AsJSON(cmd): // to describe the moves takes time, so the text does not
		err = console.WriteJSON(cmd.OutOrStdout(), o.result(name, g, jumps, score, wrong))
	case wrong != nil:
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "wrong: %v\n", wrong)
	case !draws || o.Out != "":
		err = writeScore(cmd.OutOrStdout(), score)
	}
	return console.NoIf(wrong != nil, err)
}

// readGame reads the jumps of a game from a file, or from stdin. The error of a jump that is none of the
// board is a *weighted.JumpError.
func readGame(cmd *cobra.Command, shape *board.Shape, path string) ([]board.Jump, error) {
	name, text, err := puzzle.ReadUpTo(cmd.Context(), maxGame, path, cmd.InOrStdin())
	if err != nil {
		return nil, err
	}
	jumps, err := weighted.ParseJumps(shape, text)
	return jumps, puzzle.InFile(name, err)
}

// writeScore writes a score for people.
func writeScore(w io.Writer, s weighted.Score) error {
	_, err := fmt.Fprintf(w, "score  %d\ncosts  %d\nleft   %d\njumps  %d\nmoves  %d\npegs   %d\n", s.Score, s.Costs, s.Left, s.Jumps, s.Moves, s.Pegs)
	return err
}

// A scoredGame is what score prints as JSON. What a wrong game does not have is null.
type scoredGame struct {
	Board   string         `json:"board"`
	Verdict string         `json:"verdict"` // right or wrong
	Reason  string         `json:"reason"`  // of a wrong game
	Score   *int64         `json:"score"`
	Costs   *int64         `json:"costs"`
	Left    *int64         `json:"left"`
	Pegs    *int           `json:"pegs"`
	Moves   []weightedMove `json:"moves"`
	Jumps   [][4]int       `json:"jumps"` // from-row, from-column, to-row and to-column, from 1
	// Positions has the weights of the pegs, in rows, before each move and after the last.
	Positions []string `json:"positions,omitempty"`
}

// A weightedMove is consecutive jumps of a peg.
type weightedMove struct {
	Cells  [][2]int `json:"cells"` // from the first to the last, by row and column from 1
	Weight int64    `json:"weight"`
	Score  int64    `json:"score"` // of a game that stops after the move
}

// result describes a game that was played, or says why it cannot be.
func (o *scorer) result(name string, g *weighted.Game, jumps []board.Jump, s weighted.Score, wrong *weighted.JumpError) any {
	r := scoredGame{Board: name, Verdict: "right"}
	if wrong != nil {
		r.Verdict, r.Reason = "wrong", wrong.Error()
		return r
	}
	r.Score, r.Costs, r.Left, r.Pegs = &s.Score, &s.Costs, &s.Left, &s.Pegs
	r.Jumps = weighted.Rows(g.Shape, jumps)
	r.Moves = movesOf(g, jumps, func(s *weighted.State) {
		if o.positions {
			r.Positions = append(r.Positions, formatWeights(g, s))
		}
	})
	return r
}

// movesOf describes the moves of a game that can be played. It shows the position before each move and
// the last one.
func movesOf(g *weighted.Game, jumps []board.Jump, show func(*weighted.State)) []weightedMove {
	state, err := g.Start()
	moves := []weightedMove{}
	for _, move := range weighted.Moves(jumps) {
		show(state)
		peg, _ := state.Peg(move[0].From)
		m := weightedMove{Cells: [][2]int{fromOne(g.Shape, move[0].From)}, Weight: g.Weights[peg]}
		for i := 0; i < len(move) && err == nil; i++ {
			err = state.Jump(move[i])
			m.Cells = append(m.Cells, fromOne(g.Shape, move[i].To))
		}
		m.Score = state.Score().Score
		moves = append(moves, m)
	}
	if err != nil {
		panic(err) // the game has been played
	}
	show(state)
	return moves
}

// fromOne returns the row and the column of a cell, counted from 1.
func fromOne(shape *board.Shape, cell int) [2]int {
	c := shape.Cells()[cell]
	return [2]int{c.Row + 1, c.Col + 1}
}

// formatWeights writes a position in rows separated by /: the weights of pegs, . for a hole and # off the
// board, with spaces between them.
func formatWeights(g *weighted.Game, s *weighted.State) string {
	return strings.Join(weighted.Fields(g.Shape, func(cell int) string {
		if peg, ok := s.Peg(cell); ok {
			return strconv.FormatInt(g.Weights[peg], 10)
		}
		return "."
	}), "/")
}
