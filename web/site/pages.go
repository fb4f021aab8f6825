package main

import (
	"embed"
	"html/template"
	"strings"
)

//go:embed pages
var pageFiles embed.FS

// templates are those of the pages beside index.html.
var templates = template.Must(template.New("pages").Funcs(template.FuncMap{"dark": dark, "whole": whole, "top": top}).ParseFS(pageFiles, "pages/*.html"))

// top returns the header of index.html for another page. Base leads from there to the root of the site, and current is
// the address in the menu to which the page belongs.
func top(header, base, current string) template.HTML {
	return template.HTML(strings.NewReplacer(`"./`+current+`"`, `"`+base+current+`" aria-current="page"`, `"./`, `"`+base).Replace(header))
}
