package lunar

import (
	"math/bits"

	"pagoda/puzzle/lunar/board"
	"pagoda/statespace"
)

// proof is the Proof of the Parts.
func (g *Group) proof() statespace.Proof {
	return statespace.Proof{NewExpander: func() statespace.Expander { return prover{g} }}
}

// A prover takes moves back cell by cell. It shares nothing with the expander but the numbers.
type prover struct{ *Group }

// Expand implements statespace.Expander.
func (v prover) Expand(dst []uint64, first, word uint64, _ *[]uint64) []uint64 {
	for ; word != 0; word &= word - 1 {
		if p, ok := v.representative(first + uint64(bits.TrailingZeros64(word))); ok {
			dst = v.before(dst, p)
		}
	}
	return dst
}

// before appends the states from which moves lead to a problem.
func (v prover) before(dst []uint64, p board.Position) []uint64 {
	exits := v.b.Exits()
	from := func(to, piece, barred board.Set) board.Set { return v.sources(to, p.All()&^piece, barred|piece) }
	if bits.OnesCount64(p.Letters) < v.letters {
		for s := from(exits&^p.All(), 0, exits); s != 0; s &= s - 1 {
			dst = append(dst, v.orbit(board.Position{Letters: p.Letters | s&-s, Numbers: p.Numbers}))
		}
	}
	if p.Solved() {
		return dst
	}
	for left := p.All(); left != 0; left &= left - 1 {
		piece, before, barred := left&-left, p, board.Set(0)
		of := &before.Numbers
		if p.Letters&piece != 0 {
			of, barred = &before.Letters, exits
		}
		others := *of &^ piece
		for s := from(piece, piece, barred); s != 0; s &= s - 1 {
			*of = others | s&-s
			dst = append(dst, v.orbit(before))
		}
	}
	return dst
}

// sources returns the cells from which a piece comes to others in a move. It never is in the barred ones before.
func (v prover) sources(to, others, barred board.Set) (all board.Set) {
	slides := v.b.Metric() == board.SlidesMetric
	for todo := to; todo != 0; {
		cell := bits.TrailingZeros64(todo)
		todo &= todo - 1
		for d := range board.Directions {
			stop := v.b.Next(d, cell)
			if stop < 0 || others>>stop&1 == 0 {
				continue // a piece that slides this way goes on
			}
			for at := v.b.Next(d.Opposite(), cell); at >= 0 && others>>at&1 == 0; at = v.b.Next(d.Opposite(), at) {
				if bit := board.Set(1) << at; (all|barred)&bit == 0 {
					all |= bit
					if !slides {
						todo |= bit
					}
				}
			}
		}
	}
	return all
}
