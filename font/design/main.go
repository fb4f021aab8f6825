// Command design chooses the patterns of the font, and writes glyphs.txt:
//
//	go run ./font/design font/glyphs.txt
//
// It looks at all patterns that can be reached within a few cells of each wish, and takes
// the one that is most legible by the measure of measure.go, and unlike those chosen before.
package main

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"os"
	"runtime"
	"slices"

	"pagoda/bitset"
	"pagoda/font"
	"pagoda/statespace"
	"pagoda/statespace/peg"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "design:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("found %d arguments, expected the file to write", len(args))
	}
	glyphs, err := design(ctx, font.Glyphs())
	if err != nil {
		return err
	}
	return os.WriteFile(args[0], []byte(font.Format(glyphs)), 0o666)
}

const (
	// within is how far from their wishes patterns are looked at.
	within = 4
	// apart is the least number of cells in which any two glyphs differ.
	apart = 3
)

// design chooses the patterns of glyphs anew, by their wishes.
func design(ctx context.Context, glyphs []font.Glyph) ([]font.Glyph, error) {
	b, err := peg.Rectangle(font.Width, font.Height)
	if err != nil {
		return nil, err
	}
	sp, err := peg.New(font.Space, b, b.Full()&^(1<<(cells/2)))
	if err != nil {
		return nil, err
	}
	members := bitset.New(sp.Size())
	if err := statespace.Enumerate(ctx, sp, statespace.Engines(sp)[0], members, runtime.GOMAXPROCS(0), nil); err != nil {
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
func choose(ctx context.Context, sp *peg.Space, members bitset.Reader, g font.Glyph, others []font.Glyph) (font.Glyph, error) {
	wish, err := sp.Board().ParsePattern(g.Wish)
	if err != nil {
		return g, err
	}
	target, err := sp.Board().NewTarget(nil, wish)
	if err != nil {
		return g, err
	}
	near, _, err := sp.Near(ctx, members, peg.NearQuery{Targets: []*peg.Target{target}, Within: within, Pegs: peg.AnyPegs})
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
	// Among equals the nearest comes first, then the one with pegs where the other has holes,
	// from the top left: how the space is numbered makes no difference.
	slices.SortFunc(candidates, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), differ(a.pattern, g.Wish)-differ(b.pattern, g.Wish), cmp.Compare(b.pattern, a.pattern))
	})
	for _, c := range candidates {
		if !slices.ContainsFunc(others, func(other font.Glyph) bool { return differ(c.pattern, other.Pattern) < apart }) {
			g.Pattern, g.Distance = c.pattern, differ(c.pattern, g.Wish)
			return g, nil
		}
	}
	return g, fmt.Errorf("nothing that can be reached within %d cells of the wish for %q is unlike all others", within, g.Rune)
}

// differ counts the cells in which two patterns differ.
func differ(a, b string) int { return bits.OnesCount64(uint64(shapeOf(a) ^ shapeOf(b))) }
