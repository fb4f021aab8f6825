//go:build !amd64 || purego

package packing

import "pagoda/puzzle/slide/tray"

// hasVectors says that there are none: one piece after the other is faster than lanes by single words. So
// there are no lanes.
const hasVectors = false

func (t *lanes) find(*found, tray.Metric, uint64, boards) { panic("packing: there are no vectors") }

func (t *lanes) movable(*[8]uint64, boards) { panic("packing: there are no vectors") }
