//go:build !amd64 || purego

package peg

// prefetch reads a word: the waits for several of them overlap. The result means nothing, but
// the caller must keep it, or the compiler may leave out the read.
func prefetch(word *uint64) uint64 { return *word }
