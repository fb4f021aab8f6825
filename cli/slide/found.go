package slide

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/cli"
	"pagoda/internal/console"
	"pagoda/internal/lists"
	"pagoda/internal/mapped"
	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/draw"
	"pagoda/puzzle/slide/tray"
	"pagoda/render"
)

// A found is a puzzle that a search of many puzzles has found, or a list names.
type found struct {
	puzzle *tray.Puzzle
	text   string // which tray.Parse reads, or the name in a list
	length int    // as the search says
	solved *slide.Result
}

// A record is a puzzle that was found, as JSON. Of Rush Hour it stands for its component.
type record struct {
	Puzzle    string   `json:"puzzle"`
	Solutions *big.Int `json:"solutions"`
	States    uint64   `json:"states"`

	found
}

// recordsOf returns puzzles that are solved as JSON.
func recordsOf(all []found) []record {
	return lists.Map(all, func(f found) record { return record{f.text, f.solved.Solutions, f.solved.States, f} })
}

// solveAgain solves puzzles by the engine of single puzzles, some at a time, and sets what it finds. An
// error names the puzzle for which the two engines differ. Then the puzzles of equal length are sorted:
// those with few shortest solutions come first.
func solveAgain(ctx context.Context, all []found, m tray.Metric, o slide.Options) error {
	threads := max(1, o.Threads)
	o.Threads, o.Memory = 1, o.Memory/uint64(threads)
	if err := mapped.Each(ctx, threads, uint64(len(all)), func(i uint64) (err error) {
		f := &all[i]
		if f.solved, err = slide.Solve(ctx, f.puzzle, m, o); err != nil {
			return fmt.Errorf("%s: %w", f.text, err)
		}
		return f.check(m)
	}); err != nil {
		return err
	}
	slices.SortStableFunc(all, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.length, a.length), a.solved.Solutions.Cmp(b.solved.Solutions))
	})
	return nil
}

// check compares what the two engines found.
func (f *found) check(m tray.Metric) error {
	switch {
	case !f.solved.Solved:
		return fmt.Errorf("the engines differ: the search of all puzzles found the length %d in %v, and slide.Solve finds no solution of %s", f.length, m, f.text)
	case f.solved.Length != f.length:
		return fmt.Errorf("the engines differ: the search of all puzzles found the length %d in %v, and slide.Solve found %d for %s", f.length, m, f.solved.Length, f.text)
	}
	return nil
}

// A shown puzzle was found, and is drawn or saved.
type shown struct {
	*found
	caption string
	title   string // in its file
	file    string // the name, without .txt
	drawn   bool
}

// fileName names the file of a puzzle, the one of an index among several with some number of pieces.
func fileName(base string, pieces, i, several int) string {
	name := fmt.Sprintf("%s-%02d", base, pieces)
	if several > 1 {
		name += fmt.Sprintf("-%d", i+1)
	}
	return name
}

// writeAll saves and draws puzzles, and prints an answer, as the flags say.
func (o *findOptions) writeAll(cmd *cobra.Command, all []shown, answer any, text func(w io.Writer) error) error {
	if o.save != "" {
		if err := o.saveAll(cmd, all); err != nil {
			return err
		}
	}
	if o.drawn && len(all) > 0 {
		if err := o.draw(cmd, all); err != nil {
			return err
		}
	}
	if o.drawn && o.Out == "" {
		return nil // stdout has the picture
	}
	return console.Answer(cmd, answer, text)
}

// draw draws the puzzles, or as a GIF their solutions. As PDF, the solutions are on the backs.
func (o *findOptions) draw(cmd *cobra.Command, all []shown) error {
	var panels []render.Panel
	var films []render.Film
	var cards []render.Card
	shapes := make(draw.Palette)
	for _, f := range all {
		if !f.drawn {
			continue
		}
		colours := shapes.Of(f.puzzle)
		film, err := draw.NewFilm(f.puzzle, nil, f.solved.Moves, colours)
		if err != nil {
			return console.UsageError(err)
		}
		drawing := draw.Tray{Puzzle: f.puzzle, Position: f.puzzle.Start(), Colours: colours}
		panels, films = append(panels, render.Panel{Drawing: drawing, Caption: f.caption}), append(films, film)
		cards = append(cards, render.Card{Panel: render.Panel{Drawing: drawing, Caption: f.title}, Back: []string{f.title, "", strings.Join(dashed(f.solved.Moves), " ")}})
	}
	if o.Format == cli.Pages {
		return o.WriteCards(cmd, cards)
	}
	return o.Write(cmd, panels, films...)
}

// dashed writes moves as words, such as B-DD.
func dashed(moves []tray.Move) []string {
	return lists.Map(moves, func(m tray.Move) string { return m.Pieces + "-" + m.Path })
}

// saveAll writes a file for each puzzle, which reach solve reads, with what is known about it.
func (o *findOptions) saveAll(cmd *cobra.Command, all []shown) error {
	if err := os.MkdirAll(o.save, 0o777); err != nil {
		return fmt.Errorf("--save: %w", err)
	}
	for _, f := range all {
		f.puzzle.Title = f.title
		f.puzzle.Lengths[metricOf(o.metric)] = f.length
		if f.solved.Whole {
			f.puzzle.States = f.solved.States
		}
		if err := console.WriteFile(cmd.Context(), filepath.Join(o.save, f.file+".txt"), func(w io.Writer) error {
			_, err := io.WriteString(w, f.puzzle.Format())
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}
