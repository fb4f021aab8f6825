package layers

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"sync"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/statespace"
	"pagoda/trie"
)

// trieKind is the words of a trie.
type trieKind struct{ plainKind }

// reading implements kind: it makes a set in the order of the trie, and one in that of the
// numbers.
func (trieKind) reading(f *File) (always, asSet uint64, direct bool) {
	return 0, 2 * 8 * bitset.Words(f.meta.Size), false
}

// readsAs reports whether the store is made from another without a set.
func (trieKind) readsAs(from kind) bool {
	switch from.(type) {
	case trieKind, packedTrieKind:
		return true
	}
	return false
}

// memory implements kind: another set, in the order of the trie, and twice as much for the
// nodes. Their number is not known beforehand; those of 5x7 take less.
func (trieKind) memory(sp statespace.Space) uint64 { return 3 * 8 * bitset.Words(sp.Size()) }

// makeTrie makes the trie of the members.
func makeTrie(ctx context.Context, j *job) (*trie.Trie, error) {
	if r, ok := j.members.(*trieReader); ok {
		return r.Trie()
	}
	set, free, err := LoadSet(ctx, j.members, j.Threads)
	if err != nil {
		return nil, err
	}
	defer free()
	return trie.Build(ctx, set, bitOrder(j.sp), j.Threads)
}

func (trieKind) write(b *body, j *job) error {
	t, err := makeTrie(b.ctx, j)
	if err != nil {
		return err
	}
	return b.section("trie", func() error { return b.write(mapped.Bytes(t.Words())) })
}

func (trieKind) open(f *File) (bitset.Reader, error) {
	p, err := f.part("trie", AnyLength)
	if err == nil && p.length%8 != 0 {
		err = f.damaged("its section \"trie\" should be words of 8 bytes, and has %d bytes", p.length)
	}
	if err != nil {
		return nil, err
	}
	return newTrieReader(p, func() (*trie.Trie, error) { return trie.Over(p.words()) }), nil
}

// packedTrieKind is a packed trie, see trie.Pack. It is unpacked when it is first read.
type packedTrieKind struct {
	trieKind
	coder trie.Coder
}

// reading implements kind: it makes the trie.
func (k packedTrieKind) reading(f *File) (always, asSet uint64, direct bool) {
	_, asSet, _ = trieKind{}.reading(f)
	p, err := f.part("packed trie", AnyLength)
	if err == nil { // if not, it cannot be read at all
		always, _ = trie.UnpackedSize(bytes.NewReader(p.bytes()), k.coder)
	}
	return always, asSet, false
}

func (k packedTrieKind) write(b *body, j *job) error {
	t, err := makeTrie(b.ctx, j)
	if err != nil {
		return err
	}
	return b.section("packed trie", func() error { return t.Pack(b, k.coder) })
}

func (k packedTrieKind) open(f *File) (bitset.Reader, error) {
	p, err := f.part("packed trie", AnyLength)
	if err != nil {
		return nil, err
	}
	return newTrieReader(p, func() (*trie.Trie, error) {
		// A level has at most as many nodes as there are parts of the set, or members.
		parts, most := bitset.Words(f.meta.Size), uint64(64)
		for level := range 59 {
			most += 1 + min(parts>>level, f.meta.States)
		}
		size, err := trie.UnpackedSize(bytes.NewReader(p.bytes()), k.coder)
		if err != nil {
			return nil, err
		}
		if size <= 8*min(most, 1<<60) { // if not, it is damaged
			if err := f.allow(2*size, "its unpacked trie, with the numbers of members"); err != nil {
				return nil, err
			}
		}
		return trie.Unpack(bytes.NewReader(p.bytes()), k.coder, 8*min(most, 1<<60))
	}), nil
}

// A trieReader is the set that a trie holds.
type trieReader struct {
	f      *File
	get    func() (*trie.Trie, error)
	blocks blockCache
}

// newTrieReader returns the reader of a trie in a section. Open returns the trie; it is called once, after
// a look at the checksums of the section.
func newTrieReader(p part, open func() (*trie.Trie, error)) *trieReader {
	f := p.f
	r := &trieReader{f: f}
	r.get = sync.OnceValues(func() (*trie.Trie, error) {
		if err := p.checkAll(context.Background(), runtime.GOMAXPROCS(0)); err != nil {
			return nil, err
		}
		t, err := open()
		if err == nil && (t.Len() != f.meta.Size || t.States() != f.meta.States) {
			err = f.damaged("its trie should have %d of %d numbers, and has %d of %d", f.meta.States, f.meta.Size, t.States(), t.Len())
		}
		return t, r.Told(err)
	})
	return r
}

// Told makes an error that says that the trie is corrupt an error that names the file.
func (r *trieReader) Told(err error) error {
	if errors.Is(err, trie.ErrCorrupt) || errors.Is(err, trie.ErrSize) {
		return r.f.damaged("%v", err)
	}
	return err
}

// Trie returns the trie, whose bytes are checked the first time. Read it within mapped.Guard.
func (r *trieReader) Trie() (*trie.Trie, error) { return r.get() }

// Len implements bitset.Reader.
func (r *trieReader) Len() uint64 { return r.f.meta.Size }

// Block implements bitset.Reader.
func (r *trieReader) Block(i uint64) ([]uint64, error) {
	return r.blocks.get(i, func() ([]uint64, error) { return ofTrie(r, (*trie.Trie).Block, i) })
}

// ofTrie returns what a method of the trie returns.
func ofTrie[A, T any](r *trieReader, method func(*trie.Trie, A) (T, error), arg A) (v T, err error) {
	t, err := r.get()
	if err == nil {
		v, err = method(t, arg)
	}
	return v, r.Told(err)
}

// Has implements bitset.Finder.
func (r *trieReader) Has(x uint64) (bool, error) {
	return ofTrie(r, (*trie.Trie).Has, x)
}

// Word implements bitset.Finder.
func (r *trieReader) Word(i uint64) (uint64, error) { return ofTrie(r, (*trie.Trie).Word, i) }

// fill implements filler.
func (r *trieReader) fill(ctx context.Context, set *bitset.Set, threads int) error {
	t, err := r.get()
	if err != nil {
		return err
	}
	return r.Told(t.Fill(ctx, set.Words(), threads))
}

// prove checks that the trie is the minimal one: see trie.Check.
func (r *trieReader) prove(ctx context.Context, _ *bitset.Set, _ int) error {
	t, err := r.get()
	if err != nil {
		return err
	}
	return r.Told(t.Check(ctx))
}

// Rank implements bitset.Ranker.
func (r *trieReader) Rank(x uint64) (uint64, error) { return ofTrie(r, (*trie.Trie).Rank, x) }

// Select implements bitset.Ranker.
func (r *trieReader) Select(i uint64) (uint64, error) { return ofTrie(r, (*trie.Trie).Select, i) }
