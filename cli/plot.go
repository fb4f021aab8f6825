package cli

import (
	"io"

	"github.com/spf13/cobra"

	"pagoda/internal/console"
	"pagoda/render"
)

// PlotFlags are the flags of a plot besides other results: --plot, --log and --theme.
type PlotFlags struct {
	Log bool // scale

	what, out string
	theme     func() render.Theme
}

// NewPlotFlags adds the flags. What is the kind of the plot, such as "histogram".
func NewPlotFlags(cmd *cobra.Command, what string) *PlotFlags {
	f := &PlotFlags{what: what}
	cmd.Flags().StringVar(&f.out, "plot", "", "also draw a "+what+" into this `FILE`, .svg or .png")
	console.CompleteFlag(cmd, "plot", cobra.ShellCompDirectiveFilterFileExt, "svg", "png")
	cmd.Flags().BoolVar(&f.Log, "log", false, "of the "+what+": a logarithmic scale")
	f.theme = themeFlag(cmd)
	return f
}

// Check refuses flags that do not go together.
func (f *PlotFlags) Check(cmd *cobra.Command) error {
	if !cmd.Flags().Changed("plot") {
		return console.Refuse(cmd, true, "log theme", "--%s is for a %s: name its file with --plot", f.what)
	}
	if e := ending(f.out); e != "svg" && e != "png" {
		return console.Usagef("--plot is %q, expected the name of a file that ends in .svg or .png", f.out)
	}
	return nil
}

// Path returns the file of the plot, or nothing if none is wanted.
func (f *PlotFlags) Path() string { return f.out }

// Write draws the plot into its file, if one is wanted.
func (f *PlotFlags) Write(cmd *cobra.Command, draw func(t render.Theme) (*render.Picture, error)) error {
	if f.out == "" {
		return nil
	}
	return (&Output{Out: f.out, Format: ending(f.out)}).WriteWhole(cmd, func(w io.Writer) error {
		p, err := draw(f.theme())
		if err != nil {
			return err
		}
		return writePicture(w, p, ending(f.out))
	})
}
