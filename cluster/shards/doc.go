// Package shards divides the positions of a level into ranges, so that many machines can find the
// next level together.
//
// A Layout divides the codes of states into ranges, the shards. A Run is some of the states of
// a shard: sorted, each once, in few bytes. Workers expand shards; a Collector gathers the
// successors that they find and hands them on as runs, by shard. Layout.Merge makes one run of
// many and takes away the states of earlier levels.
//
// # Runs
//
// A code of one word is a number. A run of numbers is a sequence of varints. The number x
// after the number y is x-y, and the first number is x+1, so that no varint is 0. A 0 begins a
// page: 4096 numbers with more than 512 members. Then comes a varint, the number of whole pages that
// are skipped, and 512 bytes with a bit for each number. So a state takes a byte
// where states are dense, less where they are very dense, and a few bytes elsewhere.
//
// A run of codes of several words is a list as package sorted describes it.
package shards
