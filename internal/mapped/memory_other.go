//go:build !linux && !js

package mapped

import (
	"sync"

	"github.com/shirou/gopsutil/v4/mem"
)

// PhysicalMemory returns how many bytes of memory the machine has, or 0 when that is not known.
var PhysicalMemory = sync.OnceValue(func() uint64 {
	m, err := mem.VirtualMemory()
	if err != nil {
		return 0
	}
	return m.Total
})
