//go:build !js

package layers

// sharing is what the stores do that make a file small to keep or to share.
var sharing = kindsToShare{
	roaring:         roaringKind{},
	trie:            trieKind{},
	packed:          packedKind{},
	packedTrie:      packedTrieKind{},
	packedMod3:      packedDistancesKind{distancesKind{}},
	packedDistances: packedDistancesKind{distancesKind{whole: true}},
}
