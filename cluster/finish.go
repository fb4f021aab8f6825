package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"pagoda/bitset"
	"pagoda/cluster/storage"
	"pagoda/internal/disk"
	"pagoda/layers"
	"pagoda/run"
	"pagoda/sorted"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/sparse"
)

// finish makes the file of all rounds.
func (d *driver) finish(ctx context.Context) (*run.Result, error) {
	if d.rounds.natural() == "" || d.plan.Blocks == nil && d.store.Lists {
		return d.finishHere(ctx)
	}
	pieces, err := d.pieces(ctx)
	if err != nil {
		return nil, err
	}
	list := filepath.Join(d.local(), "pieces.reach")
	if d.Pieces {
		list = d.Output
	}
	meta, err := d.compose(ctx, list, pieces)
	if err != nil {
		return nil, err
	}
	if !d.Pieces {
		f, err := layers.Open(ctx, list, families.Define, 0)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		o := d.Options.Options
		o.Memory = 0
		if err := run.Convert(ctx, f, d.store, o); err != nil {
			return nil, err
		}
	}
	return d.result(meta)
}

// result describes the file.
func (d *driver) result(meta *layers.Meta) (*run.Result, error) {
	f, err := layers.OpenInfo(d.Output)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	layered := d.sp.Parts().Layers != nil
	return &run.Result{Space: d.sp.Name(), States: meta.States, LayerName: meta.Layer, Layers: meta.Layers, Taken: run.Taken{Store: f.Meta().Store, File: d.Output,
		FileBytes: f.Size()}, HasGoals: d.sp.Parts().Goals.Any() && !layered, Goal: meta.Goal}, nil
}

// pieces makes the pieces of the natural store, unless they are there.
func (d *driver) pieces(ctx context.Context) ([]layers.Piece, error) {
	build, form := d.rounds.pieces()
	for failures := 0; ; {
		var pieces []layers.Piece
		_, err := d.place.GetJSON(ctx, pieceListName, &pieces)
		if err == nil && len(pieces) != form.pieces() {
			err = fmt.Errorf("%s in %s is %w: it should list %d pieces, and lists %d", pieceListName, d.place, storage.ErrDamaged, form.pieces(), len(pieces))
		}
		if errors.Is(err, storage.ErrDamaged) {
			return nil, fmt.Errorf("%w; remove it, and the run makes the pieces again", err)
		}
		if err == nil {
			slices.SortFunc(pieces, func(a, b layers.Piece) int { return bytes.Compare([]byte(a.Name), []byte(b.Name)) })
			return pieces, nil
		}
		if !errors.Is(err, storage.ErrMissing) {
			return nil, err
		}
		failed := d.runner.Run(ctx, "pagoda-pieces", func(s beam.Scope) { build(s, d.runner.Lanes()) })
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if failed == nil {
			continue
		}
		if failures++; failures >= d.Attempts {
			return nil, fmt.Errorf("the pieces of the file cannot be made, after %d attempts: %w", failures, failed)
		}
		for _, m := range d.made {
			if err := d.checkRound(ctx, m); err != nil {
				return nil, err
			}
		}
	}
}

// pieces implements rounds.
func (d levels) pieces() (build pipeline, f form) {
	shardBits := d.plan.Layout.Bits
	j := &pieceJob{setting: d.setting(), levels: d.made, fold: d.plan.Symmetries > 0, shardBits: shardBits,
		form: newForm(d.natural(), d.sp.Size(), len(d.made), shardBits)}
	return j.build, j.form
}

// compose makes a file in pieces, whose list gets the path, and returns its metadata.
func (d *driver) compose(ctx context.Context, list string, pieces []layers.Piece) (*layers.Meta, error) {
	folder := filepath.Join(filepath.Dir(list), "pieces")
	if d.Pieces {
		folder = d.Output + ".pieces"
	}
	if err := disk.MakeDir(folder, 0o777); err != nil {
		return nil, err
	}
	var here []layers.Piece
	for i, p := range pieces {
		name := filepath.Join(folder, fmt.Sprintf("%05d", i))
		if err := d.fetch(ctx, p, name); err != nil {
			return nil, err
		}
		p.Name = filepath.ToSlash(filepath.Join(filepath.Base(folder), filepath.Base(name)))
		here = append(here, p)
	}
	if err := disk.SyncDir(folder); err != nil {
		return nil, err
	}
	counts, err := d.rounds.counts(ctx)
	if err != nil {
		return nil, err
	}
	meta := run.Describe(d.sp, counts)
	meta.Store = d.rounds.natural()
	overwrite := d.Overwrite || !d.Pieces
	if _, err := layers.Compose(ctx, list, d.sp, here, meta, overwrite); err != nil {
		return nil, err
	}
	layered := d.sp.Parts().Layers != nil
	found := d.found()
	if layered || len(found.Goals) == 0 {
		return meta, nil
	}
	// The number of solutions follows from the distances, which are now there.
	f, err := layers.Open(ctx, list, families.Define, 1<<62)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	distances, _ := f.Distances()
	if err := f.Read(func() error {
		meta, err = run.DescribeSearch(ctx, d.sp, found, distances, nil, max(1, d.Threads))
		return err
	}); err != nil {
		return nil, err
	}
	meta.Store = d.rounds.natural()
	_, err = layers.Compose(ctx, list, d.sp, here, meta, true)
	return meta, err
}

// fetch puts a piece into a file of this machine.
func (d *driver) fetch(ctx context.Context, p layers.Piece, name string) error {
	if folder := d.place.Folder(); folder != "" {
		at := filepath.Join(folder, filepath.FromSlash(p.Name))
		if err := os.Rename(at, name); err == nil || os.IsNotExist(err) && sameSize(name, p) {
			return syncFile(name) // or an earlier attempt has moved it
		}
	}
	data, err := d.place.Get(ctx, p.Name)
	if err != nil {
		return err
	}
	if uint64(len(data)) != p.Bytes || !slices.Equal(sums(data), p.Sums) {
		return fmt.Errorf("%s in %s is %w: its checksums are not those of its list; remove %s, and the run makes the pieces again", p.Name, d.place, storage.ErrDamaged, pieceListName)
	}
	if err := os.WriteFile(name, data, 0o666); err != nil {
		return err
	}
	return syncFile(name)
}

// syncFile makes a file durable.
func syncFile(name string) error {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

func sameSize(name string, p layers.Piece) bool {
	info, err := os.Stat(name)
	return err == nil && uint64(info.Size()) == p.Bytes
}

// counts implements rounds.
func (d levels) counts(ctx context.Context) (all []statespace.Layer, err error) {
	layered := d.sp.Parts().Layers
	if layered != nil && !d.plan.Layered { // a level may have states of several layers
		counts := make(statespace.LayerCounts)
		for _, m := range d.made {
			if err := d.eachRun(ctx, m, func(run []byte) error {
				return d.plan.Layout.EachCode(run, func(code []uint64) error {
					counts.Of(layered, code[0]).States++
					return nil
				})
			}); err != nil {
				return nil, err
			}
		}
		return counts.List(layered), nil
	}
	root := rootLayer(d.sp)
	for i, m := range d.made {
		all = append(all, statespace.Layer{Layer: d.plan.layerOf(layered, root, i), States: m.states(), Orbits: m.orbits()})
	}
	return all, nil
}

// found returns what was found as a search of one machine does.
func (d *driver) found() *bfs.Result {
	r := &bfs.Result{Whole: !d.plan.ToGoal}
	for i, m := range d.made {
		r.Layers = append(r.Layers, m.states())
		if len(r.Goals) > 0 {
			continue
		}
		for _, s := range m.Shards {
			r.Goals, r.Length = append(r.Goals, s.Goals...), i
		}
	}
	slices.Sort(r.Goals)
	if len(r.Goals) == 0 {
		r.Length = 0
	}
	return r
}

// finishHere makes the file on this machine: it leaves the levels as a checkpoint of a run at its end,
// and finishes that run. That is for lists of states, and for values that follow from distances.
func (d *driver) finishHere(ctx context.Context) (*run.Result, error) {
	output, err := filepath.Abs(d.Output)
	if err != nil {
		return nil, err
	}
	checkpoint := output + run.CheckpointSuffix
	if _, err := os.Lstat(checkpoint); err == nil {
		return nil, &inTheWay{fmt.Errorf("%s is the checkpoint of a run that was stopped: resume it, or write another file", checkpoint)}
	}
	c := &layers.Checkpoint{Store: d.store.Name, Output: filepath.Base(output), Overwrite: d.Overwrite}
	meta := &layers.Meta{Space: d.sp.Definition(), Size: d.sp.Size(), Checkpoint: c}
	if d.store.Lists {
		var levels []sparse.Level
		if levels, err = d.writeLevels(ctx, output+run.LevelsSuffix); err == nil {
			err = run.SaveLevels(ctx, checkpoint, meta, levels)
		}
	} else {
		var saved bfs.Saved
		if saved, err = d.save(ctx); err == nil {
			err = run.SaveSearch(ctx, checkpoint, meta, saved)
		}
	}
	if err != nil {
		return nil, err
	}
	o := d.Options.Options
	o.Output, o.Overwrite, o.Memory = "", false, 0
	r, err := run.Resume(ctx, checkpoint, families.Define, o)
	if err == nil {
		r.File = d.Output
	}
	return r, err
}

// writeLevels writes each level as a file of the engine sparse.
func (d *driver) writeLevels(ctx context.Context, dir string) (all []sparse.Level, err error) {
	if err := disk.MakeDir(dir, 0o755); err != nil {
		return nil, err
	}
	words := d.plan.Layout.Words
	for i, m := range d.made {
		var b bytes.Buffer
		w, err := sorted.NewWriter(&b, words)
		if err != nil {
			return nil, err
		}
		if err := d.eachRun(ctx, m, func(run []byte) error {
			return d.plan.Layout.EachCode(run, w.Append)
		}); err != nil {
			return nil, err
		}
		if _, err := w.Close(); err != nil {
			return nil, err
		}
		name := filepath.Join(dir, sparse.LevelName(i))
		if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
			return nil, err
		}
		all = append(all, sparse.Level{States: m.states(), Bytes: uint64(b.Len()), CRC32C: storage.Sum(b.Bytes())})
	}
	return all, nil
}

// eachRun calls visit with the runs of a level, in order.
func (d *driver) eachRun(ctx context.Context, m *manifest, visit func(run []byte) error) error {
	for _, r := range m.Shards {
		run, err := d.place.GetSummed(ctx, d.plan.object(r), r.Bytes, r.Sum)
		if err == nil {
			err = visit(run)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// save returns what a search over all numbers has at its end.
func (d *driver) save(ctx context.Context) (bfs.Saved, error) {
	words := bitset.Words(d.sp.Size())
	found := d.found()
	s := bfs.Saved{State: bfs.State{Level: len(found.Layers), Layers: found.Layers, Length: found.Length}, Goals: found.Goals,
		Marks: make([]uint64, bfs.MarkBits*words), Open: make([]uint64, words)}
	f := newForm(layers.DistanceStore, d.sp.Size(), len(found.Layers), 0)
	s.State.Depths = f.Width
	for range f.Width {
		s.Depths = append(s.Depths, make([]uint64, words))
	}
	for level, m := range d.made {
		mark, depth := uint64(bfs.Mark(level)), f.entry(level)
		if err := d.eachRun(ctx, m, func(run []byte) error {
			return d.plan.Layout.EachWord(run, func(first, word uint64) error {
				for b := range bfs.MarkBits {
					if mark>>b&1 == 1 {
						s.Marks[first>>6*bfs.MarkBits+uint64(b)] |= word
					}
				}
				for b := range f.Width {
					if depth>>b&1 == 1 {
						s.Depths[b][first>>6] |= word
					}
				}
				return nil
			})
		}); err != nil {
			return s, err
		}
	}
	return s, nil
}
