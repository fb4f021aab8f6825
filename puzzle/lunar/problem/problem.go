package problem

import "pagoda/puzzle/lunar/board"

// A Problem is a board with pieces, or an empty one.
type Problem struct {
	Name  string // for people; may be empty
	Board *board.Board
	// Drawing is where the pieces stand.
	Drawing board.Drawing
	// Renamed reports that the text has a name twice, so that a piece got another one.
	Renamed bool
	// Pieces has what people see in some pieces, by their names.
	Pieces map[byte]Piece
	// Letters and Numbers are how many pieces the problems of a group have. Both are 0 if no group
	// is named.
	Letters, Numbers int
}

// A Piece is what people see in a piece.
type Piece struct {
	Colour string // one of Colours
	Name   string // such as Spacepilot; may be empty
}

// Colours lists the colours of pieces.
func Colours() []string {
	return []string{"red", "orange", "yellow", "green", "blue", "purple", "pink", "brown", "black", "grey", "white"}
}

// Empty reports whether the board has no pieces.
func (p *Problem) Empty() bool { return p.Drawing.Position().All() == 0 }
