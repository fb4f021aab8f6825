//go:build !amd64 || purego

package peg

// prefetch reads a word of each cache line: the waits for them overlap. The result
// means nothing; it must be kept, or the compiler may leave out the reading.
func prefetch(words []uint64) (x uint64) {
	for i := 0; i < len(words); i += 8 {
		x |= words[i]
	}
	return x
}
