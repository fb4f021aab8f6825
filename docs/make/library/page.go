package main

import (
	_ "embed" // pageText
	"fmt"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"

	"pagoda/internal/lists"
	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/slide/tray"
)

// famous are the puzzles of the page.
var famous = []string{"dads", "klotski", "century", "century-and-a-half", "simplicity", "record4x4", "rushhour40", "rushhour"}

// pageText is the page, in which {{puzzles}} and {{rows}} stand for what the facts say.
//
//go:embed page.tmpl
var pageText string

// page writes docs/studies/library.md.
func page(t library.Table) (string, error) {
	var rows strings.Builder
	for _, name := range famous {
		name = library.Prefix + name
		p, err := library.Lookup(name)
		if err != nil {
			return "", err
		}
		f := t[name]
		moves := f[tray.Moves]
		fmt.Fprintf(&rows, "| %s | `%s` | %s | %s | %s | %s | %s |\n", p.Title, name, humanize.Comma(int64(moves.States)), lengths(f[:tray.Supersteps]),
			humanize.BigComma(moves.Solutions), known(moves.Diameter), known(moves.Hardest))
	}
	return strings.NewReplacer("{{puzzles}}", strconv.Itoa(len(library.Known())), "{{rows}}\n", rows.String()).Replace(pageText), nil
}

// lengths writes the lengths in some metrics.
func lengths(facts []library.Facts) string {
	all := lists.Map(facts, func(f library.Facts) string { return strconv.Itoa(f.Length) })
	return strings.Join(all, ", ")
}

// known writes a number, or nothing if it is not known.
func known(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
