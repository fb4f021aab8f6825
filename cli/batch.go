package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/internal/console"
	"pagoda/internal/disk"
	"pagoda/internal/exactjson"
	"pagoda/internal/lazy"
	"pagoda/internal/mapped"
	"pagoda/internal/plaintext"
	"pagoda/internal/progress"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/boardtext"
)

const (
	maxBatchLine  = 64 << 10 // bytes of a line
	maxBatchName  = 200      // bytes of a wrong line that are printed
	batchInFlight = 16       // lines per thread that are read before the first of them is printed
)

// A batch solves the puzzle on each line of a file, some lines ahead of the one that is printed. So the
// memory does not depend on the number of lines.
type batch struct {
	*solveFlags
	cmd          *cobra.Command
	whole, share SolveOptions // of all threads, and of one
	// alone is locked while a puzzle has all memory and threads, and read-locked while others
	// have their share.
	alone sync.RWMutex
	read  atomic.Int64 // bytes, with the ends of lines
}

// A batchLine is a line of the file, and its answer or an error when it is solved.
type batchLine struct {
	number  int // from 1
	text    string
	listed  bool   // behind its number
	as      string // how the text was read; empty for a name
	answers []*Answer
	err     error
}

// A batchError is what is printed of a line that is wrong.
type batchError struct {
	Line   int    `json:"line"`
	Puzzle string `json:"puzzle"`
	Error  string `json:"error"`
}

func (f *solveFlags) solveBatch(cmd *cobra.Command) error {
	if err := f.check(cmd); err != nil {
		return err
	}
	f.kept = new(statespace.Kept)
	defer f.kept.Close()
	o := f.options(f.job.Options())
	from, size := cmd.InOrStdin(), int64(0)
	if f.batch != "-" {
		file, err := disk.OpenInput(cmd.Context(), f.batch)
		if err != nil {
			return console.UsageError(err)
		}
		defer file.Close()
		if info, err := os.Stat(f.batch); err == nil && info.Mode().IsRegular() {
			size = info.Size()
		}
		from = plaintext.Reader(file)
	}
	b := &batch{solveFlags: f, cmd: cmd, whole: o, share: o}
	b.share.Memory, b.share.Threads = o.Memory/uint64(o.Threads), 1
	defer progress.Start(cmd.Context(), "solving", uint64(size), "bytes", func() (done, total int64) { return b.read.Load(), size })()
	return b.print(progress.With(cmd.Context(), nil), from)
}

// readLines gives all lines that are not blank, until take returns false.
func (b *batch) readLines(ctx context.Context, from io.Reader, take func(l *batchLine) bool) error {
	counted := &countedReader{Reader: from}
	r := bufio.NewReaderSize(counted, maxBatchLine)
	r.Peek(1) // reads what is there; its errors come again
	if head, _ := r.Peek(r.Buffered()); bytes.IndexByte(head, 0) >= 0 {
		return console.Usagef("%s is not a text with a puzzle on each line: it has bytes 0", b.batch)
	}
	puzzles := 0
	for line, err := range boardtext.EachLine(r) {
		b.read.Store(counted.n - int64(r.Buffered()))
		l := &batchLine{number: line.Line, text: b.trim(line.Text)}
		switch {
		case err == bufio.ErrBufferFull:
			l.err = console.Usagef("a line has at most %d bytes", maxBatchLine)
		case err != nil && ctx.Err() != nil: // what is printed says how far it came
			return nil
		case err != nil:
			return console.UsageError(err)
		}
		if boardtext.IsComment(l.text) {
			l.text = ""
		} else if l.text != "" {
			puzzles++
			l.text, l.listed = unnumbered(l.text, puzzles)
		}
		if (l.text != "" || l.err != nil) && !take(l) {
			return nil
		}
	}
	return nil
}

// numbered matches a line that begins with a number, perhaps with a mark behind it.
var numbered = lazy.Regexp(`^[ \t]*#?([0-9]{1,6})([.):]?)[ \t]+(\S.*)$`)

// unnumbered returns a line without its number in a list. Without a mark, that is one that counts the puzzles, before a
// single word or the tiles of a square.
func unnumbered(line string, puzzles int) (text string, listed bool) {
	m := numbered().FindStringSubmatch(line)
	if m == nil {
		return line, false
	}
	words := strings.Fields(m[3])
	side := int(math.Sqrt(float64(len(words))))
	square := side > 1 && side*side == len(words) && strings.Trim(m[3], "0123456789 \t") == ""
	board := len(words) == 1 && strings.Trim(m[3], "0123456789") != ""
	if m[2] != "" || m[1] == strconv.Itoa(puzzles) && (square || board) {
		return m[3], true
	}
	return line, false
}

// A countedReader counts the bytes that are read.
type countedReader struct {
	io.Reader
	n int64
}

// Read implements io.Reader.
func (c *countedReader) Read(p []byte) (n int, err error) {
	n, err = c.Reader.Read(p)
	c.n += int64(n)
	return n, err
}

// trim takes the margins off a line. Before a drawing they stay: spaces there are no cells.
func (b *batch) trim(text string) string {
	if name, _, _ := strings.Cut(strings.TrimSpace(text), "/"); b.Families.Named(name) != nil {
		return strings.TrimSpace(text)
	}
	return strings.TrimRightFunc(text, unicode.IsSpace)
}

// solveLine solves the puzzle on a line within the share of a thread or, if it does not fit, alone.
func (b *batch) solveLine(ctx context.Context, l *batchLine) (*batchLine, error) {
	if l.err != nil {
		return l, nil
	}
	var solve solver
	if solve, l.as, l.err = b.line(b.cmd, l.text); l.err != nil {
		return l, nil
	}
	if l.listed && l.as != "" {
		l.as += ", behind the number of its line"
	}
	b.alone.RLock()
	l.answers, l.err = solve(ctx, b.share)
	b.alone.RUnlock()
	if errors.Is(l.err, statespace.ErrMemory) && b.whole.Threads > 1 {
		b.alone.Lock()
		defer b.alone.Unlock()
		l.answers, l.err = solve(ctx, b.whole)
	}
	// What is wrong with a line does not stop the others.
	if of := func(kind error) bool { return errors.Is(l.err, kind) }; slices.ContainsFunc([]error{statespace.ErrMemory, statespace.ErrSuccessors, ask.ErrQuestion, run.ErrOptions}, of) {
		l.err = console.UsageError(l.err)
	}
	return l, nil
}

// print solves the lines and prints what is found for each, in order. The first error is what the exit code says of
// the lines.
func (b *batch) print(ctx context.Context, from io.Reader) error {
	w, lines, wrong, unsolved := b.cmd.OutOrStdout(), 0, 0, 0
	list := func(ctx context.Context, take func(l *batchLine) bool) error { return b.readLines(ctx, from, take) }
	for l, err := range mapped.InOrder(ctx, b.whole.Threads, batchInFlight*b.whole.Threads, list, b.solveLine) {
		switch {
		case err != nil && l != nil:
			return fmt.Errorf("%w before line %d was solved", err, l.number)
		case err != nil:
			return err
		case l.err != nil && !console.IsUsage(l.err):
			return fmt.Errorf("line %d: %w", l.number, l.err)
		case l.err != nil:
			wrong++
			name := l.text
			if len(name) > maxBatchName {
				name = strings.ToValidUTF8(name[:maxBatchName], "") + "..."
			}
			err = console.WriteJSON(w, batchError{l.number, name, l.err.Error()})
		case !solvedOne(l.answers):
			unsolved++
			fallthrough
		default:
			err = l.write(w)
		}
		if err != nil {
			return err
		}
		lines++
	}
	switch {
	case lines == 0:
		return console.Usagef("%s has no puzzle: expected one on each line", b.batch)
	case wrong > 0:
		return console.Usagef("%d of %d lines are in error; their objects say what is wrong", wrong, lines)
	case unsolved > 0:
		return console.ErrNo
	}
	return nil
}

// write writes the objects of the answer, which begin with the number of the line.
func (l *batchLine) write(w io.Writer) error {
	readAs := make(map[string]string)
	if l.as != "" {
		readAs["read_as"] = l.as
	}
	for _, object := range l.answers {
		for i := range object.Moves {
			object.Moves[i].Position = ""
		}
		if err := console.WriteJSON(w, exactjson.Object{map[string]int{"line": l.number}, object, readAs}); err != nil {
			return err
		}
	}
	return nil
}
