//go:build js

// Command 2048 is the engine of the page for 2048.
package main

import (
	"pagoda/internal/web/site/engine"
	"pagoda/layers"
	"pagoda/puzzle/tiles"
	"pagoda/run"
)

func main() {
	layers.Use(layers.ChanceValues)
	engine.Main(tiles.Twenty48(), run.Chance)
}
