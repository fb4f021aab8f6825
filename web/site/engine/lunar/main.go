//go:build js

// Command lunar is the engine of the page for Lunar Lockout.
package main

import (
	"pagoda/layers"
	"pagoda/puzzle/lunar"
	"pagoda/run"
	"pagoda/web/api"
	"pagoda/web/site/engine"
)

func main() {
	layers.Use(layers.Set, layers.Folded, layers.Mod3, layers.Distance)
	engine.Main(lunar.Family(), api.Options{}, run.Numbers)
}
