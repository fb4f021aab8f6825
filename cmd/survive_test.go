package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"pagoda/internal/failpoint"
	"pagoda/internal/long"
)

// A killedRun is a run of reach that is killed again and again, and taken up.
type killedRun struct {
	t       *testing.T
	reach   string
	space   string
	path    string
	options []string // of the run
	kills   int
	resumes int
}

// goOn does what the user would: resume if there is a checkpoint, else run.
func (k *killedRun) goOn(kill func(cmd *exec.Cmd) error) (killed bool) {
	k.t.Helper()
	cmd := exec.Command(k.reach, append([]string{"run", k.space, "-o", k.path}, k.options...)...)
	if _, err := os.Stat(k.path + ".checkpoint"); err == nil {
		cmd = exec.Command(k.reach, "resume", k.path+".checkpoint", "--checkpoint-every=0s", fmt.Sprintf("--threads=%d", 1+k.kills%3))
		k.resumes++
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := kill(cmd)
	var exit *exec.ExitError
	switch {
	case err == nil:
		return false
	case errors.As(err, &exit) && (exit.ExitCode() == failpoint.Killed || exit.ExitCode() == -1): // -1 by a signal
		k.kills++
		return true
	}
	k.t.Fatalf("%v: %v\n%s", cmd, err, &out)
	return false
}

// finish goes on until nothing kills it any more, and compares the bytes.
func (k *killedRun) finish(want []byte) {
	k.t.Helper()
	for k.goOn((*exec.Cmd).Run) {
	}
	data, err := os.ReadFile(k.path)
	if err != nil || !bytes.Equal(data, want) {
		k.t.Fatalf("after %d kills the file differs: %v", k.kills, err)
	}
	onlyFile(k.t, k.path)
	if err := os.Remove(k.path); err != nil {
		k.t.Fatal(err)
	}
}

// A run that is killed goes on, from whatever there is, and makes the same bytes.
func TestSurvive(t *testing.T) {
	reach, path := killable(t), filepath.Join(t.TempDir(), "a.reach")
	// made returns the file of a run that nothing kills.
	made := func(space string, flags ...string) []byte {
		t.Helper()
		if out, err := exec.Command(reach, append([]string{"run", space, "-o", path}, flags...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		data, err := os.ReadFile(path)
		if err == nil {
			err = os.Remove(path)
		}
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	kills, resumes := 0, 0
	for _, way := range []struct {
		engine, store, space string
		long                 bool
		points               []string // besides those of all
	}{
		{"sweep", "folded", "peg/4x5", false, []string{"written blocks", "written index", "synced", "written sums"}},
		{"sweep", "folded", "peg/5x5", true, []string{"written blocks", "written index", "synced", "written sums"}},
		{"sweep", "set", "peg/5x5", true, []string{"written ring", "written set"}},
		{"layers", "set", "peg/4x5", false, []string{"written set"}},
		{"plain", "folded", "peg/4x5", true, nil},
	} {
		if way.long && !long.Tests {
			continue
		}
		options, want := []string{"--checkpoint-every=0s", "--engine=" + way.engine, "--store=" + way.store}, made(way.space, "--store="+way.store)
		// At each point, the first, second, third, ... time that the run comes by; and then
		// a second time, while it goes on.
		for _, point := range append([]string{"created", "written meta", "body", "header", "linked", "renamed", "stage", "checkpoint", "finished"}, way.points...) {
			for n, some := 1, true; some && (long.Tests || n == 1); n += 1 + n/2 {
				k := &killedRun{t: t, reach: reach, space: way.space, path: path, options: options}
				at := func(n int) func(cmd *exec.Cmd) error {
					return func(cmd *exec.Cmd) error {
						cmd.Env = append(os.Environ(), fmt.Sprintf("PAGODA_FAILPOINT=%s:%d", point, n))
						return cmd.Run()
					}
				}
				some = k.goOn(at(n)) && k.goOn(at(1+n/2))
				k.finish(want)
				kills, resumes = kills+k.kills, resumes+k.resumes
			}
		}
	}
	t.Logf("%d kills, %d resumes", kills, resumes)
	if !long.Tests {
		if kills < 25 || resumes < 5 {
			t.Errorf("%d kills and %d resumes are too few", kills, resumes)
		}
		return
	}
	// At random times, with all stores.
	wants := make(map[string][]byte)
	for name, flags := range stores {
		wants[name] = made("peg/5x5", flags...)
	}
	names := slices.Sorted(maps.Keys(wants))
	rng := rand.New(rand.NewPCG(7, 7))
	for i := range 6 * len(names) {
		store := names[i%len(names)]
		want := wants[store]
		k := &killedRun{t: t, reach: reach, space: "peg/5x5", path: path, options: append([]string{"--checkpoint-every=0s", "--engine=" + []string{"sweep", "layers"}[i/len(names)%2]}, stores[store]...)}
		for range 1 + rng.IntN(4) {
			k.goOn(func(cmd *exec.Cmd) error {
				if err := cmd.Start(); err != nil {
					return err
				}
				time.Sleep(time.Duration(rng.IntN(60)) * time.Millisecond)
				cmd.Process.Kill()
				return cmd.Wait()
			})
		}
		k.finish(want)
		kills, resumes = kills+k.kills, resumes+k.resumes
	}
	t.Logf("%d kills, %d resumes", kills, resumes)
	if kills < 200 || resumes < 100 {
		t.Errorf("%d kills and %d resumes are too few", kills, resumes)
	}
}

// A checkpoint that is not as it was written is refused.
func TestDamagedCheckpoint(t *testing.T) {
	dir, reach := t.TempDir(), killable(t)
	path := filepath.Join(dir, "a.reach")
	cmd := exec.Command(reach, "run", "peg/5x5", "-o", path, "--checkpoint-every=0s")
	cmd.Env = append(os.Environ(), "PAGODA_FAILPOINT=checkpoint:5")
	cmd.Run()
	checkpoint := path + ".checkpoint"
	good, err := os.ReadFile(checkpoint)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(what string, data []byte, want string) {
		t.Helper()
		if err := os.WriteFile(checkpoint, data, 0o644); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(filepath.Join(bin, "reach"), "resume", checkpoint).CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 3 || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v\n%s", what, err, out)
		}
		if _, err := os.Stat(path); err == nil {
			t.Fatalf("%s: a file was made", what)
		}
	}
	for at := 0; at < len(good); at += 1 + len(good)/long.Or(40, 10) {
		data := bytes.Clone(good)
		data[at] ^= 16
		refused(fmt.Sprintf("bit flipped in byte %d", at), data, "a.reach.checkpoint")
		refused(fmt.Sprintf("cut to %d bytes", at), good[:at], "a.reach.checkpoint")
	}
	// Pages that were never written, as after a loss of power.
	for at := 0; at < len(good); at += 4096 {
		data := bytes.Clone(good)
		clear(data[at:][:4096])
		if !bytes.Equal(data, good) {
			refused(fmt.Sprintf("page at %d of zeros", at), data, "a.reach.checkpoint")
		}
	}
	if err := os.WriteFile(checkpoint, good, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"info", "check"} {
		if out, err := exec.Command(filepath.Join(bin, "reach"), command, checkpoint).CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
	if out, err := exec.Command(filepath.Join(bin, "reach"), "verify", checkpoint).CombinedOutput(); err == nil || !strings.Contains(string(out), "resume the run: reach resume continues it") {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err := exec.Command(filepath.Join(bin, "reach"), "run", "peg/5x5", "-o", path).CombinedOutput(); err == nil || !strings.Contains(string(out), "is the checkpoint of a run that was stopped") {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err := exec.Command(filepath.Join(bin, "reach"), "resume", dir).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	refusedFile := func(file, want string) {
		t.Helper()
		out, err := exec.Command(filepath.Join(bin, "reach"), "resume", file).CombinedOutput()
		if err == nil || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v\n%s", file, err, out)
		}
	}
	refusedFile(path, "not a checkpoint: it is finished; there is nothing to resume")

	// The store of the run is that of the file, whoever finishes it.
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	cmd = exec.Command(reach, "run", "peg/5x5", "-o", path, "--checkpoint-every=0s", "--store=backptr")
	cmd.Env = append(os.Environ(), "PAGODA_FAILPOINT=checkpoint:5")
	cmd.Run()
	out, err := exec.Command(filepath.Join(bin, "reach"), "resume", checkpoint, "--json").CombinedOutput()
	if err != nil || !strings.Contains(string(out), `"store":"backptr"`) {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err := exec.Command(filepath.Join(bin, "reach"), "verify", path).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	refusedFile(dir, "should have one checkpoint, and has 0: name the file")
}

// What no run has left at the place of a checkpoint stays, and so does the checkpoint
// of another space.
func TestForeignCheckpoint(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.reach")
	reach := func(args ...string) (string, error) {
		out, err := exec.Command(filepath.Join(bin, "reach"), args...).CombinedOutput()
		return string(out), err
	}
	mine := []byte("what somebody wrote")
	if err := os.WriteFile(path+".checkpoint", mine, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, force := range []string{"--force", "--force=false"} {
		if out, err := reach("run", "peg/4x4", "-o", path, force); err == nil || !strings.Contains(out, "is in the way of the checkpoint") {
			t.Errorf("%v\n%s", err, out)
		}
	}
	if data, err := os.ReadFile(path + ".checkpoint"); err != nil || !bytes.Equal(data, mine) {
		t.Errorf("it is now %q, %v", data, err)
	}

	// A finished file of one space, and the checkpoint of another beside it.
	if err := os.Remove(path + ".checkpoint"); err != nil {
		t.Fatal(err)
	}
	if out, err := reach("run", "peg/4x4", "-o", path); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command(filepath.Join(bin, "reach"), "run", "peg/5x6", "--engine=plain", "-o", path+".other", "--checkpoint-every=0s")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for until := time.Now().Add(2 * time.Minute); time.Now().Before(until); time.Sleep(time.Millisecond) {
		if _, err := os.Stat(path + ".other.checkpoint"); err == nil {
			break
		}
	}
	cmd.Process.Kill()
	cmd.Wait()
	if err := os.Rename(path+".other.checkpoint", path+".checkpoint"); err != nil {
		t.Fatal(err)
	}
	if out, err := reach("run", "peg/4x4", "-o", path); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if _, err := os.Stat(path + ".checkpoint"); err != nil {
		t.Errorf("the checkpoint of another space is gone: %v", err)
	}
}

// Ctrl-C leaves what a stream has done, before the first checkpoint is due and later.
func TestInterruptStream(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no such signals")
	}
	if !long.Tests {
		t.Skip("a stream that can be interrupted takes a second")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "a.reach")
	reach := filepath.Join(bin, "reach")
	for _, every := range []string{"1h", "0s"} {
		cmd := exec.Command(reach, "run", "peg/5x7", "-o", path, "--checkpoint-every="+every, "--threads=1", "--kernel=generic")
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// Until there is a checkpoint, or some blocks in the partial file.
		for until := time.Now().Add(2 * time.Minute); time.Now().Before(until); time.Sleep(time.Millisecond) {
			if _, err := os.Stat(path + ".checkpoint"); err == nil || every == "1h" && hasBlocks(path+".partial") {
				break
			}
		}
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		err := cmd.Wait()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 130 {
			t.Fatalf("it ended with %v, want exit code 130\n%s", err, &out)
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		if len(entries) != 2 || !strings.Contains(out.String(), "to continue: reach resume "+path+".checkpoint") {
			t.Fatalf("it has left %v\n%s", entries, &out)
		}
		if every == "1h" {
			if err := errors.Join(os.Remove(path+".checkpoint"), os.Remove(path+".partial")); err != nil {
				t.Fatal(err)
			}
			continue
		}
		// Ctrl-C at any time leaves the checkpoint to one that goes on, too.
		for i, late := 0, 0; late < 3; i++ {
			cmd := exec.Command(reach, "resume", path+".checkpoint", "--checkpoint-every=1h", "--threads=1", "--kernel=generic")
			var out bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &out
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(20+30*i) * time.Millisecond)
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			err := cmd.Wait()
			var exit *exec.ExitError
			if early := errors.As(err, &exit) && exit.ExitCode() == -1; early {
				continue // the signal came before the program listened for it
			}
			late++
			if !errors.As(err, &exit) || exit.ExitCode() != 130 || !strings.Contains(out.String(), "to continue: reach resume "+path+".checkpoint") {
				t.Fatalf("it ended with %v\n%s", err, &out)
			}
		}
		if out, err := exec.Command(reach, "resume", path+".checkpoint").CombinedOutput(); err != nil || !strings.Contains(string(out), "1,045,173,439") {
			t.Errorf("%v\n%s", err, out)
		}
		onlyFile(t, path)
	}
}

// hasBlocks reports whether a partial file has something in its first blocks.
func hasBlocks(partial string) bool {
	f, err := os.Open(partial)
	if err != nil {
		return false
	}
	defer f.Close()
	blocks := make([]byte, 1<<20)
	n, _ := f.ReadAt(blocks, fileHeader)
	return len(bytes.Trim(blocks[:n], "\x00")) > 0
}
