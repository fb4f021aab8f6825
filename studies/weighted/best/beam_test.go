package best

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/internal/long"
)

// TestPlain: Search does better than the plain searches, and these play by the rules.
func TestPlain(t *testing.T) {
	if !long.Tests {
		t.Skip("a large beam")
	}
	g := random(t, "peg/8x8", 3)
	scores := make(map[string]int64)
	for name, width := range map[string]int{"greedy": 1, "beam": 1000} {
		jumps, err := plainBeam(t.Context(), g, width, 2)
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

// TestPutLeast: the least branches come first.
func TestPutLeast(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 500 {
		all := make([]branch, 1+rng.IntN(40))
		for i := range all {
			all[i] = branch{rank: rng.Int64N(5), hash: rng.Uint64N(3), before: uint32(rng.IntN(2)), jump: uint32(i)}
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
