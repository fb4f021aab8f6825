package layers_test

import (
	"path/filepath"
	"slices"
	"testing"

	"pagoda/layers"
	"pagoda/statespace/sweep"
)

// Order lists the blocks as they lie in a folded file.
func TestFoldedOrder(t *testing.T) {
	sp := octagon(t)
	path := filepath.Join(t.TempDir(), "a.reach")
	writeStore(t, path, layers.FoldedStore, sp)
	f, err := layers.Open(t.Context(), path, define, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	set, ok := f.Folded()
	if !ok {
		t.Fatal("the file is not folded")
	}
	order, err := set.(sweep.OrderedSet).Order()
	if want := sweep.BlocksOf(sp.Space).Folding().Order; err != nil || !slices.Equal(order, want) {
		t.Errorf("the order is %v, want %v (%v)", order, want, err)
	}
	if faults, err := sweep.VerifyFolded(t.Context(), sp.Space, set, 2, nil); err != nil || faults.Count > 0 {
		t.Errorf("the certificate finds %+v, %v", faults, err)
	}
}
