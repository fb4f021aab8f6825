package lunar

import (
	"math/bits"

	"pagoda/puzzle/lunar/board"
	"pagoda/puzzle/lunar/solver"
	"pagoda/statespace"
)

// features is the Features of the Texts.
func (g *Group) features() []statespace.Feature {
	r, stranded := board.NewRays(g.b), solver.Impossible(g.b)
	feature := func(name, about string, of func(p board.Position) int) statespace.Feature {
		return statespace.Feature{Name: name, About: about, New: func() func(x statespace.Index) int64 {
			return func(x statespace.Index) int64 {
				p, _ := g.representative(x)
				return int64(of(p))
			}
		}}
	}
	count := func(name, about string, of func(values []uint64) int) statespace.Feature {
		return statespace.Feature{Name: name, About: about, OfValues: func(values []uint64) int64 { return int64(of(values)) }}
	}
	return []statespace.Feature{
		feature("letters", "letter pieces", func(p board.Position) int { return bits.OnesCount64(p.Letters) }),
		feature("branching", "possible moves: cells where a piece can stop", func(p board.Position) int { return branching(r, p, g.b.Exits()) }),
		feature("stranded", "1 if letters are plainly stranded, so that no search is needed; else 0", func(p board.Position) int {
			if stranded(p) != "" {
				return 1
			}
			return 0
		}),
		count("significant", "number pieces that are significant in all best solutions", func(v []uint64) int {
			return bits.OnesCount64(v[AlwaysColumn])
		}),
		count("insignificant", "number pieces that are significant in no best solution", func(v []uint64) int {
			return g.numbers - bits.OnesCount64(v[SomeColumn])
		}),
	}
}

// branching returns how many moves are possible that differ in the piece or in the cell where it stops.
func branching(r *board.Rays, p board.Position, exits board.Set) (n int) {
	if p.Solved() {
		return 0
	}
	for left := p.All(); left != 0; left &= left - 1 {
		piece := left & -left
		leaves := exits
		if piece&p.Letters == 0 {
			leaves = 0
		}
		n += bits.OnesCount64(r.Targets(piece, p.All()&^piece, leaves))
	}
	return n
}
