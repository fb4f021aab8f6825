package console

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"syscall"

	"golang.org/x/term"

	"pagoda/internal/mapped"
	"pagoda/internal/printable"
)

// An output is the stdout of a command. Text goes through a printable.Writer. After the first
// fault nothing more is written, the command is stopped, and Main returns the fault, even if the
// command overlooked it.
type output struct {
	*printable.Writer
	to    *checked
	lines *lines
}

func newOutput(to io.Writer, stop func(error)) *output {
	c := &checked{to: to, stop: stop}
	if f, ok := to.(*os.File); ok {
		c.closed = mapped.ClosedAtStart(f)
	}
	l := &lines{bufio.NewWriterSize(c, longestHeld), c}
	return &output{printable.NewWriter(l), c, l}
}

// lines passes whole lines on, so that output which ends with an error does not end within a line: a script would take a
// part of a pattern for a pattern. A line that is longer than most is not held back.
type lines struct {
	held *bufio.Writer
	to   *checked
}

const longestHeld = 64 << 10

// Write implements io.Writer.
func (l *lines) Write(p []byte) (int, error) {
	whole := bytes.LastIndexByte(p, '\n') + 1
	if whole < len(p) && Terminal(l.to.to) {
		whole = len(p)
	}
	l.held.Write(p[:whole])
	if whole > 0 {
		l.held.Flush()
	}
	_, err := l.held.Write(p[whole:]) // or one of those above
	return len(p), err
}

// end writes what is left, and returns the error of the command, or else the fault of stdout.
func (o *output) end(err error) error {
	if closed := o.Close(); err == nil || errors.Is(err, ErrNo) {
		err = errors.Join(err, closed)
		o.lines.held.Flush()
	}
	if o.to.err != nil && !errors.Is(err, o.to.err) {
		return o.to.err
	}
	if lost := intact(); err == nil || errors.Is(err, ErrNo) {
		err = cmp.Or(lost, err)
	}
	return err
}

// intact returns an error if one of the files that the command has read is no longer what it was: then
// what was found may be wrong.
func intact() error { return cmp.Or(mapped.Intact(), mapped.Lost()) }

// checked writes what was found in files, as long as they are intact.
type checked struct {
	to     io.Writer
	stop   func(error)
	closed bool  // by the shell
	err    error // the first fault
	line   atomic.Pointer[Line]
}

// Write implements io.Writer.
func (c *checked) Write(p []byte) (n int, err error) {
	if c.err != nil {
		return 0, c.err
	}
	err = intact()
	if err == nil && c.closed {
		err = errClosed
	}
	if line := c.line.Load(); line != nil {
		line.Clear()
	}
	if err == nil {
		n, err = c.to.Write(p)
	}
	if err != nil {
		c.err = &outputError{err}
		c.stop(c.err)
	}
	return n, c.err
}

var errClosed = errors.New("stdout is closed, so the answer cannot be written: let stdout go to a file, or to /dev/null")

// An outputError is a fault of stdout.
type outputError struct{ error }

func (e *outputError) Unwrap() error { return e.error }

// readerGone reports whether an error says that nobody reads stdout any more.
func readerGone(err error) bool {
	var e *outputError
	return errors.As(err, &e) && errors.Is(e, syscall.EPIPE)
}

// Binary returns the stdout of a command for something other than text.
func Binary(stdout io.Writer) io.Writer {
	if o, ok := stdout.(*output); ok {
		return o.to
	}
	return stdout
}

// Terminal reports whether what is written to w goes to a terminal.
func Terminal(w io.Writer) bool {
	if o, ok := w.(*output); ok {
		w = o.to.to
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// PrintError prints an error to stderr, as one line that is not too long; the parts of a joined
// error have a line each. What says how to go on after Ctrl-C is not cut.
func PrintError(stderr io.Writer, name string, err error) {
	if all, ok := err.(interface{ Unwrap() []error }); ok && errors.Join(all.Unwrap()...).Error() == err.Error() {
		for _, err := range all.Unwrap() {
			PrintError(stderr, name, err)
		}
		return
	}
	text := printable.Clip(err.Error())
	if errors.Is(err, ErrInterrupted) {
		text = printable.Line(err.Error())
	}
	fmt.Fprintf(stderr, "%s: %s\n", name, text)
}
