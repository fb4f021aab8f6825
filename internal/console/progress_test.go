package console

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"pagoda/internal/progress"
)

// A screen is a writer that several goroutines use.
type screen struct {
	mu  sync.Mutex
	out bytes.Buffer
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.Write(p)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.String()
}

// wait waits until the screen shows something.
func (s *screen) wait(t *testing.T, pattern string) {
	t.Helper()
	for range 24000 {
		if regexp.MustCompile(pattern).MatchString(s.String()) {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("the screen never shows %s: %q", pattern, s.String())
}

// On a terminal a line that is never wider than it shows the part that was begun last.
func TestLine(t *testing.T) {
	var s screen
	width := 1000
	l := &Line{stderr: &s, terminal: true, first: time.Millisecond, every: time.Millisecond, width: func() int { return width }}
	l.start("reach solve")
	s.wait(t, `\rreach solve: 0s\x1b\[K`)
	stop := l.Show("searching", 0, "positions", func() (int64, int64) { return 5, 1234567 })
	s.wait(t, `\rsearching: 5 of 1,234,567 positions found, 0s\x1b\[K`)
	l.mu.Lock()
	width = 12
	l.mu.Unlock()
	s.wait(t, `\rsearching: \x1b\[K`)
	release := l.Hold()
	held := s.String()
	if !strings.HasSuffix(held, "\r\x1b[K") {
		t.Errorf("the line stays while it is held: %q", held)
	}
	time.Sleep(20 * time.Millisecond)
	if s.String() != held {
		t.Errorf("the line is written while it is held")
	}
	release()
	stop()
	s.wait(t, `\x1b\[K\rreach solve\x1b\[K`)
	l.Stop()
	if end := s.String(); !strings.HasSuffix(end, "\r\x1b[K") {
		t.Errorf("the line stays: %q", end)
	}
}

func TestClip(t *testing.T) {
	for width := range 40 {
		line := "größer: 5 of 1,234,567 positions"
		got := clip(line, width)
		if n := utf8.RuneCountInString(got); !utf8.ValidString(got) || !strings.HasPrefix(line, got) || width > 1 && n >= width {
			t.Errorf("on %d columns: %q", width, got)
		}
	}
}

// Elsewhere there are whole lines. The rate leaves out what was done before the first look.
func TestLog(t *testing.T) {
	var s screen
	l := &Line{stderr: &s, first: time.Millisecond, every: time.Millisecond, width: func() int { return 0 }}
	l.start("query count")
	s.wait(t, `^query count: 0s\n`)
	var done atomic.Int64
	done.Store(500)
	l.Show("a", 100, "B", func() (int64, int64) { return done.Load(), 1000 })
	s.wait(t, `\na: 50%, 0s\n`)
	time.Sleep(100 * time.Millisecond)
	done.Add(1) // a thousandth, a tenth of a byte, in a tenth of a second and more
	s.wait(t, `\na: 50%, 0s, (0\.[0-9]+|1) B/s, ([5-9][0-9]s|[0-9]+m[0-9]+s) left\n`)
	l.Stop()
	if strings.Contains(s.String(), "\x1b") {
		t.Errorf("%q", s.String())
	}
}

// A command has a context that shows parts of its work, unless it is quiet.
func TestWithProgress(t *testing.T) {
	for _, quiet := range []bool{false, true} {
		cmd := &cobra.Command{Use: "a"}
		cmd.SetErr(new(screen))
		cmd.SetContext(t.Context())
		cmd.Flags().Bool("quiet", quiet, "")
		read := false
		if err := WithProgress(cmd, func() error {
			stop := progress.Start(cmd.Context(), "b", 1, "B", func() (int64, int64) { read = true; return 1, 1 })
			if l, ok := cmd.Context().Value(lineKey{}).(*Line); ok {
				l.show(true)
			}
			stop()
			HoldProgress(cmd.Context())()
			return nil
		}); err != nil || read == quiet {
			t.Errorf("quiet is %t: %t, %v", quiet, read, err)
		}
	}
	progress.Start(context.Background(), "nothing", 0, "", nil)()
}
