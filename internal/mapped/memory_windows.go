package mapped

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

var getProcessMemoryInfo = windows.NewLazySystemDLL("psapi.dll").NewProc("GetProcessMemoryInfo")

// PeakRSS returns the greatest amount of memory that this process has held, in
// bytes, or 0 when that is not known.
func PeakRSS() uint64 {
	var counters struct { // PROCESS_MEMORY_COUNTERS
		size, pageFaults           uint32
		peakWorkingSet, workingSet uintptr
		rest                       [6]uintptr
	}
	counters.size = uint32(unsafe.Sizeof(counters))
	if ok, _, _ := getProcessMemoryInfo.Call(uintptr(windows.CurrentProcess()), uintptr(unsafe.Pointer(&counters)), uintptr(counters.size)); ok == 0 {
		return 0
	}
	return uint64(counters.peakWorkingSet)
}
