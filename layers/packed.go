package layers

import (
	"context"
	"math/bits"
	"slices"
	"sync"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/statespace"
	"pagoda/statespace/sweep"
	"pagoda/trie"
)

// packedKind is the set, folded by symmetry and compressed in frames that are read one by one.
// It has the least state of each orbit. Within a frame the bits of the numbers are in the order
// that the space prefers: with neighbours side by side, 5x7 takes 11 MB and not 18.
type packedKind struct {
	plainKind
	coder trie.Coder
}

const (
	frameBits  = 23                  // numbers of a frame
	frameWords = 1 << frameBits / 64 // 1 MiB
	maxFrames  = 256                 // kept in memory
)

// reading implements kind: it makes a set in the order of the frames, and one in that of the
// numbers.
func (packedKind) reading(f *File) (always, asSet uint64, direct bool) {
	return 0, 2 * 8 * bitset.Words(f.meta.Size), false
}

func (packedKind) own(d *Details) { d.Symmetries, d.BitOrder = 0, nil }

// memory implements kind: a few frames for each thread.
func (packedKind) memory(statespace.Space) uint64 { return 64 << 20 }

func (k packedKind) write(b *body, j *job) error {
	free, err := j.fill(b.ctx)
	if err != nil {
		return err
	}
	defer free()
	symmetries := sweep.Symmetries(j.sp)
	j.meta.Symmetries = 1 + len(symmetries)
	j.meta.BitOrder = frameOrder(j.sp)
	var mover *bitset.Mover
	if j.meta.BitOrder != nil {
		mover = j.meta.BitOrder.Mover()
	}
	words := bitset.Words(j.members.Len())
	return writeFrames(b, j, k.coder, (words+frameWords-1)/frameWords, func(i uint64) ([]uint64, error) {
		frame, some := make([]uint64, min(frameWords, words-i*frameWords)), false
		const perBlock = 1 << bitset.BlockBits / 64
		for at := uint64(0); at < uint64(len(frame)); at += perBlock {
			first := i*frameWords + at
			block, err := j.members.Block(first / perBlock)
			if err != nil {
				return nil, err
			}
			for w, members := range block {
				least := sweep.Fold(symmetries, first+uint64(w), members)
				frame[at+uint64(w)] = least
				some = some || least != 0
			}
		}
		if !some {
			return nil, nil
		}
		if mover != nil {
			paths := make([]uint64, len(frame))
			mover.Move(paths, frame, 0, mover.Groups())
			frame = paths
		}
		return frame, nil
	})
}

// frameOrder returns the order of the bits within a frame, or nil if they stay in their places.
func frameOrder(sp statespace.Space) (order bitset.Order) {
	for _, bit := range bitOrder(sp) {
		if bit < frameBits {
			order = append(order, bit)
		}
	}
	return order
}

// bitOrder returns the order of the bits that a space prefers. It is nil if the space has no
// such order, or if its numbers are not all those of some bits, six at least.
func bitOrder(sp statespace.Space) bitset.Order {
	if order := sweep.Of(sp).BitOrder; order != nil && canOrder(sp.Size()) {
		return order()
	}
	return nil
}

// canOrder reports whether the bits of numbers below n can change their places.
func canOrder(n uint64) bool { return n >= 64 && bits.OnesCount64(n) == 1 }

func (k packedKind) open(f *File) (bitset.Reader, error) {
	r := &packedReader{f: f, words: bitset.Words(f.meta.Size), symmetries: sweep.Symmetries(f.space), most: min(maxFrames, max(8, f.memory/4/(8*frameWords)))}
	if want := 1 + len(r.symmetries); f.meta.Symmetries != want {
		return nil, f.damaged("%s should have %d symmetries, it was folded by %d", f.space.Name(), want, f.meta.Symmetries)
	}
	if o := f.meta.BitOrder; o != nil {
		if err := o.Check(); err != nil || !canOrder(f.meta.Size) || uint64(1)<<len(o) != 64*min(frameWords, r.words) {
			return nil, f.damaged("the order of the bits in its frames, %v, should have each of those of %d numbers once", o, 64*min(frameWords, r.words))
		}
		r.mover = o.Inverse().Mover()
	}
	var err error
	r.packed, err = openFrames(f, k.coder, (r.words+frameWords-1)/frameWords)
	return r, err
}

// A packedReader is the set of the images of the numbers in the frames.
type packedReader struct {
	f          *File
	symmetries []statespace.WordSymmetry
	words      uint64
	packed     *frames
	most       uint64        // frames that are kept in memory
	mover      *bitset.Mover // nil: the bits are in their places
	blocks     blockCache

	mu     sync.Mutex
	recent map[uint64]*frame
	used   uint64 // counts uses
}

// A frame is one that is read when its words are first asked for.
type frame struct {
	words func() ([]uint64, error)
	used  uint64
}

// frame returns the words of a frame; nil if it is empty.
func (r *packedReader) frame(i uint64) ([]uint64, error) {
	if r.packed.empty(i) {
		return nil, nil
	}
	return r.recentFrame(i).words()
}

// recentFrame returns a frame that is kept, and forgets the one that was not used for longest.
func (r *packedReader) recentFrame(i uint64) *frame {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.recent[i]
	if f == nil {
		if r.recent == nil {
			r.recent = make(map[uint64]*frame)
		}
		if uint64(len(r.recent)) >= r.most {
			oldest := i
			for k, g := range r.recent {
				if oldest == i || g.used < r.recent[oldest].used {
					oldest = k
				}
			}
			delete(r.recent, oldest)
		}
		f = &frame{words: sync.OnceValues(func() ([]uint64, error) { return r.read(i) })}
		r.recent[i] = f
	}
	r.used++
	f.used = r.used
	return f
}

// read reads a frame from the map.
func (r *packedReader) read(i uint64) ([]uint64, error) {
	words := make([]uint64, min(frameWords, r.words-i*frameWords))
	if err := r.packed.read(i, words); err != nil {
		return nil, err
	}
	if r.mover != nil {
		paths := words
		words = make([]uint64, len(paths))
		r.mover.Move(words, paths, 0, r.mover.Groups())
	}
	return words, nil
}

// An unfolding reads words of the folded set. It remembers the frames that it has read last.
type unfolding struct {
	r      *packedReader
	recent []readFrame // by the lowest bits of their numbers
	err    error
}

type readFrame struct {
	next  uint64 // the number of the frame plus 1; 0: there is none
	words []uint64
}

func (u *unfolding) read(word uint64) uint64 {
	i := word / frameWords
	f := &u.recent[i%uint64(len(u.recent))]
	if f.next != i+1 {
		words, err := u.r.frame(i)
		if err != nil {
			u.err = err
			return 0
		}
		f.next, f.words = i+1, words
	}
	if f.words == nil {
		return 0
	}
	return f.words[word%frameWords]
}

// Len implements bitset.Reader.
func (r *packedReader) Len() uint64 { return r.f.meta.Size }

// Block implements bitset.Reader.
func (r *packedReader) Block(i uint64) ([]uint64, error) {
	return r.blocks.get(i, func() ([]uint64, error) {
		u := unfolding{r: r, recent: make([]readFrame, r.most)}
		words := make([]uint64, bitset.BlockWords(r, i))
		for w := range words {
			words[w] = sweep.Unfold(r.symmetries, i<<bitset.BlockBits/64+uint64(w), u.read)
		}
		return words, u.err
	})
}

// folded returns the set of the frames in memory, which free gives back.
func (r *packedReader) folded(ctx context.Context, threads int) (set *bitset.Set, free func(), err error) {
	return MakeSet(ctx, r.Len(), threads, func(set *bitset.Set) error {
		return mapped.Each(ctx, threads, r.packed.len(), func(i uint64) error {
			if r.packed.empty(i) {
				return nil
			}
			words, err := r.read(i)
			copy(set.Words()[i*frameWords:], words)
			return err
		})
	})
}

// fill implements filler: each frame is read once.
func (r *packedReader) fill(ctx context.Context, set *bitset.Set, threads int) error {
	folded, free, err := r.folded(ctx, threads)
	if err != nil {
		return err
	}
	defer free()
	return sweep.UnfoldSet(ctx, r.f.space, folded, set, threads, nil)
}

// prove checks that the frames have the least state of each orbit only: Has looks for no other.
func (r *packedReader) prove(ctx context.Context, _ *bitset.Set, threads int) error {
	folded, free, err := r.folded(ctx, threads)
	if err != nil {
		return err
	}
	defer free()
	if n := r.Len(); n%64 != 0 {
		if err := r.f.noneBeyond(n, folded.Words()[n/64]); err != nil {
			return err
		}
	}
	for i := range r.packed.len() {
		first := i * frameWords
		words := folded.Words()[first:min(first+frameWords, r.words)]
		if !r.packed.empty(i) && !slices.ContainsFunc(words, func(w uint64) bool { return w != 0 }) {
			return r.f.damaged("its frame %d has no members, and should have no bytes", i)
		}
	}
	return mapped.Each(ctx, threads, bitset.Blocks(folded), func(i uint64) error {
		words, err := folded.Block(i)
		for w, members := range words {
			word := i<<bitset.BlockBits/64 + uint64(w)
			if more := members &^ sweep.Fold(r.symmetries, word, members); more != 0 {
				return r.f.damaged("its frames should have the least state of each orbit, and have %s, which has a lesser image", r.f.space.Format(64*word+uint64(bits.TrailingZeros64(more))))
			}
		}
		return err
	})
}

// Has implements bitset.Finder. It looks up the least image.
func (r *packedReader) Has(x uint64) (bool, error) {
	least := x
	for _, s := range r.symmetries {
		least = min(least, s.Map(x))
	}
	u := unfolding{r: r, recent: make([]readFrame, 1)}
	word := u.read(least / 64)
	return word>>(least%64)&1 == 1, u.err
}

// Word implements bitset.Finder.
func (r *packedReader) Word(i uint64) (uint64, error) {
	u := unfolding{r: r, recent: make([]readFrame, 8)}
	word := sweep.Unfold(r.symmetries, i, u.read)
	return word, u.err
}
