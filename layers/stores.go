package layers

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/statespace"
)

// The stores.
const (
	SetStore        = "set"
	FoldedStore     = "folded"
	BackptrStore    = "backptr"
	RawBackptrStore = "backptr-raw"
	RoaringStore    = "roaring"
	TrieStore       = "trie"
	PackedStore     = "packed"
	PackedTrieStore = "packed-trie"
	Mod3Store       = "mod3"
	// CheckpointStore is what a run had found when it was stopped or killed: one bit for
	// each number, or blocks of a stream.
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
	{FoldedStore, "the set folded by the symmetries of the start, a block of each orbit", foldedKind{}},
	{BackptrStore, "which move led to each state", backptrKind{}},
	{RawBackptrStore, "the same for each pattern of the board, one of the space or not", rawKind{}},
	{RoaringStore, "a roaring bitmap for each layer", roaringKind{}},
	{TrieStore, "a trie of the numbers, in which equal parts are one", trieKind{}},
	{PackedStore, "the set folded by symmetry and compressed, to share", packedKind{}},
	{PackedTrieStore, "the trie compressed, to share", packedTrieKind{}},
	{Mod3Store, "the distance from the start modulo 3, of puzzles whose moves can be taken back", mod3Kind{}},
}

var checkpointStore = Store{CheckpointStore, "of a run", checkpointKind{}}

// A kind is what a store does, with spaces that fit.
type kind interface {
	// fits tells why a space cannot have the store.
	fits(sp statespace.Space) error
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

// Fits returns an error that tells why a space cannot have the store.
func (s Store) Fits(sp statespace.Space) error { return s.kind.fits(sp) }

// Memory returns about how many bytes it takes to make the store of a set in memory.
func (s Store) Memory(sp statespace.Space) uint64 { return s.kind.memory(sp) }

// NeedsSet reports whether the store is made of a set in memory, and not of its blocks one
// after another.
func (s Store) NeedsSet() bool {
	switch s.Name {
	case BackptrStore, RawBackptrStore, TrieStore, PackedTrieStore:
		return true
	}
	return false
}

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
	case from == RawBackptrStore || s.NeedsSet():
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
	case *setReader:
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
	into, unfolds := members.(interface {
		Fill(words []uint64, first uint64) error
	})
	return forEach(ctx, threads, bitset.Blocks(members), func(i uint64) error {
		to, err := set.Block(i)
		if err != nil {
			return err
		}
		if unfolds { // a block need not be made to be copied
			return into.Fill(to, i<<bitset.BlockBits/64)
		}
		words, err := members.Block(i)
		copy(to, words)
		return err
	})
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
