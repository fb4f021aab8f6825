package trie_test

import (
	"context"
	"fmt"

	"pagoda/bitset"
	"pagoda/trie"
)

// The multiples of 3 below 2^16.
func Example() {
	s := bitset.New(1 << 16)
	for x := uint64(0); x < s.Len(); x += 3 {
		s.Add(x)
	}
	ctx := context.Background()
	t, err := trie.Build(ctx, s, nil, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(t.States(), "members,", t.Nodes(), "nodes")

	has, _ := t.Has(999)
	rank, _ := t.Rank(999)
	member, _ := t.Select(333)
	fmt.Println(has, rank, member)

	// Each bit is a term.
	q := trie.NearQuery{Within: 2, Limit: 5}
	const target = 1000
	for bit := range 16 {
		var cost [2]uint64
		cost[1-target>>bit&1] = 1 // of a bit that is not that of the target
		q.Terms = append(q.Terms, trie.Term{Mask: 1 << bit})
		q.Costs = append(q.Costs, cost)
	}
	q.Most = 16
	for m, err := range t.Near(ctx, q) {
		fmt.Println(m.State, "has distance", m.Distance, err)
	}

	q.Least, q.Most = 2, 2
	n, _ := t.Count(ctx, q.Pattern)
	fmt.Println(n, "members have two bits set")
	// Output:
	// 21846 members, 30 nodes
	// true 333 999
	// 744 has distance 1 <nil>
	// 936 has distance 1 <nil>
	// 1002 has distance 1 <nil>
	// 3048 has distance 1 <nil>
	// 9192 has distance 1 <nil>
	// 64 members have two bits set
}
