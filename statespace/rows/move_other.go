//go:build !amd64 || purego

package rows

func pushBy(to, from []uint64, by []uint16) { pushPlain(to, from, by) }

func pullBy(to, unseen, from []uint64, by []uint16) (left uint64) {
	return pullPlain(to, unseen, from, by)
}
