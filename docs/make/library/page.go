package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"

	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/slide/tray"
)

// top is the beginning of the page.
const top = `# The library of sliding-block puzzles

Every puzzle here has a name that all commands take: ` + "`reach solve slide/dads`, `reach puzzle slide/dads`" + `. All numbers are computed,
and those that others have published agree with them. An empty field is not known: it would take too long.

- *Positions* are those that can be reached, by moves of single pieces. Interchangeable pieces count as the same.
- *Steps, lines, moves* is the length of the shortest solutions: one piece by one cell; by any number of cells in one direction;
  along any path. In *super*, several pieces may move together.
- *Solutions* is the number of shortest solutions, *diameter* the greatest distance between two positions, and *hardest* the
  length from the start that is farthest from the goal; all in moves.

` + "`reach spaces --json`" + ` has all of it in six metrics, and the hardest starts. ` + "`reach spaces --where 'cells <= 20 && moves > 100' --sort=-moves`" + `
picks and sorts; ` + "`reach spaces --fields`" + ` lists by what. ` + "`scripts/reproduce-library.sh`" + ` computes everything again. To add a puzzle, write
its text into ` + "`puzzle/slide/library`" + ` and run ` + "`go generate ./puzzle/slide/library`" + `, which also writes this page.

| puzzle | name | year | tray | pieces | positions | steps, lines, moves | super | solutions | diameter | hardest |
|---|---|---:|---|---:|---:|---|---|---:|---:|---:|
`

// page writes docs/studies/library.md.
func page(t library.Table) (string, error) {
	var table, sources strings.Builder
	for _, name := range library.Known() {
		p, err := library.Lookup(name)
		if err != nil {
			return "", err
		}
		if t[name] == nil {
			continue // fill has not come to it yet
		}
		rows, cols := p.Size()
		size := fmt.Sprintf("%d x %d", rows, cols)
		if n := p.Floors(); n > 1 {
			size = fmt.Sprintf("%d floors of %d x %d", n, p.FloorRows(), cols)
		}
		if rows*cols != len(p.Cells()) {
			size += fmt.Sprintf(", %d cells", len(p.Cells()))
		}
		f := t[name]
		moves := f[tray.Moves]
		solutions := ""
		if moves.Solutions != nil {
			solutions = humanize.BigComma(moves.Solutions)
		}
		fmt.Fprintf(&table, "| %s | `%s` | %s | %s | %d | %s | %s | %s | %s | %s | %s |\n", p.Title, name, known(p.Year), size, len(p.Pieces()),
			comma(moves.States), lengths(f[:tray.Supersteps]), lengths(f[tray.Supersteps:]), solutions, known(moves.Diameter), known(moves.Hardest))
		if p.Source != "" {
			fmt.Fprintf(&sources, "- **%s**, `%s`: %s. %s.\n", p.Title, name, p.Author, p.Source)
		}
	}
	return top + table.String() + "\n## Sources\n\n" + sources.String(), nil
}

// lengths writes the lengths in some metrics.
func lengths(facts []library.Facts) string {
	var all []string
	some := false
	for _, f := range facts {
		all = append(all, known(f.Length))
		some = some || f.Length > 0
	}
	if !some {
		return ""
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

// comma writes a number in groups of three digits, or nothing if it is not known.
func comma(n uint64) string {
	if n == 0 {
		return ""
	}
	return humanize.Comma(int64(n))
}
