// Package catalog turns names such as peg/5x7, files that draw a board, and the
// definitions kept in files of states into spaces.
package catalog

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"pagoda/statespace"
	"pagoda/statespace/peg"
	"pagoda/statespace/slide"
)

// An Entry is a board that the catalogue knows by name.
type Entry struct {
	Name, About string
}

// Entries lists the boards with a name, and some of the rectangles peg/WxH.
func Entries() []Entry {
	entries := []Entry{
		{"peg/4x4", "rectangle, 4 wide and 4 tall; peg/WxH makes any"},
		{"peg/5x5", "rectangle"},
		{"peg/5x6", "rectangle"},
		{"peg/5x7", "the board of the peg solitaire font"},
		{"peg/6x6", "rectangle"},
		{"peg/5x8", "rectangle"},
		{"peg/6x7", "rectangle"},
		{"peg/7x7", "rectangle"},
	}
	for _, s := range shapes {
		entries = append(entries, Entry{"peg/" + s.name, s.about})
	}
	return entries
}

// shapes are the boards that are not rectangles.
var shapes = []struct {
	name, about string
	board       func() (*peg.Board, error)
}{
	{"english", "cross of 33 holes", func() (*peg.Board, error) { return peg.Cross(7) }},
	{"european", "octagon of 37 holes", func() (*peg.Board, error) { return peg.Octagon(7, 4) }},
	{"wiegleb", "cross of 45 holes", func() (*peg.Board, error) { return peg.Cross(9) }},
	{"diamond41", "diamond of 41 holes", func() (*peg.Board, error) { return peg.Octagon(9, 4) }},
	{"triangle10", "triangle of 4 rows", func() (*peg.Board, error) { return peg.Triangle(4) }},
	{"triangle15", "triangle of 5 rows", func() (*peg.Board, error) { return peg.Triangle(5) }},
	{"triangle21", "triangle of 6 rows", func() (*peg.Board, error) { return peg.Triangle(6) }},
	{"triangle28", "triangle of 7 rows", func() (*peg.Board, error) { return peg.Triangle(7) }},
}

// ErrUnknown is the error for a name that is neither in the catalogue nor a file,
// and for a definition of a family that is not known here.
var ErrUnknown = errors.New("no such space")

// maxFile bounds what is read of a board's file.
const maxFile = 1 << 20

// Sliding says which space of a sliding-block puzzle is meant.
type Sliding struct {
	Metric string // what counts as a move; empty: as the name says, or moves
	ToGoal bool   // no farther than the nearest goal
	Memory uint64 // bytes; 0 is no bound
}

// Lookup returns the space of a name: a board of the catalogue, which may end in @r,c to
// vacate the hole in that row and column; or a puzzle of slide.Library or slide/nRxC,
// which may end in @ and a metric; or the path of a text file that draws a board and its
// start (see peg.ParseBoard) or a tray (see slide.ParsePuzzle), or - for such a text on
// stdin.
func Lookup(name string, stdin io.Reader, s Sliding) (statespace.Space, error) {
	if rest, ok := strings.CutPrefix(name, "peg/"); ok {
		if sp, err := named(name, rest); !errors.Is(err, ErrUnknown) {
			return s.peg(sp, err)
		}
	}
	if base, metric, given := strings.Cut(name, "@"); strings.HasPrefix(base, slide.Prefix) {
		if p, err := slide.Lookup(base); !errors.Is(err, slide.ErrUnknown) {
			if given && s.Metric != "" && s.Metric != metric {
				return nil, fmt.Errorf("%s is asked for in the metric %s", name, s.Metric)
			}
			if given {
				s.Metric = metric
			}
			return s.space(base, p, err)
		}
	}
	name, text, err := read(name, stdin)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %q is neither in the catalogue (reach spaces lists it) nor a file that draws a board or a tray", ErrUnknown, name)
	}
	if err != nil {
		return nil, err
	}
	base := filepath.Base(name)
	if stem := strings.TrimSuffix(base, filepath.Ext(base)); stem != "" {
		base = stem
	}
	if slide.IsPuzzle(text) {
		p, err := parsePuzzle(name, text)
		return s.space(base, p, err)
	}
	b, start, err := peg.ParseBoard(text)
	if err != nil {
		return nil, inFile(name, err)
	}
	return s.peg(peg.New(base, b, start))
}

// peg returns a space of a peg board.
func (s Sliding) peg(sp *peg.Space, err error) (statespace.Space, error) {
	switch {
	case err != nil:
		return nil, err
	case s.Metric != "":
		return nil, fmt.Errorf("%s is a peg board: a metric is for sliding blocks", sp.Name())
	case s.ToGoal:
		return nil, fmt.Errorf("%s is a peg board: a goal is for sliding blocks", sp.Name())
	}
	return sp, nil
}

// space returns the space of a puzzle.
func (s Sliding) space(name string, p *slide.Puzzle, err error) (statespace.Space, error) {
	m := slide.Moves
	if err == nil && s.Metric != "" {
		m, err = slide.ParseMetric(s.Metric)
	}
	if err == nil {
		if m != slide.Moves {
			name += "@" + m.String()
		}
		var sp *slide.Space
		if sp, err = slide.NewSpace(name, p, m, s.ToGoal, s.Memory); err == nil {
			return sp, nil
		}
	}
	return nil, fmt.Errorf("%s: %w", name, err)
}

// read returns a name for messages and the text of a file, or of stdin for -.
func read(name string, stdin io.Reader) (from, text string, err error) {
	var data []byte
	if name == "-" {
		name = "stdin"
		data, err = io.ReadAll(io.LimitReader(stdin, maxFile+1))
	} else {
		data, err = readFile(name)
	}
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("%s draws no puzzle: it is larger than 1 MiB", name)
	}
	return name, string(data), err
}

func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxFile+1))
}

var (
	rectangle = regexp.MustCompile(`^(0|[1-9][0-9]*)x(0|[1-9][0-9]*)$`)
	vacancy   = regexp.MustCompile(`^([0-9]+),([0-9]+)$`)
)

// named makes the space of the catalogue's name "peg/" + rest.
func named(name, rest string) (*peg.Space, error) {
	rest, at, vacate := strings.Cut(rest, "@")
	b, err := board(rest)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	hole := defaultVacancy(b)
	if vacate {
		m := vacancy.FindStringSubmatch(at)
		if m == nil {
			return nil, fmt.Errorf("%s: the vacancy %q is not of the form row,column", name, at)
		}
		hole.Row, _ = strconv.Atoi(m[1])
		hole.Col, _ = strconv.Atoi(m[2])
	}
	n, ok := b.Number(hole)
	if !ok {
		return nil, fmt.Errorf("%s: the board has no cell in row %d, column %d (counted from 0)", name, hole.Row, hole.Col)
	}
	return peg.New(name, b, b.Full()&^(1<<n))
}

func board(name string) (*peg.Board, error) {
	for _, s := range shapes {
		if s.name == name {
			return s.board()
		}
	}
	m := rectangle.FindStringSubmatch(name)
	if m == nil {
		return nil, ErrUnknown
	}
	width, errW := strconv.ParseUint(m[1], 10, 31)
	height, errH := strconv.ParseUint(m[2], 10, 31)
	if errW != nil || errH != nil {
		return nil, fmt.Errorf("the sides of a board are at most 2^31-1; at most %d cells can be numbered", peg.MaxCells)
	}
	if width == 0 || height == 0 {
		return nil, fmt.Errorf("a board has at least one column and one row")
	}
	return peg.Rectangle(int(width), int(height))
}

// defaultVacancy is the corner of a triangle, else the centre, or where a side is
// even, the hole above and left of it.
func defaultVacancy(b *peg.Board) peg.Cell {
	if b.Lattice() == peg.Triangular {
		return peg.Cell{}
	}
	var last peg.Cell
	for _, c := range b.Cells() {
		last.Row, last.Col = max(last.Row, c.Row), max(last.Col, c.Col)
	}
	return peg.Cell{Row: last.Row / 2, Col: last.Col / 2}
}

// Puzzle returns the sliding-block puzzle of a name: one of slide.Library or slide/nRxC,
// or the path of a text file that draws one (see slide.ParsePuzzle), or - for such a text
// on stdin.
func Puzzle(name string, stdin io.Reader) (*slide.Puzzle, error) {
	p, err := slide.Lookup(name)
	if !errors.Is(err, slide.ErrUnknown) {
		return p, err
	}
	if base, metric, given := strings.Cut(name, "@"); given && strings.HasPrefix(base, slide.Prefix) {
		return nil, fmt.Errorf("%w: %q; the metric is told by --metric %s here", ErrUnknown, name, metric)
	}
	if strings.HasPrefix(name, "peg/") {
		return nil, fmt.Errorf("%w: %q is a peg board, not a sliding-block puzzle", ErrUnknown, name)
	}
	name, text, err := read(name, stdin)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %q is neither in the library (%s, or an n-puzzle such as slide/n3x3) nor a file that draws a tray",
			ErrUnknown, name, strings.Join(slide.Library(), ", "))
	}
	if err != nil {
		return nil, err
	}
	return parsePuzzle(name, text)
}

func parsePuzzle(name, text string) (*slide.Puzzle, error) {
	p, err := slide.ParsePuzzle(text)
	return p, inFile(name, err)
}

// inFile says of an error which file it is about.
func inFile(name string, err error) error {
	var at *statespace.SyntaxError
	switch {
	case errors.As(err, &at):
		return fmt.Errorf("%s:%d:%d: %s", name, at.Line, at.Col, at.Reason)
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// Define returns the space of a definition.
func Define(d statespace.Definition) (statespace.Space, error) {
	switch d.Family {
	case peg.Family:
		return peg.Define(d)
	case slide.Family:
		sp, err := slide.Define(d)
		if errors.Is(err, slide.ErrNumbering) {
			err = fmt.Errorf("%w: %w", ErrUnknown, err)
		}
		return sp, err
	}
	return nil, fmt.Errorf("%w: %s is of the family %q", ErrUnknown, d.Name, d.Family)
}
