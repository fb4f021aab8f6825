package engine

import (
	"os"
	"slices"
	"strconv"
	"testing"

	"pagoda/internal/mapped"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/layout"
	"pagoda/statespace"
)

// Wiegleb's board has the same layers by another sweep: folded by the two reflections along its arms
// alone, with other weights, and with the blocks of 2^8 numbers or, of another closed set, of 2^6. It
// takes 15 or 16 GiB, and 40 minutes of a processor, so it runs only where PAGODA_SECOND says how many
// bits a block shall have.
func TestSecondCount(t *testing.T) {
	most, err := strconv.Atoi(os.Getenv("PAGODA_SECOND"))
	if err != nil {
		t.Skip("PAGODA_SECOND is not 6 or 8")
	}
	shape, err := board.CrossShape(9)
	if err != nil {
		t.Fatal(err)
	}
	b, err := board.Of(shape)
	if err != nil {
		t.Fatal(err)
	}
	start := b.Full() &^ (1 << 22)
	var reflections []board.Permutation // and the half turn
	for _, s := range b.Stabilizer(start) {
		if s[22] == 22 && (s[21] == 21 || s[21] == 23) {
			reflections = append(reflections, s)
		}
	}
	l := layout.NewWithin(b, reflections, 6, most)
	if l == nil || len(reflections) != 4 {
		t.Fatalf("there is no layout for %d symmetries", len(reflections))
	}
	c, err := board.NewClass(b, start, l.Free)
	if err != nil {
		t.Fatal(err)
	}
	folds := slices.DeleteFunc(c.Symmetries(start), func(s *board.Symmetry) bool {
		return !slices.ContainsFunc(reflections, func(r board.Permutation) bool { return slices.Equal(r, s.Cells) })
	})
	s := newSlabs(newBlocks(c, l.BlockBits, l.Block), l, start, folds)
	t.Logf("%d blocks of %d words, %d in memory at a time, in %d stages", s.total(), s.words, s.window(), s.stages())
	memory, err := mapped.Alloc(t.Context(), s.window()*uint64(s.words), 2)
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Free()
	p := newSlabPass(s, kernels()[0], start, memory.Words())
	if _, err := statespace.DoFrom(t.Context(), p, 0, func(done int) error {
		if done%10 == 0 {
			t.Logf("%d stages, %d blocks are done", done, p.begins[done])
		}
		return nil
	}, 2, nil); err != nil {
		t.Fatal(err)
	}
	var layers []uint64
	for _, l := range p.Layers() {
		layers = append(layers, l.States)
	}
	if !slices.Equal(layers, wieglebLayers) {
		t.Errorf("the layers are %d, expected %d", layers, wieglebLayers)
	}
}

// wieglebLayers are the positions by the number of pegs, from 44 on, as the sweep of all eight symmetries has
// counted them.
var wieglebLayers = []uint64{1, 4, 16, 80, 452, 2330, 11264, 51796, 225059, 918460, 3503560, 12443509, 41032181, 125310486, 353307886,
	916473557, 2179281406, 4731507062, 9338213336, 16672959701, 26792738620, 38560002910, 49503067902,
	56553184273, 57468252652, 52019603214, 42047227814, 30421142138, 19735620146, 11491658064, 6005583816,
	2813956550, 1179821599, 441272562, 146543774, 42911709, 10978066, 2429590, 459068, 71702, 9090, 910, 50, 5}
