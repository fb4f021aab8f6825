package tab_test

import (
	"encoding/json"
	"strings"
	"testing"

	"pagoda/puzzle"
	"pagoda/puzzle/builtin"
	"pagoda/web/site/tab"
)

// What no tab can hold is refused without a search, with its number of positions where that is known, and the board says
// so. What a tab can hold is not refused.
func TestLook(t *testing.T) {
	families := builtin.Families()
	for _, c := range []struct {
		name, reason string // that begins so
		board        bool   // the page can show it before it is enumerated
	}{
		{"slide/n4x4", "it has 10,461,394,944,000 positions, too many for a browser", true},
		{"slide/n3x5", "it has 653,837,184,000 positions, too many for a browser", true},
		{"slide/n5x5", "it has 7,755,605,021,665,492,992,000,000 positions, too many for any computer", true},
		{"peg/7x7", "it has 19,519,350,640,161 positions, too many for a browser", true},
		{"peg/hexagon37", "it has too many positions for a browser", true},
		{"2048/4x4", "it has more positions than any computer can hold", true},
		{"2048/3x3", "it has too many positions for a browser", true},
		{"lunar/5x5:5-5", "it has too many positions for a browser", true},
		{"slide/n3x4", "", true},
		{"slide/klotski", "", true},
		{"slide/cube", "", false},
		{"peg/english", "", false},
		{"peg/5x7", "", false},
		{"2048/2x4:256", "", false},
		{"threes/2x3", "", false},
		{"lunar/5x5:3-4", "", false},
	} {
		sp, err := families.Lookup(t.Context(), c.name, nil, puzzle.Choice{Memory: tab.Memory})
		if err != nil {
			t.Fatal(err)
		}
		e, err := tab.Look(t.Context(), families.Of(sp), sp)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if reason := strings.TrimPrefix(e.Refused, "No tab can compute this puzzle: "); !strings.HasPrefix(reason, c.reason) || (c.reason == "") != (reason == "") {
			t.Errorf("%s is refused with %q, want %q", c.name, e.Refused, c.reason)
		}
		if (e.Board != nil) != c.board {
			t.Errorf("%s has the board %s", c.name, e.Board)
		}
		if !c.board {
			continue
		}
		var board struct {
			NoHints string `json:"no_hints"`
		}
		if err := json.Unmarshal(e.Board, &board); err != nil {
			t.Fatal(err)
		}
		reason := c.reason
		if proves := c.name == "slide/n4x4" || c.name == "slide/n3x5"; proves != e.Proves {
			t.Errorf("%s has hints by a search: %v", c.name, e.Proves)
		} else if proves {
			reason = ""
		}
		if !strings.HasPrefix(board.NoHints, reason) || (reason == "") != (board.NoHints == "") {
			t.Errorf("the board of %s says %q, want %q", c.name, board.NoHints, c.reason)
		}
	}
}
