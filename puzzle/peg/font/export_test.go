package font

// What tests with a space compare with.
var Play, CellsOf = play, cells
