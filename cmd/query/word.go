package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pagoda/font"
	"pagoda/internal/answer"
	"pagoda/internal/cli"
	"pagoda/render"
	"pagoda/statespace/peg"
)

const (
	// wordColumns is how many letters a row has if nothing else is said.
	wordColumns = 12
	// wordCell is the distance of cells if nothing else is said.
	wordCell = 24
)

// A word is what word was asked for.
type word struct {
	drawing
	json bool
}

func wordCommand() *cobra.Command {
	var o word
	cmd := &cobra.Command{
		Use:   "word FILE TEXT",
		Short: "Write a word in patterns that can be reached, and play it",
		Long: fmt.Sprintf(`word writes a text on boards of 5x7 cells, one for each letter. The letters are those of
a font of patterns that can be reached from the start, so the file is that of peg/5x7, in
any store. A GIF plays all boards at the same time; those with fewer jumps begin later, so
that the word is there at once. SVG, PNG and characters show how it ends.

The font has A to Z, also for small letters, 0 to 9, . , ! ? - ' and the blank. Other
characters are written on empty boards, and named on stderr. No pattern is quite blank:
that of the blank has two pegs. A text has up to %d characters. Rows have %d letters, or
--columns; they end at blanks where they can, and such a blank has no board.`, answer.MaxLetters, wordColumns),
		Example: `  query word peg-5x7.reach HELLO
  query word peg-5x7.reach HELLO -o hello.gif
  query word peg-5x7.reach 'Peg solitaire!' --columns 9 --theme dark -o peg.svg
  query word peg-5x7.reach HELLO --json`,
		Args: cli.Args(2, 2, "a file and a text"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(cmd); err != nil {
				return err
			}
			text := []rune(cli.Pattern(args[1]))
			switch {
			case len(text) == 0:
				return cli.Usagef("the text is empty, expected 1 to %d characters", answer.MaxLetters)
			case len(text) > answer.MaxLetters:
				return cli.Usagef("the text has %d characters, expected at most %d", len(text), answer.MaxLetters)
			}
			f, sp, err := openPeg(cmd, args[0])
			if err != nil {
				return err
			}
			defer f.Close()
			if !answer.HasFont(sp) {
				return cli.Usagef("query word takes the states of %s, the board of 5x7 cells with the central one vacant; %s holds %s: reach run %s makes the file",
					font.Space, f.Path(), sp.Name(), font.Space)
			}
			letters, err := answer.Spell(f, sp, text)
			if err != nil {
				return err
			}
			tellMissing(cmd.ErrOrStderr(), letters)
			if o.out != "" || !o.json {
				o.title = string(text)
				if err := o.draw(cmd, sp, letters); err != nil {
					return err
				}
			}
			if !o.json {
				return nil
			}
			return cli.WriteJSON(cmd.OutOrStdout(), struct {
				Text    string           `json:"text"`
				Letters []*answer.Letter `json:"letters"`
			}{string(text), letters})
		},
	}
	o.flags(cmd, wordCell)
	cmd.Flags().BoolVar(&o.json, "json", false, "print one JSON object, and no characters")
	return cmd
}

// check finds the format and refuses flags that mean nothing for it.
func (o *word) check(cmd *cobra.Command) error {
	if err := o.findFormat(cmd); err != nil {
		return err
	}
	if o.json && o.out == "" {
		for _, flag := range []string{"output", "format", "size", "theme", "columns", "speed", "loop"} {
			if cmd.Flags().Changed(flag) {
				return cli.Usagef("--%s is for a picture, and --json prints to stdout: name a file for the picture with -o", flag)
			}
		}
	}
	return o.checkFlags(cmd, []use{
		{"size", "svg, png and gif", o.format != "txt"},
		{"theme", "svg, png and gif", o.format != "txt"},
		{"speed", "gif", o.format == "gif"},
		{"loop", "gif", o.format == "gif"},
	})
}

// tellMissing names the characters that the font lacks, each once.
func tellMissing(w io.Writer, letters []*answer.Letter) {
	var names []string
	seen := make(map[rune]bool)
	for _, l := range letters {
		if l.Missing && !seen[l.Char] {
			seen[l.Char] = true
			names = append(names, fmt.Sprintf("%q", l.Char))
		}
	}
	if len(names) > 0 {
		fmt.Fprintf(w, "query: the font lacks %s; it has A to Z, 0 to 9, . , ! ? - ' and the blank\n", strings.Join(names, " "))
	}
}

func (o *word) draw(cmd *cobra.Command, sp *peg.Space, letters []*answer.Letter) error {
	width := wordColumns
	if o.columns > 0 {
		width = o.columns
	}
	var parts render.Ensemble
	parts, o.columns = answer.Compose(sp, letters, width)
	panels, err := parts.Panels()
	if err != nil {
		return err
	}
	return o.writeAs(cmd, panels, func(w io.Writer, style render.Style) error {
		scenes, err := parts.Scenes(render.Timing{Jump: time.Duration(o.speed) * time.Millisecond})
		if err != nil {
			return err
		}
		return render.WriteScenes(w, scenes, o.columns, o.loop, style)
	})
}
