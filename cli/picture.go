package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"pagoda/internal/console"
	"pagoda/internal/lists"
	"pagoda/internal/suggest"
	"pagoda/render"
	"pagoda/render/pdf"
	"pagoda/render/png"
)

// formats are the formats of pictures, by the ending of a file's name.
var formats = []string{"svg", "png", "gif", "txt"}

// Pages is the format of cards on pages to print. Commands that have cards offer it, see Picture.WriteCards.
const Pages = "pdf"

// A Picture is the flags of commands that draw.
type Picture struct {
	Output         // svg, png, gif or txt
	Columns int    // of a sheet; 0 lets the picture choose
	Title   string // of a picture; empty: what it shows
	Plays   string // says which pictures play something, if not all GIFs do

	size        int
	theme       func() render.Theme
	NoCaptions  bool // leaves out what is written under drawings
	noLetters   bool
	titled      string // formats that --title is for
	speed, loop int
}

// Flags adds the flags to a command. Besides the formats of pictures there may be others, which the
// command writes itself, with WriteWhole.
func (d *Picture) Flags(cmd *cobra.Command, size int, others ...string) {
	known, flags := slices.Concat(formats, others), cmd.Flags()
	d.addFlags(cmd, known, "txt", fmt.Sprintf("the `FILE` to write, which ends in %s; - is stdout", suggest.Either(dotted(known))),
		"format of stdout, or of a file without such an ending (default txt)")
	flags.IntVar(&d.size, "size", size, fmt.Sprintf("pixels from one cell to the next, %d to %d", render.MinCell, render.MaxCell))
	d.theme = themeFlag(cmd)
	flags.IntVar(&d.Columns, "columns", 0, "columns of a sheet (default: as suits the number of pictures)")
	flags.IntVar(&d.speed, "speed", int(render.DefaultMove.Milliseconds()), fmt.Sprintf("of a GIF that plays: milliseconds for each jump, or move by one cell, %d to %d; a long move takes up to three times as long",
		render.MinTime.Milliseconds(), render.MaxTime.Milliseconds()))
	flags.IntVar(&d.loop, "loop", 0, "of a GIF that plays: how many times, 0 for ever")
	console.Between(cmd, render.MinCell, render.MaxCell, "size")
	console.Between(cmd, 1, render.MaxPanels, "columns")
	console.Between(cmd, int(render.MinTime.Milliseconds()), int(render.MaxTime.Milliseconds()), "speed")
	console.Between(cmd, 0, render.MaxLoop, "loop")
}

// Captions adds the flag --no-captions.
func (d *Picture) Captions(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&d.NoCaptions, "no-captions", false, "leave out the text under pictures")
}

// Titled adds the flag --title. It is for some formats, such as "svg and pdf".
func (d *Picture) Titled(cmd *cobra.Command, formats string) {
	d.titled = formats
	cmd.Flags().StringVar(&d.Title, "title", "", "title of a picture in "+formats+" (default: what it shows)")
	console.NotEmpty(cmd, "title")
}

// themeFlag adds the flag --theme.
func themeFlag(cmd *cobra.Command) func() render.Theme {
	var name string
	names := lists.Map(render.Themes(), func(t render.Theme) string { return t.Name })
	console.OneOf(cmd, &name, "theme", names[0], names, "colours: "+suggest.Either(names))
	return func() render.Theme { return render.Themes()[slices.Index(names, name)] }
}

// CheckFlags refuses flags that mean nothing for the format.
func (d *Picture) CheckFlags(cmd *cobra.Command) error {
	coloured, themed := "svg, png and gif", "svg, png and gif"
	if slices.Contains(d.known, Pages) {
		themed = "svg, png, gif and " + Pages
	}
	return cmp.Or(d.For(cmd, "title", d.titled), d.For(cmd, "speed loop", cmp.Or(d.Plays, "gif")), d.For(cmd, "size", coloured), d.For(cmd, "theme", themed))
}

// CheckStdout refuses flags of a picture without a file: with --json, stdout has the answer.
func (d *Picture) CheckStdout(cmd *cobra.Command) error {
	return console.Refuse(cmd, console.AsJSON(cmd) && d.Out == "", "output format size theme columns no-captions speed loop",
		"--%s is for a picture, and --json prints to stdout: name a file for the picture with -o")
}

// Write writes panels, or as a GIF, films that are played side by side. Without films, a GIF
// shows the panels.
func (d *Picture) Write(cmd *cobra.Command, panels []render.Panel, films ...render.Film) error {
	style := render.Style{Cell: d.size, Theme: d.theme(), NoCaptions: d.NoCaptions, NoLetters: d.noLetters}
	return d.WriteWhole(cmd, func(w io.Writer) error {
		switch d.Format {
		case "txt":
			return render.Text(w, panels, d.Columns, style)
		case "gif":
			scenes := []render.Scene{{Panels: panels}}
			if len(films) > 0 {
				var err error
				if scenes, err = render.Play(time.Duration(d.speed)*time.Millisecond, films...); err != nil {
					return err
				}
			}
			return render.WriteGIF(w, scenes, max(1, d.Columns), d.loop, style)
		}
		p, err := render.Sheet(panels, d.Columns, style)
		if err != nil {
			return err
		}
		if d.Title != "" {
			p.SetTitle(d.Title)
		}
		return writePicture(w, p, d.Format)
	})
}

// Answer draws and, with --json, prints an answer. Then it draws to a file only: see CheckStdout.
func (d *Picture) Answer(cmd *cobra.Command, draw func() error, answer func() any) error {
	if d.Out != "" || !console.AsJSON(cmd) {
		if err := draw(); err != nil {
			return err
		}
	}
	if !console.AsJSON(cmd) {
		return nil
	}
	return console.WriteJSON(cmd.OutOrStdout(), answer())
}

// WriteCards writes cards on pages to print.
func (d *Picture) WriteCards(cmd *cobra.Command, cards []render.Card) error {
	return d.WriteWhole(cmd, func(w io.Writer) error {
		pages, err := render.Cards(d.Title, cards, d.Columns, render.Style{Theme: d.theme()})
		if err != nil {
			return err
		}
		return pdf.Encode(w, d.Title, render.CardUnit, pages...)
	})
}

// writePicture writes a picture as SVG or PNG.
func writePicture(w io.Writer, p *render.Picture, format string) error {
	if format == "png" {
		return png.Encode(w, p)
	}
	_, err := w.Write(p.SVG())
	return err
}

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
