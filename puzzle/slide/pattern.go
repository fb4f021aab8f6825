package slide

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"pagoda/puzzle/slide/npuzzle"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace"
	"pagoda/statespace/boardtext"
)

// patternName is the name in definitions of the numbering of a pattern.
const patternName = "pattern"

// A Pattern is the space in which only some tiles of an n-puzzle count. Its states are where they are, and in which
// region the empty cell is; its roots are the goal. So its distances are lower bounds of the moves of these tiles.
type Pattern struct {
	name    string
	puzzle  *tray.Puzzle
	tiles   []int // pieces, in the order of their cells in the goal
	numbers *npuzzle.Pattern
	width   int
}

// NewPattern returns the pattern of some tiles, given by their numbers from 1 on in the order of their names and with
// commas between them. The puzzle has one goal, which says where these tiles are to be.
func NewPattern(name string, p *tray.Puzzle, tiles string) (*Pattern, error) {
	height, width, goal, err := npuzzle.Goal(p)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	part, err := parsePart(tiles, p, goal)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(part) > npuzzle.MostTiles {
		return nil, fmt.Errorf("%s: a pattern has at most %d tiles, found %d", name, npuzzle.MostTiles, len(part))
	}
	slices.SortFunc(part, func(a, b int) int { return int(goal[a] - goal[b]) })
	set, empty := uint32(0), npuzzle.EmptyAt(goal, height*width)
	for _, tile := range part {
		set |= 1 << goal[tile]
	}
	numbers, err := npuzzle.NewPattern(height, width, set, empty)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &Pattern{name + ":" + formatPart(part, p), p, part, numbers, width}, nil
}

// cutPattern cuts the tiles of a pattern off a name, if it has some.
func cutPattern(name string) (base, tiles string) {
	if base, tiles, ok := strings.Cut(name, ":"); ok && tiles != "" && strings.Trim(tiles, "0123456789,") == "" {
		return base, tiles
	}
	return name, ""
}

// parsePart reads the tiles of a pattern.
func parsePart(text string, p *tray.Puzzle, goal []int8) (part []int, err error) {
	all := npuzzle.ByName(p)
	for _, word := range strings.Split(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || n < 1 || n > len(all) {
			return nil, fmt.Errorf("a pattern is tiles from 1 to %d with commas between them, such as 1,2,5, found %.40q", len(all), word)
		}
		tile := all[n-1]
		switch {
		case slices.Contains(part, tile):
			return nil, fmt.Errorf("the tile %d is in the pattern twice", n)
		case goal[tile] < 0:
			return nil, fmt.Errorf("the tile %d may be anywhere in the goal, so it is in no pattern", n)
		}
		part = append(part, tile)
	}
	return part, nil
}

// formatPart writes the tiles of a pattern by their numbers, in order.
func formatPart(part []int, p *tray.Puzzle) string {
	all, numbers := npuzzle.ByName(p), []int(nil)
	for _, tile := range part {
		numbers = append(numbers, slices.Index(all, tile)+1)
	}
	slices.Sort(numbers)
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(numbers), " ", ","), "[]")
}

// Puzzle and Metric are those of the n-puzzle.
func (s *Pattern) Puzzle() *tray.Puzzle { return s.puzzle }

// Metric returns the metric: a move of a tile of the pattern is one.
func (s *Pattern) Metric() tray.Metric { return tray.Steps }

// Name implements statespace.Space.
func (s *Pattern) Name() string { return s.name }

// Size implements statespace.Space.
func (s *Pattern) Size() uint64 { return s.numbers.Size() }

// Roots implements statespace.Space.
func (s *Pattern) Roots() []statespace.Index { return slices.Clone(s.numbers.Roots()) }

// Successors implements statespace.Space. Moves have no numbers: the two states say which move it is.
func (s *Pattern) Successors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	for _, y := range s.numbers.Neighbours(nil, x) {
		dst = append(dst, statespace.Edge{To: y})
	}
	return dst
}

// Predecessors implements statespace.Space: every move can be taken back.
func (s *Pattern) Predecessors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	return s.Successors(dst, x)
}

// Format implements statespace.Space: the tiles have their names, . is a cell that may be empty, and * any other tile.
func (s *Pattern) Format(x statespace.Index) string {
	at, empty := s.numbers.Unrank(x)
	cells := []byte(strings.Repeat("*", len(s.puzzle.Cells())))
	for ; empty != 0; empty &= empty - 1 {
		cells[bits.TrailingZeros32(empty)] = '.'
	}
	for i, cell := range at {
		cells[cell] = s.puzzle.Pieces()[s.tiles[i]]
	}
	return tray.InRows(cells, s.width)
}

// Parse implements statespace.Space.
func (s *Pattern) Parse(text string) (statespace.Index, error) {
	at := slices.Repeat([]uint8{255}, len(s.tiles))
	empty, free := -1, []int(nil)
	if err := s.puzzle.EachCell(text, func(cell int, place boardtext.Place) error {
		i := slices.IndexFunc(s.tiles, func(tile int) bool { return rune(s.puzzle.Pieces()[tile]) == place.Char })
		switch {
		case i >= 0 && at[i] == 255:
			at[i] = uint8(cell)
		case i >= 0:
			return place.Errorf("the tile %c is there twice", place.Char)
		case place.Char == '.':
			empty, free = cell, append(free, cell)
		case place.Char != '*':
			return place.Errorf("unexpected %q: expected a tile of the pattern, . for a cell that may be empty, or * for any other tile", place.Char)
		}
		return nil
	}); err != nil {
		return 0, err
	}
	if i := slices.Index(at, 255); i >= 0 {
		return 0, fmt.Errorf("the tile %c is missing", s.puzzle.Pieces()[s.tiles[i]])
	}
	if empty < 0 {
		return 0, fmt.Errorf("no cell may be empty: expected a . in one or more")
	}
	x := s.numbers.Rank(at, uint8(empty))
	if _, region := s.numbers.Unrank(x); slices.ContainsFunc(free, func(cell int) bool { return region>>cell&1 == 0 }) {
		return 0, fmt.Errorf("the empty cell cannot come from one . to every other: mark the other cells with *")
	}
	return x, nil
}

// FormatMove implements statespace.Space.
func (s *Pattern) FormatMove(from statespace.Index, move statespace.Edge) string {
	before, _ := s.numbers.Unrank(from)
	after, _ := s.numbers.Unrank(move.To)
	for i := range before {
		if by := int(after[i]) - int(before[i]); by != 0 {
			direction := map[int]string{-s.width: "up", s.width: "down", -1: "left", 1: "right"}[by]
			return fmt.Sprintf("%c %s", s.puzzle.Pieces()[s.tiles[i]], direction)
		}
	}
	return ""
}

// Definition implements statespace.Space.
func (s *Pattern) Definition() statespace.Definition {
	return definitionOf(s.name, s.puzzle, puzzleDefinition{Metric: tray.Steps.String(), Pattern: formatPart(s.tiles, s.puzzle)}, patternName)
}

// Parts implements statespace.Space.
func (s *Pattern) Parts() statespace.Parts {
	return statespace.Parts{Undirected: true, Graph: s.numbers.Search, Proof: s.numbers.Proof}
}
