package sorted

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math/bits"
)

const (
	// MaxWords is the largest number of words of a code.
	MaxWords = 8
	// ChunkCodes is the number of codes of a chunk. Only the last one may have fewer.
	ChunkCodes = 512

	magic       = "pagoda sorted 1\n"
	footerMagic = "end\n"
	footerBytes = 32
	chunkHeader = 6
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A Writer writes a list. Besides a chunk it keeps the index until Close: for each chunk of
// 512 codes a code and 8 bytes.
type Writer struct {
	w     io.Writer
	words int
	codes []uint64 // of the chunk that is not yet written
	last  []uint64 // the last code
	n     uint64   // codes in all
	size  uint64   // bytes written
	index [][]byte // pieces of indexPiece chunks each
	bits  bitWriter
	err   error
}

const indexPiece = 256

// NewWriter begins a list of codes of 1 to MaxWords words. The list is written
// in pieces of a few hundred bytes up to some thousand: a file needs a buffer before it.
func NewWriter(w io.Writer, words int) (*Writer, error) {
	if words < 1 || words > MaxWords {
		return nil, fmt.Errorf("a list of codes of %d words: expected 1 to %d", words, MaxWords)
	}
	s := &Writer{w: w, words: words, codes: make([]uint64, 0, ChunkCodes*words), last: make([]uint64, words)}
	s.write([]byte(magic))
	return s, s.err
}

// Len returns the number of codes appended so far.
func (w *Writer) Len() uint64 { return w.n }

// Append adds codes, one after another in one slice. Each must be above the one before.
// After an error the list is of no use.
func (w *Writer) Append(codes []uint64) error {
	if len(codes)%w.words != 0 {
		w.fail(fmt.Errorf("codes have %d words each, found %d words", w.words, len(codes)))
	}
	for len(codes) > 0 && w.err == nil {
		some := codes[:min(len(codes), cap(w.codes)-len(w.codes))]
		codes = codes[len(some):]
		for at, last := 0, w.last; at < len(some); at += w.words {
			code := some[at : at+w.words]
			if w.n > 0 && !Less(last, code) {
				w.fail(fmt.Errorf("codes must increase: code %d is %x, after %x", w.n, code, last))
				return w.err
			}
			last = code
			w.n++
		}
		copy(w.last, some[len(some)-w.words:])
		if w.codes = append(w.codes, some...); len(w.codes) == cap(w.codes) {
			w.chunk()
		}
	}
	return w.err
}

// Close writes what is left, the index and the footer, and returns the bytes of the list. It
// does not close the io.Writer.
func (w *Writer) Close() (size uint64, err error) {
	if len(w.codes) > 0 {
		w.chunk()
	}
	first, crc := w.size, uint32(0)
	for _, piece := range w.index {
		crc = crc32.Update(crc, castagnoli, piece)
		w.write(piece)
	}
	footer := make([]byte, 0, footerBytes)
	for _, x := range []uint64{uint64(w.words), w.n, first} {
		footer = binary.LittleEndian.AppendUint64(footer, x)
	}
	footer = binary.LittleEndian.AppendUint32(footer, crc32.Update(crc, castagnoli, footer))
	w.write(append(footer, footerMagic...))
	if w.err != nil {
		return 0, w.err
	}
	w.err = fmt.Errorf("the list is closed")
	return w.size, nil
}

func (w *Writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

func (w *Writer) write(p []byte) {
	if w.err != nil {
		return
	}
	_, w.err = w.w.Write(p)
	w.size += uint64(len(p))
}

// chunk writes the codes that are there.
func (w *Writer) chunk() {
	if last := len(w.index) - 1; last < 0 || len(w.index[last]) == cap(w.index[last]) {
		w.index = append(w.index, make([]byte, 0, indexPiece*8*(w.words+1)))
	}
	entry := &w.index[len(w.index)-1]
	for _, x := range append(w.codes[:w.words:w.words], w.size) {
		*entry = binary.LittleEndian.AppendUint64(*entry, x)
	}
	k, width := w.measure()
	b := &w.bits
	*b = bitWriter{bytes: append(b.bytes[:0], 0, 0, 0, 0, byte(k), byte(width))}
	for before, rest := w.codes[:w.words], w.codes[w.words:]; len(rest) > 0; before, rest = rest[:w.words], rest[w.words:] {
		at := 0
		for rest[at] == before[at] {
			at++
		}
		following := rest[at+1 : w.words]
		if w.words > 1 {
			b.put(1<<len(following), uint(len(following))+1)
		}
		b.putGap(rest[at]-before[at]-1, k)
		for _, x := range following {
			b.put(x, width)
		}
	}
	b.flush()
	binary.LittleEndian.PutUint32(b.bytes, crc32.Checksum(b.bytes[4:], castagnoli))
	w.write(b.bytes)
	w.codes = w.codes[:0]
}

// measure returns the parameter of the gaps of the chunk and the width of trailing words.
func (w *Writer) measure() (k, width uint) {
	var lengths [65]int // by bits: how many gaps have them
	trailing := uint64(0)
	for before, rest := w.codes[:w.words], w.codes[w.words:]; len(rest) > 0; before, rest = rest[:w.words], rest[w.words:] {
		at := 0
		for rest[at] == before[at] {
			at++
		}
		lengths[bits.Len64(rest[at]-before[at]-1)]++
		for _, x := range rest[at+1 : w.words] {
			trailing |= x
		}
	}
	median, below := 0, lengths[0]
	for 2*below < len(w.codes)/w.words-1 {
		median++
		below += lengths[median]
	}
	return uint(max(1, median) - 1), uint(bits.Len64(trailing))
}

// A bitWriter appends bits to bytes, from the lowest of each byte up.
type bitWriter struct {
	bytes []byte
	acc   uint64
	have  uint // bits in acc, below 64
}

// put appends the n lowest bits of x, up to 64; those above are 0.
func (b *bitWriter) put(x uint64, n uint) {
	b.acc |= x << b.have
	if b.have += n; b.have >= 64 {
		b.bytes = binary.LittleEndian.AppendUint64(b.bytes, b.acc)
		b.have -= 64
		b.acc = x >> (n - b.have)
	}
}

// putGap appends a gap, below 2^64-1, in the exponential Golomb code of parameter k, below 64.
func (b *bitWriter) putGap(gap uint64, k uint) {
	y, carry := bits.Add64(gap, 1<<k, 0)
	n := uint(64)
	if carry == 0 {
		n = uint(bits.Len64(y)) - 1
	}
	zeros := n - k
	y &= 1<<n - 1
	if zeros+1+n <= 64 {
		b.put((y<<1|1)<<zeros, zeros+1+n)
		return
	}
	b.put(1<<zeros, zeros+1)
	b.put(y, n)
}

// flush fills the last byte with zeros.
func (b *bitWriter) flush() {
	for ; b.have > 0; b.have -= min(8, b.have) {
		b.bytes = append(b.bytes, byte(b.acc))
		b.acc >>= 8
	}
}
