package packing

import (
	"math/bits"

	"pagoda/puzzle/slide/tray"
)

// findPlain is lanes.find, one lane after the other.
func (t *lanes) findPlain(f *found, m tray.Metric, taken uint64, b boards) {
	f.lanes, f.lanesOn = 0, 0
	for v := range t.vectors {
		rows := t.table[v*t.rows()*8:][:t.rows()*8]
		var open [8]uint64 // where a step needs no taken cell
		for i := range open {
			open[i] = rows[rowCan*8+i]
			for turns := rows[rowTurns*8+i:]; ; turns = turns[8:] {
				open[i] &= bits.RotateLeft64(^taken, int(turns[0]))
				if len(turns) <= 8 {
					break
				}
			}
		}
		for i := range open {
			lane := v*8 + i
			from := open[i] & (b.a ^ rows[rowClass*8+i]) & (b.b ^ rows[rowClass*8+8+i]) & (b.c ^ rows[rowClass*8+16+i])
			f.from[lane] = from
			if from == 0 {
				continue
			}
			f.lanes |= 1 << lane
			if m == tray.Steps {
				continue
			}
			next := open[i] | rows[rowAlways*8+i]
			if m == tray.Moves {
				for k := range 4 {
					next |= open[rows[(rowOthers+k)*8+i]&7]
				}
			}
			advance := int(rows[rowAdvance*8+i])
			f.on[lane] = bits.RotateLeft64(next, -advance) & from
			if f.on[lane] != 0 {
				f.lanesOn |= 1 << lane
			}
		}
	}
}
