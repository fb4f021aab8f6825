// Package static has the files of the page, and puts its sections together.
package static

import (
	"embed"
	"fmt"
	"strings"

	"pagoda/puzzle"
)

// Files are those of the page. Each module of view is the script of a puzzle.Page, beside the HTML of its sections.
//
//go:embed *.css *.html *.js *.svg view
var Files embed.FS

// Index returns index.html with the sections in which people play the puzzles of some families.
func Index(families *puzzle.Set) (string, error) {
	index, err := Files.ReadFile("index.html")
	if err != nil {
		return "", err
	}
	var sections []byte
	for _, p := range families.Pages() {
		section, err := Files.ReadFile("view/" + p.View + ".html")
		if err != nil {
			return "", fmt.Errorf("%s have no view: %w", p.Title, err)
		}
		sections = append(append(sections, section...), '\n')
	}
	return strings.Replace(string(index), "  <!-- Here are the sections of the views: view/*.html. -->\n\n", string(sections), 1), nil
}
