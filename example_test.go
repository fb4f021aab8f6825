package pagoda_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"pagoda"
)

// Run a space, and read how many states there are in each layer.
func ExampleRun() {
	ctx := context.Background()
	sp, err := pagoda.Lookup(ctx, "peg/4x4")
	check(err)
	r, err := pagoda.Run(ctx, sp, pagoda.Options{})
	check(err)
	fmt.Println(r.States, "positions")
	for _, l := range r.Layers[:3] {
		fmt.Println(l.Layer, r.LayerName+":", l.States)
	}
	// Output:
	// 2115 positions
	// 15 pegs: 1
	// 14 pegs: 2
	// 13 pegs: 6
}

// Open a file, and ask it.
func ExampleOpen() {
	ctx := context.Background()
	path, remove := place()
	defer remove()
	sp, err := pagoda.Lookup(ctx, "peg/4x4")
	check(err)
	_, err = pagoda.Run(ctx, sp, pagoda.Options{Output: path})
	check(err)

	f, err := pagoda.Open(ctx, path, pagoda.Options{})
	check(err)
	defer f.Close()

	const pattern = "..../..../..oo/...."
	has, err := f.Has(pattern)
	check(err)
	fmt.Println("reachable:", has.Reachable, has.Reason)

	near, err := f.Near(ctx, pagoda.NearQuestion{Patterns: []string{pattern}})
	check(err)
	for _, m := range near.Matches {
		fmt.Println("near:", m.Pattern, "at distance", m.Distance)
	}

	s, err := f.PathTo(ctx, near.Matches[0].Pattern, pagoda.Options{})
	check(err)
	fmt.Println(len(s.Moves), "moves, the first is", s.Moves[0])

	n, err := f.Count(ctx, pagoda.Pick{Pattern: "o??o/????/????/o??o"})
	check(err)
	fmt.Println(n, "positions with pegs in the corners")

	for x, err := range f.List(ctx, pagoda.Pick{Where: "pegs > 8", Sort: "-jumps, pegs", Limit: 2}) {
		check(err)
		fmt.Println(f.Space().Format(x))
	}

	for x, err := range f.List(ctx, pagoda.Pick{Layers: &pagoda.Range{Least: 14, Most: 15}}) {
		check(err)
		fmt.Println(f.Space().Format(x))
	}
	// Output:
	// reachable: false class
	// near: ..o./..../..oo/.... at distance 1
	// near: ..../..../..oo/..o. at distance 1
	// 12 moves, the first is (1,3) over (1,2) to (1,1)
	// 169 positions with pegs in the corners
	// ..oo/ooo./oo.o/...o
	// .oo./.oo./oo../o.oo
	// oooo/oooo/o.oo/o.oo
	// oooo/oo../oooo/oooo
	// oooo/o.oo/oooo/oooo
}

// A frog sits on stone 0 of a ring of stones. It jumps 3 stones ahead or 5 back. Its nine
// methods are all that a pagoda.Space must have.
type frog struct{ stones uint64 }

func (f frog) Name() string          { return fmt.Sprintf("frog/%d", f.stones) }
func (f frog) Size() uint64          { return f.stones }
func (f frog) Roots() []pagoda.Index { return []pagoda.Index{0} }

func (f frog) Successors(dst []pagoda.Edge, x pagoda.Index) []pagoda.Edge {
	return append(dst, pagoda.Edge{To: (x + 3) % f.stones, Move: 0}, pagoda.Edge{To: (x + f.stones - 5) % f.stones, Move: 1})
}

func (f frog) Predecessors(dst []pagoda.Edge, x pagoda.Index) []pagoda.Edge {
	return append(dst, pagoda.Edge{To: (x + f.stones - 3) % f.stones, Move: 0}, pagoda.Edge{To: (x + 5) % f.stones, Move: 1})
}

func (f frog) Format(x pagoda.Index) string { return strconv.FormatUint(x, 10) }

func (f frog) Parse(text string) (pagoda.Index, error) {
	x, err := strconv.ParseUint(text, 10, 64)
	if err == nil && x >= f.stones {
		err = fmt.Errorf("%w: there are %d stones", pagoda.ErrOutside, f.stones)
	}
	return x, err
}

func (f frog) FormatMove(_ pagoda.Index, move pagoda.Edge) string {
	return []string{"3 ahead", "5 back"}[move.Move]
}

// Parts are what it offers besides: nothing.
func (f frog) Parts() pagoda.Parts { return pagoda.Parts{} }

func (f frog) Definition() pagoda.Definition {
	return pagoda.Definition{Family: "frog", Name: f.Name(), Puzzle: fmt.Append(nil, f.stones), Numbering: []byte(`"stones"`)}
}

// frogs turns names and the definitions in files into frogs.
var frogs = &pagoda.Family{
	Name: "frog",
	Lookup: func(_ context.Context, name string, _ pagoda.Choice) (pagoda.Space, error) {
		return newFrog(strings.TrimPrefix(name, "frog/"))
	},
	Define: func(_ context.Context, d pagoda.Definition, _ uint64) (pagoda.Space, error) {
		return newFrog(string(d.Puzzle))
	},
}

func newFrog(stones string) (pagoda.Space, error) {
	n, err := strconv.ParseUint(stones, 10, 32)
	if err != nil || n < 5 {
		return nil, fmt.Errorf("expected 5 stones or more, found %q", stones)
	}
	return frog{n}, nil
}

// A puzzle of your own.
func Example_ownSpace() {
	ctx := context.Background()
	path, remove := place()
	defer remove()
	r, err := pagoda.Run(ctx, frog{12}, pagoda.Options{Output: path})
	check(err)
	fmt.Println(r.States, "stones, the farthest", len(r.Layers)-1, "jumps away")

	f, err := pagoda.Open(ctx, path, pagoda.Options{}, frogs)
	check(err)
	defer f.Close()
	check(pagoda.Verify(ctx, f, pagoda.Options{}))
	s, err := f.PathTo(ctx, "11", pagoda.Options{})
	check(err)
	fmt.Println(s.Positions, s.Moves)
	// Output:
	// 12 stones, the farthest 5 jumps away
	// [0 3 6 1 4 11] [3 ahead 3 ahead 5 back 3 ahead 5 back]
}

// place returns the path of a file that is not there yet, and a function that removes it.
func place() (path string, remove func()) {
	dir, err := os.MkdirTemp("", "pagoda")
	check(err)
	return filepath.Join(dir, "example.reach"), func() { os.RemoveAll(dir) }
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
