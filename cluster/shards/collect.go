package shards

import (
	"context"
	"math/bits"
	"sync"
	"sync/atomic"

	"pagoda/internal/mapped"
	"pagoda/sorted"
	"pagoda/statespace"
)

// A Collector gathers the successors that several goroutines find, and hands them on as runs of
// their shards. Of a space with symmetries it keeps the representatives only.
type Collector interface {
	// NewSink returns a sink for one goroutine.
	NewSink() Sink
	// Begin says where runs go from now on. Several goroutines may call take at once.
	Begin(take func(shard int, run []byte))
	// Flush hands on all that is left. No sink is in use meanwhile. The collector is empty then.
	Flush(threads int)
	// Reset forgets all that is left.
	Reset()
}

// A Sink takes codes.
type Sink interface {
	// Add takes codes, one after another, in any order. It keeps no reference to them.
	Add(codes []uint64)
}

// NewCollector returns a Collector that takes about some bytes of memory. If these are enough, it
// has a bit for each number of the layout. Else it sorts a buffer of codes for each of the
// given number of sinks; when one is full, its runs are handed on at once.
func (l *Layout) NewCollector(symmetries []statespace.Symmetry, memory uint64, sinks int) Collector {
	maps := uint64(1)
	if len(symmetries) > 0 {
		maps = 2
	}
	if l.Size > 0 && l.Size/8*maps <= memory {
		pages := (l.Size + 1<<pageBits - 1) >> pageBits
		c := &bitmap{layout: l, symmetries: symmetries, words: make([]uint64, pages*pageWords)}
		if maps == 2 {
			c.least = make([]uint64, len(c.words))
		}
		return c
	}
	most := max(1<<12, int(memory/8)/max(1, sinks))
	return &buffers{layout: l, symmetries: symmetries, most: most / l.Words * l.Words}
}

// A bitmap is a Collector with a bit for each number, and its own Sink.
type bitmap struct {
	layout     *Layout
	symmetries []statespace.Symmetry
	words      []uint64
	least      []uint64 // the representatives, or nil
	take       func(shard int, run []byte)
}

// Begin implements Collector.
func (c *bitmap) Begin(take func(shard int, run []byte)) { c.take = take }

// Reset implements Collector.
func (c *bitmap) Reset() {
	clear(c.words)
	clear(c.least)
}

// NewSink implements Collector.
func (c *bitmap) NewSink() Sink { return c }

// Add implements Sink.
func (c *bitmap) Add(codes []uint64) { addBits(c.words, codes) }

// addBits sets bits that other goroutines may set, too.
func addBits(words, numbers []uint64) {
	for _, x := range numbers {
		w, bit := &words[x>>6], uint64(1)<<(x&63)
		if atomic.LoadUint64(w)&bit == 0 {
			atomic.OrUint64(w, bit)
		}
	}
}

// Flush implements Collector.
func (c *bitmap) Flush(threads int) {
	from := c.words
	if c.least != nil {
		c.each(threads, func(_ int, first, end uint64) {
			var few [64]uint64
			for i := first >> 6; i < end>>6; i++ {
				w, some := c.words[i], few[:0]
				for c.words[i] = 0; w != 0; w &= w - 1 {
					some = append(some, statespace.Representative(c.symmetries, i<<6+uint64(bits.TrailingZeros64(w))))
				}
				addBits(c.least, some)
			}
		})
		from = c.least
	}
	c.each(threads, func(shard int, first, end uint64) {
		words := from[first>>6 : end>>6]
		var e encoder
		e.words(first, words)
		clear(words)
		if e.n > 0 {
			c.take(shard, e.data)
		}
	})
}

// each calls do with all shards, on several goroutines.
func (c *bitmap) each(threads int, do func(shard int, first, end uint64)) {
	mapped.Each(context.Background(), threads, uint64(c.layout.Shards()), func(shard uint64) error { // no error
		first, end := c.layout.Bounds(int(shard))
		do(int(shard), first, end)
		return nil
	})
}

// Buffers is a Collector that sorts.
type buffers struct {
	layout     *Layout
	symmetries []statespace.Symmetry
	most       int // words of a buffer
	take       func(shard int, run []byte)
	mu         sync.Mutex
	sinks      []*buffer
}

// A buffer is a Sink of buffers.
type buffer struct {
	of    *buffers
	codes []uint64
}

// Begin implements Collector.
func (c *buffers) Begin(take func(shard int, run []byte)) { c.take = take }

// Reset implements Collector.
func (c *buffers) Reset() {
	for _, b := range c.sinks {
		b.codes = b.codes[:0]
	}
}

// NewSink implements Collector.
func (c *buffers) NewSink() Sink {
	b := &buffer{of: c}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sinks = append(c.sinks, b)
	return b
}

// Add implements Sink.
func (b *buffer) Add(codes []uint64) {
	if len(b.codes)+len(codes) > b.of.most {
		b.codes = sorted.Distinct(b.codes, b.of.layout.Words)
		if len(b.codes) > b.of.most/2 {
			b.flush()
		}
	}
	n := len(b.codes)
	b.codes = append(b.codes, codes...)
	if len(b.of.symmetries) > 0 { // these are of numbers
		for i, x := range b.codes[n:] {
			b.codes[n+i] = statespace.Representative(b.of.symmetries, x)
		}
	}
}

// flush hands on all codes.
func (b *buffer) flush() {
	l := b.of.layout
	codes := sorted.Distinct(b.codes, l.Words)
	for len(codes) > 0 {
		shard := l.Shard(codes[:l.Words])
		end := len(codes)
		switch {
		case l.Size > 0:
			if _, last := l.Bounds(shard); last < l.Size {
				end = sorted.Search(codes, []uint64{last})
			}
		case shard < len(l.Cuts):
			end = sorted.Search(codes, l.Cuts[shard])
		}
		b.of.take(shard, l.Run(codes[:end]))
		codes = codes[end:]
	}
	b.codes = b.codes[:0]
}

// Flush implements Collector.
func (c *buffers) Flush(threads int) {
	mapped.Each(context.Background(), threads, uint64(len(c.sinks)), func(i uint64) error { // no error
		c.sinks[i].flush()
		return nil
	})
}
