package cli

import (
	"bufio"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/internal/console"
)

// A picker opens the file of the arguments FILE [PATTERN] and picks members of it.
type picker struct {
	p          *Program
	layer      *LayerFlag
	where      string
	complement bool
	job        *Job
}

// newPicker adds the flags that pick members to a command, with those of a Job.
func (p *Program) newPicker(cmd *cobra.Command) *picker {
	k := &picker{p: p, layer: NewLayerFlag(cmd, p.Families), job: NewJob(cmd, console.OfFile)}
	cmd.Flags().StringVar(&k.where, "where", "", "only members for which this `EXPRESSION` of fields is true, such as 'branching > 2'")
	cmd.Flags().BoolVar(&k.complement, "complement", false, "pick the states that have a number and are not in the file, instead of members")
	return k
}

func (k *picker) open(cmd *cobra.Command, args []string) (*ask.File, ask.Choice, error) {
	c := ask.Choice{Layers: &k.layer.Range, Where: k.where, Complement: k.complement}
	if given(cmd, "where") != "" && k.where == "" {
		return nil, c, console.Usagef("--where is empty, expected an expression such as 'branching > 2'")
	}
	if len(args) > 1 {
		c.Pattern = args[1]
	}
	var err error
	if c.Options, err = k.job.Options(); err != nil {
		return nil, c, err
	}
	f, err := k.p.open(cmd, args[0])
	return f, c, err
}

const picking = `With a pattern, only the members that agree with it count; ? is an open cell, with anything
in it. With --where, only those count for which an expression of fields is true. fields FILE
lists the fields. An expression is written as in Go: numbers, + - * / %, == != < <= > >=,
&& || !, brackets, abs, min and max. The result of / may be a fraction.`

const showing = `--sort has expressions with commas between, --sort 'moves, -branching' for example. A minus
in front of one turns its whole order around: the greatest comes first. Members that have all
keys in common stay in the order of their numbers. With --limit, only that many are kept in
memory. --show adds fields to each line.`

// showFlags are the flags --sort and --show.
type showFlags struct {
	sort   string
	fields []string
}

func newShowFlags(cmd *cobra.Command) *showFlags {
	s := new(showFlags)
	cmd.Flags().StringVar(&s.sort, "sort", "", "sort by these `KEYS`: fields or expressions; - in front of one puts the greatest first")
	cmd.Flags().StringSliceVar(&s.fields, "show", nil, "show these `FIELDS` of each member, with commas between")
	return s
}

// choose sets the order of a choice, and returns what describes its members.
func (s *showFlags) choose(cmd *cobra.Command, f *ask.File, c *ask.Choice) (Describe, error) {
	if c.Sort = s.sort; given(cmd, "sort") != "" && s.sort == "" {
		return nil, console.Usagef("--sort is empty, expected keys such as -branching")
	}
	return f.Describer(*c, s.fields)
}

func (p *Program) fields() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "fields FILE",
		Short: "List what members can be selected and sorted by",
		Long: `fields lists the fields of the members of a file: numbers that the expressions of
--where and --sort, and --show, can name.`,
		Args: console.Args(1, 1, "one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := p.open(cmd, args[0])
			if err != nil {
				return err
			}
			defer f.Close()
			return writeFields(cmd.OutOrStdout(), f.Fields(), asJSON)
		},
	}
	OpenFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// writeFields lists fields, as one JSON object, or one per line.
func writeFields(to io.Writer, all []ask.Field, asJSON bool) error {
	if asJSON {
		return console.WriteJSON(to, struct {
			Fields []ask.Field `json:"fields"`
		}{all})
	}
	width := 14
	names := make([]string, len(all))
	for i, field := range all {
		if names[i] = field.Name; field.Alias != "" {
			names[i] += ", " + field.Alias
		}
		width = max(width, len(names[i]))
	}
	w := bufio.NewWriter(to)
	for i, field := range all {
		fmt.Fprintf(w, "%-*s  %s\n", width, names[i], field.About)
	}
	return w.Flush()
}
