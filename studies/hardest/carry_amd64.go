//go:build !purego

package hardest

import "golang.org/x/sys/cpu"

var hasBMI2 = cpu.X86.HasBMI2

// carry is carryPlain by two instructions of the processor, if it has them.
func carry(set, from, to uint64) uint64 {
	if hasBMI2 {
		return carryBMI2(set, from, to)
	}
	return carryPlain(set, from, to)
}

//go:noescape
func carryBMI2(set, from, to uint64) uint64
