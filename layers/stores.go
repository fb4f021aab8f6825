package layers

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/statespace"
	"pagoda/trie"
)

// The names of the stores.
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
	DistanceStore   = "distance"
	PackedMod3Store = "packed-mod3"
	// PackedDistanceStore is the packed DistanceStore.
	PackedDistanceStore = "packed-distance"
	SparseStore         = "sparse"
	// ValuesStore is the store of games against chance.
	ValuesStore = "values"
	// CheckpointStore is the store of checkpoints: see Checkpoint.
	CheckpointStore = "checkpoint"
)

// A Store is a way to keep the states of a space in the sections of a file.
type Store struct {
	Name  string
	About string // one line for people
	// Ending is what the names of files end in.
	Ending string
	// Packed names the store that makes such a file small, Unpacked the one that undoes it;
	// both may be empty.
	Packed, Unpacked string
	// NeedsSet says that the store is made from a set in memory, not block by block.
	NeedsSet bool
	// Orbits says that the store counts layers up to symmetry.
	Orbits bool
	// Streams says that the store can be written while a run makes the blocks: see
	// StreamWriter.
	Streams bool
	// KeepsDistances says that the store keeps distances from the roots. WholeDistances says
	// that these are whole numbers, and not modulo 3.
	KeepsDistances, WholeDistances bool
	// Lists says that the store keeps a list of the states, by which it numbers them: it is
	// written from Found, and a table numbers its space.
	Lists bool

	unfinished bool // it is that of checkpoints
	kind       kind
}

// keepsValues reports whether the store keeps the statespace.Values of a space.
func (s Store) keepsValues() bool { return s.WholeDistances || s.Name == ValuesStore }

// What the names of files end in.
const (
	Ending       = ".reach"
	PackedEnding = ".reachz"
)

// The stores, for Use. Those that compress take what they compress with, such as zstd.Coder.
var (
	Set    = Store{Name: SetStore, About: "a bit for each number", Ending: Ending, Packed: PackedStore, kind: setKind{}}
	Folded = Store{Name: FoldedStore, About: "the set folded by symmetry, one block of each orbit", Ending: Ending, Packed: PackedStore,
		Orbits: true, Streams: true, kind: foldedKind{}}
	Backptr    = Store{Name: BackptrStore, About: "which move led to each state", Ending: Ending, Packed: PackedStore, NeedsSet: true, kind: backptrKind{}}
	RawBackptr = Store{Name: RawBackptrStore, About: "which move led to each pattern of the board", Ending: Ending, Packed: PackedStore, NeedsSet: true, kind: rawKind{}}
	Roaring    = Store{Name: RoaringStore, About: "a roaring bitmap for each layer", Ending: Ending, Packed: PackedStore, kind: roaringKind{}}
	Trie       = Store{Name: TrieStore, About: "a trie of the numbers that shares equal parts", Ending: Ending, Packed: PackedTrieStore, NeedsSet: true, kind: trieKind{}}
	Mod3       = Store{Name: Mod3Store, About: "the distance from the start modulo 3, where moves can be taken back", Ending: Ending, Packed: PackedMod3Store,
		KeepsDistances: true, kind: distancesKind{}}
	Distance = Store{Name: DistanceStore, About: "the distance from the start", Ending: Ending, Packed: PackedDistanceStore,
		KeepsDistances: true, WholeDistances: true, kind: distancesKind{whole: true}}
	Sparse       = Store{Name: SparseStore, About: "a sorted list of the states, where these are few", Ending: Ending, Lists: true, kind: sparseKind{}}
	ChanceValues = Store{Name: ValuesStore, About: "the states of a game against chance by layer, and what each is worth", Ending: Ending, Lists: true, kind: valuesKind{}}

	checkpoints = Store{Name: CheckpointStore, About: "the checkpoint of a run", Ending: Ending, unfinished: true, kind: checkpointKind{}}
)

// Packed is the packed Set.
func Packed(c trie.Coder) Store {
	return Store{Name: PackedStore, About: "the set folded by symmetry and compressed, to share", Ending: PackedEnding, Unpacked: SetStore, kind: packedKind{coder: c}}
}

// PackedTrie is the packed Trie.
func PackedTrie(c trie.Coder) Store {
	return Store{Name: PackedTrieStore, About: "the trie compressed, to share", Ending: PackedEnding, Unpacked: TrieStore, NeedsSet: true, kind: packedTrieKind{coder: c}}
}

// PackedMod3 is the packed Mod3.
func PackedMod3(c trie.Coder) Store {
	return Store{Name: PackedMod3Store, About: "the distances modulo 3 compressed, to share", Ending: PackedEnding, Unpacked: Mod3Store,
		KeepsDistances: true, kind: packedDistancesKind{distancesKind{}, c}}
}

// PackedDistance is the packed Distance.
func PackedDistance(c trie.Coder) Store {
	return Store{Name: PackedDistanceStore, About: "the distances compressed, to share", Ending: PackedEnding, Unpacked: DistanceStore,
		KeepsDistances: true, WholeDistances: true, kind: packedDistancesKind{distancesKind{whole: true}, c}}
}

// Stores are the stores that this program has, in the order in which it lists them: see Use.
var Stores []Store

// Use gives a program stores, in an init function or at the beginning of main. A program that names few is
// smaller, and knows no files of the others. Package layers/all names all of them.
func Use(stores ...Store) {
	for _, s := range stores {
		if !slices.ContainsFunc(Stores, func(had Store) bool { return had.Name == s.Name }) {
			Stores = append(Stores, s)
		}
	}
}

// FindStore returns the store of a name, of those that a file of states can have.
func FindStore(name string) (Store, error) {
	var names []string
	for _, s := range Stores {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	if len(names) == 0 {
		return Store{}, fmt.Errorf("this program has no store %.40q, nor any other: it should import pagoda/layers/all", name)
	}
	return Store{}, fmt.Errorf("there is no store %.40q: this program has %s", name, strings.Join(names, ", "))
}

// A kind is what a store does. But for fits, its methods are for spaces that fit.
type kind interface {
	// fits returns an error that is the reason why a space cannot have the store.
	fits(sp statespace.Space) error
	// size returns how many bytes its sections take, or 0 if that is not known beforehand.
	size(sp statespace.Space) uint64
	// memory returns about how many bytes it takes to write it from a set in memory.
	memory(sp statespace.Space) uint64
	// reading returns how many bytes it takes to read a file of it at all, and to read it as
	// a set in memory. Direct means that it is read in the map, block by block.
	reading(f *File) (always, asSet uint64, direct bool)
	// own clears the details that the store has.
	own(d *Details)
	// write writes its sections and fills in its details.
	write(b *body, j *job) error
	// open finds the states in the sections.
	open(f *File) (bitset.Reader, error)
}

// A composer is a kind whose first section can be made elsewhere, without a job.
type composer interface {
	// compose fills in the details of a file. It returns the first section, and what writes the others,
	// which may be nil.
	compose(sp statespace.Space, meta *Meta) (first section, rest func(b *body) error, err error)
}

// plainKind is what most stores have in common.
type plainKind struct{}

func (plainKind) fits(statespace.Space) error    { return nil }
func (plainKind) size(statespace.Space) uint64   { return 0 }
func (plainKind) memory(statespace.Space) uint64 { return 0 }
func (plainKind) own(*Details)                   {}
func (plainKind) reading(f *File) (always, asSet uint64, direct bool) {
	return 0, 8 * bitset.Words(f.meta.Size), true
}

// A job is a set of states that is to be written.
type job struct {
	WriteOptions
	sp      statespace.Space
	members bitset.Reader
	meta    *Meta
}

// Fits returns an error that says why a space cannot have the store. Any space can have the
// sparse store: its file is of the space with other numbers, see statespace.Codes.
func (s Store) Fits(sp statespace.Space) error {
	var err error
	switch codes := sp.Parts().Codes; {
	case codes.Of != nil && !s.Lists:
		err = errors.New("its numbers are places in a list, which only the store " + SparseStore + " keeps")
	case codes.Graph != nil && !s.Lists:
		err = errors.New("its states have no numbers before they are found; the store " + SparseStore + " lists them")
	default:
		err = s.kind.fits(sp)
	}
	if err != nil {
		return fmt.Errorf("%s cannot have the store %s: %w", sp.Name(), s.Name, err)
	}
	return nil
}

// Memory returns about how many bytes it takes to write the store from a set in memory. The
// space fits the store.
func (s Store) Memory(sp statespace.Space) uint64 { return s.kind.memory(sp) }

// MemoryFrom returns about how many bytes it takes to write the store from a file, whose space
// fits the store.
func (s Store) MemoryFrom(f *File) uint64 {
	always, asSet, direct := f.store.kind.reading(f)
	if k, ok := s.kind.(interface{ readsAs(from kind) bool }); ok && k.readsAs(f.store.kind) {
		return always
	}
	if direct && !s.NeedsSet {
		asSet = 0
	}
	return always + asSet + s.kind.memory(f.space)
}

// SetMemory returns about how many bytes it takes to read the members of a file as a set.
func (f *File) SetMemory() uint64 {
	if f.store.Name == SetStore {
		return 0
	}
	always, asSet, _ := f.store.kind.reading(f)
	return always + asSet
}

// FileSize returns the size of a file in bytes, up to the few thousand of its metadata. It is 0
// if that is not known before the file is written. The space fits the store.
func (s Store) FileSize(sp statespace.Space) uint64 {
	n := s.kind.size(sp)
	if n == 0 {
		return 0
	}
	h := header{sums: pageSize + pad(n) + pageSize}
	return h.sums + pad(4*h.stretches())
}

// LoadSet returns the members of a file, which was checked, as a set: in the map if the store is
// one, else in memory. Free gives the memory back.
func LoadSet(ctx context.Context, members bitset.Reader, threads int) (set *bitset.Set, free func(), err error) {
	switch m := members.(type) {
	case *bitset.Set:
		return m, func() {}, nil
	case *setReader:
		return m.Set, func() {}, nil
	}
	return MakeSet(ctx, members.Len(), threads, func(set *bitset.Set) error {
		return mapped.Guard(func() error { return fill(ctx, set, members, threads) })
	})
}

// MakeSet makes a set of numbers below n and fills it, in memory that free gives back.
func MakeSet(ctx context.Context, n uint64, threads int, fill func(set *bitset.Set) error) (set *bitset.Set, free func(), err error) {
	memory, err := mapped.Alloc(ctx, bitset.Words(n), threads)
	if err != nil {
		return nil, nil, err
	}
	if set, err = bitset.Over(memory.Words(), n); err == nil {
		err = fill(set)
	}
	if err != nil {
		memory.Free()
		return nil, nil, err
	}
	return set, func() { memory.Free() }, nil
}

// A filler is a Reader that is quicker to read as a whole than block by block.
type filler interface {
	fill(ctx context.Context, set *bitset.Set, threads int) error
}

// fill makes the members a set in memory if they are quicker to read as a whole.
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
	return mapped.Each(ctx, threads, bitset.Blocks(members), func(i uint64) error {
		to, err := set.Block(i)
		if err != nil {
			return err
		}
		if unfolds { // it writes into the set, and needs no block of its own
			return into.Fill(to, i<<bitset.BlockBits/64)
		}
		words, err := members.Block(i)
		copy(to, words)
		return err
	})
}

// A blockCache keeps the blocks that were made last from a store that is no set.
type blockCache [64]atomic.Pointer[madeBlock]

type madeBlock struct {
	i     uint64
	words []uint64
}

// get returns a block that is in the cache, or makes it.
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
