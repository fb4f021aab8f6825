// Package bfs searches a space breadth-first, with three bits for each number that a state can
// have. Level 0 is the roots, and the next level is the states that one more move reaches for the
// first time.
//
// A Graph says what is searched: the numbers, the roots and the moves. Of makes the graph of any
// space. A Fast space brings an Expander, which makes the moves of many states at a time, or a
// Stepper, which makes whole levels.
//
// A Search keeps three bits for each number and no queue. Two of them are the mark: the distance
// modulo 3, plus 1, or 0 for a state that is not reached. The third one is set when the moves of
// the state are made. The frontier is the states with the mark of the level whose moves are not
// made yet, and a bit for each 64 numbers says where some of them are. All threads that reach a
// state write the same bits, so the result does not depend on the number of threads. A search
// can be stopped at any time, saved and restored.
//
// If every move can be taken back, a move changes the distance by at most one. Then the mark is
// enough to walk back to a root, and files keep nothing else. On a directed graph a move can lead
// back by any number of levels, so there the search also writes down whole distances, as Depths.
//
// Distances are the entries of a search or of a file. ShortestPath and FindShortest follow them
// back to the roots. CertifyValues proves distances and values without a search, and SearchProof is a second
// search, by other moves, for everything else that has to be proved. SearchPlain is the same, slow and
// simple, by Successors.
package bfs
