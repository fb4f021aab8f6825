//go:build js

package engine

import "pagoda/layers"

// The default stores of runs. Games against chance have another one.
func init() {
	layers.Use(layers.Set, layers.Folded, layers.Mod3, layers.Distance, layers.Sparse)
}
