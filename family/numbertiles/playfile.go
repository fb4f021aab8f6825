package numbertiles

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/family"
	"pagoda/family/numbertiles/play"
	"pagoda/internal/cli"
	"pagoda/internal/command"
	"pagoda/statespace/chance"
	"pagoda/statespace/tiles"
	"pagoda/statespace/tiles/threes"
	"pagoda/statespace/tiles/twenty48"
)

// fileCommands returns the commands that ask files.
func fileCommands(families *family.Set) []*cobra.Command {
	var seed uint64
	var hints bool
	cmd := &cobra.Command{
		Use:   "play FILE",
		Short: "Play 2048 or Threes in the terminal, with the cost of each mistake",
		Long: `play lets you play the game of a file in the terminal. After each slide it says what that has
cost, compared with the best one, for each objective of the file. Arrow keys, wasd or hjkl
slide, ? shows what all slides are worth, u takes one back, n begins another game, q ends.

Without a terminal, play reads words from stdin: up, down, left, right, undo, hint, new, quit.
A seed always brings the same tiles after the same slides.`,
		Example: `  query play 2048-2x3.reach
  query play threes-2x2.reach --hints --seed 7`,
		Args: cli.Args(1, 1, "a file"),
	}
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of the random numbers")
	cmd.Flags().BoolVar(&hints, "hints", false, "show what all slides are worth from the beginning")
	command.OpenFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		f, err := command.Open(cmd, families, args[0])
		if err != nil {
			return err
		}
		defer f.Close()
		a, err := newAdvisor(f)
		if err != nil {
			return err
		}
		return play.Run(cmd, a.game, play.Options{Seed: seed, Advisor: a, Hints: hints})
	}
	return []*cobra.Command{cmd}
}

// An advisor takes what moves are worth from a file.
type advisor struct {
	file       *ask.File
	game       play.Game
	objectives []chance.Objective
	// write returns the text of a state, and the chance.Case of what the player knows.
	write func(s play.State) (text string, known uint8)
}

// newAdvisor returns the advisor of a file. It is an ask.ErrQuestion if the file has another game, or no values.
func newAdvisor(f *ask.File) (*advisor, error) {
	a := &advisor{file: f}
	g, _ := chance.GameOf(f.Space())
	switch g := g.(type) {
	case *twenty48.Game:
		a.game = play.NewTwenty48(g)
		a.write = func(s play.State) (string, uint8) { return g.Grid.Format(s.Board(), twenty48.Names), 0 }
	case *threes.Game:
		a.game = play.NewThrees(g)
		a.write = func(s play.State) (string, uint8) { return writeThrees(g, s.(play.ThreesState)) }
	default:
		return nil, ask.Questionf("%s is of %s: play is for 2048 and Threes", f.Path(), f.Space().Name())
	}
	worth, ok := f.Worth()
	if !ok {
		return nil, ask.Questionf("%s lists boards without what they are worth: reach run makes a file that has it", f.Path())
	}
	a.objectives = worth.Objectives
	return a, nil
}

// writeThrees returns the text of a state of Threes, and the case of its next tile.
func writeThrees(g *threes.Game, s play.ThreesState) (text string, known uint8) {
	text = g.Grid.Format(s.Tiles, threes.Names)
	if full := [3]int{g.Bag, g.Bag, g.Bag}; s.Left != full && s.Left != [3]int{} {
		text += "@"
		for i, n := range s.Left {
			text += strings.Repeat(string(rune('1'+i)), n)
		}
	}
	const bonus = 3 // of all bonus tiles: see threes.NewGame
	if !g.Hidden {
		known = min(s.Next-1, bonus)
	}
	return text, known
}

// Objectives implements play.Advisor.
func (a *advisor) Objectives() (all []play.Objective) {
	for _, o := range a.objectives {
		all = append(all, play.Objective{Name: o.Name, Least: o.Terms[0].Least})
	}
	return all
}

// Advise implements play.Advisor.
func (a *advisor) Advise(s play.State) (all [tiles.Directions][]float64, err error) {
	text, known := a.write(s)
	w, err := a.file.Value(text)
	if err != nil {
		return all, err
	}
	if !w.Reachable {
		return all, fmt.Errorf("%s is not in %s", text, a.file.Path())
	}
	// The moves are those of an image of the board.
	grid, board := a.game.Grid(), s.Board()
	file, _, _ := strings.Cut(w.As, "@")
	as, err := grid.Parse(file, a.game.Names())
	if err != nil {
		return all, err
	}
	image := 0
	for image < grid.Symmetries() && grid.Image(image, board) != as {
		image++
	}
	if image == grid.Symmetries() {
		return all, fmt.Errorf("%s is no image of %s", w.As, text)
	}
	for d := range tiles.Direction(tiles.Directions) {
		turned := grid.ImageDirection(image, d)
		for _, m := range w.Moves {
			if m.Case == known && m.Number == uint8(turned) {
				all[d] = firstValues(a.objectives, m.Values)
			}
		}
	}
	return all, nil
}

// firstValues returns the values of the first terms of objectives, chances as they are.
func firstValues(all []chance.Objective, values []float64) (first []float64) {
	c := 0
	for _, o := range all {
		v := values[c]
		if o.Terms[0].Kind == chance.Reach {
			v = chance.Chance(v).P()
		}
		first = append(first, v)
		c += len(o.Terms)
	}
	return first
}
