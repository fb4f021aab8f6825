package main

import (
	_ "embed" // pageText
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/dustin/go-humanize"

	"pagoda/internal/lists"
)

// pageText is a template of the page. The functions of page are its tables.
//
//go:embed page.tmpl
var pageText string

// page returns the page.
func (r *results) page() (string, error) {
	kinds := []string{strict, fromAnywhere, toAnywhere, bothAnywhere}
	hardest := func(board, goal, metric string) *result { return r.hardest(key{board, goal, metric}) }
	t, err := template.New("page").Funcs(template.FuncMap{
		"boards": func() []string { return boards }, "metrics": func() []string { return metrics }, "kinds": func() []string { return kinds },
		"hardest": hardest, "lengths": r.lengths, "records": r.records, "differences": r.differences, "boxes": r.boxes,
		"searchedAnywhere": func(board string) bool {
			return !slices.ContainsFunc(kinds, func(goal string) bool { return hardest(board, goal, "moves") == nil })
		},
		"justSolved": func() string { return humanize.Comma(int64(r.sizes[[2]string{"4x4", strict}].solved)) },
	}).Parse(pageText)
	if err != nil {
		return "", err
	}
	var s strings.Builder
	err = t.Execute(&s, nil)
	return s.String(), err
}

// lengths returns the greatest lengths of a search by number of pieces.
func (r *results) lengths(board, goal, metric string) string {
	all := lists.Map(r.found[key{board, goal, metric}], func(one result) string { return fmt.Sprintf("%d: %d", one.Pieces, one.Length) })
	return strings.Join(all, ", ")
}

// differences returns rows of where the goals that are not strict give other lengths.
func (r *results) differences() (rows []string) {
	for _, board := range boards {
		for _, metric := range metrics {
			for _, one := range r.found[key{board, loose, metric}] {
				length := 0
				if other := r.at(key{board, strict, metric}, one.Pieces); other != nil {
					length = other.Length
				}
				if length != one.Length {
					rows = append(rows, fmt.Sprintf("%s | %s | %d | %d | %d", board, metric, one.Pieces, length, one.Length))
				}
			}
		}
	}
	return rows
}

// boxes returns rows that compare boxes with boards of one floor that have as many cells.
func (r *results) boxes() (rows []string) {
	for _, box := range boards {
		most := r.hardest(key{box, strict, "moves"})
		if strings.Count(box, "x") < 2 || most == nil {
			continue
		}
		var flat []string
		for _, board := range boards {
			if other := r.hardest(key{board, strict, "moves"}); other != nil && strings.Count(board, "x") == 1 && cells(board) == cells(box) {
				flat = append(flat, fmt.Sprintf("%s: %d", board, other.Length))
			}
		}
		rows = append(rows, fmt.Sprintf("%s | %d | %s", box, most.Length, strings.Join(flat, ", ")))
	}
	return rows
}
