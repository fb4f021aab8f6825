package ask

import (
	"context"
	"errors"
	"slices"

	"pagoda/internal/formula"
	"pagoda/internal/lists"
)

// A Table is rows of whole numbers that are no states, and are selected, sorted and described by the
// same expressions.
type Table struct {
	rows   int
	format func(row int) string
	fields *fields
}

// NewTable returns a table of some rows. Format writes a row as the pattern of a Member.
func NewTable(rows int, format func(row int) string, fields ...Field) *Table {
	return &Table{rows, format, newFields(fields, "", false)}
}

// NewField returns a field of the rows of a table.
func NewField(name, about string, of func(row int) uint64) Field {
	return NewPartialField(name, about, func(int) bool { return true }, func(row int) (int64, error) { return int64(of(row)), nil })
}

// NewPartialField returns a field that only those rows of a table have for which has is true.
func NewPartialField(name, about string, has func(row int) bool, of func(row int) (int64, error)) Field {
	return Field{Name: name, About: about, has: has, of: func() value {
		return func(x uint64) (int64, error) { return of(int(x)) }
	}}
}

// Fields returns the fields of the rows.
func (t *Table) Fields() []Field { return t.fields.list }

// Pick returns the rows for which an expression is true, in the order of keys. Both may be empty: then
// all are picked, and the order is that of the rows. Rows that lack a field of the expression or of the
// keys are left out. Limit, if not 0, is how many it returns at most. Errors are an ErrQuestion. When
// ctx ends, it stops soon and returns the cause.
func (t *Table) Pick(ctx context.Context, where, sort string, limit int) ([]int, error) {
	s, err := t.fields.sieve(where, sort)
	if err != nil {
		return nil, err
	}
	values := t.fields.row(s.places)
	var picked []row
	for x := range t.rows {
		if x%(1<<12) == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if slices.ContainsFunc(s.places, func(i int) bool { return !t.fields.list[i].has(x) }) {
			continue
		}
		values.Set(uint64(x))
		if s.where == nil || s.where.Truth(values) {
			picked = append(picked, s.row(values, uint64(x)))
		}
		if err := values.Err(); err != nil {
			if errors.Is(err, formula.ErrZero) {
				return nil, Questionf("%w for %s", err, t.format(x))
			}
			return nil, err
		}
	}
	slices.SortFunc(picked, row.compare)
	if limit > 0 && len(picked) > limit {
		picked = picked[:limit]
	}
	return lists.Map(picked, func(r row) int { return int(r.x) }), nil
}

// Describer returns the function that describes rows, with those of some fields, by their names, that
// the row has. It is for one goroutine.
func (t *Table) Describer(show []string) (func(row int) (Member, error), error) {
	values, err := t.fields.shown(show)
	if err != nil {
		return nil, err
	}
	return func(row int) (Member, error) {
		m := Member{Pattern: t.format(row)}
		for _, v := range values {
			if !t.fields.list[t.fields.names[v.name].Place].has(row) {
				continue
			}
			n, err := v.of(uint64(row))
			if err != nil {
				return m, err
			}
			m.Fields = append(m.Fields, newFieldValue(v.name, n, v.fraction))
		}
		return m, nil
	}, nil
}
