package best

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pagoda/puzzle/peg/board"
	"pagoda/studies/purges"
)

// TestPlain: Search does better than the plain searches, and these play by the rules.
func TestPlain(t *testing.T) {
	if testing.Short() {
		t.Skip("a large beam")
	}
	g := random(t, "peg/8x8", 3)
	scores := make(map[string]int64)
	for name, width := range map[string]int{"greedy": 1, "beam": 1000} {
		jumps, err := PlainBeam(t.Context(), g, width, 2)
		if err != nil {
			t.Fatal(err)
		}
		score, err := g.Play(jumps)
		if err != nil {
			t.Fatal(err)
		}
		scores[name] = score.Score
	}
	r, err := Search(t.Context(), g, Options{Threads: 2, Work: uint64(shorter(1<<19, 1<<17))})
	if err != nil {
		t.Fatal(err)
	}
	if r.Score >= scores["beam"] || scores["beam"] >= scores["greedy"] {
		t.Errorf("score %d, plain searches %v", r.Score, scores)
	}
}

// placements returns the jumps of all ways to lay purges with a name on a board.
func placements(shape *board.Shape) (all [][]board.Jump) {
	for p := range purges.Placements(shape, purges.Named()) {
		all = append(all, p.Jumps)
	}
	return all
}

// TestPackages: with packages, games are still legal, and a beam plays others than without.
func TestPackages(t *testing.T) {
	for _, name := range []string{"peg/5x5", "peg/9x8"}[:shorter(2, 1)] {
		g := random(t, name, 1)
		r, err := Search(t.Context(), g, Options{Threads: 2, Work: 1 << 16, Packages: placements(g.Shape)})
		if err != nil {
			t.Fatal(err)
		}
		check(t, name, g, r)
		without, err := Search(t.Context(), g, Options{Threads: 2, Work: 1 << 16})
		if err != nil {
			t.Fatal(err)
		}
		if reflect.DeepEqual(r.Jumps, without.Jumps) && r.Work == without.Work {
			t.Errorf("%s: packages change nothing", name)
		}
	}
	g := random(t, "peg/4x4", 1)
	for _, wrong := range [][]board.Jump{{}, {{From: 0, Over: 1, To: 2}}, {{From: 0, Over: 1, To: 2}, {From: 0, Over: 2, To: 4}}} {
		if _, err := Search(t.Context(), g, Options{Threads: 1, Packages: [][]board.Jump{wrong}}); err == nil {
			t.Errorf("the package %v is taken", wrong)
		}
	}
}

// TestPutLeast: the least branches come first.
func TestPutLeast(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 500 {
		all := make([]branch, 1+rng.IntN(40))
		for i := range all {
			all[i] = branch{rank: rng.Int64N(5), hash: rng.Uint64N(3), before: uint32(rng.IntN(2)), play: uint32(i)}
		}
		want := slices.SortedFunc(slices.Values(all), branch.compare)
		n := rng.IntN(len(all) + 1)
		putLeast(all, n)
		slices.SortFunc(all[:n], branch.compare)
		if !slices.Equal(all[:n], want[:n]) {
			t.Fatalf("the least %d are %v, want %v", n, all[:n], want[:n])
		}
	}
}
