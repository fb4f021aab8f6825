// Command reach-beam enumerates the state spaces of puzzles on a cluster, by Apache Beam.
package main

import (
	"pagoda/cluster"
	"pagoda/puzzle/builtin"
)

func main() { cluster.Main("reach-beam", builtin.Families().All()...) }
