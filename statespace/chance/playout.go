package chance

import (
	"math/rand/v2"

	"pagoda/statespace"
)

// A Turn is a state of a game that was played, and the move from there.
type Turn struct {
	Layer int
	State uint64
	// Image is an image of the state, Move a move of this image. The images of a game follow one another.
	Image uint64
	Move  statespace.GameMove
	// Draw is the answer of chance; it is nothing if the move has won.
	Draw statespace.GameDraw
}

// A Playout is a game that was played to its end.
type Playout struct {
	Turns []Turn
	// Layer, State and Image are the last ones: those before the last move if it has won.
	Layer int
	State uint64
	Image uint64
	Score float64
	Won   bool
}

// Play plays a game from a state, or one of Game.Start that chance draws if it is nil. Each move is the first of the
// best ones for objective number aim. Image is the image of the state that is shown first.
func (s *Solution) Play(aim int, from *statespace.GameDraw, image uint64, r *rand.Rand) (p Playout, err error) {
	if from == nil {
		start := pick(s.Game.Start(), r)
		from, image = &start, start.To
	}
	p.Layer, p.State, p.Image = from.Step, from.To, image
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
		turn := Turn{Layer: p.Layer, State: p.State, Image: p.Image, Move: choices[i].GameMove}
		p.Score += turn.Move.Gain
		if p.Won = turn.Move.Won; !p.Won {
			turn.Draw = pick(rules.Draws(nil, turn.Move.After), r)
			p.Layer, p.State, p.Image = p.Layer+turn.Draw.Step, turn.Draw.To, turn.Draw.To
		}
		turn.Move, p.Image = s.Game.Follow(turn.Image, turn.Move, turn.Draw)
		p.Turns = append(p.Turns, turn)
		if p.Won {
			return p, nil
		}
	}
}

// pick draws one of some answers of chance.
func pick(all []statespace.GameDraw, r *rand.Rand) statespace.GameDraw {
	share := r.Float64()
	for _, d := range all {
		if share -= d.Chance; share < 0 {
			return d
		}
	}
	return all[len(all)-1]
}
