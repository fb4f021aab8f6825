package packing

import "slices"

// The moves of keys in a tray of more than MaxCells cells are those of tray.Puzzle.

// expandWide is Expand.
func (k *Keys) expandWide(dst []uint64, key []uint64) []uint64 {
	for _, s := range k.puzzle.Successors(k.metric, k.Position(key)) {
		dst = append(dst, k.Of(s.To)...)
	}
	return dst
}

// validWide is Valid for a key of the right length.
func (k *Keys) validWide(key []uint64) bool {
	pos := k.Position(key)
	return k.puzzle.CheckPosition(pos) == nil && slices.Equal(k.Of(pos), key)
}
