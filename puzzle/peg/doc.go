// Package peg is peg solitaire on any board: names and texts of boards, positions and jumps, and
// answers about them. A jump takes a peg over a neighbouring one, which is removed, into the hole
// behind it.
//
// A Space is the numbered position class of a start. Lookup makes one from a name, New from a
// board and a start, Define from the definition in a file. Its parts, in the order of the
// files:
//
//   - space.go: numbers, jumps and texts, as every statespace.Space has them. names.go has
//     the boards with a name.
//   - sweep.go: the kernels, as package sweep uses them. Package layout decides how the class
//     is divided into blocks, package engine makes the blocks, and package verify proves
//     and counts the result.
//   - cells.go: what each cell holds, for patterns and targets. near.go finds the members of
//     a set that are nearest to a target or match a pattern. It walks through bitmaps
//     (walk.go, probe.go) or asks a trie (trie.go).
//   - endgame.go: from which positions a goal can be reached; other starts in the class.
//   - pointers.go: the last jump of each member, for files with backpointers.
//   - explain.go: how a space is numbered and swept, as text or JSON.
//   - register.go: the family, with its names, texts and known facts (names.go). play.go, keeper.go
//     and spell.go are what the page needs: hints, and words in the letters of package font.
//
// Package board has the boards, positions, patterns and numbers themselves.
package peg
