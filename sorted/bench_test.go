package sorted_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/sorted"
)

// benchList makes sorted codes: in consecutive numbers, of gaps with the given mean, and of
// two words, a few hundred with the same first one.
func benchCodes(shape string, n int) (words int, codes []uint64) {
	rng := rand.New(rand.NewPCG(11, 12))
	x := uint64(1 << 40)
	for i := range n {
		switch shape {
		case "consecutive":
			x++
		case "gaps40":
			x += 1 + uint64(rng.ExpFloat64()*40)
		case "words2":
			codes = append(codes, uint64(i/300))
			if i%300 == 0 {
				x = 0
			}
			x += 1 + uint64(rng.ExpFloat64()*(1<<40))
		}
		codes = append(codes, x)
	}
	return len(codes) / n, codes
}

func BenchmarkLists(b *testing.B) {
	const n = 1 << 21
	for _, shape := range []string{"consecutive", "gaps40", "words2"} {
		words, codes := benchCodes(shape, n)
		var out bytes.Buffer
		write := func(to io.Writer) uint64 {
			w, err := sorted.NewWriter(to, words)
			if err != nil {
				b.Fatal(err)
			}
			if err := w.Append(codes); err != nil {
				b.Fatal(err)
			}
			size, err := w.Close()
			if err != nil {
				b.Fatal(err)
			}
			return size
		}
		size := write(&out)
		l, err := sorted.Over(out.Bytes())
		if err != nil {
			b.Fatal(err)
		}
		each := func(name string, once func()) {
			b.Run(fmt.Sprintf("%s/%s", shape, name), func(b *testing.B) {
				for b.Loop() {
					once()
				}
				b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/n, "ns/code")
			})
		}
		each("write", func() {
			write(io.Discard)
		})
		b.Run(shape+"/bits", func(b *testing.B) { b.ReportMetric(float64(8*size)/n, "bits/code") })
		each("cursor", func() {
			sum := uint64(0)
			for c := l.Cursor(1 << 16); ; {
				codes, err := c.Next()
				if err != nil {
					b.Fatal(err)
				}
				if len(codes) == 0 {
					break
				}
				sum += codes[0]
			}
		})
		rng := rand.New(rand.NewPCG(13, 14))
		b.Run(shape+"/rank", func(b *testing.B) {
			for b.Loop() {
				i := rng.IntN(n) * words
				if _, ok, err := l.Rank(codes[i : i+words]); err != nil || !ok {
					b.Fatal(ok, err)
				}
			}
		})
		if words > 1 {
			continue
		}
		b.Run(shape+"/slice", func(b *testing.B) { // a binary search in memory, to compare
			for b.Loop() {
				if _, ok := slices.BinarySearch(codes, codes[rng.IntN(n)]); !ok {
					b.Fatal("not there")
				}
			}
		})
	}
}
