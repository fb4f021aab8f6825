package peg

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/cli"
	"pagoda/internal/console"
	"pagoda/internal/lists"
	"pagoda/internal/suggest"
	"pagoda/internal/table"
	"pagoda/puzzle/peg/board"
	"pagoda/render"
	"pagoda/statespace/cells"
	"pagoda/studies/purges"
)

// purgesCell is the distance of cells in pictures of packages if nothing else is said.
const purgesCell = 28

// purgesOptions are the flags of packages.
type purgesOptions struct {
	cli.Picture
	find        int
	kind        string
	block, pegs cells.Range
	clears      string
	whole       bool
	cells       func() cells.Notation
	limit       *int
	job         *cli.Job
}

func purgesCommand() *cobra.Command {
	var o purgesOptions
	cmd := &cobra.Command{
		Use:   "packages [NAME...]",
		Short: "List the purges and movers in small blocks of pegs, or show one",
		Long: fmt.Sprintf(`packages lists a library of packages: sequences of jumps in a small block of cells, with the
rest of the board left alone. A purge clears some pegs and leaves the other cells of the
block, the catalyst, as they were. A mover also moves a peg, or a hole the other way. The
library has all of them in blocks of up to %d cells, up to symmetry, if every cell of the
block is needed and the block does not fall into two independent parts.

In the drawing of a package, x is a peg that is cleared, o and . are pegs and holes of the
catalyst, and ? is a cell of the catalyst that may have a peg or a hole, with other jumps.
A mover takes a peg from a to b. A package clears as many pegs as it has jumps. Jumps such
as 3+3 mean that it splits: into two packages, one of them a purge, or a purge and a jump.

--kind, --block, --pegs, --clears and --whole choose packages; the exit code is 1 if none is like
this. -o draws them at the start, or writes them as CSV: name, start, goal, jumps.

With a NAME, such as 3-purge, it shows this package jump by jump; a GIF plays it. Several
NAMEs are listed. 2-purge, 3-purge, 6-purge and L-purge are the names of Berlekamp, Conway
and Guy. Other purges of the same shape have a number behind the name.

--find looks for the packages anew: in blocks of up to 11 cells it takes seconds, of 12 a minute
and 1 GiB of memory.`, purges.Cells),
		Example: `  reach packages --pegs 3 --kind purge
  reach packages --clears ooo/ooo
  reach packages 6-purge --cells d4
  reach packages L-purge -o l-purge.gif
  reach packages 2-purge 3-purge 6-purge L-purge -o purges.svg
  reach packages --kind mover --block 4-6 --json
  reach packages --find 8 -o packages.csv`,
		Args: console.Args(0, -1, "names of packages, or none"),
		ValidArgsFunction: func(_ *cobra.Command, args []string, begun string) (names []string, _ cobra.ShellCompDirective) {
			for _, p := range purges.Library() {
				if strings.HasPrefix(p.Name, begun) && !slices.Contains(args, p.Name) {
					names = append(names, p.Name)
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	o.Picture.Flags(cmd, purgesCell, "csv")
	o.Plays = "the gif of a package"
	flags := cmd.Flags()
	flags.IntVar(&o.find, "find", 0, fmt.Sprintf("look for the packages in blocks of up to this many cells, %d to %d, instead of the library", purges.MinBlock, purges.MaxBlock))
	console.Within(cmd, "find", purges.MinBlock, purges.MaxBlock, fmt.Sprintf("%d to %d cells", purges.MinBlock, purges.MaxBlock))
	console.OneOf(cmd, &o.kind, "kind", "", purges.Kinds, "only packages of this kind: "+suggest.Either(purges.Kinds))
	cli.RangeFlag(cmd, &o.block, "block", "only packages in blocks of this many cells, such as 8 or 5-7")
	cli.RangeFlag(cmd, &o.pegs, "pegs", "only packages that clear this many pegs, such as 3 or 4-6")
	flags.StringVar(&o.clears, "clears", "", "only packages that clear this `SHAPE` of pegs, drawn in rows of o and #, in any direction")
	console.NotEmpty(cmd, "clears")
	flags.BoolVar(&o.whole, "whole", false, "only packages that do not split into two")
	console.JSON(cmd, "one JSON object")
	o.cells = cli.Cells(cmd)
	o.limit = cli.LimitFlag(cmd, 0, math.MaxInt, "packages")
	o.job = cli.NewJob(cmd, console.OfMachine)
	return cmd
}

// check refuses flags that make no sense.
func (o *purgesOptions) check(cmd *cobra.Command, args []string) error {
	if flag := console.Given(cmd, "kind", "block", "pegs", "clears", "whole", "limit"); len(args) > 0 && flag != "" {
		return console.Usagef("--%s chooses packages for a list, and %.40q names one: leave one out", flag, args[0])
	}
	if err := cmp.Or(console.Refuse(cmd, o.find == 0, "threads mem", "--%s is for --find: leave it out"), o.FindFormat(cmd)); err != nil {
		return err
	}
	if console.AsJSON(cmd) && o.Out == "" && o.Format != "txt" {
		return console.Usagef("--json prints to stdout: name a file for the %s with -o", strings.ToUpper(o.Format))
	}
	if o.Format == "gif" && len(args) != 1 {
		return console.Usagef("a GIF plays one package: name it, or choose SVG or PNG for a sheet of several")
	}
	return cmp.Or(o.For(cmd, "columns", "svg and png"), o.CheckFlags(cmd))
}

// run lists packages, or shows one.
func (o *purgesOptions) run(cmd *cobra.Command, args []string) error {
	err := o.check(cmd, args)
	if err != nil {
		return err
	}
	all := purges.Library()
	if o.find > 0 {
		if all, err = purges.Find(cmd.Context(), o.find, purges.Options{Threads: o.job.Threads(), Memory: o.job.Memory()}); err != nil {
			return err
		}
	}
	var picked []*purges.Package
	for _, name := range args {
		p, err := fromLibrary(all, name)
		if err != nil {
			return err
		}
		picked = append(picked, p)
	}
	if len(picked) == 1 {
		return o.show(cmd, picked[0])
	}
	if len(picked) == 0 {
		if picked, err = o.pick(all); err != nil {
			return err
		}
	}
	return o.list(cmd, picked, len(all))
}

// fromLibrary returns the package of a name.
func fromLibrary(all []*purges.Package, name string) (*purges.Package, error) {
	if p := purges.ByName(all, name); p != nil {
		return p, nil
	}
	names := lists.Map(all, func(p *purges.Package) string { return p.Name })
	return nil, console.Usagef("unknown package %.40q%s", name, cmp.Or(suggest.Question(name, names), "; reach packages lists the names"))
}

// pick returns the packages that the flags choose.
func (o *purgesOptions) pick(all []*purges.Package) (picked []*purges.Package, err error) {
	shape := ""
	if o.clears != "" {
		b, pegs, err := board.ParseBoard(o.clears)
		switch {
		case err == nil && b.Lattice() != board.Square:
			err = fmt.Errorf("the lattice is %v: expected a shape on the square lattice", b.Lattice())
		case err == nil && pegs == 0:
			err = fmt.Errorf("there is no peg in it: expected o for each peg that is cleared")
		}
		if err != nil {
			return nil, console.Usagef("--clears %.60q: %w", o.clears, err)
		}
		shape = purges.DrawShape(b, pegs)
	}
	for _, p := range all {
		if (o.kind == "" || p.Kind().String() == o.kind) && o.block.Holds(len(p.Block.Cells())) && o.pegs.Holds(len(p.Jumps)) &&
			(shape == "" || p.Clears() == shape) && (!o.whole || p.Split == 0) {
			picked = append(picked, p)
		}
		if *o.limit > 0 && len(picked) == *o.limit {
			break
		}
	}
	return picked, nil
}

// list writes packages.
func (o *purgesOptions) list(cmd *cobra.Command, picked []*purges.Package, of int) error {
	err := o.Answer(cmd, func() error {
		switch {
		case o.Format == "csv":
			return o.WriteWhole(cmd, func(w io.Writer) error { return purges.Write(w, picked) })
		case len(picked) == 0:
			return nil
		case o.Format == "txt":
			return o.WriteWhole(cmd, func(w io.Writer) error { return writePackages(w, picked) })
		}
		return o.Write(cmd, packagePanels(picked))
	}, func() any {
		answers := []*libraryAnswer{}
		for _, p := range picked {
			answers = append(answers, newLibraryAnswer(p))
		}
		return struct {
			Packages []*libraryAnswer `json:"packages"`
		}{answers}
	})
	if err == nil && len(picked) == 0 {
		if !console.AsJSON(cmd) && (o.Format != "csv" || o.Out != "") {
			fmt.Fprintf(cmd.OutOrStdout(), "none of the %s is like this\n", cli.Count(uint64(of), "package"))
		}
		return console.ErrNo
	}
	return err
}

// packagePanels draws packages at the start, with the pegs that they clear marked.
func packagePanels(all []*purges.Package) []render.Panel {
	return lists.Map(all, func(p *purges.Package) render.Panel { return render.Panel{Drawing: startDrawing(p), Caption: p.Name} })
}

// writePackages writes packages as a table.
func writePackages(w io.Writer, all []*purges.Package) error {
	rows := [][]string{{"name", "cells", "jumps", "package", "start", "goal"}}
	for _, p := range all {
		jumps := fmt.Sprint(len(p.Jumps))
		if p.Split > 0 {
			jumps = fmt.Sprintf("%d+%d", p.Split, len(p.Jumps)-p.Split)
		}
		rows = append(rows, []string{p.Name, fmt.Sprint(len(p.Block.Cells())), jumps, p.Draw(), p.Text(p.Start), p.Text(p.Goal)})
	}
	table.Write(w, rows, 0, 3, 4, 5)
	return nil
}
