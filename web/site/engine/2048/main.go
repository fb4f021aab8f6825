//go:build js

// Command 2048 is the engine of the page for 2048.
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
	engine.Main(tiles.Twenty48(), api.Options{}, run.Chance)
}
