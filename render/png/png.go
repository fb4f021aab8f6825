// Package png writes pictures as PNG. It is a package of its own, so that a small program need not have the encoder:
//
//	err := png.Encode(w, picture)
package png

import (
	"image/png"
	"io"

	"pagoda/render"
)

// Encode writes a picture as a PNG.
func Encode(w io.Writer, p *render.Picture) error {
	img, err := p.Image()
	if err != nil {
		return err
	}
	return png.Encode(w, img)
}
