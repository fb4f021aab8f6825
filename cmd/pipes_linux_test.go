package cmd

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The first SIGTERM ends a command that opens a pipe to which nobody writes.
func TestPipes(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"solve pipe", "run pipe", "solve --batch pipe", "judge pipe", "play 2048/2x2 --player network --network pipe", "replay 2048/2x2 pipe", "run lunar/pipe:1-1", "package pipe pipe"} {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(filepath.Join(bin, "reach"), strings.Fields(args)...)
			cmd.Dir = dir
			var out strings.Builder
			cmd.Stdout, cmd.Stderr = &out, &out
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			// It must end, whatever happens: a test that hangs says nothing.
			timer := time.AfterFunc(2*time.Minute, func() { cmd.Process.Kill() })
			defer timer.Stop()
			time.Sleep(time.Second) // it has begun to wait for the signal
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatalf("%v\n%s", err, &out)
			}
			err := cmd.Wait()
			if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 130 || !strings.Contains(out.String(), "interrupted") {
				t.Errorf("%v\n%s", err, &out)
			}
		})
	}
	if _, err := os.Stat(pipe); err != nil {
		t.Fatal(err)
	}
}
