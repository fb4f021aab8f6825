package lunarlockout

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/internal/cli"
	"pagoda/internal/command"
	"pagoda/internal/suggest"
	"pagoda/render"
	"pagoda/render/lunar"
	"pagoda/run"
	space "pagoda/statespace/lunar"
	"pagoda/statespace/lunar/board"
	"pagoda/statespace/lunar/deck"
	"pagoda/statespace/lunar/problem"
)

const (
	// deckSeed is the seed of the deck in the documents.
	deckSeed = 1
	// deckCount is how many cards a deck has if nothing else is said.
	deckCount = 40
	// deckColumns is how many cards a row of a sheet has if nothing else is said.
	deckColumns = 5
	// deckCell is the distance of cells if nothing else is said.
	deckCell = 28
)

// A deckOptions is the flags of deck.
type deckOptions struct {
	command.Picture
	board string
	seed  uint64
	count int
	json  bool
	job   *command.Job
}

func deckCommand() *cobra.Command {
	var o deckOptions
	cmd := &cobra.Command{
		Use:   "deck " + space.Family,
		Short: "Make a deck of problems of Lunar Lockout, from easy to hard",
		Long: fmt.Sprintf(`deck chooses problems from easy to hard, and prints them as cards, with solutions at the
end. They have 1 to 3 letters and 2 to 5 numbers, at most six pieces. The same seed makes
the same deck. -o writes a sheet of the cards, as SVG or PNG; a GIF plays all solutions.

The difficulty of a problem is the number of yes-or-no questions that a player has to answer
to find the best moves among the possible ones, plus a half for each turn within a move,
plus one for each number piece that no best solution needs. The cards are about equally far
apart, from the least difficulty that there is on the board to the greatest.

All problems of some groups are solved to choose from. A solver of single problems confirms
each card, and an independent checker replays its solution. No two cards share a problem on
their way, not even turned around, and none has a card of ThinkFun's deck on its way.

A board is %s, or another size.`, strings.Join(board.Names(), ", ")),
		Example: `  reach deck lunar
  reach deck lunar -o deck.svg
  reach deck lunar --board cross --seed 7 --count 12 --json`,
		Args: cli.Args(1, 1, "the name of a family: "+space.Family),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) },
	}
	cmd.ValidArgsFunction = cobra.FixedCompletions([]string{space.Family}, cobra.ShellCompDirectiveNoFileComp)
	o.Flags(cmd, deckCell)
	flags := cmd.Flags()
	flags.StringVar(&o.board, "board", "5x5", "the board")
	flags.Uint64Var(&o.seed, "seed", deckSeed, "another seed makes another deck")
	flags.IntVar(&o.count, "count", deckCount, fmt.Sprintf("how many cards, 1 to %d", deck.MaxCount))
	flags.BoolVar(&o.json, "json", false, "print one JSON object")
	o.job = command.NewJob(cmd, cli.OfMachine)
	return cmd
}

func (o *deckOptions) run(cmd *cobra.Command, family string) error {
	if family != space.Family {
		return cli.Usagef("there is no deck of %.40q: expected %s%s", family, space.Family, suggest.Question(family, []string{space.Family}))
	}
	b, err := o.check(cmd)
	if err != nil {
		return err
	}
	job, err := o.job.Options()
	if err != nil {
		return err
	}
	name := space.Family + "/" + o.board
	cards, err := deck.Make(cmd.Context(), b, name, deck.Options{Seed: o.seed, Count: o.count, Threads: job.Threads, Memory: run.MemoryLimit(job.Memory)})
	var few *deck.FewError
	switch {
	case errors.As(err, &few) && few.Found > 0:
		return cli.Usagef("%s: %w: try a smaller --count, or another board", name, err)
	case few != nil:
		return cli.Usagef("%s: %w: try another board", name, err)
	}
	if err != nil {
		return err
	}
	made := newDeckAnswer(name, o.seed, cards)
	switch {
	case o.Out != "" && o.Format == "txt":
		err = cli.WriteFile(cmd.Context(), o.Out, func(w io.Writer) error { return o.write(w, made) })
	case o.Format != "txt":
		err = o.draw(cmd, made)
	case !o.json:
		err = o.write(cmd.OutOrStdout(), made)
	}
	if err == nil && o.json {
		err = cli.WriteJSON(cmd.OutOrStdout(), made)
	}
	return err
}

// check returns the board, and refuses flags that make no sense.
func (o *deckOptions) check(cmd *cobra.Command) (*board.Board, error) {
	if err := o.FindFormat(cmd); err != nil {
		return nil, err
	}
	if o.json && o.Out == "" && o.Format != "txt" {
		return nil, cli.Usagef("--format is for a picture, and --json prints to stdout: name a file for the picture with -o")
	}
	if err := o.CheckFlags(cmd,
		command.Use{Flag: "speed", Formats: "gif", Applies: o.Format == "gif"},
		command.Use{Flag: "loop", Formats: "gif", Applies: o.Format == "gif"}); err != nil {
		return nil, err
	}
	if o.count < 1 || o.count > deck.MaxCount {
		return nil, cli.Usagef("--count is %d, expected 1 to %d", o.count, deck.MaxCount)
	}
	p, err := problem.ParseLine(o.board)
	if err == nil && !p.Empty() {
		err = errors.New("expected a board without pieces")
	}
	if err != nil {
		return nil, cli.Usagef("--board: %w", err)
	}
	return p.Board, nil
}

// A deckAnswer is what deck prints.
type deckAnswer struct {
	Deck  string       `json:"deck"` // the board
	Seed  uint64       `json:"seed"`
	Cards []deckRecord `json:"cards"`

	cards []*deck.Card
}

// A deckRecord is a card.
type deckRecord struct {
	Number        int      `json:"number"`
	Level         string   `json:"level"`
	Puzzle        string   `json:"puzzle"`
	Letters       int      `json:"letters"`
	Numbers       int      `json:"numbers"`
	Moves         int      `json:"moves"`
	Steps         int      `json:"steps"`
	Solutions     uint64   `json:"solutions"`
	Insignificant []string `json:"insignificant"`
	Difficulty    float64  `json:"difficulty"`
	Search        float64  `json:"search"` // these are its parts
	Turns         int      `json:"turns"`
	Decoys        int      `json:"decoys"`
	FalseLeads    float64  `json:"false_leads"` // of a position of a best solution, on average
	DeadEnds      float64  `json:"dead_ends"`
	Solution      []string `json:"solution"`
}

func newDeckAnswer(name string, seed uint64, cards []*deck.Card) *deckAnswer {
	a := &deckAnswer{Deck: name, Seed: seed, cards: cards}
	tenths := func(x float64) float64 { return math.Round(10*x) / 10 }
	for _, c := range cards {
		r := deckRecord{Number: c.Number, Level: c.Level, Puzzle: name + ":" + c.Board.Format(c.Start), Letters: c.Letters, Numbers: c.Numbers,
			Moves: c.Moves, Steps: c.Steps, Solutions: c.Solutions, Insignificant: pieceNames(c.Start, c.Decoys), Difficulty: float64(c.Difficulty) / 10,
			Search: tenths(c.Measure.Search), Turns: c.Measure.Turns, Decoys: c.Measure.Decoys, FalseLeads: tenths(c.Measure.FalseLeads), DeadEnds: tenths(c.Measure.DeadEnds)}
		for _, play := range c.Solution {
			r.Solution = append(r.Solution, play.String())
		}
		a.Cards = append(a.Cards, r)
	}
	return a
}

// panels returns the cards as panels, with their levels if they are meant to stand alone.
func (a *deckAnswer) panels(levels bool) (panels []render.Panel) {
	for _, c := range a.cards {
		level := ""
		if levels {
			level = c.Level + ": "
		}
		panels = append(panels, render.Panel{
			Drawing: lunar.Position{Board: c.Board, Pieces: c.Start},
			Caption: fmt.Sprintf("%d. %s%s, %s", c.Number, level, command.Count(uint64(c.Moves), "move"), command.Count(uint64(c.Steps), "step")),
		})
	}
	return panels
}

// draw writes a sheet of the cards, or as a GIF their solutions.
func (o *deckOptions) draw(cmd *cobra.Command, a *deckAnswer) error {
	var films []render.Film
	for _, c := range a.cards {
		f, err := lunar.NewFilm(c.Board, c.Start, c.Solution, lunar.Looks{})
		if err != nil {
			return err
		}
		films = append(films, f)
	}
	o.Columns = cmp.Or(o.Columns, deckColumns)
	o.Title = fmt.Sprintf("%s, seed %d: %s", a.Deck, a.Seed, command.Count(uint64(len(a.Cards)), "problem"))
	return o.Write(cmd, a.panels(true), films...)
}

// write writes the cards, level by level, and then the solutions.
func (o *deckOptions) write(w io.Writer, a *deckAnswer) error {
	var s strings.Builder
	fmt.Fprintf(&s, "%s, seed %d: %s\n", a.Deck, a.Seed, command.Count(uint64(len(a.Cards)), "problem"))
	panels := a.panels(false)
	for first := 0; first < len(panels); {
		end := first + 1
		for end < len(panels) && a.Cards[end].Level == a.Cards[first].Level {
			end++
		}
		fmt.Fprintf(&s, "\n%s\n\n", a.Cards[first].Level)
		if err := render.Text(&s, panels[first:end], o.Columns, render.Style{}); err != nil {
			return err
		}
		first = end
	}
	s.WriteString("\nsolutions\n\ncard  difficulty  solutions  one of them\n")
	for _, c := range a.Cards {
		fmt.Fprintf(&s, "%4d  %10.1f  %9d  %s\n", c.Number, c.Difficulty, c.Solutions, strings.Join(c.Solution, " "))
	}
	_, err := io.WriteString(w, s.String())
	return err
}
