package draw

import "pagoda/puzzle/peg/board"

// What tests with spaces compare with.
var PanelOf, SolutionOf = panel, solution

// NamedBoards returns the boards with a name. Package peg, which has them, imports this one: the tests
// outside of this package set it.
var NamedBoards func() map[string]*board.Board
