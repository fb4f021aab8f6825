package sparse

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"sync/atomic"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/sorted"
	"pagoda/statespace"
)

// A Proof proves that a list has exactly the codes of what can be reached, and their distances. It makes all moves, in
// the order of the list and many at a time, and looks the codes up in their own order:
//
//   - The roots, and no other codes, have distance 0.
//   - Every move leads to a code of the list that is at most one farther.
//   - To every other code, a move leads from one that is one nearer.
type Proof struct {
	Graph statespace.CodeGraph
	List  *sorted.List
	Roots []uint64 // ranks
	// Entry returns the distance of a rank plus 1. It is nil in a space with layers, where distances do not matter: its
	// moves make no cycle.
	Entry func(x uint64) (uint16, error)
	// Last is the distance at which moves end, and the greatest one; or -1.
	Last int

	reached []uint64 // a bit for each rank to which a move leads from a nearer one
	heads   []uint64 // the first code of each chunk
	last    uint64   // the last code, if codes have one word
	bits    int      // of an entry, in the word of a move; -1 if it has a word of its own
	fault   atomic.Pointer[Fault]
}

// A Fault is what is wrong with a rank.
type Fault struct {
	State   uint64
	What    string
	NoState bool // its code is that of no state
}

// entryBits is the bits of an entry beside a code.
const entryBits = 16

// most returns how many moves a thread makes before it looks up where they lead.
func most(states uint64) int { return int(min(max(states/16, 1<<13), 1<<20)) }

// ProofBytes returns about how many bytes the proof of a list takes.
func ProofBytes(states uint64, words, threads int) uint64 {
	return states/8 + states/sorted.ChunkCodes*8*uint64(words) + uint64(threads)*uint64(most(states)+1<<12)*8*uint64(words+1)
}

// A proofWorker makes moves on one thread.
type proofWorker struct {
	*Proof
	expander            statespace.CodeExpander
	codes, moves, found []uint64
	to, room            []uint64 // codes to which moves lead, each with the entry of the state from which
}

// Run returns what is wrong, or nil. Progress counts codes; it may be nil. When ctx ends, Run stops soon and returns
// the cause.
func (p *Proof) Run(ctx context.Context, threads int, progress *statespace.Progress) (*Fault, error) {
	n, w := p.List.Len(), p.Graph.Words
	progress.Start(int64(n))
	p.reached = make([]uint64, bitset.Words(n))
	slices.Sort(p.Roots)
	var err error
	for i := range p.List.Chunks() {
		if p.heads, err = p.List.At(p.heads, i*sorted.ChunkCodes); err != nil {
			return nil, err
		}
	}
	if p.bits = -1; w == 1 && n > 0 {
		last, err := p.List.At(nil, n-1)
		if err != nil {
			return nil, err
		}
		if p.last = last[0]; p.Entry == nil {
			p.bits = 0
		} else if bits.Len64(p.last)+entryBits <= 64 {
			p.bits = entryBits
		}
	}
	newExpander := p.Graph.NewExpander
	if p.Graph.NewProver != nil {
		newExpander = p.Graph.NewProver
	}
	full := most(n) // words of moves
	if p.bits < 0 {
		full *= w + 1
	}
	workers := make([]*proofWorker, max(1, threads))
	for i := range workers {
		workers[i] = &proofWorker{Proof: p, expander: newExpander()}
	}
	if err := mapped.EachWith(ctx, workers, p.List.Chunks(), func(worker *proofWorker, i uint64) error {
		if p.fault.Load() != nil {
			return nil
		}
		defer progress.Add(sorted.ChunkCodes)
		if err := worker.expand(i); err != nil || len(worker.to) < full {
			return err
		}
		return worker.lookUp(ctx)
	}); err != nil {
		return nil, err
	}
	if err := mapped.Each(ctx, threads, uint64(len(workers)), func(i uint64) error { return workers[i].lookUp(ctx) }); err != nil {
		return nil, err
	}
	for _, x := range p.Roots {
		p.reached[x/64] |= 1 << (x % 64)
	}
	for i, word := range p.reached {
		if x := uint64(i)*64 + uint64(bits.TrailingZeros64(^word)); word != ^uint64(0) && x < n {
			p.wrong(Fault{State: x, What: "is one to which no move from a nearer state leads"})
		}
	}
	return p.fault.Load(), nil
}

// wrong notes a fault unless there is one.
func (p *Proof) wrong(f Fault) { p.fault.CompareAndSwap(nil, &f) }

// expand makes the moves of a chunk.
func (w *proofWorker) expand(chunk uint64) (err error) {
	words := w.Graph.Words
	if w.codes, err = w.List.Chunk(w.codes[:0], chunk); err != nil {
		return err
	}
	for at := 0; at < len(w.codes); at += words {
		code, x, entry := w.codes[at:][:words], chunk*sorted.ChunkCodes+uint64(at/words), uint16(0)
		if w.Graph.Valid != nil && !w.Graph.Valid(code) {
			w.wrong(Fault{State: x, What: fmt.Sprintf("has the code %x, which should be that of a state", code), NoState: true})
			return nil
		}
		if w.Entry != nil {
			if entry, err = w.Entry(x); err != nil {
				return err
			}
			if _, root := slices.BinarySearch(w.Roots, x); root != (entry == 1) || entry == 0 || w.Last >= 0 && int(entry)-1 > w.Last {
				w.wrong(Fault{State: x, What: "has a wrong distance"})
				return nil
			}
			if int(entry)-1 == w.Last {
				continue
			}
		}
		w.moves = w.expander.Expand(w.moves[:0], code)
		for moves := w.moves; len(moves) > 0; moves = moves[words:] {
			if w.bits < 0 {
				w.to = append(append(w.to, moves[:words]...), uint64(entry))
			} else if moves[0] <= w.last {
				w.to = append(w.to, moves[0]<<w.bits|uint64(entry))
			} else {
				return w.lacks(moves[:1])
			}
		}
	}
	return nil
}

// lacks finds a rank from which a move leads to a code that the list lacks.
func (w *proofWorker) lacks(code []uint64) (err error) {
	for x := range w.List.Len() {
		if w.codes, err = w.List.At(w.codes[:0], x); err != nil {
			return err
		}
		for moves := w.expander.Expand(nil, w.codes); len(moves) > 0; moves = moves[len(code):] {
			if slices.Equal(moves[:len(code)], code) {
				w.wrong(Fault{State: x, What: "has a move that leads to a state that is not in it"})
				return nil
			}
		}
	}
	return nil
}

// lookUp looks up where the moves lead. Of those that lead to a code, one from a nearest state is enough.
func (w *proofWorker) lookUp(ctx context.Context) (err error) {
	words, to, each := w.Graph.Words, w.to, 1
	w.to = w.to[:0]
	if w.bits >= 0 {
		w.room = slices.Grow(w.room[:0], len(to))
		to = sorted.DistinctWith(to, w.room[:len(to)])
	} else {
		each = words + 1
		sorted.Sort(to, each)
	}
	code, one := make([]uint64, 0, words), make([]uint64, 1)
	chunk, at, end := uint64(0), 0, 0 // the codes found[at:end] of a chunk are left
	for i := 0; len(to) > 0; i, to = i+1, to[each:] {
		if i%(1<<16) == 0 && (ctx.Err() != nil || w.fault.Load() != nil) {
			return context.Cause(ctx)
		}
		next, before := to[:words], to[each-1]
		if w.bits >= 0 {
			one[0], before = before>>w.bits, before&(1<<w.bits-1)
			next = one
		}
		if i > 0 && slices.Equal(next, code) {
			continue
		}
		code = append(code[:0], next...)
		if next := (chunk + 1) * uint64(words); end == 0 || next < uint64(len(w.heads)) && !sorted.Less(code, w.heads[next:][:words]) {
			if end > 0 {
				chunk++
			}
			// The last chunk that does not begin behind the code.
			rest := w.heads[chunk*uint64(words):]
			ahead := sorted.Search(rest, code)
			if ahead == len(rest) || sorted.Less(code, rest[ahead:][:words]) {
				ahead -= words
			}
			if ahead > 0 {
				chunk += uint64(ahead / words)
			}
			if w.found, err = w.List.Chunk(w.found[:0], chunk); err != nil {
				return err
			}
			at, end = 0, len(w.found)
		}
		step := words // the code is often near
		for ; at+step < end && sorted.Less(w.found[at+step:][:words], code); step *= 2 {
			at += step
		}
		at += sorted.Search(w.found[at:min(at+step+words, end)], code)
		if at == end || sorted.Less(code, w.found[at:][:words]) {
			return w.lacks(code)
		}
		y := chunk*sorted.ChunkCodes + uint64(at/words)
		if w.Entry != nil {
			after, err := w.Entry(y)
			if err != nil {
				return err
			}
			if uint64(after) > before+1 {
				w.wrong(Fault{State: y, What: "has a distance that is too great"})
				return nil
			}
			if uint64(after) != before+1 {
				continue
			}
		}
		if word, bit := &w.reached[y/64], uint64(1)<<(y%64); atomic.LoadUint64(word)&bit == 0 {
			atomic.OrUint64(word, bit)
		}
	}
	return nil
}
