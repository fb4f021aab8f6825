package main

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"pagoda/bitset"
	"pagoda/font"
	"pagoda/internal/cli"
	"pagoda/layers"
	"pagoda/render"
	"pagoda/statespace"
	"pagoda/statespace/peg"
)

const (
	// maxLetters bounds a word.
	maxLetters = 100
	// wordColumns is how many letters a row has if nothing else is said.
	wordColumns = 12
	// wordCell is the distance of cells if nothing else is said.
	wordCell = 24
	// wordStart is the start of the space that the font is for.
	wordStart = "ooooo/ooooo/ooooo/oo.oo/ooooo/ooooo/ooooo"
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
--columns; they end at blanks where they can, and such a blank has no board.`, maxLetters, wordColumns),
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
				return cli.Usagef("the text is empty, expected 1 to %d characters", maxLetters)
			case len(text) > maxLetters:
				return cli.Usagef("the text has %d characters, expected at most %d", len(text), maxLetters)
			}
			f, sp, err := openPeg(cmd, args[0])
			if err != nil {
				return err
			}
			defer f.Close()
			if sp.Board().Lattice() != peg.Square || sp.Board().FormatPosition(sp.Start()) != wordStart {
				return cli.Usagef("query word takes the states of %s, the board of 5x7 cells with the central one vacant; %s holds %s: reach run %s makes the file",
					font.Space, f.Path(), sp.Name(), font.Space)
			}
			letters, err := spell(f, sp, text)
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
				Text    string    `json:"text"`
				Letters []*letter `json:"letters"`
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

// A letter is a character of a word, and what is played for it.
type letter struct {
	Letter   string         `json:"letter"` // as it was given
	Missing  bool           `json:"missing"`
	Pattern  string         `json:"pattern,omitempty"`
	Distance *int           `json:"distance,omitempty"` // from the letter as it was wished for
	Moves    []fmt.Stringer `json:"moves,omitempty"`

	char rune
	way  statespace.Way
}

// spell looks up the letters of a text and how they are played.
func spell(f *layers.File, sp *peg.Space, text []rune) ([]*letter, error) {
	g, err := newGround(f, sp)
	if err != nil {
		return nil, err
	}
	known := make(map[rune]*letter)
	var letters []*letter
	for _, r := range text {
		l := known[r]
		if l == nil {
			if l, err = newLetter(g, r); err != nil {
				return nil, err
			}
			known[r] = l
		}
		letters = append(letters, l)
	}
	return letters, nil
}

func newLetter(g *ground, r rune) (*letter, error) {
	l := &letter{Letter: string(r), char: r}
	glyph, ok := font.Lookup(r)
	if !ok {
		l.Missing = true
		return l, nil
	}
	l.Pattern, l.Distance = glyph.Pattern, &glyph.Distance
	x, err := g.space.Parse(glyph.Pattern)
	if err != nil {
		return nil, err
	}
	reached, err := bitset.Has(g.members, x)
	if err != nil {
		return nil, err
	}
	if !reached {
		return nil, &layers.FileError{Path: g.file.Path(), Err: layers.ErrDamaged,
			Detail: fmt.Sprintf("it lacks %s, which can be reached", glyph.Pattern), Advice: "reach verify tells more"}
	}
	if l.way, err = g.path(x); err != nil {
		return nil, g.explain(err)
	}
	l.Moves, _, err = g.space.Tell(l.way)
	return l, err
}

// tellMissing names the characters that the font lacks, each once.
func tellMissing(w io.Writer, letters []*letter) {
	var names []string
	seen := make(map[rune]bool)
	for _, l := range letters {
		if l.Missing && !seen[l.char] {
			seen[l.char] = true
			names = append(names, fmt.Sprintf("%q", l.char))
		}
	}
	if len(names) > 0 {
		fmt.Fprintf(w, "query: the font lacks %s; it has A to Z, 0 to 9, . , ! ? - ' and the blank\n", strings.Join(names, " "))
	}
}

func (o *word) draw(cmd *cobra.Command, sp *peg.Space, letters []*letter) error {
	width := wordColumns
	if o.columns > 0 {
		width = o.columns
	}
	rows := wrap(letters, width)
	o.columns = 0
	for _, row := range rows {
		o.columns = max(o.columns, len(row))
	}
	var parts render.Ensemble
	for _, row := range rows {
		for _, l := range row {
			parts = append(parts, l.part(sp))
		}
		for range o.columns - len(row) {
			parts = append(parts, render.Part{Still: render.Nothing{}})
		}
	}
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

// wrap puts letters into rows of at most a number of columns. Rows end at blanks where
// they can, which are then left out.
func wrap(letters []*letter, columns int) (rows [][]*letter) {
	for len(letters) > columns {
		end, next := columns, columns
		for i := columns; i > 0; i-- {
			if letters[i].char == ' ' {
				end, next = i, i+1
				break
			}
		}
		rows = append(rows, letters[:end])
		letters = letters[next:]
	}
	if len(letters) > 0 {
		rows = append(rows, letters)
	}
	return rows
}

// part is a letter as it is drawn.
func (l *letter) part(sp *peg.Space) render.Part {
	if l.Missing {
		plate := render.Plate{Board: sp.Board()}
		if unicode.IsPrint(l.char) {
			plate.Text = string(l.char)
		}
		return render.Part{Still: plate}
	}
	part := render.Part{Solution: render.Solution{Board: sp.Board(), Start: sp.Start()}}
	for _, step := range l.way.Steps {
		part.Solution.Jumps = append(part.Solution.Jumps, step.Move)
	}
	return part
}
