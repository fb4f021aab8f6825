package mapped

import "runtime"

// PhysicalMemory returns what a program in a browser can address: it does not learn what the machine has.
func PhysicalMemory() uint64 { return most }

// PeakRSS returns how much memory the program has got. It never gives any back.
func PeakRSS() uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.Sys
}
