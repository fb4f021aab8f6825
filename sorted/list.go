package sorted

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"sync"
)

// ErrDamaged says that bytes are not a list as a Writer writes it.
var ErrDamaged = errors.New("damaged list")

// A List is a list of codes that is read where it lies. Several goroutines may use it at
// once.
type List struct {
	data  []byte      // the whole list, if file is nil
	file  io.ReaderAt // or where it is
	words int
	n     uint64
	index uint64 // offset
	name  string // of the file, with a colon
}

func (l *List) damaged(format string, args ...any) error {
	return fmt.Errorf("%s%w: %s", l.name, ErrDamaged, fmt.Sprintf(format, args...))
}

// Over returns the list in data, which the caller must not change while it is in use. It
// checks the index: see the package comment.
func Over(data []byte) (*List, error) {
	return open(&List{data: data}, uint64(len(data)))
}

// Open returns the list of size bytes in a file. It holds nothing of it in memory. If the
// file has a method Name, as an os.File, errors begin with the name.
func Open(file io.ReaderAt, size int64) (*List, error) {
	l := &List{file: file}
	if f, ok := file.(interface{ Name() string }); ok {
		l.name = f.Name() + ": "
	}
	return open(l, uint64(max(0, size)))
}

func open(l *List, size uint64) (*List, error) {
	if size < uint64(len(magic)+footerBytes) {
		return nil, l.damaged("it has %d bytes, the shortest list has %d", size, len(magic)+footerBytes)
	}
	b := buffers.Get().(*buffer)
	defer buffers.Put(b)
	head, err := b.read(l, 0, uint64(len(magic)))
	if err != nil {
		return nil, err
	}
	if string(head) != magic {
		return nil, l.damaged("it should begin with %q, and begins with %q", magic, head)
	}
	end := size - footerBytes
	piece, err := b.read(l, end, footerBytes)
	if err != nil {
		return nil, err
	}
	footer := slices.Clone(piece)
	if found := footer[28:]; string(found) != footerMagic {
		return nil, l.damaged("it should end with %q, and ends with %q", footerMagic, found)
	}
	words := binary.LittleEndian.Uint64(footer)
	l.n, l.index = binary.LittleEndian.Uint64(footer[8:]), binary.LittleEndian.Uint64(footer[16:])
	if words < 1 || words > MaxWords {
		return nil, l.damaged("codes should have 1 to %d words, and have %d", MaxWords, words)
	}
	l.words = int(words)
	if entry, chunks := uint64(l.entry()), l.Chunks(); l.index < uint64(len(magic)) || l.index > end || (end-l.index)%entry != 0 || (end-l.index)/entry != chunks {
		return nil, l.damaged("of %d bytes with %d codes, the index should have %d chunks, and is at offset %d", size, l.n, chunks, l.index)
	}
	if err := l.checkIndex(b, footer); err != nil {
		return nil, err
	}
	return l, nil
}

// checkIndex checks the checksum of the index, and that first codes and offsets increase.
func (l *List) checkIndex(b *buffer, footer []byte) error {
	last := make([]uint64, l.words+1)
	this := make([]uint64, l.words+1)
	crc, offset, most := uint32(0), uint64(len(magic)), uint64(len(magic))
	for i := uint64(0); i < l.Chunks(); i += indexPiece {
		n := min(indexPiece, l.Chunks()-i)
		piece, err := b.read(l, l.index+i*uint64(l.entry()), n*uint64(l.entry()))
		if err != nil {
			return err
		}
		crc = crc32.Update(crc, castagnoli, piece)
		for k := range n {
			getWords(this, piece[k*uint64(l.entry()):])
			if at := this[l.words]; at < offset || at > min(most, l.index) {
				return l.damaged("chunk %d should be at offset %d to %d, and is at %d", i+k, offset, min(most, l.index), at)
			}
			if i+k > 0 && !Less(last[:l.words], this[:l.words]) {
				return l.damaged("the first code of chunk %d should be above %x, and is %x", i+k, last[:l.words], this[:l.words])
			}
			offset, most = this[l.words]+chunkHeader, this[l.words]+l.chunkMost()
			last, this = this, last
		}
	}
	if l.index < offset || l.index > most {
		return l.damaged("the index should be at offset %d to %d, and is at %d", offset, most, l.index)
	}
	crc = crc32.Update(crc, castagnoli, footer[:24])
	if want := binary.LittleEndian.Uint32(footer[24:]); crc != want {
		return l.damaged("the checksum of its index should be %08x, and is %08x", want, crc)
	}
	return nil
}

// Len returns the number of codes.
func (l *List) Len() uint64 { return l.n }

// Words returns the number of words of a code.
func (l *List) Words() int { return l.words }

// Chunks returns the number of chunks, see ChunkCodes.
func (l *List) Chunks() uint64 { return l.n/ChunkCodes + min(1, l.n%ChunkCodes) }

// Size returns the bytes of the list.
func (l *List) Size() uint64 { return l.index + uint64(l.entry())*l.Chunks() + footerBytes }

// WriteTo implements io.WriterTo: it copies the list as it is.
func (l *List) WriteTo(w io.Writer) (int64, error) {
	if l.file == nil {
		n, err := w.Write(l.data)
		return int64(n), err
	}
	return io.CopyBuffer(struct{ io.Writer }{w}, struct{ io.Reader }{io.NewSectionReader(l.file, 0, int64(l.Size()))}, make([]byte, 1<<16))
}

// chunkMost returns a bound of the bytes of a chunk: a gap has up to 127 bits.
func (l *List) chunkMost() uint64 { return chunkHeader + ChunkCodes*(16+9*uint64(l.words)) }

// entry returns the bytes of an entry of the index.
func (l *List) entry() int { return 8 * (l.words + 1) }

// slack is how many bytes of the index and the footer, at least, are behind each chunk.
const slack = 16

// getWords reads words from bytes.
func getWords(dst []uint64, p []byte) {
	for i := range dst {
		dst[i] = binary.LittleEndian.Uint64(p[8*i:])
	}
}

// A buffer is what a look-up decodes into.
type buffer struct {
	entries [2*MaxWords + 2]uint64
	bytes   []byte
	codes   []uint64
}

var buffers = sync.Pool{New: func() any { return new(buffer) }}

// read returns n bytes of a list from an offset on. They are valid until the next call.
func (b *buffer) read(l *List, offset, n uint64) ([]byte, error) {
	if l.file == nil {
		return l.data[offset : offset+n], nil
	}
	if uint64(cap(b.bytes)) < n {
		b.bytes = make([]byte, n)
	}
	if found, err := l.file.ReadAt(b.bytes[:n], int64(offset)); uint64(found) < n {
		return nil, fmt.Errorf("%sread %d bytes of a list at offset %d: %w", l.name, n, offset, err)
	}
	return b.bytes[:n], nil
}

// ends returns the first codes of a chunk and of the next one, which is nil for the last chunk,
// and the offsets of the chunk and of its end. It checks the index again, as others may have written to
// it since Open.
func (b *buffer) ends(l *List, chunk uint64) (head, next []uint64, first, end uint64, err error) {
	n := min(2, l.Chunks()-chunk)
	piece, err := b.read(l, l.index+chunk*uint64(l.entry()), n*uint64(l.entry()))
	if err != nil {
		return nil, nil, 0, 0, err
	}
	e := b.entries[:n*uint64(l.words+1)]
	getWords(e, piece)
	head, first, end = e[:l.words], e[l.words], l.index
	if n == 2 {
		next, end = e[l.words+1:][:l.words], e[2*l.words+1]
	}
	if first > end || end > l.index || end-first < chunkHeader || end-first > l.chunkMost() {
		return nil, nil, 0, 0, l.damaged("chunk %d should have %d to %d bytes before offset %d, and lies from %d to %d", chunk, chunkHeader, l.chunkMost(), l.index, first, end)
	}
	return head, next, first, end, nil
}

// chunk decodes a chunk, appending to dst.
func (b *buffer) chunk(dst []uint64, l *List, chunk uint64) ([]uint64, error) {
	head, next, first, end, err := b.ends(l, chunk)
	if err != nil {
		return dst, err
	}
	// Bits are read eight bytes at a time, beyond the chunk as well: the index is there.
	piece, err := b.read(l, first, end-first+slack)
	if err != nil {
		return dst, err
	}
	return l.decode(dst, piece, chunk, head, next)
}

// seek returns how many codes of a chunk are below another one, and whether that is there. Codes of one word are decoded
// as far as that.
func (b *buffer) seek(l *List, chunk uint64, code []uint64) (at int, found bool, err error) {
	if l.words > 1 {
		if b.codes, err = b.chunk(b.codes[:0], l, chunk); err != nil {
			return 0, false, err
		}
		at = Search(b.codes, code)
		return at / l.words, at < len(b.codes) && !Less(code, b.codes[at:at+l.words]), nil
	}
	head, _, first, end, err := b.ends(l, chunk)
	if err != nil {
		return 0, false, err
	}
	piece, err := b.read(l, first, end-first+slack)
	if err != nil {
		return 0, false, err
	}
	return l.seek(piece, chunk, head[0], code[0])
}

// find returns the last chunk, from low on, whose first code is not above a code. It reports
// false if there is none.
func (b *buffer) find(l *List, code []uint64, low uint64) (chunk uint64, ok bool, err error) {
	first, high := low, l.Chunks() // the chunk before low is not above, that of high is
	for low < high {
		mid := (low + high) / 2
		piece, err := b.read(l, l.index+mid*uint64(l.entry()), 8*uint64(l.words))
		if err != nil {
			return 0, false, err
		}
		head := b.entries[:l.words]
		if getWords(head, piece); Less(code, head) {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return low - 1, low > first, nil
}

// Chunk appends the codes of a chunk, below Chunks, to dst: ChunkCodes of them, or fewer if
// it is the last.
func (l *List) Chunk(dst []uint64, chunk uint64) ([]uint64, error) {
	if chunk >= l.Chunks() {
		return dst, fmt.Errorf("chunk %d of a list that has %d", chunk, l.Chunks())
	}
	b := buffers.Get().(*buffer)
	defer buffers.Put(b)
	return b.chunk(dst, l, chunk)
}

// At appends the code of a rank, below Len, to dst. It is quickest for multiples of ChunkCodes.
func (l *List) At(dst []uint64, rank uint64) ([]uint64, error) {
	if rank >= l.n {
		return dst, fmt.Errorf("rank %d of a list of %d codes", rank, l.n)
	}
	b := buffers.Get().(*buffer)
	defer buffers.Put(b)
	if rank%ChunkCodes == 0 {
		head, _, _, _, err := b.ends(l, rank/ChunkCodes)
		return append(dst, head...), err
	}
	var err error
	if b.codes, err = b.chunk(b.codes[:0], l, rank/ChunkCodes); err != nil {
		return dst, err
	}
	return append(dst, b.codes[int(rank%ChunkCodes)*l.words:][:l.words]...), nil
}

// Rank returns the number of codes in the list below a code, and whether the code is there.
func (l *List) Rank(code []uint64) (rank uint64, found bool, err error) {
	if len(code) != l.words {
		return 0, false, fmt.Errorf("a code of %d words was sought in a list of codes of %d", len(code), l.words)
	}
	b := buffers.Get().(*buffer)
	defer buffers.Put(b)
	chunk, ok, err := b.find(l, code, 0)
	if err != nil || !ok {
		return 0, false, err
	}
	at, found, err := b.seek(l, chunk, code)
	return chunk*ChunkCodes + uint64(at), found, err
}
