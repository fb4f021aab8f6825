package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"pagoda/internal/console"
	"pagoda/internal/exactjson"
	"pagoda/internal/plaintext"
	"pagoda/internal/progress"
	"pagoda/statespace"
)

const (
	maxBatchLine  = 64 << 10 // bytes of a line
	maxBatchName  = 200      // bytes of a wrong line that are printed
	batchInFlight = 16       // lines per thread that are read before the first of them is printed
)

// A batch solves the puzzle on each line of a file. Lines go to the threads and, in the same order,
// to the one that prints: it waits for the first line that is not solved yet. So the memory does not
// depend on the number of lines.
type batch struct {
	*solveFlags
	cmd          *cobra.Command
	whole, share SolveOptions // of all threads, and of one
	// alone is locked while a puzzle has all memory and threads, and read-locked while others
	// have their share.
	alone sync.RWMutex
	read  atomic.Int64 // bytes, with the ends of lines
}

// A batchLine is a line of the file, and its answer or an error when it is done.
type batchLine struct {
	number  int // from 1
	text    string
	as      string // how the text was read; empty for a name
	done    chan struct{}
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
	o := f.options(f.job.Options())
	from, size := cmd.InOrStdin(), int64(0)
	if f.batch != "-" {
		file, err := os.Open(f.batch)
		if err != nil {
			return console.UsageError(err)
		}
		defer file.Close()
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			size = info.Size()
		}
		from = plaintext.Reader(file)
	}
	b := &batch{solveFlags: f, cmd: cmd, whole: o, share: o}
	b.share.Memory, b.share.Threads = o.Memory/uint64(o.Threads), 1
	defer progress.Start(cmd.Context(), "solving", uint64(size), "bytes", func() (done, total int64) { return b.read.Load(), size })()
	group, ctx := errgroup.WithContext(progress.With(cmd.Context(), nil))
	todo, order := make(chan *batchLine), make(chan *batchLine, batchInFlight*o.Threads)
	group.Go(func() error {
		defer close(todo)
		defer close(order)
		return b.readLines(ctx, from, func(l *batchLine) bool {
			for _, to := range []chan *batchLine{order, todo} {
				select {
				case to <- l:
				case <-ctx.Done():
					return false
				}
			}
			return true
		})
	})
	for range o.Threads {
		group.Go(func() error {
			for l := range todo {
				if l.err == nil {
					l.err = b.solveLine(ctx, l)
				}
				if ctx.Err() == nil {
					close(l.done)
				}
			}
			return nil
		})
	}
	var end error
	group.Go(func() (err error) {
		end, err = b.print(ctx, cmd.OutOrStdout(), order)
		return err
	})
	if err := group.Wait(); err != nil {
		return err
	}
	return end
}

// readLines gives all lines that are not blank, until take returns false.
func (b *batch) readLines(ctx context.Context, from io.Reader, take func(l *batchLine) bool) error {
	counted := &countedReader{Reader: from}
	r := bufio.NewReaderSize(counted, maxBatchLine)
	r.Peek(1) // reads what is there; its errors come again
	if head, _ := r.Peek(r.Buffered()); bytes.IndexByte(head, 0) >= 0 {
		return console.Usagef("%s is not a text with a puzzle on each line: it has bytes 0", b.batch)
	}
	for number := 1; ; number++ {
		text, tooLong, err := r.ReadLine()
		l := &batchLine{number: number, text: b.trim(string(text)), done: make(chan struct{})}
		for more := tooLong; more && err == nil; {
			_, more, err = r.ReadLine()
		}
		if tooLong {
			l.err = console.Usagef("a line has at most %d bytes", maxBatchLine)
		}
		b.read.Store(counted.n - int64(r.Buffered()))
		if err != nil && !tooLong {
			if err == io.EOF || ctx.Err() != nil { // the one that prints says how far it came
				return nil
			}
			return console.UsageError(err)
		}
		if (l.text != "" || l.err != nil) && !take(l) {
			return nil
		}
	}
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
func (b *batch) solveLine(ctx context.Context, l *batchLine) error {
	solve, as, err := b.line(b.cmd, l.text)
	if err != nil {
		return err
	}
	l.as = as
	b.alone.RLock()
	l.answers, err = solve(ctx, b.share)
	b.alone.RUnlock()
	if errors.Is(err, statespace.ErrMemory) && b.whole.Threads > 1 {
		b.alone.Lock()
		defer b.alone.Unlock()
		l.answers, err = solve(ctx, b.whole)
	}
	if errors.Is(err, statespace.ErrMemory) {
		err = console.UsageError(err)
	}
	return err
}

// print prints what was found for each line, in order. The first error is what the exit code says of
// the lines.
func (b *batch) print(ctx context.Context, w io.Writer, order <-chan *batchLine) (end, err error) {
	lines, wrong, unsolved := 0, 0, 0
	for l := range order {
		select {
		case <-l.done:
		default:
			select {
			case <-l.done:
			case <-ctx.Done():
				return nil, fmt.Errorf("%w before line %d was solved", context.Cause(ctx), l.number)
			}
		}
		lines++
		switch {
		case l.err != nil && !console.IsUsage(l.err):
			return nil, fmt.Errorf("line %d: %w", l.number, l.err)
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
			return nil, err
		}
	}
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case lines == 0:
		return console.Usagef("%s has no puzzle: expected one on each line", b.batch), nil
	case wrong > 0:
		return console.Usagef("%d of %d lines are in error; their objects say what is wrong", wrong, lines), nil
	case unsolved > 0:
		return console.ErrNo, nil
	}
	return nil, nil
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
