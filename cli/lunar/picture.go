package lunar

import (
	"github.com/spf13/cobra"

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
	cmd *cobra.Command
}

func newPicture(cmd *cobra.Command) *picture {
	p := &picture{cmd: cmd}
	p.Flags(cmd, render.DefaultCell)
	p.Captions(cmd, "text")
	return p
}

// wanted reports whether there is a picture to draw.
func (p *picture) wanted() bool { return p.cmd.Flags().Changed("output") }

// check says what is wrong with the flags.
func (p *picture) check() error {
	if !p.wanted() {
		if flag := console.Given(p.cmd, "columns", "format", "loop", "no-captions", "size", "speed", "theme"); flag != "" {
			return console.Usagef("--%s is for a picture: name its file with -o", flag)
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
		cli.Use{Flag: "columns", Formats: "svg, png and txt", Applies: p.Format != "gif"})
}

// draw draws a solution.
func (p *picture) draw(of *problem.Problem, plays []board.Play) error {
	film, err := draw.NewFilm(of.Board, of.Drawing, plays, of.Pieces)
	if err != nil {
		return console.UsageError(err)
	}
	return p.Write(p.cmd, render.Strip(film), film)
}
