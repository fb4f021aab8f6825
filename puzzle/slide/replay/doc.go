// Package replay checks solutions of sliding-block puzzles: it makes their moves on a drawing of
// the tray, one cell at a time.
//
// It shares no code with the searches. For it, a piece is a letter in the drawing. Apart from the drawing
// it knows only the axes of the pieces and the thin walls. So it finds errors in the way that the searches
// represent positions and make moves.
//
//   - Moves checks that each move is one of a metric.
//   - Solution checks also that the moves lead to a goal.
package replay
