package lunar

import (
	"fmt"
	"io"
	"math/bits"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/cli"
	"pagoda/internal/amount"
	"pagoda/internal/console"
	"pagoda/internal/table"
	"pagoda/puzzle"
	space "pagoda/puzzle/lunar"
	"pagoda/puzzle/lunar/board"
	"pagoda/statespace"
)

// queries returns the commands of query that only this family has.
func queries(families *puzzle.Set) []*cobra.Command {
	return []*cobra.Command{configurationsCommand(families), placesCommand(families)}
}

// A counter is the flags of configurations.
type counter struct {
	list  bool
	table *cli.TableFlags
	job   *cli.Job
}

func configurationsCommand(families *puzzle.Set) *cobra.Command {
	var c counter
	cmd := &cobra.Command{
		Use:   "configurations FILE",
		Short: "Count the problems of each configuration of the number pieces",
		Long: `configurations counts, for each configuration of the number pieces, the problems that the
letter pieces make with it, and prints the extremes. The file has a group of problems; those
with all its letters count. Configurations that symmetries of the board map to each other
count once. --list lists the configurations.

The fields of --where, --sort and --show are

` + table.List(fields, func(f field) (name, about string) { return f.name, f.about }) + `
Placements of the letters that a symmetry of the configuration maps to each other are one
problem. Without such symmetries, each placement is a problem. query list --help has the
syntax of expressions.`,
		Example: `  query configurations lunar-5x5-1-5.reach
  query configurations lunar-5x5-1-5.reach --where 'unsolvable == 0 && symmetries == 1'
  query configurations lunar-5x5-2-4.reach --list --sort=-significant --show significant,unsolvable --limit 3`,
		Args: console.Args(1, 1, "one file"),
	}
	cmd.Flags().BoolVar(&c.list, "list", false, "list configurations instead of the extremes")
	console.JSON(cmd, "one JSON object, or with --list one for each configuration")
	c.table = cli.NewTableFlags(cmd, "configurations", "unsolvable == 0")
	c.job = cli.NewJob(cmd, console.OfFile)
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return c.run(cmd, families, args[0]) }
	return cmd
}

// A field is what configurations are picked and sorted by.
type field struct {
	name, about string
	of          func(g *space.Group, c *space.Configuration) uint64
}

var fields = []field{
	{"problems", "problems", func(_ *space.Group, c *space.Configuration) uint64 { return c.Problems.All() }},
	{"solvable", "problems with a solution", func(_ *space.Group, c *space.Configuration) uint64 { return c.Problems.Solvable() }},
	{"significant", "those in which all number pieces are significant in all best solutions", func(_ *space.Group, c *space.Configuration) uint64 { return c.Problems.Significant }},
	{"otherwise", "the other problems with a solution", func(_ *space.Group, c *space.Configuration) uint64 { return c.Problems.Otherwise }},
	{"unsolvable", "problems without a solution", func(_ *space.Group, c *space.Configuration) uint64 { return c.Problems.Unsolvable }},
	{"placements", "placements of the letters", func(_ *space.Group, c *space.Configuration) uint64 { return c.Placements.All() }},
	{"places", "placements with a solution", func(_ *space.Group, c *space.Configuration) uint64 { return c.Placements.Solvable() }},
	{"covered", "exits under a number piece", func(g *space.Group, c *space.Configuration) uint64 {
		return uint64(bits.OnesCount64(c.Numbers & g.Board().Exits()))
	}},
	{"symmetries", "symmetries that keep the configuration, with the identity", func(_ *space.Group, c *space.Configuration) uint64 { return uint64(c.Symmetries) }},
}

// A solved group is an open file of one.
type solved struct {
	*ask.File
	group *space.Group
}

// at returns the distance and the values of a problem, less than 0 without a solution.
func (s *solved) at() func(dst []uint64, x statespace.Index) (int, error) {
	distances, _ := s.Distances()
	values, _ := s.Values()
	return func(dst []uint64, x statespace.Index) (int, error) {
		entry, err := distances.At(x)
		if err != nil || entry == 0 {
			return -1, err
		}
		return int(entry) - 1, values.Get(dst, x)
	}
}

// openGroup opens a file of a group with its values.
func openGroup(cmd *cobra.Command, families *puzzle.Set, arg string) (*solved, error) {
	f, err := cli.Open(cmd, families, arg)
	if err != nil {
		return nil, err
	}
	g, ok := f.Space().(*space.Group)
	_, kept := f.Values()
	if ok && kept {
		return &solved{f, g}, nil
	}
	f.Close()
	if name := f.Space().Name(); f.Space().Definition().Family == space.FamilyName {
		return nil, console.Usagef("%s (store %s) does not keep which number pieces are significant: `reach run %s` makes a file that does", f.Path(), f.Meta().Store, name)
	}
	return nil, console.Usagef("%s is for groups of problems of Lunar Lockout; %s holds %s", cmd.CommandPath(), f.Path(), f.Space().Name())
}

func (c *counter) run(cmd *cobra.Command, families *puzzle.Set, arg string) error {
	if err := console.Refuse(cmd, !c.list, "sort show limit", "--%s is for --list"); err != nil {
		return err
	}
	f, err := openGroup(cmd, families, arg)
	if err != nil {
		return err
	}
	defer f.Close()
	g := f.group
	all, err := g.Configurations(cmd.Context(), c.job.Threads(), f.Memory(), f.at())
	if err != nil {
		return err
	}
	format := func(row int) string { return g.Board().FormatPosition(board.Position{Numbers: all[row].Numbers}) }
	var columns []ask.Field
	for _, field := range fields {
		columns = append(columns, ask.NewField(field.name, field.about, func(row int) uint64 { return field.of(g, &all[row]) }))
	}
	table := ask.NewTable(len(all), format, columns...)
	if c.list {
		return c.table.List(cmd, table)
	}
	rows, err := c.table.Pick(cmd.Context(), table)
	if err != nil {
		return err
	}
	s := summarize(g, all, rows, format)
	return console.Answer(cmd, s, s.write)
}

// A summary is what some configurations have in all, and their extremes.
type summary struct {
	Space          string    `json:"space"`
	Configurations int       `json:"configurations"`
	Asymmetric     int       `json:"asymmetric"`
	Problems       uint64    `json:"problems"`
	Significant    uint64    `json:"significant"`
	Otherwise      uint64    `json:"otherwise"`
	Unsolvable     uint64    `json:"unsolvable"`
	Extremes       []extreme `json:"extremes"`
}

// An extreme is the configurations that have the most of something, or of one kind. Asymmetric are those
// without symmetry.
type extreme struct {
	Name           string  `json:"name"`
	Most           *uint64 `json:"most,omitempty"`
	Configurations int     `json:"configurations"`
	Asymmetric     int     `json:"asymmetric"`
	First          string  `json:"first,omitempty"`
}

// extremes has what summaries look for, in both directions: by of or by is.
var extremes = []struct {
	name, title string
	of          func(c *space.Configuration) uint64 // the configurations where it is greatest
	is          func(c *space.Configuration) bool   // those for which it is true
}{
	{name: "most_significant", title: "most significant", of: func(c *space.Configuration) uint64 { return c.Problems.Significant }},
	{name: "most_solvable", title: "most solvable", of: func(c *space.Configuration) uint64 { return c.Problems.Solvable() }},
	{name: "all_solvable", title: "all solvable", is: func(c *space.Configuration) bool { return c.Problems.Unsolvable == 0 && c.Problems.All() > 0 }},
	{name: "one_place", title: "one place solvable", is: func(c *space.Configuration) bool { return c.Placements.Solvable() == 1 }},
	{name: "one_place_significant", title: "the same, significant", is: func(c *space.Configuration) bool {
		return c.Placements.Solvable() == 1 && c.Problems.Significant == 1
	}},
	{name: "none_solvable", title: "none solvable", is: func(c *space.Configuration) bool { return c.Problems.Solvable() == 0 }},
}

// add counts a configuration. Most is set if the value counts.
func (e *extreme) add(value uint64, most bool, asymmetric int, first func() string) {
	if most && (e.Most == nil || value > *e.Most) {
		*e = extreme{Name: e.Name, Most: &value}
	}
	if most && value < *e.Most {
		return
	}
	e.Configurations++
	e.Asymmetric += asymmetric
	if e.First == "" {
		e.First = first()
	}
}

// summarize sums up the configurations of some rows.
func summarize(g *space.Group, all []space.Configuration, rows []int, format func(row int) string) *summary {
	s := &summary{Space: g.Name(), Configurations: len(rows)}
	for _, e := range extremes {
		s.Extremes = append(s.Extremes, extreme{Name: e.name})
	}
	for _, row := range rows {
		c := &all[row]
		asymmetric := 0
		if c.Symmetries == 1 {
			asymmetric = 1
		}
		s.Asymmetric += asymmetric
		s.Problems += c.Problems.All()
		s.Significant += c.Problems.Significant
		s.Otherwise += c.Problems.Otherwise
		s.Unsolvable += c.Problems.Unsolvable
		for i, e := range extremes {
			first := func() string { return format(row) }
			if e.of != nil {
				s.Extremes[i].add(e.of(c), true, asymmetric, first)
			} else if e.is(c) {
				s.Extremes[i].add(0, false, asymmetric, first)
			}
		}
	}
	return s
}

// write writes a summary for people.
func (s *summary) write(w io.Writer) error {
	fmt.Fprintf(w, "%s: %s, %s without symmetry\n%s: %s significant, %s otherwise solvable, %s unsolvable\n\n%-23s%8s  configurations  without symmetry  the first\n",
		s.Space, cli.Count(uint64(s.Configurations), "configuration"), amount.Comma(uint64(s.Asymmetric)), cli.Count(s.Problems, "problem"),
		amount.Comma(s.Significant), amount.Comma(s.Otherwise), amount.Comma(s.Unsolvable), "", "")
	for i, e := range s.Extremes {
		most := ""
		if e.Most != nil {
			most = amount.Comma(*e.Most)
		}
		line := fmt.Sprintf("%-23s%8s  %14s  %16s  %s", extremes[i].title, most, amount.Comma(uint64(e.Configurations)), amount.Comma(uint64(e.Asymmetric)), e.First)
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
	return nil
}
