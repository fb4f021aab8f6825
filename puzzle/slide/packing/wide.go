package packing

import (
	"math/bits"

	"pagoda/puzzle/slide/tray"
)

// A wide makes the moves of keys in a tray of more than MaxCells cells. It stands at a key. Pieces
// have the numbers of their fields in a key, and a set of pieces is a word.
type wide struct {
	*Keys
	// directions are those of the tray.
	directions []tray.Direction
	taken      tray.Set
	// For each piece that can take a step in a direction: the pieces that move when it does, with
	// itself, and the pieces that make it move.
	moves, movers [MaxCells]uint64

	sets   int // that have been moved in a direction
	dst    []uint64
	pieces []int   // that move
	path   []uint8 // their anchors at the stations of their path
}

func newWide(k *Keys) *wide {
	w := &wide{Keys: k}
	for d := range k.puzzle.Directions() {
		w.directions = append(w.directions, d)
	}
	return w
}

// seek goes to a key.
func (w *wide) seek(key []uint64) {
	copy(w.key, key)
	w.taken = tray.Set{}
	for i := range w.fields {
		w.at[i] = min(w.anchor(key, i), uint8(len(w.kinds[i].Mask)-1)) // a damaged key makes no panic
		w.taken = w.taken.Union(*w.mask(i))
	}
}

// mask returns the cells of a piece.
func (w *wide) mask(i int) *tray.Set { return &w.kinds[i].Mask[w.at[i]] }

// expand is Keys.Expand.
func (w *wide) expand(dst, key []uint64) []uint64 {
	w.seek(key)
	w.dst = dst
	if !w.metric.Super() {
		for i := range w.kinds {
			w.move(1<<i, w.directions...)
		}
		return w.dst
	}
	for _, d := range w.directions {
		w.sets = 0
		w.eachSet(0, w.findMoves(d), d)
	}
	return w.dst
}

// findMoves finds which pieces each piece pushes when it takes a step in a direction. It returns the
// pieces that can take one.
func (w *wide) findMoves(d tray.Direction) (can uint64) {
	clear(w.movers[:len(w.kinds)])
	for i := range w.kinds {
		set := uint64(1) << i
		stopped := false
		for todo := set; todo != 0 && !stopped; {
			j := bits.TrailingZeros64(todo)
			todo &= todo - 1
			to := w.kinds[j].Next[d][w.at[j]]
			if stopped = to == tray.None; stopped {
				break
			}
			need := w.kinds[j].Mask[to].Without(*w.mask(j))
			if !need.Meets(&w.taken) {
				continue
			}
			for k := range w.kinds {
				if set>>k&1 == 0 && need.Meets(w.mask(k)) {
					set |= 1 << k
					todo |= 1 << k
				}
			}
		}
		if stopped {
			continue
		}
		can |= 1 << i
		w.moves[i] = set
		for m := set; m != 0; m &= m - 1 {
			w.movers[bits.TrailingZeros64(m)] |= 1 << i
		}
	}
	return can
}

// eachSet moves each set of pieces that can take a step in a direction, once. The sets have the
// pieces in, and some of the open pieces, each with those that it pushes.
func (w *wide) eachSet(in, open uint64, d tray.Direction) {
	if open == 0 {
		if in != 0 {
			if w.sets++; w.sets > maxSets {
				throwSets()
			}
			w.move(in, d)
		}
		return
	}
	i := bits.TrailingZeros64(open)
	w.eachSet(in|w.moves[i], open&^w.moves[i], d)
	w.eachSet(in, open&^w.movers[i], d)
}

// move appends the keys with a set of pieces where moves lead it that begin in some directions.
func (w *wide) move(set uint64, directions ...tray.Direction) {
	w.pieces, w.path = w.pieces[:0], w.path[:0]
	others := w.taken
	for ; set != 0; set &= set - 1 {
		i := bits.TrailingZeros64(set)
		w.pieces = append(w.pieces, i)
		w.path = append(w.path, w.at[i])
		others = others.Without(*w.mask(i))
	}
	switch w.metric.Single() {
	case tray.Steps, tray.Lines:
		for _, d := range directions {
			for station := 0; w.step(station, d, &others); station++ {
				w.emit()
				if w.metric.Single() == tray.Steps {
					break
				}
			}
			w.path = w.path[:len(w.pieces)]
		}
	case tray.Moves:
		// The first piece says where all of them are.
		next := &w.kinds[w.pieces[0]].Next
		var reached tray.Set
		reached.Add(int(w.path[0]))
		for station := 0; station*len(w.pieces) < len(w.path); station++ {
			for _, d := range w.directions {
				to := int(next[d][w.path[station*len(w.pieces)]])
				if to != tray.None && !reached.Has(to) && w.step(station, d, &others) {
					reached.Add(to)
					w.emit()
				}
			}
		}
	}
}

// step appends a station to the path, one step from another one. It reports false if a wall or
// another piece is in the way.
func (w *wide) step(station int, d tray.Direction, others *tray.Set) bool {
	n := len(w.path)
	for j, i := range w.pieces {
		k := w.kinds[i]
		to := k.Next[d][w.path[station*len(w.pieces)+j]]
		if to == tray.None || k.Mask[to].Meets(others) {
			w.path = w.path[:n]
			return false
		}
		w.path = append(w.path, uint8(to))
	}
	return true
}

// emit appends the key with the pieces at the last station of their path.
func (w *wide) emit() {
	n := len(w.pieces)
	last := w.path[len(w.path)-n:]
	w.dst = append(w.dst, w.key...)
	key := w.dst[len(w.dst)-w.words:]
	if n == 1 {
		w.put1(key, w.choices[w.pieces[0]], w.pieces[0], last[0])
		return
	}
	at := w.at
	for j, i := range w.pieces {
		at[i] = last[j]
	}
	w.putAll(key, &at)
}
