package draw

import (
	"image/color"

	"pagoda/render"
)

// A Palette says how tiles get their colours.
type Palette int

const (
	// Doubling has a colour for each power of two.
	Doubling Palette = iota
	// Thirds has a blue tile 1, a red tile 2, and pale others, as in Threes.
	Thirds
)

// greatest is the greatest tile.
const greatest = 15

// doubling are the colours of tiles 1 to 15 in the light theme.
var doubling = [greatest]uint32{0xeee4da, 0xede0c8, 0xf2b179, 0xf59563, 0xf67c5f, 0xf65e3b, 0xedcf72, 0xedcc61, 0xedc850, 0xedc53f,
	0xedc22e, 0x6f6552, 0x574f40, 0x3c3a32, 0x27251f}

func rgb(hex uint32) color.RGBA {
	return color.RGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 255}
}

// face returns the colour of a tile, 1 to 15.
func (p Palette) face(t render.Theme, tile uint8) color.RGBA {
	light := t.Name == "light"
	share := float64(tile-1) / (greatest - 1)
	switch {
	case p == Doubling && light:
		return rgb(doubling[tile-1])
	case p == Doubling:
		return t.Shade(1 - share)
	case tile == 1 && light:
		return rgb(0x66ccff)
	case tile == 2 && light:
		return rgb(0xff6680)
	case tile == 1:
		return t.Blocks[1]
	case tile == 2:
		return t.Blocks[0]
	case light:
		return render.Mix(rgb(0xfffdf8), t.Blocks[4], share*share)
	}
	return render.Mix(render.Mix(t.Background, t.Text, 0.2), t.Blocks[3], share)
}

// Colors returns the colours of a tile, 1 to 15, and of the number on it, as the pictures of a theme have them.
func (p Palette) Colors(t render.Theme, tile uint8) (face, letters color.RGBA) {
	face = p.face(t, tile)
	return face, number(face)
}

// number returns a colour for the number on a face.
func number(face color.RGBA) color.RGBA {
	c := render.BlockOf(face).Letter
	for _, strong := range []color.RGBA{rgb(0), rgb(0xffffff)} {
		if render.Contrast(c, face) < 4.5 {
			c = strong
		}
	}
	return c
}
