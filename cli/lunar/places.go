package lunar

import (
	"cmp"
	"fmt"
	"math/bits"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/cli"
	"pagoda/internal/console"
	"pagoda/puzzle"
	"pagoda/puzzle/lunar/board"
	"pagoda/puzzle/lunar/draw"
	"pagoda/render"
	"pagoda/statespace/cells"
)

// A placer is the flags of places.
type placer struct{ cli.Picture }

func placesCommand(families *puzzle.Set) *cobra.Command {
	var p placer
	cmd := &cobra.Command{
		Use:   "places FILE CONFIGURATION...",
		Short: "Draw where the letter piece of a problem may stand",
		Long: `places draws configurations of number pieces, and the cells where one letter piece makes a
problem that has a solution: X, or a letter piece in pictures, if all number pieces are
significant in all best solutions; ? or a ring if not. The file has a group of one letter. A
configuration is a board with number pieces only, such as query configurations --list prints.`,
		Example: `  query places lunar-5x5-1-5.reach 1...2/3..../..+../....4/5....
  query places lunar-5x5-1-5.reach 1...2/3..../..+../....4/5.... -o places.svg`,
		Args: console.Args(2, -1, "a file and configurations"),
	}
	p.Flags(cmd, render.DefaultCell)
	p.Captions(cmd)
	console.JSON(cmd, "a JSON object for each configuration")
	cli.OpenFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return p.run(cmd, families, args) }
	return cmd
}

// A places has the cells, by row and column from 0, where a letter makes a solvable problem.
type places struct {
	Pattern     string       `json:"pattern"`
	Significant []cells.Cell `json:"significant"`
	Otherwise   []cells.Cell `json:"otherwise"`
	Unsolvable  int          `json:"unsolvable"`

	drawing draw.Position
}

func (p *placer) run(cmd *cobra.Command, families *puzzle.Set, args []string) error {
	if err := p.check(cmd); err != nil {
		return err
	}
	f, err := openGroup(cmd, families, args[0])
	if err != nil {
		return err
	}
	defer f.Close()
	if n := len(args) - 1; n > render.MaxPanels {
		return console.Usagef("there are %d configurations, expected at most %d", n, render.MaxPanels)
	}
	var panels []render.Panel
	var found []*places
	for _, text := range args[1:] {
		one, err := placesOf(f, text)
		if err != nil {
			return err
		}
		found = append(found, one)
		panels = append(panels, render.Panel{Drawing: one.drawing, Caption: fmt.Sprintf("%d significant, %d otherwise, %d unsolvable",
			len(one.Significant), len(one.Otherwise), one.Unsolvable)})
	}
	asJSON := console.AsJSON(cmd)
	if p.Out != "" || !asJSON {
		if err := p.Write(cmd, panels); err != nil {
			return err
		}
	}
	for _, one := range found {
		if !asJSON {
			break
		}
		if err := console.WriteJSON(cmd.OutOrStdout(), one); err != nil {
			return err
		}
	}
	return nil
}

func (p *placer) check(cmd *cobra.Command) error {
	if err := cmp.Or(p.FindFormat(cmd), console.Refuse(cmd, true, "speed loop", "--%s is for animations: places do not move"), p.CheckStdout(cmd)); err != nil {
		return err
	}
	if p.Format == "gif" {
		return console.Usagef("a GIF is for what moves: choose SVG, PNG or text")
	}
	return p.CheckFlags(cmd)
}

// placesOf finds the places of a configuration.
func placesOf(f *solved, text string) (*places, error) {
	b := f.group.Board()
	d, err := draw.Parse(b, text)
	if err == nil {
		switch p := d.Pieces.Position(); {
		case p.Letters != 0:
			err = fmt.Errorf("it has %s, expected number pieces only", cli.Count(uint64(bits.OnesCount64(p.Letters)), "letter piece"))
		case d.Open != 0:
			err = fmt.Errorf("it has open cells, expected %c where no piece is", board.EmptyChar)
		}
	}
	if err != nil {
		return nil, ask.BadPattern(text, err)
	}
	var significant, otherwise board.Set
	numbers := d.Pieces.Position().Numbers
	err = f.Read(func() (err error) {
		significant, otherwise, err = f.group.Places(numbers, f.at())
		return err
	})
	if err != nil {
		return nil, ask.BadPattern(text, err)
	}
	one := &places{Pattern: b.Format(d.Pieces), Significant: []cells.Cell{}, Otherwise: []cells.Cell{},
		Unsolvable: bits.OnesCount64(b.All() &^ (b.Exits() | numbers | significant | otherwise))}
	for i, c := range b.Cells() {
		switch {
		case significant>>i&1 != 0:
			one.Significant = append(one.Significant, c)
			d.Pieces[i] = board.LetterNames[0]
		case otherwise>>i&1 != 0:
			one.Otherwise = append(one.Otherwise, c)
		}
	}
	d.Open = otherwise
	one.drawing = d
	return one, nil
}
