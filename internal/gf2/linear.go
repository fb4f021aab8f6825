package gf2

import (
	"math/bits"
	"slices"
)

// Orthogonal returns a basis of the vectors of n bits that are orthogonal to all of
// the given ones: they share an even number of elements with each.
func Orthogonal(vectors []uint64, n int) (basis []uint64) {
	// Each element that leads no row gives one vector.
	rows, leads := echelon(vectors)
	for bit := range n {
		if slices.Contains(leads, bit) {
			continue
		}
		v := uint64(1) << bit
		for i, r := range rows {
			if r>>bit&1 == 1 {
				v |= 1 << leads[i]
			}
		}
		basis = append(basis, v)
	}
	return basis
}

// echelon reduces vectors to independent rows: each has an element, its lead, that no other has.
func echelon(vectors []uint64) (rows []uint64, leads []int) {
	for _, v := range vectors {
		for i, r := range rows {
			if v>>leads[i]&1 == 1 {
				v ^= r
			}
		}
		if v == 0 {
			continue
		}
		lead := bits.TrailingZeros64(v)
		for i := range rows {
			if rows[i]>>lead&1 == 1 {
				rows[i] ^= v
			}
		}
		rows, leads = append(rows, v), append(leads, lead)
	}
	return rows, leads
}

// Reduce combines independent vectors into rows with a pivot each: row i holds
// pivots[i] and no other pivot. It chooses pivots in the given order of elements,
// each as soon as it is independent of those before it.
func Reduce(vectors []uint64, order []int) (rows []uint64, pivots []int) {
	rest := slices.Clone(vectors)
	for _, bit := range order {
		i := slices.IndexFunc(rest, func(v uint64) bool { return v>>bit&1 == 1 })
		if i < 0 {
			continue
		}
		v := rest[i]
		rest = slices.Delete(rest, i, i+1)
		for _, vs := range [][]uint64{rest, rows} {
			for j := range vs {
				if vs[j]>>bit&1 == 1 {
					vs[j] ^= v
				}
			}
		}
		rows, pivots = append(rows, v), append(pivots, bit)
	}
	return rows, pivots
}

// A Basis is one of a space of vectors: each of its vectors has a highest element of its own.
type Basis []uint64

// reduce returns what is left of v.
func (b Basis) reduce(v uint64) uint64 {
	for _, u := range b {
		v = min(v, v^u)
	}
	return v
}

// Spans reports whether v is a sum of vectors of the basis.
func (b Basis) Spans(v uint64) bool { return b.reduce(v) == 0 }

// Add adds a vector to the space.
func (b *Basis) Add(v uint64) {
	if v = b.reduce(v); v != 0 {
		*b = append(*b, v)
	}
}

// Rank returns the rank of the vectors, restricted to the elements of a set.
func Rank(vectors []uint64, set uint64) int {
	b := make(Basis, 0, len(vectors))
	for _, v := range vectors {
		b.Add(v & set)
	}
	return len(b)
}

// Sum returns which of the vectors add up to v, and whether any do. There are at most
// 64 vectors.
func Sum(vectors []uint64, v uint64) (which uint64, ok bool) {
	var basis, sums [64]uint64
	n := 0
	reduce := func(v, which uint64) (uint64, uint64) {
		for k, b := range basis[:n] {
			if v&(b&-b) != 0 {
				v, which = v^b, which^sums[k]
			}
		}
		return v, which
	}
	for i, vector := range vectors {
		if rest, sum := reduce(vector, 1<<i); rest != 0 {
			basis[n], sums[n] = rest, sum
			n++
		}
	}
	rest, which := reduce(v, 0)
	return which, rest == 0
}

// A Table is a linear map of words, tabulated by byte.
type Table [8][256]uint64

// Fill makes the table, which must be zero, the map that takes bit i to image(i), for
// the n lowest bits.
func (t *Table) Fill(n int, image func(bit int) uint64) {
	for i := range n {
		v := image(i)
		row, b := &t[i/8], 1<<(i%8)
		for x := range row {
			if x&b != 0 {
				row[x] ^= v
			}
		}
	}
}

// Apply returns the image of x.
func (t *Table) Apply(x uint64) uint64 {
	return t[0][byte(x)] ^ t[1][byte(x>>8)] ^ t[2][byte(x>>16)] ^ t[3][byte(x>>24)] ^
		t[4][byte(x>>32)] ^ t[5][byte(x>>40)] ^ t[6][byte(x>>48)] ^ t[7][byte(x>>56)]
}
