package sweep

import (
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"slices"
	"sort"
	"sync"
	"sync/atomic"

	"pagoda/internal/mapped"
	"pagoda/statespace"
)

// ErrRoom says that the packed blocks do not fit into the memory of a PackedRun, which has no scratch
// directory.
var ErrRoom = errors.New("the packed blocks take more memory than there is")

// never is the next use of a block that is no longer needed.
const never = ^uint64(0)

// A packedStore has the blocks that a PackedRun still needs: all of them packed, in memory or in a
// scratch file, and some of them whole, in a cache.
//
// Its memory is divided into units. Each of them has some slots of the cache, or a chunk of packed
// blocks, or is free. A chunk takes a unit from the cache if none is free, as long as the cache has
// more than it must have; after that, other chunks go to the scratch file.
//
// What leaves memory is what is needed latest. That is known: the blocks are made in their order,
// and Targets says which of them read a block. Of some slots or chunks, picked at random, the one
// that is needed latest leaves: this is nearly as good as the best of all, and needs no order of them.
type packedStore struct {
	feeds   statespace.Feeds
	words   int // in a block
	perUnit int // slots
	memory  []uint64
	least   int // units that the cache has at least
	scratch *scratch

	mu        sync.Mutex
	changed   sync.Cond     // slots are ready, or chunks were read or written, or something has failed
	failed    error         // blocks that others wait for do not come
	now       atomic.Uint64 // blocks before it are made or being made
	rng       *rand.Rand
	free      []int32 // units
	cache     []int32 // units
	inCache   []int32 // by unit: 1 + its index in cache, or 0
	slots     []slot
	nexts     []uint32 // by slot: 1 + the block that reads it next, or 0 if it is in use or empty
	freeSlots []int32
	where     []int32  // by block: 1 + its slot, or 0
	records   []record // each is written by the lease that makes the block, and read in later stages
	chunks    []*chunk // nil if they are no longer needed
	gone      int      // all chunks before are nil
	resident  []*chunk // those that are in memory and full
	outside   []*chunk // those with memory beside the units
	stats     PackedStats
}

// A slot is memory for a block of the cache.
type slot struct {
	block   uint64
	targets []uint32 // all blocks that read it
	users   int32
	used    bool        // there is a block in it
	ready   atomic.Bool // which is whole: then whoever made it so has listed its targets
}

// A record says where a packed block is. A block without members has no bytes.
type record struct{ chunk, offset, length uint32 }

// A chunk is packed blocks that lie together.
type chunk struct {
	number uint32 // in chunks
	unit   int32  // or -1: it is in none
	beside []byte // its memory, if it is in none and in memory: see settle
	used   int    // bytes
	blocks []uint32
	last   uint64 // of the blocks
	next   uint64 // a block that reads one of them next, if it is not before now
	index  int    // in resident, or -1
	extent int64  // in the scratch file, or -1
	sum    uint32 // checksum, if it is in the scratch file
	busy   bool   // it is being read or written
}

// PackedStats say what a PackedRun has done.
type PackedStats struct {
	Blocks     uint64 // blocks that were packed
	Bytes      uint64 // bytes of them, packed
	Unpacked   uint64 // times that a block was unpacked
	Most       uint64 // bytes of packed blocks at a time, at most
	Spilled    uint64 // bytes written to the scratch file
	ReadBack   uint64 // bytes read from it
	ScratchMax uint64 // its largest size, in bytes
	held       uint64 // bytes of packed blocks now
	whole      uint64 // bytes of a block
}

// Ratio returns how many times smaller blocks were packed.
func (s PackedStats) Ratio() float64 { return float64(s.Blocks*s.whole) / float64(max(1, s.Bytes)) }

func newPackedStore(feeds statespace.Feeds, words int, memory []uint64, unitWords, least int, scratch *scratch) *packedStore {
	n := feeds.Begin(feeds.Stages())
	s := &packedStore{feeds: feeds, words: words, perUnit: unitWords / words, memory: memory, least: least, scratch: scratch,
		rng: rand.New(rand.NewPCG(7, 7)), stats: PackedStats{whole: 8 * uint64(words)}, where: make([]int32, n), records: make([]record, n)}
	s.changed.L = &s.mu
	units := len(memory) / unitWords
	s.inCache = make([]int32, units)
	s.slots, s.nexts = make([]slot, units*s.perUnit), make([]uint32, units*s.perUnit)
	for u := units - 1; u >= 0; u-- {
		s.free = append(s.free, int32(u))
	}
	return s
}

// unitBytes is the size of a unit and of the largest chunk.
func (s *packedStore) unitBytes() int { return 8 * s.words * s.perUnit }

// inMemory reports whether a chunk is in memory.
func (c *chunk) inMemory() bool { return c.unit >= 0 || c.beside != nil }

// chunkBytes returns the memory of a chunk that is in memory.
func (s *packedStore) chunkBytes(c *chunk) []byte {
	if c.beside != nil {
		return c.beside
	}
	n := s.words * s.perUnit
	return mapped.Bytes(s.memory[int(c.unit)*n:][:n])
}

// slotWords returns the memory of a slot.
func (s *packedStore) slotWords(k int32) []uint64 { return s.memory[int(k)*s.words:][:s.words] }

// pick picks some of n slots, units or chunks at random, to choose from. Found takes one into account, and reports whether
// there is a choice. If there is none, all follow until there is one.
func (s *packedStore) pick(n int, found func(i int) bool) {
	const tries = 24
	ok := false
	for range min(tries, n) {
		ok = found(s.rng.IntN(n))
	}
	for i := 0; i < n && !ok; i++ {
		ok = found(i)
	}
}

// takeSlot returns a free slot, or -1 if all are in use. The lock is held.
func (s *packedStore) takeSlot() int32 {
	if len(s.freeSlots) == 0 && len(s.free) > 0 {
		u := s.free[len(s.free)-1]
		s.free = s.free[:len(s.free)-1]
		s.cache = append(s.cache, u)
		s.inCache[u] = int32(len(s.cache))
		for k := s.perUnit - 1; k >= 0; k-- {
			s.freeSlots = append(s.freeSlots, u*int32(s.perUnit)+int32(k))
		}
	}
	if n := len(s.freeSlots); n > 0 {
		k := s.freeSlots[n-1]
		s.freeSlots = s.freeSlots[:n-1]
		return k
	}
	best, latest, perUnit := int32(-1), uint32(0), uint32(s.perUnit)
	s.pick(len(s.cache)*s.perUnit, func(i int) bool {
		k := s.cache[uint32(i)/perUnit]*int32(perUnit) + int32(uint32(i)%perUnit)
		if next := s.nexts[k]; next > latest {
			best, latest = k, next
		}
		return best >= 0
	})
	if best >= 0 {
		s.empty(best)
	}
	return best
}

// empty takes the block from a slot that nobody uses. The lock is held.
func (s *packedStore) empty(k int32) {
	s.where[s.slots[k].block] = 0
	s.slots[k].used, s.nexts[k] = false, 0
}

// vacate takes a unit from the cache, or returns -1 if each has a block in use.
func (s *packedStore) vacate() int32 {
	best, latest := int32(-1), uint64(0)
	s.pick(len(s.cache), func(i int) bool {
		u, next := s.cache[i], uint64(never)
		for k := range s.perUnit {
			k += int(u) * s.perUnit
			switch l := &s.slots[k]; {
			case l.users > 0:
				return best >= 0
			case l.used:
				next = min(next, uint64(s.nexts[k]))
			}
		}
		if best < 0 || next > latest {
			best, latest = u, next
		}
		return true
	})
	if best < 0 {
		return -1
	}
	free := 0
	for k := range s.perUnit {
		if k := best*int32(s.perUnit) + int32(k); s.slots[k].used {
			s.empty(k)
		} else {
			free++
		}
	}
	if free > 0 {
		s.freeSlots = slices.DeleteFunc(s.freeSlots, func(k int32) bool { return k/int32(s.perUnit) == best })
	}
	i := s.inCache[best] - 1
	last := s.cache[len(s.cache)-1]
	s.cache[i], s.inCache[last] = last, i+1
	s.cache, s.inCache[best] = s.cache[:len(s.cache)-1], 0
	return best
}

// takeUnit returns a unit for a chunk; the error is ErrRoom if there is none now.
func (s *packedStore) takeUnit() (int32, error) {
	u, out, err := s.pickUnit()
	if out == nil {
		return u, err
	}
	return s.spill(out)
}

// pickUnit returns a unit for a chunk, or the chunk that has to leave its unit for the scratch file first:
// that is busy now.
func (s *packedStore) pickUnit() (u int32, out *chunk, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.free); n > 0 {
		u := s.free[n-1]
		s.free = s.free[:n-1]
		return u, nil, nil
	}
	if len(s.cache) > s.least {
		if u := s.vacate(); u >= 0 {
			return u, nil, nil
		}
	}
	if s.scratch == nil {
		return -1, nil, ErrRoom
	}
	c := s.latest()
	switch {
	case c == nil:
		return -1, nil, ErrRoom // all chunks are being written, or filled
	case c.extent < 0:
		c.busy = true
		return -1, c, nil
	}
	return s.leave(c), nil, nil
}

// spill writes a busy chunk to the scratch file, and returns the unit that it had.
func (s *packedStore) spill(c *chunk) (int32, error) {
	data := s.chunkBytes(c)[:c.used]
	sum := checksum(data)
	extent, err := s.scratch.write(data)
	s.mu.Lock()
	defer s.mu.Unlock()
	c.busy = false
	s.changed.Broadcast()
	if err != nil {
		return -1, err
	}
	c.extent, c.sum = extent, sum
	s.stats.Spilled += uint64(c.used)
	s.stats.ScratchMax = max(s.stats.ScratchMax, s.scratch.size())
	return s.leave(c), nil
}

// leave takes the unit from a chunk that is in the scratch file. The lock is held.
func (s *packedStore) leave(c *chunk) (u int32) {
	s.remove(c)
	u, c.unit = c.unit, -1
	return u
}

// takeMemory gives a chunk memory: a unit, or other memory if each unit has blocks in use.
func (s *packedStore) takeMemory(c *chunk) error {
	u, err := s.takeUnit()
	s.mu.Lock()
	defer s.mu.Unlock()
	if errors.Is(err, ErrRoom) {
		c.beside, err = make([]byte, s.unitBytes()), nil
		s.outside = append(s.outside, c)
	}
	c.unit = u
	return err
}

// settle moves chunks into units that had none when no block is being made. The error is ErrRoom
// if there are no units for them.
func (s *packedStore) settle() error {
	for c := s.unsettled(); c != nil; c = s.unsettled() {
		u, err := s.takeUnit()
		if err != nil {
			return err
		}
		s.move(c, u)
	}
	return nil
}

// unsettled returns a chunk that is in memory and has no unit, or nil. It forgets those that are no longer
// in memory.
func (s *packedStore) unsettled() *chunk {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.outside) > 0 {
		c := s.outside[len(s.outside)-1]
		switch {
		case c.busy:
			s.changed.Wait()
		case c.beside != nil:
			return c
		default:
			s.outside = s.outside[:len(s.outside)-1]
		}
	}
	return nil
}

// move moves a chunk into a unit.
func (s *packedStore) move(c *chunk, u int32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	data := c.beside
	c.unit, c.beside = u, nil
	copy(s.chunkBytes(c), data)
}

// latest returns a chunk that is needed later than others.
func (s *packedStore) latest() (best *chunk) {
	s.pick(len(s.resident), func(i int) bool {
		if c := s.resident[i]; !c.busy && c.unit >= 0 && (best == nil || s.next(c) > best.next) {
			best = c
			s.next(c)
		}
		return best != nil
	})
	return best
}

// next returns which block reads one of a chunk next.
func (s *packedStore) next(c *chunk) uint64 {
	if c.next >= s.now.Load() {
		return c.next
	}
	c.next = never
	var targets []uint64
	for _, i := range c.blocks {
		targets = s.feeds.Targets(targets[:0], uint64(i))
		if k := sort.Search(len(targets), func(k int) bool { return targets[k] >= s.now.Load() }); k < len(targets) {
			c.next = min(c.next, targets[k])
		}
	}
	return c.next
}

// add adds a chunk to those that are in memory, remove removes it.
func (s *packedStore) add(c *chunk) {
	c.index = len(s.resident)
	s.resident = append(s.resident, c)
}

func (s *packedStore) remove(c *chunk) {
	last := s.resident[len(s.resident)-1]
	s.resident[c.index], last.index = last, c.index
	s.resident = s.resident[:len(s.resident)-1]
	c.index = -1
}

// drop takes the memory from a chunk that is not in resident.
func (s *packedStore) drop(c *chunk) {
	if c.unit >= 0 {
		s.free = append(s.free, c.unit)
	}
	c.unit, c.beside = -1, nil
}

// load reads a busy chunk from the scratch file.
func (s *packedStore) load(c *chunk) error {
	err := s.takeMemory(c)
	if err == nil {
		err = s.scratch.read(s.chunkBytes(c)[:c.used], c.extent, c.sum)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c.busy = false
	s.changed.Broadcast()
	if err != nil {
		s.drop(c)
		return err
	}
	s.stats.ReadBack += uint64(c.used)
	s.add(c)
	return nil
}

// get appends a packed block to dst.
func (s *packedStore) get(dst []byte, i uint64) ([]byte, error) {
	for {
		data, away := s.find(dst, i)
		if away == nil {
			return data, nil
		}
		if err := s.load(away); err != nil {
			return nil, err
		}
	}
}

// bytesOf returns a packed block if there is no scratch file: it stays where it is as long as it is needed. The lock is held.
func (s *packedStore) bytesOf(i uint64) []byte {
	r := s.records[i]
	if r.length == 0 {
		return nil
	}
	return s.chunkBytes(s.chunks[r.chunk])[r.offset:][:r.length]
}

// find appends a packed block to dst, or returns the chunk that has to be loaded first: that is busy now.
func (s *packedStore) find(dst []byte, i uint64) (data []byte, away *chunk) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.records[i]
	if r.length == 0 {
		return dst, nil
	}
	c := s.chunks[r.chunk]
	for c.busy && (!c.inMemory() || c.index < 0) {
		s.changed.Wait()
	}
	if !c.inMemory() {
		c.busy = true
		return dst, c
	}
	return append(dst, s.chunkBytes(c)[r.offset:][:r.length]...), nil
}

// put keeps a packed block in the chunk that the lease fills. Only a new chunk takes the lock.
func (l *lease) put(i uint64, data []byte) error {
	l.records[i] = record{}
	l.blocks++
	l.bytes += uint64(len(data))
	if len(data) == 0 {
		return nil
	}
	if l.open == nil || l.open.used+len(data) > l.unitBytes() {
		l.closeChunk()
		if err := l.openChunk(); err != nil {
			return err
		}
	}
	c := l.open
	copy(l.chunkBytes(c)[c.used:], data)
	l.records[i] = record{c.number, uint32(c.used), uint32(len(data))}
	c.used += len(data)
	c.blocks, c.last = append(c.blocks, uint32(i)), max(c.last, i)
	return nil
}

// openChunk begins a chunk.
func (l *lease) openChunk() error {
	c := &chunk{unit: -1, index: -1, extent: -1}
	if err := l.takeMemory(c); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	c.number = uint32(len(l.chunks))
	l.open, l.chunks = c, append(l.chunks, c)
	l.stats.held += uint64(l.unitBytes())
	l.stats.Most = max(l.stats.Most, l.stats.held)
	return nil
}

// closeChunk ends the filling of a chunk.
func (l *lease) closeChunk() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stats.Blocks, l.stats.Bytes = l.stats.Blocks+l.blocks, l.stats.Bytes+l.bytes
	l.blocks, l.bytes = 0, 0
	if l.open != nil {
		l.add(l.open)
		l.open = nil
	}
}

// forget frees the chunks all of whose blocks are before the first that is needed. It is called
// when no block is being made.
func (s *packedStore) forget(first uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for n, c := range s.chunks[s.gone:] {
		if c == nil || c.index < 0 && c.inMemory() || c.busy || c.last >= first {
			continue
		}
		if c.inMemory() {
			s.remove(c)
			s.drop(c)
		}
		if c.extent >= 0 {
			s.scratch.free(c.extent)
		}
		s.stats.held -= uint64(s.unitBytes())
		s.chunks[s.gone+n] = nil
	}
	for s.gone < len(s.chunks) && s.chunks[s.gone] == nil {
		s.gone++
	}
}

// reset empties the cache, when no block is being made: a run that has failed may have left blocks
// that are not whole.
func (s *packedStore) reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failed = nil
	for k := range s.slots {
		if s.slots[k].used {
			s.slots[k].users = 0
			s.empty(int32(k))
		}
	}
	for len(s.cache) > 0 {
		s.free = append(s.free, s.vacate())
	}
}

// fail wakes those who wait for blocks that do not come.
func (s *packedStore) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed == nil {
		s.failed = err
	}
	s.changed.Broadcast()
}

// room returns how many blocks the cache could have now.
func (s *packedStore) room() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return (len(s.cache) + len(s.free)) * s.perUnit
}

// A lease is the blocks that one goroutine uses, all of them whole.
type lease struct {
	*packedStore
	maker statespace.Maker
	open  *chunk // that is filled; or nil
	// blocks and bytes are those that were packed since closeChunk.
	blocks, bytes uint64

	held    []uint64            // blocks in slots
	missing []uint64            // which of them are not whole
	awaited []uint64            // which of them others make whole
	beside  map[uint64][]uint64 // blocks for which there was no slot
	places  [][]byte            // those that are missing, packed, if they can be unpacked where they are
	after   []uint64            // which blocks read those that are held next
	packed  []byte
	seeds   []uint64
	targets []uint64
}

func (s *packedStore) newLease() *lease {
	return &lease{packedStore: s, maker: s.feeds.NewMaker(), beside: make(map[uint64][]uint64), seeds: make([]uint64, s.words)}
}

// at returns the words of a block of the lease.
func (l *lease) at(i uint64) []uint64 {
	if words, ok := l.beside[i]; ok {
		return words
	}
	return l.slotWords(l.where[i] - 1)
}

// take takes the blocks of a list, which is empty before. Those in make are to be made; the others
// are unpacked, unless they are whole already.
func (l *lease) take(whole, make []uint64) error {
	l.mu.Lock()
	for _, i := range whole {
		if l.hold(i) {
			l.missing = append(l.missing, i)
		}
	}
	missing, awaited := len(l.missing), len(l.awaited)
	for _, i := range make {
		l.hold(i)
		if k := l.where[i]; k != 0 {
			l.slots[k-1].ready.Store(false)
		}
	}
	l.missing, l.awaited = l.missing[:missing], l.awaited[:awaited]
	l.places = l.places[:0]
	if l.scratch == nil {
		for _, i := range l.missing {
			l.places = append(l.places, l.bytesOf(i))
		}
	}
	l.stats.Unpacked += uint64(missing)
	l.mu.Unlock()
	for n, i := range l.missing {
		data, err := l.packed[:0], error(nil)
		if l.scratch == nil {
			data = l.places[n]
		} else if data, err = l.get(data, i); err == nil {
			l.packed = data
		}
		if err == nil {
			err = unpack(l.at(i), data)
		}
		if err != nil {
			return fmt.Errorf("block %d: %w", i, err)
		}
	}
	l.maker.Grow(l.missing, l.at)
	l.ready(l.missing)
	if len(l.awaited) == 0 {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, i := range l.awaited {
		for !l.slots[l.where[i]-1].ready.Load() {
			if l.failed != nil {
				return l.failed
			}
			l.changed.Wait()
		}
	}
	return nil
}

// hold reports whether a block that is now held is not whole, nor will be by others. The lock is held.
func (l *lease) hold(i uint64) bool {
	if k := l.where[i]; k != 0 {
		s := &l.slots[k-1]
		s.users++
		l.nexts[k-1] = 0
		l.held = append(l.held, i)
		if !s.ready.Load() {
			l.awaited = append(l.awaited, i)
		}
		return false
	}
	k := l.takeSlot()
	if k < 0 {
		l.beside[i] = make([]uint64, l.words)
		return true
	}
	s := &l.slots[k]
	s.ready.Store(false)
	s.block, s.used, s.users, s.targets = i, true, 1, s.targets[:0]
	l.where[i] = k + 1
	l.held = append(l.held, i)
	return true
}

// slot returns the slot of a block of the lease, or nil if it is beside the slots. Then the block may have
// a slot that others use: only they know when it changes.
func (l *lease) slot(i uint64) *slot {
	if l.beside[i] != nil {
		return nil
	}
	return &l.slots[l.where[i]-1]
}

// ready says that blocks are whole.
func (l *lease) ready(blocks []uint64) {
	for _, i := range blocks {
		if s := l.slot(i); s != nil {
			l.targets = l.feeds.Targets(l.targets[:0], i)
			s.targets = s.targets[:0]
			for _, to := range l.targets {
				s.targets = append(s.targets, uint32(to))
			}
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, i := range blocks {
		if s := l.slot(i); s != nil {
			s.ready.Store(true)
		}
	}
	l.changed.Broadcast()
}

// pack packs a block of the lease and keeps it.
func (l *lease) pack(i uint64, words []uint64) error {
	l.maker.Seeds(l.seeds, i, words)
	l.packed = appendPacked(l.packed[:0], l.seeds)
	return l.put(i, l.packed)
}

// giveBack ends the lease. Blocks before next are made, or are being made.
func (l *lease) giveBack(next uint64) {
	next = max(l.now.Load(), next)
	l.after = l.after[:0]
	for _, i := range l.held { // it takes long, so it is done without the lock
		l.after = append(l.after, l.slots[l.where[i]-1].nextFrom(next))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := max(l.now.Load(), next)
	l.now.Store(now)
	for n, i := range l.held {
		k := l.where[i] - 1
		s, to := &l.slots[k], l.after[n]
		if s.users--; s.users > 0 {
			continue
		}
		if to < now { // others came farther meanwhile
			to = s.nextFrom(now)
		}
		if l.nexts[k] = uint32(to + 1); to == never {
			l.empty(k)
			l.freeSlots = append(l.freeSlots, k)
		}
	}
	l.held, l.missing, l.awaited = l.held[:0], l.missing[:0], l.awaited[:0]
	clear(l.beside)
}

// nextFrom returns the first block from one on that reads the block of the slot. The caller holds the slot.
func (s *slot) nextFrom(first uint64) uint64 {
	if !s.ready.Load() {
		return never
	}
	n := sort.Search(len(s.targets), func(n int) bool { return uint64(s.targets[n]) >= first })
	if n == len(s.targets) {
		return never
	}
	return uint64(s.targets[n])
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(data []byte) uint32 { return crc32.Checksum(data, castagnoli) }

// eachChunk calls do with the chunks that are still needed and their packed blocks, when no block is
// being made.
func (s *packedStore) eachChunk(do func(number uint32, c *chunk, data []byte) error) error {
	buffer := make([]byte, s.unitBytes())
	for n := range s.chunks {
		s.mu.Lock()
		c := s.chunks[n]
		for c != nil && c.busy {
			s.changed.Wait()
		}
		if c == nil {
			s.mu.Unlock()
			continue
		}
		data := buffer[:c.used]
		var err error
		if c.inMemory() {
			copy(data, s.chunkBytes(c))
		} else {
			err = s.scratch.read(data, c.extent, c.sum)
		}
		s.mu.Unlock()
		if err == nil {
			err = do(uint32(n), c, data)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
