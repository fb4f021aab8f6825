package ask

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"pagoda/internal/amount"
	"pagoda/internal/formula"
	"pagoda/internal/lists"
	"pagoda/internal/memory"
	"pagoda/run"
	"pagoda/statespace"
)

// maxKeys is how many keys a state can be sorted by.
const maxKeys = 4

// A key is an expression by which states are sorted.
type key struct {
	*formula.Formula
	falls bool // from the greatest value to the least
}

// keys reads the keys of a sort.
func (s *fields) keys(text string) (all []key, err error) {
	wrong := func(format string, args ...any) error {
		return &PartError{"sort", Shorten(text), fmt.Errorf(format, args...)}
	}
	if len(text) > maxKeys*(formula.MaxLength+1) {
		return nil, wrong("expected at most %d expressions of at most %d bytes", maxKeys, formula.MaxLength)
	}
	parts := splitKeys(text)
	if len(parts) > maxKeys {
		return nil, wrong("there are %d keys, expected at most %d", len(parts), maxKeys)
	}
	for i, part := range parts {
		part, falls := strings.CutPrefix(strings.TrimSpace(part), "-")
		if strings.TrimSpace(part) == "" {
			return nil, wrong("key %d is empty, expected a field or an expression", i+1)
		}
		e, err := s.compile("sort", part)
		if err != nil {
			return nil, err
		}
		if e.Kind() == formula.Truth {
			return nil, wrong("key %d is %s, expected a number", i+1, e.Kind())
		}
		all = append(all, key{e, falls})
	}
	return all, nil
}

// A row is a state and its keys as they are compared.
type row struct {
	keys [maxKeys]uint64
	x    statespace.Index
}

// compare orders rows by their keys, then by number.
func (r row) compare(s row) int {
	for i := range r.keys {
		if c := cmp.Compare(r.keys[i], s.keys[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(r.x, s.x)
}

// row returns the row of a state, to which the values are set.
func (s *sieve) row(values *formula.Row, x statespace.Index) row {
	r := row{x: x}
	for i, k := range s.keys {
		r.keys[i] = k.Order(values, k.falls)
	}
	return r
}

// rowBytes is what a row takes in memory.
const rowBytes = 8 * (maxKeys + 1)

// A top keeps rows: all of them, or the first of their order up to a limit.
type top struct {
	rows    []row
	limit   int    // or 0
	last    *row   // rows after it do not count; or nil
	allowed uint64 // bytes
	share   *memory.Share
	path    string
}

// fewer is what sorting takes less memory with.
const fewer = "pick fewer or use a limit"

// newTop returns an empty top for a pick.
func (f *File) newTop(ctx context.Context, c Pick) *top {
	t := &top{path: f.Path(), allowed: f.Memory(), share: memory.For(ctx, "the states to sort")}
	t.share.Instead = fewer
	if c.Options.Memory > 0 {
		t.allowed = run.MemoryLimit(c.Options.Memory)
	}
	if c.Limit < 1<<40 { // more do not fit into any memory
		t.limit = int(c.Limit)
	}
	return t
}

func (t *top) add(r row) error {
	if t.last != nil && r.compare(*t.last) >= 0 {
		return nil
	}
	const some = 1 << 10
	if len(t.rows) == cap(t.rows) {
		more := 2*cap(t.rows) + some
		if t.limit > 0 {
			more = min(more, 2*t.limit+some)
		}
		if need := rowBytes * uint64(cap(t.rows)+more); need > t.allowed {
			return &statespace.MemoryError{Name: t.path, Need: need, Most: fmt.Sprintf("to sort more than %s states", amount.Comma(uint64(len(t.rows)))), Allowed: t.allowed,
				Instead: fewer}
		}
		if err := t.share.Set(rowBytes * uint64(cap(t.rows)+more)); err != nil {
			return err
		}
		t.rows = append(make([]row, 0, more), t.rows...)
		if err := t.share.Set(rowBytes * uint64(more)); err != nil {
			return err
		}
	}
	if t.rows = append(t.rows, r); t.limit > 0 && len(t.rows) == 2*t.limit+some {
		t.cut()
	}
	return nil
}

// cut sorts the rows and leaves those that count.
func (t *top) cut() {
	slices.SortFunc(t.rows, row.compare)
	if t.limit > 0 && len(t.rows) >= t.limit {
		t.rows = t.rows[:t.limit]
		t.last = new(t.rows[t.limit-1])
	}
}

// sortedList is List with Sort.
func (f *File) sortedList(ctx context.Context, c Pick) iter.Seq2[statespace.Index, error] {
	return func(yield func(statespace.Index, error) bool) {
		t := f.newTop(ctx, c)
		defer t.share.Free()
		err := f.metered(ctx, c, func(b *batch) (bool, error) {
			for _, r := range b.rows {
				if err := t.add(r); err != nil {
					return false, err
				}
			}
			return true, nil
		})
		if err != nil {
			yield(0, err)
			return
		}
		t.cut()
		for _, r := range t.rows {
			if !yield(r.x, nil) {
				return
			}
		}
	}
}

// sorted returns states in the order of the keys.
func (f *File) sorted(c Pick, states []statespace.Index) ([]statespace.Index, error) {
	c.Where = ""
	s, err := f.sieve(c)
	if err != nil {
		return nil, err
	}
	var b batch
	for _, x := range states {
		b.words = append(b.words, word{x &^ 63, 1 << (x & 63)})
	}
	if err := s.run(f, s.fields.row(s.places), &b); err != nil {
		return nil, err
	}
	slices.SortFunc(b.rows, row.compare)
	return lists.Map(b.rows, func(r row) statespace.Index { return r.x }), nil
}
