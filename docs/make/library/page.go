package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"

	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/slide/tray"
)

// famous are the puzzles of the page.
var famous = []string{"dads", "klotski", "century", "century-and-a-half", "simplicity", "record4x4", "rushhour40", "rushhour"}

// top is the beginning of the page.
const top = `# The library of sliding-block puzzles

The library has %d puzzles by name, from classics to the hardest of small boards, and n-puzzles of every size. All commands take
these names: ` + "`reach solve slide/dads`" + `, ` + "`reach puzzle slide/dads`" + `.

| puzzle | name | positions | steps, lines, moves | solutions | diameter | hardest |
|---|---|---:|---|---:|---:|---:|
`

// bottom is the rest of the page.
const bottom = `
- *Positions* is the number of those that can be reached by moving one piece at a time.
- *Steps, lines, moves* are the lengths of the shortest solutions in three [metrics](../guides/sliding-blocks.md#metrics).
- *Solutions* is the number of shortest solutions in moves. *Diameter* is the greatest distance in moves between two positions.
  *Hardest* is the greatest distance from a position to the goal.

All of this is in [facts.csv](../../puzzle/slide/library/facts.csv) for every puzzle in six metrics; what would take too long to
compute is empty. Each puzzle is a text in [puzzle/slide/library](../../puzzle/slide/library), with its title, author, year and source.
` + "`reach spaces --json`" + ` prints all. To pick and sort:

    reach spaces --where 'cells <= 20 && moves > 100' --sort=-moves
    reach spaces --fields

The texts also give lengths that others have published; ours are equal. ` + "`scripts/reproduce-library.sh`" + ` computes all facts again.
To add a puzzle, write its text into that folder and run ` + "`go generate ./puzzle/slide/library`" + `.
`

// page writes docs/studies/library.md.
func page(t library.Table) (string, error) {
	var s strings.Builder
	fmt.Fprintf(&s, top, len(library.Known()))
	for _, name := range famous {
		name = library.Prefix + name
		p, err := library.Lookup(name)
		if err != nil {
			return "", err
		}
		f := t[name]
		moves := f[tray.Moves]
		fmt.Fprintf(&s, "| %s | `%s` | %s | %s | %s | %s | %s |\n", p.Title, name, humanize.Comma(int64(moves.States)), lengths(f[:tray.Supersteps]),
			humanize.BigComma(moves.Solutions), known(moves.Diameter), known(moves.Hardest))
	}
	return s.String() + bottom, nil
}

// lengths writes the lengths in some metrics.
func lengths(facts []library.Facts) string {
	var all []string
	for _, f := range facts {
		all = append(all, strconv.Itoa(f.Length))
	}
	return strings.Join(all, ", ")
}

// known writes a number, or nothing if it is not known.
func known(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
