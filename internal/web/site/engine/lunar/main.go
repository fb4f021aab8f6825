//go:build js

// Command lunar is the engine of the page for Lunar Lockout.
package main

import (
	"pagoda/internal/web/site/engine"
	"pagoda/puzzle/lunar"
	"pagoda/run"
)

func main() { engine.Main(lunar.Family(), run.Numbers) }
