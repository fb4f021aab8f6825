package lunar

import (
	"encoding/hex"
	"fmt"
	"image/color"
	"slices"
	"strings"

	"golang.org/x/image/colornames"

	"pagoda/render"
	"pagoda/statespace/lunar/board"
)

// Looks are the colours and the names of pieces that have some of their own, by the character of the
// piece. The zero value has none.
type Looks struct {
	// Colors are names of colours, as ParseColor reads them.
	Colors map[byte]string
	// Names are shown in captions.
	Names map[byte]string
}

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

// plain are names of colours with a tone that fits in with those of the other pieces.
var plain = map[string]color.RGBA{
	"red": bright[0], "blue": bright[1], "yellow": bright[2], "green": bright[3], "pink": bright[4],
	"orange": {0xe6, 0x84, 0x1e, 255}, "purple": {0x7d, 0x3f, 0x98, 255}, "white": {0xf4, 0xf1, 0xea, 255}, "black": {0x2a, 0x28, 0x28, 255},
	"gray": {0x85, 0x83, 0x80, 255}, "grey": {0x85, 0x83, 0x80, 255}, "brown": {0x85, 0x55, 0x33, 255},
}

// ParseColor returns the colour of a name, such as red or darkorange, or of six hexadecimal digits, such
// as #c8371a. The names are those of CSS and SVG, in large or small letters.
func ParseColor(text string) (color.RGBA, error) {
	name := strings.ToLower(text)
	if c, ok := plain[name]; ok {
		return c, nil
	}
	if c, ok := colornames.Map[name]; ok {
		return c, nil
	}
	if digits, ok := strings.CutPrefix(name, "#"); ok && len(digits) == 6 {
		if c, err := hex.DecodeString(digits); err == nil {
			return color.RGBA{c[0], c[1], c[2], 255}, nil
		}
	}
	return color.RGBA{}, fmt.Errorf("expected a colour, such as red or #c8371a, found %.40q", text)
}

// check returns an error if a colour cannot be read.
func (l Looks) check() error {
	for ch := range 256 { // in order, so that the error is always the same
		if text, ok := l.Colors[byte(ch)]; ok {
			if _, err := ParseColor(text); err != nil {
				return fmt.Errorf("piece %c: %w", ch, err)
			}
		}
	}
	return nil
}

// block returns the colours of a piece.
func (l Looks) block(piece byte, t render.Theme) render.Block {
	if text, ok := l.Colors[piece]; ok {
		c, _ := ParseColor(text) // Check has read it
		return render.BlockOf(c)
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
	name := []rune(strings.Join(strings.Fields(l.Names[piece]), " "))
	if len(name) > maxName {
		name = append(slices.Clip(name[:maxName-3]), '.', '.', '.')
	}
	return string(name)
}
