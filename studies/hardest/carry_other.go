//go:build !amd64 || purego

package hardest

func carry(set, from, to uint64) uint64 { return carryPlain(set, from, to) }
