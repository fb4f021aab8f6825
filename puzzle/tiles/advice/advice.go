// Package advice says what the slides of a board are worth, by a solution of its game. A solution has one
// state for all images of a board; the advice is about the board as it lies before the player.
package advice

import (
	"pagoda/puzzle/tiles/glide"
	"pagoda/puzzle/tiles/player"
	"pagoda/statespace/chance"
)

// Advice is what a solution says about a state of a game.
type Advice struct {
	*chance.Solution
	Slide [glide.Directions]*chance.Choice // nil for slides that change nothing
}

// Of asks a solution about a state of a game. The error is that of the solution.
func Of(g player.Game, solution *chance.Solution, s player.State) (*Advice, error) {
	layer, state, known, symmetry := g.Exact(s)
	a := &Advice{Solution: solution}
	all, err := solution.Choices(layer, state)
	if err != nil {
		return nil, err
	}
	for d := range glide.Direction(glide.Directions) {
		image := g.Grid().ImageDirection(symmetry, d)
		for i := range all {
			if all[i].Case == known && all[i].Number == uint8(image) {
				a.Slide[d] = &all[i]
			}
		}
	}
	return a, nil
}

// Best returns the best slides for an objective.
func (a *Advice) Best(objective int) (all []glide.Direction) {
	for d, m := range a.Slide {
		if m != nil && m.Best[objective] {
			all = append(all, glide.Direction(d))
		}
	}
	return all
}

// Loss returns what a slide loses against the best one for an objective, and the term in which it loses that. Terms
// that break ties count if those before are equal.
func (a *Advice) Loss(d glide.Direction, objective int) (loss float64, term int) {
	best := a.Best(objective)
	if a.Slide[d] == nil || len(best) == 0 || a.Slide[d].Best[objective] {
		return 0, 0
	}
	column := chance.Columns(a.Objectives[:objective])
	terms := a.Objectives[objective].Terms
	for i := range terms {
		loss := terms[i].Loss(a.Slide[best[0]].Values[column+i], a.Slide[d].Values[column+i], a.Rounding)
		if loss > 0 {
			return loss, i
		}
	}
	return 0, 0
}

// Costs returns what a slide loses in the first terms of the objectives.
func (a *Advice) Costs(d glide.Direction) []float64 {
	costs := make([]float64, len(a.Objectives))
	for o := range a.Objectives {
		if loss, term := a.Loss(d, o); term == 0 {
			costs[o] = loss
		}
	}
	return costs
}
