//go:build js

package engine

import "pagoda/layers"

// The stores in which a run keeps what it finds, unless it is told otherwise. Games against chance have another one.
func init() {
	layers.Use(layers.Set, layers.Folded, layers.Mod3, layers.Distance, layers.Sparse)
}
