package definition

// A Puzzle is sets of pieces that moves permute and turn.
type Puzzle struct {
	Name       string
	Sets       []Set
	Solved     Arrangement
	Moves      []Move    // as they are written: a move of four quarter turns is there once
	Symmetries []Move    `json:",omitempty"` // rotations and mirrors, which are no moves
	Illegal    []Illegal `json:",omitempty"` // what no state may have
}

// A Set has as many places as pieces. A piece that is turned Turns times is as before: 1 if pieces do not turn.
type Set struct {
	Name          string
	Places, Turns int
}

// An Arrangement has the piece at each place of each set.
type Arrangement [][]Piece

// A Piece is one of a kind: those of a kind are alike. Kinds count from 0 in each set. Its turn is from 0 to Turns-1,
// or Any if all turns look alike.
type Piece struct{ Kind, Turn int }

// Any is the turn of a piece that looks alike however it is turned.
const Any = -1

// A Move has, for each place of each set, where its piece comes from, and by how much it turns on its way.
type Move struct {
	Name string
	Sets [][]From
}

// From is a place, and a turn from 0 to Turns-1.
type From struct{ Place, Turn int }

// Illegal says that no state has a piece of a kind at a place: a move that leads to such a state is not allowed.
type Illegal struct{ Set, Place, Kind int }
