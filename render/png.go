//go:build !js

package render

import (
	"image/png"
	"io"
)

// WritePNG writes the picture as a PNG.
func (p *Picture) WritePNG(w io.Writer) error {
	img, err := p.Image()
	if err != nil {
		return err
	}
	return png.Encode(w, img)
}
