package spacetest

import (
	"testing"

	"pagoda/statespace"
	"pagoda/statespace/internal/toys"
	"pagoda/statespace/sweep"
)

func TestBrokenSymmetries(t *testing.T) {
	piles := toys.Piles{N: 7}
	exchange := piles.Symmetries()[0]
	cycle := func(x index) index { return [...]index{0, 2, 3, 1}[x] }
	with := func(all ...statespace.Symmetry) symmetric { return symmetric{piles, all} }
	still4 := func(all ...statespace.Symmetry) still {
		return still{toys.NewGraph(4, nil, false, []index{0}, nil), all}
	}
	onWords := func(w words) symmetric {
		w.WordSymmetry = sweep.Plain(exchange, piles.Size())
		return with(w)
	}
	for _, b := range []breach{
		{"image beyond Size", with(toys.Map(func(x index) index { return x + 49 })), lawSymmetry},
		{"root moves", with(toys.Map(func(x index) index { return 48 - x })), lawSymmetry},
		{"layer changes", layeredPiles{with(exchange)}, lawSymmetry},
		{"moves change", with(toys.Map(func(x index) index { // exchanges (0,2) and (2,0) only
			switch x {
			case 2:
				return 14
			case 14:
				return 2
			}
			return x
		})), lawSymmetry},
		{"no permutation", still4(toys.Map(func(x index) index { return [...]index{0, 1, 1, 3}[x] })), lawGroup},
		{"identity", with(exchange, toys.Map(func(x index) index { return x })), lawGroup},
		{"twice", with(exchange, exchange), lawGroup},
		{"no inverse", still4(toys.Map(cycle)), lawGroup},
		{"no group", still4(toys.Map(func(x index) index { return [...]index{0, 2, 1, 3}[x] }), toys.Map(func(x index) index { return [...]index{0, 1, 3, 2}[x] })), lawGroup},
		{"least numbers of words", onWords(words{least: true}), lawWords},
		{"gathered words", onWords(words{gather: true}), lawWords},
		{"blocks that stay", blocksOf{toys.Pairs{N: 3}, func(s statespace.WordSymmetry) statespace.WordSymmetry { return inBlocks{s, false, false} }}, lawWords},
		{"gathered blocks", blocksOf{toys.Pairs{N: 3}, func(s statespace.WordSymmetry) statespace.WordSymmetry { return inBlocks{s, true, true} }}, lawWords},
	} {
		b.check(t, 400)
	}
	if err := Check(t.Context(), still4(toys.Map(cycle), toys.Map(func(x index) index { return cycle(cycle(x)) })), 10); err != nil {
		t.Errorf("a group of three: %v", err)
	}
	Test(t, blocksOf{toys.Pairs{N: 3}, func(s statespace.WordSymmetry) statespace.WordSymmetry { return inBlocks{s, true, false} }}, 50)
}

// layeredPiles has layers that the exchange of the piles does not keep.
type layeredPiles struct{ symmetric }

func (l layeredPiles) Parts() statespace.Parts {
	p := l.symmetric.Parts()
	p.Layers = l
	return p
}

func (l layeredPiles) Layer(x index) int { return int(2*(x/7) + x%7) }

// blocksOf is a Pairs with blocks and with a symmetry that is changed.
type blocksOf struct {
	toys.Pairs
	change func(s statespace.WordSymmetry) statespace.WordSymmetry
}

func (b blocksOf) Parts() statespace.Parts {
	p := withSymmetries(b.Pairs, []statespace.Symmetry{b.change(sweep.Symmetries(b.Pairs)[0])})
	p.Sweep = NewPlainStreamer(b.Pairs).Parts().Sweep
	return p
}

// inBlocks is a symmetry with a kernel for blocks.
type inBlocks struct {
	statespace.WordSymmetry
	takes, wrong bool
}

func (i inBlocks) TakesBlocks(int) bool { return i.takes }

func (i inBlocks) GatherBlock(dst, words []uint64, block uint64) bool {
	sweep.GatherBlock(dst, i.WordSymmetry, block, words)
	dst[0] ^= b2u(i.wrong)
	return true
}

// words is a symmetry with kernels that can be wrong.
type words struct {
	statespace.WordSymmetry
	least, gather bool // wrong
}

func (w words) Least(word uint64) uint64 { return w.WordSymmetry.Least(word) ^ b2u(w.least) }
func (w words) Gather(word uint64, read func(uint64) uint64) uint64 {
	return w.WordSymmetry.Gather(word, read) ^ b2u(w.gather)
}

func b2u(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
