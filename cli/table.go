package cli

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/internal/console"
	"pagoda/statespace"
)

// TableFlags are the flags that pick, sort and show the rows of a table: --where, --sort, --show and
// --limit.
type TableFlags struct {
	cmd   *cobra.Command
	where string
	shown *showFlags
	limit LimitFlag
	most  int
}

// NewTableFlags adds the flags to a command. Rows names the rows in the plural, and example is an
// expression.
func NewTableFlags(cmd *cobra.Command, rows, example string) *TableFlags {
	f := &TableFlags{cmd: cmd, shown: newShowFlags(cmd), limit: NewLimitFlag(cmd, 0, rows)}
	cmd.Flags().StringVar(&f.where, "where", "", fmt.Sprintf("only %s for which this `EXPRESSION` of fields is true, such as '%s'", rows, example))
	return f
}

// Check refuses empty flags.
func (f *TableFlags) Check() (err error) {
	if err := console.NotEmpty(f.cmd, "where", "sort"); err != nil {
		return err
	}
	f.most, err = f.limit.Get(math.MaxInt)
	return err
}

// Pick returns the rows that --where picks, in the order of the table.
func (f *TableFlags) Pick(ctx context.Context, t *ask.Table) ([]int, error) {
	return t.Pick(ctx, f.where, "", 0)
}

// Sorted returns the rows that --where picks, in the order of --sort, as many as --limit allows.
func (f *TableFlags) Sorted(ctx context.Context, t *ask.Table) ([]int, error) {
	return t.Pick(ctx, f.where, f.shown.sort, f.most)
}

// List writes the rows that the flags pick, one per line.
func (f *TableFlags) List(ctx context.Context, w io.Writer, t *ask.Table, asJSON bool) error {
	rows, err := f.Sorted(ctx, t)
	if err != nil {
		return err
	}
	describe, err := t.Describer(f.shown.fields)
	if err != nil {
		return err
	}
	return WriteMembers(ctx, w, func(x statespace.Index) (ask.Member, error) { return describe(int(x)) }, 0, asJSON, func(yield func(statespace.Index, error) bool) {
		for _, row := range rows {
			if !yield(statespace.Index(row), nil) {
				return
			}
		}
	})
}
