package play

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"pagoda/cli"
	"pagoda/internal/lists"
	"pagoda/internal/suggest"
	"pagoda/puzzle/tiles/advice"
	"pagoda/puzzle/tiles/glide"
	"pagoda/puzzle/tiles/player"
	"pagoda/statespace/chance"
)

// A judgement is the advice about a state, or why there is none.
type judgement struct {
	*advice.Advice
	err error
}

func judge(g player.Game, solution *chance.Solution, s player.State) (v judgement) {
	v.Advice, v.err = advice.Of(g, solution, s)
	return v
}

// costs returns what a slide loses in the first terms of the objectives: nothing is known to be lost without advice.
func (v *judgement) costs(d glide.Direction) []float64 {
	if v.err != nil {
		return nil
	}
	return v.Costs(d)
}

// after says what a move has cost.
func (v *judgement) after(d glide.Direction) string {
	if v.err != nil {
		return fmt.Sprintf("%v: its cost is not known: %v", d, v.err)
	}
	var lost []string
	for o, of := range v.Objectives {
		loss, term := v.Loss(d, o)
		if loss == 0 {
			continue
		}
		name := of.Name
		if term > 0 {
			name = strings.TrimSpace(strings.Split(name, ">")[term]) + " in " + name
		}
		lost = append(lost, fmt.Sprintf("%s of %s (best: %s)", number(loss), name, either(v.Best(o))))
	}
	if lost == nil {
		return fmt.Sprintf("%v: no move is better", d)
	}
	return fmt.Sprintf("%v: costs %s", d, strings.Join(lost, ", "))
}

// table lists the values of all moves, a row for each objective. A star marks the best.
func (v *judgement) table() []string {
	if v.err != nil {
		return []string{"no advice: " + v.err.Error()}
	}
	var names []string
	for d := range glide.Direction(glide.Directions) {
		names = append(names, d.String())
	}
	var s strings.Builder
	cli.WriteHints(&s, v.Game, v.Objectives, v.Slide[:], names)
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

func either(all []glide.Direction) string {
	return suggest.Either(lists.Map(all, glide.Direction.String))
}
