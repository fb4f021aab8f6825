package verify_test

import (
	"math/bits"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"pagoda/bitset"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/verify"
	"pagoda/statespace"
)

// Counts are right, and take little memory, on a board of stairs: it has far more columns than a worker keeps.
func TestCountStairs(t *testing.T) {
	var text strings.Builder
	text.WriteString(".oo")
	for step := range 7 {
		text.WriteString("\n" + strings.Repeat(" ", 2*step+2) + "o\n" + strings.Repeat(" ", 2*step+2) + "ooo")
	}
	b, start, err := board.ParseBoard(text.String())
	if err != nil {
		t.Fatal(err)
	}
	c, err := board.NewClass(b, start, b.FreeCells(b.ByLines(b.Full())))
	if err != nil {
		t.Fatal(err)
	}
	set, r := bitset.New(1<<c.Dim()), rand.New(rand.NewPCG(1, 2))
	var want board.PegCounts
	for range 5000 {
		x := r.Uint64N(set.Len())
		if !set.Has(x) {
			set.Add(x)
			want[bits.OnesCount64(c.Position(x))]++
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work := verify.Count(c, set)
	if err := statespace.Do(t.Context(), work, 2, nil); err != nil {
		t.Fatal(err)
	}
	if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 4<<20 {
		t.Errorf("it takes %d bytes to count %d numbers", after.TotalAlloc-before.TotalAlloc, set.Len())
	}
	for _, l := range work.Layers() {
		if l.States != want[l.Layer] {
			t.Errorf("%d positions with %d pegs, want %d", l.States, l.Layer, want[l.Layer])
		}
		want[l.Layer] = 0
	}
	if want != (board.PegCounts{}) {
		t.Errorf("positions that were not counted: %v", want)
	}
}
