package console

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// a faulty writer fails after some bytes.
type faulty struct {
	left int
	err  error
}

func (f *faulty) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, f.err
	}
	return len(p), nil
}

// program returns a command "p work" that does work.
func program(work func(cmd *cobra.Command) error) *cobra.Command {
	root := &cobra.Command{Use: "p"}
	root.AddCommand(&cobra.Command{Use: "work", RunE: func(cmd *cobra.Command, _ []string) error { return work(cmd) }})
	return root
}

// A fault of stdout is the error of the command, whether it noticed it or not, and stops it.
func TestFaultOfStdout(t *testing.T) {
	careless := func(cmd *cobra.Command) error {
		for range 1000 {
			fmt.Fprintln(cmd.OutOrStdout(), "a line")
		}
		return nil
	}
	answersNo := func(cmd *cobra.Command) error { return errors.Join(ErrNo, careless(cmd)) }
	waits := func(cmd *cobra.Command) error {
		careless(cmd)
		<-cmd.Context().Done()
		return context.Cause(cmd.Context())
	}
	full := fmt.Errorf("writing: %w", syscall.ENOSPC)
	for _, c := range []struct {
		name string
		work func(*cobra.Command) error
		err  error
		code int
		says string
	}{
		{"careless", careless, full, Damaged, "p: writing: no space left on device\n"},
		{"no", answersNo, full, Damaged, "p: writing: no space left on device\n"},
		{"waits", waits, full, Damaged, "p: writing: no space left on device\n"},
		{"nobody reads", careless, syscall.EPIPE, 141, ""},
		{"nobody reads, waits", waits, fmt.Errorf("writing: %w", syscall.EPIPE), 141, ""},
	} {
		var stderr strings.Builder
		code := Main(program(c.work), []string{"work"}, strings.NewReader(""), &faulty{100, c.err}, &stderr)
		if code != c.code || stderr.String() != c.says {
			t.Errorf("%s: exit code %d, %q; want %d, %q", c.name, code, &stderr, c.code, c.says)
		}
	}
}

// Text on stdout and errors are safe to print; what is not text is left as it is.
func TestSafeToPrint(t *testing.T) {
	const nasty = "a\x1b[2J\x9b\u202e"
	var stdout bytes.Buffer
	var stderr strings.Builder
	code := Main(program(func(cmd *cobra.Command) error {
		fmt.Fprintf(cmd.OutOrStdout(), "%s\n\xe8", nasty)
		io.WriteString(Binary(cmd.OutOrStdout()), nasty)
		return errors.Join(fmt.Errorf("no file %s\np: all is well", nasty), Usagef("long %s", strings.Repeat("解", 5000)))
	}), []string{"work"}, strings.NewReader(""), &stdout, &stderr)
	const safe = `a\u001b[2J\x9b\u202e`
	if got, want := stdout.String(), safe+"\n"+nasty; got != want {
		t.Errorf("stdout has %q, want %q", got, want)
	}
	lines := strings.Split(stderr.String(), "\n")
	if code != Usage || len(lines) != 3 || lines[0] != "p: no file "+safe+`\u000ap: all is well` {
		t.Fatalf("exit code %d, stderr has %q", code, lines)
	}
	if long := lines[1]; len(long) > 520 || !utf8.ValidString(long) || !strings.Contains(long, "bytes left out") {
		t.Errorf("the long error has %d bytes: %s", len(long), long)
	}
}

// Output that ends with an error ends with a whole line.
func TestWholeLines(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{{errors.New("damaged"), "a line\n"}, {nil, "a line\nhalf a line, whole"}, {ErrNo, "a line\nhalf a line, whole"}} {
		var stdout bytes.Buffer
		Main(program(func(cmd *cobra.Command) error {
			for _, part := range []string{"a l", "ine\nhalf", " a line", ", whole"} {
				io.WriteString(cmd.OutOrStdout(), part)
			}
			return c.err
		}), []string{"work"}, strings.NewReader(""), &stdout, io.Discard)
		if stdout.String() != c.want {
			t.Errorf("after %v, stdout has %q, want %q", c.err, &stdout, c.want)
		}
	}
}
