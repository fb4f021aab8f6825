package design

import (
	"iter"
	"sync"

	"pagoda/studies/hardest"
)

// A found is a puzzle that the exact search has found, with its length.
type found struct {
	length int
	start  hardest.Start
}

// A latest carries puzzles from the search to where they are solved. The search does not wait: a
// puzzle that has not been taken when the next one comes is lost.
type latest struct {
	mu    sync.Mutex
	ready sync.Cond
	found *found
	ended bool
}

func newLatest() *latest {
	l := new(latest)
	l.ready.L = &l.mu
	return l
}

// put leaves a puzzle.
func (l *latest) put(f found) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.found = &f
	l.ready.Signal()
}

// close says that no more come.
func (l *latest) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
	l.ready.Signal()
}

// all yields puzzles until close was called and the last one was taken.
func (l *latest) all() iter.Seq[found] {
	return func(yield func(found) bool) {
		for {
			f := l.take()
			if f == nil || !yield(*f) {
				return
			}
		}
	}
}

// take waits for a puzzle. It returns nil if no more come.
func (l *latest) take() *found {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.found == nil && !l.ended {
		l.ready.Wait()
	}
	f := l.found
	l.found = nil
	return f
}
