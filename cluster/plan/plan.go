package plan

import "pagoda/internal/lists"

// Constants are what a plan assumes. The fields are those of the file that reach-beam plan takes.
type Constants struct {
	// What the work costs a thread, in nanoseconds.
	StateNS float64 `json:"state_ns"` // to expand a state
	EntryNS float64 `json:"entry_ns"` // to send, receive and merge a successor
	RunNS   float64 `json:"run_ns"`   // to send and receive a run of successors, or what a shard keeps of its past
	ByteNS  float64 `json:"byte_ns"`  // to make a byte of a block
	ZipNS   float64 `json:"zip_ns"`   // to compress a byte of a block
	UnzipNS float64 `json:"unzip_ns"` // to decompress one
	PartNS  float64 `json:"part_ns"`  // to search a placement of a part

	// How much there is to move.
	Successors  float64 `json:"successors"`  // of a state, less those that others beside it have
	Back        bool    `json:"back"`        // successors lie in the level before, too
	StateBytes  float64 `json:"state_bytes"` // of a state that is stored or sent; 0 is RunBytes
	Compression float64 `json:"compression"` // of blocks
	GroupBlocks int     `json:"group_blocks"`
	Cache       float64 `json:"cache"` // bytes of blocks that a worker keeps
	MaxShards   int     `json:"max_shards"`

	// The machines.
	Threads   int     `json:"threads"`   // of a worker
	Cores     int     `json:"cores"`     // that all workers share; 0: each worker has its own
	Bandwidth float64 `json:"bandwidth"` // bytes a second that a worker shuffles
	Storage   float64 `json:"storage"`   // bytes a second that a worker reads or writes
	RoundS    float64 `json:"round_s"`   // seconds that a level or a stage takes besides
	LaneS     float64 `json:"lane_s"`    // and for each worker, as prism needs them
	ObjectS   float64 `json:"object_s"`  // seconds that a thread waits for an object of the storage
	JobS      float64 `json:"job_s"`     // seconds to start a job
	JobRounds int     `json:"job_rounds"`
	Skew      float64 `json:"skew"` // the load of the busiest worker, divided by the mean

	// Dollars.
	WorkerHour float64 `json:"worker_hour"`
	ShuffledGB float64 `json:"shuffled_gb"`    // 10^9 bytes
	StoredGB   float64 `json:"stored_gb_hour"` // 10^9 bytes for an hour
	Get        float64 `json:"get"`            // to read an object or a part of it
	Put        float64 `json:"put"`            // to write an object
}

// Defaults are the constants of Dataflow workers n2-standard-8. The CPU times are those of peg boards, measured
// on an Intel Xeon with AVX-512, and PartNS that of reach find 4x5 on an AMD EPYC (Zen 5); bandwidths, waits and
// skew are assumed. The prices are list prices of us-central1 for batch jobs: $0.056 for a vCPU and $0.003557 for a GB of memory an hour, $0.011 for a GB
// shuffled; of Cloud Storage $0.02 for a GB a month, $0.0004 for 1000 reads and $0.005 for 1000 writes.
var Defaults = Constants{
	StateNS: 165, EntryNS: 41, RunNS: 19e3, ByteNS: 4.09, ZipNS: 4.2, UnzipNS: 1.35, PartNS: 270,
	Successors: 3, Compression: 3, GroupBlocks: 64, Cache: 1 << 30, MaxShards: 4096,
	Threads: 8, Bandwidth: 200e6, Storage: 300e6, RoundS: 10, JobS: 180, ObjectS: 0.05, JobRounds: 32, Skew: 1.3,
	WorkerHour: 8*0.056 + 32*0.003557, ShuffledGB: 0.011, StoredGB: 0.02 / 730, Get: 0.4e-6, Put: 5e-6,
}

// A Round is a level of a search, a stage of blocks, or all parts.
type Round struct {
	// Tasks are the seconds of one thread that each task takes, in the order in which they are given out.
	Tasks []float64
	// Shuffled, Read and Written are bytes.
	Shuffled, Read, Written float64
	// Gets and Puts are how often an object, or a part of one, is read and written.
	Gets, Puts float64
	// AtOnce is how many objects a task reads at the same time; 0 is one.
	AtOnce float64
}

// A Plan is what a run takes with some number of workers.
type Plan struct {
	Workers  int     `json:"workers"`
	CPU      float64 `json:"cpu_seconds"`
	Seconds  float64 `json:"seconds"`
	Stored   float64 `json:"stored_bytes"` // at the end of the run, before the file is made
	Read     float64 `json:"read_bytes"`
	Shuffled float64 `json:"shuffled_bytes"`
	Dollars  float64 `json:"dollars"`
}

// New plans a run with some number of workers.
func (c *Constants) New(workers int, rounds []Round) Plan {
	p := Plan{Workers: workers}
	for i, r := range rounds {
		if c.JobRounds > 0 && i%c.JobRounds == 0 {
			p.Seconds += c.JobS
		}
		cpu := lists.Sum(r.Tasks)
		p.CPU += cpu
		work := Makespan(r.Tasks, workers*c.Threads) * max(1, c.Skew)
		if c.Cores > 0 {
			work = max(work, cpu/float64(c.Cores))
		}
		busy := float64(max(1, min(workers, len(r.Tasks))))
		wait := (r.Gets/max(1, r.AtOnce) + r.Puts) * c.ObjectS / float64(max(1, min(workers*c.Threads, len(r.Tasks))))
		p.Seconds += c.RoundS + float64(workers)*c.LaneS + work + wait + r.Shuffled/(busy*c.Bandwidth) + (r.Read+r.Written)/(busy*c.Storage)
		p.Stored += r.Written
		p.Read += r.Read
		p.Shuffled += r.Shuffled
		p.Dollars += r.Gets*c.Get + r.Puts*c.Put
	}
	hours := p.Seconds / 3600
	p.Dollars += hours*(float64(workers)*c.WorkerHour+p.Stored/1e9*c.StoredGB) + p.Shuffled/1e9*c.ShuffledGB
	return p
}
