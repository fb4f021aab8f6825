package slide

import (
	"errors"
	"fmt"
	"io"
	"math/big"

	"github.com/spf13/cobra"

	"pagoda/cli"
	"pagoda/internal/amount"
	"pagoda/internal/console"
	"pagoda/puzzle"
	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/contest"
	"pagoda/statespace/cells"
	"pagoda/studies/design"
)

// aboutContest says what the texts of the contest are, for the help of commands.
const aboutContest = `INPUT is in the format of the contest of 2001 of the course 6.046 at MIT: the box, the
free pieces, the goal piece and its goal, between lines with a single -. An output is any
text; the last puzzle between BEGIN SOLUTION and END SOLUTION counts. docs/guides/design.md
describes both.`

func judgeCommand() *cobra.Command {
	var job *cli.Job
	cmd := &cobra.Command{
		Use:   "judge INPUT",
		Short: "Judge a puzzle that a program has designed for the contest",
		Long: `judge reads the input of a designer of sliding-block puzzles from a file, and the output of
the designer from stdin. It checks the puzzle and replays its moves in a drawing of the box,
and then proves by a search that no solution has fewer moves.

` + aboutContest + `

The exit code is 1 if the puzzle or a move is wrong, or if there is a shorter solution.`,
		Example: `  reach judge box.txt < puzzle.txt
  my-designer < box.txt | reach judge box.txt --json`,
		Args:              console.Args(1, 1, "the input of the designer; its output comes on stdin"),
		ValidArgsFunction: console.CompleteFirst(nil),
		RunE:              func(cmd *cobra.Command, args []string) error { return judge(cmd, job, args[0]) },
	}
	console.JSON(cmd, "one JSON object")
	job = cli.NewJob(cmd, console.OfMachine)
	return cmd
}

// A judgement is what judge prints. What is not known is null.
type judgement struct {
	Input     string   `json:"input"`
	Verdict   string   `json:"verdict"` // good, not minimal or wrong
	Reason    string   `json:"reason"`
	Pieces    *int     `json:"pieces"`
	Length    *int     `json:"length"` // as claimed
	Shortest  *int     `json:"shortest"`
	Solutions *big.Int `json:"solutions"`
	States    *uint64  `json:"states"`
}

// The verdicts.
const (
	good       = "good"
	notMinimal = "not minimal"
	wrong      = "wrong"
)

// judge judges the output on stdin.
func judge(cmd *cobra.Command, job *cli.Job, input string) error {
	if input == "-" {
		return console.Usagef("stdin is for the output of the designer: expected a file as the input")
	}
	p, name, err := readProblem(cmd, input)
	if err != nil {
		return err
	}
	j := judgement{Input: name, Verdict: wrong}
	z, err := readOutput(cmd.InOrStdin())
	if err == nil {
		n := len(z.Pieces)
		j.Pieces, j.Length = &n, &z.Length
		var v *design.Verdict
		v, err = design.Judge(cmd.Context(), p, z, slide.Options{Memory: job.Memory(), Threads: job.Threads()})
		if err == nil {
			j.judge(z, v)
		}
	}
	var syntax *cells.SyntaxError
	var illegal *contest.Error
	switch {
	case errors.As(err, &syntax), errors.As(err, &illegal), errors.Is(err, contest.ErrNoSolution):
		j.Reason = err.Error()
	case errors.Is(err, contest.ErrLarge):
		return console.Usagef("the moves are right; whether there are fewer is not known: %w", err)
	case err != nil:
		return tooLarge(name, err)
	}
	return console.NoIf(j.Verdict != good, console.Answer(cmd, j, j.write))
}

// judge sets what the search says of a puzzle with correct moves.
func (j *judgement) judge(z *contest.Puzzle, v *design.Verdict) {
	j.Shortest, j.Solutions, j.States = &v.Shortest, v.Solutions, &v.States
	if v.Shortest == z.Length {
		j.Verdict, j.Reason = good, "the moves are right, and no solution has fewer"
		return
	}
	j.Verdict = notMinimal
	j.Reason = fmt.Sprintf("the moves are right, and a shortest solution has %d", v.Shortest)
	for i := range max(1, len(z.Moves)) - 1 {
		if z.Moves[i].Piece == z.Moves[i+1].Piece {
			j.Reason += fmt.Sprintf("; moves %d and %d are of the same piece, so they are one move", i+1, i+2)
			break
		}
	}
}

// write writes the judgement for people.
func (j *judgement) write(w io.Writer) error {
	fmt.Fprintf(w, "%s: ", j.Verdict)
	if j.Length != nil && j.Verdict != wrong {
		fmt.Fprintf(w, "%s, %s: ", cli.Count(uint64(*j.Length), "move"), cli.Count(uint64(*j.Pieces), "piece"))
	}
	fmt.Fprintln(w, j.Reason)
	if j.States != nil {
		fmt.Fprintf(w, "%s of %s, %s searched\n", amount.Commas(j.Solutions, "solution"), cli.Count(uint64(*j.Shortest), "move"), cli.Count(*j.States, "position"))
	}
	return nil
}

// readProblem reads the input of a designer from a file, or - for stdin.
func readProblem(cmd *cobra.Command, path string) (p *contest.Problem, name string, err error) {
	name, text, err := puzzle.ReadText(cmd.Context(), path, cmd.InOrStdin())
	if err == nil {
		p, err = contest.ParseProblem(text)
		err = puzzle.InFile(name, err)
	}
	return p, name, console.UsageError(err)
}

// maxOutput is how much of the output of a designer is read, in bytes.
const maxOutput = 256 << 20

// readOutput reads the puzzle in the output of a designer.
func readOutput(from io.Reader) (*contest.Puzzle, error) {
	limited := &io.LimitedReader{R: from, N: maxOutput + 1}
	z, err := contest.ParseOutput(limited)
	if limited.N == 0 {
		return nil, console.Usagef("the output has more than %s bytes: give its last puzzle, from BEGIN SOLUTION to END SOLUTION", amount.Comma(uint64(maxOutput)))
	}
	return z, err
}
