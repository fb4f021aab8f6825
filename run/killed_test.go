package run_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pagoda/internal/failpoint"
	"pagoda/internal/long"
	"pagoda/run"
)

// A run of an engine that lists states in files of levels or layers, which is killed at any point, and again while it goes on, makes the same
// bytes and leaves no levels.
func TestListsKilled(t *testing.T) {
	if !long.Tests {
		t.Skip("builds a program and starts it hundreds of times")
	}
	dir := t.TempDir()
	reach := filepath.Join(dir, "reach")
	if out, err := exec.Command("go", "build", "-ldflags=-X pagoda/internal/failpoint.kills=yes", "-o", reach, "../cmd/reach").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	work := filepath.Join(dir, "work")
	if err := os.Mkdir(work, 0o777); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(work, "a.reach")
	kills, resumes := 0, 0
	// goOn does what the user would: resume if there is a checkpoint, else run.
	goOn := func(space, point string) (killed bool) {
		t.Helper()
		engine := "sparse"
		if strings.HasPrefix(space, "2048/") {
			engine = run.ChanceEngine
		}
		cmd := exec.Command(reach, "run", space, "--engine="+engine, "-o", path, "--checkpoint-every=0s", "--quiet")
		if _, err := os.Stat(path + ".checkpoint"); err == nil {
			cmd = exec.Command(reach, "resume", path+".checkpoint", "--checkpoint-every=0s", "--quiet", fmt.Sprintf("--threads=%d", 1+kills%3))
			resumes++
		}
		cmd.Env = append(os.Environ(), "PAGODA_FAILPOINT="+point)
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if errors.As(err, &exit) && exit.ExitCode() == failpoint.Killed {
			kills++
			return true
		}
		if err != nil {
			t.Fatalf("%s, %s: %v\n%s", space, point, err, out)
		}
		return false
	}
	for _, space := range []string{"peg/4x4", "slide/n2x3", "2048/2x2"} {
		goOn(space, "")
		want := readFile(t, path)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		for _, point := range []string{"created", "level", "levels", "layer", "stage", "checkpoint", "written codes", "written distances", "written boards", "written values", "written meta", "body", "header", "linked", "renamed", "finished"} {
			for n, some := 1, true; some; n += 1 + n/2 {
				some = goOn(space, fmt.Sprintf("%s:%d", point, n)) && goOn(space, fmt.Sprintf("%s:%d", point, 1+n/2))
				for goOn(space, "") {
				}
				if data := readFile(t, path); !bytes.Equal(data, want) {
					t.Fatalf("%s, killed at %s:%d: the file differs", space, point, n)
				}
				onlyFile(t, fmt.Sprintf("%s, killed at %s:%d", space, point, n), path)
				for _, name := range []string{path, path + ".levels"} {
					if err := os.RemoveAll(name); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
	t.Logf("%d kills, %d resumes", kills, resumes)
	if kills < 60 || resumes < 40 {
		t.Errorf("%d kills and %d resumes are too few", kills, resumes)
	}
}
