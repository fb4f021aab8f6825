// Package run does the job as a library: it enumerates a space by one of its engines and keeps
// the states in a file.
//
// Start begins a run, and Resume continues one from its checkpoint: the file gets the same
// bytes as without a stop, on any number of threads. Predict says beforehand what a run takes.
// Verify proves that a file holds exactly what can be reached. Convert writes a file in another
// store.
//
// The package knows no family of puzzles and prints nothing. A Meter shows progress. Errors say
// what was expected, what was found and what to do; callers decide on ErrOptions, ErrInTheWay,
// *MemoryError, *StoppedError and *layers.FileError.
//
// The files of the package: options.go has the options and errors, engines.go the engines of a
// space, choose.go how one is chosen, memory.go what a run takes, job.go its life from the first
// look at the disk to the finished file. setrun.go, blockrun.go, searchrun.go, sparserun.go and
// plainrun.go are the kinds of runs: in a set of all numbers, block by block, breadth-first over
// all numbers, breadth-first with a list of the states, and in the plain way.
package run
