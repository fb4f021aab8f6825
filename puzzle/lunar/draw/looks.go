package draw

import (
	"fmt"
	"image/color"
	"slices"
	"strings"

	"pagoda/internal/suggest"
	"pagoda/puzzle/lunar/board"
	"pagoda/puzzle/lunar/problem"
	"pagoda/render"
)

// Looks are what people see in pieces that have a colour of their own, by the characters of the pieces.
// Names are shown in captions.
type Looks map[byte]problem.Piece

// bright are the colours of the letter pieces, in the order of board.LetterNames. Colour-blind
// people can distinguish them.
var bright = []color.RGBA{
	{0xc8, 0x37, 0x1a, 255}, // red
	{0x13, 0x68, 0xd1, 255}, // blue
	{0xf5, 0xc6, 0x1d, 255}, // yellow
	{0x02, 0x58, 0x4f, 255}, // green
	{0xe1, 0x7f, 0xb2, 255}, // pink
	{0x81, 0xd7, 0xf6, 255}, // sky blue
}

// colours are those that texts name.
var colours = map[string]color.RGBA{
	"red": bright[0], "blue": bright[1], "yellow": bright[2], "green": bright[3], "pink": bright[4],
	"orange": {0xe6, 0x84, 0x1e, 255}, "purple": {0x7d, 0x3f, 0x98, 255}, "brown": {0x85, 0x55, 0x33, 255},
	"black": {0x2a, 0x28, 0x28, 255}, "grey": {0x85, 0x83, 0x80, 255}, "white": {0xf4, 0xf1, 0xea, 255},
}

// check returns an error if a colour is not known.
func (l Looks) check() error {
	for ch := range 256 { // in order, so that the error is always the same
		if piece, ok := l[byte(ch)]; ok && colours[piece.Colour].A == 0 {
			return fmt.Errorf("expected a colour of piece %c: %s; found %.40q", ch, suggest.Either(problem.Colours()), piece.Colour)
		}
	}
	return nil
}

// block returns the colours of a piece.
func (l Looks) block(piece byte, t render.Theme) render.Block {
	if own, ok := l[piece]; ok {
		return render.BlockOf(colours[own.Colour])
	}
	if board.IsLetter(piece) {
		return render.BlockOf(bright[strings.IndexByte(board.LetterNames, piece)%len(bright)])
	}
	return render.BlockOf(render.Mix(t.Text, t.Hole, 0.25))
}

// maxName bounds the characters of a name in a caption, so that a sheet does not become too wide.
const maxName = 24

// name returns the name of a piece in one line, or "".
func (l Looks) name(piece byte) string {
	name := []rune(strings.Join(strings.Fields(l[piece].Name), " "))
	if len(name) > maxName {
		name = append(slices.Clip(name[:maxName-3]), '.', '.', '.')
	}
	return string(name)
}
