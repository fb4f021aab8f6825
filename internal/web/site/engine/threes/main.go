//go:build js

// Command threes is the engine of the page for Threes.
package main

import (
	"pagoda/internal/web/site/engine"
	"pagoda/layers"
	"pagoda/puzzle/tiles"
	"pagoda/run"
)

func main() {
	layers.Use(layers.ChanceValues)
	engine.Main(tiles.Threes(), run.Chance)
}
