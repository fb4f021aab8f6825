package npuzzle

import "pagoda/statespace"

// The moves of the empty cell, in the order in which they are numbered.
var directions = [4][2]int{{-1, 0}, {0, -1}, {0, 1}, {1, 0}} // up, left, right, down

// farthest is how far a tracer goes in each direction.
const farthest = 15

// A tracer follows the empty cell in the middle of an endless board. It implements statespace.Tracer.
type tracer struct {
	at    [2*farthest + 1][2*farthest + 1]uint16 // the tile of each cell, by the cell in which it was at first
	row   int8
	col   int8
	sum   uint64
	made  []uint8
	rooms [][4]int8
}

// NewTracer returns a tracer that has made no moves.
func NewTracer() statespace.Tracer {
	t := &tracer{row: farthest, col: farthest, rooms: [][4]int8{{}}}
	for r := range t.at {
		for c := range t.at[r] {
			t.at[r][c] = uint16(r<<8 | c)
		}
	}
	return t
}

// Moves implements statespace.Tracer.
func (t *tracer) Moves() int { return len(directions) }

// scatter returns a checksum of a tile in a cell; 0 if it was there at first.
func scatter(cell, tile uint16) uint64 {
	if cell == tile {
		return 0
	}
	x := uint64(cell)<<16 | uint64(tile)
	x = (x ^ x<<23) * 0x9e3779b97f4a7c15 // steps of SplitMix64
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// slide exchanges the empty cell and the one in a direction.
func (t *tracer) slide(direction uint8) {
	d := directions[direction]
	row, col := t.row+int8(d[0]), t.col+int8(d[1])
	empty, other := &t.at[t.row][t.col], &t.at[row][col]
	here, there := uint16(t.row)<<8|uint16(t.col), uint16(row)<<8|uint16(col)
	t.sum ^= scatter(here, *empty) ^ scatter(there, *other) ^ scatter(here, *other) ^ scatter(there, *empty)
	*empty, *other = *other, *empty
	t.row, t.col = row, col
}

// Do implements statespace.Tracer.
func (t *tracer) Do(move uint8) {
	t.slide(move)
	room := t.rooms[len(t.rooms)-1]
	for i, far := range [4]int8{farthest - t.row, farthest - t.col, t.col - farthest, t.row - farthest} {
		room[i] = max(room[i], far)
	}
	t.made, t.rooms = append(t.made, move), append(t.rooms, room)
}

// Undo implements statespace.Tracer.
func (t *tracer) Undo() {
	last := len(t.made) - 1
	t.slide(3 - t.made[last])
	t.made, t.rooms = t.made[:last], t.rooms[:last+1]
}

// Effect implements statespace.Tracer.
func (t *tracer) Effect(dst []byte) []byte {
	for r := range t.at {
		for c, tile := range t.at[r] {
			if tile != uint16(r<<8|c) {
				dst = append(dst, byte(r), byte(c), byte(tile>>8), byte(tile))
			}
		}
	}
	return dst
}

// Checksum implements statespace.Tracer.
func (t *tracer) Checksum() uint64 { return t.sum }

// Room implements statespace.Tracer.
func (t *tracer) Room() [4]int8 { return t.rooms[len(t.rooms)-1] }
