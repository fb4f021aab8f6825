// Package failpoint lets tests make a run fail, and look at what is left. Inject makes operations
// on files fail. A program that was linked with
//
//	go build -ldflags "-X pagoda/internal/failpoint.kills=yes"
//
// can be killed at named points, the operations on files among them.
package failpoint

import (
	"os"
	"strconv"
	"sync"
	"sync/atomic"
)

// Killed is the exit code of a process that ends at a point.
const Killed = 137

var (
	kills string // is set when the program is linked
	mu    sync.Mutex
	hits  = make(map[string]int)
)

// Hit is a point at which the process may be killed: when the environment variable PAGODA_FAILPOINT is
// the name and how often it was hit, such as "renamed:1".
func Hit(name string) {
	if kills == "" {
		return
	}
	mu.Lock()
	defer mu.Unlock()
	hits[name]++
	if os.Getenv("PAGODA_FAILPOINT") == name+":"+strconv.Itoa(hits[name]) {
		os.Exit(Killed) // no deferred call runs, and nothing is flushed, as after kill -9
	}
}

var (
	injected atomic.Pointer[func(op, path string) error]
	checked  atomic.Pointer[func(path string)]
)

// Inject calls f before each file operation of this process until undo is called. An error of f is
// the result of the operation. Only tests use it. One goroutine or several may call f.
func Inject(f func(op, path string) error) (undo func()) {
	injected.Store(&f)
	return func() { injected.Store(nil) }
}

// Op is a file operation, such as "sync", which a test makes fail, or at which the process may be
// killed.
func Op(op, path string) error {
	Hit(op)
	if f := injected.Load(); f != nil {
		return (*f)(op, path)
	}
	return nil
}

// Change calls f each time this process has checked a part of a file, before it uses that part, until
// undo is called: a test can change the file then. One goroutine or several may call f.
func Change(f func(path string)) (undo func()) {
	checked.Store(&f)
	return func() { checked.Store(nil) }
}

// Checked is where a file may change under its reader: see Change.
func Checked(path string) {
	if f := checked.Load(); f != nil {
		(*f)(path)
	}
}
