package run

import (
	"context"
	"errors"
	"fmt"

	"pagoda/bitset"
	"pagoda/internal/lists"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/bounds"
)

// A Found is what a run in memory has found. It must be closed after use.
type Found struct {
	Engine string
	// Layers counts the states at each distance from the roots. Whole says that these are all that can be
	// reached; if not, they are those up to the nearest goals.
	Layers []uint64
	Whole  bool
	// Length is the distance of the nearest goals, or -1 if none was found.
	Length int
	// Searched is what a search with bounds has found, which counts no states; else nil.
	Searched *bounds.Result

	// Checkpoint is the file from which a search that has ended early goes on; empty if there is none.
	Checkpoint string

	run finder
}

// A finder is a run of a space without layers whose states stay in memory.
type finder interface {
	enumeration
	// found says what the run has found.
	found() (layers []uint64, length int, whole bool)
	// shortest finds the shortest paths to the nearest goals. There is a goal. The space has numbers
	// for their states.
	shortest(ctx context.Context) (statespace.Space, *bfs.ShortestPaths, error)
	// all returns all states.
	all(ctx context.Context) (*All, error)
}

// All is all states that a run in memory has found. It is valid until the Found is closed.
type All struct {
	// Space has the numbers of the states. It is another one than that of the run if the states were listed.
	Space     statespace.Space
	Members   bitset.Reader
	Distances bfs.Distances
	Goals     []statespace.Index // the nearest ones
}

// Find enumerates a space without layers and keeps what it finds in memory, for paths. It uses the options
// Engine, Memory, MaxStates, Threads, Meter, Warn, Path, Solutions and Kept, and its errors are those of Start. A search with
// bounds also takes Own, and Checkpoint: it goes on from the checkpoint there.
func Find(ctx context.Context, sp statespace.Space, o Options) (*Found, error) {
	o.Output, o.Store = "", ""
	j := &job{Options: o.fill(), sp: sp, inMemory: true}
	if p := sp.Parts(); p.Layers != nil || p.Chance != nil {
		return nil, optionError("%s has no shortest paths: its moves lose something, or chance answers them", sp.Name())
	}
	if err := j.choose(ctx); err != nil {
		return nil, err
	}
	if err := j.checkMemory(); err != nil {
		return nil, err
	}
	if most := j.boundsOptions().Time; most > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeoutCause(ctx, most, ErrTime)
		defer stop()
	}
	done, err := j.goOn(ctx)
	if err != nil {
		if done != nil { // the checkpoint is claimed, and cannot be read
			err = done(err)
		}
		return nil, err
	}
	e, err := j.engine.open(ctx, j)
	if errors.Is(err, ErrTime) {
		err = fmt.Errorf("%s: %w before the tables of its bounds were made", sp.Name(), err)
	}
	if err != nil {
		return nil, done(err)
	}
	f := &Found{Engine: j.engine.name, run: e.(finder)}
	if r, ok := e.(*boundsRun); ok {
		f.Searched = r.Result
	}
	err = j.enumerate(ctx, e)
	ended := f.Searched != nil && (errors.Is(err, ErrTime) || err != nil && errors.Is(err, context.Cause(ctx))) // what is known is an answer
	if ended && j.saves() {
		if failed := saving.save(context.WithoutCancel(ctx), j, e); failed != nil {
			err, ended = fmt.Errorf("%w; %w: %w", err, errUnsaved, failed), false
		}
		f.Checkpoint = j.checkpoint
	}
	if err = done(err); err != nil && !ended {
		e.close()
		return nil, err
	}
	f.Layers, f.Length, f.Whole = f.run.found()
	return f, nil
}

// States returns how many states were found.
func (f *Found) States() uint64 { return lists.Sum(f.Layers) }

// Shortest finds the shortest paths to the nearest goals. The space has the numbers of their states: it is another one
// if the states were listed. Without a goal the error is statespace.ErrNoPath.
func (f *Found) Shortest(ctx context.Context) (statespace.Space, *bfs.ShortestPaths, error) {
	if f.Length < 0 {
		return nil, nil, statespace.ErrNoPath
	}
	return f.run.shortest(ctx)
}

// All returns all states.
func (f *Found) All(ctx context.Context) (*All, error) { return f.run.all(ctx) }

// Close gives back the memory.
func (f *Found) Close() { f.run.close() }

// A searched run has searched all numbers of a space.
type searched struct {
	work
	result  *bfs.Result
	members *bfs.Members // nil without marks
}

// finish implements enumeration for a space without layers.
func (s *searched) finish(ctx context.Context, result *Result) error {
	meta, err := DescribeSearch(ctx, s.sp, s.result, s.members.Distances(), valuesOf(s.members), s.Threads)
	if err != nil {
		return err
	}
	return s.write(ctx, s.sp, s.members, meta, result)
}

func (s *searched) close() {
	if s.members != nil {
		s.members.Values().Free()
	}
	s.work.close()
}

// found implements finder.
func (s *searched) found() ([]uint64, int, bool) {
	if len(s.result.Goals) == 0 {
		return s.result.Layers, -1, s.result.Whole
	}
	return s.result.Layers, s.result.Length, s.result.Whole
}

// shortest implements finder.
func (s *searched) shortest(ctx context.Context) (statespace.Space, *bfs.ShortestPaths, error) {
	paths, err := bfs.FindShortest(ctx, s.sp, s.members.Distances(), s.result.Goals, s.result.Length, 0)
	return s.sp, paths, err
}

// all implements finder.
func (s *searched) all(context.Context) (*All, error) {
	return &All{s.sp, s.members, s.members.Distances(), s.result.Goals}, nil
}

// shortest implements finder.
func (r *searchRun) shortest(ctx context.Context) (statespace.Space, *bfs.ShortestPaths, error) {
	if !r.sp.Parts().Undirected {
		return r.searched.shortest(ctx)
	}
	paths, err := r.search.Shortest(ctx, 0)
	return r.sp, paths, err
}

// found implements finder.
func (r *sparseRun) found() ([]uint64, int, bool) {
	all := r.search.Result()
	return all.Levels, all.GoalLevel, all.Whole
}

// shortest implements finder. If moves can be taken back to one root, only states on shortest paths
// get numbers.
func (r *sparseRun) shortest(ctx context.Context) (statespace.Space, *bfs.ShortestPaths, error) {
	if !r.sp.Parts().Undirected || len(r.coded.Graph().Roots) > 1 {
		all, err := r.all(ctx)
		if err != nil {
			return nil, nil, err
		}
		paths, err := bfs.FindShortest(ctx, all.Space, all.Distances, all.Goals, r.search.Result().GoalLevel, 0)
		return all.Space, paths, err
	}
	table, err := r.search.OnShortest(ctx)
	if err != nil {
		return nil, nil, err
	}
	return shortestAmong(ctx, r.coded, table)
}

// all implements finder.
func (r *sparseRun) all(ctx context.Context) (*All, error) {
	list, sp, err := r.number(ctx)
	if err != nil {
		return nil, err
	}
	result, err := r.ranked(list)
	if err != nil {
		return nil, err
	}
	return &All{sp, list, distancesOf(list), result.Goals}, nil
}
