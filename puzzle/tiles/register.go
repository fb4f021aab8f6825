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
	"sync"
	"unicode"

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
	return &puzzle.Family{
		Name:  twenty48.Family,
		About: "2048",
		Naming: `2048/3x3 is a board of 3 rows and 3 columns, up to 16 cells; 2048/4x4:32 ends
with the tile 32. A text draws a start, below the line 2048 or 2048:64.`,
		Writing: fmt.Sprintf(writing, "2,4,./.,.,2"),
		Full:    true,
		Drawer:  drawer{},
		Play:    newPlayer,
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
		Fields:  fields,
		Options: append(slices.Clone(Twenty48Options), startOption),
		Lookup: func(_ context.Context, name string, o puzzle.Choice) (statespace.Space, error) {
			name, o, err := SplitName(name, o, Twenty48Options)
			if err != nil {
				return nil, err
			}
			rows, columns, target, err := ParseName(twenty48.Family, name)
			if err != nil {
				return nil, err
			}
			return newTwenty48(writeName(twenty48.Family, rows, columns, target), twenty48.Options{Rows: rows, Columns: columns, Target: target, Start: o.Options["start"]}, o)
		},
		Define: func(_ context.Context, d statespace.Definition, _ uint64) (statespace.Space, error) {
			return twenty48.Define(d)
		},
		Reads: func(text string) bool { return firstLine(twenty48.Family).MatchString(text) },
		Read: func(_ context.Context, name, text string, o puzzle.Choice) (statespace.Space, error) {
			rows, columns, target, start, err := parseText(twenty48.Family, text, o)
			if err != nil {
				return nil, err
			}
			return newTwenty48(name, twenty48.Options{Rows: rows, Columns: columns, Target: target, Start: start}, o)
		},
	}
}

// newTwenty48 returns the space of a game with the options that were chosen.
func newTwenty48(name string, g twenty48.Options, o puzzle.Choice) (statespace.Space, error) {
	g.P4 = twenty48.DefaultP4
	if text, ok := o.Options["p4"]; ok {
		p, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, fmt.Errorf("--p4: expected a number from 0 to 1, found %.40q", text)
		}
		if g.P4 = p; p != twenty48.DefaultP4 {
			name += "@p4=" + strconv.FormatFloat(p, 'g', -1, 64)
		}
	}
	game, err := twenty48.NewGame(name, g)
	if err == nil && o.Options["start"] != "" {
		game, err = twenty48.NewGame(name+"@"+game.Options.Start, game.Options)
	}
	return space(game, err)
}

// The options of the games, which also stand in names behind the sign @.
var (
	Twenty48Options = []puzzle.Option{{Name: "p4", Form: "CHANCE", Usage: "the chance that a new tile is a 4 (default 0.1)"}}
	ThreesOptions   = []puzzle.Option{
		{Name: "bag", Form: "N", Usage: "how many 1s, how many 2s and how many 3s a full bag holds; 0: any of them comes next (default 4)"},
		{Name: "hidden", Usage: "the next tile is not shown before the move"},
		{Name: "bonus", Usage: "a bonus tile may come next; exact solutions then need a stop tile of 96 or more"},
	}
)

// SplitName splits the options off the name of a space, such as 2048/2x3@p4=0.5 or threes/2x3@hidden@1,2,./.,.,.; what
// else was chosen comes first.
func SplitName(name string, o puzzle.Choice, options []puzzle.Option) (base string, with puzzle.Choice, err error) {
	base, rest, _ := strings.Cut(name, "@")
	with = puzzle.Choice{Options: make(map[string]string), Memory: o.Memory}
	for rest != "" {
		part, after, _ := strings.Cut(rest, "@")
		key, value, valued := strings.Cut(part, "=")
		var names []string
		for _, option := range options {
			names = append(names, option.Name)
		}
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

var startOption = puzzle.Option{Name: "start", Form: "BOARD", Usage: "the board in which games start (default: as the game is played)"}

// Threes registers Threes.
func Threes() *puzzle.Family {
	return &puzzle.Family{
		Name:  threes.Family,
		About: "Threes",
		Naming: `threes/2x3 is a board of 2 rows and 3 columns, up to 12 cells; threes/3x3:48
ends with the tile 48. A text draws a start, below the line threes or threes:48.`,
		Writing: fmt.Sprintf(writing, "1,2,./.,.,3") + `
After @ come the tiles left in the bag, if it is not full: 1,2/.,3@111222333.`,
		Full:   true,
		Drawer: drawer{},
		Play:   newPlayer,
		Examples: map[string][]string{
			"run":    {"threes/2x2", "threes/2x3 --bag 1"},
			"fields": {"threes-2x2.reach"},
		},
		Entries: entries(threesEntries),
		Fields:  fields,
		Options: append(slices.Clone(ThreesOptions), startOption),
		Lookup: func(_ context.Context, name string, o puzzle.Choice) (statespace.Space, error) {
			name, o, err := SplitName(name, o, ThreesOptions)
			if err != nil {
				return nil, err
			}
			rows, columns, stop, err := ParseName(threes.Family, name)
			if err != nil {
				return nil, err
			}
			return newThrees(writeName(threes.Family, rows, columns, stop), rows, columns, stop, o.Options["start"], o)
		},
		Define: func(_ context.Context, d statespace.Definition, _ uint64) (statespace.Space, error) {
			return threes.Define(d)
		},
		Reads: func(text string) bool { return firstLine(threes.Family).MatchString(text) },
		Read: func(_ context.Context, name, text string, o puzzle.Choice) (statespace.Space, error) {
			rows, columns, stop, start, err := parseText(threes.Family, text, o)
			if err != nil {
				return nil, err
			}
			return newThrees(name, rows, columns, stop, start, o)
		},
	}
}

// newThrees returns the space of a game with the options that were chosen.
func newThrees(name string, rows, columns int, stop uint64, start string, o puzzle.Choice) (statespace.Space, error) {
	g := threes.Standard(rows, columns)
	if stop > 1<<30 {
		return nil, fmt.Errorf("expected a stop tile 6, 12, 24, ..., found %d", stop)
	}
	g.Stop, g.Start = int(stop), start
	if text, ok := o.Options["bag"]; ok {
		n, err := strconv.Atoi(text)
		if err != nil {
			return nil, fmt.Errorf("--bag: expected a number of tiles, found %.40q", text)
		}
		if n != g.Bag {
			name += "@bag=" + strconv.Itoa(n)
		}
		g.Bag = n
	}
	if g.Hidden = o.Options["hidden"] != ""; g.Hidden {
		name += "@hidden"
	}
	if g.Bonus = o.Options["bonus"] != ""; g.Bonus {
		name += "@bonus"
	}
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

// shape is the end of the name of a space: rows, columns and the tile that ends a game.
var shape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([0-9]{1,2})x([0-9]{1,2})(?::([0-9]{1,19}))?$`) })

// ParseName reads the name of a space.
func ParseName(familyName, name string) (rows, columns int, last uint64, err error) {
	parts := shape().FindStringSubmatch(strings.TrimPrefix(name, familyName+"/"))
	if parts == nil {
		return 0, 0, 0, statespace.ErrUnknown
	}
	rows, _ = strconv.Atoi(parts[1]) // at most two digits
	columns, _ = strconv.Atoi(parts[2])
	if parts[3] != "" {
		if last, err = parseLast(parts[3]); err != nil {
			return 0, 0, 0, err
		}
	}
	return rows, columns, last, nil
}

// writeName returns the name of a space: 2048/03x3 is 2048/3x3.
func writeName(familyName string, rows, columns int, last uint64) string {
	name := fmt.Sprintf("%s/%dx%d", familyName, rows, columns)
	if last > 0 {
		name += fmt.Sprintf(":%d", last)
	}
	return name
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
func parseText(familyName, text string, o puzzle.Choice) (rows, columns int, last uint64, start string, err error) {
	if o.Options["start"] != "" {
		return 0, 0, 0, "", errors.New("the text draws a start: leave out --start")
	}
	m := firstLine(familyName).FindStringSubmatchIndex(text)
	if m[2] >= 0 {
		if last, err = parseLast(strings.TrimSpace(text[m[2]:m[3]])); err != nil {
			return 0, 0, 0, "", &cells.SyntaxError{Line: 1, Col: len(familyName) + 2, Reason: err.Error()}
		}
	}
	start = strings.TrimSpace(text[m[1]:])
	board, _, _ := strings.Cut(start, "@")
	lines := glide.Rows(board)
	if len(lines) == 0 {
		return 0, 0, 0, "", &cells.SyntaxError{Line: 2, Col: 1, Reason: "expected the rows of a board, found none"}
	}
	return len(lines), len(glide.Cells(lines[0])), last, start, nil
}
