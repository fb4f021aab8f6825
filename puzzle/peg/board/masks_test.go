package board

import (
	"math/bits"
	"math/rand/v2"
	"testing"
)

// boards are boards of all kinds.
func boards(t *testing.T) (all []*Board) {
	t.Helper()
	add := func(b *Board, err error) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b)
	}
	for _, side := range [][2]int{{4, 4}, {5, 5}, {5, 6}, {5, 7}, {6, 6}, {5, 8}, {6, 7}, {7, 7}, {8, 8}} {
		add(Rectangle(side[0], side[1]))
	}
	for rows := 4; rows <= 8; rows++ {
		add(OfShape(TriangleShape(rows)))
	}
	add(OfShape(CrossShape(7)))
	add(OfShape(CrossShape(9)))
	add(OfShape(OctagonShape(7, 4)))
	add(OfShape(OctagonShape(9, 4)))
	return all
}

// The masks of 64 numbers agree with the positions of these numbers.
func TestCellMasks(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, b := range boards(t) {
		c, err := NewClass(b, rng.Uint64()&b.Full(), b.FreeCells(b.ByLines(b.Full())))
		if err != nil {
			t.Fatal(err)
		}
		masks, counts := NewCellMasks(c), NewPegMasks(c)
		word := rng.Uint64N(1 << max(0, c.Dim()-6))
		first := c.Position(word << 6)
		for x := range min(64, 1<<c.Dim()) {
			p := c.Position(word<<6 | uint64(x))
			for cell := range b.Cells() {
				if masks.Pegs(cell, first)>>x&1 != p>>cell&1 {
					t.Fatalf("%s: cell %d of number %d", b.Text(p), cell, x)
				}
			}
			more := bits.OnesCount64(p) - counts.Common(first)
			sum := counts.More(first)
			for k := range 64 {
				if counts.Equal(&sum, k)>>x&1 == 1 != (k == more) {
					t.Fatalf("%s: number %d has %d pegs more than common, mask %d says otherwise", b.Text(p), x, more, k)
				}
			}
			for k := range b.Jumps() {
				j := b.Jump(k)
				can := p&j.Mask() == 1<<j.From|1<<j.Over
				if masks.CanJump(j, b.Full(), first)>>x&1 == 1 != can {
					t.Fatalf("CanJump of %v in %s", j, b.FormatPosition(p))
				}
				did := p&j.Mask() == 1<<j.To
				if masks.Jumped(j, b.Full(), first)>>x&1 == 1 != did {
					t.Fatalf("Jumped of %v in %s", j, b.FormatPosition(p))
				}
			}
		}
	}
}
