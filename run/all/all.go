// Package all registers all engines, and checkpoints. A program imports it for that alone, as it
// imports image formats.
package all

import "pagoda/run"

func init() {
	run.Use(run.Blocks, run.Sets, run.Numbers, run.Sparse, run.Bounds, run.Plain, run.Chance)
	run.UseCheckpoints()
}
