// Package trie keeps a static set of numbers as the least graph of their bit strings,
// and answers what a bitmap cannot answer at once: how many members match a pattern,
// which is the k-th, which are nearest to a target.
//
// Write the numbers as bit strings of one length, the highest bit first, and put them
// into a binary trie. Many subtrees are alike; each is kept once. Of the 5x7 board of
// peg solitaire, 1,045,173,439 positions in 256 MiB of bits make 6,205,445 nodes in
// 50 MB, and 16 MB packed.
//
// The lowest six bits are a leaf, a word of 64 bits. A node of level k has two numbers
// of nodes of level k-1, for a bit 0 and a bit 1; on every level, 0 is the empty set and
// 1 the full one. So a node stands for one level, and a walk from the root to a leaf
// meets one of each: a quasi-reduced binary decision diagram with leaves of many values
// (Bryant, Graph-based algorithms for Boolean function manipulation, 1986, reduces
// more). It is the least acyclic automaton of the bit strings (Revuz, Minimisation of
// acyclic deterministic automata in linear time, 1992), made in one pass over the sorted
// members (Daciuk, Mihov, Watson and Watson, Incremental construction of minimal acyclic
// finite-state automata, 2000): nodes are looked up by what is below them, from the
// leaves up.
//
// How many nodes there are depends on the order of the bits, see Order: in the numbering
// by which the sweep goes, the positions of the 5x7 board take 17,283,497.
//
//   - Build makes a trie; Over takes its words from elsewhere, such as a
//     memory map; Pack and Unpack write and read a smaller form.
//   - Trie.Has, Word and Block look up members; Rank and Select number them.
//   - Trie.Count counts those that match a Pattern; Trie.Near finds those near to a
//     target.
package trie
