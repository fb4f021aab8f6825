package run

import (
	"cmp"
	"context"

	"pagoda/bitset"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/sweep"
)

// A searchRun searches breadth-first over all numbers.
type searchRun struct {
	*job
	writer  *layers.Writer // or nil
	search  *bfs.Search
	members *bfs.Members // what it has found; nil without marks
	levels  bool         // the search keeps no marks
}

func (j *job) openSearch(ctx context.Context) (_ enumeration, err error) {
	if j.from != nil && j.from.Meta().Checkpoint.Search == nil {
		return nil, otherDivision(j.from)
	}
	r, g := &searchRun{job: j}, j.graph()
	if r.levels = j.levelsOnly(g); r.levels && j.Output != "" {
		return nil, otherDivision(j.from) // no run with a file has saved that
	}
	defer closeOnError(r, &err)
	if r.writer, err = j.create(); err != nil {
		return nil, err
	}
	r.search, err = bfs.New(ctx, g, bfs.Options{ToGoal: j.sp.Parts().Goals.Ends && !isLayered(j.sp), Threads: j.Threads, Whole: j.wholeDistances(), Levels: r.levels})
	return r, err
}

func (r *searchRun) begin() error { return nil }

// division is a constant: levels are those of the space.
func (r *searchRun) division() uint32 { return 0 }

func (r *searchRun) restore(_ context.Context, checkpoint *layers.File) error {
	return checkpoint.RestoreSearch(r.search)
}

func (r *searchRun) advanced() bool { return len(r.search.Layers) > 1 }

func (r *searchRun) run(ctx context.Context, between func() error, progress *statespace.Progress) error {
	if err := r.search.Run(ctx, between, progress); err != nil {
		return err
	}
	if r.levels {
		return nil
	}
	r.members = r.search.Members()
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
	bytes := 8 * bitset.PlaneWords(r.sp.Size(), bfs.MarkBits+1)
	if r.levels {
		bytes = 8 * r.graph().LevelWords
	}
	w, err := layers.Create(r.checkpoint, bytes, true)
	if err != nil {
		return err
	}
	_, err = w.FinishSearch(ctx, r.search.Save(), meta)
	return err
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
		return r.write(ctx, r.sp, set, Describe(r.sp, counts), r.writer, result)
	}
	meta, err := DescribeSearch(ctx, r.sp, &r.search.Result, r.search.Distances(), valuesOf(r.members), r.Threads)
	if err != nil {
		return err
	}
	return r.write(ctx, r.sp, r.members, meta, r.writer, result)
}

func (r *searchRun) close() {
	if r.members != nil {
		r.members.Values().Free()
	}
	if r.search != nil {
		r.search.Close()
	}
	if r.writer != nil {
		r.writer.Abort()
	}
}

// isValued reports whether files keep numbers of the states of a space besides their distances.
func isValued(sp statespace.Space) bool {
	return sp.Parts().Values.Any()
}

// getValues puts the numbers that are kept of a state into dst.
type getValues func(dst []uint64, x uint64) error

// valuesOf returns the numbers that a search has found; nil if there are none.
func valuesOf(members *bfs.Members) getValues {
	v := members.Values()
	if v == nil {
		return nil
	}
	return func(dst []uint64, x uint64) error {
		v.Get(dst, x)
		return nil
	}
}

// DescribeSearch makes the metadata of what a search has found in a space without layers.
// Values returns the numbers that are kept of a state; nil if there are none.
func DescribeSearch(ctx context.Context, sp statespace.Space, found *bfs.Result, distances bfs.Distances, values func(dst []uint64, x uint64) error, threads int) (*layers.Meta, error) {
	meta := describeLevels(sp, found)
	if count := sp.Parts().Values.Figures; count != nil && values != nil {
		var err error
		if meta.Figures, err = count(ctx, threads, func(dst []uint64, x uint64) (int, error) {
			e, err := distances.At(x)
			return int(e) - 1, cmp.Or(err, values(dst, x))
		}); err != nil {
			return nil, err
		}
	}
	if len(found.Goals) > 0 {
		paths, err := bfs.FindShortest(ctx, sp, distances, found.Goals, found.Length, 0)
		if err != nil {
			return nil, err
		}
		meta.Goal = newGoal(found)
		meta.Goal.Solutions = paths.Total()
	}
	return meta, nil
}

// describeLevels makes the metadata of the levels that a search has found.
func describeLevels(sp statespace.Space, found *bfs.Result) *layers.Meta {
	var counts []statespace.Layer
	for i, n := range found.Layers {
		counts = append(counts, statespace.Layer{Layer: i, States: n})
	}
	return Describe(sp, counts)
}

// newGoal describes the nearest goals, without the number of solutions.
func newGoal(found *bfs.Result) *layers.Goal {
	n := len(found.Goals)
	return &layers.Goal{Distance: found.Length, Count: uint64(n), Nearest: found.Goals[:min(n, layers.MaxNearest)]}
}
