package play

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"pagoda/internal/command"
	"pagoda/internal/suggest"
	"pagoda/statespace/chance"
	"pagoda/statespace/tiles"
	"pagoda/statespace/tiles/player"
)

// advice is what a solution says about a state.
type advice struct {
	*chance.Solution
	moves [tiles.Directions]*chance.Choice // nil for slides that change nothing
	err   error                            // there is none
}

// advise asks a solution about a state of a game. The solution has one state for all images of a board.
func advise(g player.Game, solution *chance.Solution, s player.State) advice {
	v := advice{Solution: solution}
	layer, state, known, symmetry := g.Exact(s)
	all, err := solution.Choices(layer, state)
	if err != nil {
		v.err = err
		return v
	}
	for d := range tiles.Direction(tiles.Directions) {
		image := g.Grid().ImageDirection(symmetry, d)
		for i := range all {
			if all[i].Case == known && all[i].Number == uint8(image) {
				v.moves[d] = &all[i]
			}
		}
	}
	return v
}

// best returns the best moves for an objective.
func (v *advice) best(objective int) (all []tiles.Direction) {
	for d, m := range v.moves {
		if m != nil && m.Best[objective] {
			all = append(all, tiles.Direction(d))
		}
	}
	return all
}

// loss returns what a move loses against the best one for an objective, and the term in which it loses that. Terms that
// break ties count if those before are equal.
func (v *advice) loss(d tiles.Direction, objective int) (loss float64, term int) {
	best := v.best(objective)
	if v.moves[d] == nil || len(best) == 0 || v.moves[d].Best[objective] {
		return 0, 0
	}
	column := chance.Columns(v.Objectives[:objective])
	terms := v.Objectives[objective].Terms
	for i := range terms {
		loss := terms[i].Loss(v.moves[best[0]].Values[column+i], v.moves[d].Values[column+i], v.Rounding)
		if loss > 0 {
			return loss, i
		}
	}
	return 0, 0
}

// costs returns what a move loses in the first terms of the objectives.
func (v *advice) costs(d tiles.Direction) []float64 {
	costs := make([]float64, len(v.Objectives))
	for o := range v.Objectives {
		if loss, term := v.loss(d, o); term == 0 {
			costs[o] = loss
		}
	}
	return costs
}

// after says what a move has cost.
func (v *advice) after(d tiles.Direction) string {
	if v.err != nil {
		return fmt.Sprintf("%v: its cost is not known: %v", d, v.err)
	}
	var lost []string
	for o, of := range v.Objectives {
		loss, term := v.loss(d, o)
		if loss == 0 {
			continue
		}
		name := of.Name
		if term > 0 {
			name = strings.TrimSpace(strings.Split(name, ">")[term]) + " in " + name
		}
		lost = append(lost, fmt.Sprintf("%s of %s (best: %s)", number(loss), name, either(v.best(o))))
	}
	if lost == nil {
		return fmt.Sprintf("%v: no move is better", d)
	}
	return fmt.Sprintf("%v: costs %s", d, strings.Join(lost, ", "))
}

// table lists the values of all moves, a row for each objective. A star marks the best.
func (v *advice) table() []string {
	if v.err != nil {
		return []string{"no advice: " + v.err.Error()}
	}
	var names []string
	for d := range tiles.Direction(tiles.Directions) {
		names = append(names, d.String())
	}
	var s strings.Builder
	command.WriteHints(&s, v.Game, v.Objectives, v.moves[:], names)
	return strings.Split(strings.TrimSuffix(s.String(), "\n"), "\n")
}

// number writes a value with six digits.
func number(x float64) string {
	switch a := math.Abs(x); {
	case math.IsInf(x, 1):
		return "infinitely much"
	case a >= 1e6 && a < 1e15:
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}

func either(all []tiles.Direction) string {
	var words []string
	for _, d := range all {
		words = append(words, d.String())
	}
	return suggest.Either(words)
}
