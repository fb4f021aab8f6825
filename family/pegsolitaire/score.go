package pegsolitaire

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/family"
	"pagoda/internal/cli"
	"pagoda/internal/command"
	"pagoda/render"
	"pagoda/render/pegs"
	"pagoda/statespace/cells"
	"pagoda/statespace/peg/board"
	"pagoda/statespace/peg/weighted"
)

// maxGame bounds the text of a game, in bytes.
const maxGame = 64 << 20

// A scorer is the flags of score.
type scorer struct {
	command.Picture
	weights         weightsFlag
	json, positions bool
}

func scoreCommand(families *family.Set) *cobra.Command {
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
--json prints it. docs/weighted.md has examples of all forms.

With -o it also draws the game, one position for each move, or as GIF, an animation. If a
jump cannot be made, it says which and why, draws nothing and exits with 1.`,
		Example: `  query score english game.txt --weights magic
  query score contest-board.txt game.txt --json
  query score peg/20x20 game.txt --weights w.csv -o game.gif`,
		Args: cli.Args(2, 2, "a board and a game"),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, families, args) },
		ValidArgsFunction: func(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
			switch len(args) {
			case 0:
				return completeBoard(families, begun)
			case 1:
				return nil, cobra.ShellCompDirectiveDefault
			}
			return nil, cobra.ShellCompDirectiveNoFileComp
		},
	}
	o.weights.add(cmd)
	o.Flags(cmd, render.DefaultCell)
	flags := cmd.Flags()
	flags.BoolVar(&o.NoCaptions, "no-captions", false, "leave out the score under pictures")
	flags.BoolVar(&o.json, "json", false, "print one JSON object instead of text")
	flags.BoolVar(&o.positions, "positions", false, "with --json: also the position before each move, and the last")
	return cmd
}

// pictureFlags are the flags that mean nothing without a picture.
var pictureFlags = []string{"format", "size", "theme", "columns", "speed", "loop", "no-captions"}

// check finds out whether a picture is drawn, and refuses flags that mean nothing.
func (o *scorer) check(cmd *cobra.Command) (draws bool, err error) {
	given := cmd.Flags().Changed
	draws = given("output") || given("format")
	if o.positions && !o.json {
		return draws, cli.Usagef("--positions is for --json")
	}
	if !draws {
		for _, flag := range pictureFlags {
			if given(flag) {
				return draws, cli.Usagef("--%s is for a picture: name a file for it with -o", flag)
			}
		}
		return draws, nil
	}
	if err := o.FindFormat(cmd); err != nil {
		return draws, err
	}
	if o.json && o.Out == "" {
		return draws, cli.Usagef("--json prints to stdout: name a file for the picture with -o")
	}
	return draws, o.CheckFlags(cmd,
		command.Use{Flag: "columns", Formats: "svg, png and txt", Applies: o.Format != "gif"},
		command.Use{Flag: "speed", Formats: "gif", Applies: o.Format == "gif"},
		command.Use{Flag: "loop", Formats: "gif", Applies: o.Format == "gif"})
}

func (o *scorer) run(cmd *cobra.Command, families *family.Set, args []string) error {
	draws, err := o.check(cmd)
	if err != nil {
		return err
	}
	if args[1] == "-" && (args[0] == "-" || o.weights.weights == "-") {
		return cli.Usagef("the game and something else are both -, and stdin can be read once: name a file for one of them")
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
		return cli.UsageError(err)
	}
	if wrong == nil && draws {
		if err := o.draw(cmd, g, jumps); err != nil {
			return err
		}
	}
	switch {
	case o.json:
		err = cli.WriteJSON(cmd.OutOrStdout(), o.result(name, g, jumps, score, wrong))
	case wrong != nil:
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "wrong: %v\n", wrong)
	case !draws || o.Out != "":
		err = writeScore(cmd.OutOrStdout(), score)
	}
	if err == nil && wrong != nil {
		err = cli.ErrNo
	}
	return err
}

// readGame reads the jumps of a game from a file, or from stdin. The error of a jump that is none of the
// board is a *weighted.JumpError.
func readGame(cmd *cobra.Command, shape *board.Shape, path string) ([]board.Jump, error) {
	name, text, err := family.ReadUpTo(maxGame, path, cmd.InOrStdin())
	if err != nil {
		return nil, err
	}
	jumps, err := weighted.ParseJumps(shape, text)
	return jumps, family.InFile(name, err)
}

func (o *scorer) draw(cmd *cobra.Command, g *weighted.Game, jumps []board.Jump) error {
	film, err := pegs.NewWeightedFilm(g, jumps)
	if err != nil {
		return cli.UsageError(err)
	}
	return o.Write(cmd, render.Strip(film), film)
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
	r.Moves, r.Jumps = []weightedMove{}, weighted.Rows(g.Shape, jumps)
	state, err := g.Start()
	for _, move := range weighted.Moves(jumps) {
		if o.positions {
			r.Positions = append(r.Positions, formatWeights(g, state))
		}
		peg, _ := state.Peg(move[0].From)
		m := weightedMove{Cells: [][2]int{fromOne(g.Shape, move[0].From)}, Weight: g.Weights[peg]}
		for i := 0; i < len(move) && err == nil; i++ {
			err = state.Jump(move[i])
			m.Cells = append(m.Cells, fromOne(g.Shape, move[i].To))
		}
		m.Score = state.Score().Score
		r.Moves = append(r.Moves, m)
	}
	if err != nil {
		panic(err) // the game has been played
	}
	if o.positions {
		r.Positions = append(r.Positions, formatWeights(g, state))
	}
	return r
}

// fromOne returns the row and the column of a cell, counted from 1.
func fromOne(shape *board.Shape, cell int) [2]int {
	c := shape.Cells()[cell]
	return [2]int{c.Row + 1, c.Col + 1}
}

// formatWeights writes a position in rows separated by /: the weights of pegs, . for a hole and # off the
// board, with spaces between them.
func formatWeights(g *weighted.Game, s *weighted.State) string {
	rows := make([]string, g.Shape.Rows())
	for r := range rows {
		fields := make([]string, g.Shape.Cols())
		for c := range fields {
			fields[c] = "#"
			if cell, ok := g.Shape.Number(cells.Cell{Row: r, Col: c}); ok {
				fields[c] = "."
				if peg, ok := s.Peg(cell); ok {
					fields[c] = strconv.FormatInt(g.Weights[peg], 10)
				}
			}
		}
		rows[r] = strings.Join(fields, " ")
	}
	return strings.Join(rows, "/")
}
