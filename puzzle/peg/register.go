package peg

import (
	"context"
	"errors"
	"math/bits"
	"strings"

	"pagoda/puzzle"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/draw"
	"pagoda/statespace"
	"pagoda/statespace/boardtext"
	"pagoda/statespace/cells"
)

// Family returns the family.
func Family() *puzzle.Family {
	return &puzzle.Family{
		Name:  FamilyName,
		About: "peg solitaire",
		Naming: `peg/5x7 is the board of that width and height, peg/hexagon37 the hexagon of 37
cells, likewise triangleN and diamondN; spaces lists others. With :diagonal pegs
also jump along diagonals: peg/5x5:diagonal. The centre is vacant at the start;
@CELL vacates another hole: peg/english@0,2 or @c1.
A text draws a board of up to 64 cells: o is a peg, . a hole, # or a space no
cell. Its first line may be "lattice: triangular" or "lattice: diagonal".`,
		Writing: `The cells in rows, separated by / or line ends, or all in one piece. A peg is
o, 1 or *, a hole ., 0 or -; spaces do not count. In a row, # may stand for a
place off the board.`,
		Examples: examples,
		Layers:   "pegs",
		Entries:  Boards,
		Fields:   fields,
		Also:     map[string]string{"french": Prefix + "european"},
		Lookup: func(ctx context.Context, name string, _ puzzle.Choice) (statespace.Space, error) {
			return space(ctx, func() (*Space, error) { return Lookup(name) })
		},
		Define: func(ctx context.Context, d statespace.Definition, _ uint64) (statespace.Space, error) {
			return space(ctx, func() (*Space, error) { return Define(d) })
		},
		Reads: drawsPegs, // and what no other family reads is a board too
		Read:  read,
		ReadAs: func(text string) (as string, chosen bool) {
			b, start, err := board.ReadBoard(text)
			if err != nil {
				return "", false
			}
			as = b.Summary(bits.OnesCount64(start))
			if board.IsPDDL(text) {
				as += "; its goal is left out"
			}
			raw, p, err := board.ParseBoard(text)
			moved := err == nil && raw.FormatPosition(p) != b.FormatPosition(start)
			return as, moved || b.Lattice() == board.Triangular && !strings.Contains(text, board.LatticeLine)
		},
		Drawer: draw.Drawer{},
		Page: &puzzle.Page{View: "play", Title: "Peg solitaire", Unit: "jump", Draw: "draw", Play: newPlayer,
			Texts: "A board of pegs: o is a peg, . a hole, # no cell."},
	}
}

// space returns a space that plan makes, nil with an error. When ctx ends, it returns the cause at
// once. The plan is bounded work, and then ends unseen.
func space(ctx context.Context, plan func() (*Space, error)) (statespace.Space, error) {
	var sp *Space
	var err error
	done := make(chan bool)
	go func() {
		defer close(done)
		sp, err = plan()
	}()
	select {
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-done:
	}
	if err != nil {
		return nil, err
	}
	return sp, nil
}

// drawsPegs reports whether a text is one of this family alone: one in PDDL, with a lattice, with nothing but pegs and
// holes, or with pegs that are capital letters by mistake.
func drawsPegs(text string) bool {
	is, _ := boardtext.Read(text, func(text string) (bool, error) {
		return board.IsPDDL(text) || strings.HasPrefix(text, board.LatticeLine) || capitalPegs(text) ||
			strings.Contains(text, "o") && strings.Trim(text, "o.# /\r\n") == "", nil
	})
	return is
}

func capitalPegs(text string) bool {
	text = strings.Trim(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	return strings.Contains(text, "O") && strings.Trim(text, "Oo.# \n") == "" && !strings.Contains(text, "\n\n")
}

// read reads a text that draws a board.
func read(ctx context.Context, name, text string, _ puzzle.Choice) (statespace.Space, error) {
	b, start, err := board.ReadBoard(text)
	if err != nil {
		return nil, err
	}
	switch start {
	case b.Full():
		err = errors.New("every cell has a peg, so there is no jump: write . for a cell without one")
	case 0:
		err = errors.New("no cell has a peg, so there is no jump: write o for a cell with one")
	}
	if err != nil {
		return nil, &cells.SyntaxError{Line: 1, Col: 1, Reason: err.Error()}
	}
	return space(ctx, func() (*Space, error) { return New(name, b, start) })
}

var examples = map[string][]string{
	"run":     {"peg/5x7", "peg/english@0,2 -o corner.reach --threads 4", "my-board.txt --no-file --json"},
	"resume":  {"peg-5x8.reach.checkpoint --threads 4"},
	"explain": {"peg/6x7", "peg/6x8 --threads 64 --mem 1TiB"},
	"convert": {"peg-5x7.reach --store trie -o peg-5x7.trie.reach", "peg-5x7.reach --store backptr --numbering raw -o paper.reach"},
	"pack":    {"peg-5x7.reach        # makes peg-5x7.reachz"},
	"unpack":  {"peg-5x7.reachz"},
	"info":    {"peg-5x7.reach"},
	"check":   {"peg-5x7.reach"},
	"verify":  {"peg-5x7.reach"},
	"nth":     {"peg-5x7.reach 123456789"},
	"rank":    {"peg-5x7.reach oooo./o...o/o...o/oo.o./o..../o..../o...."},
	"layers":  {"peg-5x7.reach", "peg-5x7.reach --plot layers.svg"},
	"has":     {"peg-5x7.reach ooooo/ooooo/ooooo/oo.oo/ooooo/ooooo/ooooo"},
	"near": {
		"peg-5x7.reach .ooo./o...o/o...o/ooooo/o...o/o...o/o...o",
		"peg-5x7.reach .ooo./o...o/o.?.o/ooooo/o.?.o/o...o/o...o --within 2 --json",
		"peg-5x7.reach .ooo./o...o/o...o/ooooo/o...o/o...o/o...o --weights w.txt --pegs 12-17",
	},
	"path": {
		"peg-5x7.reach oooo./o...o/o...o/oo.o./o..../o..../o....",
		"peg-english.reach .../.../......./...o.../......./.../... --fewest-moves",
		"peg-english.reach .../.../......./...o.../......./.../... --explain --cells d4",
	},
	"ways":   {"peg-english.reach", "peg-english.reach --pegs 1-2"},
	"count":  {"peg-5x7.reach ooooo/o???o/o???o/o???o/o???o/o???o/ooooo"},
	"list":   {"peg-5x7.reach --pegs 2", "peg-5x7.reach ooooo/o???o/o???o/o???o/o???o/o???o/ooooo --limit 10"},
	"export": {"peg-5x7.reach --pegs 2-4 -o small.parquet", "peg-5x7.reach --format bfile --up-to-symmetry"},
	"graph":  {"peg/4x4 --up-to-symmetry -o peg-4x4.svg"},
	"sample": {"peg-5x7.reach -n 5 --pegs 17 --seed 1"},
	"render": {
		"peg-5x7.reach ooooo/ooooo/ooooo/oo.oo/ooooo/ooooo/ooooo -o start.svg",
		"peg-5x7.reach oooo./o...o/o...o/oo.o./o..../o..../o.... --solution -o p.gif",
	},
	"serve": {"peg-5x7.reach", "peg-5x7.reach --addr 127.0.0.1:0"},
}
