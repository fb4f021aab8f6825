package best

import (
	"cmp"
	"context"
	"slices"
	"time"

	"pagoda/internal/mapped"
	"pagoda/puzzle/peg/board"
	"pagoda/studies/weighted"
)

// Options say how Search searches.
type Options struct {
	Time    time.Duration // it stops after that; 0 is no limit
	Work    uint64        // it stops when it has looked at about this many jumps; 0 is no limit
	Threads int           // at least 1
	Memory  uint64        // bytes that positions may take; 0 is no limit
	Seed    uint64
	// Better, if it is not nil, is called for each better game and each better bound.
	Better func(*Result)
}

// A Result is a game, and how good games can be.
type Result struct {
	Jumps []board.Jump
	Score int64
	Bound int64  // no game scores less
	Work  uint64 // jumps that were looked at
	Time  time.Duration
}

// Optimal reports whether no game scores less than the game.
func (r *Result) Optimal() bool { return r.Score == r.Bound }

// Search finds a game of a low score, and a bound. It ends when the game is proved to be the best one,
// or with the limits of the options, or when ctx ends; then the error is the cause, and the result
// is what was found so far. The same seed and the same work give the same game and bound, on any number
// of threads, unless Time or ctx ends the search. It is an error if the board is larger than MaxCells.
func Search(ctx context.Context, g *weighted.Game, o Options) (*Result, error) {
	f, err := newField(g)
	if err != nil {
		return nil, err
	}
	s := &search{ctx: ctx, f: f, o: o, begin: time.Now(), width: firstWidth}
	if o.Time > 0 {
		timed, cancel := context.WithTimeout(ctx, o.Time)
		defer cancel()
		s.ctx = timed
	}
	cover := newBounder(f, rootNodes*nodesOf(f.places()), func() bool { return s.ctx.Err() != nil })
	s.r = Result{Score: f.total, Bound: cover.bound(f.start, -1, f.total+1)}
	s.tell()
	s.run()
	s.r.Time = time.Since(s.begin)
	r := s.r
	return &r, context.Cause(ctx)
}

// A search is what Search does.
type search struct {
	ctx   context.Context
	f     *field
	o     Options
	begin time.Time
	r     Result

	walks          []*walk
	epoch          int
	levels         *levels // of the present search by levels, or nil
	width          int     // of it, or of the next
	walked, proofs uint64  // work of the walks and of the levels
}

// The plan of a search: walks and searches by levels take turns. On boards of up to provablePegs pegs, the
// levels have two thirds of the work.
const (
	walkers     = 8
	startWidth  = 100
	epochSteps  = 8  // of each walk, until they compare what they found
	roundEpochs = 64 // of a round: at its end, only better games are taken
	heat        = 0.5

	rootNodes = 4 // times as many nodes for the cover of the start

	firstWidth   = 128
	moreWidth    = 8 // times as many in each search by levels
	provablePegs = 64
)

// run searches until an end.
func (s *search) run() {
	for number := range uint64(walkers) {
		s.walks = append(s.walks, newWalk(s.f, s.o.Seed, number))
	}
	s.eachWalk(func(w *walk) {
		if !s.stop() {
			w.start(s.ctx, startWidth)
		}
	})
	for !s.r.Optimal() && !s.stop() {
		if s.wantsLevels() {
			s.advance()
		} else {
			s.walkOn()
		}
	}
}

// stop reports whether the search is over.
func (s *search) stop() bool {
	return s.ctx.Err() != nil || s.o.Work > 0 && s.r.Work >= s.o.Work
}

// wantsLevels reports whether the levels are the next to work.
func (s *search) wantsLevels() bool {
	if s.f.pegs > provablePegs || !s.fits(s.width) {
		return false
	}
	return s.proofs <= 2*s.walked
}

// fits reports whether levels of a width fit into the memory.
func (s *search) fits(width int) bool {
	return s.o.Memory == 0 || levelBytes(s.f, uint64(width)) <= s.o.Memory
}

// advance makes a level.
func (s *search) advance() {
	if s.levels == nil {
		s.levels = newLevels(s.f, s.width, s.o.Threads, s.o.Seed, s.r.Score)
	}
	l := s.levels
	before := l.work
	if l.advance(s.ctx) == nil {
		s.found(l.game, l.best)
	}
	s.proofs += l.work - before
	s.r.Work += l.work - before
	s.bounded(l.bound())
	if l.done() {
		s.levels = nil
		s.width *= moreWidth
	}
}

// walkOn makes an epoch of all walks. At the end of a round, all go back to their best games; the worse
// half goes on from those of the better half.
func (s *search) walkOn() {
	hot := heat * float64(s.f.mean) * (1 - float64(s.epoch%roundEpochs)/roundEpochs)
	s.eachWalk(func(w *walk) {
		for range epochSteps {
			if !s.stop() {
				w.step(s.ctx, hot)
			}
		}
	})
	if s.epoch++; s.epoch%roundEpochs == 0 {
		slices.SortStableFunc(s.walks, func(v, w *walk) int { return cmp.Compare(v.bestScore, w.bestScore) })
		for i, w := range s.walks {
			if i >= walkers/2 {
				w.best, w.bestScore = s.walks[i-walkers/2].best, s.walks[i-walkers/2].bestScore
			}
			w.now, w.score = w.best, w.bestScore
		}
	}
}

// eachWalk does something with all walks, and takes the best game.
func (s *search) eachWalk(do func(w *walk)) {
	mapped.Each(context.Background(), s.o.Threads, uint64(len(s.walks)), func(i uint64) error { // no error
		do(s.walks[i])
		return nil
	})
	for _, w := range s.walks {
		s.r.Work += w.work
		s.walked += w.work
		w.work = 0
		s.found(w.best, w.bestScore)
	}
}

func (s *search) found(game []uint32, score int64) {
	if score < s.r.Score {
		s.r.Score, s.r.Jumps = score, s.f.gameOf(game)
		s.tell()
	}
}

func (s *search) bounded(bound int64) {
	if bound = min(bound, s.r.Score); bound > s.r.Bound {
		s.r.Bound = bound
		s.tell()
	}
}

func (s *search) tell() {
	if s.o.Better != nil {
		r := s.r
		r.Time = time.Since(s.begin)
		s.o.Better(&r)
	}
}
