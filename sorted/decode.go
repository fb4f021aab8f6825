package sorted

import (
	"encoding/binary"
	"hash/crc32"
	"math/bits"
	"slices"
)

// decode decodes a chunk, appending to dst. It lies in data, with slack bytes of the file
// behind it. Its first code is head, and its codes are below next, if that is not nil.
func (l *List) decode(dst []uint64, data []byte, chunk uint64, head, next []uint64) ([]uint64, error) {
	d, n, k, width, err := l.begin(data, chunk)
	if err != nil {
		return dst, err
	}
	end := len(data) - slack
	at := len(dst)
	dst = append(dst, head...)
	if l.words == 1 {
		dst = slices.Grow(dst, n-1)[:at+n]
		dst = dst[:at+1+d.gaps(dst[at+1:], head[0], k)]
	} else {
		dst = d.codes(dst, n-1, l.words, k, width)
	}
	if found := (len(dst) - at) / l.words; found < n {
		return dst[:at], l.damaged("chunk %d should have %d codes that increase, and has %d", chunk, n, found)
	}
	if found := int(d.pos+7) / 8; found != end {
		return dst[:at], l.damaged("chunk %d should have %d bytes, and has %d", chunk, found, end)
	}
	if next != nil && !Less(dst[len(dst)-l.words:], next) {
		return dst[:at], l.damaged("the last code of chunk %d should be below %x, and is %x", chunk, next, dst[len(dst)-l.words:])
	}
	return dst, nil
}

// begin compares a chunk with its checksum, and returns a reader of its codes behind the first, how many codes there
// are, and the parameters of the chunk.
func (l *List) begin(data []byte, chunk uint64) (d bitReader, n int, k, width uint, err error) {
	end := len(data) - slack
	if want, found := binary.LittleEndian.Uint32(data), crc32.Checksum(data[4:end], castagnoli); found != want {
		return d, 0, 0, 0, l.damaged("the checksum of chunk %d should be %08x, and is %08x", chunk, want, found)
	}
	if k, width = uint(data[4]), uint(data[5]); k > 63 || width > 64 {
		return d, 0, 0, 0, l.damaged("chunk %d has the parameters %d and %d, above 63 and 64", chunk, k, width)
	}
	return bitReader{data: data, pos: 8 * chunkHeader, end: uint(8 * end)}, int(min(ChunkCodes, l.n-chunk*ChunkCodes)), k, width, nil
}

// seek returns how many codes of a chunk of codes of one word are below another one, and whether that is there. It
// decodes the chunk only as far as that.
func (l *List) seek(data []byte, chunk, head, code uint64) (at int, found bool, err error) {
	d, n, k, _, err := l.begin(data, chunk)
	if err != nil || code <= head {
		return 0, code == head, err
	}
	var some [64]uint64
	for at, last := 1, head; at < n; at += len(some) {
		part := some[:min(len(some), n-at)]
		if found := d.gaps(part, last, k); found < len(part) {
			return 0, false, l.damaged("chunk %d should have %d codes that increase, and has %d", chunk, n, at+found)
		}
		if last = part[len(part)-1]; last >= code {
			i, found := slices.BinarySearch(part, code)
			return at + i, found, nil
		}
	}
	return n, false, nil
}

// A bitReader reads bits of data up to bit end. There are slack bytes behind that.
type bitReader struct {
	data     []byte
	pos, end uint
}

// gaps fills dst with codes of one word, the first of them after last. It returns how many there
// are before the codes do not increase, or the bits are long used up.
func (d *bitReader) gaps(dst []uint64, last uint64, k uint) int {
	data, at, limit := d.data, d.pos>>3, d.end>>3+8
	acc, have := uint64(0), uint(0) // bits before byte at
	if rest := d.pos & 7; rest > 0 {
		acc, have = uint64(data[at])>>rest, 8-rest
		at++
	}
	for i := range dst {
		if at > limit {
			d.pos = 8*at - have
			return i
		}
		acc |= binary.LittleEndian.Uint64(data[at:]) << (have & 63)
		at += (63 - have) >> 3
		have |= 56
		zeros := uint(bits.TrailingZeros64(acc))
		gap := uint64(0)
		if n := zeros + k; n+zeros < 56 { // all of it is in acc
			bit := uint64(1) << (n & 63)
			gap = acc>>((zeros+1)&63)&(bit-1) + bit - 1<<(k&63)
			acc >>= (n + zeros + 1) & 63
			have -= n + zeros + 1
		} else {
			d.pos = 8*at - have
			gap = d.gap(k)
			at, acc, have = d.pos>>3, 0, 0
			if rest := d.pos & 7; rest > 0 && d.pos < d.end {
				acc, have = uint64(data[at])>>rest, 8-rest
				at++
			}
		}
		code := last + gap + 1
		if code <= last {
			d.pos = 8*at - have
			return i
		}
		dst[i] = code
		last = code
	}
	d.pos = 8*at - have
	return len(dst)
}

// codes is gaps for codes of several words.
func (d *bitReader) codes(dst []uint64, n, words int, k, width uint) []uint64 {
	for range n {
		following := int(d.zeros())
		if following >= words || d.pos >= d.end {
			break
		}
		before := dst[len(dst)-words:]
		dst = append(dst, before...)
		code := dst[len(dst)-words:]
		first := words - 1 - following
		code[first] += d.gap(k) + 1
		for i := range code[first+1:] {
			code[first+1+i] = d.get(width)
		}
		if code[first] <= before[first] || d.pos > d.end {
			return dst[:len(dst)-words]
		}
	}
	return dst
}

// gap returns a gap. If the bits are used up, it means nothing and pos is behind end.
func (d *bitReader) gap(k uint) uint64 {
	n := d.zeros() + k
	if n > 64 {
		d.pos = d.end + 1
	}
	return d.get(n) + 1<<n - 1<<k
}

// zeros returns the number of 0 bits before the next 1, which is passed over as well. It is at
// most 64.
func (d *bitReader) zeros() (n uint) {
	for n < 64 && d.pos < d.end {
		x := binary.LittleEndian.Uint64(d.data[d.pos>>3:]) >> (d.pos & 7)
		valid := 64 - d.pos&7
		if some := uint(bits.TrailingZeros64(x)); some < valid {
			d.pos += some + 1
			return min(64, n+some)
		}
		n += valid
		d.pos += valid
	}
	d.pos = d.end + 1
	return 64
}

// get returns the next n bits, up to 64. Behind the end they mean nothing.
func (d *bitReader) get(n uint) (x uint64) {
	if n > 56 {
		x = d.get(32)
		return x | d.get(n-32)<<32
	}
	if d.pos < d.end {
		x = binary.LittleEndian.Uint64(d.data[d.pos>>3:]) >> (d.pos & 7) & (1<<n - 1)
	}
	d.pos += n
	return x
}
