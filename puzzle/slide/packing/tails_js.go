package packing

import "pagoda/statespace/bfs"

// A page does not search trays that are so large: see tails.go.
type tails struct{}

func (pk *Packing) shareSteps(*bfs.Graph) {}
