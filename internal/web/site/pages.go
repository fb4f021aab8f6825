package main

import (
	"embed"
	"html/template"
)

//go:embed pages
var pageFiles embed.FS

// templates are those of the pages of the collection and of the levels.
var templates = template.Must(template.New("pages").Funcs(template.FuncMap{"dark": dark}).ParseFS(pageFiles, "pages/*.html"))
