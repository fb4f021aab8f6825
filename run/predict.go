package run

import (
	"context"
	"fmt"
	"path/filepath"

	"pagoda/internal/mapped"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
)

// A Prediction says what a run would do and take.
type Prediction struct {
	Space    string `json:"space"`
	Engine   string `json:"engine"`
	Kernel   string `json:"kernel"` // empty if the engine has none
	Size     uint64 `json:"size"`   // the number of numbers
	SetBytes uint64 `json:"set_bytes"`
	// ValueBytes is the memory for the values of the states, of a space with statespace.Values.
	ValueBytes uint64 `json:"value_bytes,omitempty"`
	Memory     uint64 `json:"memory_bytes"`  // what Start checks against the limit
	Machine    uint64 `json:"machine_bytes"` // the memory of the machine; 0 if it is not known
	Limit      uint64 `json:"limit_bytes"`   // what the run may take; 0 if it is not known
	Fits       bool   `json:"fits"`          // Memory is within the limit
	FileBytes  uint64 `json:"file_bytes"`    // about; 0 if it is not known beforehand
	Free       uint64 `json:"free_bytes"`    // on the disk of the file; 0 if it is not known
	Threads    int    `json:"threads"`
	// Sparsely says that Start uses the engine sparse instead, as this one does not fit or few
	// of the numbers are states.
	Sparsely bool `json:"sparsely,omitempty"`
	*BlockPrediction
	// Estimate is about how many states there are, if the engine knows it beforehand; else 0.
	Estimate float64      `json:"states_estimate,omitempty"`
	Details  fmt.Stringer `json:"details"`        // see statespace.Texts; may be nil
	Plan     fmt.Stringer `json:"plan,omitempty"` // see statespace.Texts; may be nil
	// Offers lists what the engines offer, best first.
	Offers []*Offer `json:"offers"`
	// Lists says that the engine lists the states, so that memory and file grow with them.
	Lists bool `json:"-"`
	// Most says what most of Memory is for.
	Most string `json:"-"`
	// Store is the name of the store of the file.
	Store string `json:"-"`
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
// run that writes a file, unless no file goes with the options of the engine, or no file can have
// what it makes. Predict enumerates nothing, but may make a few blocks to measure how
// long they take, and look whether few of very many numbers are states, as Start does.
func Predict(ctx context.Context, sp statespace.Space, o Options) (*Prediction, error) {
	all := methods(sp)
	noFile := o.Own != nil && o.Own.writesNone() || len(all) > 0 && all[0].noFile != "" && (o.Engine == "" || o.Engine == all[0].name)
	if o.Output == "" && !noFile {
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
		if err := j.take(j.insteadOf); err != nil {
			return nil, err
		}
	}
	p := &Prediction{Space: sp.Name(), Engine: j.engine.name, Kernel: j.engine.kernel(), Size: sp.Size(), SetBytes: SetBytes(sp), ValueBytes: bfs.ValueBytes(sp), Store: j.store.Name,
		Machine: mapped.PhysicalMemory(), FileBytes: j.store.FileSize(sp), Threads: j.Threads, Sparsely: sparsely, Lists: j.engine.store == layers.SparseStore}
	if p.Offers, err = j.offers(ctx); err != nil {
		return nil, err
	}
	p.Memory, p.Most = j.need()
	limit := MemoryLimit(o.Memory)
	if p.Fits = p.Memory <= limit; o.Memory != 0 || p.Machine != 0 {
		p.Limit = limit
	}
	if j.Output != "" {
		p.Free, _ = mapped.FreeDisk(filepath.Dir(j.Output))
	}
	if j.engine.predict != nil {
		if err := j.engine.predict(ctx, j, p); err != nil {
			return nil, err
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
