// Package all gives a program all engines, and checkpoints: it is imported for that alone, as image formats are.
package all

import "pagoda/run"

func init() {
	run.Use(run.PackedBlocks, run.Sets, run.UnmarkedNumbers, run.Sparse, run.Plain, run.Chance)
	run.UseCheckpoints()
}
