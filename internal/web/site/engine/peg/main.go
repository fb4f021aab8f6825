//go:build js

// Command peg is the engine of the page for peg solitaire.
package main

import (
	"pagoda/internal/web/site/engine"
	"pagoda/puzzle/peg"
	"pagoda/run"
)

func main() { engine.Main(peg.Family(), run.Blocks, run.Sets) }
