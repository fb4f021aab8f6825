package bfs

import (
	"context"
	"encoding/binary"
	"fmt"
	"sync/atomic"

	"pagoda/bitset"
	"pagoda/internal/lists"
	"pagoda/internal/mapped"
	"pagoda/statespace"
)

// Values are the numbers that a space keeps of each state, in a record of some bytes for each
// number. They must be freed after use.
type Values struct {
	statespace.Records
	columns []statespace.Column
	at      []int // the first byte of each column in a record, and the end
	memory  mapped.Arena
}

// ValueBytes returns how many bytes the values of a space take.
func ValueBytes(sp statespace.Space) uint64 {
	columns := sp.Parts().Values.Columns
	if len(columns) == 0 {
		return 0
	}
	n := 2 + lists.SumOf(columns, func(c statespace.Column) int { return c.Bytes }) // 2 for the entry
	return uint64(n) * sp.Size()
}

// FindValues finds the values of all states that a search has reached, which has kept whole
// distances: one level after the other, from the roots. Progress counts states; it may be nil. When
// ctx ends, FindValues stops soon and returns the cause.
func FindValues(ctx context.Context, sp statespace.Space, found *Members, threads int, progress *statespace.Progress) (*Values, error) {
	values := sp.Parts().Values
	return findValues(ctx, sp, found, threads, progress, func(v *Values) statespace.Valuer {
		if values.NewValuer != nil {
			return values.NewValuer(&v.Records)
		}
		return newPlainValuer(v, values)
	})
}

// FindValuesPlain is FindValues, one state at a time. Tests compare the two.
func FindValuesPlain(ctx context.Context, sp statespace.Space, found *Members, threads int) (*Values, error) {
	return findValues(ctx, sp, found, threads, nil, func(v *Values) statespace.Valuer { return newPlainValuer(v, sp.Parts().Values) })
}

func findValues(ctx context.Context, sp statespace.Space, found *Members, threads int, progress *statespace.Progress, newValuer func(v *Values) statespace.Valuer) (_ *Values, err error) {
	if found.depths == nil {
		return nil, fmt.Errorf("the values of %s need whole distances", sp.Name())
	}
	v := &Values{columns: sp.Parts().Values.Columns, at: []int{0}}
	defer func() {
		if err != nil {
			v.Free()
		}
	}()
	for _, c := range v.columns {
		v.at = append(v.at, v.at[len(v.at)-1]+c.Bytes)
	}
	v.Width = v.at[len(v.columns)]
	n, width := sp.Size(), uint64(v.Width)
	words, err := v.memory.Words(ctx, (n+3)/4, threads)
	if err != nil {
		return nil, err
	}
	v.Entries = mapped.Halves(words)[:n]
	if words, err = v.memory.Words(ctx, (n*width+7)/8, threads); err != nil {
		return nil, err
	}
	v.Bytes = mapped.Bytes(words)[:n*width]
	w := valueWork{v: v, depths: found.depths, threads: max(1, threads)}
	if err := w.parts(ctx, func() func(group int) { return w.enter }); err != nil {
		return nil, err
	}
	progress.Start(w.states.Load())
	for entry := 1; entry < 1<<found.depths.Width(); entry++ {
		if err := w.parts(ctx, func() func(group int) {
			valuer := newValuer(v)
			return func(group int) {
				if word := w.at(group, entry); word != 0 {
					valuer.Value(uint64(group)*64, word)
					progress.Add(int64(ones(word)))
				}
			}
		}); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// Free gives the memory back. Nil Values have none.
func (v *Values) Free() {
	if v != nil {
		v.memory.Free()
	}
}

// Columns returns the columns.
func (v *Values) Columns() []statespace.Column { return v.columns }

// Len returns the number of records.
func (v *Values) Len() uint64 { return uint64(len(v.Entries)) }

// Get puts the numbers of a state into dst.
func (v *Values) Get(dst []uint64, x uint64) {
	record := v.Record(x)
	for i := range v.columns {
		dst[i] = 0
		for b := v.at[i+1] - 1; b >= v.at[i]; b-- {
			dst[i] = dst[i]<<8 | uint64(record[b])
		}
	}
}

// set puts the numbers of a state into its record.
func (v *Values) set(x uint64, values []uint64) {
	record := v.Record(x)
	var eight [8]byte
	for i, value := range values {
		binary.LittleEndian.PutUint64(eight[:], value)
		copy(record[v.at[i]:v.at[i+1]], eight[:])
	}
}

// Max returns the greatest number of each column.
func (v *Values) Max() []uint64 {
	most, values := make([]uint64, len(v.columns)), make([]uint64, len(v.columns))
	for x, e := range v.Entries {
		if e == 0 {
			continue
		}
		v.Get(values, uint64(x))
		for i, value := range values {
			most[i] = max(most[i], value)
		}
	}
	return most
}

// valueWork goes through all numbers in groups of 64.
type valueWork struct {
	v       *Values
	depths  *Depths
	threads int
	states  atomic.Int64
}

// parts calls a function for each group, on all threads.
func (w *valueWork) parts(ctx context.Context, newDo func() func(group int)) error {
	const part = 256 // groups
	groups := bitset.Words(w.depths.n)
	dos := make([]func(group int), w.threads)
	for i := range dos {
		dos[i] = newDo()
	}
	return mapped.EachWith(ctx, dos, (groups+part-1)/part, func(do func(group int), i uint64) error {
		for g := i * part; g < min((i+1)*part, groups); g++ {
			do(int(g))
		}
		return nil
	})
}

// enter copies the entries of a group.
func (w *valueWork) enter(group int) {
	first := uint64(group) * 64
	for x := first; x < min(first+64, w.depths.n); x++ {
		w.v.Entries[x] = w.depths.Entry(x)
	}
	w.states.Add(int64(ones(^w.at(group, 0))))
}

// at returns which numbers of a group have an entry; beyond the last number, it is 0.
func (w *valueWork) at(group, entry int) uint64 {
	word := ^uint64(0)
	for b, plane := range w.depths.planes {
		if entry>>b&1 != 0 {
			word &= plane[group]
		} else {
			word &^= plane[group]
		}
	}
	return word
}

// A plainValuer finds values one state at a time.
type plainValuer struct {
	*Values
	of           statespace.Values
	values, near []uint64
}

func newPlainValuer(v *Values, of statespace.Values) *plainValuer {
	return &plainValuer{v, of, make([]uint64, len(v.columns)), make([]uint64, len(v.columns))}
}

// Value implements Valuer.
func (p *plainValuer) Value(first, word uint64) {
	for i := range uint64(64) {
		if word>>i&1 == 0 {
			continue
		}
		x := first + i
		before := p.Entries[x] - 1
		p.of.Value(p.values, x, func(y uint64) []uint64 {
			if before == 0 || p.Entries[y] != before {
				return nil
			}
			p.Get(p.near, y)
			return p.near
		})
		p.set(x, p.values)
	}
}
