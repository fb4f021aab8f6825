package font_test

import (
	"math"
	"math/bits"
	"strings"
	"testing"

	"pagoda/puzzle/peg/font"
)

// A shape is the pegs of a pattern, in row-major order from the lowest bit.
type shape uint64

const holes = font.Width * font.Height

func shapeOf(pattern string) (s shape) {
	i := 0
	for _, ch := range pattern {
		if ch == '/' {
			continue
		}
		if ch == 'o' {
			s |= 1 << i
		}
		i++
	}
	return s
}

// has reports whether there is a peg in a hole. There is none off the board.
func (s shape) has(row, col int) bool {
	return 0 <= row && row < font.Height && 0 <= col && col < font.Width && s>>(row*font.Width+col)&1 == 1
}

// around returns, for each cell, the up to eight cells around it.
var around = func() (a [holes]shape) {
	for i := range holes {
		for j := range holes {
			dr, dc := j/font.Width-i/font.Width, j%font.Width-i%font.Width
			if i != j && dr*dr <= 1 && dc*dc <= 1 {
				a[i] |= 1 << j
			}
		}
	}
	return a
}()

// The costs of differences besides the cells that differ. The unit is a single cell that
// differs, away from the edges.
const (
	strokeCost   = 1.0 // each connected part more or less
	counterCost  = 1.0 // each enclosed space more or less
	loneCost     = 1.0 // each peg more that has no peg around it
	crookedCost  = 0.4 // each pair of cells that breaks the symmetry of left and right
	tipAllowance = 0.5 // less for each end of a stroke that is cut off: readers hardly miss it
)

// cost returns how much less legible a shape is than a wish.
func cost(s, wish shape) float64 {
	c := difference(s, wish) +
		strokeCost*float64(abs(strokes(s)-strokes(wish))) +
		counterCost*float64(abs(counters(s)-counters(wish))) +
		loneCost*float64(max(0, lone(s)-lone(wish))) -
		tipAllowance*float64(tips(s, wish))
	if crooked(wish) == 0 {
		c += crookedCost * float64(crooked(s))
	}
	return c
}

// difference returns how different two shapes look from a distance. Both are blurred: a peg
// beside its place is better than a missing peg and another one elsewhere, and two adjacent
// gaps are worse than two separate ones.
func difference(s, t shape) float64 {
	sum := 0
	for row := range font.Height {
		for col := range font.Width {
			v := 0
			for dr := -1; dr <= 1; dr++ {
				for dc := -1; dc <= 1; dc++ {
					weight := (3 - 2*dr*dr) * (3 - 2*dc*dc)
					if s.has(row+dr, col+dc) {
						v += weight
					}
					if t.has(row+dr, col+dc) {
						v -= weight
					}
				}
			}
			sum += v * v
		}
	}
	const one = (1 + 9 + 1) * (1 + 9 + 1) // the sum for a single cell
	return float64(sum) / one
}

// strokes counts the connected parts of a shape. Cells that touch at a corner are connected.
func strokes(s shape) (n int) {
	for ; s != 0; n++ {
		part := s & -s
		for grown := part; ; part = grown {
			for rest := part; rest != 0; rest &= rest - 1 {
				grown |= around[bits.TrailingZeros64(uint64(rest))] & s
			}
			if grown == part {
				break
			}
		}
		s &^= part
	}
	return n
}

// counters counts the spaces that a shape encloses.
func counters(s shape) (n int) {
	const height, width = font.Height + 2, font.Width + 2 // with a margin
	var seen [height][width]bool
	var fill func(row, col int) bool
	fill = func(row, col int) bool {
		if row < 0 || row >= height || col < 0 || col >= width || seen[row][col] || s.has(row-1, col-1) {
			return false
		}
		seen[row][col] = true
		fill(row-1, col)
		fill(row+1, col)
		fill(row, col-1)
		fill(row, col+1)
		return true
	}
	fill(0, 0) // the outside
	for row := range height {
		for col := range width {
			if fill(row, col) {
				n++
			}
		}
	}
	return n
}

// lone counts the pegs that have no peg around them.
func lone(s shape) (n int) {
	for i := range holes {
		if s>>i&1 == 1 && s&around[i] == 0 {
			n++
		}
	}
	return n
}

// crooked counts the pairs of cells that differ from their mirror image.
func crooked(s shape) (n int) {
	for row := range font.Height {
		for col := range font.Width / 2 {
			if s.has(row, col) != s.has(row, font.Width-1-col) {
				n++
			}
		}
	}
	return n
}

// tips counts the ends of strokes of the wish that are cut off, not bent.
func tips(s, wish shape) (n int) {
	for i := range holes {
		cut := wish>>i&1 == 1 && s>>i&1 == 0
		if cut && bits.OnesCount64(uint64(wish&around[i])) == 1 && s&around[i]&^wish == 0 {
			n++
		}
	}
	return n
}

func TestShape(t *testing.T) {
	const (
		full  = "ooooo/ooooo/ooooo/ooooo/ooooo/ooooo/ooooo"
		empty = "...../...../...../...../...../...../....."
		ring  = "ooooo/o...o/o...o/ooooo/o...o/o...o/ooooo"
		dots  = "o...o/...../..o../...../o...o/...../....."
		slash = "....o/...o./..o../.o.../o..../...../....."
	)
	for _, test := range []struct {
		pattern                          string
		strokes, counters, lone, crooked int
	}{
		{full, 1, 0, 0, 0}, {empty, 0, 0, 0, 0}, {ring, 1, 2, 0, 0}, {dots, 5, 0, 5, 0}, {slash, 1, 0, 0, 4},
		// A space is enclosed if only a corner leads out of it.
		{".oo../o..o./.ooo./...../...../...../.....", 1, 1, 0, 3},
	} {
		s := shapeOf(test.pattern)
		if bits.OnesCount64(uint64(s)) != strings.Count(test.pattern, "o") {
			t.Errorf("%s: %d pegs", test.pattern, bits.OnesCount64(uint64(s)))
		}
		if a, b, c, d := strokes(s), counters(s), lone(s), crooked(s); a != test.strokes || b != test.counters || c != test.lone || d != test.crooked {
			t.Errorf("%s: %d strokes, %d counters, %d lone, %d crooked, expected %v", test.pattern, a, b, c, d, test)
		}
		if cost(s, s) != 0 {
			t.Errorf("%s costs %v as itself", test.pattern, cost(s, s))
		}
	}
}

func TestCost(t *testing.T) {
	const stem = "...../..o../..o../..o../..o../..o../....."
	at := func(pattern string) float64 { return cost(shapeOf(pattern), shapeOf(stem)) }
	if c := at("...../..o../..o../..o../..o../...../....."); math.Abs(c-(1-tipAllowance)) > 1e-9 {
		t.Errorf("an end that is cut off costs %v", c)
	}
	// From the best to the worst.
	worse := []string{
		stem,
		"...../..o../..o../..o../..o../...../.....", // shorter
		"...../..o../..o../...o./..o../..o../.....", // a peg beside its place
		"...../..o../..o../...../..o../..o../.....", // broken
		"o..../..o../..o../...../..o../..o../.....", // broken, and a peg elsewhere
	}
	for i := 1; i < len(worse); i++ {
		if at(worse[i]) <= at(worse[i-1]) {
			t.Errorf("%s costs %.2f, %s only %.2f", worse[i-1], at(worse[i-1]), worse[i], at(worse[i]))
		}
	}
}

func abs(x int) int { return max(x, -x) }
