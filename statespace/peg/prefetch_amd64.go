//go:build !purego

package peg

// prefetch asks for words to be fetched into the cache. The result means nothing;
// it must be kept, so that another version may be one that reads the words.
//
//go:noescape
func prefetch(words []uint64) uint64
