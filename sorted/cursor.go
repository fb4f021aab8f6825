package sorted

import "io"

// A Cursor reads a list in order, chunk by chunk. One goroutine at a time may use it.
type Cursor struct {
	whole *List
	l     List // the same, read ahead
	b     buffer
	chunk uint64   // the next one
	rest  []uint64 // of the codes that Has has read
}

// Cursor returns a cursor before the first code. Of a file it reads at least about readAhead
// bytes at once, and an eighth of that of the index.
func (l *List) Cursor(readAhead int) *Cursor {
	c := &Cursor{whole: l, l: *l}
	if l.file != nil {
		c.l.file = &aheadReader{file: l.file, size: l.Size(), index: l.index, most: max(1, readAhead)}
	}
	return c
}

// Next returns the codes of the next chunk, one after another. They are valid until the next
// call. There are none after the last chunk.
func (c *Cursor) Next() (codes []uint64, err error) {
	if c.chunk >= c.l.Chunks() {
		return nil, nil
	}
	if c.b.codes, err = c.b.chunk(c.b.codes[:0], &c.l, c.chunk); err != nil {
		return nil, err
	}
	c.chunk++
	return c.b.codes, nil
}

// Seek passes over chunks that have only codes below code, without decoding them. It does
// not go back.
func (c *Cursor) Seek(code []uint64) error {
	if c.chunk+1 >= c.l.Chunks() {
		return nil
	}
	_, next, _, _, err := c.b.ends(&c.l, c.chunk)
	if err != nil || Less(code, next) {
		return err
	}
	chunk, _, err := c.b.find(c.whole, code, c.chunk+1)
	if err == nil {
		c.chunk = chunk
	}
	return err
}

// Has reports whether a code is in the list. No code may be below the one of the call before.
// A cursor is for Has or for Next, not for both.
func (c *Cursor) Has(code []uint64) (found bool, err error) {
	w := c.l.words
	for {
		for len(c.rest) > 0 && Less(c.rest[:w], code) {
			c.rest = c.rest[w:]
		}
		if len(c.rest) > 0 {
			return !Less(code, c.rest[:w]), nil
		}
		if err := c.Seek(code); err != nil {
			return false, err
		}
		if c.rest, err = c.Next(); err != nil || len(c.rest) == 0 {
			return false, err
		}
	}
}

// An aheadReader reads more of a file than is needed at once, chunks and index apart.
type aheadReader struct {
	file        io.ReaderAt
	size, index uint64
	most        int
	pieces      [2]struct { // of the chunks, of the index
		first int64
		bytes []byte
	}
}

// ReadAt implements io.ReaderAt for bytes that lie in the file.
func (r *aheadReader) ReadAt(p []byte, offset int64) (int, error) {
	piece, most := &r.pieces[0], r.most
	if uint64(offset) >= r.index {
		piece, most = &r.pieces[1], r.most/8
	}
	if offset < piece.first || offset+int64(len(p)) > piece.first+int64(len(piece.bytes)) {
		n := min(max(most, len(p)), int(int64(r.size)-offset))
		if cap(piece.bytes) < n {
			piece.bytes = make([]byte, n)
		}
		found, err := r.file.ReadAt(piece.bytes[:n], offset)
		piece.first, piece.bytes = offset, piece.bytes[:found]
		if found < len(p) {
			return copy(p, piece.bytes), err
		}
	}
	return copy(p, piece.bytes[offset-piece.first:]), nil
}
