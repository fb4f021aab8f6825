//go:build js

// Command lunar is the engine of the page for Lunar Lockout.
package main

import (
	"pagoda/puzzle/lunar"
	"pagoda/run"
	"pagoda/web/site/engine"
)

func main() { engine.Main(lunar.Family(), run.Numbers) }
