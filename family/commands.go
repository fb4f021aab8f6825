//go:build !js

package family

import (
	"context"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/render"
	"pagoda/statespace"
)

// Commands is what a family contributes to commands. A browser has none: there it is empty, and the
// files of families with commands are left out.
type Commands struct {
	// Explain explains how to get from the first state of a path to the last one. It returns the path
	// that it explains. When ctx ends, it stops soon and returns the cause. It may be nil.
	Explain func(ctx context.Context, sp statespace.Space, path statespace.Path, o ExplainOptions) (*ask.Route, Explanation, error)
	// Solving is the part of the family in the command solve. It may be nil.
	Solving *Solving
	// Dealing is the part of the family in the command deck. It may be nil.
	Dealing *Dealing
	// Reach and Query return commands that only this family has: those that take puzzles,
	// and those that ask files. They may be nil.
	Reach, Query func(s *Set) []*cobra.Command
}

// ExplainOptions say how a path is explained.
type ExplainOptions struct {
	Keep   bool   // explain this path; otherwise also another one, which is easier to explain
	Memory uint64 // bounds the bytes that a search takes, about; 0 leaves it to the family
}

// An Explanation says in the terms of a puzzle how a path solves it.
type Explanation interface {
	ask.Explanation
	// Film draws the path: the panels are the steps of the explanation, the frames the moves.
	Film() (render.Film, error)
}
