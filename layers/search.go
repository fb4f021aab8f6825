package layers

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/statespace/bfs"
)

// A savedSearch is the state of a breadth-first search over all numbers.
type savedSearch struct {
	Search *bfs.State `json:"search"`
}

// SearchState returns the state of a breadth-first search over all numbers, or nil if the checkpoint is of
// another run.
func (f *File) SearchState() (*bfs.State, error) {
	var s savedSearch
	err := f.State(&s)
	return s.Search, err
}

// FinishState is Finish for the checkpoint of a run whose engine keeps what it has found in files of its own,
// which are durable. Done is how many stages are done, and state becomes a JSON object: see Checkpoint.State.
func (w *Writer) FinishState(ctx context.Context, meta *Meta, done int, state any) (size int64, err error) {
	return w.finishCheckpoint(ctx, meta, done, state, func(*body) error { return nil })
}

// finishCheckpoint is FinishState for an engine that keeps something in sections of the checkpoint.
func (w *Writer) finishCheckpoint(ctx context.Context, meta *Meta, done int, state any, sections func(b *body) error) (size int64, err error) {
	defer w.giveUp(&err)
	own, c := *meta, *meta.Checkpoint
	own.Checkpoint, c.Done = &c, done
	if c.State, err = json.Marshal(state); err != nil {
		return 0, err
	}
	if err := own.check(checkpoints); err != nil {
		return 0, err
	}
	b := newBody(ctx, w.file)
	if err := sections(b); err != nil {
		return 0, err
	}
	return w.seal(b, &own)
}

// FinishSearch is Finish for the checkpoint of a breadth-first search, which has begun. It adds the
// state of the search to the metadata.
func (w *Writer) FinishSearch(ctx context.Context, saved bfs.Saved, meta *Meta) (size int64, err error) {
	return w.finishCheckpoint(ctx, meta, saved.Level, savedSearch{&saved.State}, func(b *body) error { return writeSearch(b, saved) })
}

// writeSearch writes the sections of a search.
func writeSearch(b *body, saved bfs.Saved) error {
	open := saved.OpenParts
	if open == nil {
		open = slices.Values([][]uint64{saved.Open})
	}
	for _, s := range []struct {
		name  string
		words iter.Seq[[]uint64]
	}{{"distances", slices.Values([][]uint64{saved.Marks})}, {"open", open}, {"goals", slices.Values([][]uint64{saved.Goals})},
		{"depths", slices.Values(saved.Depths)}, {"levels", slices.Values(saved.Levels)}} {
		if s.name == "levels" && !saved.Unmarked {
			continue // programs before 0.1.0 knew no such section
		}
		if err := b.section(s.name, func() error {
			for words := range s.words {
				if err := b.write(mapped.Bytes(words)); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// searchParts returns the sections of the checkpoint of a search.
func (f *File) searchParts(state *bfs.State) (saved bfs.Saved, err error) {
	saved.State = *state
	words := bitset.Words(f.meta.Size)
	if saved.Unmarked {
		words = 0
	}
	if saved.State.Depths < 0 || saved.State.Depths > bfs.MaxDepthBits {
		return saved, f.damaged("its distances should have at most %d bits, and have %d", bfs.MaxDepthBits, saved.State.Depths)
	}
	take := func(name string, n uint64) []uint64 {
		p, failed := f.part(name, n)
		if failed == nil && p.length%8 != 0 {
			failed = f.damaged("its section %q should be words of 8 bytes, and has %d bytes", name, p.length)
		}
		if failed != nil {
			err = failed
			return nil
		}
		return p.words()
	}
	saved.Marks = take("distances", 8*bfs.MarkBits*words)
	saved.Open = take("open", 8*words)
	saved.Goals = take("goals", anyLength)
	depths := take("depths", 8*uint64(saved.State.Depths)*words)
	if saved.Unmarked {
		saved.Levels = [][]uint64{take("levels", anyLength)}
	}
	for len(depths) > 0 && err == nil {
		saved.Depths, depths = append(saved.Depths, depths[:words]), depths[words:]
	}
	return saved, err
}

// RestoreSearch makes a new search what another was at a checkpoint, which has been checked.
func (f *File) RestoreSearch(s *bfs.Search) error {
	state, err := f.SearchState()
	if err == nil && state == nil {
		err = f.damaged("it should be of a breadth-first search")
	}
	if err != nil {
		return err
	}
	saved, err := f.searchParts(state)
	if err != nil {
		return err
	}
	return f.Read(func() error {
		if err := s.Restore(saved); err != nil {
			return f.damaged("%v", err)
		}
		return nil
	})
}

// A noSet stands for the members of a checkpoint that holds no set.
type noSet struct{ f *File }

// Len implements bitset.Reader.
func (n noSet) Len() uint64 { return n.f.meta.Size }

// Block implements bitset.Reader.
func (n noSet) Block(uint64) ([]uint64, error) {
	return nil, fmt.Errorf("%s is the checkpoint of a run that keeps no set: resume the run", n.f.path)
}
