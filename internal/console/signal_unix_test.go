//go:build unix

package console

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// waits is set in a process of this test that runs a command until it is interrupted or its stdin
// ends.
const waits = "PAGODA_TEST_WAITS"

func TestMain(m *testing.M) {
	if os.Getenv(waits) == "" {
		os.Exit(m.Run())
	}
	wait := &cobra.Command{Use: "wait", RunE: func(cmd *cobra.Command, _ []string) error {
		cmd.Println("waiting")
		lines := bufio.NewScanner(cmd.InOrStdin())
		for lines.Scan() {
			cmd.Println(lines.Text())
		}
		time.Sleep(20 * time.Millisecond) // for a signal that is on its way
		return cmp.Or(lines.Err(), context.Cause(cmd.Context()))
	}}
	root := &cobra.Command{Use: "test"}
	root.AddCommand(wait)
	os.Exit(Main(root, []string{"wait"}, os.Stdin, os.Stdout, os.Stdout))
}

// A signal that the parent ignores does not end a command: nohup ignores SIGHUP, and a shell
// script that ends in & ignores SIGINT. All others end it.
func TestIgnoredSignals(t *testing.T) {
	for _, test := range []struct {
		ignored string // as trap of the shell has it
		signal  syscall.Signal
		ends    bool
	}{
		{"HUP", syscall.SIGHUP, false},
		{"INT", syscall.SIGINT, false},
		{"HUP", syscall.SIGINT, true},
		{"INT", syscall.SIGHUP, true},
		{"HUP INT", syscall.SIGTERM, true},
	} {
		if test.ends && signal.Ignored(test.signal) {
			continue // the tests run under nohup
		}
		cmd := exec.Command("/bin/sh", "-c", `trap "" `+test.ignored+`; exec "$0"`, os.Args[0])
		cmd.Env = append(os.Environ(), waits+"=1")
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// It must end, whatever happens: a test that hangs says nothing.
		timer := time.AfterFunc(2*time.Minute, func() { cmd.Process.Kill() })
		lines := bufio.NewScanner(out)
		expect := func(want string) {
			t.Helper()
			if !lines.Scan() || !strings.Contains(lines.Text(), want) {
				t.Errorf("%s is ignored, %v is sent: it prints %q, want %q", test.ignored, test.signal, lines.Text(), want)
			}
		}
		expect("waiting")
		if err := cmd.Process.Signal(test.signal); err != nil {
			t.Fatal(err)
		}
		code := Interrupted
		if !test.ends {
			// A signal that is ignored is gone when kill returns.
			in.Write([]byte("on\n"))
			expect("on")
			in.Close()
			code = Yes
		} else {
			expect("interrupted")
		}
		err = cmd.Wait()
		timer.Stop()
		found := 0
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			found = exit.ExitCode()
		}
		if found != code {
			t.Errorf("%s is ignored, %v is sent: exit code %d, want %d", test.ignored, test.signal, found, code)
		}
	}
}
