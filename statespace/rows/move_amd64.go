//go:build !purego

package rows

import "golang.org/x/sys/cpu"

// pushBy is pushPlain.
func pushBy(to, from []uint64, by []uint16) {
	if !cpu.X86.HasBMI1 || !cpu.X86.HasBMI2 {
		pushPlain(to, from, by)
		return
	}
	pushBMI2(&to[0], &from[0], len(from), &by[0])
}

//go:noescape
func pushBMI2(to, from *uint64, words int, by *uint16)

// pullBy is pullPlain.
func pullBy(to, unseen, from []uint64, by []uint16) (left uint64) {
	if !cpu.X86.HasBMI1 || !cpu.X86.HasBMI2 {
		return pullPlain(to, unseen, from, by)
	}
	return pullBMI2(&to[0], &unseen[0], &from[0], len(unseen), &by[0])
}

//go:noescape
func pullBMI2(to, unseen, from *uint64, words int, by *uint16) (left uint64)
