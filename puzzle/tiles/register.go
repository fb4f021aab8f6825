// Package tiles is 2048 and Threes: their names, texts and drawing, and what the page needs to play them.
//
// The boards and their slides are in package glide, the rules of the games in twenty48 and threes, and
// computer players in player.
package tiles

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"pagoda/internal/amount"
	"pagoda/internal/lazy"
	"pagoda/internal/lists"
	"pagoda/puzzle"
	"pagoda/puzzle/tiles/glide"
	"pagoda/puzzle/tiles/threes"
	"pagoda/puzzle/tiles/twenty48"
	"pagoda/statespace"
	"pagoda/statespace/cells"
	"pagoda/statespace/chance"
)

const writing = `The rows of the board, separated by / or line ends; cells by commas or blanks;
a dot is an empty cell: %s. Mirrored boards are one state.`

// Twenty48 registers 2048.
func Twenty48() *puzzle.Family {
	return register(&puzzle.Family{
		Name:   twenty48.Family,
		About:  "2048",
		Chance: true,
		Naming: `2048/3x3 is a board of 3 rows and 3 columns, up to 16 cells; 2048/4x4:32 ends
with the tile 32. A text draws a start, below the line 2048 or 2048:64.`,
		Writing: fmt.Sprintf(writing, "2,4,./.,.,2"),
		Examples: map[string][]string{
			"run":    {"2048/2x3", "2048/3x3:64 --objective target"},
			"list":   {"2048-2x3.reach --where 'tile == 128' --limit 5"},
			"count":  {"2048-2x3.reach --where 'tile >= 64'"},
			"fields": {"2048-2x3.reach"},
			"value":  {"2048-2x3.reach 2,4,8/2,.,."},
			"path":   {"2048-2x3.reach --seed 7", "2048-2x3.reach --objective tile:128 --from 2,4,8/2,.,."},
			"render": {"2048-2x3.reach 2,4,8/2,.,. -o board.svg", "2048-2x3.reach --game --seed 7 -o game.gif"},
		},
		Entries: entries(twenty48Entries),
		Options: Twenty48Options,
	}, twenty48.Define, newTwenty48)
}

// register fills in what the families have in common, given the functions that make their spaces.
func register(f *puzzle.Family, define func(statespace.Definition) (statespace.Space, error), newSpace func(name string, s Shape, o puzzle.Choice) (statespace.Space, error)) *puzzle.Family {
	own := f.Options
	f.Options = append(slices.Clone(own), puzzle.Option{Name: "start", Form: "BOARD", Usage: "games start with this BOARD (default: as the game is played)"})
	f.Full, f.Drawer, f.Fields = true, drawer{}, fields
	f.Page = &puzzle.Page{View: "numbers", Title: "Number tiles", Play: newPlayer,
		Texts: "Number tiles, with a first line such as 2048:64 or threes, and below it numbers, and a dot for an empty cell."}
	f.Lookup = func(_ context.Context, name string, o puzzle.Choice) (statespace.Space, error) {
		name, o, err := SplitName(name, o, own)
		if err != nil {
			return nil, err
		}
		s, err := ParseName(f.Name, name)
		if err != nil {
			return nil, err
		}
		s.Start = o.Options["start"]
		return newSpace(s.name(f.Name), s, o)
	}
	f.Define = func(_ context.Context, d statespace.Definition, _ uint64) (statespace.Space, error) { return define(d) }
	f.Reads = func(text string) bool { return firstLine(f.Name).MatchString(text) }
	f.Read = func(_ context.Context, name, text string, o puzzle.Choice) (statespace.Space, error) {
		s, err := parseText(f.Name, text, o)
		if err != nil {
			return nil, err
		}
		return newSpace(name, s, o)
	}
	f.ReadAs = func(text string) (as string, chosen bool) {
		s, err := parseText(f.Name, text, puzzle.Choice{})
		if err != nil {
			return "", false
		}
		last := ""
		if s.Last > 0 {
			last = fmt.Sprintf(", the last tile %d", s.Last)
		}
		return fmt.Sprintf("%s on %s and %s%s, with a start", f.About, amount.Of(s.Rows, "row"), amount.Of(s.Columns, "column"), last), false
	}
	return f
}

// newTwenty48 returns the space of a game with the options that were chosen.
func newTwenty48(name string, s Shape, o puzzle.Choice) (statespace.Space, error) {
	g := twenty48.Options{Rows: s.Rows, Columns: s.Columns, Target: s.Last, Start: s.Start, P4: twenty48.DefaultP4}
	if text, ok := o.Options["p4"]; ok {
		p, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, fmt.Errorf("--p4: expected a number from 0 to 1, found %.40q", text)
		}
		g.P4 = p
	}
	name += g.Suffix()
	game, err := twenty48.NewGame(name, g)
	if err == nil && o.Options["start"] != "" {
		game, err = twenty48.NewGame(name+"@"+game.Options.Start, game.Options)
	}
	return space(game, err)
}

// The options of the games, which also stand in names behind the sign @.
var (
	Twenty48Options = []puzzle.Option{{Name: "p4", Form: "CHANCE", Usage: "the CHANCE that a new tile is a 4 (default 0.1)"}}
	ThreesOptions   = []puzzle.Option{
		{Name: "bag", Form: "N", Usage: "a full bag holds N 1s, N 2s and N 3s; 0: any of them comes next (default 4)"},
		{Name: "hidden", Usage: "the next tile is not shown before the move"},
		{Name: "bonus", Usage: "a bonus tile may come next; exact solutions then need a stop tile of 96 or more"},
	}
)

// SplitName splits the options off the name of a space, such as 2048/2x3@p4=0.5 or threes/2x3@hidden@1,2,./.,.,.; what
// else was chosen comes first.
func SplitName(name string, o puzzle.Choice, options []puzzle.Option) (base string, with puzzle.Choice, err error) {
	base, rest, _ := strings.Cut(name, "@")
	with = puzzle.Choice{Options: make(map[string]string), Memory: o.Memory}
	names := lists.Map(options, func(o puzzle.Option) string { return o.Name })
	for rest != "" {
		part, after, _ := strings.Cut(rest, "@")
		key, value, valued := strings.Cut(part, "=")
		i := slices.Index(names, key)
		switch {
		case i >= 0 && valued != (options[i].Form != ""):
			return "", with, fmt.Errorf("expected @%s behind a name, found @%.40s", writeOption(options[i]), part)
		case i >= 0:
			with.Options[key] = cmp.Or(value, "true")
		case part != "" && unicode.IsLetter(rune(part[0])):
			return "", with, fmt.Errorf("expected %s or a start, such as 2,./.,2, behind the sign @ in a name, found %.40q", strings.Join(names, ", "), part)
		default: // a start, which may have a bag behind another @
			with.Options["start"], after = rest, ""
		}
		rest = after
	}
	maps.Copy(with.Options, o.Options)
	return base, with, nil
}

// writeOption writes an option as it stands in a name: hidden, or bag=N.
func writeOption(o puzzle.Option) string {
	if o.Form == "" {
		return o.Name
	}
	return o.Name + "=" + o.Form
}

// Threes registers Threes.
func Threes() *puzzle.Family {
	return register(&puzzle.Family{
		Name:   threes.Family,
		About:  "Threes",
		Chance: true,
		Naming: `threes/2x3 is a board of 2 rows and 3 columns, up to 12 cells; threes/3x3:48
ends with the tile 48. A text draws a start, below the line threes or threes:48.`,
		Writing: fmt.Sprintf(writing, "1,2,./.,.,3") + `
After @ come the tiles left in the bag, if it is not full: 1,2/.,3@111222333.`,
		Examples: map[string][]string{
			"run":    {"threes/2x2", "threes/2x3 --bag 1"},
			"fields": {"threes-2x2.reach"},
		},
		Entries: entries(threesEntries),
		Options: ThreesOptions,
	}, threes.Define, newThrees)
}

// newThrees returns the space of a game with the options that were chosen.
func newThrees(name string, s Shape, o puzzle.Choice) (statespace.Space, error) {
	g := threes.Standard(s.Rows, s.Columns)
	if s.Last > 1<<30 {
		return nil, fmt.Errorf("expected a stop tile 6, 12, 24, ..., found %d", s.Last)
	}
	g.Stop, g.Start = int(s.Last), s.Start
	if text, ok := o.Options["bag"]; ok {
		n, err := strconv.Atoi(text)
		if err != nil {
			return nil, fmt.Errorf("--bag: expected a number of tiles, found %.40q", text)
		}
		g.Bag = n
	}
	g.Hidden, g.Bonus = o.Options["hidden"] != "", o.Options["bonus"] != ""
	name += g.Suffix()
	game, err := threes.NewGame(name, g)
	if err == nil && o.Options["start"] != "" {
		game, err = threes.NewGame(name+"@"+game.Options.Start, game.Options)
	}
	return space(game, err)
}

// space returns the space of a game, unless there is an error.
func space(g statespace.Game, err error) (statespace.Space, error) {
	if err != nil {
		return nil, err
	}
	return chance.NewSpace(g), nil
}

// A Shape is the board of a game, the tile that ends it, or 0, and the board in which it starts, if that is drawn.
type Shape struct {
	Rows, Columns int
	Last          uint64
	Start         string
}

// name returns the name of a space: 2048/03x3 is 2048/3x3.
func (s Shape) name(familyName string) string {
	name := fmt.Sprintf("%s/%dx%d", familyName, s.Rows, s.Columns)
	if s.Last > 0 {
		name += fmt.Sprintf(":%d", s.Last)
	}
	return name
}

// nameEnd is the end of the name of a space: rows, columns and the tile that ends a game.
var nameEnd = lazy.Regexp(`^([0-9]{1,2})x([0-9]{1,2})(?::([0-9]{1,19}))?$`)

// ParseName reads the name of a space.
func ParseName(familyName, name string) (s Shape, err error) {
	parts := nameEnd().FindStringSubmatch(strings.TrimPrefix(name, familyName+"/"))
	if parts == nil {
		return s, statespace.ErrUnknown
	}
	s.Rows, _ = strconv.Atoi(parts[1]) // at most two digits
	s.Columns, _ = strconv.Atoi(parts[2])
	if parts[3] != "" {
		s.Last, err = parseLast(parts[3])
	}
	return s, err
}

// parseLast reads the tile that ends a game.
func parseLast(text string) (last uint64, err error) {
	if last, err = strconv.ParseUint(text, 10, 64); err != nil || last == 0 {
		return 0, fmt.Errorf("expected a tile after the colon, found %.40q", text)
	}
	return last, nil
}

// firstLine matches texts of a family: the first line has its name, and perhaps the tile that ends a game.
func firstLine(familyName string) *regexp.Regexp {
	return regexp.MustCompile(`^\s*` + familyName + `[ \t]*(?::([^\r\n]*))?\r?\n`)
}

// parseText reads a text that draws a start.
func parseText(familyName, text string, o puzzle.Choice) (s Shape, err error) {
	if o.Options["start"] != "" {
		return s, errors.New("the text draws a start: leave out --start")
	}
	m := firstLine(familyName).FindStringSubmatchIndex(text)
	if m == nil {
		return s, &cells.SyntaxError{Line: 1, Col: 1, Reason: fmt.Sprintf("expected the line %s or %[1]s:64, and below it the rows of a board", familyName)}
	}
	if m[2] >= 0 {
		if s.Last, err = parseLast(strings.TrimSpace(text[m[2]:m[3]])); err != nil {
			return s, &cells.SyntaxError{Line: 1, Col: len(familyName) + 2, Reason: err.Error()}
		}
	}
	s.Start = strings.TrimSpace(text[m[1]:])
	board, _, _ := strings.Cut(s.Start, "@")
	lines := glide.Rows(board)
	if len(lines) == 0 {
		return s, &cells.SyntaxError{Line: 2, Col: 1, Reason: "expected the rows of a board, found none"}
	}
	s.Rows, s.Columns = len(lines), len(glide.Cells(lines[0]))
	return s, nil
}
