//go:build ignore

// This program writes the outlines of the characters of Go Regular in glyphs.bin.
package main

import (
	"encoding/binary"
	"log"
	"os"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

func main() {
	f, err := sfnt.Parse(goregular.TTF)
	if err != nil {
		log.Fatal(err)
	}
	units := fixed.Int26_6(f.UnitsPerEm())
	var b sfnt.Buffer
	var runes []rune
	data := binary.AppendUvarint(nil, uint64(units))
	for r := rune(0); r <= 0xffff; r++ {
		x, err := f.GlyphIndex(&b, r)
		if err != nil {
			log.Fatal(err)
		}
		if x != 0 || r == 0 { // 0 stands for what the font lacks
			runes = append(runes, r)
		}
	}
	data = binary.AppendUvarint(data, uint64(len(runes)))
	last := rune(0)
	for _, r := range runes {
		x, _ := f.GlyphIndex(&b, r)
		if r == 0 {
			x = 0
		}
		advance, err := f.GlyphAdvance(&b, x, units, font.HintingNone)
		if err != nil {
			log.Fatal(err)
		}
		segments, err := f.LoadGlyph(&b, x, units, nil)
		if err != nil {
			log.Fatal(err)
		}
		data = binary.AppendUvarint(data, uint64(r-last))
		data = binary.AppendUvarint(data, uint64(advance))
		last = r
		var outline []byte
		var at fixed.Point26_6
		for _, s := range segments {
			outline = append(outline, byte(s.Op))
			points := map[sfnt.SegmentOp]int{sfnt.SegmentOpMoveTo: 1, sfnt.SegmentOpLineTo: 1, sfnt.SegmentOpQuadTo: 2}[s.Op]
			if points == 0 {
				log.Fatalf("%q: an outline of TrueType has no cubic parts", r)
			}
			for _, p := range s.Args[:points] {
				outline = binary.AppendVarint(outline, int64(p.X-at.X))
				outline = binary.AppendVarint(outline, int64(p.Y-at.Y))
				at = p
			}
		}
		data = binary.AppendUvarint(data, uint64(len(outline)))
		data = append(data, outline...)
	}
	if err := os.WriteFile("glyphs.bin", data, 0o644); err != nil {
		log.Fatal(err)
	}
}
