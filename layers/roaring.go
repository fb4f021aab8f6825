package layers

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/statespace"
)

// roaringKind is a roaring bitmap for each layer of each shard, which is 2^32 numbers: a bitmap
// has the lowest 32 bits of its members. The bitmaps are frozen, so that they are read where
// they lie in the map. The only containers of runs are full ones: others would be few, and the
// library validates one in a time that grows with the square of its runs.
//
// A space without layers has one, layer 0.
type roaringKind struct{ plainKind }

// A roaringEntry says where a bitmap is. Entries are sorted by shard, then by layer.
type roaringEntry struct {
	Shard  uint64
	Layer  int64
	Offset uint64 // in the section "bitmaps", a multiple of 64
	Length uint64
}

const (
	roaringAlign = 64
	entrySize    = 32
)

// shardBits is 32 except in a test.
var shardBits = 32

// low returns the bits of a number that a bitmap has.
func low(x uint64) uint32 { return uint32(x & (1<<shardBits - 1)) }

// memory implements kind, for one shard: an array has two bytes for each member, and there are
// others that the garbage collector has not freed yet.
func (roaringKind) memory(sp statespace.Space) uint64 { return 2 * min(sp.Size(), 1<<shardBits) }

func (roaringKind) write(b *body, j *job) error {
	free, err := j.fill(b.ctx)
	if err != nil {
		return err
	}
	defer free()
	var entries []roaringEntry
	err = b.section("bitmaps", func() error {
		first := b.offset
		j.start(bitset.Blocks(j.members))
		blocksPerShard := uint64(1) << (shardBits - bitset.BlockBits)
		for shard := uint64(0); shard*blocksPerShard < bitset.Blocks(j.members); shard++ {
			bitmaps, err := shardBitmaps(b.ctx, j, shard*blocksPerShard, min(blocksPerShard, bitset.Blocks(j.members)-shard*blocksPerShard))
			if err != nil {
				return err
			}
			for _, layer := range slices.Sorted(maps.Keys(bitmaps)) {
				at := b.offset - first
				n, err := bitmaps[layer].WriteFrozenTo(b)
				if err != nil {
					return fmt.Errorf("layer %d: %w", layer, err)
				}
				delete(bitmaps, layer)
				entries = append(entries, roaringEntry{shard, int64(layer), uint64(at), uint64(b.offset - first - at)})
				if err := b.write(make([]byte, -n&(roaringAlign-1))); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return b.section("index", func() error { return binary.Write(b, binary.LittleEndian, entries) })
}

// layersOf returns the function that returns the layer of a state.
func layersOf(sp statespace.Space) func(x uint64) int {
	if l := sp.Parts().Layers; l != nil {
		return l.Layer
	}
	return func(uint64) int { return 0 }
}

// shardBitmaps makes the bitmaps of blocks of one shard.
func shardBitmaps(ctx context.Context, j *job, firstBlock, blocks uint64) (map[int]*roaring.Bitmap, error) {
	layerOf := layersOf(j.sp)
	bitmaps := make(map[int]*roaring.Bitmap)
	pool := sync.Pool{New: func() any { return new([][]uint32) }}
	// Or goes through the whole bitmap, so it gets many blocks at a time.
	const together = 16
	err := inOrder(ctx, j.Threads, (blocks+together-1)/together, func(i uint64) (map[int]*roaring.Bitmap, error) {
		lists := pool.Get().(*[][]uint32)
		defer pool.Put(lists)
		byLayer := *lists
		for block := firstBlock + i*together; block < firstBlock+min((i+1)*together, blocks); block++ {
			words, err := j.members.Block(block)
			if err != nil {
				return nil, err
			}
			part, err := bitset.Over(words, 64*uint64(len(words)))
			if err != nil {
				return nil, err
			}
			for x := range part.All() {
				x += block << bitset.BlockBits
				layer := layerOf(x)
				for len(byLayer) <= layer {
					byLayer = append(byLayer, nil)
				}
				byLayer[layer] = append(byLayer[layer], low(x))
			}
			j.Progress.Add(1)
		}
		parts := make(map[int]*roaring.Bitmap)
		for layer, numbers := range byLayer {
			if len(numbers) > 0 {
				parts[layer] = roaring.BitmapOf(numbers...)
				byLayer[layer] = numbers[:0]
			}
		}
		*lists = byLayer
		return parts, nil
	}, func(parts map[int]*roaring.Bitmap) error {
		for layer, part := range parts {
			if all := bitmaps[layer]; all != nil {
				all.Or(part)
			} else {
				bitmaps[layer] = part
			}
		}
		return nil
	})
	return bitmaps, err
}

func (roaringKind) open(f *File) (bitset.Reader, error) {
	index, err := f.part("index", AnyLength)
	if err != nil {
		return nil, err
	}
	bitmaps, err := f.part("bitmaps", AnyLength)
	if err != nil {
		return nil, err
	}
	if index.length%entrySize != 0 || index.length > maxMeta {
		return nil, f.damaged("its section \"index\" should have %d bytes for each bitmap, and at most %d in all; it has %d", entrySize, maxMeta, index.length)
	}
	if err := index.check(0, index.length); err != nil {
		return nil, err
	}
	r := &roaringReader{f: f, layerOf: layersOf(f.space), all: bitmaps}
	entries := make([]roaringEntry, index.length/entrySize)
	if _, err := binary.Decode(index.bytes(), binary.LittleEndian, entries); err != nil {
		return nil, f.damaged("its section \"index\": %v", err)
	}
	end, before := uint64(0), roaringEntry{}
	for i, e := range entries {
		sorted := i == 0 || e.order(before) > 0
		if !sorted || e.Layer < 0 || e.Shard > (f.meta.Size-1)>>shardBits || e.Offset%roaringAlign != 0 || e.Offset < end || e.Length > bitmaps.length || e.Offset > bitmaps.length-e.Length {
			return nil, f.damaged("entry %d of its section \"index\" should come in order and lie within %d bytes: %+v", i, bitmaps.length, e)
		}
		end, before = e.Offset+e.Length, e
		l := &layerBitmap{entry: e, part: bitmaps}
		l.get = sync.OnceValues(l.read)
		r.bitmaps = append(r.bitmaps, l)
	}
	return r, nil
}

// A roaringReader is the set of the numbers that are in the bitmaps.
type roaringReader struct {
	f       *File
	layerOf func(x uint64) int
	all     part           // the section of the bitmaps
	bitmaps []*layerBitmap // sorted
	blocks  blockCache
}

func (e roaringEntry) order(f roaringEntry) int {
	return cmp.Or(cmp.Compare(e.Shard, f.Shard), cmp.Compare(e.Layer, f.Layer))
}

// find returns where the bitmap of a layer in a shard is, or would be.
func (r *roaringReader) find(shard uint64, layer int64) (i int, ok bool) {
	return slices.BinarySearchFunc(r.bitmaps, roaringEntry{Shard: shard, Layer: layer},
		func(l *layerBitmap, e roaringEntry) int { return l.entry.order(e) })
}

// A layerBitmap is the bitmap of a layer in a shard.
type layerBitmap struct {
	entry roaringEntry
	part
	get func() (*roaring.Bitmap, error) // reads it the first time
}

// read returns the bitmap. It checks and validates it: a frozen view does not.
func (l *layerBitmap) read() (*roaring.Bitmap, error) {
	if err := l.check(l.entry.Offset, l.entry.Length); err != nil {
		return nil, err
	}
	frozen := l.bytes()[l.entry.Offset:][:l.entry.Length]
	bitmap := roaring.New()
	err := checkRuns(frozen)
	if err == nil {
		err = bitmap.MustFrozenView(frozen)
	}
	if err != nil {
		return nil, l.f.damaged("its bitmap of layer %d: %v", l.entry.Layer, err)
	}
	return bitmap, nil
}

// checkRuns refuses containers of several runs, which this package does not write. A frozen
// bitmap ends in two bytes for each container with the number of its runs, a byte for each
// container with its type, and four bytes with the number of containers.
func checkRuns(frozen []byte) error {
	const run, mostRuns = 3, 1
	end := len(frozen) - 4
	if end < 0 {
		return roaring.ErrFrozenBitmapIncomplete
	}
	n := int(binary.LittleEndian.Uint32(frozen[end:]) >> 15)
	if end < 3*n {
		return roaring.ErrFrozenBitmapIncomplete
	}
	counts, types := frozen[end-3*n:end-n], frozen[end-n:end]
	for i, t := range types {
		if runs := binary.LittleEndian.Uint16(counts[2*i:]); t == run && runs > mostRuns {
			return fmt.Errorf("it should have containers of one run at most, and has one of %d", runs)
		}
	}
	return nil
}

// Len implements bitset.Reader.
func (r *roaringReader) Len() uint64 { return r.f.meta.Size }

// Has implements bitset.Finder. It looks in the bitmap of the number's layer.
func (r *roaringReader) Has(x uint64) (bool, error) {
	i, ok := r.find(x>>shardBits, int64(r.layerOf(x)))
	if !ok {
		return false, nil
	}
	bitmap, err := r.bitmaps[i].get()
	if err != nil {
		return false, err
	}
	return bitmap.Contains(low(x)), nil
}

// Word implements bitset.Finder.
func (r *roaringReader) Word(i uint64) (uint64, error) { return bitset.WordByHas(r, i) }

// Block implements bitset.Reader.
func (r *roaringReader) Block(i uint64) ([]uint64, error) {
	return r.blocks.get(i, func() ([]uint64, error) {
		words := make([]uint64, bitset.BlockWords(r, i))
		first := i << bitset.BlockBits
		err := r.eachIn(i, func(_ int, numbers []uint32) error {
			for _, x := range numbers {
				x -= low(first)
				words[x/64] |= 1 << (x % 64)
			}
			return nil
		})
		return words, err
	})
}

// eachIn calls visit with the members of a block, layer by layer.
func (r *roaringReader) eachIn(block uint64, visit func(layer int, numbers []uint32) error) error {
	first := block << bitset.BlockBits
	window := roaring.New()
	window.AddRange(uint64(low(first)), uint64(low(first))+min(1<<bitset.BlockBits, r.Len()-first))
	buffer := make([]uint32, 1<<12)
	for i, _ := r.find(first>>shardBits, 0); i < len(r.bitmaps) && r.bitmaps[i].entry.Shard == first>>shardBits; i++ {
		l := r.bitmaps[i]
		bitmap, err := l.get()
		if err != nil {
			return err
		}
		for i := roaring.And(bitmap, window).ManyIterator(); ; {
			k := i.NextMany(buffer)
			if k == 0 {
				break
			}
			if err := visit(int(l.entry.Layer), buffer[:k]); err != nil {
				return err
			}
		}
	}
	return nil
}

// proveBounds checks that no bitmap is empty or has numbers beyond the last, and that there are
// only zeros between them.
func (r *roaringReader) proveBounds() error {
	end := uint64(0)
	for _, l := range r.bitmaps {
		bitmap, err := l.get()
		if err != nil {
			return err
		}
		if bitmap.IsEmpty() {
			return r.f.damaged("its bitmap of layer %d is empty", l.entry.Layer)
		}
		if last := l.entry.Shard<<shardBits + uint64(bitmap.Maximum()); last >= r.Len() {
			return r.f.damaged("its bitmap of layer %d has number %d, beyond %d, its last number", l.entry.Layer, last, r.Len()-1)
		}
		if err := l.zeros(end, l.entry.Offset); err != nil {
			return err
		}
		end = l.entry.Offset + l.entry.Length
	}
	if want := (end + roaringAlign - 1) &^ (roaringAlign - 1); want != r.all.length {
		return r.f.damaged("its section \"bitmaps\" should have %d bytes, and has %d", want, r.all.length)
	}
	return r.all.zeros(end, r.all.length)
}

// prove checks that every number is in the bitmap of its layer, and that the bitmaps hold nothing
// else.
func (r *roaringReader) prove(ctx context.Context, set *bitset.Set, threads int) error {
	if err := r.proveBounds(); err != nil {
		return err
	}
	return mapped.Each(ctx, threads, bitset.Blocks(r), func(i uint64) error {
		first := i << bitset.BlockBits
		return r.eachIn(i, func(layer int, numbers []uint32) error {
			for _, number := range numbers {
				if x := first>>shardBits<<shardBits | uint64(number); r.layerOf(x) != layer {
					return r.f.damaged("its bitmap of layer %d holds %s, which is of layer %d", layer, r.f.space.Format(x), r.layerOf(x))
				}
			}
			return nil
		})
	})
}
