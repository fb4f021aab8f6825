package run

import (
	"context"

	"pagoda/internal/amount"
	"pagoda/internal/lists"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/sparse"
	"pagoda/statespace/sweep"
)

// NumbersEngine is the name of Numbers.
const NumbersEngine = "numbers"

// Numbers searches breadth-first by levels, with three bits for each number; or with its levels only, if the space has a
// Stepper that needs no marks and there is no file.
var Numbers = Engine{Name: NumbersEngine, About: "for any space with numbers: 3 bits each, and more for whole distances", fit: func(sp statespace.Space) []*method {
	if sp.Parts().Codes.Graph != nil {
		return nil
	}
	return []*method{{name: NumbersEngine, kind: withoutWorth(sp, general), dear: SetBytes(sp) >= sparse.DearBytes, version: searchVersion, need: needNumbers, open: openNumbers}}
}}

// wholeDistances reports whether the search finds whole distances: see bfs.FindsWhole; and those of
// another space if the store keeps them.
func (j *job) wholeDistances() bool {
	return !isLayered(j.sp) && (bfs.FindsWhole(j.sp) || j.Output != "" && j.store.WholeDistances)
}

// graph returns the graph that the search goes through. Without layers the search finds distances;
// with layers it needs none, and the marks are enough.
func (j *job) graph() statespace.Graph {
	g := bfs.Of(j.sp)
	if isLayered(j.sp) {
		g.Undirected, g.HasGoals = true, false
	}
	if j.wholeDistances() {
		g.NewStepper = nil
	}
	return g
}

// needNumbers is method.need.
func needNumbers(j *job) need {
	g, size, whole := j.graph(), amount.Comma(j.sp.Size()), j.wholeDistances()
	bytes := bfs.MemoryOf(g)
	if whole {
		bytes += depthBytes(j.sp)
	}
	most := of(bytes, "the distances of %s numbers", size)
	if j.levelsOnly(g) {
		bytes = bfs.MemoryOfLevels(g)
		most = of(bytes, "the levels of %s numbers", size)
	}
	if isLayered(j.sp) {
		return need{bytes: bytes + setBytes(j.sp), most: most}
	}
	return need{bytes: bytes, most: most, unfolds: true, asFound: j.asFound(whole)}
}

// A searchRun searches breadth-first over all numbers.
type searchRun struct {
	searched
	search *bfs.Search
	levels bool // the search keeps no marks
}

// openNumbers is method.open.
func openNumbers(ctx context.Context, j *job) (_ enumeration, err error) {
	r, g := &searchRun{searched: searched{work: work{job: j}}}, j.graph()
	if r.levels = j.levelsOnly(g); r.levels && j.Output != "" {
		return nil, otherDivision(j.from) // no run with a file has saved that
	}
	defer closeOnError(r, &err)
	if err = r.create(); err != nil {
		return nil, err
	}
	r.search, err = bfs.New(ctx, g, bfs.Options{ToGoal: j.sp.Parts().Goals.Ends && !isLayered(j.sp), Threads: j.Threads, Whole: j.wholeDistances(), Levels: r.levels,
		Unsaved: !j.saves()})
	return r, err
}

// searchVersion is the version of what SaveSearch writes.
const searchVersion = 1

// searchState is the state of a search in a checkpoint.
type searchState struct {
	Search bfs.State `json:"search"`
}

// SaveSearch writes the checkpoint of a run of Numbers: what a search has saved. The metadata say what the run is
// to do.
func SaveSearch(ctx context.Context, path string, meta *layers.Meta, saved bfs.Saved) error {
	c := meta.Checkpoint
	c.Engine, c.Version, c.Done = NumbersEngine, searchVersion, saved.Level
	sections := lists.Map(saved.Sections(), func(s bfs.Section) layers.Section { return layers.Section(s) })
	return layers.WriteCheckpoint(ctx, path, meta, searchState{saved.State}, sections...)
}

func (r *searchRun) restore(_ context.Context, checkpoint *layers.File) error {
	var state searchState
	if err := checkpoint.State(&state); err != nil {
		return err
	}
	saved, err := state.Search.With(r.sp.Size(), func(name string) ([]byte, error) { return checkpoint.Section(name, layers.AnyLength) })
	if err != nil {
		return err
	}
	return r.search.Restore(saved)
}

func (r *searchRun) advanced() bool { return len(r.search.Layers) > 1 }

func (r *searchRun) run(ctx context.Context, between func() error, progress *statespace.Progress) error {
	if err := r.search.Run(ctx, between, progress); err != nil {
		return err
	}
	if r.levels {
		return nil
	}
	r.result, r.members = &r.search.Result, r.search.Members()
	if isLayered(r.sp) {
		return nil
	}
	var values statespace.Progress
	if isValued(r.sp) {
		defer r.Meter("values of "+r.sp.Name(), r.search.States(), "states", values.Read)()
	}
	members, err := r.members.WithValues(ctx, r.sp, r.Threads, &values)
	r.members = members
	return err
}

func (r *searchRun) save(ctx context.Context, meta *layers.Meta) error {
	return SaveSearch(ctx, r.checkpoint, meta, r.search.Save())
}

func (r *searchRun) finish(ctx context.Context, result *Result) error {
	if r.levels {
		return r.finishLevels(ctx, result)
	}
	if isLayered(r.sp) {
		set, free, err := layers.LoadSet(ctx, r.members, r.Threads)
		if err != nil {
			return err
		}
		defer free()
		counts, err := sweep.CountLayers(ctx, r.sp, set, r.Threads)
		if err != nil {
			return err
		}
		return r.write(ctx, r.sp, set, Describe(r.sp, counts), result)
	}
	return r.searched.finish(ctx, result)
}

func (r *searchRun) close() {
	r.searched.close()
	if r.search != nil {
		r.search.Close()
	}
}
