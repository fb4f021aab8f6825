package main

import (
	"context"
	"maps"
	"math/big"
	"path/filepath"
)

// A level is a puzzle on the page of levels.
type level struct {
	Name  string `json:"name"`
	About string `json:"about"`
	Text  string `json:"text"` // draws it
	// Lengths are those of the shortest solutions, by the metric. What is not known is left out.
	Lengths map[string]*big.Int `json:"lengths"`
}

// levels writes the page of the puzzles that people can play one after another: those that a text draws, of
// families that count moves in several ways, and that a tab can compute. Files has what all pages of the site need.
func (s *site) levels(ctx context.Context, files map[string]string) error {
	var all []level
	for _, f := range s.families.All() {
		if f.Play == nil || f.Entries == nil {
			continue
		}
		for _, e := range f.Entries() {
			if e.Text == nil || e.Facts == nil {
				continue
			}
			if !s.playable(e) {
				continue
			}
			l := level{e.Name, e.About, e.Text(), make(map[string]*big.Int)}
			numbers := e.Facts().Numbers
			for _, o := range f.Options {
				for _, v := range o.Values {
					if n := numbers[v]; n != nil {
						l.Lengths[v] = n
					}
				}
			}
			all = append(all, l)
		}
	}
	script, _, err := s.bundle(filepath.Join(own, "levels.js"), map[string]any{"globalThis.PAGODA_LEVELS": all})
	if err != nil {
		return err
	}
	files = maps.Clone(files)
	files["Script"] = script
	return s.page("levels.html", "levels.html", map[string]any{"Base": "./", "Files": files})
}
