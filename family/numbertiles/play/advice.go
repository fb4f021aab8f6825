package play

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pagoda/internal/suggest"
	"pagoda/statespace/tiles"
)

// tie is the relative difference up to which two values count as equal.
const tie = 1e-12

// advice is what an advisor says about a state.
type advice struct {
	objectives []Objective
	values     [tiles.Directions][]float64
	best       [][]tiles.Direction // by objective
	err        error               // there is none
}

func advise(a Advisor, s State) advice {
	v := advice{objectives: a.Objectives()}
	if v.values, v.err = a.Advise(s); v.err != nil {
		return v
	}
	for d, values := range v.values {
		if values != nil && len(values) != len(v.objectives) {
			v.err = fmt.Errorf("%v has %d values, expected %d", tiles.Direction(d), len(values), len(v.objectives))
			return v
		}
		if slices.ContainsFunc(values, math.IsNaN) {
			v.err = fmt.Errorf("%v has a value that is no number", tiles.Direction(d))
			return v
		}
	}
	v.best = make([][]tiles.Direction, len(v.objectives))
	for o := range v.objectives {
		top := math.NaN()
		for d := range v.values {
			if v.values[d] != nil && !(v.worse(o, v.values[d][o], top) >= 0) {
				top = v.values[d][o]
			}
		}
		for d := range v.values {
			if v.values[d] != nil && v.loss(o, top, v.values[d][o]) == 0 {
				v.best[o] = append(v.best[o], tiles.Direction(d))
			}
		}
	}
	return v
}

// worse returns by how much a value is worse than another: below 0 if it is better.
func (v advice) worse(objective int, value, than float64) float64 {
	if value == than {
		return 0 // also of infinities
	}
	if v.objectives[objective].Least {
		return value - than
	}
	return than - value
}

// loss is worse, and 0 for values that are equal but for rounding.
func (v advice) loss(objective int, top, value float64) float64 {
	loss := v.worse(objective, value, top)
	if loss <= tie*math.Max(math.Abs(top), math.Abs(value)) && !math.IsInf(loss, 0) {
		return 0
	}
	return loss
}

// costs returns what a move loses against the best one, by objective.
func (v advice) costs(d tiles.Direction) []float64 {
	costs := make([]float64, len(v.best))
	for o, best := range v.best {
		if len(best) > 0 && v.values[d] != nil {
			costs[o] = v.loss(o, v.values[best[0]][o], v.values[d][o])
		}
	}
	return costs
}

// after says what a move has cost.
func (v advice) after(d tiles.Direction) string {
	if v.err != nil {
		return fmt.Sprintf("%v: its cost is not known: %v", d, v.err)
	}
	var lost []string
	for o, cost := range v.costs(d) {
		if cost != 0 {
			lost = append(lost, fmt.Sprintf("%s of %s (best: %s)", number(cost), v.objectives[o].Name, either(v.best[o])))
		}
	}
	if lost == nil {
		return fmt.Sprintf("%v: no move is better", d)
	}
	return fmt.Sprintf("%v: costs %s", d, strings.Join(lost, ", "))
}

// table lists the values of all moves, a column for each objective. A star marks the best.
func (v advice) table() []string {
	if v.err != nil {
		return []string{"no advice: " + v.err.Error()}
	}
	rows := [][]string{{""}}
	for _, o := range v.objectives {
		rows[0] = append(rows[0], o.Name+" ")
	}
	for d, values := range v.values {
		row := []string{tiles.Direction(d).String()}
		for o := range v.objectives {
			switch {
			case values == nil:
				row = append(row, "- ")
			case v.loss(o, v.values[v.best[o][0]][o], values[o]) == 0:
				row = append(row, number(values[o])+"*")
			default:
				row = append(row, number(values[o])+" ")
			}
		}
		rows = append(rows, row)
	}
	wide := make([]int, len(rows[0]))
	for _, row := range rows {
		for c, cell := range row {
			wide[c] = max(wide[c], len([]rune(cell)))
		}
	}
	var lines []string
	for _, row := range rows {
		line := fmt.Sprintf("%-*s", wide[0], row[0])
		for c := 1; c < len(row); c++ {
			line += fmt.Sprintf("  %*s", wide[c], row[c])
		}
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return lines
}

// number writes a value with six digits.
func number(x float64) string {
	if a := math.Abs(x); a >= 1e6 && a < 1e15 {
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
