package main

import (
	"math"
	"math/bits"
	"strings"
	"testing"

	"pagoda/puzzle/peg/font"
)

// The data equals a new choice.
func TestDesign(t *testing.T) {
	if testing.Short() {
		t.Skip("enumerates the board")
	}
	glyphs, err := design(t.Context(), font.Glyphs())
	if err != nil {
		t.Fatal(err)
	}
	for i, g := range font.Glyphs() {
		if g != glyphs[i] {
			t.Errorf("glyphs.txt has %+v, the choice is %+v: go generate ./puzzle/peg/font rewrites the file", g, glyphs[i])
		}
	}
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
