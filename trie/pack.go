package trie

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
)

// A packed trie is a line of text, then chunks: the length of a zstd frame as a
// uvarint, and the frame. The first chunk holds the header of the words, eight bytes
// each, the lowest first; so does a chunk of leaves, but all lowest bytes come first,
// then all second ones, and so on. A chunk of nodes holds a byte for each node below
// with bit 0, one for each below with bit 1, and then the bits that these leave out, the
// lowest of each byte first. A chunk is of one level, and all but the last of the level
// have packNodes nodes.
//
// Nodes are numbered as they are first met. So a node below another is often the next
// one of its level that was not met; others are told by how far they are before that.
// The byte is the kind: next, empty, full, or fewer and the number of bits of the
// distance, of which the highest is left out.
const (
	packMagic = "pagoda trie 1\n"
	packNodes = 1 << 16
	packMost  = 1 << 20 // bytes of a chunk, and of its frame
)

const (
	kindNext = iota
	kindEmpty
	kindFull
	kindBack // and more
)

// ErrSize says that a packed trie is larger than the caller wants it.
var ErrSize = errors.New("the trie is too large")

// A Coder compresses chunks of at most 1 MiB by zstd: see package zstd. Both methods append to dst, and may be
// called by several goroutines at once.
type Coder interface {
	EncodeAll(chunk, dst []byte) []byte
	DecodeAll(compressed, dst []byte) ([]byte, error)
}

// Pack writes the trie in a form that takes less than half of the space, for Unpack. The
// nodes must be numbered as Build does.
func (t *Trie) Pack(w io.Writer, coder Coder) error {
	p := packer{w: w, coder: coder}
	if _, err := io.WriteString(w, packMagic); err != nil {
		return fmt.Errorf("pack a trie: %w", err)
	}
	for _, word := range t.words[:headWords+t.height()] {
		p.chunk = binary.LittleEndian.AppendUint64(p.chunk, word)
	}
	p.flush()
	for rest := t.leaves; len(rest) > 0 && p.err == nil; {
		n := min(len(rest), packNodes)
		p.leaves(rest[:n])
		rest = rest[n:]
	}
	for k := 1; k < len(t.levels) && p.err == nil; k++ {
		next := uint32(first)
		for rest := t.levels[k]; len(rest) > 0 && p.err == nil; {
			n := min(len(rest), packNodes)
			next = p.nodes(rest[:n], next)
			rest = rest[n:]
		}
	}
	if p.err != nil {
		return fmt.Errorf("pack a trie: %w", p.err)
	}
	return nil
}

type packer struct {
	w            io.Writer
	coder        Coder
	chunk, frame []byte
	err          error
}

// flush writes a chunk.
func (p *packer) flush() {
	frame := p.coder.EncodeAll(p.chunk, p.frame[:0])
	p.frame, p.chunk = frame, p.chunk[:0]
	if p.err == nil {
		_, p.err = p.w.Write(binary.AppendUvarint(nil, uint64(len(frame))))
	}
	if p.err == nil {
		_, p.err = p.w.Write(frame)
	}
}

func (p *packer) leaves(words []uint64) {
	for shift := 0; shift < 64; shift += 8 {
		for _, w := range words {
			p.chunk = append(p.chunk, byte(w>>shift))
		}
	}
	p.flush()
}

// nodes writes a chunk of nodes, where next is the first node of the level below that
// was not met. It returns that after them.
func (p *packer) nodes(nodes []uint64, next uint32) uint32 {
	p.chunk = append(p.chunk, make([]byte, 2*len(nodes))...)
	var left uint64 // bits to be written
	filled := 0
	for i, node := range nodes {
		for side := range 2 {
			id := uint32(node >> (32 * side))
			kind := byte(id) + kindEmpty
			switch {
			case id <= full:
			case id == next:
				kind = kindNext
				next++
			case id > next:
				p.err = fmt.Errorf("%w: node %d is met before node %d", ErrCorrupt, id, next)
				return next
			default:
				n := bits.Len32(next-id) - 1
				kind = kindBack + byte(n)
				left |= uint64((next-id)&(1<<n-1)) << filled
				for filled += n; filled >= 8; filled -= 8 {
					p.chunk = append(p.chunk, byte(left))
					left >>= 8
				}
			}
			p.chunk[side*len(nodes)+i] = kind
		}
	}
	if filled > 0 {
		p.chunk = append(p.chunk, byte(left))
	}
	p.flush()
	return next
}

// Unpack reads what Pack wrote, up to the end of r, and returns a trie with the same
// words. It fails with ErrSize, before it takes memory for them, when the words would be
// more than maxBytes. Besides them it takes some megabytes.
func Unpack(r io.Reader, coder Coder, maxBytes uint64) (t *Trie, err error) {
	u, err := newUnpacker(r, coder)
	if err == nil {
		t, err = u.unpack(maxBytes)
	}
	if err != nil {
		return nil, fmt.Errorf("unpack a trie: %w", err)
	}
	return t, nil
}

// UnpackedSize returns how many bytes the words of a packed trie take, as its header says.
func UnpackedSize(r io.Reader, coder Coder) (uint64, error) {
	u, err := newUnpacker(r, coder)
	if err != nil {
		return 0, fmt.Errorf("unpack a trie: %w", err)
	}
	return u.size, nil
}

// newUnpacker returns an unpacker that has read the header.
func newUnpacker(r io.Reader, coder Coder) (*unpacker, error) {
	u := &unpacker{r: bufio.NewReaderSize(r, 1<<16), coder: coder}
	return u, u.header()
}

type unpacker struct {
	r            *bufio.Reader
	coder        Coder
	frame, chunk []byte
	words        []uint64
	counts       []uint64 // of nodes, by level
	size         uint64   // of the words, in bytes
}

// header reads up to the first leaf.
func (u *unpacker) header() error {
	magic := make([]byte, len(packMagic))
	if _, err := io.ReadFull(u.r, magic); err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return err
	}
	if string(magic) != packMagic {
		return fmt.Errorf("%w: expected %q at the beginning, found %q", ErrCorrupt, packMagic, magic)
	}
	if err := u.next(); err != nil {
		return err
	}
	if len(u.chunk) < 8*headWords {
		return fmt.Errorf("%w: a header of %d bytes", ErrCorrupt, len(u.chunk))
	}
	h := height(binary.LittleEndian.Uint64(u.chunk))
	if len(u.chunk) != 8*(headWords+h) {
		return fmt.Errorf("%w: the header takes %d bytes, found %d", ErrCorrupt, 8*(headWords+h), len(u.chunk))
	}
	for i := range len(u.chunk) / 8 {
		u.words = append(u.words, binary.LittleEndian.Uint64(u.chunk[8*i:]))
	}
	u.counts, u.size = u.words[headLeaves:], uint64(len(u.chunk))
	for k, nodes := range u.counts {
		if nodes > maxNodes {
			return fmt.Errorf("%w: %d nodes on level %d", ErrCorrupt, nodes, k)
		}
		u.size += 8 * nodes
	}
	return nil
}

func (u *unpacker) unpack(maxBytes uint64) (*Trie, error) {
	if u.size > maxBytes {
		return nil, fmt.Errorf("%w: it takes %d bytes, at most %d were expected", ErrSize, u.size, maxBytes)
	}
	u.words = append(make([]uint64, 0, u.size/8), u.words...) // a page of it takes memory when it is written
	for k, nodes := range u.counts {
		next := uint32(first)
		for rest := nodes; rest > 0; {
			n := min(rest, packNodes)
			rest -= n
			err := u.next()
			if err == nil && k == 0 {
				err = u.leaves(int(n))
			} else if err == nil {
				next, err = u.nodes(int(n), next, first+uint32(u.counts[k-1]))
			}
			if err != nil {
				return nil, fmt.Errorf("level %d: %w", k, err)
			}
		}
	}
	if _, err := u.r.ReadByte(); err != io.EOF {
		return nil, fmt.Errorf("%w: there is more behind its end", ErrCorrupt)
	}
	return Over(u.words)
}

// next reads a chunk.
func (u *unpacker) next() error {
	n, err := binary.ReadUvarint(u.r)
	if err != nil {
		return cutShort(err)
	}
	if n > packMost {
		return fmt.Errorf("%w: a chunk of %d bytes, at most %d were expected", ErrCorrupt, n, packMost)
	}
	if uint64(cap(u.frame)) < n {
		u.frame = make([]byte, n)
	}
	u.frame = u.frame[:n]
	if _, err := io.ReadFull(u.r, u.frame); err != nil {
		return cutShort(err)
	}
	u.chunk, err = u.coder.DecodeAll(u.frame, u.chunk[:0])
	if err != nil {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return nil
}

// cutShort tells that the input ends too soon, unless it could not be read.
func cutShort(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return fmt.Errorf("%w: it is cut short", ErrCorrupt)
	}
	return err
}

func (u *unpacker) leaves(n int) error {
	if len(u.chunk) != 8*n {
		return fmt.Errorf("%w: %d leaves take %d bytes, found %d", ErrCorrupt, n, 8*n, len(u.chunk))
	}
	c := u.chunk
	for i := range n {
		u.words = append(u.words, uint64(c[i])|uint64(c[n+i])<<8|uint64(c[2*n+i])<<16|uint64(c[3*n+i])<<24|
			uint64(c[4*n+i])<<32|uint64(c[5*n+i])<<40|uint64(c[6*n+i])<<48|uint64(c[7*n+i])<<56)
	}
	return nil
}

// nodes reads a chunk of n nodes. The nodes below are those before end; next is the
// first that was not met.
func (u *unpacker) nodes(n int, next, end uint32) (uint32, error) {
	if len(u.chunk) < 2*n {
		return 0, fmt.Errorf("%w: %d nodes take at least %d bytes, found %d", ErrCorrupt, n, 2*n, len(u.chunk))
	}
	kinds, rest := u.chunk[:2*n], u.chunk[2*n:]
	var left uint64 // bits read
	filled := 0
	id := func(kind byte) (uint32, bool) {
		switch kind {
		case kindNext:
			next++
			return next - 1, next <= end
		case kindEmpty, kindFull:
			return uint32(kind - kindEmpty), true
		}
		more := int(kind - kindBack)
		if more > 31 {
			return 0, false
		}
		for filled < more {
			if len(rest) >= 4 {
				left |= uint64(binary.LittleEndian.Uint32(rest)) << filled
				filled += 32
				rest = rest[4:]
			} else if len(rest) > 0 {
				left |= uint64(rest[0]) << filled
				filled += 8
				rest = rest[1:]
			} else {
				return 0, false
			}
		}
		back := uint32(left)&(1<<more-1) | 1<<more
		left >>= more
		filled -= more
		return next - back, back <= next-first
	}
	for i := range n {
		lo, ok := id(kinds[i])
		hi, ok2 := id(kinds[n+i])
		if !ok || !ok2 {
			return 0, fmt.Errorf("%w: node %d of %d in a chunk has no such node below it", ErrCorrupt, i, n)
		}
		u.words = append(u.words, uint64(lo)|uint64(hi)<<32)
	}
	if len(rest) > 0 || filled >= 8 || left != 0 {
		return 0, fmt.Errorf("%w: there is more in a chunk than %d nodes", ErrCorrupt, n)
	}
	return next, nil
}
