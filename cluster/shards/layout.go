package shards

import (
	"bytes"
	"fmt"
	"math/bits"
	"slices"
	"sort"

	"pagoda/sorted"
)

// A Layout divides codes into shards: ranges in the order of codes. Its fields are those of JSON.
type Layout struct {
	// Words is the number of 64-bit words of a code.
	Words int `json:"words"`
	// Size bounds codes of one word, the numbers of a space. A shard has 2^Bits of them.
	Size uint64 `json:"size,omitempty"`
	Bits int    `json:"bits,omitempty"`
	// Cuts are the first codes of the shards but the first one, for codes without a bound.
	Cuts [][]uint64 `json:"cuts,omitempty"`
}

// Numbers returns a layout of the numbers below size: at least half of the shards that are asked
// for and at most as many, or fewer if a shard would be smaller than a page.
func Numbers(size uint64, shards int) Layout {
	width := max(1, (size-1)/uint64(max(1, shards))+1)
	return Layout{Words: 1, Size: size, Bits: max(pageBits, bits.Len64(width-1))}
}

// Codes returns a layout of codes, given a sample of them, which it sorts.
func Codes(sample []uint64, words, shards int) Layout {
	l := Layout{Words: words}
	sample = sorted.Distinct(sample, words)
	n := len(sample) / words
	for i := 1; i < shards && n >= shards; i++ {
		l.Cuts = append(l.Cuts, slices.Clone(sample[n*i/shards*words:][:words]))
	}
	return l
}

// Shards returns the number of shards.
func (l *Layout) Shards() int {
	if l.Size > 0 {
		return int((l.Size-1)>>l.Bits) + 1
	}
	return len(l.Cuts) + 1
}

// Shard returns the shard of a code.
func (l *Layout) Shard(code []uint64) int {
	if l.Size > 0 {
		return int(code[0] >> l.Bits)
	}
	return sort.Search(len(l.Cuts), func(i int) bool { return sorted.Less(code, l.Cuts[i]) })
}

// Bounds returns the first number of a shard of numbers, and the one behind its last, at the end
// of a page.
func (l *Layout) Bounds(shard int) (first, end uint64) {
	first = uint64(shard) << l.Bits
	return first, min(first+1<<l.Bits, (l.Size+1<<pageBits-1)>>pageBits<<pageBits)
}

// Merge merges runs of a shard, without the states of other runs. It returns the run and how many
// states it has; nil if it has none.
func (l *Layout) Merge(shard int, runs, without [][]byte) (run []byte, n uint64, err error) {
	if l.Size > 0 {
		first, end := l.Bounds(shard)
		return mergeNumbers(first, end, runs, without)
	}
	return l.mergeCodes(runs, without)
}

// mergeCodes is Merge for codes of any length.
func (l *Layout) mergeCodes(runs, without [][]byte) (run []byte, n uint64, err error) {
	var sources []sorted.Source
	var others []*sorted.Cursor
	for i, data := range [][][]byte{runs, without} {
		for _, data := range data {
			list, err := l.list(data)
			if err != nil {
				return nil, 0, err
			}
			if c := list.Cursor(0); i == 0 {
				sources = append(sources, c.Next)
			} else {
				others = append(others, c)
			}
		}
	}
	m, err := sorted.NewMerger(l.Words, sources, nil)
	if err != nil {
		return nil, 0, err
	}
	var all []uint64
	for {
		code, _ := m.Peek()
		if code == nil {
			break
		}
		fresh := len(all) == 0 || sorted.Less(all[len(all)-l.Words:], code)
		for i := 0; fresh && i < len(others); i++ {
			has, err := others[i].Has(code)
			if err != nil {
				return nil, 0, err
			}
			fresh = !has
		}
		if fresh {
			all = append(all, code...)
		}
		if err := m.Pop(); err != nil {
			return nil, 0, err
		}
	}
	return l.Run(all), uint64(len(all) / l.Words), nil
}

// list reads a run of codes.
func (l *Layout) list(data []byte) (*sorted.List, error) {
	list, err := sorted.Over(data)
	if err == nil && list.Words() != l.Words {
		err = fmt.Errorf("%w: its codes should have %d words, and have %d", ErrDamaged, l.Words, list.Words())
	}
	return list, err
}

// Run returns the run of sorted distinct codes of one shard; nil if there are none.
func (l *Layout) Run(codes []uint64) []byte {
	if len(codes) == 0 {
		return nil
	}
	if l.Size > 0 {
		var e encoder
		e.numbers(codes)
		return e.data
	}
	var b bytes.Buffer
	w, err := sorted.NewWriter(&b, l.Words)
	if err == nil {
		err = w.Append(codes)
	}
	if err == nil {
		_, err = w.Close()
	}
	if err != nil {
		panic(err) // a buffer takes all, and the codes are sorted
	}
	return b.Bytes()
}

// EachCode calls visit with the codes of a run, in order.
func (l *Layout) EachCode(run []byte, visit func(code []uint64) error) error {
	if l.Size > 0 {
		return l.EachWord(run, func(first, word uint64) error {
			for ; word != 0; word &= word - 1 {
				if err := visit([]uint64{first + uint64(bits.TrailingZeros64(word))}); err != nil {
					return err
				}
			}
			return nil
		})
	}
	list, err := l.list(run)
	if err != nil {
		return err
	}
	for c := list.Cursor(0); ; {
		codes, err := c.Next()
		if err != nil || len(codes) == 0 {
			return err
		}
		for code := range slices.Chunk(codes, l.Words) {
			if err := visit(code); err != nil {
				return err
			}
		}
	}
}
