package sparse

import (
	"context"
	"errors"
	"iter"
	"math"

	"pagoda/internal/mapped"
	"pagoda/sorted"
)

// A mix is the codes of sorted arrays and stores, each once, without those of other stores.
type mix struct {
	s       *Search
	arrays  [][]uint64
	stores  []*store
	without []*store
}

// anyNumber is no bound of the codes of a store.
const anyNumber = math.MaxUint64

// A batch is codes of a mix in order, and from which of its sources each is: arrays come first, then stores.
type batch struct {
	codes []uint64
	from  []uint32
}

// write makes a store of the mix. If there are several threads, each merges ranges of codes, unless there are very many
// stores. Visit, which may be nil, gets the sources of the codes in order.
func (m *mix) write(ctx context.Context, path string, most uint64, visit func(from []uint32)) (*store, error) {
	threads := m.s.o.Threads
	var cuts [][]uint64
	if threads > 1 && len(m.stores) <= m.s.share.fanIn {
		var err error
		if cuts, err = m.cuts(); err != nil {
			return nil, err
		}
	}
	var next func() (batch, error)
	if len(cuts) == 0 {
		f, err := m.filter(ctx, nil, nil)
		if err != nil {
			return nil, err
		}
		next = f.next
	} else {
		// Threads merge some ranges ahead.
		pull, stop := iter.Pull2(mapped.InOrder(ctx, threads, threads-1, mapped.Below(uint64(len(cuts)+1)), func(ctx context.Context, i uint64) (batch, error) {
			return m.merge(ctx, cuts, int(i))
		}))
		defer stop()
		next = func() (batch, error) {
			for {
				if some, err, more := pull(); len(some.codes) > 0 || err != nil || !more {
					return some, err
				}
			}
		}
	}
	return m.s.write(ctx, path, most, func() ([]uint64, error) {
		some, err := next()
		if visit != nil {
			visit(some.from)
		}
		return some.codes, err
	})
}

// filter returns the codes of the mix from first on and below end. Both may be nil.
func (m *mix) filter(ctx context.Context, first, end []uint64) (*filter, error) {
	var sources []sorted.Source
	for _, codes := range m.arrays {
		if first != nil {
			codes = codes[sorted.Search(codes, first):]
		}
		sources = append(sources, sorted.Array(codes))
	}
	for _, st := range m.stores {
		c := st.Cursor(ahead)
		if first != nil {
			if err := c.Seek(first); err != nil {
				return nil, err
			}
		}
		sources = append(sources, c.Next)
	}
	merger, err := sorted.NewMerger(m.s.graph.Words, sources, first)
	if err != nil {
		return nil, err
	}
	f := &filter{Merger: merger, ctx: ctx, words: m.s.graph.Words, end: end}
	for _, st := range m.without {
		f.without = append(f.without, st.Cursor(ahead))
	}
	return f, nil
}

// cuts returns codes that cut the mix into ranges for threads to merge.
func (m *mix) cuts() (cuts [][]uint64, err error) {
	// There are some samples for each range. From stores they are first codes of chunks, which
	// need no decoding.
	w := m.s.graph.Words
	stride := max(1, m.s.share.span/8/sorted.ChunkCodes) * sorted.ChunkCodes
	each := max(1, m.s.share.span/stride)
	var samples []uint64
	for _, codes := range m.arrays {
		for at := stride * w; at < len(codes); at += stride * w {
			samples = append(samples, codes[at:at+w]...)
		}
	}
	for _, st := range m.stores {
		for rank := uint64(stride); rank < st.States; rank += uint64(stride) {
			if samples, err = st.At(samples, rank); err != nil {
				return nil, err
			}
		}
	}
	samples = sorted.Distinct(samples, w)
	for at := each * w; at < len(samples); at += each * w {
		cuts = append(cuts, samples[at:at+w])
	}
	return cuts, nil
}

// merge returns the codes of a range.
func (m *mix) merge(ctx context.Context, cuts [][]uint64, i int) (all batch, err error) {
	var first, end []uint64
	if i > 0 {
		first = cuts[i-1]
	}
	if i < len(cuts) {
		end = cuts[i]
	}
	all = batch{make([]uint64, 0, m.s.share.span*m.s.graph.Words), make([]uint32, 0, m.s.share.span)}
	f, err := m.filter(ctx, first, end)
	for err == nil {
		var some batch
		if some, err = f.next(); len(some.codes) == 0 {
			break
		}
		all = batch{append(all.codes, some.codes...), append(all.from, some.from...)}
	}
	return all, err
}

// A filter passes on the codes of a merger: each once, those below end, and those that are
// not in some lists.
type filter struct {
	*sorted.Merger
	ctx     context.Context
	words   int
	end     []uint64 // or nil
	without []*sorted.Cursor
	out     batch
	last    [sorted.MaxWords]uint64
}

// next returns some codes that follow, and none in the end.
func (f *filter) next() (batch, error) {
	const some = 1024
	// The last code is kept in front, as it may come again.
	out := f.out.codes
	keep := copy(f.last[:f.words], out[max(0, len(out)-f.words):])
	out, from := append(out[:0], f.last[:keep]...), f.out.from[:0]
	for i := 0; len(out) < some*f.words; i++ {
		if i%some == 0 && f.ctx.Err() != nil {
			return batch{}, context.Cause(f.ctx)
		}
		code, source := f.Peek()
		if code == nil || f.end != nil && !sorted.Less(code, f.end) {
			break
		}
		n := len(out)
		fresh := n == 0 || sorted.Less(out[n-f.words:], code)
		for i := 0; fresh && i < len(f.without); i++ {
			has, err := f.without[i].Has(code)
			if err != nil {
				return batch{}, err
			}
			fresh = !has
		}
		if fresh {
			out, from = append(out, code...), append(from, uint32(source))
		}
		if err := f.Pop(); err != nil {
			return batch{}, err
		}
	}
	f.out = batch{out, from}
	return batch{out[keep:], from}, nil
}

// see keeps in s.seen what new levels are compared with if Back is negative: all levels, where
// neighbours of similar lengths are merged, so that the lists are few.
func (s *Search) see(ctx context.Context) error {
	for s.graph.Back < 0 && s.noted < len(s.levels) {
		s.seen = append(s.seen, s.levels[s.noted])
		s.noted++
		for n := len(s.seen) - 2; n >= 0 && s.seen[n].States < 2*s.seen[n+1].States; n-- {
			m := mix{s: s, stores: s.seen[n:]}
			both, err := m.write(ctx, s.runPath(), anyNumber, nil)
			if err != nil {
				return err
			}
			both.run = true
			err = s.unsee(n)
			if s.seen = append(s.seen, both); err != nil {
				return err
			}
		}
	}
	return nil
}

// unsee removes what is in s.seen from one on, but not levels.
func (s *Search) unsee(first int) (err error) {
	for _, st := range s.seen[first:] {
		if st.run {
			err = errors.Join(err, st.remove(&s.pool))
		}
	}
	s.seen = s.seen[:first]
	return err
}
