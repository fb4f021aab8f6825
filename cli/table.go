package cli

import (
	"context"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/statespace"
)

// TableFlags are the flags that pick, sort and show the rows of a table: --where, --sort, --show and
// --limit.
type TableFlags struct {
	where string
	shown *showFlags
	limit *int
}

// NewTableFlags adds the flags to a command. Rows names the rows in the plural, and example is an
// expression.
func NewTableFlags(cmd *cobra.Command, rows, example string) *TableFlags {
	f := &TableFlags{shown: newShowFlags(cmd), limit: LimitFlag(cmd, 0, math.MaxInt, rows)}
	whereFlag(cmd, &f.where, rows, example)
	return f
}

// Pick returns the rows that --where picks, in the order of the table.
func (f *TableFlags) Pick(ctx context.Context, t *ask.Table) ([]int, error) {
	return t.Pick(ctx, f.where, "", 0)
}

// Sorted returns the rows that --where picks, in the order of --sort, as many as --limit allows.
func (f *TableFlags) Sorted(ctx context.Context, t *ask.Table) ([]int, error) {
	return t.Pick(ctx, f.where, f.shown.sort, *f.limit)
}

// List writes the rows that the flags pick, one per line.
func (f *TableFlags) List(cmd *cobra.Command, t *ask.Table) error {
	rows, err := f.Sorted(cmd.Context(), t)
	if err != nil {
		return err
	}
	describe, err := t.Describer(f.shown.fields)
	if err != nil {
		return err
	}
	list := make([]statespace.Index, len(rows))
	for i, row := range rows {
		list[i] = statespace.Index(row)
	}
	return WriteMembers(cmd, func(x statespace.Index) (ask.Member, error) { return describe(int(x)) }, 0, ask.NoErrors(slices.Values(list)))
}
