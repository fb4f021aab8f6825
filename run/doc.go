// Package run finds all states of a space and keeps them in a file, as the command reach run
// does.
//
// Start begins a run, and Resume continues one from its checkpoint: the file gets the same
// bytes as without a stop, on any number of threads. Predict says beforehand what a run takes.
// Verify proves that a file holds exactly what can be reached. Convert writes a file in another
// store.
//
// The package knows no family of puzzles and prints nothing. A Meter shows progress. Errors say
// what was expected, what was found and what to do; callers decide on ErrOptions, ErrInTheWay,
// *statespace.MemoryError, *StoppedError and *layers.FileError.
//
// An Engine is a value, and all that there is to it, checkpoints too, is in its file: blocks.go sweeps a space block by block,
// and packing.go packs the blocks; sets.go fills a set of all numbers; numbers.go searches breadth-first
// over all numbers, and unmarked.go without marks; sparse.go lists the states; plain.go searches in the plain
// way; chance.go solves games against chance. A program has the engines that it gives to Use. Package
// all, imported for that alone, gives it all of them and checkpoints:
//
//	import _ "pagoda/run/all"
//
// The other files know no engine. engines.go says what an engine is, choose.go what it offers and how one is chosen,
// find.go runs in memory and keeps what it finds for paths,
// memory.go what a run takes, job.go its life from the first look at the disk to the finished file, work.go and
// describe.go what most engines do alike, and options.go has the options and errors.
package run
