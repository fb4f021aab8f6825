package trees

import (
	"math/big"
	"slices"
)

// MeanPathPlain is an exact MeanPath that looks at each set of edges. It is simple on purpose:
// tests compare the fast ways with it.
func (n *Network) MeanPathPlain() *big.Rat {
	trees, length := n.enumerate()
	return big.NewRat(length, trees)
}

// enumerate counts the spanning trees and adds up the lengths of their paths.
func (n *Network) enumerate() (trees, length int64) {
	edges := n.edges()
	var choose func(first int, chosen [][2]uint32)
	choose = func(first int, chosen [][2]uint32) {
		if len(chosen) == n.Vertices()-1 {
			if d, ok := treeDistance(chosen, n.Vertices(), n.start, n.goal); ok {
				trees++
				length += int64(d)
			}
			return
		}
		for i := first; i < len(edges); i++ {
			choose(i+1, append(chosen, edges[i]))
		}
	}
	choose(0, nil)
	return trees, length
}

// edges lists the edges, each once.
func (n *Network) edges() [][2]uint32 {
	var edges [][2]uint32
	for v := range uint32(n.Vertices()) {
		for _, y := range n.neighbours(v) {
			if v < y {
				edges = append(edges, [2]uint32{v, y})
			}
		}
	}
	return edges
}

// treeDistance reports whether edges, one fewer than vertices, make a tree, and how far apart two
// vertices are in it.
func treeDistance(edges [][2]uint32, vertices int, from, to uint32) (int, bool) {
	dist := slices.Repeat([]int{-1}, vertices)
	dist[from] = 0
	for range vertices {
		for _, e := range edges {
			for range 2 {
				if dist[e[0]] >= 0 && dist[e[1]] < 0 {
					dist[e[1]] = dist[e[0]] + 1
				}
				e[0], e[1] = e[1], e[0]
			}
		}
	}
	return dist[to], !slices.Contains(dist, -1)
}
