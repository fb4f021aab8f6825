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

// At is Words for the words at some places.
func At(words []uint64, places []uint64) (x uint64) {
	for _, at := range places {
		x |= words[at]
	}
	return x
}
