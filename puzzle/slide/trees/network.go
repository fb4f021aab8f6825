package trees

// A Network is a connected graph with a start and a goal. Parallel edges are different edges.
// There are no loops.
type Network struct {
	first       []uint64 // by vertex: where its neighbours begin in to; and the end
	to          []uint32
	start, goal uint32
}

// New makes a network of edges between the vertices below the given number.
func New(vertices int, edges [][2]uint32, start, goal uint32) *Network {
	n := &Network{first: make([]uint64, vertices+1), to: make([]uint32, 2*len(edges)), start: start, goal: goal}
	for _, e := range edges {
		n.first[e[0]]++
		n.first[e[1]]++
	}
	for v := range vertices {
		n.first[v+1] += n.first[v]
	}
	// Now first has the ends of the vertices. They are filled from there down.
	for i := len(edges) - 1; i >= 0; i-- {
		a, b := edges[i][0], edges[i][1]
		n.first[a]--
		n.to[n.first[a]] = b
		n.first[b]--
		n.to[n.first[b]] = a
	}
	return n
}

// Vertices returns the number of vertices.
func (n *Network) Vertices() int { return len(n.first) - 1 }

// neighbours returns the neighbours of a vertex, one for each edge.
func (n *Network) neighbours(v uint32) []uint32 { return n.to[n.first[v]:n.first[v+1]] }
