//go:build !purego

package prefetch

// Words asks the processor to fetch words into its cache. The result means nothing, but
// the caller must keep it: another version of this function reads the words, and the
// compiler must not leave that out.
//
//go:noescape
func Words(words []uint64) uint64

// At is Words for the words at some places.
//
//go:noescape
func At(words []uint64, places []uint64) uint64
