package ask

import (
	"pagoda/statespace/chance"
)

// A Worth is what a state of a game against chance is worth, and each of its moves.
type Worth struct {
	Reach
	// As is the state as the file has it: an image of the pattern under the symmetries of the game. The
	// moves are those of As.
	As         string
	Layer      int
	LayerName  string
	Game       chance.Game
	Objectives []chance.Objective
	Values     []float64 // by column, as chance.Columns counts them
	Moves      []chance.Choice
}

// Value says what a state and its moves are worth. If the state cannot be reached, the answer has the
// Reach only. It is an ErrQuestion if the text is no state, or the file has no values.
func (f *File) Value(pattern string) (w Worth, err error) {
	values, ok := f.File.Worth()
	if !ok || len(values.Objectives) == 0 {
		if _, game := chance.GameOf(f.Space()); game {
			return w, Questionf("%s lists states without what they are worth; reach run with --objective makes a file that has it", f.Path())
		}
		return w, Questionf("%s is of %s, whose states have no values: expected a game against chance", f.Path(), f.Space().Name())
	}
	err = f.Read(func() error {
		if w.Reach, err = reach(f.Members(), f.Space(), pattern); err != nil || !w.Reachable {
			return err
		}
		g := values.Game
		layer, state, err := g.Parse(pattern)
		if err != nil {
			return BadPattern(pattern, err)
		}
		w.As, w.Layer, w.LayerName = g.Format(layer, state), layer, g.LayerName()
		w.Game, w.Objectives = g, values.Objectives
		lookup := func(dst []float64, layer int, state uint64) error {
			found, err := values.State(dst, layer, state)
			if err == nil && !found {
				err = f.Damaged("it lacks the successor " + g.Format(layer, state))
			}
			return err
		}
		w.Values = make([]float64, values.Columns())
		if err := lookup(w.Values, layer, state); err != nil {
			return err
		}
		w.Moves, err = chance.Choices(g, w.Objectives, layer, state, lookup)
		return err
	})
	return w, err
}
