package cli

import (
	"slices"

	"github.com/spf13/cobra"

	"pagoda/internal/console"
	"pagoda/statespace/cells"
)

// Cells adds the flag --cells to a command that writes cells, and returns a function that says how
// it shall write them.
func Cells(cmd *cobra.Command) func() cells.Notation {
	text := new(string)
	console.OneOf(cmd, text, "cells", cells.Notations[cells.RowColumn], cells.Notations,
		"how cells are written: row,column from 0, or d4, the letter of the column and the number of the row from 1; moves of several jumps as d4")
	return func() cells.Notation { return cells.Notation(slices.Index(cells.Notations, *text)) }
}

// BookCells returns the notation of a command that writes moves of several jumps: that of --cells, or
// if the flag is not given that of the books on peg solitaire.
func BookCells(cmd *cobra.Command, given func() cells.Notation) cells.Notation {
	if cmd.Flags().Changed("cells") {
		return given()
	}
	return cells.LetterNumber
}
