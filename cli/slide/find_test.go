package slide

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"pagoda/cli"
	"pagoda/internal/console"
	"pagoda/internal/journal"
	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/tray"
	"pagoda/studies/hardest"
)

// newFinding returns a search of a board in moves with a strict goal, with a checkpoint.
func newFinding(t *testing.T, rows, cols int, checkpoint string) *finding {
	t.Helper()
	return newJourney(t, rows, cols, hardest.Journey{Strict: true}, checkpoint)
}

func newJourney(t *testing.T, rows, cols int, j hardest.Journey, checkpoint string) *finding {
	t.Helper()
	o := &findOptions{metric: "moves", from: inCorner, to: inCorner, checkpoint: checkpoint}
	p := &hardest.Problem{Board: hardest.Rectangle(1, rows, cols), Metric: tray.Moves}
	var err error
	if p.Goals, err = hardest.Goals(p.Board, j, 0); err != nil {
		t.Fatal(err)
	}
	cmd := new(cobra.Command)
	o.job = cli.NewJob(cmd, console.OfMachine)
	if err := cmd.Flags().Set("threads", "2"); err != nil {
		t.Fatal(err)
	}
	return &finding{findOptions: o, name: fmt.Sprintf("%dx%d", rows, cols), problem: p}
}

// Wherever a checkpoint is cut off, a search that continues from it finds the same, and searches only
// what is missing.
func TestContinue(t *testing.T) {
	path := filepath.Join(t.TempDir(), "checkpoint")
	f := newFinding(t, 3, 3, path)
	want, err := f.search(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Count(whole, []byte("\n"))
	if lines < 5 {
		t.Fatalf("the checkpoint has %d lines, want a header and some parts", lines)
	}
	for n := 0; n <= len(whole); n += 1 + len(whole)/10 {
		if err := os.WriteFile(path, whole[:n], 0o666); err != nil {
			t.Fatal(err)
		}
		got, err := f.search(t.Context())
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("from %d bytes: %v, %v, want %v", n, got, err, want)
		}
		again, err := os.ReadFile(path)
		if err != nil || bytes.Count(again, []byte("\n")) != lines {
			t.Errorf("from %d bytes, the checkpoint has %d lines, %v, want %d", n, bytes.Count(again, []byte("\n")), err, lines)
		}
	}
}

// A strict search and a loose one share a checkpoint, whichever comes first.
func TestStrictFirst(t *testing.T) {
	dir := t.TempDir()
	search := func(strict bool, checkpoint string) (results string, parts int) {
		t.Helper()
		path := filepath.Join(dir, checkpoint)
		f := newJourney(t, 3, 3, hardest.Journey{Strict: strict}, path)
		f.metric, f.problem.Metric = "lines", tray.Lines // with two pieces, a loose puzzle is harder than all strict ones
		found, err := f.search(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(found), bytes.Count(text, []byte("\n"))
	}
	strict, few := search(true, "strict")
	loose, all := search(false, "loose")
	if few >= all || strict == loose {
		t.Fatalf("%d of %d parts", few, all)
	}
	for _, checkpoint := range []string{"strict", "loose"} {
		if got, parts := search(false, checkpoint); got != loose || parts != all {
			t.Errorf("loose puzzles from %s: %.300s, %d parts, want %.300s, %d", checkpoint, got, parts, loose, all)
		}
		if got, parts := search(true, checkpoint); got != strict || parts != all {
			t.Errorf("strict puzzles from %s: %.300s, %d parts, want %.300s, %d", checkpoint, got, parts, strict, all)
		}
	}
}

// The error for a checkpoint of another version names both versions.
func TestOtherFormat(t *testing.T) {
	path := filepath.Join(t.TempDir(), "checkpoint")
	f := newFinding(t, 2, 2, path)
	for record, want := range map[any]string{
		struct {
			Format string `json:"format"`
			Strict bool   `json:"strict"`
		}{"pagoda find 1", true}: `its format is "pagoda find 1", expected "` + findFormat + `"`,
		struct {
			Format string `json:"format"`
			Strict bool   `json:"strict"`
		}{findFormat, true}: "it is no checkpoint of find",
		"pagoda find 1": "it is no checkpoint of find",
	} {
		var line bytes.Buffer
		if err := journal.Write(&line, record); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, line.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := f.search(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %s", record, err, want)
		}
	}
}

// What was found before an interruption is returned, and the parts are in the checkpoint.
func TestInterrupted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "checkpoint")
	f := newFinding(t, 3, 3, path)
	want, err := f.search(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	mine := errors.New("mine")
	for parts := range 4 {
		ctx, cancel := context.WithCancelCause(t.Context())
		k, limit, err := openKeep(path, f.problem, f.header(1<<20))
		if err != nil || limit != 1<<20 || len(k.known) < parts {
			t.Fatalf("%d parts: %v, limit %d, %d are known", parts, err, limit, len(k.known))
		}
		o := hardest.Options{Threads: 1, PartLimit: limit, Known: k.result, Keep: func(part string, r hardest.Result) error {
			defer cancel(mine)
			return k.keep(part, r)
		}}
		if _, err := hardest.Search(ctx, f.problem, o); !errors.Is(err, mine) {
			t.Errorf("%d parts: %v, want the cause", parts, err)
		}
		if err := k.close(); err != nil {
			t.Fatal(err)
		}
	}
	got, err := f.search(t.Context())
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}

// Two searches do not use one checkpoint at a time.
func TestBusy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "checkpoint")
	f := newFinding(t, 2, 3, path)
	k, _, err := openKeep(path, f.problem, f.header(1))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.search(t.Context()); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("%v, want that the checkpoint is in use", err)
	}
	if err := k.close(); err != nil {
		t.Fatal(err)
	}
	if _, err := f.search(t.Context()); err != nil {
		t.Error(err)
	}
}

// A puzzle for which the engines differ is an error that names both.
func TestSolveAgain(t *testing.T) {
	puzzle := func(text string, length int) found {
		p, err := tray.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return found{puzzle: p, text: text, length: length}
	}
	good := []found{puzzle("A../.../... .../.../..A", 1), puzzle("ABC/DE./DFF .../.../..A", 22), puzzle("AB./.../..C .../.../..A", 2)}
	err := solveAgain(t.Context(), good, tray.Moves, slide.Options{Threads: 2})
	var lengths []int
	for _, f := range good {
		lengths = append(lengths, f.length)
	}
	if err != nil || !slices.IsSortedFunc(lengths, func(a, b int) int { return b - a }) {
		t.Errorf("%v, %v", lengths, err)
	}
	for _, bad := range []found{puzzle("A../.../... .../.../..A", 2), puzzle("AB./BB./.BB .../.../..A", 3)} {
		err := solveAgain(t.Context(), []found{bad}, tray.Moves, slide.Options{})
		if err == nil || !strings.Contains(err.Error(), "the engines differ") || !strings.Contains(err.Error(), bad.text) {
			t.Errorf("%s: %v, want that the engines differ", bad.text, err)
		}
	}
}
