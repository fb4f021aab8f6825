package layers

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/statespace"
)

// The stores.
const (
	SetStore        = "set"
	BackptrStore    = "backptr"
	RawBackptrStore = "backptr-raw"
	RoaringStore    = "roaring"
	TrieStore       = "trie"
	PackedStore     = "packed"
	PackedTrieStore = "packed-trie"
	// CheckpointStore is one bit for each number that a run had found when it was
	// stopped or killed.
	CheckpointStore = "checkpoint"
)

// A Store is a way to keep the states of a space in the sections of a file.
type Store struct {
	Name  string
	About string // for people
	kind  kind
}

// Stores are all stores that a file of states can have.
var Stores = []Store{
	{SetStore, "a bit for each number", setKind{}},
	{BackptrStore, "which move led to each state", backptrKind{}},
	{RawBackptrStore, "the same for each pattern of the board, one of the space or not", rawKind{}},
	{RoaringStore, "a roaring bitmap for each layer", roaringKind{}},
	{TrieStore, "a trie of the numbers, in which equal parts are one", trieKind{}},
	{PackedStore, "the set folded by symmetry and compressed, to share", packedKind{}},
	{PackedTrieStore, "the trie compressed, to share", packedTrieKind{}},
}

var checkpointStore = Store{CheckpointStore, "of a run", setKind{}}

// A kind is what a store does. Spaces are known to have it but for has.
type kind interface {
	// has tells why a space cannot have the store.
	has(sp statespace.Space) error
	// size returns how many bytes its sections take, or 0 when that is not known
	// before they are made.
	size(sp statespace.Space) uint64
	// memory returns about how many bytes it takes to make it of a set in memory.
	memory(sp statespace.Space) uint64
	// write writes its sections, and what is to be said of them.
	write(b *body, j *job) error
	// open finds the states in the sections.
	open(f *File) (bitset.Reader, error)
}

// A job is a set of states that is to be written.
type job struct {
	Making
	sp      statespace.Space
	members bitset.Reader
	meta    *Meta
}

// What the names of files end in.
const (
	Ending       = ".reach"
	PackedEnding = ".reachz"
)

// Ending returns what the names of files of the store end in.
func (s Store) Ending() string {
	if s.Name == PackedStore || s.Name == PackedTrieStore {
		return PackedEnding
	}
	return Ending
}

// FindStore returns the store of a name.
func FindStore(name string) (Store, error) {
	var names []string
	for _, s := range Stores {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return Store{}, fmt.Errorf("the store is %.40q, this program has %s", name, strings.Join(names, ", "))
}

// Has returns an error that tells why a space cannot have the store.
func (s Store) Has(sp statespace.Space) error { return s.kind.has(sp) }

// Memory returns about how many bytes it takes to make the store of a set in memory.
func (s Store) Memory(sp statespace.Space) uint64 { return s.kind.memory(sp) }

// MemoryFrom returns about how many bytes it takes to make the store of a file.
func (s Store) MemoryFrom(f *File) uint64 {
	set := 8 * bitset.Words(f.meta.Size)
	from := f.meta.Store
	isTrie := func(store string) bool { return store == TrieStore || store == PackedTrieStore }
	need := uint64(0)
	if from == PackedTrieStore {
		need = 8 * f.Size() // the trie
	}
	if isTrie(from) && isTrie(s.Name) {
		return need
	}
	switch {
	case from == SetStore: // it is read in the map
	case isTrie(from) || from == PackedStore:
		need += 2 * set // in the order of the store, and in that of the numbers
	case from == RawBackptrStore || s.Name == BackptrStore || s.Name == RawBackptrStore || isTrie(s.Name):
		need += set
	}
	return need + s.kind.memory(f.space)
}

// FileSize returns the size of a file, but for the few thousand bytes of its meta
// section, or 0 when it is not known before the file is made.
func (s Store) FileSize(sp statespace.Space) uint64 {
	n := s.kind.size(sp)
	if n == 0 {
		return 0
	}
	h := header{sums: pageSize + pad(n) + pageSize}
	return h.sums + pad(4*h.blocks())
}

// LoadSet returns the members of a file that was checked as a set: as it is mapped, if
// its store is one, or in memory that free gives back.
func LoadSet(ctx context.Context, members bitset.Reader, threads int) (set *bitset.Set, free func(), err error) {
	switch m := members.(type) {
	case *bitset.Set:
		return m, func() {}, nil
	case setReader:
		return m.Set, func() {}, nil
	}
	memory, err := mapped.Alloc(ctx, bitset.Words(members.Len()), threads)
	if err != nil {
		return nil, nil, err
	}
	free = func() { memory.Free() }
	if set, err = bitset.Over(memory.Words(), members.Len()); err == nil {
		err = mapped.Guard(func() error { return fill(ctx, set, members, threads) })
	}
	if err != nil {
		free()
		return nil, nil, err
	}
	return set, free, nil
}

// A filler is a Reader that is read as a whole in another way than by its blocks.
type filler interface {
	fill(ctx context.Context, set *bitset.Set, threads int) error
}

// fill makes members a set if they are better read as a whole than by blocks.
func (j *job) fill(ctx context.Context) (free func(), err error) {
	if _, ok := j.members.(filler); !ok {
		return func() {}, nil
	}
	set, free, err := LoadSet(ctx, j.members, j.Threads)
	if err == nil {
		j.members = set
	}
	return free, err
}

// fill copies members to an empty set.
func fill(ctx context.Context, set *bitset.Set, members bitset.Reader, threads int) error {
	if f, ok := members.(filler); ok {
		return f.fill(ctx, set, threads)
	}
	return inOrder(ctx, threads, bitset.Blocks(members), func(i uint64) (struct{}, error) {
		to, err := set.Block(i)
		if err != nil {
			return struct{}{}, err
		}
		words, err := members.Block(i)
		copy(to, words)
		return struct{}{}, err
	}, func(struct{}) error { return nil })
}

// inOrder makes the parts of something on several threads, and hands them on in their
// order. When ctx ends, it stops soon and returns the cause.
func inOrder[T any](ctx context.Context, threads int, n uint64, produce func(i uint64) (T, error), take func(T) error) error {
	type order struct {
		i   uint64
		out chan T
	}
	threads = max(1, threads)
	group, ctx := errgroup.WithContext(ctx)
	orders := make(chan order)
	queue := make(chan chan T, 2*threads)
	group.Go(func() error {
		defer close(orders)
		defer close(queue)
		for i := range n {
			o := order{i, make(chan T, 1)}
			select {
			case queue <- o.out:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
			select {
			case orders <- o:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		return nil
	})
	for range threads {
		group.Go(func() error {
			return mapped.Guard(func() error {
				for o := range orders {
					part, err := produce(o.i)
					if err != nil {
						return err
					}
					o.out <- part
				}
				return nil
			})
		})
	}
	group.Go(func() error {
		return mapped.Guard(func() error {
			for out := range queue {
				select {
				case part := <-out:
					if err := take(part); err != nil {
						return err
					}
				case <-ctx.Done():
					return context.Cause(ctx)
				}
			}
			return nil
		})
	})
	return group.Wait()
}

// A part is a section of an open file.
type part struct {
	f *File
	section
}

// part returns a section of the file, which should have so many bytes; ^0 is any
// number.
func (f *File) part(name string, length uint64) (part, error) {
	s, ok := f.header.section(name)
	if !ok || length != anyLength && s.length != length {
		expected := "should be there"
		if length != anyLength {
			expected = fmt.Sprintf("should have %d bytes for %d numbers, and has %d", length, f.meta.Size, s.length)
		}
		return part{}, f.damaged("its section %q %s", name, expected)
	}
	return part{f, s}, nil
}

const anyLength = ^uint64(0)

// bytes returns the bytes in the map, unchecked.
func (p part) bytes() []byte { return p.f.mapped.Bytes()[p.offset:][:p.length:p.length] }

// words returns the words in the map, unchecked.
func (p part) words() []uint64 { return p.f.mapped.Words(p.offset, p.length&^7) }

// check checks what holds n bytes from first on, unless that was done before.
func (p part) check(first, n uint64) error { return p.f.checkRange(p.offset+first, n) }

// checkAll is check for the whole section, on several threads.
func (p part) checkAll(ctx context.Context, threads int) error {
	const chunk = 16 * blockSize
	return inOrder(ctx, threads, (p.length+chunk-1)/chunk, func(i uint64) (struct{}, error) {
		return struct{}{}, p.check(i*chunk, min(chunk, p.length-i*chunk))
	}, func(struct{}) error { return nil })
}

// setKind is one bit for each number.
type setKind struct{}

func (setKind) has(statespace.Space) error { return nil }

func (setKind) size(sp statespace.Space) uint64 { return 8 * bitset.Words(sp.Size()) }

func (setKind) memory(statespace.Space) uint64 { return 0 }

func (setKind) write(b *body, j *job) error {
	free, err := j.fill(b.ctx)
	if err != nil {
		return err
	}
	defer free()
	return b.section("set", func() error {
		if set, ok := j.members.(*bitset.Set); ok {
			return b.write(mapped.Bytes(set.Words()))
		}
		j.start(bitset.Blocks(j.members))
		return inOrder(b.ctx, j.Threads, bitset.Blocks(j.members), j.members.Block, func(words []uint64) error {
			j.Progress.Add(1)
			return b.write(mapped.Bytes(words))
		})
	})
}

func (setKind) open(f *File) (bitset.Reader, error) {
	p, err := f.part("set", 8*bitset.Words(f.meta.Size))
	if err != nil {
		return nil, err
	}
	set, err := bitset.Over(p.words(), f.meta.Size)
	return setReader{set, p}, err
}

// A setReader checks the blocks of a set when they are first looked at.
type setReader struct {
	*bitset.Set
	part
}

// Block implements bitset.Reader.
func (r setReader) Block(i uint64) ([]uint64, error) {
	words, err := r.Set.Block(i)
	if err == nil {
		err = r.check(i<<bitset.BlockBits/8, 8*uint64(len(words)))
	}
	return words, err
}

// A blockCache keeps the blocks of a set that were last made of another store.
type blockCache [64]atomic.Pointer[madeBlock]

type madeBlock struct {
	i     uint64
	words []uint64
}

// get returns a block that was made before, or makes it.
func (c *blockCache) get(i uint64, makeBlock func() ([]uint64, error)) ([]uint64, error) {
	recent := &c[i%uint64(len(c))]
	if b := recent.Load(); b != nil && b.i == i {
		return b.words, nil
	}
	words, err := makeBlock()
	if err == nil {
		recent.Store(&madeBlock{i, words})
	}
	return words, err
}

// wordByHas is Word of a Finder that knows single numbers only.
func wordByHas(r bitset.Finder, i uint64) (word uint64, err error) {
	for b := range min(64, r.Len()-64*i) {
		has, err := r.Has(64*i + b)
		if err != nil {
			return 0, err
		}
		if has {
			word |= 1 << b
		}
	}
	return word, nil
}

// wordsOf returns the number of words of block i of a set of numbers below n.
func wordsOf(i, n uint64) uint64 {
	const perBlock = 1 << bitset.BlockBits / 64
	return min(perBlock, bitset.Words(n)-i*perBlock)
}

// errStore says that a space lacks what a store takes.
func errStore(sp statespace.Space, store, lacks string) error {
	return fmt.Errorf("%s cannot have the store %s: %s", sp.Name(), store, lacks)
}
