package statespace

import "runtime"

// yield lets others run, such as what shows the progress: a browser gives a program one thread.
func yield() { runtime.Gosched() }
