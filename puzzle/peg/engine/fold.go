package engine

import (
	"slices"

	"pagoda/internal/lists"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/layout"
)

// A fold is a symmetry of the start that takes blocks to blocks, compiled for the sweep.
type fold struct {
	*board.Symmetry
	pulls []int          // by pull: its image
	block [4][256]uint32 // by byte of a block's number: what it flips in the image
	zero  uint32         // the image of block 0
	*blockMap
}

// newFold compiles a symmetry. The jumps are those of the pulls, in their order.
func newFold(b *blocks, jumps []board.Jump, s *board.Symmetry) *fold {
	zero := s.Map(0)
	f := &fold{Symmetry: s, zero: uint32(zero >> b.bits), blockMap: newBlockMap(s.Columns()[:b.bits]), pulls: jumpImages(jumps, s)}
	for i := range f.block {
		for x := range f.block[i] {
			if block := uint64(x) << (8 * i); block < b.count() {
				f.block[i][x] = uint32((s.Map(block<<b.bits) ^ zero) >> b.bits)
			}
		}
	}
	return f
}

// jumpImages returns which of the jumps is the image of each.
func jumpImages(jumps []board.Jump, s *board.Symmetry) []int {
	return lists.Map(jumps, func(j board.Jump) int {
		return slices.Index(jumps, board.Jump{From: s.Cells[j.From], Over: s.Cells[j.Over], To: s.Cells[j.To]})
	})
}

// image returns the image of a block.
func (f *fold) image(block uint32) uint32 {
	return f.zero ^ f.block[0][byte(block)] ^ f.block[1][byte(block>>8)] ^ f.block[2][byte(block>>16)] ^ f.block[3][block>>24]
}

// symmetriesOf returns the symmetries of folds.
func symmetriesOf(folds []*fold) []*board.Symmetry {
	return lists.Map(folds, func(f *fold) *board.Symmetry { return f.Symmetry })
}

// A folding is what a stream of representatives needs: the folds, and the schedule.
type folding struct {
	*blocks
	*schedule
	layout *layout.Layout
	folds  []*fold
}

// newFolding compiles the symmetries, which must keep the layout. It leaves out the
// schedule, whose tables have an entry for each block.
func newFolding(c *board.Class, l *layout.Layout, symmetries []*board.Symmetry) *folding {
	f := &folding{blocks: newBlocks(c, l.BlockBits, l.Block), layout: l}
	jumps := l.Leaving()
	for _, s := range symmetries {
		f.folds = append(f.folds, newFold(f.blocks, jumps, s))
	}
	return f
}
