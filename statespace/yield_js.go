package statespace

import (
	"runtime"
	"time"
)

// yield lets others run: what shows the progress, and every few moments the browser, which gives a program one
// thread, and brings messages to it only when it waits.
func yield() {
	if now := time.Now(); now.Sub(yielded) < 100*time.Millisecond {
		runtime.Gosched()
		return
	}
	time.Sleep(time.Microsecond)
	yielded = time.Now()
}

// yielded is when the program has waited. It needs no lock, as there is one thread.
var yielded time.Time
