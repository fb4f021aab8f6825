package console

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// TerminalIn reports whether stdin, the reader of a command, is a terminal.
func TerminalIn(stdin io.Reader) bool {
	_, ok := terminalIn(stdin)
	return ok
}

func terminalIn(stdin io.Reader) (*os.File, bool) {
	if r, ok := stdin.(*interruptible); ok {
		stdin = r.from
	}
	f, ok := stdin.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd()))
}

// Raw puts the terminal of stdin, the reader of a command, into raw mode: keys come one by one and are not
// shown, Ctrl-C among them. Restore puts it back; it is nil if stdin is no terminal.
func Raw(stdin io.Reader) (restore func() error, err error) {
	f, ok := terminalIn(stdin)
	if !ok {
		return nil, nil
	}
	before, err := term.MakeRaw(int(f.Fd()))
	if err != nil {
		return nil, fmt.Errorf("the terminal cannot be read key by key: %w", err)
	}
	return func() error { return term.Restore(int(f.Fd()), before) }, nil
}
