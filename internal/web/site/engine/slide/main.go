//go:build js

// Command slide is the engine of the page for sliding blocks.
package main

import (
	"pagoda/internal/web/site/engine"
	"pagoda/puzzle/slide"
	"pagoda/run"
)

func main() { engine.Main(slide.Family(), run.Numbers, run.Sparse) }
