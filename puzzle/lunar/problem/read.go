package problem

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"pagoda/internal/lazy"
	"pagoda/internal/suggest"
	"pagoda/puzzle/lunar/board"
	"pagoda/statespace/boardtext"
	"pagoda/statespace/cells"
)

// firstLine begins a text.
const firstLine = "lunar:"

var (
	// oneLine matches a board and a drawing in one line.
	oneLine = lazy.Regexp(`^([a-z0-9]+):([^:\n]*)$`)
	// header matches a line before the drawing.
	header = lazy.Regexp(`^[ \t]*([A-Za-z]+)( +[^: ]*)? *:(.*)$`)
	group  = lazy.Regexp(`^([0-9]{1,2})-([0-9]{1,2})$`)
)

// Is reports whether a text is meant to be a problem: its first line that is not empty begins with
// lunar:, or it is one line with the name of a board before a drawing, or all its characters are
// those of drawings and a + is one of them. No other puzzle that this program knows has such texts.
func Is(text string) bool {
	is, _ := boardtext.Read(text, func(text string) (bool, error) { return isProblem(text), nil })
	return is
}

func isProblem(text string) bool {
	if isCard(text) || leaves().MatchString(text) || withoutExit(text) {
		return true
	}
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, firstLine) {
		return true
	}
	if m := oneLine().FindStringSubmatch(text); m != nil {
		_, ok := board.Named(m[1])
		return ok
	}
	return strings.ContainsRune(text, board.ExitChar) && !strings.ContainsFunc(text, func(ch rune) bool {
		return ch != '/' && ch != ' ' && ch != '\r' && ch != '\n' && !isCell(ch)
	})
}

// isCell reports whether a character of a drawing is a cell.
func isCell(ch rune) bool {
	return ch == board.EmptyChar || ch == board.ExitChar || ch < utf8.RuneSelf && (board.IsLetter(byte(ch)) || board.IsNumber(byte(ch)))
}

// after returns the offset in a line of the first character behind an offset that is no space.
func after(l boardtext.Span, offset int) int {
	return len(l.Text) - len(strings.TrimLeft(l.Text[offset:], " \t"))
}

// A reader collects what the lines say.
type reader struct {
	Problem
	named bool                      // a line says that it is Lunar Lockout
	lines map[string]boardtext.Span // before the drawing, by their words; those of pieces by the name
	exits []cells.Cell

	rows  []boardtext.Span
	all   []cells.Cell
	chars []byte
	place []boardtext.Place // of the cells in the text
}

// Parse reads a text. The error is a *cells.SyntaxError.
func Parse(text string) (*Problem, error) { return boardtext.Read(text, parse) }

func parse(text string) (*Problem, error) {
	first := boardtext.Span{Line: 1, Col: 1}
	switch m := leaves().FindStringSubmatch(text); {
	case m != nil:
		text = drawCard(text[len(m[0]):], m[1])
	case isCard(text):
		return nil, first.Errorf(0, "a card of Lunar Lockout: name the piece that must leave in a line above it, such as leaves: %c", strings.TrimLeft(text, "- /\r\n")[0])
	case withoutExit(text):
		return nil, first.Errorf(0, "this may be a problem of Lunar Lockout without an exit, or a tray without a goal: draw the exit as + or write the line %s above it, or write the line tray:", firstLine)
	}
	lines := boardtext.Lines(text)
	lines = lines[max(0, slices.IndexFunc(lines, func(l boardtext.Span) bool { return l.Trim().Text != "" })):]
	r := &reader{lines: make(map[string]boardtext.Span)}
	r.Pieces = make(map[byte]Piece)
	switch head := lines[0].Trim(); {
	case strings.HasPrefix(head.Text, firstLine):
		if at := after(head, len(firstLine)); at < len(head.Text) {
			return nil, head.Errorf(at, "expected nothing after %s on its line: the drawing comes below, row by row", firstLine)
		}
		r.named, lines = true, lines[1:]
	case oneLine().MatchString(strings.TrimSpace(text)):
		return parseLine(head)
	}
	for _, l := range lines {
		read := r.row
		if len(r.all) == 0 && header().MatchString(l.Text) {
			read = r.header
		}
		if err := read(l); err != nil {
			return nil, err
		}
	}
	return r.finish()
}

// ParseLine reads the name of a board and a drawing, such as 5x5:12..3/...../..+../4..../...X. The
// drawing may be left out, with the colon: then the board is empty. Columns of errors count from the
// beginning of the line.
func ParseLine(text string) (*Problem, error) { return parseLine(boardtext.Span{Col: 1, Text: text}) }

func parseLine(l boardtext.Span) (*Problem, error) {
	name, drawing, drawn := strings.Cut(l.Text, ":")
	b, ok := board.Named(name)
	if !ok {
		return nil, l.Errorf(0, "there is no board %.40q: expected %s, or a size such as 5x7 with odd numbers and at most %d cells",
			name, strings.Join(board.Names(), ", "), board.MaxCells)
	}
	p := &Problem{Board: b, Pieces: make(map[byte]Piece), Drawing: make(board.Drawing, len(b.Cells()))}
	if !drawn {
		return p, nil
	}
	if err := p.draw(drawing); err != nil {
		at := &cells.SyntaxError{Col: 1, Reason: err.Error()}
		errors.As(err, &at)
		return nil, &cells.SyntaxError{Line: l.Line, Col: l.Col + len(name) + at.Col, Reason: at.Reason}
	}
	return p, nil
}

// draw sets the pieces as a text draws them.
func (p *Problem) draw(text string) (err error) {
	if p.Drawing, err = p.Board.ParseDrawing(text); err != nil {
		return err
	}
	drawn, err := p.Board.Drawn(text, false)
	for i, name := range p.Drawing {
		p.Renamed = p.Renamed || name != 0 && drawn[i] != name && drawn[i] != 'o'
	}
	return err
}

// header reads a line before the drawing.
func (r *reader) header(l boardtext.Span) error {
	m := header().FindStringSubmatchIndex(l.Text)
	word, value := l.Text[m[2]:m[3]], strings.TrimSpace(l.Text[m[6]:m[7]])
	at := after(l, m[6])
	if word == "piece" && m[4] >= 0 {
		return r.piece(l, strings.TrimSpace(l.Text[m[4]:m[5]]), at, value)
	}
	known := []string{"name", "exits", "piece X", "group"}
	_, second := r.lines[word]
	switch {
	case m[4] >= 0 || !slices.Contains(known, word):
		return l.Errorf(m[2], "unknown line %q: expected %s%s", strings.TrimSpace(l.Text[m[2]:m[6]-1])+":", suggest.Either(known), suggest.Question(word, known))
	case second:
		return l.Errorf(m[2], "a second line %s:", word)
	case value == "":
		return l.Errorf(len(l.Text), "expected something after %s:", word)
	}
	r.lines[word] = l
	switch word {
	case "name":
		if i := strings.IndexFunc(value, unprintable); i >= 0 {
			return l.Errorf(at+i, "expected a name in printable characters")
		}
		r.Name = value
	case "exits":
		return r.readExits(l, at)
	case "group":
		g := group().FindStringSubmatch(value)
		if g == nil {
			return l.Errorf(at, "expected the numbers of letter pieces and number pieces, such as 2-4; found %.40q", value)
		}
		r.Letters, _ = strconv.Atoi(g[1]) // they have two digits
		r.Numbers, _ = strconv.Atoi(g[2])
		if r.Letters+r.Numbers == 0 {
			return l.Errorf(at, "a group has at least one piece, found %s", value)
		}
	}
	return nil
}

func unprintable(ch rune) bool { return !unicode.IsPrint(ch) }

// readExits reads a list of cells.
func (r *reader) readExits(l boardtext.Span, at int) error {
	for {
		c, n := cells.CutCell(l.Text[at:])
		if n == 0 {
			return l.Errorf(at, "expected a cell: %s", cells.AboutCell)
		}
		r.exits = append(r.exits, c)
		if at = after(l, at+n); at == len(l.Text) {
			return nil
		}
		if l.Text[at] != ',' {
			return l.Errorf(at, "expected a comma or the end of the line after the exit %v", c)
		}
		at = after(l, at+1)
	}
}

// piece reads a line about a piece.
func (r *reader) piece(l boardtext.Span, name string, at int, value string) error {
	if len(name) != 1 || name == "o" || !board.IsLetter(name[0]) && !board.IsNumber(name[0]) {
		return l.Errorf(after(l, strings.Index(l.Text, "piece")+len("piece")), "expected the name of a piece, a capital letter or a digit; found %.40q", name)
	}
	if _, twice := r.Pieces[name[0]]; twice {
		return l.Errorf(0, "a second line about piece %s", name)
	}
	colour, called, _ := strings.Cut(value, " ")
	if !slices.Contains(Colours(), colour) {
		return l.Errorf(at, "expected a colour: %s; found %.40q%s", suggest.Either(Colours()), colour, suggest.Question(colour, Colours()))
	}
	called = strings.TrimSpace(called)
	if i := strings.IndexFunc(called, unprintable); i >= 0 {
		return l.Errorf(at+strings.Index(l.Text[at:], called)+i, "expected a name in printable characters")
	}
	r.Pieces[name[0]], r.lines[name] = Piece{colour, called}, l
	return nil
}

// row reads a line of the drawing.
func (r *reader) row(l boardtext.Span) error {
	rows, above := l.Rows(), len(r.rows)
	r.rows = append(r.rows, rows...)
	for at := range boardtext.Places(rows) {
		switch {
		case at.Char == ' ' || at.Char == '\r':
			continue
		case !isCell(at.Char):
			hint := ""
			if at.Char == '\t' {
				hint = "; write spaces for places that are no cells"
			}
			return at.Errorf("expected a cell: %c, %c, a capital letter (not O), a digit (not 0) or o; found %q%s", board.EmptyChar, board.ExitChar, at.Char, hint)
		case !r.named && board.IsLetter(byte(at.Char)) && slices.Contains(r.chars, byte(at.Char)):
			return at.Errorf("a second %q: in Lunar Lockout, where + is an exit, each letter piece has a name of its own; if this is Lunar Lockout, write the line %s above it; a tray has no +", at.Char, firstLine)
		case len(r.all) == board.MaxCells:
			return at.Errorf("a board has at most %d cells", board.MaxCells)
		}
		r.all = append(r.all, cells.Cell{Row: above + at.Row, Col: at.Col})
		r.chars = append(r.chars, byte(at.Char))
		r.place = append(r.place, at)
	}
	return nil
}

// finish makes the board, and checks what the lines say of it.
func (r *reader) finish() (*Problem, error) {
	if len(r.all) == 0 {
		return nil, &cells.SyntaxError{Line: 1, Col: 1, Reason: fmt.Sprintf("no cells: expected rows of %c (empty), %c (exit), capital letters and digits", board.EmptyChar, board.ExitChar)}
	}
	if at, spaced := boardtext.Spaced(r.rows); spaced {
		return nil, at.Errorf("a space is no cell of the board, and here only spaces stand between cells: write the cells of a row without spaces")
	}
	top, left := r.all[0].Row, slices.MinFunc(r.all, func(a, b cells.Cell) int { return cmp.Compare(a.Col, b.Col) }).Col
	var exits []cells.Cell
	for i, c := range r.all {
		r.all[i] = cells.Cell{Row: c.Row - top, Col: c.Col - left}
		if r.all[i].Row >= board.MaxSide || r.all[i].Col >= board.MaxSide {
			return nil, r.place[i].Errorf("a board has at most %d rows and columns", board.MaxSide)
		}
		if r.chars[i] == board.ExitChar {
			exits = append(exits, r.all[i])
		}
	}
	for _, c := range r.exits {
		if !slices.Contains(r.all, c) {
			line := r.lines["exits"]
			return nil, line.Errorf(strings.Index(line.Text, "exits"), "the exit %v is no cell of the board", c)
		}
		exits = append(exits, c)
	}
	b, err := board.New(r.all, exits)
	if err != nil {
		return nil, r.place[0].Errorf("%v; draw an exit as %c, or name it in a line such as \"exits: c3\"", err, board.ExitChar)
	}
	r.Board = b
	for i, ch := range r.chars {
		if board.IsLetter(ch) && b.Exits()>>i&1 != 0 {
			return nil, r.place[i].Errorf("letter piece %c stands on an exit, where it has left already: set it on another cell", ch)
		}
	}
	if err := r.draw(b.Draw(func(cell int) byte { return r.chars[cell] })); err != nil {
		return nil, r.place[0].Errorf("%v", err)
	}
	return r.checkPieces()
}

// checkPieces checks what the lines say of pieces.
func (r *reader) checkPieces() (*Problem, error) {
	for _, name := range slices.Sorted(maps.Keys(r.Pieces)) {
		if !slices.Contains(r.chars, name) {
			return nil, r.lines[string(name)].Errorf(0, "piece %c is not in the drawing", name)
		}
	}
	if r.Letters+r.Numbers == 0 {
		return &r.Problem, nil
	}
	switch most := len(r.all); {
	case !r.Empty():
		return nil, r.lines["group"].Errorf(0, "group: is for a board without pieces, and this one has some: leave one of them out")
	case r.Letters+r.Numbers > most:
		return nil, r.lines["group"].Errorf(0, "the group has %d pieces, and the board %d cells", r.Letters+r.Numbers, most)
	}
	return &r.Problem, nil
}
