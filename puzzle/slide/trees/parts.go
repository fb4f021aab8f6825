package trees

import "slices"

// parts returns the parts that every path from the start to the goal passes, in order. The start
// and goal of a part are where such a path comes in and goes out.
func (n *Network) parts() []*Network {
	seen, part, parent, order := n.findParts()
	var parts []*Network
	index := make([]uint32, n.Vertices()) // by the name of a part: 1 plus its index in parts, or 0
	for v := n.goal; v != n.start; v = parent[part[v]] {
		parts = append(parts, new(Network))
		index[part[v]] = uint32(len(parts))
	}
	local := make([]uint32, n.Vertices()) // the number of a vertex in its part, where the first vertex has 0
	count := make([]uint32, len(parts))
	edges := make([][][2]uint32, len(parts))
	for _, v := range seen[1:] {
		i := index[part[v]]
		if i == 0 {
			continue
		}
		count[i-1]++
		local[v] = count[i-1]
		// An edge belongs to the part of the end that was seen later.
		for _, y := range n.neighbours(v) {
			switch {
			case y == parent[part[v]]:
				edges[i-1] = append(edges[i-1], [2]uint32{0, local[v]})
			case order[y] < order[v]:
				edges[i-1] = append(edges[i-1], [2]uint32{local[y], local[v]})
			}
		}
	}
	for v, i := n.goal, 0; v != n.start; v, i = parent[part[v]], i+1 {
		parts[i] = New(int(count[i])+1, edges[i], 0, local[v])
		edges[i] = nil
	}
	slices.Reverse(parts)
	return parts
}

// findParts finds all parts by a depth-first search from the start (R. Tarjan, Depth-first search
// and linear graph algorithms, 1972). It returns the vertices in the order in which they were
// seen, and by vertex: the part of the edge to its parent, the parent, and its place in the order
// from 1. The name of a part is the second of its vertices that was seen; the first one is the
// parent of that.
func (n *Network) findParts() (seen, part, parent, order []uint32) {
	size := n.Vertices()
	order = make([]uint32, size)
	parent = make([]uint32, size)
	low := make([]uint32, size) // the first in the order that the vertex or one below it touches
	at := slices.Clone(n.first[:size])
	seen = make([]uint32, 1, size)
	v := n.start
	seen[0], order[v], low[v] = v, 1, 1
	for {
		if at[v] < n.first[v+1] {
			y := n.to[at[v]]
			at[v]++
			if order[y] == 0 {
				seen = append(seen, y)
				order[y] = uint32(len(seen))
				low[y] = order[y]
				parent[y] = v
				v = y
			} else {
				low[v] = min(low[v], order[y])
			}
			continue
		}
		if v == n.start {
			break
		}
		low[parent[v]] = min(low[parent[v]], low[v])
		v = parent[v]
	}
	part = make([]uint32, size)
	for _, v := range seen[1:] {
		part[v] = v
		if low[v] < order[parent[v]] {
			part[v] = part[parent[v]]
		}
	}
	return seen, part, parent, order
}
