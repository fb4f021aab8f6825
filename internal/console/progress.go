package console

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"pagoda/internal/progress"
)

// A Line shows on stderr what a command does and how far it is: on a terminal in a line that changes,
// elsewhere in a new line every 30 seconds. It shows the part of the work that was begun last.
type Line struct {
	stderr   io.Writer
	terminal bool
	first    time.Duration // when the line is shown first
	every    time.Duration // and how often then
	width    func() int    // of the terminal; 0 if that is not known
	done     chan struct{}
	group    sync.WaitGroup

	mu    sync.Mutex
	parts []*part
	shown bool // the line stands on the terminal
	held  int  // calls of Hold that have not ended
}

// A part is a part of the work.
type part struct {
	what  string
	size  uint64
	unit  string
	read  func() (done, total int64)
	begin time.Time
	// What was done at the first look, and when that was. A run that continues begins with what was done before.
	from  int64
	since time.Time
}

const (
	firstShown = 400 * time.Millisecond // what ends sooner needs no line
	logEvery   = 30 * time.Second
)

// NewLine begins to show a command.
func NewLine(stderr io.Writer, what string) *Line {
	l := &Line{stderr: stderr, width: func() int { return 0 }, first: logEvery, every: logEvery}
	if Terminal(stderr) && os.Getenv("TERM") != "dumb" {
		l.terminal, l.first, l.every = true, firstShown, 200*time.Millisecond
		if f, ok := stderr.(*os.File); ok {
			l.width = func() int {
				width, _, err := term.GetSize(int(f.Fd()))
				if err != nil {
					return 0
				}
				return width
			}
		}
	}
	l.start(what)
	return l
}

func (l *Line) start(what string) {
	l.done = make(chan struct{})
	l.parts = []*part{{what: what, begin: time.Now(), read: func() (int64, int64) { return 0, 0 }}}
	l.group.Go(l.run)
}

func (l *Line) run() {
	timer := time.NewTicker(min(firstShown, l.every))
	defer timer.Stop()
	for next := time.Now().Add(l.first); ; {
		select {
		case <-l.done:
			return
		case <-timer.C:
		}
		if now := time.Now(); now.Before(next) {
			l.show(false)
		} else {
			l.show(true)
			next = now.Add(l.every)
		}
	}
}

// show reads the part, and writes the line if that is due.
func (l *Line) show(due bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.parts[len(l.parts)-1]
	text := p.describe()
	if l.held > 0 || !due {
		return
	}
	line := p.what + ": " + text
	if !l.terminal {
		fmt.Fprintln(l.stderr, line)
		return
	}
	fmt.Fprint(l.stderr, "\r", clip(line, l.width()), "\x1b[K")
	l.shown = true
}

// clip cuts a line so that it does not wrap on a terminal of a width, the last column left free.
func clip(line string, width int) string {
	if width <= 1 || utf8.RuneCountInString(line) < width {
		return line
	}
	return string([]rune(line)[:width-1])
}

// Show implements progress.Show.
func (l *Line) Show(what string, size uint64, unit string, read func() (done, total int64)) (stop func()) {
	p := &part{what: what, size: size, unit: unit, read: read, begin: time.Now()}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.parts = append(l.parts, p)
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.parts = slices.DeleteFunc(l.parts, func(q *part) bool { return p == q })
	}
}

// Clear takes the line away, for other output.
func (l *Line) Clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.clear()
}

func (l *Line) clear() {
	if l.shown {
		fmt.Fprint(l.stderr, "\r\x1b[K")
		l.shown = false
	}
}

// Hold takes the line away until release is called, while the command waits for a person.
func (l *Line) Hold() (release func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held++
	l.clear()
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.held--
	}
}

// Stop takes the line away for good. It waits until nothing more is read from the parts.
func (l *Line) Stop() {
	close(l.done)
	l.group.Wait()
	l.Clear()
}

// describe gives the share done, the rate and the time left; or, if the size is 0, what is done of
// what is found so far.
func (p *part) describe() string {
	done, total := p.read()
	elapsed := time.Since(p.begin).Round(time.Second)
	if total == 0 || done == 0 {
		return fmt.Sprintf("%v", elapsed)
	}
	if p.size == 0 {
		return fmt.Sprintf("%s of %s %s found, %v", humanize.Comma(done), humanize.Comma(total), p.unit, elapsed)
	}
	share := float64(done) / float64(total)
	if p.since.IsZero() {
		p.from, p.since = done, time.Now()
	}
	if done <= p.from {
		return fmt.Sprintf("%.0f%%, %v", 100*share, elapsed)
	}
	rate := float64(done-p.from) / float64(total) / time.Since(p.since).Seconds()
	left := time.Duration(min((1-share)/rate*float64(time.Second), 1e18)) // 30 years at most
	return fmt.Sprintf("%.0f%%, %v, %.3g %s/s, %v left", 100*share, elapsed, rate*float64(p.size), p.unit, left.Round(time.Second))
}

type lineKey struct{}

// WithProgress calls do with a context that has a Line of the command, unless the command has a flag
// --quiet that is set.
func WithProgress(cmd *cobra.Command, do func() error) error {
	if quiet, err := cmd.Flags().GetBool("quiet"); err == nil && quiet {
		return do()
	}
	line := NewLine(cmd.ErrOrStderr(), cmd.CommandPath())
	defer line.Stop()
	if out, ok := cmd.OutOrStdout().(*output); ok {
		out.to.line.Store(line)
	}
	if in, ok := cmd.InOrStdin().(*interruptible); ok {
		in.line = line
	}
	cmd.SetContext(context.WithValue(progress.With(cmd.Context(), line.Show), lineKey{}, line))
	return do()
}

// HoldProgress takes the line of a command away until release is called.
func HoldProgress(ctx context.Context) (release func()) {
	if line, ok := ctx.Value(lineKey{}).(*Line); ok {
		return line.Hold()
	}
	return func() {}
}
