package cluster

import (
	"context"
	"sync"

	"pagoda/internal/mapped"
)

// A setting is what every DoFn needs to know: the plan as JSON, where the objects are, and how
// many threads and bytes a worker process takes.
type setting struct {
	Plan    []byte
	Place   string
	Threads int
	Memory  uint64
}

// A bundle does the tasks of a bundle of Beam on some threads. The goroutine of Beam starts
// them and hands on what they make, as only that goroutine may.
type bundle[T any] struct {
	*worker
	free  chan T
	group sync.WaitGroup
	flush func() // hands on what the threads have kept until the end
	end   func() // gives the threads back

	mu  sync.Mutex
	out [][]byte // elements that are not handed on yet
	log [][]byte // records
	err error
}

// newBundle returns a bundle for some threads, with what is done at its end.
func newBundle[T any](w *worker, threads []T, flush, end func()) *bundle[T] {
	b := &bundle[T]{worker: w, free: make(chan T, len(threads)), flush: flush, end: end}
	for _, t := range threads {
		b.free <- t
	}
	return b
}

// A crewBundle is a bundle for the threads of a crew.
type crewBundle struct {
	*bundle[*thread]
	crew *crew
}

// begin begins a bundle for a crew.
func begin(ctx context.Context, s setting, fold bool) (*crewBundle, error) {
	w, err := s.worker(ctx)
	if err != nil {
		return nil, err
	}
	c := w.crew(fold)
	c.Reset() // after a bundle that failed
	return &crewBundle{newBundle(w, c.threads, func() { c.Flush(s.Threads) }, func() { w.giveBack(c) }), c}, nil
}

// start does a task when a thread is free.
func (b *bundle[T]) start(do func(t T) error) {
	t := <-b.free
	b.group.Go(func() {
		defer func() { b.free <- t }()
		if err := mapped.Guard(func() error { return do(t) }); err != nil {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.err = err
		}
	})
}

// wait waits for all tasks, and returns the error of one of them.
func (b *bundle[T]) wait() error {
	b.group.Wait()
	return b.err
}

// finish waits for all tasks, hands on what is left, and ends the bundle.
func (b *bundle[T]) finish(out, log func([]byte)) error {
	defer b.end()
	if err := b.wait(); err != nil {
		return err
	}
	b.flush()
	return b.emit(out, log)
}

// send adds an element, record a record. Tasks call them.
func (b *bundle[T]) send(e []byte)   { b.add(&b.out, e) }
func (b *bundle[T]) record(e []byte) { b.add(&b.log, e) }

func (b *bundle[T]) add(to *[][]byte, e []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	*to = append(*to, e)
}

// emit hands on elements and records.
func (b *bundle[T]) emit(out, log func([]byte)) error {
	b.mu.Lock()
	elements, records, err := b.out, b.log, b.err
	b.out, b.log = nil, nil
	b.mu.Unlock()
	if err != nil {
		return err
	}
	for _, e := range elements {
		out(e)
	}
	for _, e := range records {
		log(e)
	}
	return nil
}

// all reads the elements of a key.
func all(values func(*[]byte) bool) (all [][]byte) {
	for v := []byte(nil); values(&v); {
		all = append(all, v)
	}
	return all
}
