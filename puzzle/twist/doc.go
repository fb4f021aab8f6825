// Package twist has the spaces of permutation puzzles: sets of pieces that moves permute and turn, such as the corners
// and edges of a cube, or the pieces of TopSpin. Package definition reads their definitions.
//
// The states are a group, or where pieces look alike, what a group makes of the solved state. They have dense numbers,
// as many as there are states, whatever the moves are: nobody says which parities or sums they keep. A number is a row
// and a column (see package rows), both made of links of a chain. The first link numbers what a view sees of a state, and an
// action takes this back, as one of a group does. The second one numbers what another view sees of the rest, and so on. The
// last link is the column. Schreier's lemma says which actions the rest has.
//
// What has too many states for rows and columns has codes: a byte for each place. Paths are found from both ends, or by
// bounds: a pattern is the space of the same puzzle in which most pieces are alike, and its distances are bounds.
//
// A space begins at the solved state and goes against the moves, as searches count how far states are from there. A path
// solves a state.
package twist
