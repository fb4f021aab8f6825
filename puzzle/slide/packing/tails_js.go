package packing

import "pagoda/statespace"

// A page does not search trays that are so large: see tails.go.
type tails struct{}

func (pk *Packing) shareSteps(*statespace.Graph) {}
