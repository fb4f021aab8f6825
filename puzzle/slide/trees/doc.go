// Package trees finds the mean length of the path between two vertices of a graph, over all spanning trees
// of the graph. Its words, in the order of use:
//
//   - A Network is a connected graph with a start and a goal. The path of a spanning tree is its
//     path from the start to the goal.
//   - A part is a biconnected component: a largest set of edges that stays connected when any one
//     vertex is taken away. A bridge is a part with one edge. The paths of all trees go through the
//     same chain of parts. So the mean length is the sum of the mean lengths in these parts, and
//     other parts make no difference (parts.go).
//   - In a narrow part, all trees are counted and the lengths of their paths added up. This
//     eliminates the vertices one by one. A factor has what must be known about those that are gone:
//     the numbers of forests, by the vertices of its scope that they connect (forests.go, join.go,
//     eliminate.go).
//   - A plan is an order in which vertices are eliminated. Its width is the greatest number of
//     neighbours of a vertex when it is taken out. Time and memory grow fast with the width
//     (plan.go).
//   - In a wide part, random trees are drawn. The path of a random tree is a random walk without
//     its loops (D. B. Wilson, Generating random spanning trees more quickly than the cover time,
//     1996; sample.go).
//
// Network.MeanPath does all of this. Tests compare it with a search that looks at every tree.
package trees
