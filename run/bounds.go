package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/dustin/go-humanize"

	"pagoda/internal/amount"
	"pagoda/internal/disk"
	"pagoda/internal/mapped"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/bounds"
	"pagoda/statespace/sparse"
)

// BoundsEngine is the name of Bounds.
const BoundsEngine = "bounds"

// Bounds finds a shortest path by lower bounds, or from both ends, and no set of states. It is for Find alone.
var Bounds = Engine{Name: BoundsEngine, About: "a shortest path by lower bounds or from both ends: for solve, not for run", fit: func(sp statespace.Space) []*method {
	p := sp.Parts()
	if p.Layers != nil || p.Chance != nil || !p.Goals.Any() {
		return nil
	}
	m := &method{name: BoundsEngine, kind: named, finds: true, version: 1, need: needBounds, open: openBounds, options: takeBounds}
	if p.Bounds.Any() {
		m.kind = general
	}
	return []*method{m}
}}

// BoundsOptions are options of the engine Bounds.
type BoundsOptions struct {
	// Time, if not 0, ends the search.
	Time time.Duration
	// Cut names the patterns whose tables give the bounds, as the space writes them; empty: the space chooses.
	Cut string
	// Tables is a directory in which tables are kept as files; empty: they are made in memory.
	Tables string
}

// refused implements OwnOptions.
func (o *BoundsOptions) refused(sp statespace.Space, engine string) error {
	return optionError("%s is solved by the engine %s here, which has no bounds: --time, --cut and --tables are for the engine %s", sp.Name(), engine, BoundsEngine)
}

// writesNone implements OwnOptions.
func (o *BoundsOptions) writesNone() bool { return true }

// takeBounds is method.options.
func takeBounds(j *job) error {
	if _, ok := j.Own.(*BoundsOptions); !ok && j.Own != nil {
		return j.Own.refused(j.sp, BoundsEngine)
	}
	return nil
}

// boundsOptions are Options.Own of the engine.
func (j *job) boundsOptions() *BoundsOptions {
	if own, ok := j.Own.(*BoundsOptions); ok {
		return own
	}
	return new(BoundsOptions)
}

// needBounds is method.need.
func needBounds(j *job) need {
	bytes, most := uint64(0), "the search"
	if least := j.sp.Parts().Bounds.Need; least != nil {
		bytes, most = least()
	} else if j.fromEnds() {
		bytes, most = 2*sparse.Least(sparse.Of(j.sp).Graph().Words, j.Threads), "the lists of a search from both ends"
	}
	return need{bytes: bytes, most: of(bytes, "%s", most)}
}

// fromEnds reports whether a search from both ends is better than one with bounds: where the goals are few and tables
// of bounds are not there.
func (j *job) fromEnds() bool {
	b := j.sp.Parts().Bounds
	return b.Goals != nil && b.Of == nil && b.Walks == nil
}

// A boundsRun is a search with bounds, or from both ends.
type boundsRun struct {
	work
	*bounds.Result
	coded  statespace.Codes
	walks  *statespace.Walks
	search *bounds.Search
	ends   *sparse.Ends // or nil, and the others are
}

// openBounds is method.open.
func openBounds(ctx context.Context, j *job) (_ enumeration, err error) {
	r := &boundsRun{work: work{job: j}, coded: sparse.Of(j.sp)}
	defer closeOnError(r, &err)
	own, p, g := j.boundsOptions(), j.sp.Parts(), r.coded.Graph()
	if p.Bounds.Walks == nil && (own.Cut != "" || own.Tables != "") {
		return nil, optionError("%s has no tables of bounds here: --cut and --tables do not go with it", j.sp.Name())
	}
	if j.fromEnds() && j.Checkpoint != "" {
		return nil, optionError("%s is solved from both ends, and such a search writes no checkpoint", j.sp.Name())
	}
	least := 0
	if p.Bounds.Goals != nil && (j.fromEnds() || j.Checkpoint == "" && own.Cut == "" && own.Tables == "") {
		o := sparse.Options{Memory: sparseShare(MemoryLimit(j.Memory)), Threads: j.Threads}
		if !j.fromEnds() {
			o.MaxStates = nearStates
		}
		r.Result = new(bounds.Result)
		if r.ends, err = sparse.NewEnds(g, p.Bounds.Goals(), o); err == nil && !j.fromEnds() {
			err = r.ends.Run(ctx, nil)
		}
		if j.fromEnds() || !errors.Is(err, sparse.ErrStates) && !errors.Is(err, statespace.ErrMemory) {
			return r, err
		}
		if r.ends != nil {
			least = r.ends.AtLeast
			if err = r.ends.Close(); err != nil {
				return nil, err
			}
			r.ends = nil
		}
	}
	if len(g.Roots) != 1 {
		return nil, optionError("%s has %d starts, and a search with bounds begins in one: choose one with --from", j.sp.Name(), len(g.Roots))
	}
	switch {
	case p.Bounds.Walks != nil:
		limit := MemoryLimit(j.Memory) - min(MemoryLimit(j.Memory), Program)
		r.walks, err = p.Bounds.Walks(ctx, statespace.BoundsOptions{Memory: limit, Threads: j.Threads, Cut: own.Cut, Lasting: own.Tables != "", Kept: j.Kept,
			Table: func(ctx context.Context, sp statespace.Space) ([]uint64, func(), error) {
				return r.table(ctx, sp, own.Tables)
			}})
		if full := (*statespace.MemoryError)(nil); errors.As(err, &full) && full.Allowed == limit { // of the whole program
			full.Need, full.Allowed = full.Need+Program, MemoryLimit(j.Memory)
		}
	case p.Codes.Graph == nil && p.Bounds.Of != nil:
		r.walks = bounds.Plain(g, func(code []uint64) int { return p.Bounds.Of(code[0]) })
	default:
		r.walks = bounds.Plain(g, nil)
	}
	if cut := (*statespace.CutError)(nil); errors.As(err, &cut) {
		err = &kindError{ErrOptions, err}
	}
	if err != nil {
		return nil, err
	}
	words := mostWords
	if MemoryLimit(j.Memory) < wordsMemory {
		words = fewWords
	}
	if r.search, err = bounds.New(r.walks, g.Roots[0], bounds.Options{Threads: j.Threads, All: j.Solutions, Words: words, AtLeast: least}); err == nil {
		r.Result = &r.search.Result
	}
	return r, err
}

// nearStates is how many states a search from both ends finds at each before tables of bounds are worth their time.
const nearStates = 1 << 18

// mostWords is the length of words that are worth their time in the longest searches, and fewWords of those that have
// less than wordsMemory: to find longer ones takes up to 100 MB.
const (
	mostWords   = 14
	fewWords    = 10
	wordsMemory = 256 << 20
)

// table enumerates the space of a table, in memory or in a file of a directory that may be there already.
func (r *boundsRun) table(ctx context.Context, sp statespace.Space, dir string) (marks []uint64, close func(), err error) {
	close = func() {}
	if dir == "" {
		s, err := bfs.New(ctx, bfs.Of(sp), bfs.Options{Threads: r.Threads})
		if err != nil {
			return nil, close, err
		}
		var progress statespace.Progress
		defer r.Meter(sp.Name(), sp.Size(), "numbers", progress.Read)()
		return s.Marks().Words(), s.Close, s.Run(ctx, nil, &progress) // closed by the caller after an error, too
	}
	if err := disk.MakeDir(dir, 0o777); err != nil {
		return nil, close, fmt.Errorf("the directory of the tables: %w", err)
	}
	path := filepath.Join(dir, fileName(sp.Name())+layers.Ending)
	define := func(_ context.Context, d statespace.Definition, _ uint64) (statespace.Space, error) {
		if !d.SamePuzzle(sp.Definition()) {
			return nil, fmt.Errorf("it is a file of %s, expected one of %s", d.Name, sp.Name())
		}
		return sp, nil
	}
	open := func() (*layers.File, error) { return layers.Open(ctx, path, define, 0) }
	f, err := open()
	if errors.Is(err, fs.ErrNotExist) {
		o := Options{Threads: r.Threads, Memory: r.Memory, Meter: r.Meter, Warn: r.Warn, Engines: []Engine{Numbers}}
		if _, none := os.Lstat(path + CheckpointSuffix); none == nil { // an earlier search was stopped while it made the table
			_, err = Resume(ctx, path+CheckpointSuffix, define, o)
		} else {
			o.Output, o.Store = path, layers.Mod3Store
			_, err = Start(ctx, sp, o)
		}
		if err == nil {
			f, err = open()
		}
	}
	if err == nil {
		close = func() { f.Close() }
		err = f.Check(ctx, r.Threads, nil)
	}
	if bad := (*layers.FileError)(nil); errors.As(err, &bad) {
		bad.Advice = "remove it: solve makes the table again"
	}
	if err != nil {
		return nil, close, err
	}
	planes, err := f.Planes()
	if d, ok := f.Distances(); err == nil && (!ok || d.Whole) {
		err = fmt.Errorf("%s has the store %s, expected %s: remove it, or name another directory", path, f.Store().Name, layers.Mod3Store)
	}
	if err != nil {
		return nil, close, err
	}
	return planes.Words(), close, nil
}

func (r *boundsRun) run(ctx context.Context, between func() error, progress *statespace.Progress) error {
	if r.ends == nil {
		return r.search.Run(ctx, between, progress)
	}
	err := r.ends.Run(ctx, progress)
	r.Nodes, r.AtLeast, r.Whole = r.ends.States(), r.ends.AtLeast, err == nil && !r.ends.Met
	if errors.Is(err, statespace.ErrMemory) {
		err = fmt.Errorf("%s: %w; a solution has at least %s; the limit is %s: raise it", r.sp.Name(), err, amount.Of(r.AtLeast, "move"), humanize.IBytes(MemoryLimit(r.Memory)))
	}
	if r.ends.Met { // without its paths, the length is only a bound
		var on *sparse.Codes
		if on, err = r.ends.OnShortest(ctx); err == nil {
			r.All, r.Proved = slices.Collect(on.All()), true
		}
	}
	return err
}

// ErrTime is why a search ended when BoundsOptions.Time was over.
var ErrTime = errors.New("the time is over")

func (r *boundsRun) advanced() bool { return r.Nodes > 0 }

// boundsState is the state of a search in a checkpoint. Its section "tasks" has the nodes of the tasks.
type boundsState struct {
	Search bounds.State `json:"search"`
}

func (r *boundsRun) restore(_ context.Context, checkpoint *layers.File) error {
	var state boundsState
	if err := checkpoint.State(&state); err != nil {
		return err
	}
	nodes, err := checkpoint.Section("tasks", layers.AnyLength)
	if err != nil {
		return err
	}
	return r.search.Restore(state.Search, mapped.Words(nodes))
}

func (r *boundsRun) save(ctx context.Context, meta *layers.Meta) error {
	state, nodes := r.search.Save()
	meta.Checkpoint.Done = state.Limit
	return layers.WriteCheckpoint(ctx, r.checkpoint, meta, boundsState{state}, layers.SectionOf("tasks", mapped.Bytes(nodes)))
}

// goOn goes on from the checkpoint of the same search, if there is one.
func (j *job) goOn(ctx context.Context) (done func(err error) error, err error) {
	if j.Checkpoint != "" && j.engine.name != BoundsEngine {
		return nil, optionError("%s is solved by the engine %s here, which writes no checkpoint: only the engine %s does; or run it with a file", j.sp.Name(), j.engine.name, BoundsEngine)
	}
	if err := j.placeCheckpoint(); err != nil || j.checkpoint == "" {
		return func(err error) error { return err }, err
	}
	release, err := claim(j.checkpoint)
	if err != nil {
		return nil, err
	}
	j.from, err = layers.OpenCheckpoint(ctx, j.checkpoint, func(_ context.Context, d statespace.Definition, _ uint64) (statespace.Space, error) {
		if !d.SamePuzzle(j.sp.Definition()) {
			return nil, fmt.Errorf("it is that of %s, expected %s", d.Name, j.sp.Name())
		}
		return j.sp, nil
	}, 0)
	if errors.Is(err, fs.ErrNotExist) {
		j.from, err = nil, nil
	}
	if err == nil && j.from != nil {
		if c := j.from.Meta().Checkpoint; c.Engine != j.engine.name || c.Version != j.engine.version {
			err = unknownHere(j.from, "it is that of the engine %s, version %d", c.Engine, c.Version)
		}
	}
	return func(err error) error {
		if j.from != nil {
			j.from.Close()
		}
		if err == nil {
			err = disk.Remove(j.checkpoint)
			if errors.Is(err, fs.ErrNotExist) {
				err = nil
			}
		}
		release()
		return err
	}, err
}

// finish is not called: the engine is for Find.
func (r *boundsRun) finish(context.Context, *Result) error { return errors.ErrUnsupported }

func (r *boundsRun) close() {
	if r.walks != nil {
		r.walks.Close()
	}
	if r.ends != nil {
		r.ends.Close()
	}
	r.work.close()
}

// found implements finder.
func (r *boundsRun) found() ([]uint64, int, bool) {
	if r.ends != nil && r.Proved {
		return nil, r.AtLeast, false
	}
	return nil, len(r.Path) - 1, r.Whole
}

// shortest implements finder: it numbers the states on the paths.
func (r *boundsRun) shortest(ctx context.Context) (statespace.Space, *bfs.ShortestPaths, error) {
	codes := r.All
	if codes == nil {
		codes = slices.SortedFunc(slices.Values(r.Path), slices.Compare)
	}
	return shortestAmong(ctx, r.coded, sparse.CodesOf(len(codes[0]), slices.Concat(codes...)))
}

// all implements finder.
func (r *boundsRun) all(context.Context) (*All, error) {
	return nil, optionError("the engine %s finds a path of %s, and no set of states", BoundsEngine, r.sp.Name())
}

// shortestAmong finds the shortest paths among the states of a table.
func shortestAmong(ctx context.Context, coded statespace.Codes, t statespace.Table) (statespace.Space, *bfs.ShortestPaths, error) {
	sp, err := coded.Numbered(t)
	if err != nil {
		return nil, nil, err
	}
	s, err := bfs.New(ctx, bfs.Of(sp), bfs.Options{ToGoal: true})
	if err != nil {
		return nil, nil, err
	}
	defer s.Close()
	if err := s.Run(ctx, nil, nil); err != nil {
		return nil, nil, err
	}
	if !sp.Parts().Undirected {
		paths, err := bfs.FindShortest(ctx, sp, s.Distances(), s.Goals, s.Length, 0)
		return sp, paths, err
	}
	paths, err := s.Shortest(ctx, 0)
	return sp, paths, err
}
