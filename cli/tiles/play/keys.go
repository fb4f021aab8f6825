package play

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"pagoda/internal/console"
	"pagoda/puzzle/tiles/glide"
	"pagoda/puzzle/tiles/player"
)

// Control sequences of terminals.
const (
	enter = "\x1b[?1049h\x1b[?25l" // another screen, without a cursor
	leave = "\x1b[?25h\x1b[?1049l"
	clear = "\x1b[H\x1b[2J"
	plain = "\x1b[0m"
)

// colors are those of tiles 1 to 15, of a terminal with 256 colours. All are light: numbers are black.
var colors = [15]int{255, 230, 223, 216, 209, 203, 229, 228, 227, 226, 220, 214, 178, 150, 117}

// Keys plays on a terminal in raw mode: it reads keys and draws the screen anew after each. The keys are
// the arrows, w a s d or h j k l for the slides, u undo, ? hints, n new game, q quit. Ctrl-C ends it
// with console.ErrInterrupted. The last board stays on the terminal.
func Keys(in io.Reader, out io.Writer, g player.Game, o Options) (err error) {
	t := newTable(g, o)
	if _, err := io.WriteString(out, enter); err != nil {
		return err
	}
	// This is done after a panic, too.
	defer func() {
		_, failed := io.WriteString(out, leave)
		if failed == nil {
			_, failed = io.WriteString(out, t.screen(false))
		}
		err = errors.Join(err, failed)
	}()
	keys := bufio.NewReader(in)
	for {
		if _, err := io.WriteString(out, clear+t.screen(true)); err != nil {
			return err
		}
		word, err := key(keys)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if a, to, ok := find(word); !ok {
			t.said = ""
		} else if !t.do(a, to) {
			return nil
		}
	}
}

// key reads a key: a letter, or the name of an arrow. Others are empty.
func key(keys *bufio.Reader) (word string, err error) {
	c, err := keys.ReadByte()
	if err != nil {
		return "", err
	}
	switch c {
	case 3: // Ctrl-C
		return "", console.ErrInterrupted
	case 4: // Ctrl-D
		return "", io.EOF
	case 0x1b:
		return escape(keys)
	}
	return strings.ToLower(string(rune(c))), nil
}

// escape reads the rest of a sequence such as ESC [ A, the arrow up, which may come in parts. The key Esc
// alone has none: what follows it is then a key of its own.
func escape(keys *bufio.Reader) (word string, err error) {
	c, err := keys.ReadByte()
	if err != nil {
		return "", err
	}
	if c != '[' && c != 'O' {
		return "", keys.UnreadByte()
	}
	for {
		if c, err = keys.ReadByte(); err != nil {
			return "", err
		}
		if c < 0x20 { // no part of a sequence
			return "", keys.UnreadByte()
		}
		if c >= 0x40 {
			break
		}
	}
	arrows := map[byte]glide.Direction{'A': glide.Up, 'B': glide.Down, 'C': glide.Right, 'D': glide.Left}
	if d, ok := arrows[c]; ok {
		return d.String(), nil
	}
	return "", nil
}

// screen draws the game. Lines end as a terminal in raw mode needs it. Keys are explained if it goes on.
func (t *table) screen(goesOn bool) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s, seed %d\r\n\r\n", t.Name(), t.Seed)
	cell := 0
	for row := range t.rows() {
		for _, text := range row {
			text = " " + text + " "
			if tile := t.now().Board.At(cell); t.Color && tile > 0 {
				text = fmt.Sprintf("\x1b[48;5;%d;38;5;16m%s%s", colors[tile-1], text, plain)
			}
			s.WriteString(text)
			cell++
		}
		s.WriteString("\r\n")
	}
	s.WriteString("\r\n" + strings.Join(t.lines(), "\r\n") + "\r\n")
	if goesOn {
		s.WriteString("\r\narrows, w a s d or h j k l: slide   u: undo   ?: hint   n: new game   q: quit\r\n")
	}
	return s.String()
}
