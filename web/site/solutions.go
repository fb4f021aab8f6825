package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"pagoda/internal/lists"
	"pagoda/statespace"
)

// solutions writes a shortest solution of each level that has one, by their IDs, and returns the name of the file. The page
// reads it for hints before the engine has come, and for cards on paper. A move is a text: the letter of a piece and its
// way, such as gDR, or the row and column from which a peg jumps and those to which it jumps, such as 2000.
func (s *site) solutions(ctx context.Context, all []*pack) (string, error) {
	type question struct{ id, pattern, target string }
	asks := make(map[string][]question) // by the name of the space
	for _, p := range all {
		for _, l := range p.Levels {
			space, target, _ := strings.Cut(l.ID, " ")
			switch {
			case l.Goal != nil: // of a game against chance
			case l.Target != "":
				asks[space] = append(asks[space], question{l.ID, l.Pattern, target})
			case l.Pattern != "":
				asks[deckSpace] = append(asks[deckSpace], question{l.ID, l.Pattern, ""})
			default:
				asks[space] = append(asks[space], question{l.ID, "", ""})
			}
		}
	}
	solutions := make(map[string]string)
	for space, questions := range asks {
		sp, err := s.space(ctx, space, nil)
		if err != nil {
			return "", err
		}
		_, err = s.asked(ctx, sp, func(ask asker) error {
			var about struct{ Board struct{ Start string } }
			if err := ask("/api/space", "", "", &about); err != nil {
				return err
			}
			for _, q := range questions {
				body := statespace.Encode(map[string]string{"pattern": cmp.Or(q.pattern, about.Board.Start), "target": q.target})
				type jump struct{ From, To [2]int }
				type move struct{ Pieces, Path, Move string } // Lunar Lockout has moves like 4-LU
				var hint struct {
					Moves    []jump
					Solution *struct{ Moves []move }
				}
				if err := ask("/api/hint", "", string(body), &hint); err != nil {
					return err
				}
				var moves []string
				if hint.Solution != nil {
					moves = lists.Map(hint.Solution.Moves, func(m move) string { return strings.ReplaceAll(m.Move, "-", "") + m.Pieces + m.Path })
				} else {
					moves = lists.Map(hint.Moves, func(j jump) string { return fmt.Sprintf("%d%d%d%d", j.From[0], j.From[1], j.To[0], j.To[1]) })
				}
				solutions[q.id] = strings.Join(moves, " ")
			}
			return nil
		})
		if err != nil {
			return "", fmt.Errorf("%s: %w", space, err)
		}
	}
	return s.add("solutions.json", statespace.Encode(solutions))
}
