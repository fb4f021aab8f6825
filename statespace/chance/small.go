package chance

import "pagoda/statespace"

// Small returns how many states a game has. It is false if there are more than most. Games from a drawn start may be
// short, whatever Game.Estimate says.
func Small(g statespace.Game, most int) (states int, ok bool) {
	rules := g.NewRules()
	seen := make(map[uint64]bool)
	var found []uint64
	add := func(draws []statespace.GameDraw) {
		for _, d := range draws {
			if !seen[d.To] {
				seen[d.To] = true
				found = append(found, d.To)
			}
		}
	}
	add(g.Start())
	var moves []statespace.GameMove
	var draws []statespace.GameDraw
	for len(found) > 0 {
		if len(seen) > most {
			return 0, false
		}
		state := found[len(found)-1]
		found = found[:len(found)-1]
		moves = rules.Moves(moves[:0], state)
		for _, m := range moves {
			if !m.Won {
				draws = rules.Draws(draws[:0], m.After)
				add(draws)
			}
		}
	}
	return len(seen), true
}
