//go:build !purego

package prefetch

// Words asks the processor to fetch words into its cache. The result means nothing, but
// the caller must keep it: another version of this function reads the words, and the
// compiler must not leave that out.
//
//go:noescape
func Words(words []uint64) uint64

// Each is Words for the cache lines of some words of a slice.
//
//go:noescape
func Each(words []uint64, at []uint64) uint64
