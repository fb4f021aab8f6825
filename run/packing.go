//go:build !js

package run

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/dustin/go-humanize"

	"pagoda/statespace"
	"pagoda/statespace/sweep"
)

// packs reports whether a run that makes blocks packs them: if they do not fit into memory whole, and
// go to the file while they are made, or nowhere. A run that goes on does what it did before.
func (j *job) packs() bool {
	if j.from != nil {
		c := j.from.Meta().Checkpoint.Stream
		return c != nil && c.Packed
	}
	blocks := j.engine.blocks()
	if blocks == nil || blocks.Feeds == nil || blocks.Ratio == 0 || j.Output != "" && !j.streamsToFile() {
		return false
	}
	whole := j.wholeNeed()
	return whole > MemoryLimit(j.Memory) && j.packedNeed()+j.besidePacked()+program < whole
}

// besidePacked returns what a run takes besides the blocks, if it packs them.
func (j *job) besidePacked() uint64 {
	blocks := j.engine.blocks()
	return j.besideBlocks() + sweep.PackedTables(blocks, j.Threads, len(statespace.Symmetries(j.sp)))
}

// packedWindow returns about how many bytes the packed blocks of the window take at most.
func (j *job) packedWindow() uint64 {
	blocks := j.engine.blocks()
	return uint64(float64(blocks.Window<<blocks.Bits/8) / blocks.Ratio)
}

// packedNeed returns how many bytes a run that packs needs for blocks. With a scratch directory, the
// packed blocks need not be in memory. Without one, there is some more: a guess can be wrong.
func (j *job) packedNeed() uint64 {
	need := sweep.LeastPacked(j.engine.blocks(), j.Threads)
	if j.Scratch == "" {
		need += j.packedWindow() / 4 * 5
	}
	return need
}

// packedRoom returns how many bytes a run that packs takes for blocks: what it may take, but not more
// than it can use.
func (j *job) packedRoom() uint64 {
	blocks := j.engine.blocks()
	need := j.packedNeed()
	beside, limit := j.besidePacked()+program, MemoryLimit(j.Memory)
	if limit < beside+need {
		return need // it is refused, unless a checkpoint is of a run with more
	}
	return max(need, min(blocks.Window<<blocks.Bits/8+need, (limit-beside)/64*63)) // the allocator rounds up
}

// packing predicts how a run packs its blocks, or returns nil if it does not.
func (j *job) packing() *Packing {
	if !j.packs() {
		return nil
	}
	blocks := j.engine.blocks()
	p := &Packing{Ratio: blocks.Ratio, RatioOf: blocks.RatioOf, Packed: j.packedWindow()}
	room := j.packedRoom()
	if p.Cache = room - min(room, p.Packed); j.Scratch != "" && p.Cache < room/2 {
		p.Cache = room / 2
		p.Scratch = p.Packed - min(p.Packed, room/2)
	}
	// On 6x6, 5x8, 6x7 and 7x7 a block is unpacked 8.6 times with a cache for 1/256 of all blocks, and
	// 1.2 times less often each time that the cache is doubled, if the one needed latest is thrown out.
	whole := max(1, p.Cache>>blocks.Bits*8)
	p.Unpacked = max(0, 1.2*math.Log2(float64(blocks.Representatives)/float64(whole))-1)
	return p
}

// openPacked makes the run, and says that the blocks are packed.
func (r *blockRun) openPacked(ctx context.Context) error {
	j, blocks := r.job, r.engine.blocks()
	where := ""
	if j.Scratch != "" {
		where = ", and what does not fit is in " + j.Scratch
	}
	j.Warn(fmt.Errorf("the blocks need %s, and %s of memory is allowed: the run keeps them packed%s, which takes longer",
		humanize.IBytes(blocks.Window<<blocks.Bits/8), humanize.IBytes(MemoryLimit(j.Memory)), where))
	run, err := sweep.NewPackedRun(ctx, j.sp, sweep.PackedOptions{Memory: j.packedRoom(), Scratch: j.Scratch, Threads: j.Threads}, r.sink())
	if err == nil {
		r.blocks, r.packed = run, run
	}
	return err
}

// roomAdvice adds to the error of a run whose packed blocks have outgrown the memory what to do.
func (j *job) roomAdvice(err error) error {
	if errors.Is(err, sweep.ErrRoom) && j.Scratch == "" {
		return fmt.Errorf("%w: allow more, or name a scratch directory", err)
	}
	return err
}
