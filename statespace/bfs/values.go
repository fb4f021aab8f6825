package bfs

import (
	"context"
	"encoding/binary"
	"fmt"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/statespace"
)

// Values are the numbers that a Valued space keeps of each state, in a record of some bytes for each
// number. They must be freed after use.
type Values struct {
	sp      statespace.Valued
	columns []statespace.Column
	at      []int // the first byte of each column in a record, and the end
	entries []uint16
	records []byte
	frees   []func()
}

// A Valuer finds the values of states. One goroutine may use it.
type Valuer interface {
	// Value sets the records of the states of a word: bit i of word is number first+i. They are at
	// the same distance, and the records of all nearer states are set.
	Value(first, word uint64)
}

// A FastValued space finds values quickly.
type FastValued interface {
	statespace.Valued
	NewValuer(v *Values) Valuer
}

// ValueBytes returns how many bytes the values of a space take.
func ValueBytes(sp statespace.Space) uint64 {
	v, ok := sp.(statespace.Valued)
	if !ok {
		return 0
	}
	n := 2 // the entry
	for _, c := range v.Columns() {
		n += c.Bytes
	}
	return uint64(n) * sp.Size()
}

// FindValues finds the values of all states that a search has reached, which has kept whole
// distances: one level after the other, from the roots. Progress counts states; it may be nil. When
// ctx ends, FindValues stops soon and returns the cause.
func FindValues(ctx context.Context, sp statespace.Valued, found *Members, threads int, progress *statespace.Progress) (*Values, error) {
	return findValues(ctx, sp, found, threads, progress, func(v *Values) Valuer {
		if f, ok := sp.(FastValued); ok {
			return f.NewValuer(v)
		}
		return newPlainValuer(v)
	})
}

// FindValuesPlain is FindValues, one state at a time. Tests compare the two.
func FindValuesPlain(ctx context.Context, sp statespace.Valued, found *Members, threads int) (*Values, error) {
	return findValues(ctx, sp, found, threads, nil, func(v *Values) Valuer { return newPlainValuer(v) })
}

func findValues(ctx context.Context, sp statespace.Valued, found *Members, threads int, progress *statespace.Progress, newValuer func(v *Values) Valuer) (_ *Values, err error) {
	if found.depths == nil {
		return nil, fmt.Errorf("the values of %s need whole distances", sp.Name())
	}
	v := &Values{sp: sp, columns: sp.Columns(), at: []int{0}}
	defer func() {
		if err != nil {
			v.Free()
		}
	}()
	for _, c := range v.columns {
		v.at = append(v.at, v.at[len(v.at)-1]+c.Bytes)
	}
	n, width := sp.Size(), uint64(v.width())
	words, err := v.alloc(ctx, (n+3)/4, threads)
	if err != nil {
		return nil, err
	}
	v.entries = mapped.Halves(words)[:n]
	if words, err = v.alloc(ctx, (n*width+7)/8, threads); err != nil {
		return nil, err
	}
	v.records = mapped.Bytes(words)[:n*width]
	w := valueWork{v: v, depths: found.depths, threads: max(1, threads), progress: progress}
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

func (v *Values) alloc(ctx context.Context, words uint64, threads int) ([]uint64, error) {
	memory, free, err := alloc(ctx, words, threads)
	if err == nil {
		v.frees = append(v.frees, free)
	}
	return memory, err
}

// Free gives the memory back. Nil Values have none.
func (v *Values) Free() {
	if v == nil {
		return
	}
	for _, free := range v.frees {
		free()
	}
	v.frees = nil
}

func (v *Values) width() int { return v.at[len(v.columns)] }

// Columns returns the columns.
func (v *Values) Columns() []statespace.Column { return v.columns }

// Len returns the number of records.
func (v *Values) Len() uint64 { return uint64(len(v.entries)) }

// Entry returns the distance of a number plus 1, or 0 if it is not reached.
func (v *Values) Entry(x uint64) uint16 { return v.entries[x] }

// Record returns the bytes of a number: the columns one after the other, little-endian.
func (v *Values) Record(x uint64) []byte {
	width := uint64(v.width())
	return v.records[x*width:][:width:width]
}

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
	for x, e := range v.entries {
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
	v        *Values
	depths   *Depths
	threads  int
	progress *statespace.Progress
	states   atomic.Int64
}

// parts calls a function for each group, on all threads.
func (w *valueWork) parts(ctx context.Context, newDo func() func(group int)) error {
	const part = 256 // groups
	groups := int(bitset.Words(w.depths.n))
	var next atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	for range w.threads {
		group.Go(func() error {
			return mapped.Guard(func() error {
				do := newDo()
				for {
					first := int(next.Add(part)) - part
					if first >= groups {
						return nil
					}
					if ctx.Err() != nil {
						return context.Cause(ctx)
					}
					for g := first; g < min(first+part, groups); g++ {
						do(g)
					}
				}
			})
		})
	}
	return group.Wait()
}

// enter copies the entries of a group.
func (w *valueWork) enter(group int) {
	first := uint64(group) * 64
	for x := first; x < min(first+64, w.depths.n); x++ {
		w.v.entries[x] = w.depths.Entry(x)
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
	values, near []uint64
}

func newPlainValuer(v *Values) *plainValuer {
	return &plainValuer{v, make([]uint64, len(v.columns)), make([]uint64, len(v.columns))}
}

// Value implements Valuer.
func (p *plainValuer) Value(first, word uint64) {
	for i := range uint64(64) {
		if word>>i&1 == 0 {
			continue
		}
		x := first + i
		before := p.entries[x] - 1
		p.sp.Value(p.values, x, func(y uint64) []uint64 {
			if before == 0 || p.entries[y] != before {
				return nil
			}
			p.Get(p.near, y)
			return p.near
		})
		p.set(x, p.values)
	}
}
