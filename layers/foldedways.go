package layers

import (
	"context"
	"math/bits"
	"slices"
	"sync/atomic"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/internal/prefetch"
)

// ways lead from the numbers of a folded file to those of representatives. The way of a block is worked
// out when the block is first asked for. The way of a number then takes three look-ups in small tables.
// sweep.Unfolded is the plain twin.
type ways struct {
	*foldedReader
	size   uint64
	shift  uint8          // the bits of a block
	memory *mapped.Memory // of routes: much of it is never used
	routes []uint32       // by block; 0: not known yet
	words  []uint64       // the blocks in the file
	// A fold takes numbers to their images: fold 0 is the identity, and fold i+1 symmetry i. Inside a
	// block it is affine. So the image is a constant, which depends on the block, plus an entry for the
	// low byte of a number, plus one for its other bits in the block.
	starts   [maxFolds * maxStarts]uint32 // by kind of route
	low      [maxFolds][256]uint32
	high     []uint32 // of each fold, 2^highBits
	highBits uint8
	fetched  atomic.Uint64 // the results of prefetch: see there
}

// A route leads from a block to its representative. Its low byte is its kind: the fold, and then which of
// the constants of the fold this block has. The others are the place in the file plus 2, or 1 if it is
// not there.
type route uint32

const (
	maxFolds  = 16
	maxStarts = 16      // constants of a fold
	maxInside = 22      // bits of a block, so that the tables are small
	maxRoutes = 1 << 24 // so that they take at most 64 MiB
)

func (r route) kind() uint8   { return uint8(r) }
func (r route) fold() uint8   { return uint8(r) / maxStarts }
func (r route) place() uint64 { return uint64(r>>8) - 1 } // plus 1, or 0 if it is not there
func (r route) leads() bool   { return r >= 2<<8 }

// newWays returns nil if there are too many numbers, blocks or kinds of routes, or if the symmetries are
// not linear.
func newWays(r *foldedReader) *ways {
	inside := r.set.bits
	if inside > maxInside || r.set.all() > maxRoutes || r.set.n > 1<<24-3 || len(r.Symmetries) >= maxFolds {
		return nil
	}
	w := &ways{foldedReader: r, size: r.Len(), shift: uint8(inside), words: r.set.blocks.words(), highBits: uint8(max(0, inside-8))}
	w.high = make([]uint32, (1+len(r.Symmetries))<<w.highBits)
	for bit := range inside {
		w.add(0, bit, 1<<bit)
	}
	for i, s := range r.Symmetries {
		columns := s.Columns()
		if columns == nil {
			return nil
		}
		inBlock := uint64(1)<<inside - 1
		starts := []uint32{uint32(s.Map(0) & inBlock)}
		for bit, column := range columns {
			flips := uint32(column & inBlock)
			if bit < inside {
				w.add(i+1, bit, flips)
			} else if !slices.Contains(starts, starts[0]^flips) {
				if len(starts) == maxStarts {
					return nil
				}
				for _, start := range starts {
					starts = append(starts, start^flips)
				}
			}
		}
		copy(w.starts[maxStarts*(i+1):], starts)
	}
	memory, err := mapped.Alloc(context.Background(), r.set.all()/2+1, 1)
	if err != nil {
		return nil
	}
	w.memory, w.routes = memory, mapped.Uint32s(memory.Words())[:r.set.all()]
	return w
}

// add makes a bit of numbers flip the bits of a column in their images by a fold.
func (w *ways) add(fold, bit int, column uint32) {
	table := w.low[fold][:]
	if bit >= 8 {
		table, bit = w.high[fold<<w.highBits:][:1<<w.highBits], bit-8
	}
	for x := range table {
		if x>>bit&1 != 0 {
			table[x] ^= column
		}
	}
}

// Close gives back what the reader has taken.
func (w *ways) Close() error { return w.memory.Free() }

// Len implements bitset.Reader.
func (w *ways) Len() uint64 { return w.size }

// known returns the route of a block, or 0 if it is not known.
func (w *ways) known(block uint64) route { return route(atomic.LoadUint32(&w.routes[block])) }

// of returns the route of a block. The representative has been checked.
func (w *ways) of(block uint64) (route, error) {
	if to := w.known(block); to != 0 {
		return to, nil
	}
	return w.find(block)
}

// find works out the route of a block.
func (w *ways) find(block uint64) (route, error) {
	first := block << w.shift
	kept, start, fold := block, uint64(0), 0
	for i, s := range w.Symmetries {
		if image := s.Map(first); image>>w.shift < kept {
			kept, start, fold = image>>w.shift, image&(1<<w.shift-1), i+1
		}
	}
	place, err := w.set.place(kept)
	if err != nil {
		return 0, err
	}
	if place > 0 {
		if err := w.set.blocks.check((place-1)*w.set.bytes, w.set.bytes); err != nil {
			return 0, err
		}
	}
	kind := maxStarts*fold + slices.Index(w.starts[maxStarts*fold:], uint32(start))
	to := route(place+1)<<8 | route(kind)
	atomic.StoreUint32(&w.routes[block], uint32(to))
	return to, nil
}

// follow returns the number, counted in the blocks of the file, to which a route takes a number. The
// route leads to a place.
func (w *ways) follow(to route, x uint64) uint64 {
	inside := w.starts[to.kind()] ^ w.low[to.fold()][uint8(x)] ^ w.high[uint64(to.fold())<<(w.highBits&63)|x>>8&(1<<(w.highBits&63)-1)]
	return (to.place()-1)<<(w.shift&63) | uint64(inside)
}

// Has implements bitset.Finder.
func (w *ways) Has(x uint64) (bool, error) {
	to := w.known(x >> (w.shift & 63))
	if !to.leads() {
		if to != 0 {
			return false, nil
		}
		var err error
		if to, err = w.find(x >> w.shift); !to.leads() {
			return false, err
		}
	}
	y := w.follow(to, x)
	return w.words[y/64]>>(y&63)&1 == 1, nil
}

// Word implements bitset.Finder.
func (w *ways) Word(i uint64) (uint64, error) {
	to, err := w.of(i << 6 >> w.shift)
	if !to.leads() {
		return 0, err
	}
	words := w.set.at(to.place())
	if to.fold() == 0 {
		return words[i&uint64(len(words)-1)], nil
	}
	return w.Symmetries[to.fold()-1].Gather(i, func(word uint64) uint64 { return words[word&uint64(len(words)-1)] }), nil
}

// Early implements bitset.Batcher.
func (w *ways) Early() (words []uint64, shift uint8) {
	return w.memory.Words(), w.shift - 6 + 1 // two routes in a word
}

// Begin implements bitset.Batcher. It lists the places of the wanted bits in the file, and fetches them.
func (w *ways) Begin(b *bitset.Batch) error {
	if !w.listFast(b) {
		if err := w.list(b); err != nil {
			return err
		}
	}
	if fetched := prefetch.At(w.words, b.Places[:b.Listed]); fetched != 0 {
		w.fetched.Store(fetched)
	}
	return nil
}

// list lists the places of the wanted bits. The first bits of all words come first: most words have no others,
// and a processor that had to guess which have would often be wrong.
func (w *ways) list(b *bitset.Batch) error {
	const words = bitset.BatchWords
	shift := w.shift & 63
	var several [words]uint8 // places in the list: the words that have more bits
	more := 0
	b.Listed = 0
	for k, i := range b.Words[:b.N] {
		to, mask := w.known(i<<6>>shift), b.Masks[k%words]
		b.Found[k%words] = 0
		if !to.leads() || mask == 0 {
			if to == 0 {
				var err error
				if to, err = w.find(i << 6 >> shift); err != nil {
					return err
				}
			}
			if !to.leads() || mask == 0 {
				continue
			}
		}
		bit := bits.TrailingZeros64(mask) % 64
		at := w.follow(to, i<<6|uint64(bit))
		b.Places[b.Listed%words], b.Bits[b.Listed%words] = at/64, uint32(to.fold())<<18|uint32(at%64)<<12|uint32(k)<<6|uint32(bit)
		several[more%words] = uint8(b.Listed)
		if mask&(mask-1) != 0 {
			more++
		}
		b.Listed++
	}
	b.Firsts = b.Listed
	for _, j := range several[:more] {
		how, listed := b.Bits[j%words], b.Listed
		flips := &w.low[how>>18%maxFolds]
		first := b.Places[j%words]<<6 | uint64(how>>12%64)
		zero := first ^ uint64(flips[how%64])
		k := how >> 6 % words
		for mask := b.Masks[k] & (b.Masks[k] - 1); mask != 0; mask &= mask - 1 {
			bit := bits.TrailingZeros64(mask) % 64
			at := zero ^ uint64(flips[bit])
			b.Places[listed], b.Bits[listed] = at/64, uint32(at%64)<<12|k<<6|uint32(bit)
			listed++
		}
		b.Listed = listed
	}
	return nil
}

// End implements bitset.Batcher. There is no branch that depends on a bit, so waits for memory overlap.
func (w *ways) End(b *bitset.Batch) error {
	words := w.words
	for j, at := range b.Places[:b.Firsts] {
		how := b.Bits[j]
		b.Found[how>>6%64] = words[at] >> (how >> 12 & 63) & 1 << (how & 63)
	}
	for j := b.Firsts; j < b.Listed; j++ {
		how := b.Bits[j]
		b.Found[how>>6%64] |= words[b.Places[j]] >> (how >> 12 & 63) & 1 << (how & 63)
	}
	return nil
}
