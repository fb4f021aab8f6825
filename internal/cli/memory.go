package cli

import (
	"context"
	"fmt"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/statespace"
)

// Memory is the flag --mem: how many bytes a command may take, such as 8GiB.
type Memory uint64

// Flag adds the flag to a command.
func (m *Memory) Flag(cmd *cobra.Command) {
	cmd.Flags().Var(m, "mem", "refuse what needs more memory, such as 8GiB (default: 7/8 of the machine's)")
}

// String implements pflag.Value.
func (m *Memory) String() string {
	if *m == 0 {
		return ""
	}
	return humanize.IBytes(uint64(*m))
}

// Set implements pflag.Value.
func (m *Memory) Set(text string) error {
	n, err := humanize.ParseBytes(text)
	if err != nil || n == 0 {
		return fmt.Errorf("%q is not a size such as 512MiB or 8GiB", text)
	}
	*m = Memory(n)
	return nil
}

// Type implements pflag.Value.
func (m *Memory) Type() string { return "SIZE" }

// Limit returns how many bytes may be taken.
func (m *Memory) Limit() uint64 {
	if *m != 0 {
		return uint64(*m)
	}
	if machine := mapped.PhysicalMemory(); machine != 0 {
		return machine / 8 * 7
	}
	return 1 << 62 // not known
}

// Check refuses to enumerate a space by an engine if that needs more than the limit,
// with so many bytes in use.
func (m *Memory) Check(sp statespace.Space, engine string, used uint64) error {
	return m.allow(sp, used+MemoryOf(sp, engine), fmt.Sprintf("%s for %s each of %s numbers", humanize.IBytes(StateBytes(sp)), StateBits(sp), Comma(sp.Size())))
}

// CheckStream is Check for a stream with memory for so many blocks.
func (m *Memory) CheckStream(sp statespace.Streamer, engine string, slots, used uint64) error {
	return m.allow(sp, used+StreamMemory(sp, engine, slots), fmt.Sprintf("%s for %s of %s blocks", humanize.IBytes(RingBytes(sp, slots)), Comma(slots), Comma(sp.KeptBlocks())))
}

// allow refuses what needs more than the limit, for what is told most of all.
func (m *Memory) allow(sp statespace.Space, need uint64, most string) error {
	if need <= m.Limit() {
		return nil
	}
	allowed := "--mem allows"
	if *m == 0 {
		allowed = "7/8 of this machine's memory is"
	}
	return Usagef("%s needs %s of memory, of it %s; %s %s", sp.Name(), Enough(need), most, allowed, humanize.IBytes(m.Limit()))
}

// Enough tells a number of bytes, rounded up: with --mem of so much, nothing is refused that
// needs them.
func Enough(bytes uint64) string {
	for more := bytes; ; more += more/256 + 1 {
		text := humanize.IBytes(more)
		if told, err := humanize.ParseBytes(text); err != nil || told >= bytes {
			return text
		}
	}
}

// program is about what a command takes by itself.
const program = 16 << 20

// MemoryOf returns about how many bytes it takes to enumerate a space by an engine, in a
// set or in distances.
func MemoryOf(sp statespace.Space, engine string) uint64 {
	return StateBytes(sp) + statespace.Memory(sp, engine) + program
}

// StreamMemory returns about how many bytes it takes to make a stream with memory for so
// many blocks.
func StreamMemory(sp statespace.Streamer, engine string, slots uint64) uint64 {
	return RingBytes(sp, slots) + statespace.Memory(sp, engine) + program
}

// RingBytes returns the bytes of so many blocks.
func RingBytes(sp statespace.Streamer, slots uint64) uint64 { return slots << sp.BlockBits() / 8 }

// StateBytes returns the bytes of what an enumeration fills: a set, or distances.
func StateBytes(sp statespace.Space) uint64 {
	if _, ok := sp.(statespace.Reversible); ok {
		return 8 * bitset.PlaneWords(sp.Size(), statespace.DistanceBits)
	}
	return 8 * bitset.Words(sp.Size())
}

// StateBits tells how many bits of it a number has.
func StateBits(sp statespace.Space) string {
	if _, ok := sp.(statespace.Reversible); ok {
		return "two bits"
	}
	return "one bit"
}

// NewDistances returns the entries of a space's distances, which are 0, in memory that
// free gives back.
func NewDistances(ctx context.Context, sp statespace.Reversible, threads int) (distances *bitset.Planes, free func(), err error) {
	memory, err := mapped.Alloc(ctx, bitset.PlaneWords(sp.Size(), statespace.DistanceBits), threads)
	if err != nil {
		return nil, nil, err
	}
	distances, err = bitset.PlanesOver(memory.Words(), sp.Size(), statespace.DistanceBits)
	return distances, func() { memory.Free() }, err
}

// NewSet returns an empty set of numbers below n in memory that free gives back.
func NewSet(ctx context.Context, n uint64, threads int) (set *bitset.Set, free func(), err error) {
	memory, err := mapped.Alloc(ctx, bitset.Words(n), threads)
	if err != nil {
		return nil, nil, err
	}
	set, err = bitset.Over(memory.Words(), n)
	return set, func() { memory.Free() }, err
}
