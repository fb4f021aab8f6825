package sparse_test

import (
	"context"
	"fmt"

	"pagoda/statespace"
	"pagoda/statespace/sparse"
)

// hanoi is the tower of Hanoi with some disks. A code has two bits for each disk, its peg;
// the smallest disk comes first.
type hanoi int

func (n hanoi) Expand(dst []uint64, code []uint64) []uint64 {
	covered := [3]bool{} // pegs with a smaller disk
	for disk := range int(n) {
		peg := code[0] >> (2 * disk) & 3
		for to := range uint64(3) {
			if !covered[peg] && !covered[to] && to != peg {
				dst = append(dst, code[0]^(peg^to)<<(2*disk))
			}
		}
		covered[peg] = true
	}
	return dst
}

func (n hanoi) Goal(code []uint64) bool { return code[0] == 1<<(2*n)-1-(1<<(2*n)-1)/3 } // all at peg 2

// Six disks.
func Example() {
	s, err := sparse.New(statespace.CodeGraph{
		Words:       1,
		Roots:       [][]uint64{{0}},
		NewExpander: func() statespace.CodeExpander { return hanoi(6) },
		Back:        1,
	}, sparse.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	if err := s.Run(context.Background(), nil, nil); err != nil {
		fmt.Println(err)
		return
	}
	r := s.Result()
	fmt.Println(r.States, "states up to distance", len(r.Levels)-1)
	fmt.Printf("the goal %b has distance %d\n", r.Goals[0], r.GoalLevel)

	// A shortest path, from the goal back.
	code := r.Goals[0]
	for level := r.GoalLevel - 1; level >= r.GoalLevel-3; level-- {
		next := hanoi(6).Expand(nil, code)
		for i := range next {
			if ok, _ := s.Has(next[i:i+1], level); ok {
				code = next[i : i+1]
				break
			}
		}
		fmt.Printf("before it %012b\n", code[0])
	}
	// Output:
	// 729 states up to distance 63
	// the goal [101010101010] has distance 63
	// before it 101010101001
	// before it 101010100001
	// before it 101010100000
}
