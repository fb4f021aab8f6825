package cli

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/internal/console"
	"pagoda/internal/lists"
	"pagoda/statespace"
	"pagoda/statespace/cells"
)

// A picker opens the file of the arguments FILE [PATTERN] and picks members of it.
type picker struct {
	p          *Program
	layers     *cells.Range
	where      string
	complement bool
	job        *Job
}

// newPicker adds the flags that pick members to a command, with those of a Job.
func (p *Program) newPicker(cmd *cobra.Command) *picker {
	k := &picker{p: p, layers: LayerFlag(cmd, p.Families), job: NewJob(cmd, console.OfFile)}
	whereFlag(cmd, &k.where, "members", "branching > 2")
	cmd.Flags().BoolVar(&k.complement, "complement", false, "pick states that have a number and are not in the file, instead of members")
	return k
}

// whereFlag adds the flag --where.
func whereFlag(cmd *cobra.Command, p *string, rows, example string) {
	cmd.Flags().StringVar(p, "where", "", fmt.Sprintf("only %s for which this `EXPRESSION` of fields is true, such as '%s'", rows, example))
	console.Expect(cmd, "where", fmt.Sprintf("an expression such as '%s'", example))
}

// asking returns what runs a command that asks the file about the members that are picked.
func (k *picker) asking(do func(cmd *cobra.Command, f *ask.File, c ask.Pick) error) func(*cobra.Command, []string) error {
	return k.p.asking(func(cmd *cobra.Command, f *ask.File, args []string) error {
		c := ask.Pick{Layers: k.layers, Where: k.where, Complement: k.complement, Options: k.job.Options()}
		if len(args) > 0 {
			c.Pattern = args[0]
		}
		return do(cmd, f, c)
	})
}

const picking = `With a pattern, only the members that agree with it count; ? is an open cell, with anything
in it. With --where, only those count for which an expression of fields is true. query fields
lists the fields. An expression is written as in Go: numbers, true and false, + - * / %, == !=
< <= > >=, && || !, brackets, abs, min and max. The result of / may be a fraction; % is of whole
numbers, with the sign of the first. An expression has at most 1000 bytes.`

const showing = `--sort has up to four expressions with commas between, --sort 'moves, -branching' for example.
A minus in front turns the order of the whole key around: -a+b sorts by a+b, the greatest
first, and (-a)+b by b-a, the least first. Members with equal keys stay in the order of their
numbers. What is no number, such as 0/0, comes last. Sorting takes about 40 bytes for each
member, or with --limit K for 2 K of them. --show adds fields to each line.`

// showFlags are the flags --sort and --show.
type showFlags struct {
	sort   string
	fields []string
}

func newShowFlags(cmd *cobra.Command) *showFlags {
	s := new(showFlags)
	cmd.Flags().StringVar(&s.sort, "sort", "", "sort by these `KEYS`, with commas between; - in front of one puts the greatest first")
	console.Expect(cmd, "sort", "keys such as -branching")
	cmd.Flags().StringSliceVar(&s.fields, "show", nil, "show these `FIELDS`, with commas between")
	return s
}

// choose sets the order of a pick, and returns what describes its members.
func (s *showFlags) choose(f *ask.File, c *ask.Pick) (Describe, error) {
	c.Sort = s.sort
	return f.Describer(*c, s.fields)
}

func (p *Program) fields() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "fields FILE",
		Short: "List what members can be selected and sorted by",
		Long: `fields lists the fields of the members of a file: numbers that --where, --sort and --show can
name, such as the layer, the number of possible moves, or what a state is worth.`,
		Args: console.Args(1, 1, "one file"),
		RunE: p.asking(func(cmd *cobra.Command, f *ask.File, _ []string) error {
			return writeFields(cmd, f.Fields())
		}),
	}
	OpenFlags(cmd)
	console.JSON(cmd, "one JSON object")
	return cmd
}

// writeFields lists fields, one per line.
func writeFields(cmd *cobra.Command, all []ask.Field) error {
	return console.Answer(cmd, struct {
		Fields []ask.Field `json:"fields"`
	}{all}, func(to io.Writer) error {
		w := tabwriter.NewWriter(to, 16, 0, 2, ' ', 0)
		for _, field := range all {
			names := field.Name
			if field.Alias != "" {
				names += ", " + field.Alias
			}
			fmt.Fprintf(w, "%s\t%s\n", names, field.About)
		}
		return w.Flush()
	})
}

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
	list := lists.Map(rows, func(row int) statespace.Index { return statespace.Index(row) })
	return WriteMembers(cmd, func(x statespace.Index) (ask.Member, error) { return describe(int(x)) }, 0, ask.NoErrors(slices.Values(list)))
}
