package slide

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"pagoda/cli"
	"pagoda/puzzle"
	"pagoda/puzzle/slide"
	_ "pagoda/run/all"
)

// TestBatchStreams: lines are answered as soon as they are known, a line behind the others is not
// waited for, and the end of the context ends the command.
func TestBatchStreams(t *testing.T) {
	f := slide.Family()
	cmd := (&cli.Program{Families: puzzle.NewSet(f), Commands: []cli.Commands{Commands()}}).Reach()
	errStop := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	in, lines := io.Pipe()
	out, answers := io.Pipe()
	cmd.SetArgs([]string{"solve", "--batch", "-", "--threads", "3", "--quiet"})
	cmd.SetIn(in)
	cmd.SetOut(answers)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	end := make(chan error, 1)
	go func() { end <- cmd.ExecuteContext(ctx) }()
	read := bufio.NewReader(out)
	for n := 1; n <= 200; n += 20 {
		for range 20 {
			fmt.Fprintln(lines, "AAB/..B ../AA")
		}
		for i := n; i < n+20; i++ {
			text, err := read.ReadString('\n')
			if want := fmt.Sprintf(`{"line":%d,`, i); err != nil || text[:min(len(text), len(want))] != want {
				t.Fatalf("%s, %v, want line %d", text, err, i)
			}
		}
	}
	cancel(errStop)
	lines.Close()
	if err := <-end; !errors.Is(err, errStop) {
		t.Errorf("%v, want %v", err, errStop)
	}
}
