package engine

import (
	"slices"
	"testing"

	"pagoda/bitset"
	"pagoda/internal/long"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/layout"
	"pagoda/statespace"
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
	b, err := board.OfShape(board.TriangleShape(6))
	if err != nil {
		t.Fatal(err)
	}
	start := b.Full() &^ 1
	l := layout.NewWithin(b, b.Stabilizer(start), 19, 21)
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

// Boards of odd shapes have thousands of programs, and few blocks.
func TestManyPrograms(t *testing.T) {
	for i, text := range []string{
		"###ooo\n#\n##o#o\nooo#.\nooo#oo\no#o\noo.##o\n#o###o\noo#o\nooo#oo\n",
		"#ooo#####oo\n#.o##o####o\n#o#oo.o#o\n#oooo##ooo\no##o##oo#o\noo###o#o\n#####o###o\no#oooo###o\n",
	} {
		if i > 0 && !long.Tests {
			continue
		}
		b, start, err := board.ParseBoard(text)
		if err != nil {
			t.Fatal(err)
		}
		e, c := newEngine(t, b, start, layout.New(b, b.Stabilizer(start)))
		if bl := newBlocks(c, e.layout.BlockBits, e.layout.Block); len(bl.inside) <= 10 || bl.count() < 2 {
			t.Fatalf("%s has %d pivots in its blocks, and %d of these", text, len(bl.inside), bl.count())
		}
		swept, levels := bitset.New(1<<c.Dim()), bitset.New(1<<c.Dim())
		swept.Add(e.root)
		levels.Add(e.root)
		if err := statespace.Do(t.Context(), e.Enumeration([]uint64{e.root}, swept.Words()), 2, nil); err != nil {
			t.Fatal(err)
		}
		if err := statespace.Do(t.Context(), Levels(c, []uint64{e.root}, levels.Words()), 2, nil); err != nil {
			t.Fatal(err)
		}
		if n := levels.Count(); n < 40 || !slices.Equal(swept.Words(), levels.Words()) {
			t.Errorf("the sweep finds %d positions, the levels %d, and the sets differ", swept.Count(), n)
		}
	}
}
