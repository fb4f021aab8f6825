package layers_test

import (
	"path/filepath"
	"slices"
	"testing"

	"pagoda/layers"
	"pagoda/statespace"
)

// The blocks of a folded file are told in the order in which they lie in it.
func TestFoldedOrder(t *testing.T) {
	sp := octagon(t)
	path := filepath.Join(t.TempDir(), "a.reach")
	writeStore(t, path, layers.FoldedStore, sp)
	f, err := layers.Open(path, define)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	set, ok := f.Folded()
	if !ok {
		t.Fatal("the file is not folded")
	}
	order, err := set.(statespace.OrderedSet).Order()
	if want := statespace.FoldingOf(sp.Space).Order; err != nil || !slices.Equal(order, want) {
		t.Errorf("the order is %v, want %v (%v)", order, want, err)
	}
	layered := sp.Space.(statespace.Layered)
	if faults, err := statespace.VerifyFolded(t.Context(), layered, set, 2, nil); err != nil || faults.Count > 0 {
		t.Errorf("the certificate finds %+v, %v", faults, err)
	}
}
