package main

import (
	"maps"
	"path/filepath"
)

// makePage writes the page of the levels that people make themselves.
func (s *site) makePage(files map[string]string) error {
	script, _, err := s.bundle(filepath.Join(own, "make.js"), nil)
	if err != nil {
		return err
	}
	files = maps.Clone(files)
	files["Script"] = script
	return s.page("make.html", "make.html", map[string]any{"Base": "./", "Files": files})
}
