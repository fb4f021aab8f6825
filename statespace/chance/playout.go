package chance

import "math/rand/v2"

// A Turn is a state of a game that was played, and the move from there.
type Turn struct {
	Layer int
	State uint64
	Move  Move
	// Draw is the answer of chance; it is nothing if the move has won.
	Draw Draw
}

// A Playout is a game that was played to its end.
type Playout struct {
	Turns []Turn
	// Layer and State are the last ones: those before the last move if it has won.
	Layer int
	State uint64
	Score float64
	Won   bool
}

// Play plays a game from one of some starts, such as Game.Start, which chance draws. Each move is the first of the best
// ones for objective number aim.
func (s *Solution) Play(aim int, starts []Draw, r *rand.Rand) (p Playout, err error) {
	start := pick(starts, r)
	p.Layer, p.State = start.Step, start.To
	rules := s.Game.NewRules()
	for {
		choices, err := s.Choices(p.Layer, p.State)
		if err != nil {
			return p, err
		}
		if len(choices) == 0 {
			p.Score += rules.Final(p.State)
			return p, nil
		}
		// Chance decides the case first.
		share, known := r.Float64(), choices[len(choices)-1].Case
		for i, c := range choices {
			if i > 0 && choices[i-1].Case == c.Case {
				continue
			}
			if share -= c.Chance; share < 0 {
				known = c.Case
				break
			}
		}
		i := 0
		for choices[i].Case != known || !choices[i].Best[aim] {
			i++
		}
		turn := Turn{Layer: p.Layer, State: p.State, Move: choices[i].Move}
		p.Score += turn.Move.Gain
		if p.Won = turn.Move.Won; !p.Won {
			turn.Draw = pick(rules.Draws(nil, turn.Move.After), r)
			p.Layer, p.State = p.Layer+turn.Draw.Step, turn.Draw.To
		}
		p.Turns = append(p.Turns, turn)
		if p.Won {
			return p, nil
		}
	}
}

// pick draws one of some answers of chance.
func pick(all []Draw, r *rand.Rand) Draw {
	share := r.Float64()
	for _, d := range all {
		if share -= d.Chance; share < 0 {
			return d
		}
	}
	return all[len(all)-1]
}
