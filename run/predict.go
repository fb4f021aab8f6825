package run

import (
	"context"
	"fmt"

	"pagoda/internal/mapped"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/chance"
)

// A Prediction says what a run would do and take.
type Prediction struct {
	Space    string `json:"space"`
	Engine   string `json:"engine"`
	Kernel   string `json:"kernel"` // empty if the engine has none
	Size     uint64 `json:"size"`   // the number of numbers
	SetBytes uint64 `json:"set_bytes"`
	// ValueBytes is the memory for the values of the states, of a statespace.Valued space.
	ValueBytes uint64 `json:"value_bytes,omitempty"`
	Memory     uint64 `json:"memory_bytes"`  // what Start checks against the limit
	Machine    uint64 `json:"machine_bytes"` // the memory of the machine; 0 if it is not known
	Limit      uint64 `json:"limit_bytes"`   // what the run may take; 0 if it is not known
	Fits       bool   `json:"fits"`          // Memory is within the limit
	FileBytes  uint64 `json:"file_bytes"`    // about; 0 if it is not known beforehand
	Threads    int    `json:"threads"`
	// Sparsely says that Start uses the engine sparse instead, as this one does not fit or few
	// of the numbers are states.
	Sparsely bool `json:"sparsely,omitempty"`
	*BlockPrediction
	// Estimate is about how many states a game against chance has; 0 for other spaces.
	Estimate float64      `json:"states_estimate,omitempty"`
	Details  fmt.Stringer `json:"details"`        // see statespace.Explainer; may be nil
	Plan     fmt.Stringer `json:"plan,omitempty"` // see statespace.Planner; may be nil
	// Lists says that the engine lists the states, so that memory and file grow with them.
	Lists bool `json:"-"`
	// StateBits is how many bits of SetBytes a number has.
	StateBits int `json:"-"`
}

// A BlockPrediction is about a run that makes blocks.
type BlockPrediction struct {
	Representatives uint64  `json:"kept_blocks"`   // blocks that are made
	WindowBlocks    uint64  `json:"window_blocks"` // blocks that are needed in memory at a time
	BlockBytes      uint64  `json:"block_bytes"`
	RingBytes       uint64  `json:"ring_bytes"` // of the blocks in memory
	TableBytes      uint64  `json:"table_bytes"`
	Seconds         float64 `json:"seconds"` // about, without writing the file; 0 if there is no estimate
	// Packing is set if the run packs the blocks, as they do not fit into memory.
	Packing *Packing `json:"packing,omitempty"`
}

// A Packing is about a run that packs its blocks.
type Packing struct {
	Ratio   float64 `json:"ratio"`       // how many times smaller blocks become, about
	RatioOf string  `json:"measured_on"` // the space whose blocks, of this size or the next below, became so small
	Packed  uint64  `json:"packed_bytes"`
	Cache   uint64  `json:"cache_bytes"` // for whole blocks
	Scratch uint64  `json:"scratch_bytes"`
	// Unpacked is how many times a block is unpacked on average.
	Unpacked float64 `json:"unpacked"`
}

// Predict says what a run takes that Start begins with the same options; without Output, it is a
// run that writes a file, unless it has NoObjectives, which no file goes with, or no file can have
// what the engine makes. Predict enumerates nothing, but may make a few blocks to measure how
// long they take, and look whether few of very many numbers are states, as Start does.
func Predict(ctx context.Context, sp statespace.Space, o Options) (*Prediction, error) {
	blocksOnly := false
	if o.Engine == "" || o.Engine == engines(sp)[0].name {
		blocksOnly = engines(sp)[0].blocksOnly()
	}
	if o.Output == "" && o.Objectives != NoObjectives && !blocksOnly {
		name, err := OutputName(sp, o)
		if err != nil {
			return nil, err
		}
		o.Output = name
	}
	j, err := newJob(ctx, sp, o)
	if err != nil {
		return nil, err
	}
	sparsely := j.insteadOf != nil
	if sparsely { // what it takes is not known beforehand
		j.engine = *j.insteadOf
		if err := j.setStore(); err != nil {
			return nil, err
		}
	}
	p := &Prediction{Space: sp.Name(), Engine: j.engine.name, Size: sp.Size(), SetBytes: SetBytes(sp), ValueBytes: bfs.ValueBytes(sp), StateBits: stateBits(sp),
		Machine: mapped.PhysicalMemory(), FileBytes: j.store.FileSize(sp), Threads: j.Threads, Sparsely: sparsely, Lists: j.engine.name == SparseEngine}
	if j.engine.own != nil {
		p.Kernel = j.engine.own.Kernel
	}
	p.Memory, _ = j.need()
	if j.engine.name == ChanceEngine {
		_, p.Estimate = j.chanceNeed()
		// A board takes about two bytes in its list.
		if p.FileBytes = 0; j.Output != "" {
			p.FileBytes = uint64(min(p.Estimate*float64(2+j.ValueBytes*chance.Columns(j.objectives)), 1<<62))
		}
	}
	limit := MemoryLimit(o.Memory)
	if p.Fits = p.Memory <= limit; o.Memory != 0 || p.Machine != 0 {
		p.Limit = limit
	}
	if blocks := j.engine.blocks(); blocks != nil {
		bytes := uint64(1) << blocks.Bits / 8
		p.BlockPrediction = &BlockPrediction{Representatives: blocks.Representatives, WindowBlocks: blocks.Window, BlockBytes: bytes,
			RingBytes: j.slots() * bytes, TableBytes: j.engine.own.Memory, Packing: j.packing()}
		if j.engine.blocksOnly() {
			p.FileBytes = 0
		}
		if blocks.Estimate != nil {
			took, err := blocks.Estimate(ctx, j.Threads)
			if err != nil {
				return nil, err
			}
			p.Seconds = took.Seconds()
			if k := p.Packing; k != nil {
				// What it takes to pack a block, and to unpack one, in parts of the time to make it:
				// measured on peg/5x8.
				p.Seconds *= 1.5 + 0.32*k.Unpacked
			}
		}
	}
	texts := sp.Parts().Texts
	if texts.Explain != nil {
		p.Details = texts.Explain()
	}
	if texts.Plan != nil {
		if p.Plan, err = texts.Plan(ctx, j.Threads, limit); err != nil {
			return nil, err
		}
	}
	return p, nil
}
