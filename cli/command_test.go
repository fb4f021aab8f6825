package cli

import (
	"context"
	"testing"

	"pagoda/puzzle"
	"pagoda/statespace"
)

// What is said of each family begins in the same column, however long the names are.
func TestFamilyColumns(t *testing.T) {
	family := func(name, about, writing string) *puzzle.Family {
		return &puzzle.Family{Name: name, About: about, Writing: writing,
			Lookup: func(context.Context, string, puzzle.Choice) (statespace.Space, error) {
				return nil, statespace.ErrUnknown
			},
			Define: func(context.Context, statespace.Definition, uint64) (statespace.Space, error) {
				return nil, statespace.ErrUnknown
			},
		}
	}
	const want = `A pattern is a state, in which ? may stand for a cell with anything in it:

  go         Go
             Black and white stones.
             Rows are separated by /.
  soma-cubes Soma cubes
  morris     nine men's morris
             A letter for each point.
`
	families := puzzle.NewSet(family("go", "Go", "Black and white stones.\nRows are separated by /.\n"),
		family("soma-cubes", "Soma cubes", ""), family("morris", "nine men's morris", "A letter for each point."))
	if got := aboutPatterns(families); got != want {
		t.Errorf("the patterns of the families are described as\n%s\nwant\n%s", got, want)
	}
}
