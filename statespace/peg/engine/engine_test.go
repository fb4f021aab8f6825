package engine

import (
	"slices"
	"testing"

	"pagoda/bitset"
	"pagoda/statespace"
	"pagoda/statespace/peg/board"
	"pagoda/statespace/peg/layout"
)

// newEngine returns the engine of a start, by a layout, and its class.
func newEngine(t testing.TB, b *board.Board, start board.Position, l *layout.Layout) (*Engine, *board.Class) {
	t.Helper()
	if l == nil {
		t.Fatal("the board has no layout")
	}
	c, err := board.NewClass(b, start, l.Free)
	if err != nil {
		t.Fatal(err)
	}
	e := New(c, l, start, func() []*board.Symmetry { return c.Symmetries(start) })
	if e == nil {
		t.Fatal("the layout has too many blocks")
	}
	return e, c
}

// A sweep with large blocks finds what the levels find. The block of the triangle of 21
// is the whole board.
func TestLargeBlock(t *testing.T) {
	b, err := board.Triangle(6)
	if err != nil {
		t.Fatal(err)
	}
	start := b.Full() &^ 1
	l := layout.NewLarge(b, b.Stabilizer(start))
	if l == nil || l.BlockBits <= 18 {
		t.Fatalf("the layout is %v, not one with a large block", l)
	}
	e, c := newEngine(t, b, start, l)
	var found [2]*bitset.Set
	for i := range found {
		found[i] = bitset.New(1 << c.Dim())
		found[i].Add(e.root)
		work := Levels(c, []uint64{e.root}, found[i].Words())
		if i == 0 {
			work = e.Enumeration([]uint64{e.root}, found[i].Words())
		}
		if err := statespace.Do(t.Context(), work, 2, nil); err != nil {
			t.Fatal(err)
		}
	}
	if n := found[1].Count(); n < 2 || !slices.Equal(found[0].Words(), found[1].Words()) {
		t.Errorf("the sweep finds %d positions, the levels %d, and the sets differ", found[0].Count(), n)
	}
}

// BenchmarkCompile times what a sweep of the 5x7 board does before it begins.
func BenchmarkCompile(b *testing.B) {
	rectangle, err := board.Rectangle(5, 7)
	if err != nil {
		b.Fatal(err)
	}
	start := rectangle.Full() &^ (1 << 17)
	for b.Loop() {
		e, _ := newEngine(b, rectangle, start, layout.New(rectangle, rectangle.Symmetries()))
		e.Enumeration(nil, nil)
	}
}
