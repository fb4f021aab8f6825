//go:build js

// Command peg is the engine of the page for peg solitaire.
package main

import (
	"pagoda/layers"
	"pagoda/puzzle/peg"
	"pagoda/run"
	"pagoda/web/api"
	"pagoda/web/site/engine"
)

func main() {
	layers.Use(layers.Set, layers.Folded)
	engine.Main(peg.Family(), api.Options{Pictures: api.Pictures}, run.Blocks, run.Sets)
}
