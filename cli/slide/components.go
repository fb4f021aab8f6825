package slide

import (
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/cli"
	"pagoda/export"
	"pagoda/internal/console"
	"pagoda/puzzle"
	"pagoda/puzzle/slide"
	"pagoda/studies/huarong"
)

func componentsCommand(families *puzzle.Set) *cobra.Command {
	var out cli.Output
	var metric string
	var searches int
	var job *cli.Job
	cmd := &cobra.Command{
		Use:   "components PUZZLE | components " + huarong.Name,
		Short: "List the components of all placements of the pieces of sliding-block puzzles",
		Long: `components looks at all placements of the pieces of a puzzle, whether or not moves lead there
from its start. It prints a table with a row for each component, which is the placements that
moves lead to from each other: its diameter and radius, and the start that is hardest to solve.
docs/reference/output.md has the columns.

With ` + huarong.Name + ` it looks at all classes of Huarong Dao. The tray has 5 rows and 4 columns.
The pieces are one of 2x2, some of 1x2, horizontal or vertical, and single cells. At least two
cells stay empty. The goal is the 2x2 at the bottom, in the middle. ` + huarong.Name + `/1-4-4
has one horizontal piece, four vertical ones and four single cells.

To find a diameter, it searches from one position after another until the bounds meet. That takes
many searches when there is much room to move. --searches N stops after N for a component.`,
		Example: `  reach components slide/klotski
  reach components ` + huarong.Name + `/1-4-4 --metric steps
  reach components ` + huarong.Name + ` --searches 100 -o atlas.parquet`,
		Args:              console.Args(1, 1, "one puzzle, or "+huarong.Name),
		ValidArgsFunction: completePuzzles(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := out.FindFormat(cmd); err != nil {
				return err
			}
			all, err := classesOf(cmd, families, args[0])
			if err != nil {
				return err
			}
			var columns []export.Column
			for name := range strings.FieldsSeq("puzzle metric first start") {
				columns = append(columns, export.Column{Name: name, Kind: export.Text})
			}
			for name := range strings.FieldsSeq("positions goals diameter diameter_most radius_least radius hardest starts") {
				columns = append(columns, export.Column{Name: name, Kind: export.Uint})
			}
			o := slide.Options{Memory: job.Memory(), Threads: job.Threads()}
			return out.WriteTable(cmd, columns, func(write func(row []export.Value) error) error {
				for _, of := range all {
					take := func(c *slide.Component) error { return write(componentRow(of, c)) }
					if err := slide.FindComponents(cmd.Context(), of.Puzzle, metricOf(metric), searches, o, take); err != nil {
						return tooLarge(of.Name, err)
					}
				}
				return nil
			})
		},
	}
	metricFlag(cmd, &metric, slide.MetricNames())
	cmd.Flags().IntVar(&searches, "searches", 0, "for the diameter of a component, search from no more than `N` positions, which may leave bounds; 0: as many as it takes")
	console.Within(cmd, "searches", 0, math.MaxInt, "0 or more")
	out.AddTableFlags(cmd, strings.Fields("csv jsonl parquet"))
	job = cli.NewJob(cmd, console.OfMachine)
	return cmd
}

// classesOf returns the puzzle that an argument names, or the classes of Huarong Dao that it names.
func classesOf(cmd *cobra.Command, families *puzzle.Set, arg string) ([]huarong.Class, error) {
	if name, _, _ := strings.Cut(arg, "/"); name != huarong.Name {
		p, name, err := openWithGoal(cmd, families, arg)
		return []huarong.Class{{Name: name, Puzzle: p}}, err
	}
	all, err := huarong.Classes(5, 4)
	if err != nil || arg == huarong.Name {
		return all, err
	}
	i := slices.IndexFunc(all, func(c huarong.Class) bool { return c.Name == arg })
	if i < 0 {
		return nil, console.Usagef("unknown class %.40q: expected the numbers of horizontal pieces, of vertical ones and of single cells, such as %s/1-4-4, that leave two or more of 20 cells empty beside a piece of 2x2", arg, huarong.Name)
	}
	return all[i : i+1], nil
}

// componentRow returns the row of a component of a class.
func componentRow(of huarong.Class, c *slide.Component) (row []export.Value) {
	d, h, start := c.Diameter, c.Hardest, ""
	if len(h.Starts) > 0 {
		start = of.Puzzle.FormatPosition(h.Starts[0])
	}
	for _, text := range []string{of.Name, d.Metric.String(), of.Puzzle.FormatPosition(c.First), start} {
		row = append(row, export.Value{Text: text})
	}
	for _, n := range []uint64{d.States, h.Goals, uint64(d.Diameter), uint64(d.Most), uint64(d.Least), uint64(d.Radius), uint64(h.Length), h.Count} {
		row = append(row, export.Value{Uint: n})
	}
	return row
}
