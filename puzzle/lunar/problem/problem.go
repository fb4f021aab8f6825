package problem

import (
	"cmp"
	"fmt"
	"strings"

	"pagoda/internal/lists"
	"pagoda/puzzle/lunar/board"
	"pagoda/statespace/cells"
)

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

// Format writes a problem as a text that Parse reads.
func (p *Problem) Format() string {
	var s strings.Builder
	s.WriteString(firstLine + "\n")
	if p.Name != "" {
		fmt.Fprintf(&s, "name: %s\n", p.Name)
	}
	if exits := p.exitsLine(); exits != "" {
		fmt.Fprintf(&s, "exits: %s\n", exits)
	}
	for _, name := range p.Drawing {
		if piece, ok := p.Pieces[name]; ok && name != 0 {
			fmt.Fprintln(&s, strings.TrimRight(fmt.Sprintf("piece %c: %s %s", name, piece.Colour, piece.Name), " "))
		}
	}
	if p.Letters != 0 || p.Numbers != 0 {
		fmt.Fprintf(&s, "group: %d-%d\n", p.Letters, p.Numbers)
	}
	for _, line := range p.Board.Lines(func(cell int) byte { return cmp.Or(p.Drawing[cell], p.Board.EmptyAt(cell)) }) {
		s.WriteString(line + "\n")
	}
	return s.String()
}

// exitsLine returns the cells that the drawing does not show as exits, though they are. It is empty if
// the drawing alone has the same exits.
func (p *Problem) exitsLine() string {
	var shown, hidden []cells.Cell
	for i, c := range p.Board.Cells() {
		switch {
		case p.Board.Exits()>>i&1 == 0:
		case p.Drawing[i] == 0:
			shown = append(shown, c)
		default:
			hidden = append(hidden, c)
		}
	}
	if b, err := board.New(p.Board.Cells(), shown); err == nil && b.Exits() == p.Board.Exits() {
		return ""
	}
	return strings.Join(lists.Map(hidden, cells.Cell.String), ", ")
}
