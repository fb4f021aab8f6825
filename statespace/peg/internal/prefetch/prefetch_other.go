//go:build !amd64 || purego

package prefetch

// Words reads a word of each cache line: the waits for them overlap. The result means
// nothing, but the caller must keep it, or the compiler may leave out the reads.
func Words(words []uint64) (x uint64) {
	for i := 0; i < len(words); i += 8 {
		x |= words[i]
	}
	return x
}

// Each is Words for the cache lines of some words of a slice.
func Each(words []uint64, at []uint64) (x uint64) {
	for _, i := range at {
		x |= words[i]
	}
	return x
}
