//go:build js

// Command peg is the engine of the page for peg solitaire.
package main

import (
	"pagoda/puzzle/peg"
	"pagoda/run"
	"pagoda/web/site/engine"
)

func main() { engine.Main(peg.Family(), run.Blocks, run.Sets) }
