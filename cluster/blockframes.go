package cluster

import (
	"cmp"
	"container/list"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/sync/errgroup"

	"pagoda/bitset"
	"pagoda/cluster/storage"
	"pagoda/internal/mapped"
)

// A frame is the words of some blocks of a group, their bits in the order of the plan, compressed by
// zstd. The object of a group has its frames one after another, and before them a head: the length
// and the checksum of each frame, and the checksum of all that. A frame without members has no bytes.

// frameEntry is the bytes of an entry of the head, sumBytes those of a checksum.
const (
	frameEntry = 8
	sumBytes   = 4
)

// coders are shared: they may be used by several goroutines at once.
var coders = sync.OnceValues(func() (c struct {
	*zstd.Encoder
	*zstd.Decoder
}, err error) {
	if c.Encoder, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderCRC(false)); err == nil {
		c.Decoder, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(0))
	}
	return c, err
})

// move returns the words of a frame with their bits in another order, or as they are without a mover.
func (f *frameStore) move(m *bitset.Mover, words []uint64) []uint64 {
	if m == nil {
		return words
	}
	moved, n := make([]uint64, len(words)), f.s.words()
	for i := 0; i < len(words); i += n {
		m.Move(moved[i:][:n], words[i:][:n], 0, m.Groups())
	}
	return moved
}

// encode returns the object of some frames.
func (f *frameStore) encode(frames [][]uint64) ([]byte, error) {
	coders, err := coders()
	if err != nil {
		return nil, err
	}
	head := len(frames)*frameEntry + sumBytes
	data := make([]byte, head)
	for i, words := range frames {
		begin := len(data)
		if slices.ContainsFunc(words, func(w uint64) bool { return w != 0 }) {
			data = coders.EncodeAll(mapped.Bytes(f.move(f.pack, words)), data)
		}
		entry := data[i*frameEntry:]
		binary.LittleEndian.PutUint32(entry, uint32(len(data)-begin))
		binary.LittleEndian.PutUint32(entry[4:], storage.Sum(data[begin:]))
	}
	binary.LittleEndian.PutUint32(data[head-sumBytes:], storage.Sum(data[:head-sumBytes]))
	return data, nil
}

// A frameKey says which frame one is.
type frameKey struct{ stage, group, frame int }

func (k frameKey) compare(other frameKey) int {
	return cmp.Or(k.stage-other.stage, k.group-other.group, k.frame-other.frame)
}

// object returns the key of the first frame of an object.
func (k frameKey) object() frameKey { return frameKey{k.stage, k.group, 0} }

// A frameStore reads frames, and keeps those in memory that were used last. Several goroutines may
// use it at once.
type frameStore struct {
	plan  *plan
	place *storage.Place
	s     *schedule
	most  int // words of frames that are kept
	// pack moves bits to where they are in frames, unpack moves them back. They may be nil.
	pack, unpack *bitset.Mover

	mu     sync.Mutex
	frames map[frameKey]*frame
	recent list.List // of *frame, the last one first
	held   int       // words of those in recent
	heads  map[frameKey][]span
}

// A frame is in memory, or is being read.
type frame struct {
	key   frameKey
	ready chan struct{} // closed when it is read
	words []uint64
	err   error
	used  *list.Element
}

// A span is where a frame lies in its object.
type span struct {
	begin, end int64
	sum        uint32
}

func newFrameStore(w *worker, s *schedule) *frameStore {
	f := &frameStore{plan: w.plan, place: w.place, s: s, most: int(w.plan.Memory / 8), frames: make(map[frameKey]*frame), heads: make(map[frameKey][]span)}
	if len(s.Order) > 0 {
		f.pack, f.unpack = s.Order.Mover(), s.Order.Inverse().Mover()
	}
	return f
}

// get returns the words of frames. The keys are in ascending order. The caller must not change the words.
func (f *frameStore) get(ctx context.Context, keys []frameKey) (map[frameKey][]uint64, error) {
	var all, missing []*frame
	f.mu.Lock()
	for _, key := range keys {
		one := f.frames[key]
		if one == nil {
			one = &frame{key: key, ready: make(chan struct{})}
			f.frames[key] = one
			missing = append(missing, one)
		} else if one.used != nil {
			f.recent.MoveToFront(one.used)
		}
		all = append(all, one)
	}
	f.mu.Unlock()
	var group errgroup.Group
	group.SetLimit(readsAtOnce)
	for len(missing) > 0 {
		n := 1
		for n < len(missing) && missing[n].key.object() == missing[0].key.object() {
			n++
		}
		of := missing[:n]
		group.Go(func() error {
			f.readObject(ctx, of)
			return nil
		})
		missing = missing[n:]
	}
	group.Wait()
	words := make(map[frameKey][]uint64, len(all))
	for _, one := range all {
		<-one.ready
		if one.err != nil {
			return nil, one.err
		}
		words[one.key] = one.words
	}
	return words, nil
}

// keep keeps the words of a frame that was made here.
func (f *frameStore) keep(key frameKey, words []uint64) {
	one := &frame{key: key, ready: make(chan struct{}), words: words}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.frames[key] == nil {
		f.frames[key] = one
		f.done(one)
	}
}

// done ends the reading of a frame.
func (f *frameStore) done(one *frame) {
	close(one.ready)
	if one.err != nil {
		delete(f.frames, one.key)
		return
	}
	one.used = f.recent.PushFront(one)
	for f.held += len(one.words); f.held > f.most; {
		last := f.recent.Remove(f.recent.Back()).(*frame)
		f.held -= len(last.words)
		delete(f.frames, last.key)
	}
}

// readsAtOnce is how many objects a task reads at once, as a bucket may take long to answer.
const readsAtOnce = 8

// mostGap is how many bytes between two frames are read rather than left out.
const mostGap = 64 << 10

// readObject reads frames of an object. Frames that lie close together are read at once.
func (f *frameStore) readObject(ctx context.Context, frames []*frame) {
	head, err := f.head(ctx, frames[0].key)
	for len(frames) > 0 {
		n := 1
		var data []byte
		var begin int64
		if err == nil {
			begin = head[frames[0].key.frame].begin
			end := head[frames[0].key.frame].end
			for ; n < len(frames) && head[frames[n].key.frame].begin-end <= mostGap; n++ {
				end = head[frames[n].key.frame].end
			}
			if end > begin {
				data, err = f.place.GetRange(ctx, f.name(frames[0].key), begin, end-begin)
			}
		}
		for _, one := range frames[:n] {
			if one.err = err; err == nil {
				at := head[one.key.frame]
				one.words, one.err = f.decode(one.key, data[at.begin-begin:at.end-begin], at.sum)
			}
		}
		f.mu.Lock()
		for _, one := range frames[:n] {
			f.done(one)
		}
		f.mu.Unlock()
		frames = frames[n:]
	}
}

// name returns the name of the object of a frame.
func (f *frameStore) name(key frameKey) string {
	return f.plan.object(&record{Level: key.stage, Shard: key.group})
}

// decode returns the words of a frame.
func (f *frameStore) decode(key frameKey, data []byte, sum uint32) ([]uint64, error) {
	blocks := min(f.s.Frame, len(f.s.group(key.stage, key.group))-key.frame*f.s.Frame)
	words := make([]uint64, blocks*f.s.words())
	if len(data) == 0 {
		return words, nil
	}
	found := storage.Sum(data)
	if found != sum {
		return nil, fmt.Errorf("%s in %s is %w: the checksum of frame %d should be %08x, and is %08x", f.name(key), f.place, storage.ErrDamaged, key.frame, sum, found)
	}
	coders, err := coders()
	if err != nil {
		return nil, err
	}
	to := mapped.Bytes(words)
	bytes, err := coders.DecodeAll(data, to[:0:len(to)])
	if err != nil || len(bytes) != len(to) {
		return nil, fmt.Errorf("%s in %s is %w: frame %d should have %d bytes, and has %d: %v", f.name(key), f.place, storage.ErrDamaged, key.frame, len(to), len(bytes), err)
	}
	copy(to, bytes) // if they lie elsewhere
	return f.move(f.unpack, words), nil
}

// head returns where the frames of an object lie.
func (f *frameStore) head(ctx context.Context, key frameKey) ([]span, error) {
	key = key.object()
	f.mu.Lock()
	spans := f.heads[key]
	f.mu.Unlock()
	if spans != nil {
		return spans, nil
	}
	frames := (len(f.s.group(key.stage, key.group))-1)/f.s.Frame + 1
	length := frames * frameEntry
	data, err := f.place.GetRange(ctx, f.name(key), 0, int64(length+sumBytes))
	if err != nil {
		return nil, err
	}
	if want, found := binary.LittleEndian.Uint32(data[length:]), storage.Sum(data[:length]); found != want {
		return nil, fmt.Errorf("%s in %s is %w: the checksum of its head should be %08x, and is %08x", f.name(key), f.place, storage.ErrDamaged, want, found)
	}
	at := int64(length + sumBytes)
	for entry := data[:length]; len(entry) > 0; entry = entry[frameEntry:] {
		end := at + int64(binary.LittleEndian.Uint32(entry))
		spans = append(spans, span{at, end, binary.LittleEndian.Uint32(entry[4:])})
		at = end
	}
	f.mu.Lock()
	f.heads[key] = spans
	f.mu.Unlock()
	return spans, nil
}
