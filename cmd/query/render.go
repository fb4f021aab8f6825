package main

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pagoda/internal/answer"
	"pagoda/internal/cli"
	"pagoda/layers"
	"pagoda/render"
	"pagoda/statespace"
	"pagoda/statespace/peg"
	"pagoda/statespace/slide"
)

// formats are the formats of pictures, by the ending of a file's name.
var formats = []string{"svg", "png", "gif", "txt"}

// A drawing is what render was asked for.
type drawing struct {
	out, format           string
	size, columns         int
	theme                 string
	noCaptions, noLetters bool
	solution, goal        bool
	speed, loop           int
	title                 string // of a picture; empty: what it shows
}

// sliding is a space of sliding blocks.
type sliding interface {
	statespace.Reversible
	Puzzle() *slide.Puzzle
	Moves(way statespace.Way) ([]slide.Move, slide.Position, error)
}

func renderCommand() *cobra.Command {
	var d drawing
	cmd := &cobra.Command{
		Use:   "render FILE PATTERN...",
		Short: "Draw patterns, or the way to one",
		Long: `render draws patterns: as SVG, PNG or GIF into a file whose name ends so, or in
characters. Several patterns, or - for the lines of stdin, become a sheet. A cell
that is ? in a pattern may have a peg or not. A pattern need not be one that can be
reached.

  query render peg-5x7.reach ooooo/ooooo/ooooo/oo.oo/ooooo/ooooo/ooooo -o start.svg
  query render slide-klotski.reach BAAC/BAAC/DEEF/DghF/i..j -o klotski.png

With --solution it draws moves that lead from the start to one pattern: each
position with the next move as an arrow, or as GIF, an animation. When the pattern
cannot be reached, it tells why, writes no file and exits with 1.

  query render peg-5x7.reach oooo./o...o/o...o/oo.o./o..../o..../o.... --solution -o p.gif

Of sliding blocks, the way is a shortest one, and --goal takes the nearest goal instead
of a pattern.

  query render slide-klotski.reach --solution --goal -o klotski.gif`,
		Args: func(cmd *cobra.Command, args []string) error {
			if d.goal {
				return cli.Args(1, 1, "a file and no pattern with --goal")(cmd, args)
			}
			return cli.Args(2, -1, "a file and patterns")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := d.check(cmd); err != nil {
				return err
			}
			f, sp, err := cli.OpenFile(cli.Pattern(args[0]))
			if err != nil {
				return err
			}
			defer f.Close()
			if _, ok := sp.(sliding); d.noLetters && !ok {
				return cli.Usagef("--no-letters is for sliding blocks; this is %s", sp.Name())
			}
			if d.goal {
				return d.drawSolution(cmd, f, sp, "")
			}
			var texts []string
			for text, err := range patterns(args[1:], newStdin(cmd)) {
				if err != nil {
					return err
				}
				if len(texts) == render.MaxPanels {
					return cli.Usagef("there are more than %d patterns, which is the most that one picture shows", render.MaxPanels)
				}
				texts = append(texts, text)
			}
			switch {
			case len(texts) == 0:
				return cli.Usagef("there are no patterns to draw: stdin is empty")
			case d.solution && len(texts) > 1:
				return cli.Usagef("--solution draws the way to one pattern, found %d", len(texts))
			case d.solution:
				return d.drawSolution(cmd, f, sp, texts[0])
			case len(texts) > 1 && d.format == "gif":
				return cli.Usagef("a GIF shows one pattern or, with --solution, the way to it; found %d patterns: choose SVG or PNG", len(texts))
			}
			var panels []render.Panel
			for _, text := range texts {
				p, err := newPanel(sp, text)
				if err != nil {
					return err
				}
				panels = append(panels, p)
			}
			return d.write(cmd, panels, []render.Frame{{Panel: panels[0]}})
		},
	}
	d.flags(cmd, render.DefaultCell)
	flags := cmd.Flags()
	flags.BoolVar(&d.solution, "solution", false, "draw moves that lead from the start to the pattern")
	flags.BoolVar(&d.goal, "goal", false, "of sliding blocks, with --solution: draw moves that lead to the nearest goal")
	flags.BoolVar(&d.noCaptions, "no-captions", false, "leave out what is written under drawings")
	flags.BoolVar(&d.noLetters, "no-letters", false, "of sliding blocks: leave out the names of pieces")
	return cmd
}

// flags adds the flags of pictures.
func (d *drawing) flags(cmd *cobra.Command, size int) {
	flags := cmd.Flags()
	flags.StringVarP(&d.out, "output", "o", "", "file to write: its ending .svg, .png, .gif or .txt is the format; - is stdout")
	flags.StringVar(&d.format, "format", "", "format where no ending tells: svg, png, gif or txt (default txt on stdout)")
	flags.IntVar(&d.size, "size", size, fmt.Sprintf("pixels from one cell to the next, %d to %d", render.MinCell, render.MaxCell))
	flags.StringVar(&d.theme, "theme", render.Themes()[0].Name, themeUsage())
	flags.IntVar(&d.columns, "columns", 0, "number of columns of a sheet (default: as looks well)")
	flags.IntVar(&d.speed, "speed", int(render.DefaultJump.Milliseconds()), fmt.Sprintf("of an animation: milliseconds for each jump, or move by one cell, %d to %d",
		render.MinJump.Milliseconds(), render.MaxJump.Milliseconds()))
	flags.IntVar(&d.loop, "loop", 0, "of an animation: how often it is shown, 0 for ever")
}

// newPanel reads a pattern and draws it.
func newPanel(sp statespace.Space, text string) (render.Panel, error) {
	switch sp := sp.(type) {
	case *peg.Space:
		p, err := parsePattern(sp, text)
		one := render.Position{Board: sp.Board(), Pattern: p}
		return render.Panel{Drawing: one, Caption: one.Pegs()}, err
	case sliding:
		pos, err := sp.Puzzle().ParsePosition(text)
		if err != nil {
			return render.Panel{}, answer.BadPattern(text, err)
		}
		one := render.Tray{Puzzle: sp.Puzzle(), Position: pos}
		return render.Panel{Drawing: one, Caption: one.Caption()}, nil
	}
	return render.Panel{}, errNotDrawn(sp)
}

func errNotDrawn(sp statespace.Space) error {
	return cli.Usagef("%s cannot be drawn: only peg boards and sliding blocks can be", sp.Name())
}

func themeUsage() string {
	var names []string
	for _, t := range render.Themes() {
		names = append(names, t.Name)
	}
	return "colours: " + strings.Join(names, ", ")
}

// check finds the format and refuses flags that are out of range or mean nothing
// for it.
func (d *drawing) check(cmd *cobra.Command) error {
	if err := d.findFormat(cmd); err != nil {
		return err
	}
	if d.goal && !d.solution {
		return cli.Usagef("--goal is for --solution")
	}
	given := cmd.Flags().Changed
	if d.format == "gif" && !d.solution {
		for _, flag := range []string{"speed", "loop"} {
			if given(flag) {
				return cli.Usagef("--%s is for gif with --solution; there is no --solution here", flag)
			}
		}
	}
	return d.checkFlags(cmd, []use{
		{"size", "svg, png and gif", d.format != "txt"},
		{"theme", "svg, png and gif", d.format != "txt"},
		{"no-letters", "svg, png and gif", d.format != "txt"},
		{"columns", "svg, png and txt", d.format != "gif"},
		{"speed", "gif with --solution", d.format == "gif"},
		{"loop", "gif with --solution", d.format == "gif"},
	})
}

// findFormat finds the format by the flags.
func (d *drawing) findFormat(cmd *cobra.Command) error {
	given := cmd.Flags().Changed
	if given("output") && d.out == "" {
		return cli.Usagef("--output is empty, expected the name of a file, or - for stdout")
	}
	if given("format") && !slices.Contains(formats, d.format) {
		return cli.Usagef("--format is %q, expected %s", d.format, strings.Join(formats, ", "))
	}
	if d.out == "" || d.out == "-" {
		d.out = ""
		if d.format == "" {
			d.format = "txt"
		}
	} else {
		ending := ending(d.out)
		switch known := slices.Contains(formats, ending); {
		case !known && d.format == "":
			return cli.Usagef("the format of %s is not known: let it end in .svg, .png, .gif or .txt, or give --format", d.out)
		case known && d.format != "" && d.format != ending:
			return cli.Usagef("--format is %s, and %s ends in .%s: leave one of them out", d.format, d.out, ending)
		case known:
			d.format = ending
		}
	}
	if binary := d.format == "png" || d.format == "gif"; binary && d.out == "" && cli.Terminal(cmd.OutOrStdout()) {
		return cli.Usagef("a %s is not for a terminal: name a file with -o", strings.ToUpper(d.format))
	}
	return nil
}

// A use tells which formats a flag is for, and whether the format is one of them.
type use struct {
	flag, formats string
	applies       bool
}

// checkFlags refuses flags that mean nothing for the format or are out of range.
func (d *drawing) checkFlags(cmd *cobra.Command, uses []use) error {
	given := cmd.Flags().Changed
	for _, u := range uses {
		if given(u.flag) && !u.applies {
			return cli.Usagef("--%s is for %s; the format here is %s", u.flag, u.formats, d.format)
		}
	}
	for _, f := range []struct {
		flag              string
		value, from, upto int
	}{
		{"size", d.size, render.MinCell, render.MaxCell},
		{"columns", d.columns, 1, render.MaxPanels},
		{"speed", d.speed, int(render.MinJump.Milliseconds()), int(render.MaxJump.Milliseconds())},
		{"loop", d.loop, 0, render.MaxLoop},
	} {
		if given(f.flag) && (f.value < f.from || f.value > f.upto) {
			return cli.Usagef("--%s is %d, expected %d to %d", f.flag, f.value, f.from, f.upto)
		}
	}
	_, err := render.ThemeByName(d.theme)
	if err != nil {
		return cli.Usagef("--theme: %w", err)
	}
	return nil
}

// ending is what the name of a file ends in, in small letters, without the dot.
func ending(path string) string {
	return strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))
}

// drawSolution draws moves that lead to a pattern, or with --goal to the nearest goal.
func (d *drawing) drawSolution(cmd *cobra.Command, f *layers.File, sp statespace.Space, text string) error {
	switch sp := sp.(type) {
	case sliding:
		return d.drawSlides(cmd, f, sp, text)
	case *peg.Space:
		if d.goal {
			return cli.Usagef("--goal is for sliding blocks; query solve finds ways to a single peg")
		}
		return d.drawJumps(cmd, f, sp, text)
	}
	return errNotDrawn(sp)
}

func (d *drawing) drawSlides(cmd *cobra.Command, f *layers.File, sp sliding, text string) error {
	var s *solution
	var err error
	if o := new(pathOptions); d.goal {
		s, err = o.toGoal(cmd, f, sp)
	} else {
		s, err = o.toPattern(cmd, f, sp, text)
	}
	if err != nil {
		return err
	}
	if !s.Reachable {
		return s.tell(cmd, f, false)
	}
	moves, start, err := sp.Moves(s.way)
	if err != nil {
		return explainWay(f, err)
	}
	return d.drawWay(cmd, render.TraySolution{Puzzle: sp.Puzzle(), Start: start, Moves: moves})
}

func (d *drawing) drawJumps(cmd *cobra.Command, f *layers.File, sp *peg.Space, text string) error {
	p, err := parsePattern(sp, text)
	if err != nil {
		return err
	}
	if p.Any != 0 {
		return cli.Usagef("pattern %s: --solution takes a pattern that tells of every cell whether it has a peg; ? does not", answer.Shorten(text))
	}
	g, err := newGround(f, sp)
	if err != nil {
		return err
	}
	s, err := new(pathOptions).solve(cmd, g, text)
	if err != nil {
		return err
	}
	if !s.Reachable {
		return s.tell(cmd, f, false)
	}
	way := render.Solution{Board: sp.Board(), Start: sp.Start()}
	for _, step := range s.way.Steps {
		way.Jumps = append(way.Jumps, step.Move)
	}
	return d.drawWay(cmd, way)
}

// A film is a solution of some puzzle.
type film interface {
	Panels() ([]render.Panel, error)
	Frames(t render.Timing) ([]render.Frame, error)
}

// drawWay draws the positions of a way and its moves.
func (d *drawing) drawWay(cmd *cobra.Command, way film) error {
	panels, err := way.Panels()
	if err != nil {
		return cli.UsageError(err)
	}
	frames, err := way.Frames(render.Timing{Jump: time.Duration(d.speed) * time.Millisecond})
	if err != nil {
		return err
	}
	return d.write(cmd, panels, frames)
}

// write writes panels, or frames for a GIF.
func (d *drawing) write(cmd *cobra.Command, panels []render.Panel, frames []render.Frame) error {
	return d.writeAs(cmd, panels, func(w io.Writer, style render.Style) error {
		return render.WriteGIF(w, frames, d.loop, style)
	})
}

// writeAs writes panels, or what a function writes for a GIF.
func (d *drawing) writeAs(cmd *cobra.Command, panels []render.Panel, writeGIF func(w io.Writer, style render.Style) error) error {
	theme, err := render.ThemeByName(d.theme)
	if err != nil {
		return err
	}
	style := render.Style{Cell: d.size, Theme: theme, NoCaptions: d.noCaptions, NoLetters: d.noLetters}
	return writeDrawn(cmd, d.out, func(w io.Writer) error {
		switch d.format {
		case "txt":
			return render.Text(w, panels, d.columns, style)
		case "gif":
			return writeGIF(w, style)
		}
		p, err := render.Sheet(panels, d.columns, style)
		if err != nil {
			return err
		}
		if d.title != "" {
			p.SetTitle(d.title)
		}
		return writePicture(w, p, d.format)
	})
}

// writePicture writes a picture as SVG or PNG.
func writePicture(w io.Writer, p *render.Picture, format string) error {
	if format == "png" {
		return p.WritePNG(w)
	}
	return p.WriteSVG(w)
}

// writeDrawn draws, and then writes to a file, or to stdout if out is empty. What
// cannot be drawn is too large or otherwise beyond a limit, and nothing is written.
func writeDrawn(cmd *cobra.Command, out string, draw func(w io.Writer) error) error {
	var b bytes.Buffer
	if err := draw(&b); err != nil {
		return cli.UsageError(err)
	}
	if out == "" {
		_, err := b.WriteTo(cmd.OutOrStdout())
		return err
	}
	return cli.WriteFile(cmd.Context(), out, func(w io.Writer) error {
		_, err := b.WriteTo(w)
		return err
	})
}
