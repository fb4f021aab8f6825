package layers

import (
	"context"
	"fmt"
	"math/bits"

	"pagoda/bitset"
	"pagoda/internal/lazy"
	"pagoda/internal/lists"
	"pagoda/statespace/bfs"
)

// The file of a space with values has the numbers of a state behind its distance, in the planes that follow
// in the same group.

// columnsOf returns the columns of values, which may be nil.
func columnsOf(values *bfs.Values) (columns []Column) {
	if values == nil {
		return nil
	}
	for i, most := range values.Max() {
		columns = append(columns, Column{values.Columns()[i].Name, bits.Len64(most)})
	}
	return columns
}

// entryBits returns the bits of a distance and what follows it.
func entryBits(d Details) (n int) {
	return d.DistanceBits + lists.SumOf(d.Columns, func(c Column) int { return c.Bits })
}

// appendValues appends the planes of the numbers of a group of 64 states.
func appendValues(words []uint64, values *bfs.Values, columns []Column, group uint64) []uint64 {
	if values == nil {
		return words
	}
	all := lists.SumOf(columns, func(c Column) int { return c.Bits })
	words = append(words, make([]uint64, all)...)
	planes := words[len(words)-all:]
	var few [8]uint64
	numbers := append(few[:0], make([]uint64, len(columns))...)
	first := group * 64
	for x := first; x < min(first+64, values.Len()); x++ {
		if values.Entry(x) == 0 {
			continue
		}
		values.Get(numbers, x)
		at := 0
		for i, c := range columns {
			for n := numbers[i]; n != 0; n &= n - 1 {
				planes[at+bits.TrailingZeros64(n)] |= 1 << (x - first)
			}
			at += c.Bits
		}
	}
	return words
}

// figures finds the figures of a space, unless they are known.
func (j *job) figures(ctx context.Context, at func(dst []uint64, x uint64) (distance int, err error)) (err error) {
	if count := j.sp.Parts().Values.Figures; count != nil && j.meta.Figures == nil {
		j.meta.Figures, err = count(ctx, max(1, j.Threads), at)
	}
	return err
}

// figureName is what the names of figures are made of.
var figureName = lazy.Regexp(`^[a-z][a-z0-9_]{0,63}$`)

// checkFigures checks the names of figures, and that their parts by layer make the whole.
func (m *Meta) checkFigures() error {
	seen := make(map[string]bool)
	for i, f := range m.Figures {
		if !figureName().MatchString(f.Name) || seen[f.Name] {
			return fmt.Errorf("figure %d should have a name of its own of small letters, digits and _, and has %.40q", i, f.Name)
		}
		seen[f.Name] = true
		if f.ByLayer == nil {
			continue
		}
		sum := lists.Sum(f.ByLayer)
		if len(f.ByLayer) != len(m.Layers) || sum != f.Value {
			return fmt.Errorf("the figure %s should be %d in %d layers, and is %d in %d", f.Name, f.Value, len(m.Layers), sum, len(f.ByLayer))
		}
	}
	return nil
}

// checkColumns checks the columns that a file says it has. It returns the bits of an entry, with the
// given width of a distance.
func (f *File) checkColumns(width int) (int, error) {
	want := f.space.Parts().Values.Columns
	if len(want) == 0 || f.meta.DistanceBits == 0 {
		if len(f.meta.Columns) > 0 {
			return 0, f.damaged("it has %d columns, and %s has none", len(f.meta.Columns), f.space.Name())
		}
		return width, nil
	}
	if len(want) != len(f.meta.Columns) {
		return 0, f.damaged("it should have %d columns, and has %d", len(want), len(f.meta.Columns))
	}
	for i, c := range f.meta.Columns {
		if c.Name != want[i].Name || c.Bits < 0 || c.Bits > 8*want[i].Bytes {
			return 0, f.damaged("its column %d should be %s with at most %d bits, and is %.40q with %d", i, want[i].Name, 8*want[i].Bytes, c.Name, c.Bits)
		}
		width += c.Bits
	}
	if high, low := bits.Mul64(bitset.Words(f.meta.Size), 8*uint64(width)); high > 0 || low > 1<<62 {
		return 0, f.damaged("%d numbers with entries of %d bits cannot be in a file", f.meta.Size, width)
	}
	return width, nil
}

// Values are the numbers that a file keeps of each state besides its distance.
type Values struct {
	Columns []Column
	r       *distancesReader
}

// Values returns the values of a file; false if it has none.
func (f *File) Values() (Values, bool) {
	m, ok := f.members.(measured)
	if !ok || len(f.meta.Columns) == 0 {
		return Values{}, false
	}
	return Values{f.meta.Columns, m.measures()}, true
}

// Get puts the numbers of a state below Meta().Size into dst, which has room for all columns. Call it
// within Read. If x is no member, they are 0.
func (v Values) Get(dst []uint64, x uint64) error {
	if err := v.r.checkGroups(x/64, 1); err != nil {
		return err
	}
	at := v.r.planes.Width()
	group := v.r.planes.Group(x / 64)
	for i, c := range v.Columns {
		dst[i] = 0
		for b, word := range group[at : at+c.Bits] {
			dst[i] |= word >> (x % 64) & 1 << b
		}
		at += c.Bits
	}
	return nil
}

// ValuesElsewhere returns a number that is no member and has values; it is false if there is none. The
// file has been checked. Call it within Read.
func (f *File) ValuesElsewhere() (x uint64, found bool, err error) {
	m, ok := f.members.(measured)
	if !ok {
		return 0, false, nil
	}
	r := m.measures()
	if err := r.ready(); err != nil {
		return 0, false, err
	}
	for g := range bitset.Words(r.planes.Len()) {
		members := r.planes.NotZero(g)
		for _, word := range r.planes.Group(g)[r.planes.Width():] {
			if word &^= members; word != 0 {
				return 64*g + uint64(bits.TrailingZeros64(word)), true, nil
			}
		}
	}
	return 0, false, nil
}
