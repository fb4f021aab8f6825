package sorted

import (
	"fmt"
	"sync/atomic"
)

// A Cache looks codes up in a list whose chunks it keeps decoded. Several goroutines may use it at
// once.
type Cache struct {
	list   *List
	heads  []uint64 // the first code of each chunk
	chunks []atomic.Pointer[decoded]
	sought []atomic.Uint64 // by place of chunks: the chunk in which a code was sought last, plus 1
}

type decoded struct {
	chunk uint64
	codes []uint64
}

// Cache returns a Cache that keeps chunks of about that many bytes, those that were read last, and
// the index.
func (l *List) Cache(bytes uint64) (*Cache, error) {
	c := &Cache{list: l, heads: make([]uint64, 0, l.Chunks()*uint64(l.words))}
	b := buffers.Get().(*buffer)
	defer buffers.Put(b)
	for i := range l.Chunks() {
		head, _, _, _, err := b.ends(l, i)
		if err != nil {
			return nil, err
		}
		c.heads = append(c.heads, head...)
	}
	kept := bytes / (8 * ChunkCodes * uint64(l.words))
	c.chunks = make([]atomic.Pointer[decoded], max(1, min(kept, l.Chunks())))
	c.sought = make([]atomic.Uint64, len(c.chunks))
	return c, nil
}

// Len returns the number of codes.
func (c *Cache) Len() uint64 { return c.list.Len() }

// chunk returns the codes of a chunk.
func (c *Cache) chunk(i uint64) ([]uint64, error) {
	at := &c.chunks[i%uint64(len(c.chunks))]
	if d := at.Load(); d != nil && d.chunk == i {
		return d.codes, nil
	}
	codes, err := c.list.Chunk(make([]uint64, 0, ChunkCodes*c.list.words), i)
	if err == nil {
		at.Store(&decoded{i, codes})
	}
	return codes, err
}

// seek returns how many codes of a chunk are below another one, and whether that is there. A chunk is decoded as a whole
// when it is sought again: far apart, half of it is enough.
func (c *Cache) seek(i uint64, code []uint64) (at int, found bool, err error) {
	place := i % uint64(len(c.chunks))
	if d := c.chunks[place].Load(); (d == nil || d.chunk != i) && c.sought[place].Swap(i+1) != i+1 {
		b := buffers.Get().(*buffer)
		defer buffers.Put(b)
		return b.seek(c.list, i, code)
	}
	codes, err := c.chunk(i)
	if err != nil {
		return 0, false, err
	}
	w := c.list.words
	at = Search(codes, code)
	return at / w, at < len(codes) && !Less(code, codes[at:at+w]), nil
}

// At appends the code of a rank, below Len, to dst.
func (c *Cache) At(dst []uint64, rank uint64) ([]uint64, error) {
	if rank >= c.list.n {
		return dst, fmt.Errorf("rank %d of a list of %d codes", rank, c.list.n)
	}
	codes, err := c.chunk(rank / ChunkCodes)
	if err != nil {
		return dst, err
	}
	return append(dst, codes[int(rank%ChunkCodes)*c.list.words:][:c.list.words]...), nil
}

// Rank returns the number of codes in the list below a code, and whether the code is there.
func (c *Cache) Rank(code []uint64) (rank uint64, found bool, err error) {
	w := c.list.words
	if len(code) != w {
		return 0, false, fmt.Errorf("a code of %d words was sought in a list of codes of %d", len(code), w)
	}
	at := Search(c.heads, code)
	if at < len(c.heads) && !Less(code, c.heads[at:at+w]) {
		return uint64(at/w) * ChunkCodes, true, nil
	}
	if at == 0 {
		return 0, false, nil
	}
	chunk := uint64(at/w) - 1
	at, found, err = c.seek(chunk, code)
	return chunk*ChunkCodes + uint64(at), found, err
}
