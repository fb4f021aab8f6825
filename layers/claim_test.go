package layers_test

import (
	"errors"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"pagoda/layers"
)

// One at a time has a name. The others hear that it is busy and nothing else, even while it is given back.
func TestClaim(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.lock")
	var owners, claims atomic.Int64
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 500 {
				release, err := layers.Claim(name)
				if errors.Is(err, layers.ErrBusy) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				if owners.Add(1) > 1 {
					t.Error("two have the name")
				}
				claims.Add(1)
				owners.Add(-1)
				release()
			}
		})
	}
	group.Wait()
	if claims.Load() == 0 {
		t.Error("nobody had the name")
	}
}
