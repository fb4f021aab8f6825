package run

import (
	"errors"
	"fmt"

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
	return blocks != nil && blocks.Feeds != nil && blocks.Ratio > 0 && (j.Output == "" || j.streamsToFile()) && j.wholeNeed() > MemoryLimit(j.Memory)
}

// wholeNeed returns the need of a run that makes blocks and does not pack them.
func (j *job) wholeNeed() uint64 {
	return j.slots()<<j.engine.blocks().Bits/8 + j.besideBlocks() + program
}

// besideBlocks returns what a run takes besides the blocks, if it does not pack them.
func (j *job) besideBlocks() (bytes uint64) {
	bytes = j.engine.own.Memory
	if j.Output != "" && !j.streamsToFile() {
		bytes += j.sp.Size() >> j.engine.blocks().Bits * 4 // where each block is: see sweep.BlockRun.Set
	}
	return bytes
}

// besidePacked returns what a run takes besides the blocks, if it packs them.
func (j *job) besidePacked() uint64 {
	blocks := j.engine.blocks()
	return j.besideBlocks() + blocks.PackedTables(j.Threads, len(statespace.Symmetries(j.sp)))
}

// packedWindow returns about how many bytes the packed blocks of the window take at most.
func (j *job) packedWindow() uint64 {
	blocks := j.engine.blocks()
	return uint64(float64(blocks.Window<<blocks.Bits/8) / blocks.Ratio)
}

// packedNeed returns how many bytes a run that packs needs for blocks. With a scratch directory, the
// packed blocks need not be in memory. Without one, there is some more: a guess can be wrong.
func (j *job) packedNeed() uint64 {
	need := j.engine.blocks().LeastPacked(j.Threads)
	if j.Scratch == "" {
		need += j.packedWindow() / 4 * 5
	}
	return need
}

// packedRoom returns how many bytes a run that packs takes for blocks: what it may take, but not more
// than it can use.
func (j *job) packedRoom() uint64 {
	blocks := j.engine.blocks()
	room := blocks.Window<<blocks.Bits/8 + j.packedNeed()
	if beside, limit := j.besidePacked()+program, MemoryLimit(j.Memory); limit > beside {
		room = min(room, (limit-beside)/64*63) // the allocator rounds up
	}
	return room
}

// packedOptions returns how a run packs its blocks.
func (j *job) packedOptions() sweep.PackedOptions {
	return sweep.PackedOptions{Memory: j.packedRoom(), Scratch: j.Scratch, Threads: j.Threads}
}

// warnPacked says that the blocks are packed.
func (j *job) warnPacked() {
	blocks := j.engine.blocks()
	where := ""
	if j.Scratch != "" {
		where = ", and what does not fit is in " + j.Scratch
	}
	j.Warn(fmt.Errorf("the blocks need %s, and %s of memory is allowed: the run keeps them packed%s, which takes longer",
		humanize.IBytes(blocks.Window<<blocks.Bits/8), humanize.IBytes(MemoryLimit(j.Memory)), where))
}

// roomAdvice adds to the error of a run whose packed blocks have outgrown the memory what to do.
func (j *job) roomAdvice(err error) error {
	if errors.Is(err, sweep.ErrRoom) && j.Scratch == "" {
		return fmt.Errorf("%w: allow more, or name a scratch directory", err)
	}
	return err
}
