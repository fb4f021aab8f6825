package shards

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"

	"pagoda/bitset"
)

// ErrDamaged says that the bytes of a run are not as they were written. It comes wrapped.
var ErrDamaged = errors.New("damaged run")

const (
	pageBits  = 12
	pageWords = 1 << pageBits / 64
	pageBytes = 1 << pageBits / 8
	// denseMost is the most members of a page that are written one by one.
	denseMost = pageBytes
)

// An encoder writes a run of numbers, page by page.
type encoder struct {
	data []byte
	next uint64 // numbers from here on can follow
	n    uint64 // how many were written
}

// page adds the members of a page, which lies behind all others.
func (e *encoder) page(page uint64, words *[pageWords]uint64) {
	count := bitset.Count(words[:])
	e.n += count
	if count > denseMost {
		skipped := page - (e.next+1<<pageBits-1)>>pageBits
		e.data = binary.AppendUvarint(append(e.data, 0), skipped)
		for _, w := range words {
			e.data = binary.LittleEndian.AppendUint64(e.data, w)
		}
		e.next = (page + 1) << pageBits
		return
	}
	for i, w := range words {
		for ; w != 0; w &= w - 1 {
			x := page<<pageBits + uint64(i<<6+bits.TrailingZeros64(w))
			e.data = binary.AppendUvarint(e.data, x-e.next+1)
			e.next = x + 1
		}
	}
}

// words adds the members of some words, whole pages of them; first is the number of the first bit.
func (e *encoder) words(first uint64, words []uint64) {
	for i := 0; i < len(words); i += pageWords {
		page := (*[pageWords]uint64)(words[i:])
		if *page != [pageWords]uint64{} {
			e.page((first+uint64(i)<<6)>>pageBits, page)
		}
	}
}

// numbers adds sorted distinct numbers, which lie behind all others.
func (e *encoder) numbers(numbers []uint64) {
	for len(numbers) > 0 {
		page, n := numbers[0]>>pageBits, 1
		for n < len(numbers) && numbers[n]>>pageBits == page {
			n++
		}
		if n > denseMost {
			var words [pageWords]uint64
			for _, x := range numbers[:n] {
				words[x>>6%pageWords] |= 1 << (x & 63)
			}
			e.page(page, &words)
		} else {
			for _, x := range numbers[:n] {
				e.data = binary.AppendUvarint(e.data, x-e.next+1)
				e.next = x + 1
			}
			e.n += uint64(n)
		}
		numbers = numbers[n:]
	}
}

// A decoder reads a run of numbers. It stands at a number, at a page, or at the end.
type decoder struct {
	data []byte
	x    uint64 // the number, or the first one of the page; none at the end
	page []byte // of the page, or nil
	next uint64 // as in encoder, behind the number or the page
}

// none is no number: it is behind all others.
const none = math.MaxUint64

// step goes to the next number or page.
func (d *decoder) step() error {
	d.page = nil
	if len(d.data) == 0 {
		d.x = none
		return nil
	}
	if b := d.data[0]; b != 0 && b < 0x80 {
		d.data = d.data[1:]
		return d.at(d.next+uint64(b)-1, 1)
	}
	gap, n := binary.Uvarint(d.data)
	if n <= 0 {
		return fmt.Errorf("%w: a number is cut short", ErrDamaged)
	}
	d.data = d.data[n:]
	if gap != 0 {
		return d.at(d.next+gap-1, 1)
	}
	skipped, n := binary.Uvarint(d.data)
	if n <= 0 || len(d.data)-n < pageBytes {
		return fmt.Errorf("%w: a page should have %d bytes, and is cut short", ErrDamaged, pageBytes)
	}
	d.page, d.data = d.data[n:][:pageBytes], d.data[n+pageBytes:]
	page := (d.next+1<<pageBits-1)>>pageBits + skipped
	if skipped >= 1<<(64-pageBits) || page >= 1<<(64-pageBits) {
		return fmt.Errorf("%w: it has numbers beyond 2^63", ErrDamaged)
	}
	return d.at(page<<pageBits, 1<<pageBits)
}

// at sets what the decoder stands at: n numbers from x on.
func (d *decoder) at(x, n uint64) error {
	if x < d.next || x >= 1<<63 {
		return fmt.Errorf("%w: it has numbers beyond 2^63", ErrDamaged)
	}
	d.x, d.next = x, x+n
	return nil
}

// into adds the numbers below end to words, or takes them away. The first bit of words is the
// number first; no number that is left lies before it. First and end are at the ends of pages.
func (d *decoder) into(words []uint64, first, end uint64, remove bool) error {
	for d.x < end {
		if d.x < first {
			return fmt.Errorf("%w: it has the number %d, which lies before %d", ErrDamaged, d.x, first)
		}
		at := words[(d.x-first)>>6:]
		switch {
		case d.page != nil && remove:
			for i := range pageWords {
				at[i] &^= binary.LittleEndian.Uint64(d.page[8*i:])
			}
		case d.page != nil:
			for i := range pageWords {
				at[i] |= binary.LittleEndian.Uint64(d.page[8*i:])
			}
		case remove:
			at[0] &^= 1 << (d.x & 63)
		default:
			at[0] |= 1 << (d.x & 63)
		}
		if err := d.step(); err != nil {
			return err
		}
	}
	return nil
}

// EachWord calls visit with the members of a run of numbers, word by word: bit i of word is
// number first+i. First is a multiple of 64, and rises.
func (l *Layout) EachWord(run []byte, visit func(first, word uint64) error) error {
	d := decoder{data: run}
	if err := d.step(); err != nil {
		return err
	}
	for d.x != none {
		if d.page != nil {
			for i := range pageWords {
				if w := binary.LittleEndian.Uint64(d.page[8*i:]); w != 0 {
					if err := visit(d.x+uint64(i)<<6, w); err != nil {
						return err
					}
				}
			}
			if err := d.step(); err != nil {
				return err
			}
			continue
		}
		first, word := d.x&^63, uint64(0)
		for d.page == nil && d.x&^63 == first {
			word |= 1 << (d.x & 63)
			if err := d.step(); err != nil {
				return err
			}
		}
		if err := visit(first, word); err != nil {
			return err
		}
	}
	return nil
}

// windowWords is how many words a merge has in hand at a time: they stay in the cache.
const windowWords = 1 << 15

// mergeNumbers merges runs of numbers from first to end-1, without those of other runs. First
// and end are at the ends of pages.
func mergeNumbers(first, end uint64, runs, without [][]byte) (run []byte, n uint64, err error) {
	var in, out []*decoder
	for i, data := range [][][]byte{runs, without} {
		for _, data := range data {
			d := &decoder{data: data}
			if err := d.step(); err != nil {
				return nil, 0, err
			}
			if i == 0 {
				in = append(in, d)
			} else {
				out = append(out, d)
			}
		}
	}
	var e encoder
	window := make([]uint64, min(windowWords, (end-first)>>6))
	size := uint64(len(window)) << 6
	for at := first; ; at += size {
		least := uint64(none)
		for _, d := range in {
			least = min(least, d.x)
		}
		if least == none {
			return e.data, e.n, nil
		}
		if least < at || least >= end {
			return nil, 0, fmt.Errorf("%w: it has the number %d, and its shard has %d to %d", ErrDamaged, least, first, end-1)
		}
		at += (least - at) / size * size
		here := window[:min(size, end-at)>>6]
		clear(here)
		for _, d := range in {
			if err := d.into(here, at, at+uint64(len(here))<<6, false); err != nil {
				return nil, 0, err
			}
		}
		for _, d := range out {
			for d.x < at { // in windows that have been skipped
				if err := d.step(); err != nil {
					return nil, 0, err
				}
			}
			if err := d.into(here, at, at+uint64(len(here))<<6, true); err != nil {
				return nil, 0, err
			}
		}
		e.words(at, here)
	}
}
