package formats

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"pagoda/internal/lazy"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace/boardtext"
)

var (
	// listField matches a field of a list in JSON or YAML, or what begins or ends a piece.
	listField = lazy.Regexp(`(?m)["']?\b([A-Za-z_]+)["']?[ \t]*:[ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|([-\w.]+))|([{}]|^[ \t]*-[ \t])`)
	listX     = lazy.Regexp(`(?m)["']?\b(?:x|col|column)["']?[ \t]*:[ \t]*"?[0-9]`)
	// jamLine matches a line with a car as x, y, h or v, and its length, perhaps behind its name.
	jamLine = lazy.Regexp(`(?m)^[ \t]*(?:([A-Za-z]+)[ \t,:]+)?([0-9]+)[ \t,]+([0-9]+)[ \t,]+([hHvV])[ \t,]+([0-9])[ \t\r]*$`)
	listBy  = lazy.Regexp(`^([0-9])[xX*]([0-9])$`)
)

// A listPiece is a piece of a list: its fields, and where it begins.
type listPiece struct {
	at     boardtext.Span
	fields map[string]string
}

// fieldNames are other names of fields.
var fieldNames = map[string]string{"col": "x", "column": "x", "left": "x", "row": "y", "top": "y", "w": "width", "h": "height", "len": "length", "size": "length",
	"orientation": "way", "dir": "way", "direction": "way", "orient": "way", "axis": "way", "kind": "type", "shape": "type", "id": "name", "color": "name", "colour": "name", "label": "name",
	"rows": "height", "cols": "width", "columns": "width"}

// listTypes are widths and heights of pieces by their type.
var listTypes = map[string][2]int{"square": {2, 2}, "big": {2, 2}, "large": {2, 2}, "king": {2, 2}, "small": {1, 1}, "single": {1, 1}, "soldier": {1, 1}, "pawn": {1, 1},
	"horizontal": {2, 1}, "h": {2, 1}, "vertical": {1, 2}, "v": {1, 2}}

// carLengths are those of cars by their type.
var carLengths = map[string]int{"car": 2, "truck": 3, "lorry": 3, "bus": 3}

func isList(text string) bool {
	jam := jamLine().MatchString(text) && strings.TrimSpace(jamLine().ReplaceAllString(text, "")) == ""
	return jam || listX().MatchString(text) && strings.ContainsAny(text, "{-")
}

// readList returns the pieces of a list, and the fields that stand outside of them.
func readList(text string) (pieces []listPiece, about map[string]string) {
	about = make(map[string]string)
	var now *listPiece
	text = jamLine().ReplaceAllString(text, "{jam: 1, name: $1, x: $2, y: $3, way: $4, length: $5}")
	for _, line := range boardtext.Lines(text) {
		for _, m := range listField().FindAllStringSubmatchIndex(line.Text, -1) {
			group := func(i int) string { return line.Text[max(0, m[2*i]):max(0, m[2*i+1])] }
			switch mark := strings.TrimSpace(group(5)); mark {
			case "{", "-":
				now = &listPiece{line.From(m[0]), make(map[string]string)}
			case "}":
				now = nil
			default:
				name := strings.ToLower(group(1))
				name = cmp.Or(fieldNames[name], name)
				fields := about
				if now != nil {
					fields = now.fields
				}
				if fields[name] = strings.ToLower(group(2) + group(3) + group(4)); name == "x" && now != nil {
					pieces = append(pieces, *now)
				}
			}
		}
	}
	return pieces, about
}

// A listWay is how numbers of a list are taken: counted from 1, rows first, heights first.
type listWay struct{ one, rowsFirst, highFirst bool }

// size returns the width and the height of a piece.
func (p listPiece) size(way listWay) (width, height int, ok bool) {
	f := p.fields
	number := func(name string) int { n, _ := strconv.Atoi(f[name]); return n }
	if f["width"] != "" && f["height"] != "" {
		return number("width"), number("height"), true
	}
	if m := listBy().FindStringSubmatch(cmp.Or(f["type"], f["length"])); m != nil {
		width, height = int(m[1][0]-'0'), int(m[2][0]-'0')
		if way.highFirst {
			width, height = height, width
		}
		return width, height, true
	}
	if length := cmp.Or(number("length"), carLengths[f["type"]]); length > 0 && f["way"] != "" {
		if f["way"][0] == 'h' {
			return length, 1, true
		}
		return 1, length, f["way"][0] == 'v'
	}
	size, ok := listTypes[f["type"]]
	return size[0], size[1], ok
}

// ParseList reads Rush Hour or Klotski as a list of pieces in JSON or YAML, which have x and y (or col and row) and width
// and height, a type such as 1x2, square, horizontal, car or truck, or a length and an orientation; or as a line
// "x y h 2" for each car. The square of a Klotski must go to the middle of the bottom; a car that is called red, X or A, or
// else the first one, to the right edge. If the numbers can be taken in several ways, the list is refused. The error is a
// *cells.SyntaxError.
func ParseList(text string) (found *tray.Puzzle, err error) {
	pieces, about := readList(text)
	if len(pieces) == 0 || len(pieces) > len(tray.PieceNames) {
		return nil, first.Errorf(0, "a list of %d pieces: expected 1 to %d", len(pieces), len(tray.PieceNames))
	}
	var wrong error
	for n := range 8 {
		p, err := drawList(pieces, about, listWay{n&1 != 0, n&2 != 0 && pieces[0].fields["jam"] != "", n&4 != 0})
		switch {
		case err != nil:
			wrong = cmp.Or(wrong, err)
		case found == nil:
			found = p
		case found.Format() != p.Format():
			return nil, first.Errorf(0, "the numbers of the list may be taken in two ways, as %s or as %s: draw the tray", found.FormatPosition(found.Start()), p.FormatPosition(p.Start()))
		}
	}
	if found == nil {
		return nil, wrong
	}
	return found, nil
}

// isGoal reports whether a piece is called as the one that must leave.
func (p listPiece) isGoal() bool { return slices.Contains([]string{"red", "x", "a"}, p.fields["name"]) }

// otherFirst says that the first of several cars was taken, as none is called so.
func otherFirst(text string, p *tray.Puzzle) string {
	pieces, _ := readList(text)
	if p.Axis(0) == tray.Free || slices.ContainsFunc(pieces, listPiece.isGoal) {
		return ""
	}
	return ", the first car"
}

// drawList makes the puzzle of a list in a way to take its numbers. It is a level whose first block must escape.
func drawList(pieces []listPiece, about map[string]string, way listWay) (*tray.Puzzle, error) {
	cars := slices.ContainsFunc(pieces, func(p listPiece) bool { return p.fields["way"] != "" || carLengths[p.fields["type"]] > 0 })
	level := jsonLevel{BoardSize: []int{hrdRows, hrdCols}}
	if cars {
		level.BoardSize = []int{rushHourSide, rushHourSide}
	}
	height, errHeight := strconv.Atoi(about["height"])
	if width, err := strconv.Atoi(about["width"]); err == nil && errHeight == nil {
		level.BoardSize = []int{height, width}
	}
	goal := slices.IndexFunc(pieces, func(p listPiece) bool {
		width, height, _ := p.size(way)
		return !cars && width == 2 && height == 2
	})
	if goal < 0 {
		goal = max(0, slices.IndexFunc(pieces, listPiece.isGoal))
	}
	pieces = slices.Concat(pieces[goal:], pieces[:goal])
	for _, p := range pieces {
		x, errX := strconv.Atoi(p.fields["x"])
		y, errY := strconv.Atoi(p.fields["y"])
		width, height, ok := p.size(way)
		if errX != nil || errY != nil || !ok {
			return nil, p.at.Errorf(0, "expected x, y, and a width and a height, a type or an orientation")
		}
		if way.one {
			x, y = x-1, y-1
		}
		if way.rowsFirst {
			x, y = y, x
		}
		b := jsonBlock{Shape: []int{height, width}, Position: []int{y, x}}
		switch {
		case cars && width > height:
			b.Directions = []int{1, 3}
		case cars:
			b.Directions = []int{0, 2}
		}
		level.Blocks = append(level.Blocks, b)
	}
	level.EscapePoint = []int{level.BoardSize[0] - 2, level.BoardSize[1]/2 - 1}
	if cars {
		b, middle := level.Blocks[0], (level.BoardSize[0]-1)/2
		if b.Shape[0] > 1 || b.Position[0] != middle {
			return nil, pieces[0].at.Errorf(0, "the car that must leave does not lie in row %d (counted from 0)", middle)
		}
		level.EscapePoint = []int{middle, level.BoardSize[1] - b.Shape[1]}
	}
	return level.puzzle(func(block int) boardtext.Span { return pieces[block].at })
}
