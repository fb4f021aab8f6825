package bitset_test

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"pagoda/bitset"
)

// A packed array has the bits of an entry side by side, as the paper's does: entry i begins
// at bit i*width. Planes are compared with it, and measured.
type packed struct {
	words []uint64
	width uint64
}

func newPacked(n uint64, width int) *packed {
	return &packed{make([]uint64, n*uint64(width)/64+2), uint64(width)}
}

func (p *packed) Get(i uint64) uint16 {
	w, b := i*p.width/64, i*p.width%64
	return uint16((p.words[w]>>b | p.words[w+1]<<1<<(63-b)) & (1<<p.width - 1))
}

func (p *packed) Set(i uint64, v uint16) {
	w, b := i*p.width/64, i*p.width%64
	mask, value := uint64(1)<<p.width-1, uint64(v)&(1<<p.width-1)
	p.words[w] = p.words[w]&^(mask<<b) | value<<b
	p.words[w+1] = p.words[w+1]&^(mask>>1>>(63-b)) | value>>1>>(63-b)
}

// Planes hold what a packed array of the same width holds.
func FuzzPlanes(f *testing.F) {
	f.Add([]byte{6, 1, 2, 3, 250, 63, 64, 65})
	f.Add([]byte{15, 0, 1, 63, 64, 65, 255, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 {
			return
		}
		width := 1 + int(data[0]%bitset.MaxWidth)
		const n = 256
		p, err := bitset.PlanesOver(make([]uint64, bitset.PlaneWords(n, width)), n, width)
		if err != nil {
			t.Fatal(err)
		}
		q := newPacked(n, width)
		for k, i := range data[1:] {
			v := uint16(k+1) * 0x9e37 // bits all over the entry
			p.Set(uint64(i), v)
			q.Set(uint64(i), v)
		}
		for i := range uint64(n) {
			if p.Get(i) != q.Get(i) {
				t.Fatalf("width %d: entry %d is %d in planes, %d packed", width, i, p.Get(i), q.Get(i))
			}
		}
	})
}

// BenchmarkPointers compares planes with a packed array: more pointers of 6 bits than a cache
// holds are filled, looked up, and searched for those that are not 0. Half of the numbers have
// a pointer; each value takes half of the numbers that the values before it have left.
func BenchmarkPointers(b *testing.B) {
	const n, width = 1 << 28, 6
	rng := rand.New(rand.NewPCG(1, 1))
	var masks [1 << 10][]uint64 // of 64 entries: which have the value 2, 3, ...
	for i := range masks {
		for left := rng.Uint64(); left != 0; {
			m := left & rng.Uint64()
			masks[i] = append(masks[i], m)
			left &^= m
		}
	}
	planes, err := bitset.PlanesOver(make([]uint64, bitset.PlaneWords(n, width)), n, width)
	if err != nil {
		b.Fatal(err)
	}
	pack := newPacked(n, width)
	var at [1 << 16]uint64
	for i := range at {
		at[i] = rng.Uint64N(n)
	}
	perEntry := func(b *testing.B, entries int) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(entries), "ns/entry")
	}
	b.Run("fill/planes", func(b *testing.B) {
		for range b.N {
			clear(planes.Words())
			for g := range uint64(n / 64) {
				for k, m := range masks[g%uint64(len(masks))] {
					planes.SetAll(g, m, uint16(k+2))
				}
			}
		}
		perEntry(b, n)
	})
	b.Run("fill/packed", func(b *testing.B) {
		for range b.N {
			clear(pack.words)
			for g := range uint64(n / 64) {
				for k, m := range masks[g%uint64(len(masks))] {
					for ; m != 0; m &= m - 1 {
						pack.Set(64*g+uint64(bits.TrailingZeros64(m)), uint16(k+2))
					}
				}
			}
		}
		perEntry(b, n)
	})
	sum := uint64(0)
	b.Run("get/planes", func(b *testing.B) {
		for range b.N {
			for _, i := range at {
				sum += uint64(planes.Get(i ^ sum>>60))
			}
		}
		perEntry(b, len(at))
	})
	b.Run("get/packed", func(b *testing.B) {
		for range b.N {
			for _, i := range at {
				sum += uint64(pack.Get(i ^ sum>>60))
			}
		}
		perEntry(b, len(at))
	})
	b.Run("members/planes", func(b *testing.B) {
		for range b.N {
			for g := range uint64(n / 64) {
				sum += planes.NotZero(g) & 1
			}
		}
		perEntry(b, n)
	})
	b.Run("members/packed", func(b *testing.B) {
		for range b.N {
			for g := range uint64(n / 64) {
				members := uint64(0)
				for i := range uint64(64) {
					if pack.Get(64*g+i) != 0 {
						members |= 1 << i
					}
				}
				sum += members & 1
			}
		}
		perEntry(b, n)
	})
	if sum == 1 {
		b.Log(sum)
	}
}
