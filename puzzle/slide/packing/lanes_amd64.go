//go:build !purego

package packing

import (
	"golang.org/x/sys/cpu"

	"pagoda/puzzle/slide/tray"
)

// hasVectors says that the processor has what lanes need to be faster than one piece after the other.
var hasVectors = cpu.X86.HasAVX512F && cpu.X86.HasBMI2

// find finds the steps of pieces on boards among taken cells. Pieces that can go on are found for Lines, which go
// on in the same direction, and Moves. Tests have it without vectors, as findPlain.
func (t *lanes) find(f *found, m tray.Metric, taken uint64, b boards) {
	f.lanes, f.lanesOn = findAVX512(&t.table[0], t.vectors, t.turns, m, ^taken, b, &f.from[0])
}

// findAVX512 is lanes.find. It writes to found.from and, unless the metric is Steps, to found.on, which
// lies 448 bytes behind.
//
//go:noescape
func findAVX512(table *uint64, vectors, turns int, m tray.Metric, free uint64, b boards, from *uint64) (lanes, lanesOn uint64)

// movable finds the pieces that can take a step in each direction when they push others. It has a bit for
// each piece, in the order of first cells.
func (t *lanes) movable(can *[8]uint64, b boards) {
	flat := 1
	if t.shift == 3 {
		flat = 0
	}
	movableAVX512(&t.table[0], &t.spread[0], t.vectors, t.turns, t.cells, b, flat, &can[0])
}

// movableAVX512 is lanes.movable. In a flat tray, two classes share a vector.
//
//go:noescape
func movableAVX512(table, spread *uint64, vectors, turns, cells int, b boards, flat int, can *uint64)
