package layers

import (
	"context"
	"math/bits"
	"sync/atomic"

	"pagoda/internal/mapped"
	"pagoda/internal/prefetch"
	"pagoda/statespace/sweep"
)

// ways lead from the numbers of a folded file to those of representatives. The way of a block is worked
// out when the block is first asked for. The way of a number then takes a look-up for each of its bytes.
// sweep.Unfolded is the plain twin.
type ways struct {
	set    *foldedSet
	shift  uint8          // the bits of a block
	memory *mapped.Memory // of routes: much of it is never used
	routes []uint64       // two routes each; 0: not known yet
	words  []uint64       // the blocks in the file
	// folds are those of the identity, and then of each symmetry.
	folds      []fold
	symmetries []sweep.Symmetry
	fetched    atomic.Uint64 // the results of prefetch: see there
}

// A fold says where a symmetry takes a number within its block: zero, plus an entry for each byte.
type fold struct {
	bytes [foldBytes][256]uint32
	zero  uint32
}

// A route leads from a block to its representative. The lowest bit says that it is known; then come
// the number of the fold, and the place in the file plus 1, or 0 if it is not there.
type route uint32

const (
	foldBytes = 6 // of a number
	maxFolds  = 16
	placeBit  = 5
	maxRoutes = 1 << 24 // so that they take at most 64 MiB
)

func (r route) place() uint64 { return uint64(r >> placeBit) }
func (r route) fold() int     { return int(r/2) % maxFolds }

// newWays returns nil if there are too many numbers, blocks or symmetries, or if these are not linear.
func newWays(set *foldedSet, symmetries []sweep.Symmetry) *ways {
	if set.Len() > 1<<(8*foldBytes) || set.bits > 32 || set.all() > maxRoutes || len(symmetries) >= maxFolds {
		return nil
	}
	w := &ways{set: set, shift: uint8(set.bits), words: set.blocks.words(), symmetries: symmetries, folds: make([]fold, 1+len(symmetries))}
	inBlock := uint64(1)<<set.bits - 1
	for bit := range 8 * foldBytes {
		w.folds[0].add(bit, uint32(1<<bit&inBlock))
	}
	for i, s := range symmetries {
		linear, ok := s.(sweep.Linear)
		if !ok {
			return nil
		}
		f := &w.folds[i+1]
		f.zero = uint32(s.Map(0) & inBlock)
		for bit, column := range linear.Columns() {
			f.add(bit, uint32(column&inBlock)) // numbers have no bits beyond
		}
	}
	memory, err := mapped.Alloc(context.Background(), set.all()/2+1, 1)
	if err != nil {
		return nil
	}
	w.memory, w.routes = memory, memory.Words()
	return w
}

// add makes a bit of a number flip the bits of a column. Bits are added in their order.
func (f *fold) add(bit int, column uint32) {
	table := &f.bytes[bit/8]
	for x := range 1 << (bit % 8) {
		table[1<<(bit%8)|x] = table[x] ^ column
	}
}

// of returns the route of a block. The representative has been checked.
func (w *ways) of(block uint64) (to route, err error) {
	if to = w.known(block); to == 0 {
		to, err = w.find(block)
	}
	return to, err
}

// known returns the route of a block, or 0 if it is not known.
func (w *ways) known(block uint64) route {
	return route(atomic.LoadUint64(&w.routes[block/2]) >> (block % 2 * 32))
}

// find works out the route of a block.
func (w *ways) find(block uint64) (route, error) {
	kept, by := block, 0
	for i, s := range w.symmetries {
		if image := s.Map(block<<w.shift) >> w.shift; image < kept {
			kept, by = image, i+1
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
	to := route(place)<<placeBit | route(2*by+1)
	atomic.OrUint64(&w.routes[block/2], uint64(to)<<(block%2*32))
	return to, nil
}

// follow returns the number, counted in the blocks of the file, to which a route that has a place takes
// a number.
func (w *ways) follow(to route, x uint64) uint64 {
	f := &w.folds[to.fold()]
	inside := f.zero ^ f.bytes[0][byte(x)] ^ f.bytes[1][byte(x>>8)] ^ f.bytes[2][byte(x>>16)] ^ f.bytes[3][byte(x>>24)] ^ f.bytes[4][byte(x>>32)] ^ f.bytes[5][byte(x>>40)]
	return (to.place()-1)<<(w.shift&63) | uint64(inside)
}

// has reports whether x is a member.
func (w *ways) has(x uint64) (bool, error) {
	to := w.known(x >> (w.shift & 63))
	if to == 0 {
		var err error
		if to, err = w.find(x >> w.shift); err != nil {
			return false, err
		}
	}
	if to.place() == 0 {
		return false, nil
	}
	y := w.follow(to, x)
	return w.words[y/64]>>(y&63)&1 == 1, nil
}

// word returns word i.
func (w *ways) word(i uint64) (uint64, error) {
	to, err := w.of(i << 6 >> w.shift)
	if to.place() == 0 || err != nil {
		return 0, err
	}
	return w.gather(to, i), nil
}

// gather returns word i, from which a route leads to a place.
func (w *ways) gather(to route, i uint64) uint64 {
	words := w.set.at(to.place())
	if to.fold() == 0 {
		return words[i&uint64(len(words)-1)]
	}
	return w.symmetries[to.fold()-1].Gather(i, func(word uint64) uint64 { return words[word&uint64(len(words)-1)] })
}

// fewWanted is how many bits of a word are found one by one sooner than all of them by gather.
const fewWanted = 12

// findWords does what bitset.Batcher says, for some words at a time. Each step is done for all of them
// before the next, so that the waits for memory overlap: routes are fetched, then words of the file, and
// then bits are taken from these.
func (w *ways) findWords(dst, numbers, masks []uint64) (err error) {
	const some = 64
	var routes [some]route
	var firsts [some]uint64 // where the first wanted bit, or bit 0 of several, is taken
	var fetch [2 * some]uint64
	shift := w.shift & 63
	fetched := uint64(0)
	for len(numbers) > 0 {
		n := min(len(numbers), some)
		for k, i := range numbers[:n] {
			fetch[k%some] = i << 6 >> shift / 2
		}
		fetched |= prefetch.At(w.routes, fetch[:n])
		fetching := 0
		for k, i := range numbers[:n] {
			to := w.known(i << 6 >> shift)
			if to == 0 {
				if to, err = w.find(i << 6 >> shift); err != nil {
					return err
				}
			}
			mask := masks[k]
			k %= some
			routes[k] = to
			switch {
			case to.place() == 0:
			case mask&(mask-1) == 0: // mostly
				firsts[k] = w.follow(to, i<<6|uint64(bits.TrailingZeros64(mask))&63)
				fetch[fetching] = firsts[k] / 64
				fetching++
			case bits.OnesCount64(mask) <= fewWanted:
				firsts[k] = w.follow(to, i<<6)
				flips := &w.folds[to.fold()].bytes[0]
				for ; mask != 0; mask &= mask - 1 {
					fetch[fetching] = (firsts[k] ^ uint64(flips[bits.TrailingZeros64(mask)&63])) / 64
					fetching++
				}
			}
			if fetching > len(fetch)-fewWanted {
				fetched |= prefetch.At(w.words, fetch[:fetching])
				fetching = 0
			}
		}
		fetched |= prefetch.At(w.words, fetch[:fetching])
		for k, i := range numbers[:n] {
			mask, found := masks[k], uint64(0)
			to, first := routes[k%some], firsts[k%some]
			switch {
			case to.place() == 0:
			case mask&(mask-1) == 0:
				found = w.words[first/64] >> (first & 63) & 1 << (bits.TrailingZeros64(mask) & 63) & mask // which may be 0
			case bits.OnesCount64(mask) > fewWanted:
				found = mask & w.gather(to, i)
			default:
				flips := &w.folds[to.fold()].bytes[0]
				for ; mask != 0; mask &= mask - 1 {
					bit := bits.TrailingZeros64(mask) & 63
					y := first ^ uint64(flips[bit])
					found |= w.words[y/64] >> (y & 63) & 1 << bit
				}
			}
			dst[k] = found
		}
		dst, numbers, masks = dst[n:], numbers[n:], masks[n:]
	}
	if fetched != 0 {
		w.fetched.Store(fetched)
	}
	return nil
}
