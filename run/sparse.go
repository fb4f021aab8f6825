package run

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"os"
	"strings"

	"github.com/dustin/go-humanize"

	"pagoda/bitset"
	"pagoda/internal/amount"
	"pagoda/internal/disk"
	"pagoda/internal/mapped"
	"pagoda/layers"
	"pagoda/sorted"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/sparse"
	"pagoda/statespace/sweep"
)

// LevelsSuffix ends the name of the directory in which a run of the engine sparse keeps its
// levels. It lies beside the checkpoint, or beside the file.
const LevelsSuffix = ".levels"

// SparseEngine is the name of Sparse.
const SparseEngine = "sparse"

// Sparse searches breadth-first by levels, with a list of the states that it finds.
var Sparse = Engine{Name: SparseEngine, About: "a list of the states: 1 to 4 bytes each, in memory or in files", clean: sparse.RemoveLevels, fit: func(sp statespace.Space) []*method {
	return []*method{{name: SparseEngine, kind: withoutWorth(sp, listing), store: layers.SparseStore, few: fewStates, version: levelsVersion, outgrows: true, need: needSparse, open: openSparse}}
}}

// needSparse is method.need. Beside a file, the search makes do with the memory that it may take, whatever
// it finds. Without one, the states are in memory.
func needSparse(j *job) need {
	words := 1 // numbers are codes, too
	if graph := j.sp.Parts().Codes.Graph; graph != nil {
		words = graph().Words
	}
	bytes, what := sparse.Least(words, j.searchOptions().Threads)/7*8, "lists of the states"
	if j.Output == "" && j.Checkpoint == "" {
		if !j.inMemory {
			bytes = 64 << 20
		}
		if states := j.sp.Parts().States; states != nil && !j.toGoal() {
			if n := states(); n != nil && n.Cmp(new(big.Int).SetUint64(8*bytes)) > 0 {
				bytes = 1 << 62
				if n.BitLen() < 65 {
					bytes = n.Uint64() / 8
				}
				what = fmt.Sprintf("at least a bit for each of %s states", humanize.BigComma(n))
			}
		}
	}
	return need{bytes: bytes, most: of(bytes, "%s", what)}
}

// fewStates is method.few.
func fewStates(ctx context.Context, j *job) (few, many bool, err error) {
	s, many, err := sparse.Few(ctx, sparse.Of(j.sp).Graph(), j.searchOptions(), nil)
	if s != nil {
		s.Close()
	}
	return s != nil, many, err
}

// toGoal reports whether a search ends at the nearest goals.
func (j *job) toGoal() bool { return j.sp.Parts().Goals.Ends && !isLayered(j.sp) }

// A sparseRun searches breadth-first and keeps only the states that it finds, level by level.
type sparseRun struct {
	work   // its memory is that of the distances
	coded  statespace.Codes
	search *sparse.Search
	keep   bool // the files of levels belong to a checkpoint
}

// levelsDir returns the directory of the levels, or "" if they stay in memory: if there is to be
// neither a file nor a checkpoint.
func (j *job) levelsDir() string {
	if j.checkpoint == "" {
		return ""
	}
	return strings.TrimSuffix(j.checkpoint, CheckpointSuffix) + LevelsSuffix
}

// closeLevels closes what keeps levels or layers in files. They are removed unless they belong to a checkpoint.
func (j *job) closeLevels(s interface {
	Close() error
	Discard() error
}, keep bool) {
	if keep {
		s.Close()
		return
	}
	s.Discard()
	if dir := j.levelsDir(); dir != "" {
		disk.Remove(dir) // a run that was killed may have made it
	}
}

// openSparse is method.open.
func openSparse(ctx context.Context, j *job) (_ enumeration, err error) {
	r := &sparseRun{work: work{job: j}, coded: sparse.Of(j.sp), keep: j.from != nil}
	defer closeOnError(r, &err)
	if err = r.create(); err != nil {
		return nil, err
	}
	o := j.searchOptions()
	o.Dir, o.MaxStates = j.levelsDir(), j.MaxStates
	r.search, err = sparse.New(r.coded.Graph(), o)
	return r, err
}

// searchOptions are the options of a search in memory. Threads with less than 8 MiB each would merge short runs for most of
// the time: on 30 MiB, 16 threads take 25 times the processor time of one.
func (j *job) searchOptions() sparse.Options {
	share := sparseShare(MemoryLimit(j.Memory))
	return sparse.Options{Memory: share, Threads: int(min(uint64(j.Threads), 1+share>>23)), ToGoal: j.toGoal()}
}

// sparseShare returns how much of the memory the search gets. The rest is for the program, and
// for a few bits of each state that is found.
func sparseShare(limit uint64) uint64 { return (limit - min(limit, Program)) / 8 * 7 }

func (r *sparseRun) begin() error {
	if r.warns {
		r.Warn(fmt.Errorf("%s: the engine %s would need %s of memory; the engine %s lists the states instead, up to %s of them", r.sp.Name(), r.insteadOf.Engine,
			humanize.IBytes(r.insteadOf.Memory), r.engine.name, humanize.IBytes(MemoryLimit(r.Memory))))
	}
	return nil
}

func (r *sparseRun) restore(ctx context.Context, checkpoint *layers.File) error {
	var saved savedLevels
	if err := checkpoint.State(&saved); err != nil {
		return err
	}
	return r.lostLevels("levels", r.search.Restore(ctx, saved.Levels))
}

// lostLevels adds advice to an error of files that should be beside the checkpoint: the levels or layers of a run.
func (j *job) lostLevels(what string, err error) error {
	if errors.Is(err, sorted.ErrDamaged) || errors.Is(err, os.ErrNotExist) {
		return &layers.FileError{Path: j.levelsDir(), Err: layers.ErrLost, Detail: err.Error(), Advice: "put the directory of the " + what + " back beside the checkpoint, or begin again in another file"}
	}
	return err
}

func (r *sparseRun) advanced() bool { return len(r.search.Result().Levels) > 1 }

func (r *sparseRun) run(ctx context.Context, between func() error, progress *statespace.Progress) error {
	err := r.search.Run(ctx, func() error {
		if err := r.tooMany(); err != nil {
			return err
		}
		return between()
	}, progress)
	if known := (*statespace.MemoryError)(nil); errors.Is(err, statespace.ErrMemory) && !errors.As(err, &known) {
		instead := ", or keep what is found on the disk with --checkpoint or -o"
		if r.inMemory {
			instead = ""
		}
		err = fmt.Errorf("%s: %w; the limit is %s: raise it%s", r.sp.Name(), err, humanize.IBytes(MemoryLimit(r.Memory)), instead)
	}
	return r.lostLevels("levels", err)
}

// tooMany is an error when nobody has asked for this engine, and its list takes more bytes than
// memory is allowed: it would fill the disk.
func (r *sparseRun) tooMany() error {
	limit, bytes, found := MemoryLimit(r.Memory), r.search.Bytes(), r.search.Result()
	if !r.bounded || bytes <= limit {
		return nil
	}
	list := fmt.Sprintf("its list of %s states up to distance %d takes %s, and there are more", amount.Comma(found.States), len(found.Levels)-1, humanize.IBytes(bytes))
	if r.from != nil {
		return &statespace.MemoryError{Name: r.sp.Name(), Need: bytes, Most: list, Allowed: limit}
	}
	if r.insteadOf == nil {
		return &statespace.MemoryError{Name: r.sp.Name(), Need: bytes, Most: list, Allowed: limit, Instead: "use the engine " + r.engine.name + ", which lists the states on the disk"}
	}
	return &statespace.MemoryError{Name: r.sp.Name(), Need: r.insteadOf.Memory, Most: r.insteadOf.Most, Allowed: limit, Instead: fmt.Sprintf("use the engine %s on the disk: %s", r.engine.name, list)}
}

func (r *sparseRun) save(ctx context.Context, meta *layers.Meta) error {
	if len(r.search.Result().Levels) == 0 {
		return fmt.Errorf("the search of %s has made no level", r.sp.Name())
	}
	levels, err := r.search.Save(ctx)
	if err != nil {
		return err
	}
	r.keep = true
	return SaveLevels(ctx, r.checkpoint, meta, levels)
}

// levelsVersion is the version of what SaveLevels writes.
const levelsVersion = 1

// savedLevels is the state of a search in a checkpoint.
type savedLevels struct {
	Levels []sparse.Level `json:"levels"`
}

// SaveLevels writes the checkpoint of a run of Sparse, whose levels are in files beside it. The metadata say what
// the run is to do.
func SaveLevels(ctx context.Context, path string, meta *layers.Meta, levels []sparse.Level) error {
	c := meta.Checkpoint
	c.Engine, c.Version, c.Done = SparseEngine, levelsVersion, len(levels)
	return layers.WriteCheckpoint(ctx, path, meta, savedLevels{levels})
}

func (r *sparseRun) finish(ctx context.Context, result *Result) error {
	if counts := r.levelCounts(); counts != nil && r.writer == nil { // nobody asks for a list
		r.keep = false
		return r.write(ctx, r.sp, nil, Describe(r.sp, counts), result)
	}
	found, sp, err := r.number(ctx)
	if err != nil {
		return err
	}
	describeFound := r.distances
	if isLayered(sp) {
		describeFound = r.layers
	}
	meta, err := describeFound(ctx, sp, found)
	if err != nil {
		return err
	}
	if err := r.write(ctx, sp, found, meta, result); err != nil {
		return err
	}
	r.keep = false
	return nil
}

// levelCounts returns the layers if the levels of the search are layers, or nil.
func (r *sparseRun) levelCounts() (counts []statespace.Layer) {
	parts := r.sp.Parts()
	if !parts.Steps || r.coded.Graph().Back != 0 {
		return nil
	}
	layer, step := parts.Layers.Layer(r.sp.Roots()[0]), 1
	if parts.Layers.LayersFall() {
		step = -1
	}
	for _, states := range r.search.Result().Levels {
		counts = append(counts, statespace.Layer{Layer: layer, States: states})
		layer += step
	}
	return counts
}

// layers makes the metadata of what was found in a space with layers.
func (r *sparseRun) layers(ctx context.Context, sp statespace.Space, found *layers.Found) (*layers.Meta, error) {
	if counts := r.levelCounts(); counts != nil {
		return Describe(sp, counts), nil
	}
	set, free, err := layers.LoadSet(ctx, found, r.Threads)
	if err != nil {
		return nil, err
	}
	defer free()
	counts, err := sweep.CountLayers(ctx, sp, set, r.Threads)
	return Describe(sp, counts), err
}

// distances makes the metadata of what was found in a space without layers.
func (r *sparseRun) distances(ctx context.Context, sp statespace.Space, found *layers.Found) (*layers.Meta, error) {
	result, err := r.ranked(found)
	if err != nil {
		return nil, err
	}
	return DescribeSearch(ctx, sp, result, distancesOf(found), nil, 1)
}

// ranked returns what the search has found, with the goals by their ranks in the list.
func (r *sparseRun) ranked(found *layers.Found) (*bfs.Result, error) {
	all := r.search.Result()
	result := &bfs.Result{Layers: all.Levels, Length: max(0, all.GoalLevel), Whole: all.Whole}
	for _, code := range all.Goals {
		x, _, err := found.List.Rank(code)
		if err != nil {
			return nil, err
		}
		result.Goals = append(result.Goals, x)
	}
	return result, nil
}

// distancesOf returns the distances of a list of states.
func distancesOf(found *layers.Found) bfs.Distances {
	return bfs.Distances{Whole: found.Whole, At: func(x uint64) (uint16, error) { return found.Distances.Get(x), nil }}
}

// tableBytes bounds the codes that are kept decoded to count solutions.
const tableBytes = 32 << 20

// number makes the list of all states, their distances, and the space that is numbered by it.
func (r *sparseRun) number(ctx context.Context) (*layers.Found, statespace.Space, error) {
	if err := r.search.Rest(); err != nil {
		return nil, nil, err
	}
	all := r.search.Result()
	found := &layers.Found{Everything: layers.Everything(all.States)}
	var visit func(rank uint64, level int)
	if !isLayered(r.sp) {
		width, entry := bits.Len(uint(len(all.Levels))), func(level int) uint16 { return uint16(level + 1) }
		if found.Whole = width <= bfs.MaxDepthBits; !found.Whole {
			if !r.sp.Parts().Undirected {
				return nil, nil, fmt.Errorf("%s has states at distance %d: a file keeps distances up to %d", r.sp.Name(), len(all.Levels)-1, 1<<bfs.MaxDepthBits-2)
			}
			width, entry = bfs.MarkBits, func(level int) uint16 { return uint16(bfs.Mark(level)) }
		}
		var err error
		if r.memory, err = mapped.Alloc(ctx, bitset.PlaneWords(all.States, width), r.Threads); err != nil {
			return nil, nil, fmt.Errorf("%s: the distances of the %s states that were found: %w", r.sp.Name(), amount.Comma(all.States), err)
		}
		if found.Distances, err = bitset.PlanesOver(r.memory.Words(), all.States, width); err != nil {
			return nil, nil, err
		}
		visit = func(rank uint64, level int) { found.Distances.Set(rank, entry(level)) }
	}
	var err error
	if found.List, err = r.search.Table(ctx, visit); err != nil {
		return nil, nil, err
	}
	table, err := found.List.Cache(tableBytes)
	if err != nil {
		return nil, nil, err
	}
	sp, err := r.coded.Numbered(table)
	return found, sp, err
}

func (r *sparseRun) close() {
	if r.search != nil {
		r.closeLevels(r.search, r.keep)
	}
	r.work.close()
}
