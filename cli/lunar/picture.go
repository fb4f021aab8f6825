package lunar

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pagoda/cli"
	"pagoda/internal/console"
	"pagoda/puzzle/lunar/board"
	"pagoda/puzzle/lunar/draw"
	"pagoda/puzzle/lunar/problem"
	"pagoda/render"
)

// A picture is the flags of solve that draw the solution.
type picture struct {
	cli.Picture
	cmd   *cobra.Command
	flags []string
}

func newPicture(cmd *cobra.Command) *picture {
	p := &picture{cmd: cmd}
	var before []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { before = append(before, f.Name) })
	p.Flags(cmd, render.DefaultCell)
	cmd.Flags().BoolVar(&p.NoCaptions, "no-captions", false, "leave out the text under pictures")
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !slices.Contains(before, f.Name) {
			p.flags = append(p.flags, f.Name)
		}
	})
	return p
}

// wanted reports whether there is a picture to draw.
func (p *picture) wanted() bool { return p.cmd.Flags().Changed("output") }

// check says what is wrong with the flags.
func (p *picture) check() error {
	if !p.wanted() {
		for _, name := range p.flags {
			if p.cmd.Flags().Changed(name) {
				return console.Usagef("--%s is for a picture: name its file with -o", name)
			}
		}
		return nil
	}
	switch {
	case p.Out == "-":
		return console.Usagef("-o is stdout, where the solution is printed: name a file")
	case p.cmd.Flags().Changed("batch"):
		return console.Usagef("-o draws the solution of one puzzle; it does not go with --batch")
	}
	if err := p.FindFormat(p.cmd); err != nil {
		return err
	}
	return p.CheckFlags(p.cmd,
		cli.Use{Flag: "columns", Formats: "svg, png and txt", Applies: p.Format != "gif"},
		cli.Use{Flag: "speed", Formats: "gif", Applies: p.Format == "gif"},
		cli.Use{Flag: "loop", Formats: "gif", Applies: p.Format == "gif"})
}

// draw draws a solution.
func (p *picture) draw(of *problem.Problem, plays []board.Play) error {
	film, err := draw.NewFilm(of.Board, of.Drawing, plays, of.Pieces)
	if err != nil {
		return console.UsageError(err)
	}
	return p.Write(p.cmd, render.Strip(film), film)
}
