package sparse

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"pagoda/internal/amount"
	"pagoda/internal/mapped"
	"pagoda/sorted"
	"pagoda/statespace"
)

// A share says how the memory is shared out.
type share struct {
	buffer int // words of successors for each thread
	blocks int // for levels and runs in memory
	fanIn  int // runs that are merged at once
	span   int // codes that a thread merges at once, about
	worth  int // states of a level that are worth another thread
}

// ahead is how many bytes of a list are read at once.
const ahead = 1 << 14

// Least returns how many bytes of memory a search needs at least: with codes of 1 to
// sorted.MaxWords words, on some threads.
func Least(words, threads int) uint64 {
	s := share{span: leastSpan}
	return uint64(leastFixed+s.merging(words, threads)+leastFanIn*cursorBytes(words)*threads+32*leastBuffer(words)*threads)*8/7 + 1024
}

// mostBuffer is the most words of successors for a thread.
const mostBuffer = 1 << 25

// With little memory, the parts of a search are smaller.
const (
	leastFixed = 1 << 19
	leastSpan  = 1 << 11
	leastFanIn = 4
)

// leastBuffer returns the least words of successors for a thread.
func leastBuffer(words int) int { return words << 11 }

// cursorBytes returns what it takes to read a list.
func cursorBytes(words int) int { return 2 * (ahead + 8*words*sorted.ChunkCodes) }

// merging returns what it takes to merge.
func (s *share) merging(words, threads int) int {
	return threads * 8 * words * 4 * s.span
}

// newShare shares the memory out. It gives a thread at most 256 MiB for successors, and all
// threads together as much if there is no bound: more is no quicker, and a sort is not
// interrupted.
func newShare(words, threads int, memory uint64, disk bool) (s share, err error) {
	s = share{mostBuffer / threads, math.MaxInt, 256, 1 << 14, 1 << 10}
	if memory == 0 {
		return s, nil
	}
	// What is fixed is the rest of the search, and of the collected heap.
	for _, with := range []struct{ fixed, span int }{{4 << 20, s.span}, {leastFixed, leastSpan}} {
		s.span = with.span
		s.divide(words, threads, int(min(memory, math.MaxInt))-with.fixed, disk)
		if s.buffer >= words<<13 {
			break
		}
	}
	if s.buffer < leastBuffer(words) {
		const mib = 1 << 20
		return s, fmt.Errorf("%w: on %s a search needs at least %.1f MiB, and has %.1f MiB", statespace.ErrMemory, amount.Of(threads, "thread"), float64(Least(words, threads))/mib, float64(memory)/mib)
	}
	return s, nil
}

// divide shares some bytes out, given the span.
func (s *share) divide(words, threads, total int, disk bool) {
	cursor := cursorBytes(words)
	s.fanIn = min(256, max(leastFanIn, total/8/cursor/threads))
	rest := total - s.merging(words, threads) - s.fanIn*cursor*threads
	s.buffer = min(mostBuffer, rest/8/threads)
	if !disk {
		s.buffer = min(mostBuffer, rest/32/threads)
		s.blocks = (rest - s.buffer*8*threads) / blockBytes
	}
}

// errFull says that a pool has no more blocks.
var errFull = errors.New("no more blocks")

// A pool hands out blocks of memory of one size. It keeps what it gets from the system, for
// use again.
type pool struct {
	mu      sync.Mutex
	arena   mapped.Arena
	threads int
	most    int // blocks
	got     int
	free    [][]byte
}

const blockBytes = 1 << 13

// take returns an empty block, or errFull.
func (p *pool) take(ctx context.Context) ([]byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.free) == 0 {
		const huge = 2 << 20 / blockBytes // a large page
		n := max(8, p.got/4)
		if n >= huge/2 {
			n = min((n+huge-1)/huge*huge, 32*huge)
		}
		if n = min(n, p.most-p.got); n <= 0 {
			return nil, errFull
		}
		words, err := p.arena.Words(ctx, uint64(n)*blockBytes/8, p.threads)
		if err != nil {
			return nil, err
		}
		p.got += n
		for all := mapped.Bytes(words); len(all) > 0; all = all[blockBytes:] {
			p.free = append(p.free, all[:0:blockBytes])
		}
	}
	last := len(p.free) - 1
	block := p.free[last]
	p.free = p.free[:last]
	return block, nil
}

// give takes blocks back.
func (p *pool) give(blocks [][]byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, b := range blocks {
		p.free = append(p.free, b[:0])
	}
}
