package lunar

import (
	"testing"

	"pagoda/puzzle/lunar/board"
)

// small are groups on boards of all shapes, with several exits or none in the centre.
func small(t *testing.T) (all []*orbits) {
	t.Helper()
	for _, g := range []struct {
		board            string
		letters, numbers int
	}{{"5x5", 2, 2}, {"3x5", 2, 3}, {"cross", 1, 2}, {"octagon", 1, 2}, {"7x7", 1, 1}, {"3x3", 3, 0}, {"3x3", 2, 5}, {"1x5", 1, 2}} {
		b, ok := board.Named(g.board)
		if !ok {
			t.Fatal(g.board)
		}
		n, err := newNumbering(b, g.letters, g.numbers)
		if err != nil {
			t.Fatal(err)
		}
		o, err := newOrbits(t.Context(), n, 0)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, o)
	}
	return all
}

func TestNumbering(t *testing.T) {
	for _, o := range small(t) {
		seen := make(map[board.Position]bool)
		for x := range o.size() {
			p := o.position(x)
			if seen[p] || p.Letters&p.Numbers != 0 || p.Letters&o.b.Exits() != 0 || p.All()&^o.b.All() != 0 {
				t.Fatalf("number %d is %v", x, p)
			}
			seen[p] = true
			if y := o.number(p); y != x {
				t.Fatalf("number %d is %v, which has the number %d", x, p, y)
			}
		}
	}
}

// Each orbit has one state, whose images are its placements.
func TestOrbits(t *testing.T) {
	for _, o := range small(t) {
		found := uint64(0)
		for x := range o.orbitSize() {
			p, ok := o.representative(x)
			if !ok {
				continue
			}
			images := make(map[board.Position]bool)
			for _, turn := range o.turns {
				image := p.Turned(turn)
				images[image] = true
				y, by := o.orbitBy(image)
				if y != x || image.Turned(o.turns[by]) != p {
					t.Fatalf("number %d is %v, its image %v has the number %d by turn %d", x, p, image, y, by)
				}
			}
			if n := o.states(x); n != len(images) {
				t.Fatalf("number %d, %v, has %d images, expected %d", x, p, n, len(images))
			}
			found += uint64(len(images))
		}
		if found != o.size() {
			t.Errorf("the orbits have %d placements, expected %d", found, o.size())
		}
	}
}
