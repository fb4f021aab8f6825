// Package all registers all stores of files of states. A program imports it for that alone:
//
//	import _ "pagoda/layers/all"
package all

import (
	"pagoda/layers"
	"pagoda/trie/zstd"
)

func init() {
	coder := zstd.Coder{}
	layers.Use(layers.Set, layers.Folded, layers.Backptr, layers.RawBackptr, layers.Roaring, layers.Trie, layers.Packed(coder), layers.PackedTrie(coder),
		layers.Mod3, layers.Distance, layers.PackedMod3(coder), layers.PackedDistance(coder), layers.Sparse, layers.ChanceValues)
}
