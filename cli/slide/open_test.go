package slide

import (
	"context"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"pagoda/internal/console"
	"pagoda/puzzle"
	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace"
	"pagoda/statespace/cells"
)

func TestOpenPuzzle(t *testing.T) {
	cmd := new(cobra.Command)
	cmd.SetContext(t.Context())
	rows := &puzzle.Family{
		Name: "rows", About: "rows of o",
		Lookup: func(_ context.Context, name string, _ puzzle.Choice) (statespace.Space, error) {
			if name == "rows/eight" {
				return nil, nil
			}
			return nil, statespace.ErrUnknown
		},
		Define: func(context.Context, statespace.Definition, uint64) (statespace.Space, error) {
			return nil, statespace.ErrUnknown
		},
		Reads: func(text string) bool { return strings.HasPrefix(text, "o.o") },
		Read: func(_ context.Context, _, text string, _ puzzle.Choice) (statespace.Space, error) {
			if strings.Trim(text, "o.\n") != "" {
				return nil, &cells.SyntaxError{Line: 1, Col: 1, Reason: "no row"}
			}
			return nil, nil
		},
	}
	families := puzzle.NewSet(slide.Family(), rows)
	open := func(arg, stdin string) (*tray.Puzzle, string, error) {
		cmd.SetIn(strings.NewReader(stdin))
		return openPuzzle(cmd, families, arg)
	}
	klotski, err := library.Lookup("slide/klotski")
	if err != nil {
		t.Fatal(err)
	}
	if p, name, err := open("slide/klotski", ""); err != nil || name != "slide/klotski" || p.Format() != klotski.Format() {
		t.Errorf("slide/klotski is %s, %v", name, err)
	}
	if p, name, err := open("klotski", ""); err != nil || name != "slide/klotski" || p.Format() != klotski.Format() {
		t.Errorf("klotski is %s, %v", name, err)
	}
	if p, name, err := open("-", klotski.Format()); err != nil || name != "stdin" || p.Format() != klotski.Format() {
		t.Errorf("the text of slide/klotski is %s, %v", name, err)
	}
	for _, c := range []struct{ arg, stdin, want string }{
		{"slide/klotski@hops", "", `unknown space "slide/klotski@hops"`},
		{"klotsky@steps", "", `unknown space "klotsky@steps"; did you mean slide/klotski@steps?`},
		{"klotsky", "", `unknown space "klotsky"; did you mean slide/klotski? ` + "`reach spaces` lists all"},
		{"abracadabra", "", "neither in the library nor a file that draws a tray; `reach spaces` lists all"},
		{"slide/n1x4", "", "at least two rows and columns and at most 61 tiles, found 1x4"},
		{"rows/7", "", `"rows/7" is of the family rows (rows of o): expected a sliding-block puzzle`},
		{"eight", "", `"eight" is of the family rows (rows of o): expected a sliding-block puzzle`},
		{"-", "o.o\n", "stdin: it is of the family rows (rows of o): expected a sliding-block puzzle"},
		{"-", "o.oA.A\n", "stdin:1:3: piece o is not in one part"},
		{"-", "tray:\nA?\n", "stdin:2:"},
	} {
		if p, _, err := open(c.arg, c.stdin); p != nil || !console.IsUsage(err) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", c.arg, err, c.want)
		}
	}
}
