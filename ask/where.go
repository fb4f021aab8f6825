package ask

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/bits"
	"runtime"
	"sync"

	"pagoda/internal/formula"
	"pagoda/internal/mapped"
)

// compile reads an expression of fields. Part is the name of what it is in a question.
func (s *fields) compile(part, text string) (*formula.Formula, error) {
	e, err := formula.Compile(text, s.names)
	if wrong, ok := errors.AsType[*formula.Error](err); ok && wrong.Name != "" {
		err = fmt.Errorf("character %d: %w", wrong.Column, s.unknown(wrong.Name))
	}
	if err == nil {
		for _, i := range e.Fields() {
			err = cmp.Or(err, s.check(i))
		}
	}
	if err != nil {
		return nil, &PartError{part, Shorten(text), err}
	}
	return e, nil
}

// A sieve keeps the states for which an expression is true, and computes their keys.
type sieve struct {
	fields *fields
	where  *formula.Formula // nil keeps all
	keys   []key
	places []int // of the fields that are used
}

// sieve reads Where and Sort of a pick.
func (f *File) sieve(c Pick) (*sieve, error) { return f.fields(c).sieve(c.Where, c.Sort) }

// sieve reads an expression and keys.
func (s *fields) sieve(where, sort string) (*sieve, error) {
	v := &sieve{fields: s}
	var err error
	if where != "" {
		if v.where, err = s.compile("where", where); err != nil {
			return nil, err
		}
		if k := v.where.Kind(); k != formula.Truth {
			return nil, &PartError{"where", Shorten(where), fmt.Errorf("it is %s, expected %s, such as branching > 2", k, formula.Truth)}
		}
		v.places = v.where.Fields()
	}
	if sort != "" {
		if v.keys, err = s.keys(sort); err != nil {
			return nil, err
		}
		for _, k := range v.keys {
			v.places = append(v.places, k.Fields()...)
		}
	}
	return v, nil
}

// A word is up to 64 states: bit i of members is number first+i.
type word struct{ first, members uint64 }

// A batch is words that one goroutine computes, and the sorted rows of their states.
type batch struct {
	words []word
	rows  []row
}

// batchWords is how many words a batch has.
const batchWords = 256

// run computes a batch. Values are those of the fields, for one goroutine at a time.
func (s *sieve) run(f *File, values *formula.Row, b *batch) error {
	return f.Read(func() error {
		for i := range b.words {
			w := &b.words[i]
			for left := w.members; left != 0; left &= left - 1 {
				x := w.first + uint64(bits.TrailingZeros64(left))
				values.Set(x)
				if s.where != nil && !s.where.Truth(values) {
					w.members &^= left & -left
				} else if s.keys != nil {
					b.rows = append(b.rows, s.row(values, x))
				}
				if err := values.Err(); err != nil {
					return s.failed(f, x, err)
				}
			}
		}
		return nil
	})
}

// failed is the error of an expression for a state.
func (s *sieve) failed(f *File, x uint64, err error) error {
	if errors.Is(err, formula.ErrZero) {
		return Questionf("%w for %s", err, f.Space().Format(x))
	}
	return err
}

// each computes the states of a pick by several goroutines, and calls take with the batches in the
// order of the numbers until it returns false.
func (f *File) each(ctx context.Context, c Pick, take func(b *batch) (bool, error)) error {
	s, err := f.sieve(c)
	if err != nil {
		return err
	}
	threads := cmp.Or(c.Options.Threads, runtime.GOMAXPROCS(0))
	rows := sync.Pool{New: func() any { return s.fields.row(s.places) }}
	list := func(ctx context.Context, take func(b *batch) bool) error { return f.batches(ctx, c, take) }
	for b, err := range mapped.InOrder(ctx, threads, 4*threads, list, func(_ context.Context, b *batch) (*batch, error) {
		values := rows.Get().(*formula.Row)
		defer rows.Put(values)
		return b, s.run(f, values, b)
	}) {
		if err != nil {
			return err
		}
		if more, err := take(b); !more || err != nil {
			return err
		}
	}
	return nil
}

// batches visits the states of a pick, without Where, by batches.
func (f *File) batches(ctx context.Context, c Pick, take func(b *batch) bool) error {
	fresh := func() *batch { return &batch{words: make([]word, 0, batchWords)} }
	b, more := fresh(), true
	err := f.visit(ctx, c, func(first, members uint64) bool {
		if b.words = append(b.words, word{first, members}); len(b.words) < batchWords {
			return true
		}
		full := b
		b, more = fresh(), take(full)
		return more
	})
	if err == nil && more && len(b.words) > 0 {
		take(b)
	}
	return err
}

// visitWhere is Visit with Where.
func (f *File) visitWhere(ctx context.Context, c Pick, take func(first, members uint64) bool) error {
	c.Sort = ""
	return f.each(ctx, c, func(b *batch) (bool, error) {
		for _, w := range b.words {
			if w.members != 0 && !take(w.first, w.members) {
				return false, nil
			}
		}
		return true, nil
	})
}

// metered is each with progress.
func (f *File) metered(ctx context.Context, c Pick, take func(b *batch) (bool, error)) error {
	done, stop := c.Options.Meter.Start(f.Space().Name(), f.Space().Size(), "numbers")
	defer stop()
	done.Start(int64(f.Space().Size()))
	at := uint64(0)
	return f.each(ctx, c, func(b *batch) (bool, error) {
		done.Add(int64(b.words[0].first - at))
		at = b.words[0].first
		return take(b)
	})
}

// countWhere is Count with Where.
func (f *File) countWhere(ctx context.Context, c Pick) (n uint64, err error) {
	c.Sort = ""
	err = f.metered(ctx, c, func(b *batch) (bool, error) {
		for _, w := range b.words {
			n += uint64(bits.OnesCount64(w.members))
		}
		return true, nil
	})
	return n, err
}

// splitKeys splits a list of expressions at the commas that are in no brackets.
func splitKeys(text string) (parts []string) {
	depth, from := 0, 0
	for i, c := range text {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth <= 0:
			parts, from = append(parts, text[from:i]), i+1
		}
	}
	return append(parts, text[from:])
}
