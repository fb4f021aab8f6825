//go:build js

// Command slide is the engine of the page for sliding blocks.
package main

import (
	"pagoda/puzzle/slide"
	"pagoda/run"
	"pagoda/web/site/engine"
)

func main() { engine.Main(slide.Family(), run.Numbers, run.Sparse) }
