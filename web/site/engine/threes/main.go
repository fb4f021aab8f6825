//go:build js

// Command threes is the engine of the page for Threes.
package main

import (
	"pagoda/layers"
	"pagoda/puzzle/tiles"
	"pagoda/run"
	"pagoda/web/api"
	"pagoda/web/site/engine"
)

func main() {
	layers.Use(layers.ChanceValues)
	engine.Main(tiles.Threes(), api.Options{}, run.Chance)
}
