package play

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"pagoda/internal/console"
	"pagoda/puzzle/tiles/player"
)

// pty opens a pseudo terminal: its keyboard and screen, and the terminal that a program sees.
func pty(t *testing.T) (keyboard, terminal *os.File) {
	t.Helper()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("there are no pseudo terminals: ", err)
	}
	t.Cleanup(func() { keyboard.Close() })
	n, err := unix.IoctlGetInt(int(keyboard.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Skip("there are no pseudo terminals: ", err)
	}
	if err := unix.IoctlSetPointerInt(int(keyboard.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("there are no pseudo terminals: ", err)
	}
	t.Cleanup(func() { terminal.Close() })
	return keyboard, terminal
}

// On a terminal, keys are read one by one, and the terminal is put back, however the game ends.
func TestTerminal(t *testing.T) {
	g, e := small(t)
	for _, c := range []struct {
		typed, no string
		game      player.Game
		panics    bool
		err       error
	}{
		{"\x1b[A\x1b[Bq", "", g, false, nil},
		{"\x1b[A\x1b[Bq", "1", g, false, nil},
		{"a\x03", "", g, false, console.ErrInterrupted},
		{"awds", "", broken{g}, true, nil},
	} {
		keyboard, terminal := pty(t)
		t.Setenv("NO_COLOR", c.no)
		t.Setenv("TERM", "xterm")
		before, err := unix.IoctlGetTermios(int(terminal.Fd()), unix.TCGETS)
		if err != nil {
			t.Fatal(err)
		}
		var screen bytes.Buffer
		done := make(chan bool)
		go func() {
			defer close(done)
			b := make([]byte, 4096)
			for typed := false; ; {
				n, err := keyboard.Read(b)
				if err != nil {
					return
				}
				screen.Write(b[:n])
				if !typed && bytes.Contains(screen.Bytes(), []byte("q: quit")) {
					typed = true
					now, err := unix.IoctlGetTermios(int(terminal.Fd()), unix.TCGETS)
					if err != nil || now.Lflag&(unix.ICANON|unix.ECHO|unix.ISIG) != 0 {
						t.Errorf("the terminal is not raw: %v", err)
					}
					keyboard.WriteString(c.typed)
				}
				if strings.HasSuffix(screen.String(), "end of the test") {
					return
				}
			}
		}()
		cmd := &cobra.Command{}
		cmd.SetIn(terminal)
		cmd.SetOut(terminal)
		func() {
			defer func() {
				if p := recover(); (p != nil) != c.panics {
					t.Errorf("%q: the panic is %v", c.typed, p)
				}
			}()
			if err := Run(cmd, c.game, Options{Seed: 2, Solution: e}); !errors.Is(err, c.err) {
				t.Errorf("%q: the error is %v, want %v", c.typed, err, c.err)
			}
		}()
		after, err := unix.IoctlGetTermios(int(terminal.Fd()), unix.TCGETS)
		if err != nil || *after != *before {
			t.Errorf("%q: the terminal is left as %v, was %v: %v", c.typed, after, before, err)
		}
		terminal.WriteString("end of the test")
		select {
		case <-done:
		case <-time.After(2 * time.Minute):
			t.Fatal("the screen does not end")
		}
		all := screen.String()
		if !strings.Contains(all, leave) || strings.Contains(all, "\x1b[48") == (c.no != "") {
			t.Errorf("%q, NO_COLOR=%s: the screen is\n%q", c.typed, c.no, all)
		}
		if c.err == nil && !c.panics && !strings.Contains(all, "game 1, 2 moves") {
			t.Errorf("%q: the screen is\n%q", c.typed, all)
		}
	}
}
