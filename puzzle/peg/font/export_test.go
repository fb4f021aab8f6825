package font

import (
	"fmt"
	"strings"
)

// What tests with a space compare with.
var Play, CellsOf = play, cells

// Format writes glyphs as glyphs.txt has them.
func Format(glyphs []Glyph) string {
	var s strings.Builder
	s.WriteString(preface)
	for _, g := range glyphs {
		fmt.Fprintf(&s, "\n'%c', distance %d\n", g.Rune, g.Distance)
		pattern := strings.Split(g.Pattern, "/")
		for i, row := range strings.Split(g.Wish, "/") {
			fmt.Fprintf(&s, "%s  %s\n", row, pattern[i])
		}
	}
	return s.String()
}

// preface is what glyphs.txt begins with.
const preface = `# The font: the wish on the left, and on the right the pattern chosen for it, which can be
# reached. go generate ./puzzle/peg/font writes this file anew, after a change of wishes for example.
`
