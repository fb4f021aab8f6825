// Package sparse searches breadth-first where states are far fewer than the numbers that they
// could have, or where they have no numbers at all. It keeps only what it finds.
//
// A state is a code: a fixed number of 64-bit words, from 1 to 8, that compare as one big
// number. A Graph has the codes of the roots and makes Expanders, which know the moves. The
// engine knows nothing else of the puzzle.
//
//   - New makes a Search, and Search.Run finds all states, level by level: those at distance
//     0 from the roots, then 1, and so on.
//   - Search.Result counts the states of each level and has the nearest goals. Search.Table
//     lists all states, Search.List returns a level, Search.Has looks states up, so that
//     shortest paths can be traced back.
//   - Search.Save makes the levels durable, and Search.Restore goes on from there.
//
// # How it works
//
// There is no table of the states. Each level is a sorted list in the coding of package
// sorted, which takes 1 to 4 bytes a state where a hash table takes 13. To make the next
// level:
//
//   - Threads take chunks of the last level and expand the states. Each has a buffer for the
//     successors.
//   - When a buffer is full, its codes are sorted, by radix or as bits where they lie dense, and
//     duplicates are dropped. If it is still more than half full then, it becomes a sorted list of
//     its own, a run.
//   - At the end of the level, buffers and runs are merged. Duplicates are dropped, and so are
//     codes that earlier levels have. This is delayed duplicate detection (Korf, Delayed
//     duplicate detection, 2003). Each thread merges ranges of codes.
//
// All accesses to memory are sequential but those of the sort, which stay within a buffer.
// So the search is faster than one that looks each successor up in a large hash table, and levels
// and runs may as well lie in files.
//
// Which earlier levels a new one is compared with depends on Graph.Back. If moves can be
// taken back, successors of level d are in level d-1, d or d+1, and two lists suffice. If
// nothing is known, a level is compared with all earlier ones, which are kept in a few merged
// lists besides: the time then grows with the number of levels.
//
// The levels do not depend on the number of threads or on the memory, and neither does a byte
// of their files.
//
// # Memory and files
//
// Options.Memory bounds the buffers, the levels in memory, and what is needed to merge. The
// process takes some 10 MiB besides. A search with a directory writes levels and runs to
// files, so that the bound may be far below the size of a level. It reads files by
// ordinary reads and maps none, so that they do not count as memory of the process.
//
// The file of a level is a list as package sorted describes it, named level-00012.sorted. It is
// written once. Nothing in the directory says that a file is whole: that is what Save returns, the
// number of states, the length and the checksum of each level, which the caller keeps.
// Restore takes no other file for good. So a search that is killed at any instant goes on
// from its last Save.
package sparse
