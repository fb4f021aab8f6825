package peg

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"pagoda/cli"
	"pagoda/internal/console"
	"pagoda/puzzle"
	"pagoda/puzzle/peg"
	"pagoda/puzzle/peg/font"
	"pagoda/render"
)

const (
	// wordColumns is how many letters a row has if nothing else is said.
	wordColumns = 12
	// wordCell is the distance of cells if nothing else is said.
	wordCell = 24
)

// A word is the flags of word.
type word struct{ cli.Picture }

func wordCommand(families *puzzle.Set) *cobra.Command {
	var o word
	o.NoCaptions = true
	cmd := &cobra.Command{
		Use:   "word FILE TEXT",
		Short: "Write a word in patterns that can be reached, and play it",
		Long: fmt.Sprintf(`word writes a text on boards of 5x7 cells, one per letter. The font consists of patterns
that can be reached from the start, so the file is that of peg/5x7, in any store. A GIF
plays all boards at the same time; those with fewer jumps begin later, so all end together.
SVG, PNG and text show the end.

The font has A to Z, which also stand for small letters, 0 to 9, . , ! ? - ' and the blank.
Accents are left out: ü is written as U. Some characters are written as others, such as ß as
SS. Stderr says so. All other characters are drawn as empty boards, and named on stderr. No
pattern is empty: the blank has two pegs. A text has 1 to %d characters; before one that begins
with -, put --. A row has %d letters, or --columns. Rows break at line ends, and at blanks where
they can; such a blank has no board.`, peg.MaxLetters, wordColumns),
		Example: `  query word peg-5x7.reach HELLO
  query word peg-5x7.reach HELLO -o hello.gif
  query word peg-5x7.reach 'Peg solitaire!' --columns 9 --theme dark -o peg.svg
  query word peg-5x7.reach HELLO --json`,
		Args: console.Args(2, 2, "a file and a text"),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, families, args) },
	}
	cli.OpenFlags(cmd)
	o.Flags(cmd, wordCell)
	console.JSON(cmd, "one JSON object")
	return cmd
}

func (o *word) run(cmd *cobra.Command, families *puzzle.Set, args []string) error {
	if err := o.check(cmd); err != nil {
		return err
	}
	text := strings.TrimRight(args[1], "\r\n")
	switch n := utf8.RuneCountInString(text); {
	case n == 0:
		return console.Usagef("the text is empty, expected 1 to %d characters", peg.MaxLetters)
	case n > peg.MaxLetters:
		return console.Usagef("the text has %d characters, expected at most %d", n, peg.MaxLetters)
	}
	f, sp, err := open(cmd, families, args[0])
	if err != nil {
		return err
	}
	defer f.Close()
	if !peg.HasFont(sp) {
		return console.Usagef("query word takes the states of %s, the board of 5x7 cells with the central one vacant; %s holds %s: reach run %s makes the file",
			font.Space, f.Path(), sp.Name(), font.Space)
	}
	letters, err := peg.Spell(cmd.Context(), f, text)
	if err != nil {
		return err
	}
	sayLacking(cmd.ErrOrStderr(), letters)
	o.Title = text
	return o.Answer(cmd, func() error { return o.draw(cmd, sp, letters) }, func() any {
		return struct {
			Text    string        `json:"text"`
			Letters []*peg.Letter `json:"letters"`
		}{text, letters}
	})
}

// check finds the format and refuses flags that mean nothing for it.
func (o *word) check(cmd *cobra.Command) error {
	return cmp.Or(o.FindFormat(cmd), o.CheckStdout(cmd), o.CheckFlags(cmd))
}

// sayLacking names the characters that the font lacks, each once, and what is written for them.
func sayLacking(w io.Writer, letters []*peg.Letter) {
	var missing, written []string
	add := func(to *[]string, text string) {
		if !slices.Contains(*to, text) {
			*to = append(*to, text)
		}
	}
	for _, l := range letters {
		if l.Missing {
			add(&missing, fmt.Sprintf("%q", l.Rune))
		} else if l.For != "" {
			add(&written, l.For+" as "+l.Instead)
		}
	}
	if len(written) > 0 {
		fmt.Fprintf(w, "query: written in the letters of the font: %s\n", strings.Join(written, ", "))
	}
	if len(missing) > 0 {
		fmt.Fprintf(w, "query: the font lacks %s; it has A to Z, 0 to 9, . , ! ? - ' and the blank\n", strings.Join(missing, " "))
	}
}

func (o *word) draw(cmd *cobra.Command, sp *peg.Space, letters []*peg.Letter) error {
	films, columns, err := peg.Compose(sp, letters, cmp.Or(o.Columns, wordColumns))
	if err != nil {
		return err
	}
	o.Columns = columns
	return o.Write(cmd, render.Ends(films...), films...)
}
