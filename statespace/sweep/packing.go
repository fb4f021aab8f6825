package sweep

import (
	"encoding/binary"
	"errors"
	"math/bits"

	"pagoda/bitset"
)

// A block is packed as the gaps between its seeds (see Maker), in the code of Rice, "Some practical
// universal noiseless coding techniques" (1979): the gap without its low bits in unary, then the low
// bits. How many low bits there are depends on the mean gap, see riceBits. Before the gaps is that
// number, as a byte, and the number of gaps, as a varint. A block without members has no bytes.

// riceBits returns the number of low bits with which about n gaps that add up to size take the
// fewest bits: if gaps are geometrically distributed, the best has the mean gap times ln 2.
func riceBits(size, n uint64) int {
	const most = 31 // they are written in one piece
	return min(most, max(1, bits.Len64(size/n*89/128))-1)
}

// appendPacked appends a packed block to dst.
func appendPacked(dst []byte, words []uint64) []byte {
	n := bitset.Count(words)
	if n == 0 {
		return dst
	}
	low := riceBits(uint64(len(words))*64, n)
	dst = binary.AppendUvarint(append(dst, byte(low)), n)
	var bits uint64 // not written yet
	have := 0       // of them, fewer than 32
	next := uint64(0)
	for i, w := range words {
		for ; w != 0; w &= w - 1 {
			x := uint64(i)<<6 | uint64(trailingZeros(w))
			gap := x - next
			next = x + 1
			high := int(gap >> low)
			for ; high >= 32; high -= 32 {
				dst = binary.LittleEndian.AppendUint32(dst, uint32(bits))
				bits >>= 32
			}
			bits |= 1 << (high + have)
			if have += high + 1; have >= 32 {
				dst = binary.LittleEndian.AppendUint32(dst, uint32(bits))
				bits >>= 32
				have -= 32
			}
			bits |= gap & (1<<low - 1) << have
			if have += low; have >= 32 {
				dst = binary.LittleEndian.AppendUint32(dst, uint32(bits))
				bits >>= 32
				have -= 32
			}
		}
	}
	for ; have > 0; have -= 8 {
		dst = append(dst, byte(bits))
		bits >>= 8
	}
	return dst
}

var errPacked = errors.New("a packed block is damaged")

// unpack fills in the words of the block that was packed.
func unpack(words []uint64, data []byte) error {
	clear(words)
	if len(data) == 0 {
		return nil
	}
	low := int(data[0])
	n, used := binary.Uvarint(data[1:])
	size := uint64(len(words)) * 64
	if used <= 0 || low > 31 || n > size {
		return errPacked
	}
	data = data[1+used:]
	var bits uint64
	have := 0
	x := uint64(0)
	for range n {
		if have <= 32 {
			bits, have, data = more(bits, have, data)
		}
		high := uint64(0)
		for bits == 0 {
			high += uint64(have)
			if bits, have, data = more(0, 0, data); have == 0 {
				return errPacked
			}
		}
		zeros := trailingZeros(bits)
		bits >>= zeros + 1
		have -= zeros + 1
		if have < low {
			if bits, have, data = more(bits, have, data); have < low {
				return errPacked
			}
		}
		x += (high+uint64(zeros))<<low | bits&(1<<low-1)
		bits >>= low
		have -= low
		if x >= size {
			return errPacked
		}
		words[x/64] |= 1 << (x % 64)
		x++
	}
	return nil
}

// more reads more bits if there are any. It has at most 32 before, and reads as many at least.
func more(bits uint64, have int, data []byte) (uint64, int, []byte) {
	if len(data) >= 4 {
		return bits | uint64(binary.LittleEndian.Uint32(data))<<have, have + 32, data[4:]
	}
	for _, b := range data {
		bits |= uint64(b) << have
		have += 8
	}
	return bits, have, nil
}

func trailingZeros(w uint64) int { return bits.TrailingZeros64(w) }
