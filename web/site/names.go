package main

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Puzzles have other names than those of this program, some in other languages. People search by all of them.

// names.csv has a row for each name: the puzzles that have it, as a pattern of path.Match; what it is; its language, as
// a tag such as zh-Hant; and the name. It is a title, if the program has none for people; the kind of the puzzle; another
// name of the puzzle; words by which one may find it; or a state whose picture stands for a puzzle that has no start. Of
// titles, kinds and pictures, the last one counts.
//
// The Chinese names of layouts of Huarong Dao are those of fayaa.com/youxi/hrd, and the second ones those of
// github.com/SimonHung/Klotski, whose boards with the numbers in the library are the same.
//
//go:embed names.csv
var namesFile []byte

// A naming is a row of names.csv.
type naming struct{ puzzles, use, lang, name string }

// The uses of names.
const (
	useTitle   = "title"
	useKind    = "kind"
	useAlso    = "also"
	useFind    = "find"
	usePicture = "picture"
)

// namings reads names.csv.
func namings() (all []naming, err error) {
	rows, err := csv.NewReader(bytes.NewReader(namesFile)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("names.csv: %w", err)
	}
	for _, row := range rows[1:] {
		n := naming{row[0], row[1], row[2], row[3]}
		switch _, err := path.Match(n.puzzles, ""); {
		case err != nil:
			return nil, fmt.Errorf("names.csv: %s: %w", n.puzzles, err)
		case !slices.Contains([]string{useTitle, useKind, useAlso, useFind, usePicture}, n.use):
			return nil, fmt.Errorf("names.csv: %s has the use %q, expected title, kind, also, find or picture", n.puzzles, n.use)
		case n.name == "" || (n.use == useAlso) != (n.lang != ""):
			return nil, fmt.Errorf("names.csv: the %s %q of %s is in the language %q, expected a name, and a language of other names alone", n.use, n.name, n.puzzles, n.lang)
		}
		all = append(all, n)
	}
	return all, nil
}

// An otherName is what else people call a puzzle.
type otherName struct {
	Lang string `json:"lang"`
	Name string `json:"name"`
}

// name finds what people call a puzzle.
func (p *collected) name(all []naming) {
	p.Title = sentence(strings.ReplaceAll(p.About, " x ", " × "))
	for _, n := range all {
		if ok, _ := path.Match(n.puzzles, p.Name); !ok { // the pattern is valid
			continue
		}
		switch n.use {
		case useTitle:
			p.Title = n.name
		case useKind:
			p.Kind = n.name
		case useAlso:
			p.Also = append(p.Also, otherName{n.lang, n.name})
		case useFind:
			p.find = append(p.find, n.name)
		case usePicture:
			p.start = n.name
		}
	}
}

// whole keeps the sizes in a title together, as in 3 × 4.
func whole(title string) string { return strings.ReplaceAll(title, " × ", "\u00a0×\u00a0") }
