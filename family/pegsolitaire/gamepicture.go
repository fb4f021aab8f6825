//go:build !js

package pegsolitaire

import (
	"strings"

	"github.com/spf13/cobra"

	"pagoda/internal/cli"
	"pagoda/internal/command"
	"pagoda/render"
	"pagoda/render/pegs"
	"pagoda/statespace/peg/board"
	"pagoda/statespace/peg/weighted"
)

// A gamePicture is the flags of commands that draw a weighted game.
type gamePicture struct{ command.Picture }

// flags adds the flags to a command. Others are formats that the command writes itself.
func (p *gamePicture) flags(cmd *cobra.Command, others ...string) {
	p.Flags(cmd, render.DefaultCell, others...)
	cmd.Flags().BoolVar(&p.NoCaptions, "no-captions", false, "leave out the score under pictures")
}

// pictureFlags are the flags that mean nothing without a picture.
var pictureFlags = []string{"format", "size", "theme", "columns", "speed", "loop", "no-captions"}

// check finds out whether a file is written, or a format other than the usual one, and refuses flags that
// mean nothing. Sheets names the formats with a panel for each move: "svg and png".
func (p *gamePicture) check(cmd *cobra.Command, asJSON bool, sheets string) (writes bool, err error) {
	given := cmd.Flags().Changed
	if !given("output") && !given("format") {
		for _, flag := range pictureFlags {
			if given(flag) {
				return false, cli.Usagef("--%s is for a picture: name a file for it with -o", flag)
			}
		}
		return false, nil
	}
	if err := p.FindFormat(cmd); err != nil {
		return true, err
	}
	if asJSON && p.Out == "" {
		return true, cli.Usagef("--json prints to stdout: name a file for the picture with -o")
	}
	isSheet, isFilm := strings.Contains(sheets, p.Format), p.Format == "gif"
	return true, p.CheckFlags(cmd,
		command.Use{Flag: "columns", Formats: sheets, Applies: isSheet},
		command.Use{Flag: "no-captions", Formats: "pictures", Applies: isSheet || isFilm},
		command.Use{Flag: "speed", Formats: "gif", Applies: isFilm},
		command.Use{Flag: "loop", Formats: "gif", Applies: isFilm})
}

// draw draws a game, which must be one that can be played.
func (p *gamePicture) draw(cmd *cobra.Command, g *weighted.Game, jumps []board.Jump) error {
	film, err := pegs.NewWeightedFilm(g, jumps)
	if err != nil {
		return cli.UsageError(err)
	}
	return p.Write(cmd, render.Strip(film), film)
}
