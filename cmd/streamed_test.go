package cmd

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pagoda/internal/failpoint"
)

// A streamedRun is a run of peg/5x5 that streams its blocks to a file, in a program that can be
// killed at its failpoints.
type streamedRun struct {
	t                         *testing.T
	reach                     string // the program
	work                      string // the directory, empty
	path, partial, checkpoint string
	want                      []byte // the file of a run that is not killed
}

func newStreamedRun(t *testing.T) *streamedRun {
	t.Helper()
	r := &streamedRun{t: t, reach: killable(t), work: t.TempDir()}
	r.path = filepath.Join(r.work, "a.reach")
	r.partial, r.checkpoint = r.path+".partial", r.path+".checkpoint"
	if out, code := r.run("", "run", "peg/5x5", "-o", r.path); code != 0 {
		t.Fatal(out)
	}
	r.want = r.read(r.path)
	if err := os.Remove(r.path); err != nil {
		t.Fatal(err)
	}
	return r
}

// run runs the program, which is killed at a failpoint if one is given: then the code is failpoint.Killed.
func (r *streamedRun) run(point string, args ...string) (out string, code int) {
	r.t.Helper()
	cmd := exec.Command(r.reach, args...)
	cmd.Env = append(os.Environ(), "PAGODA_FAILPOINT="+point)
	text, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return string(text), exit.ExitCode()
	} else if err != nil {
		r.t.Fatal(err)
	}
	return string(text), 0
}

// expect runs the program, which must exit with a code and print a text.
func (r *streamedRun) expect(code int, text string, args ...string) {
	r.t.Helper()
	if out, found := r.run("", args...); found != code || !strings.Contains(out, text) {
		r.t.Errorf("reach %q exits with %d, want %d\n%s", args, found, code, out)
	}
}

// kill begins a run that is killed at a failpoint.
func (r *streamedRun) kill(point string, options ...string) {
	r.t.Helper()
	if out, code := r.run(point, append([]string{"run", "peg/5x5", "-o", r.path, "--checkpoint-every=0s"}, options...)...); code != failpoint.Killed {
		r.t.Fatalf("it was not killed\n%s", out)
	}
}

func (r *streamedRun) read(path string) []byte {
	r.t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		r.t.Fatal(err)
	}
	return data
}

func (r *streamedRun) write(path string, data []byte) {
	r.t.Helper()
	if err := os.WriteFile(path, data, 0o644); err != nil {
		r.t.Fatal(err)
	}
}

// refused holds that a forged checkpoint is refused, and that the run continues from the old one.
func (r *streamedRun) refused(old, forged []byte, why string) {
	r.t.Helper()
	mend(forged)
	r.write(r.checkpoint, forged)
	r.expect(3, why+"; resume it with the program that wrote it, or begin again in another file", "resume", r.checkpoint)
	r.write(r.checkpoint, old)
	r.expect(0, r.path, "resume", r.checkpoint)
	onlyFile(r.t, r.path)
	if err := os.Remove(r.path); err != nil {
		r.t.Fatal(err)
	}
}

// The partial file and the checkpoint of a run that streams its blocks to a file belong together.
func TestStreamedCheckpoint(t *testing.T) {
	r := newStreamedRun(t)
	r.kill("checkpoint:7")
	good, small := r.read(r.partial), r.read(r.checkpoint)
	if len(small) > len(good)/4 {
		t.Errorf("the checkpoint has %d bytes, the file %d", len(small), len(good))
	}
	r.expect(0, "; resume continues it; 7 stages done", "info", r.checkpoint)
	r.expect(0, "checksums match", "check", r.checkpoint)
	r.expect(3, "it is the checkpoint of a run; resume the run: reach resume continues it", "verify", r.checkpoint)
	r.expect(2, "is the checkpoint of a run that was stopped", "run", "peg/5x5", "-o", r.path)
	const lost, advice = "a.reach.partial is not what the run has left: ", "; put back what the run has left, or begin again in another file"
	bad := bytes.Clone(good)
	bad[5000] ^= 1
	r.write(r.partial, bad)
	r.expect(3, lost+"the checksum of its bytes ", "resume", r.checkpoint)
	r.write(r.partial, good[:5000])
	r.expect(3, lost+"it should have ", "resume", r.checkpoint)
	if err := os.Remove(r.partial); err != nil {
		t.Fatal(err)
	}
	r.expect(3, lost+"it should be there with the blocks of the run, and is not"+advice, "resume", r.checkpoint)
	for _, path := range []string{r.path, r.partial} {
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s was made", path)
		}
	}
	r.write(r.partial, good)
	r.expect(0, r.path, "resume", r.checkpoint, "--threads=3")
	if !bytes.Equal(r.read(r.path), r.want) {
		t.Error("a run that was killed and resumed makes other bytes")
	}
	onlyFile(t, r.path)
	if err := os.Remove(r.path); err != nil {
		t.Fatal(err)
	}
}

// A run that begins again, or that was killed at its end, leaves only its file.
func TestStreamedAgain(t *testing.T) {
	r := newStreamedRun(t)
	// To begin again takes away both.
	r.kill("checkpoint:7")
	r.kill("created:1", "--force")
	r.kill("checkpoint:9", "--force")
	r.expect(0, r.path, "run", "peg/5x5", "-o", r.path, "--force")
	onlyFile(t, r.path)

	// A run that was killed when its file had its name, with another file there before it.
	r.write(r.path, []byte("something else"))
	r.kill("finished:1", "--force")
	r.expect(0, "already holds this space, finished", "resume", r.checkpoint)
	if !bytes.Equal(r.read(r.path), r.want) {
		t.Error("the file is another now")
	}
	onlyFile(t, r.path)
	if err := os.Remove(r.path); err != nil {
		t.Fatal(err)
	}
}

// Checkpoints that another division of the work has left are refused.
func TestStreamedForgery(t *testing.T) {
	r := newStreamedRun(t)
	// Checkpoints of another engine, and of another way to keep what was found: here as
	// they were before there were streams.
	for _, options := range [][]string{{"--engine=layers", "--store=folded"}, {"--engine=layers", "--store=set"}} {
		r.kill("checkpoint:2", options...)
		old := r.read(r.checkpoint)
		forged := bytes.Replace(old, []byte(`"engine":"layers"`), []byte(`"engine": "sweep"`), 1)
		if bytes.Equal(old, forged) {
			t.Fatal("the checkpoint does not name the engine")
		}
		r.refused(old, forged, "the run divided its work differently")
	}

	// One of an older program, which numbered the board in another way: there is no sweep of
	// that.
	r.kill("checkpoint:2", "--engine=layers", "--store=set")
	old := r.read(r.checkpoint)
	forged := regexp.MustCompile(`"free":\[(\d+),(\d+),`).ReplaceAll(old, []byte(`"free":[$2,$1,`))
	forged = bytes.Replace(forged, []byte(`"engine":"layers"`), []byte(`"engine": "sweep"`), 1)
	if len(old) != len(forged) || bytes.Equal(old, forged) {
		t.Fatal("the checkpoint does not have the numbering")
	}
	r.refused(old, forged, `peg/5x5 has no engine "sweep": it has layers, numbers, sparse, plain`)
}

func TestStreamedWithoutFile(t *testing.T) {
	r := newStreamedRun(t)
	// Without a file, the checkpoint has the blocks that the run still needs.
	if out, code := r.run("checkpoint:9", "run", "peg/5x5", "--no-file", "--checkpoint", r.work, "--checkpoint-every=0s"); code != failpoint.Killed {
		t.Fatalf("it was not killed\n%s", out)
	}
	found, err := filepath.Glob(filepath.Join(r.work, "*.checkpoint"))
	if err != nil || len(found) != 1 || len(r.read(found[0])) > len(r.want) {
		t.Fatalf("it has left %v, %v", found, err)
	}
	var states string
	for line := range strings.Lines(func() string { out, _ := r.run("", "run", "peg/5x5", "--no-file"); return out }()) {
		if strings.Contains(line, "total") {
			states = line
		}
	}
	if states == "" {
		t.Fatal("a run does not print the total")
	}
	r.expect(0, states, "resume", r.work)
	if entries, err := os.ReadDir(r.work); err != nil || len(entries) != 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}
