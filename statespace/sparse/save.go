package sparse

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"pagoda/internal/disk"
	"pagoda/internal/failpoint"
	"pagoda/internal/lazy"
	"pagoda/sorted"
)

// tableName is the name of the file of Search.Table.
const tableName = "table.sorted"

// scratch is the names of the files that a search makes.
var scratch = lazy.Regexp(`^(?:run-\d{5,}|level-(\d{5,})|table)\.sorted$`)

// cleanDir makes the directory, and removes what other searches have left in it.
func (s *Search) cleanDir() error {
	if s.o.Dir == "" {
		return nil
	}
	there, err := disk.OwnDir(s.o.Dir)
	if err != nil {
		return err
	}
	s.madeDir = !there
	if err := disk.MakeDir(s.o.Dir, 0o755); err != nil {
		return err
	}
	entries, err := os.ReadDir(s.o.Dir)
	for _, e := range entries {
		m := scratch().FindStringSubmatch(e.Name())
		if m == nil {
			continue
		}
		if i, no := strconv.Atoi(m[1]); no != nil || i >= len(s.levels) {
			err = errors.Join(err, disk.Remove(filepath.Join(s.o.Dir, e.Name())))
		}
	}
	return err
}

// RemoveLevels removes the files that searches have left in a directory, and the directory unless
// there is something else in it. It may not be there at all.
func RemoveLevels(dir string) error { return disk.RemoveScratch(dir, scratch()) }

// Save makes all complete levels durable, those that are not yet, and returns what Restore
// needs to take them back from the directory. It may be called from between, or after Run has
// returned, whatever its error. The file of a level is never changed. When a file cannot be made
// durable, the search has ended: it may have lost what was written.
func (s *Search) Save(ctx context.Context) (all []Level, err error) {
	if err := s.usable(); err != nil {
		return nil, err
	}
	if s.o.Dir == "" {
		return nil, errors.New("the levels are in memory: to save them, a search needs a directory")
	}
	var fresh []*store
	for _, l := range s.levels {
		if all = append(all, l.Level); l.saved {
			continue
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if s.lost = l.file.Sync(); s.lost != nil {
			return nil, s.lost
		}
		failpoint.Hit("level")
		fresh = append(fresh, l)
	}
	if len(fresh) > 0 {
		if err := disk.SyncDir(s.o.Dir); err != nil {
			return nil, err
		}
		failpoint.Hit("levels")
	}
	for _, l := range fresh {
		l.saved = true
	}
	return all, nil
}

// Restore takes back the levels that Save returned, before Run. It compares the files with
// their checksums: a file that differs makes an error that wraps sorted.ErrDamaged. After an
// error the search is as it was.
func (s *Search) Restore(ctx context.Context, saved []Level) (err error) {
	switch {
	case s.closed:
		return errClosed
	case s.begun || len(s.levels) > 0:
		return errors.New("levels are restored once, before the search runs")
	case s.o.Dir == "":
		return errors.New("to restore levels, a search needs a directory")
	}
	if _, err := disk.OwnDir(s.o.Dir); err != nil {
		return err
	}
	for i, l := range saved {
		st := &store{Level: l, path: s.levelPath(i), saved: true, others: true}
		var how string
		if st.file, how, err = disk.OpenSame(ctx, st.path, st.Bytes, st.CRC32C); how != "" {
			err = fmt.Errorf("%s: %w: %s", st.path, sorted.ErrDamaged, how)
		}
		if err != nil {
			break
		}
		s.levels = append(s.levels, st)
		s.states += st.States
		if err = s.open(st); err != nil {
			break
		}
	}
	if err == nil && len(saved) > 0 {
		err = s.checkRoots()
	}
	if err != nil {
		for _, st := range s.levels {
			err = errors.Join(err, st.remove(&s.pool))
		}
		s.levels, s.states = nil, 0
	}
	return err
}

// checkRoots checks that the first level is the roots.
func (s *Search) checkRoots() error {
	roots := sorted.Distinct(slices.Concat(s.graph.Roots...), s.graph.Words)
	level := s.levels[0]
	var found []uint64
	for i := range level.Chunks() {
		var err error
		if found, err = level.Chunk(found, i); err != nil {
			return err
		}
		if len(found) > len(roots) {
			break
		}
	}
	if !slices.Equal(found, roots) {
		return fmt.Errorf("%s: it should have the %d roots of the search, and has %d others: the levels are of another search", level.path, len(roots)/s.graph.Words, level.States)
	}
	return nil
}

// Close ends the search and gives its memory back. The files of levels stay if they are saved.
func (s *Search) Close() error {
	if s.closed {
		return nil
	}
	s.closed = true
	err := errors.Join(s.removeRuns(), s.unsee(0))
	if s.table != nil {
		err = errors.Join(err, s.table.remove(&s.pool))
	}
	kept := false
	for _, l := range s.levels {
		err = errors.Join(err, l.remove(&s.pool))
		kept = kept || l.saved
	}
	err = errors.Join(err, s.Rest())
	if s.madeDir && !kept {
		disk.Remove(s.o.Dir) // stays if others have put something there
	}
	return errors.Join(err, s.pool.arena.Free())
}

// Rest gives back the memory for successors, which Run takes again.
func (s *Search) Rest() (err error) {
	for _, w := range s.workers {
		w.buffer, w.codes = nil, nil
		err = errors.Join(err, w.memory.Free())
	}
	return err
}

// Discard is Close that removes the files of saved levels as well.
func (s *Search) Discard() error {
	for _, l := range s.levels {
		l.saved = false
	}
	return s.Close()
}
