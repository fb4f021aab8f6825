package peg

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/cli"
	"pagoda/internal/console"
	"pagoda/puzzle/peg/board"
	"pagoda/render"
	"pagoda/studies/weighted"
	"pagoda/studies/weighted/draw"
)

// A gamePicture is the flags of commands that draw a weighted game.
type gamePicture struct{ cli.Picture }

// flags adds the flags to a command. Others are formats that the command writes itself.
func (p *gamePicture) flags(cmd *cobra.Command, others ...string) {
	p.Flags(cmd, render.DefaultCell, others...)
	p.Captions(cmd)
}

// check finds out whether a file is written, or a format other than the usual one, and refuses flags that
// mean nothing. Sheets names the formats with a panel for each move: "svg and png".
func (p *gamePicture) check(cmd *cobra.Command, sheets string) (writes bool, err error) {
	if console.Given(cmd, "output", "format") == "" {
		return false, console.Refuse(cmd, true, "size theme columns speed loop no-captions", "--%s is for a picture: name a file for it with -o")
	}
	if err := p.FindFormat(cmd); err != nil {
		return true, err
	}
	if console.AsJSON(cmd) && p.Out == "" {
		return true, console.Usagef("--json prints to stdout: name a file for the picture with -o")
	}
	return true, cmp.Or(
		p.For(cmd, "columns", sheets),
		console.Refuse(cmd, !strings.Contains(sheets+", gif", p.Format), "no-captions", "--%s is for pictures; the format here is "+p.Format),
		p.CheckFlags(cmd))
}

// draw draws a game, which must be one that can be played.
func (p *gamePicture) draw(cmd *cobra.Command, g *weighted.Game, jumps []board.Jump) error {
	film, err := draw.NewFilm(g, jumps)
	if err != nil {
		return console.UsageError(err)
	}
	return p.Write(cmd, film.Strip(), film)
}
