package trie

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/bitset"
)

// Check accepts exactly the words that Build makes of the members.
func TestCheck(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	all, orders := sets(rng, 1<<12)
	accepted, refused := 0, 0
	for i, s := range all {
		tr := build(t, s, orders[i])
		if s.Len() > 1<<12 {
			continue
		}
		for range 200 {
			words := slices.Clone(tr.Words())
			forge(rng, words[headWords+tr.height():])
			forged, err := Over(words)
			if err != nil {
				continue
			}
			members := bitset.New(s.Len())
			if err := forged.Fill(t.Context(), members.Words(), 1); err != nil || members.Count() != s.Count() {
				continue
			}
			want := slices.Equal(words, build(t, members, orders[i]).Words())
			if err := forged.Check(t.Context()); (err == nil) != want {
				t.Fatalf("set %d, forged: minimal is %t, Check says %v", i, want, err)
			}
			if want {
				accepted++
			} else {
				refused++
			}
		}
	}
	if accepted < 100 || refused < 100 {
		t.Errorf("%d forged tries were minimal, %d not: expected more of both", accepted, refused)
	}
}

// forge changes nodes: bits of one, two of them changed over, or one in place of another.
func forge(rng *rand.Rand, nodes []uint64) {
	if len(nodes) == 0 {
		return
	}
	i, j := rng.IntN(len(nodes)), rng.IntN(len(nodes))
	switch rng.IntN(4) {
	case 0:
		bit := uint64(1) << rng.IntN(64)
		nodes[i] ^= bit | 1<<rng.IntN(64)
	case 1:
		nodes[i], nodes[j] = nodes[j], nodes[i]
	case 2:
		nodes[i] = nodes[j]
	case 3:
		nodes[i] ^= 1 << 32 << rng.IntN(3)
		nodes[j] ^= 1 << rng.IntN(3)
	}
}

// A node that nothing uses, and one that is there twice, are no longer the minimal trie.
func TestCheckUnused(t *testing.T) {
	s := bitset.New(128)
	s.Add(3)
	s.Add(64)
	good := build(t, s, nil)
	words := good.Words()
	head := headWords + good.height()
	for what, leaves := range map[string][]uint64{
		"unused": {words[head], words[head+1], 5},
		"equal":  {words[head], words[head]},
		"twice":  {words[head], words[head+1], words[head]},
		"empty":  {words[head], 0},
	} {
		forged := slices.Concat(words[:head], leaves, words[head+2:])
		forged[headLeaves] = uint64(len(leaves))
		tr, err := Over(forged)
		if err == nil {
			err = tr.Check(t.Context())
		}
		if err == nil {
			t.Errorf("a leaf %s: it is accepted", what)
		}
	}
	if err := good.Check(t.Context()); err != nil {
		t.Error(err)
	}
}
