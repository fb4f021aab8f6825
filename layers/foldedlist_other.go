//go:build !amd64 || purego

package layers

import "pagoda/bitset"

const hasVectors = false

// listFast would be list by vectors.
func (w *ways) listFast(*bitset.Batch) bool { return false }
