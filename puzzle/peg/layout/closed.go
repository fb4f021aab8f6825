package layout

import (
	"cmp"
	"slices"

	"pagoda/internal/gf2"
	"pagoda/puzzle/peg/board"
)

// maxBases bounds the closed sets whose unions are all candidates.
const maxBases = 12

// groups lists the sets that can be Group, those that the symmetries keep first.
func groups(b *board.Board, block uint64, symmetries []board.Permutation, free func(uint64) int, e *effort) []uint64 {
	e.spend(2 * 100 << maxBases)
	lines := b.LinesIn(block)
	sets := closedSets(lines, block, symmetries, free, minGroupBits, maxGroupBits)
	if len(symmetries) <= 1 {
		return sets
	}
	kept := make(map[uint64]bool, len(sets))
	for _, s := range sets {
		kept[s] = true
	}
	for _, s := range closedSets(lines, block, nil, free, minGroupBits, maxGroupBits) {
		if !kept[s] {
			sets = append(sets, s)
		}
	}
	return sets
}

// closedSets lists closed sets among the cells whose number of free cells is in the given
// range, those with the most first. They are unions of bases: the closures of single
// cells together with their images. If there are many bases, it joins the smallest ones
// first.
func closedSets(lines []board.Line, cells uint64, symmetries []board.Permutation, free func(uint64) int, least, most int) []uint64 {
	var bases []uint64
	for _, c := range gf2.List(cells) {
		if s := closed(lines, imagesOf(symmetries, 1<<c)); free(s) <= most && !slices.Contains(bases, s) {
			bases = append(bases, s)
		}
	}
	seen := make(map[uint64]bool)
	var sets []uint64
	for _, s := range gf2.Unions(bases, maxBases) {
		if n := free(s); n >= least && n <= most && !seen[s] {
			seen[s] = true
			sets = append(sets, s)
		}
	}
	slices.SortFunc(sets, func(s, t uint64) int {
		return cmp.Or(free(t)-free(s), cmp.Compare(s, t))
	})
	return sets
}

// closed grows a set of cells until it is closed under the lines: the ends of a
// line whose middle is in the set are in it too.
func closed(lines []board.Line, set uint64) uint64 {
	for {
		before := set
		for _, l := range lines {
			if set>>l.B&1 == 1 {
				set |= l.Mask()
			}
		}
		if set == before {
			return set
		}
	}
}

// imagesOf returns the union of a set of cells and its images.
func imagesOf(symmetries []board.Permutation, set uint64) (all uint64) {
	all = set
	for _, s := range symmetries {
		all |= s.Image(set)
	}
	return all
}
