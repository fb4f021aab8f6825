package statespace

import (
	"context"
	"slices"
)

// StartAt returns the space with the same moves that begins in a state, by the StartAt of its parts, or
// else by From.
func StartAt(ctx context.Context, sp Space, text string) (Space, error) {
	if own := sp.Parts().StartAt; own != nil {
		return own(ctx, text)
	}
	x, err := sp.Parse(text)
	if err != nil {
		return nil, err
	}
	return From(sp, x), nil
}

// From returns a space with the same numbers and moves and another root.
func From(sp Space, root Index) Space { return from{sp, root} }

// from is a space with another root.
type from struct {
	Space
	root Index
}

// Roots implements Space.
func (f from) Roots() []Index { return []Index{f.root} }

// Parts implements Space. What is about the roots of the other space falls away.
func (f from) Parts() Parts {
	p := f.Space.Parts()
	p.EachRoot = nil         // there is one root
	p.Symmetry = Symmetric{} // they keep the other roots
	p.Codes.Graph = nil      // it begins at the other roots
	p.Codes.Numbered = nil   // likewise
	p.Chance = nil           // the game has starts of its own
	if graph := p.Graph; graph != nil {
		p.Graph = func() Graph {
			g := graph()
			g.Roots = slices.Values(f.Roots())
			return g
		}
	}
	if sweep := p.Sweep; sweep != nil {
		p.Sweep = &Sweep{Places: sweep.Places} // the kernels begin at the other roots
	}
	return p
}
