package cli

import (
	"context"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/puzzle"
	"pagoda/render"
	"pagoda/statespace"
)

// Commands is what a family of puzzles brings to the command lines.
type Commands struct {
	// Family is the name of the family.
	Family string
	// Explain explains paths of a space. It may be nil.
	Explain Explain
	// Solving is the part of the family in the command solve. It may be nil.
	Solving *Solving
	// Dealing is the part of the family in the command deck: its kinds of decks.
	Dealing []*Dealing
	// Reach and Query return commands that only this family has: those that take puzzles,
	// and those that ask files. They may be nil.
	Reach, Query func(families *puzzle.Set) []*cobra.Command
}

// An Explain explains how to get from the first state of a path to the last one. It returns the path
// that it explains. When ctx ends, it stops soon and returns the cause.
type Explain func(ctx context.Context, sp statespace.Space, path statespace.Path, o ExplainOptions) (*ask.Route, Explanation, error)

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
