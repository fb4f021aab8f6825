package engine

import (
	"math/bits"
	"sync/atomic"

	"pagoda/internal/gf2"
	"pagoda/puzzle/peg/board"
	"pagoda/statespace"
)

// levels enumerates a class by falling number of pegs. It goes through the whole set for
// each number p of pegs: every block takes in what jumps into it, and keeps of that the
// positions with p pegs.
type levels struct {
	*blocks
	set   []uint64
	most  int // pegs of a root
	pulls []blockPull
	pegs  *board.PegMasks
}

// Levels returns the work of filling a set, in which just the roots are members, with all
// that can be reached from them. It needs no layout, but much more time than an Engine.
func Levels(c *board.Class, roots []uint64, set []uint64) statespace.Work {
	blockBits := min(c.Dim(), 16) // 8 KiB: it stays in a first-level cache
	var inside uint64
	for bit := range blockBits {
		inside |= c.Flips(bit)
	}
	l := &levels{blocks: newBlocks(c, blockBits, inside), set: set, pegs: board.NewPegMasks(c)}
	for _, x := range roots {
		l.most = max(l.most, bits.OnesCount64(c.Position(x)))
	}
	for k := range c.Board().Jumps() {
		l.pulls = append(l.pulls, l.newPull(c.Board().Jump(k), false))
	}
	return l
}

// Stages implements statespace.Work: a stage is a number of pegs.
func (l *levels) Stages() int { return max(0, l.most-1) }

// Tasks implements statespace.Work: a task is a block.
func (l *levels) Tasks(int) int { return len(l.set) / l.words }

// NewWorker implements statespace.Work.
func (l *levels) NewWorker() statespace.Worker {
	return &levelsWorker{levels: l, found: make([]uint64, l.words)}
}

type levelsWorker struct {
	*levels
	found []uint64
}

// Do implements statespace.Worker. Other workers read the words that one writes,
// but they look for positions with p+1 pegs, and only those with p change.
func (l *levelsWorker) Do(stage, task int) {
	p := l.most - 1 - stage
	outside := l.outside(uint64(task))
	if least := bits.OnesCount64(outside &^ l.cells); p < least || p > least+bits.OnesCount64(l.cells) {
		return
	}
	clear(l.found)
	for i := range l.pulls {
		if q := &l.pulls[i]; outside&q.cells == q.want {
			from := l.of(l.set, uint64(task)^q.flip)
			for _, pull := range q.byWords[gf2.Extract(q.pivots, outside)] {
				pull.pullAtomic(l.found, from)
			}
		}
	}
	words := l.of(l.set, uint64(task))
	for w, found := range l.found {
		first := outside ^ l.firsts[w]
		common := l.pegs.Common(first)
		if found == 0 || p < common || p > common+l.pegs.MaxMore() {
			continue
		}
		more := l.pegs.More(first)
		old := words[w]
		if all := old | found&l.pegs.Equal(&more, p-common); all != old {
			atomic.StoreUint64(&words[w], all)
		}
	}
}

// pullAtomic is pull from words that others may be writing to.
func (p *wordPull) pullAtomic(to, from []uint64) {
	from = from[:len(to)]
	if p.words == nil {
		for i := range to {
			to[i] |= bits.RotateLeft64(atomic.LoadUint64(&from[i])&p.mask, p.turn)
		}
		return
	}
	span := uint16(1)
	if p.quads {
		span = 4
	}
	for _, w := range p.words {
		for i := w; i < w+span; i++ {
			to[i] |= bits.RotateLeft64(atomic.LoadUint64(&from[i^p.flip])&p.mask, p.turn)
		}
	}
}
