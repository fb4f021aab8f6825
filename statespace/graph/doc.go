// Package graph makes the graph of a space: its vertices are the positions that can be reached, its
// edges the moves. It writes graphs as DOT for Graphviz, as GraphML and as CSV. Package
// graph/layout finds places for the vertices in a picture.
package graph
