package cli

import (
	"strings"
	"testing"

	"pagoda/puzzle"
)

// All bytes of a file count as read, also margins and the ends of lines.
func TestBatchProgress(t *testing.T) {
	long := strings.Repeat("x", 3*maxBatchLine)
	for _, text := range []string{"", "a\nb\n", "a\r\n\r\nb\r\n", "  a  \n\tb", "a\n" + long + "\r\nb", long} {
		b := &batch{solveFlags: &solveFlags{Program: &Program{Families: puzzle.NewSet()}}}
		lines, before := 0, int64(0)
		err := b.readLines(t.Context(), strings.NewReader(text), func(l *batchLine) bool {
			if lines++; b.read.Load() <= before {
				t.Errorf("%.20q: line %d: %d bytes are read, %d before it", text, l.number, b.read.Load(), before)
			}
			before = b.read.Load()
			return true
		})
		if err != nil || b.read.Load() != int64(len(text)) {
			t.Errorf("%.20q: %d bytes of %d are read in %d lines, %v", text, b.read.Load(), len(text), lines, err)
		}
	}
}
