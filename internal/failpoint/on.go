//go:build failpoints

// Package failpoint is where tests make a run fail: see off.go.
package failpoint

import (
	"fmt"
	"os"
	"sync"
)

var (
	mu   sync.Mutex
	hits = make(map[string]int)
)

// Hit kills the process when the environment variable PAGODA_FAILPOINT is the name
// and how often it was hit, such as "renamed:1".
func Hit(name string) {
	mu.Lock()
	defer mu.Unlock()
	hits[name]++
	if os.Getenv("PAGODA_FAILPOINT") != fmt.Sprintf("%s:%d", name, hits[name]) {
		return
	}
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		self.Kill()
	}
	select {} // until it takes effect
}
