package chance

import "pagoda/statespace"

// A Solution is a solved game.
type Solution struct {
	Game       statespace.Game
	Objectives []Objective
	// Lookup puts the values of a state into dst, which has room for all columns as Columns counts them. Several
	// goroutines may call it.
	Lookup func(dst []float64, layer int, state uint64) error
	// Rounding is the relative difference that values may have from the exact ones; 0 stands for that of
	// floating-point numbers of 64 bits. See Term.Loss.
	Rounding float64
}

// A Choice is a move of a state with what it is worth.
type Choice struct {
	statespace.GameMove
	// Values has what the move is worth, by column as Columns counts them.
	Values []float64
	// Best says for each objective whether the move is a best one among those of its Case.
	Best []bool
}

// Choices returns the moves of a state, or of an image of a state, in the order of Rules.Moves, with their values.
func (s *Solution) Choices(layer int, state uint64) ([]Choice, error) {
	rules, mean := s.Game.NewRules(), NewMeans(s.Objectives)
	mark := rules.Mark(state)
	values := make([]float64, Columns(s.Objectives))
	var draws []statespace.GameDraw
	var choices []Choice
	for _, m := range rules.Moves(nil, state) {
		after := make([]float64, len(values))
		if !m.Won {
			draws = rules.Draws(draws[:0], m.After)
			for _, d := range draws {
				if err := s.Lookup(values, layer+d.Step, d.To); err != nil {
					return nil, err
				}
				mean.Add(d.Chance, values)
			}
			mean.end(after)
		}
		for c := range after {
			t := &mean.columns[c]
			after[c] = t.worth(&m, after[c])
			if v, ok := t.reached(mark); ok {
				after[c] = v
			}
		}
		choices = append(choices, Choice{m, after, make([]bool, len(s.Objectives))})
	}
	for low := 0; low < len(choices); {
		high := low + 1
		for high < len(choices) && choices[high].Case == choices[low].Case {
			high++
		}
		c := 0
		for i, o := range s.Objectives {
			var left []int
			for m := low; m < high; m++ {
				left = append(left, m)
			}
			for range o.Terms {
				narrow(&mean.columns[c], &left, mark, func(m int) float64 { return choices[m].Values[c] })
				c++
			}
			for _, m := range left {
				choices[m].Best[i] = true
			}
		}
		low = high
	}
	return choices, nil
}
