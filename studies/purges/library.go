package purges

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"pagoda/puzzle/peg/board"
	"pagoda/statespace/cells"
)

// Cells is the number of cells up to which the library has all packages.
const Cells = 9

//go:generate go run pagoda/cmd/reach packages --find 9 -o library.csv

//go:embed library.csv
var library []byte

// Library returns the packages that Find finds in blocks of up to Cells cells. The caller must not
// change them.
var Library = sync.OnceValue(func() []*Package {
	all, err := Read(bytes.NewReader(library))
	if err != nil {
		panic(err) // a test reads it
	}
	return all
})

// ByName returns the package of a name in a library, or nil.
func ByName(library []*Package, name string) *Package {
	i := slices.IndexFunc(library, func(p *Package) bool { return strings.EqualFold(p.Name, name) })
	if i < 0 {
		return nil
	}
	return library[i]
}

// header is the first line of a library.
var header = []string{"name", "start", "goal", "jumps"}

// Write writes packages as text: CSV with a line for each. Start and goal are drawn as board.ParseBoard
// reads them, with rows separated by /, and the jumps are those of JumpText.
func Write(w io.Writer, packages []*Package) error {
	c := csv.NewWriter(w)
	if err := c.Write(header); err != nil {
		return err
	}
	for _, p := range packages {
		if err := c.Write([]string{p.Name, p.Text(p.Start), p.Text(p.Goal), p.JumpText()}); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// Read reads packages as Write writes them, and replays them.
func Read(r io.Reader) (all []*Package, err error) {
	c := csv.NewReader(r)
	c.ReuseRecord = true
	first, err := c.Read()
	if err != nil || !slices.Equal(first, header) {
		return nil, fmt.Errorf("line 1 of the packages is %.60q, expected %q", strings.Join(first, ","), strings.Join(header, ","))
	}
	blocks := make(map[string]*board.Board)
	for {
		record, err := c.Read()
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("packages: %w", err) // it says where
		}
		p, err := parse(record, blocks)
		if err != nil {
			line, _ := c.FieldPos(0)
			return nil, fmt.Errorf("line %d of the packages: %w", line, err)
		}
		all = append(all, p)
	}
}

// parse reads a line. Blocks are those that other lines have, by their drawings without pegs.
func parse(record []string, blocks map[string]*board.Board) (*Package, error) {
	empty := strings.ReplaceAll(record[1], "o", ".")
	b := blocks[empty]
	if b == nil {
		var err error
		if b, _, err = board.ParseBoard(empty); err != nil {
			return nil, fmt.Errorf("start: %w", err)
		}
		if n := len(b.Cells()); n > MaxBlock || b.Lattice() != board.Square {
			return nil, fmt.Errorf("the block has %d cells, expected at most %d on the square lattice", n, MaxBlock)
		}
		blocks[empty] = b
	}
	p := &Package{Name: strings.Clone(record[0]), Block: b}
	var err error
	if p.Start, err = b.ParsePosition(record[1]); err != nil {
		return nil, fmt.Errorf("start: %w", err)
	}
	if p.Goal, err = b.ParsePosition(record[2]); err != nil {
		return nil, fmt.Errorf("goal: %w", err)
	}
	for _, word := range strings.Fields(record[3]) {
		if word == splitMark {
			if p.Split > 0 || len(p.Jumps) == 0 {
				return nil, fmt.Errorf("unexpected %q: it stands once, between two jumps", splitMark)
			}
			p.Split = len(p.Jumps)
			continue
		}
		j, err := parseJump(b, word)
		if err != nil {
			return nil, err
		}
		p.Jumps = append(p.Jumps, j)
	}
	return p, p.Check()
}

// parseJump reads a jump such as a1-c1.
func parseJump(b *board.Board, text string) (board.Jump, error) {
	first, second, _ := strings.Cut(text, "-")
	from, err1 := cells.ParseCell(first)
	to, err2 := cells.ParseCell(second)
	if err1 == nil && err2 == nil {
		for k := range b.Jumps() {
			if j := b.Jump(k); b.Cells()[j.From] == from && b.Cells()[j.To] == to {
				return j, nil
			}
		}
	}
	return board.Jump{}, fmt.Errorf("%.20q is no jump of the block, expected one such as a1-c1", text)
}
