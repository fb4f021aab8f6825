//go:build js

// Command slide is the engine of the page for sliding blocks.
package main

import (
	"pagoda/layers"
	"pagoda/puzzle/slide"
	"pagoda/run"
	"pagoda/web/api"
	"pagoda/web/site/engine"
)

func main() {
	layers.Use(layers.Mod3, layers.Sparse)
	engine.Main(slide.Family(), api.Options{}, run.Numbers, run.Sparse)
}
