package lunar

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"pagoda/internal/amount"
	"pagoda/internal/lazy"
	"pagoda/puzzle"
	"pagoda/puzzle/lunar/board"
	"pagoda/puzzle/lunar/draw"
	"pagoda/puzzle/lunar/problem"
	"pagoda/statespace"
)

// Family returns the family.
func Family() *puzzle.Family {
	return &puzzle.Family{
		Name:  FamilyName,
		About: "Lunar Lockout",
		Naming: `lunar/5x5:2-4 is the group of all problems with 2 letters and 4 numbers on the
board 5x5. Boards are 5x5, cross, octagon, 7x7 and other sizes, rows first. A
text draws another board, below the lines lunar: and group: 2-4.
lunar/5x5:2-4@slides counts each slide as a move.`,
		Writing: `The board in rows, separated by / or line ends: X Y Z are letter pieces, digits
and o number pieces, . is an empty cell and + an empty exit.`,
		Examples: map[string][]string{
			"run":    {"lunar/5x5:2-4"},
			"graph":  {"lunar/5x5:1-3 -o problems.svg"},
			"list":   {"lunar-5x5-2-4.reach --where 'letters == 2 && significant == 4' --sort=-moves --show moves,steps --limit 5"},
			"count":  {"lunar-5x5-2-4.reach --where 'letters == 2 && branching == 0' --complement"},
			"fields": {"lunar-5x5-2-4.reach"},
			"path":   {"lunar-5x5-2-4.reach 1...2/..X../..+../.Y.../3...4"},
			"render": {"lunar-5x5-2-4.reach 1...2/..X../..+../.Y.../3...4 --solution -o lunar.gif"},
		},
		Entries: entries,
		Options: []puzzle.Option{{Name: metricOption, Usage: "what counts as a move: moves of one piece with any turns, or slides (default moves)",
			Values: []string{board.MovesMetric, board.SlidesMetric}}},
		Lookup: lookup,
		Define: Define,
		// It begins with all solved problems.
		Start:  func(statespace.Definition) (string, error) { return "", nil },
		Reads:  problem.Is,
		Read:   read,
		ReadAs: readAs,
		Drawer: draw.Drawer{},
		Page:   &puzzle.Page{View: "lunar", Title: "Lunar Lockout", Texts: "A problem of Lunar Lockout in five rows.", Play: newPlayer},
	}
}

func entries() []puzzle.Entry {
	return []puzzle.Entry{
		{Name: "lunar/5x5:3-4", About: "all problems with 3 letters and 4 numbers; lunar/BOARD:L-N has others"},
		{Name: "lunar/cross:2-3", About: "problems on the cross of 33 cells"},
		{Name: "lunar/octagon:1-4", About: "problems on the octagon of 37 cells"},
		{Name: "lunar/7x7:1-4", About: "problems on 7 by 7 cells"},
	}
}

// group is the end of the name of a group.
var group = lazy.Regexp(`^([^:]*):([0-9]{1,2})-([0-9]{1,2})$`)

// IsGroup reports whether a name without its family is that of a group, such as 5x5:3-4.
func IsGroup(name string) bool { return group().MatchString(name) }

// lookup returns the space of a name.
func lookup(ctx context.Context, name string, o puzzle.Choice) (statespace.Space, error) {
	base, metric, _ := strings.Cut(name, "@")
	parts := group().FindStringSubmatch(strings.TrimPrefix(base, FamilyName+"/"))
	if parts == nil {
		return nil, statespace.ErrUnknown
	}
	b, err := findBoard(ctx, parts[1])
	if err == nil {
		b, base, err = InMetric(b, base, metric, o.Options[metricOption])
	}
	if err != nil {
		return nil, err
	}
	letters, _ := strconv.Atoi(parts[2]) // at most two digits
	numbers, _ := strconv.Atoi(parts[3])
	g, err := New(ctx, base, b, letters, numbers, o.Memory)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return g, nil
}

// metricOption is the option that says what counts as a move.
const metricOption = "metric"

// InMetric returns a board in a metric, and the name with the metric. The metric comes from the name, behind an @, or was
// chosen by a flag. Either may be empty.
func InMetric(b *board.Board, name, metric, chosen string) (*board.Board, string, error) {
	if metric != "" && chosen != "" && chosen != metric {
		return nil, name, fmt.Errorf("%s@%s names its metric, and --metric is %s: give one of them", name, metric, chosen)
	}
	switch metric = cmp.Or(metric, chosen, board.MovesMetric); metric {
	case board.MovesMetric:
		return b, name, nil
	case board.SlidesMetric:
		return b.BySlides(), name + "@" + metric, nil
	}
	return nil, name, fmt.Errorf("%s: Lunar Lockout has no metric %.40q: expected %s or %s", name, metric, board.MovesMetric, board.SlidesMetric)
}

// findBoard returns the board of a name, or that a text file draws.
func findBoard(ctx context.Context, name string) (*board.Board, error) {
	b, err := board.Find(name)
	if !errors.Is(err, statespace.ErrUnknown) {
		return b, err
	}
	title, text, noFile := puzzle.ReadText(ctx, name, nil)
	if name == "-" || noFile != nil {
		return nil, err
	}
	p, err := problem.Parse(text)
	if err != nil {
		return nil, puzzle.InFile(title, err)
	}
	return p.Board, nil
}

// read returns the group of the board that a text draws.
func read(ctx context.Context, name, text string, o puzzle.Choice) (statespace.Space, error) {
	p, err := problem.Parse(text)
	if err != nil {
		return nil, err
	}
	letters, numbers := pieces(p)
	if p.Letters+p.Numbers == 0 { // it draws a problem
		name = fmt.Sprintf("%s:%d-%d", name, letters, numbers)
	}
	b, name, err := InMetric(p.Board, name, "", o.Options[metricOption])
	if err != nil {
		return nil, err
	}
	return New(ctx, name, b, letters, numbers, o.Memory)
}

// pieces returns how many pieces the problems of a text have.
func pieces(p *problem.Problem) (letters, numbers int) {
	if p.Letters+p.Numbers > 0 {
		return p.Letters, p.Numbers
	}
	at := p.Drawing.Position()
	return bits.OnesCount64(at.Letters), bits.OnesCount64(at.Numbers)
}

// readAs says how a text is read.
func readAs(text string) (as string, chosen bool) {
	p, err := problem.Parse(text)
	if err != nil {
		return "", false
	}
	rows, cols := p.Board.Size()
	letters, numbers := pieces(p)
	as = fmt.Sprintf("a board of Lunar Lockout of %s and %s, %s, %s and %s", amount.Of(rows, "row"), amount.Of(cols, "column"),
		amount.Of(bits.OnesCount64(p.Board.Exits()), "exit"), amount.Of(letters, "letter piece"), amount.Of(numbers, "number piece"))
	if strings.Contains(text, "leaves:") {
		return as + ": " + p.Board.Format(p.Drawing), true
	}
	if p.Renamed {
		return as + "; a name that stands there again is another piece: " + p.Board.Format(p.Drawing), true
	}
	return as, false
}
