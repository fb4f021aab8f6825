package draw

import "pagoda/puzzle/peg/board"

// What tests with spaces compare with.
var PanelOf, SolutionOf = panel, solution

// NamedBoards returns the boards with a name. Package peg, which has them, imports this one: the tests
// outside of this package set it.
var NamedBoards func() map[string]*board.Board

// NamedShape returns the shape of a name, and which of its cells have pegs at the start, in the same way.
var NamedShape func(name string) (*board.Shape, []bool, error)
