// Package plan plans a run on a cluster on paper, by a small simulation. It predicts the bytes that a run
// stores, reads and shuffles, and its CPU time, hours and dollars, by the number of workers. It runs
// nothing and needs no cluster.
//
// A run is a list of rounds: the levels of a search, the stages of blocks, or one round of parts that are
// searched one by one. The tasks of a round are spread over the threads of the workers. A round ends when
// its last task has ended and its bytes are moved.
//
// The states of a run, or its blocks, must be known. Layers, Blocks and Parts make the rounds of them;
// Constants say what a state costs. Defaults has constants that were measured; docs/studies/cluster-plans.md says
// how good the plans were.
package plan
