package cli

import (
	"bufio"
	"cmp"
	"io"
	"math"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/export"
	"pagoda/export/parquet"
	"pagoda/internal/console"
	"pagoda/internal/lists"
	"pagoda/internal/progress"
	"pagoda/internal/suggest"
	"pagoda/internal/table"
	"pagoda/statespace"
)

// bfileFormat is the format of tables of the OEIS, which have layers only.
const bfileFormat = "bfile"

// tableFormats lists the formats of tables. The first is the default.
func tableFormats() []export.Format { return append(export.Formats(), parquet.Format) }

// exportNames lists what --format of export takes.
func exportNames() []string {
	return append(lists.Map(tableFormats(), func(f export.Format) string { return f.Name }), bfileFormat)
}

// exportFlags are the flags of export.
type exportFlags struct {
	Output
	byLayer, upToSymmetry bool
	limit                 *int
	picked                *picker
	shown                 *showFlags
}

func (p *Program) export() *cobra.Command {
	about := table.List(tableFormats(), func(f export.Format) (name, about string) { return f.Name, f.About })
	f := new(exportFlags)
	cmd := &cobra.Command{
		Use:   "export FILE [PATTERN]",
		Short: "Write the members, or the layers, as a table for other programs",
		Long: `export writes the members of a file as a table, a row for each, in the order of their
numbers. The columns are number, pattern, the layer under its name (pegs or depth) if the space
or the file knows it, and the fields of --show. With --by-layer there is a row for each layer:
states, orbits (states up to symmetry, of the store folded), and of a game against chance
raw_states, afterstates and dead. docs/reference/output.md says more.

The formats:

` + about + `  bfile    a b-file of the OEIS: the number of states by layer

npy has the column cells, what is in each cell, instead of the pattern. npy and parquet do not
go to a terminal. A table that is not sorted may be larger than memory.

` + picking + "\n\n" + showing,
		Args: console.Args(1, 2, "a file and perhaps a pattern"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(cmd, args); err != nil {
				return err
			}
			return f.picked.asking(f.run)(cmd, args)
		},
	}
	flags := cmd.Flags()
	f.AddTableFlags(cmd, exportNames())
	flags.BoolVar(&f.byLayer, "by-layer", false, "write a row for each layer instead")
	flags.BoolVar(&f.upToSymmetry, "up-to-symmetry", false, "of a b-file: count states up to symmetry")
	f.limit, f.picked, f.shown = LimitFlag(cmd, 0, math.MaxInt, "members"), p.newPicker(cmd), newShowFlags(cmd)
	return cmd
}

// AddTableFlags adds the flags to a command that writes tables.
func (o *Output) AddTableFlags(cmd *cobra.Command, known []string) {
	o.addFlags(cmd, known, "csv", "the `FILE` to write; - is stdout (default stdout)", "the format: "+suggest.Either(known)+" (default: what the name after -o ends in, or csv on stdout)")
}

// tableFormat returns the format of tables that FindFormat has found.
func (o *Output) tableFormat() export.Format {
	formats := tableFormats()
	return formats[slices.IndexFunc(formats, func(g export.Format) bool { return g.Name == o.Format })]
}

// WriteTable writes a table to the output as its rows come. The format is not one that is Counted.
func (o *Output) WriteTable(cmd *cobra.Command, columns []export.Column, rows func(write func(row []export.Value) error) error) error {
	return o.stream(cmd, func(to io.Writer) error {
		w, err := o.tableFormat().New(to, export.Table{Columns: columns})
		if err != nil {
			return err
		}
		return cmp.Or(rows(w.Write), w.Close())
	})
}

// check finds the format and refuses flags that mean nothing for it.
func (f *exportFlags) check(cmd *cobra.Command, args []string) error {
	if err := f.FindFormat(cmd); err != nil {
		return err
	}
	bfile := f.Format == bfileFormat
	switch {
	case f.upToSymmetry && !bfile:
		return console.Usagef("--up-to-symmetry is for --format %s; the other formats have both numbers", bfileFormat)
	case (bfile || f.byLayer) && len(args) > 1:
		return console.Usagef("a table of layers takes no pattern, found %s", ask.Shorten(args[1]))
	}
	return console.Refuse(cmd, bfile || f.byLayer, "limit where complement sort show", "--%s is for members; --layer picks layers")
}

func (f *exportFlags) run(cmd *cobra.Command, file *ask.File, c ask.Pick) error {
	c.Limit = uint64(*f.limit)
	if _, err := f.shown.choose(file, &c); err != nil {
		return err
	}
	if f.Format == bfileFormat {
		return f.write(cmd, file, func(w io.Writer) error { return file.ExportBFile(cmd.Context(), w, *c.Layers, f.upToSymmetry) })
	}
	format := f.tableFormat()
	return f.write(cmd, file, func(w io.Writer) error {
		if f.byLayer {
			return file.ExportLayers(w, format, *c.Layers)
		}
		var done statespace.Progress
		if c.Sort == "" { // else the sort shows how far it is
			c.Options.Meter = nil
			defer progress.Start(cmd.Context(), file.Space().Name(), file.Space().Size(), "numbers", done.Read)()
		}
		return file.Export(cmd.Context(), w, format, c, f.shown.fields, &done)
	})
}

// write writes a table to the output. It refuses to replace the file that the table is of.
func (f *exportFlags) write(cmd *cobra.Command, file *ask.File, write func(w io.Writer) error) error {
	if err := notItself(file.Path(), f.Out); err != nil {
		return err
	}
	return f.stream(cmd, func(to io.Writer) error {
		w := bufio.NewWriterSize(to, 1<<16)
		if err := write(w); err != nil {
			return err
		}
		return w.Flush()
	})
}

// notItself refuses an output that is the file that was asked, perhaps by another name.
func notItself(asked, out string) error {
	from, err := os.Stat(asked)
	if err != nil {
		return nil // it is no file
	}
	if to, err := os.Stat(out); err == nil && os.SameFile(from, to) {
		return console.Usagef("%s is the file %s itself: name another with -o", out, asked)
	}
	return nil
}
