package run

import (
	"context"
	"fmt"
	"math"

	"github.com/dustin/go-humanize"

	"pagoda/statespace"
	"pagoda/statespace/sweep"
)

// packs reports whether a run packs its blocks. It does if they do not fit into memory whole, and go to the file while
// they are made, or nowhere. A run that goes on does what it did before.
func (b *blocks) packs(j *job) bool {
	if j.from != nil {
		state, err := b.saved(j.from)
		return err == nil && state.Packed
	}
	if b.Feeds == nil || b.Ratio == 0 || j.Output != "" && !j.streamsToFile() {
		return false
	}
	whole := b.wholeNeed(j)
	need, beside := b.packedNeed(j)
	return whole > MemoryLimit(j.Memory) && need+beside+Program < whole
}

// packedWindow returns about how many bytes the packed blocks of the window take at most.
func (b *blocks) packedWindow() uint64 { return uint64(float64(b.Window<<b.Bits/8) / b.Ratio) }

// packedNeed returns how many bytes a run that packs needs for blocks, and what it takes besides. With a scratch
// directory, the packed blocks need not be in memory. Without one, there is some more: a guess can be wrong.
func (b *blocks) packedNeed(j *job) (bytes, beside uint64) {
	bytes = sweep.LeastPacked(b.SweepBlocks, j.Threads)
	if j.Scratch == "" {
		bytes += b.packedWindow() / 4 * 5
	}
	return bytes, b.beside(j) + sweep.PackedTables(b.SweepBlocks, j.Threads, len(statespace.Symmetries(j.sp)))
}

// packedRoom returns how many bytes a run that packs takes for blocks: what it may take, but not more
// than it can use.
func (b *blocks) packedRoom(j *job) uint64 {
	need, beside := b.packedNeed(j)
	beside, limit := beside+Program, MemoryLimit(j.Memory)
	if limit < beside+need {
		return need // it is refused, unless a checkpoint is of a run with more
	}
	return max(need, min(b.Window<<b.Bits/8+need, (limit-beside)/64*63)) // the allocator rounds up
}

// packing predicts how a run packs its blocks.
func (b *blocks) packing(j *job) *Packing {
	k := &Packing{Ratio: b.Ratio, RatioOf: b.RatioOf, Packed: b.packedWindow()}
	room := b.packedRoom(j)
	if k.Cache = room - min(room, k.Packed); j.Scratch != "" && k.Cache < room/2 {
		k.Cache = room / 2
		k.Scratch = k.Packed - min(k.Packed, room/2)
	}
	// On 6x6, 5x8, 6x7 and 7x7 a block is unpacked 8.6 times with a cache for 1/256 of all blocks, and
	// 1.2 times less often each time that the cache is doubled, if the one needed latest is thrown out.
	whole := max(1, k.Cache>>b.Bits*8)
	k.Unpacked = max(0, 1.2*math.Log2(float64(b.Representatives)/float64(whole))-1)
	return k
}

// openPacked makes a run of packed blocks. It says that the blocks are packed.
func (r *blockRun) openPacked(ctx context.Context) error {
	j, b := r.job, r.of
	where := ""
	if j.Scratch != "" {
		where = ", and what does not fit is in " + j.Scratch
	}
	whole, limit := humanize.IBytes(b.Window<<b.Bits/8), humanize.IBytes(MemoryLimit(j.Memory))
	why := fmt.Errorf("the blocks need %s, and %s of memory is allowed: the run keeps them packed%s, which takes longer", whole, limit, where)
	if j.from != nil && b.wholeNeed(j) <= MemoryLimit(j.Memory) {
		why = fmt.Errorf("the blocks of the checkpoint are packed: the run keeps them so%s, which takes longer, although the %s of whole blocks fit into the %s of memory that is allowed", where, whole, limit)
	}
	j.Warn(why)
	run, err := sweep.NewPackedRun(ctx, j.sp, sweep.PackedOptions{Memory: b.packedRoom(j), Scratch: j.Scratch, Threads: j.Threads}, r.sink())
	if err == nil {
		r.blocks, r.packed = run, run
	}
	return err
}
