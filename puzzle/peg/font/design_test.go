package font_test

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"math/bits"
	"os"
	"runtime"
	"slices"
	"testing"

	"pagoda/bitset"
	"pagoda/internal/long"
	"pagoda/puzzle/peg"
	"pagoda/puzzle/peg/font"
	"pagoda/statespace"
	"pagoda/statespace/cells"
	"pagoda/statespace/patterns"
	"pagoda/statespace/sweep"
)

var update = flag.Bool("update", false, "write the patterns that are chosen to glyphs.txt")

// The data equals a new choice: among the reachable patterns within a few cells of each wish, the most legible one by the
// measure of legible_test.go that is unlike those chosen before.
func TestDesign(t *testing.T) {
	if !long.Tests {
		t.Skip("enumerates the board")
	}
	glyphs, err := design(t.Context(), font.Glyphs())
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("glyphs.txt", []byte(font.Format(glyphs)), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	for i, g := range font.Glyphs() {
		if g != glyphs[i] {
			t.Errorf("glyphs.txt has %+v, the choice is %+v: go generate ./font rewrites the file", g, glyphs[i])
		}
	}
}

const (
	// within is the largest distance of a pattern from its wish, in cells.
	within = 4
	// apart is the smallest number of cells in which any two glyphs differ.
	apart = 3
)

// design chooses new patterns for glyphs by their wishes.
func design(ctx context.Context, glyphs []font.Glyph) ([]font.Glyph, error) {
	sp, err := peg.Lookup(font.Space)
	if err != nil {
		return nil, err
	}
	members := bitset.New(sp.Size())
	if err := sweep.Enumerate(ctx, sp, members, runtime.GOMAXPROCS(0), nil); err != nil {
		return nil, err
	}
	var chosen []font.Glyph
	for _, g := range glyphs {
		if g, err = choose(ctx, sp, members, g, chosen); err != nil {
			return nil, err
		}
		chosen = append(chosen, g)
	}
	return chosen, nil
}

// choose chooses the pattern of one glyph.
func choose(ctx context.Context, sp statespace.Space, members bitset.Reader, g font.Glyph, others []font.Glyph) (font.Glyph, error) {
	wish, err := sp.Parts().Cells.ParsePattern(g.Wish)
	if err != nil {
		return g, err
	}
	target, err := cells.NewTarget(sp.Parts().Cells, nil, wish)
	if err != nil {
		return g, err
	}
	near, _, err := patterns.Near(ctx, sp, members, cells.Query{Targets: []*cells.Target{target}, Within: within, Layers: cells.AllLayers})
	if err != nil {
		return g, err
	}
	type candidate struct {
		pattern string
		cost    float64
	}
	var candidates []candidate
	for _, m := range near {
		pattern := sp.Format(m.State)
		candidates = append(candidates, candidate{pattern, cost(shapeOf(pattern), shapeOf(g.Wish))})
	}
	// Among patterns of equal cost the nearest comes first, then the one with a peg in the first
	// cell that differs. So the order does not depend on how the space is numbered.
	slices.SortFunc(candidates, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), differ(a.pattern, g.Wish)-differ(b.pattern, g.Wish), cmp.Compare(b.pattern, a.pattern))
	})
	for _, c := range candidates {
		if !slices.ContainsFunc(others, func(other font.Glyph) bool { return differ(c.pattern, other.Pattern) < apart }) {
			g.Pattern, g.Distance = c.pattern, differ(c.pattern, g.Wish)
			return g, nil
		}
	}
	return g, fmt.Errorf("no reachable pattern within %d cells of the wish for %q is unlike all others", within, g.Rune)
}

// differ counts the cells in which two patterns differ.
func differ(a, b string) int { return bits.OnesCount64(uint64(shapeOf(a) ^ shapeOf(b))) }
