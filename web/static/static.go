// Package static has the files of the page, and puts its sections together.
package static

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"pagoda/puzzle"
)

// Files are those of the page. Each module of view is the script of a puzzle.Page, beside the HTML of its sections.
//
//go:embed *.css *.html *.js *.svg view
var Files embed.FS

// place is where the sections are in index.html.
const place = "  <!-- Here are the sections of the views: view/*.html. -->\n"

// Index returns index.html with the sections in which people play the puzzles of some families.
func Index(families *puzzle.Set) (string, error) {
	index, err := Files.ReadFile("index.html")
	if err != nil {
		return "", err
	}
	if !strings.Contains(string(index), place) {
		return "", fmt.Errorf("index.html has no line %q", place)
	}
	var views, sections []string
	for _, f := range families.All() {
		if f.Page == nil || slices.Contains(views, f.Page.View) {
			continue
		}
		views = append(views, f.Page.View)
		section, err := Files.ReadFile("view/" + f.Page.View + ".html")
		if err != nil {
			return "", fmt.Errorf("the page of %s: %w", f.Name, err)
		}
		sections = append(sections, string(section))
	}
	return strings.Replace(string(index), place, strings.Join(sections, "\n"), 1), nil
}
