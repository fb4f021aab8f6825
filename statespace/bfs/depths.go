package bfs

import (
	"context"
	"math/bits"

	"pagoda/bitset"
	"pagoda/internal/mapped"
)

// Depths are whole distances: an entry for each number, which is the distance plus 1, or 0 if
// the number is not reached. Each bit of the entries lies in a plane of its own, so a search
// can add another plane when distances grow.
type Depths struct {
	n      uint64
	planes [][]uint64
	memory mapped.Arena
}

func ones(word uint64) uint64 { return uint64(bits.OnesCount64(word)) }

// Len returns the number of entries.
func (d *Depths) Len() uint64 { return d.n }

// Width returns how many bits an entry has. They are just enough for the greatest distance.
func (d *Depths) Width() int { return len(d.planes) }

// Entry returns the entry of a number below Len.
func (d *Depths) Entry(x uint64) (e uint16) {
	for b, plane := range d.planes {
		e |= uint16(plane[x/64]>>(x%64)&1) << b
	}
	return e
}

// Plane returns the words of a plane, not a copy.
func (d *Depths) Plane(bit int) []uint64 { return d.planes[bit] }

// grow adds planes until the entry of a distance fits.
func (d *Depths) grow(ctx context.Context, distance, threads int) error {
	for d.Width() < bits.Len(uint(distance)+1) {
		if d.Width() == MaxDepthBits {
			return errDepth
		}
		words, err := d.memory.Words(ctx, bitset.Words(d.n), threads)
		if err != nil {
			return err
		}
		d.planes = append(d.planes, words)
	}
	return nil
}

// set enters a distance for the numbers of a group of 64 that the word picks.
func (d *Depths) set(group int, word uint64, distance int) {
	for e := uint(distance) + 1; e != 0; e &= e - 1 {
		d.planes[bits.TrailingZeros(e)][group] |= word
	}
}

// Free gives the memory back. A nil Depths has none.
func (d *Depths) Free() {
	if d != nil {
		d.memory.Free()
	}
}

// restore copies planes that a search has saved. There are at most MaxDepthBits of them, and
// each has the right length.
func (d *Depths) restore(planes [][]uint64, threads int) error {
	greatest := 1<<len(planes) - 2
	if err := d.grow(context.Background(), greatest, threads); err != nil {
		return err
	}
	for bit, plane := range planes {
		copy(d.planes[bit], plane)
	}
	return nil
}
