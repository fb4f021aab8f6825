// Package cmd tests the commands as people run them: it builds them and goes
// through the scripts in testdata/script.
package cmd

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"pagoda/internal/long"
	"pagoda/puzzle/peg"
	"pagoda/statespace/sweep"
)

// bin is the directory of the built commands.
var bin string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "pagoda-bin")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		bin = dir
		// go test remembers a result until a file changes that the test has looked
		// at. What the commands are built of are such files.
		if err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
			if err == nil && (strings.HasSuffix(path, ".go") || strings.HasSuffix(path, ".s")) {
				_, err = os.Stat(path)
			}
			return err
		}); err != nil {
			panic(err)
		}
		if err := build(dir, "./reach", "./query", "../examples/lightsout"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return m.Run()
	}())
}

// build builds commands without the tables of debuggers, which take half of the time.
func build(dir string, args ...string) error {
	args = append([]string{"build", "-ldflags=-s -w", "-o", dir + string(filepath.Separator)}, args...)
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("go %q: %w\n%s", args, err, out)
	}
	return nil
}

// buildKillable builds reach with failpoints, where PAGODA_FAILPOINT kills it, and returns its path.
var buildKillable = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(bin, "failpoints")
	return filepath.Join(dir, "reach"), build(dir, "-ldflags=-s -w -X pagoda/internal/failpoint.kills=yes", "./reach")
})

// killable is the path of reach with failpoints.
func killable(t *testing.T) string {
	t.Helper()
	path, err := buildKillable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(e *testscript.Env) error {
			e.Setenv("PATH", bin+string(filepath.ListSeparator)+e.Getenv("PATH"))
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name == "long" {
				return long.Tests, nil
			}
			return false, fmt.Errorf("there is no condition %q", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits,
			"flip":  flip,
			"cut":   cut,
			"forge": forge,
			"claim": claim,
			"await": await,
			"split": split,
		},
	})
}

// exits CODE COMMAND... runs a command and compares its exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if fmt.Sprint(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// flip FILE OFFSET changes a bit.
func flip(ts *testscript.TestScript, neg bool, args []string) {
	path := ts.MkAbs(args[0])
	data, err := os.ReadFile(path)
	ts.Check(err)
	var at int
	_, err = fmt.Sscan(args[1], &at)
	ts.Check(err)
	data[at] ^= 4
	ts.Check(os.WriteFile(path, data, 0o644))
}

// cut FILE BYTES cuts a file short by that many bytes.
func cut(ts *testscript.TestScript, neg bool, args []string) {
	path := ts.MkAbs(args[0])
	info, err := os.Stat(path)
	ts.Check(err)
	var n int64
	_, err = fmt.Sscan(args[1], &n)
	ts.Check(err)
	ts.Check(os.Truncate(path, info.Size()-n))
}

// split FILE DIR cuts a file into pieces in a directory, and puts their list in its place, by what
// docs/reference/format.md says.
func split(ts *testscript.TestScript, neg bool, args []string) {
	path := ts.MkAbs(args[0])
	data, err := os.ReadFile(path)
	ts.Check(err)
	ts.Check(os.Mkdir(ts.MkAbs(args[1]), 0o755))
	list := "pagoda pieces 1\n"
	for i := 0; len(data) > 0; i++ {
		n := min(len(data), 64<<10)
		if i == 0 {
			n = 4096
		}
		name := fmt.Sprintf("%s/%03d", args[1], i)
		ts.Check(os.WriteFile(ts.MkAbs(name), data[:n], 0o644))
		list += fmt.Sprintf("%d %s\n", n, name)
		data = data[n:]
	}
	list += fmt.Sprintf("end %08x\n", crc32.Checksum([]byte(list), crc32.MakeTable(crc32.Castagnoli)))
	ts.Check(os.WriteFile(path, []byte(list), 0o644))
}

// forge FILE NUMBER flips a member in a file and mends the checksums, by what
// docs/reference/format.md says.
func forge(ts *testscript.TestScript, neg bool, args []string) {
	path := ts.MkAbs(args[0])
	data, err := os.ReadFile(path)
	ts.Check(err)
	var number int
	_, err = fmt.Sscan(args[1], &number)
	ts.Check(err)
	data[fileHeader+number/8] ^= 1 << (number % 8)
	mend(data)
	ts.Check(os.WriteFile(path, data, 0o644))
}

// await FILE waits until there is such a file.
func await(ts *testscript.TestScript, neg bool, args []string) {
	path := ts.MkAbs(args[0])
	for until := time.Now().Add(2 * time.Minute); time.Now().Before(until); time.Sleep(time.Millisecond) {
		if _, err := os.Stat(path); err == nil {
			return
		}
	}
	ts.Fatalf("there is no %s", args[0])
}

// claim FILE OLD NEW changes what a file says of itself, to something as long, and mends
// the checksums.
func claim(ts *testscript.TestScript, neg bool, args []string) {
	path := ts.MkAbs(args[0])
	data, err := os.ReadFile(path)
	ts.Check(err)
	at := bytes.LastIndex(data, []byte(args[1]))
	if at < 0 || len(args[1]) != len(args[2]) {
		ts.Fatalf("%s does not say %s, or that is not as long as %s", args[0], args[1], args[2])
	}
	copy(data[at:], args[2])
	mend(data)
	ts.Check(os.WriteFile(path, data, 0o644))
}

const fileHeader = 4096

// mend makes the checksums of a file right.
func mend(data []byte) {
	const block = 65536
	crc := func(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }
	le := binary.LittleEndian
	sums := int(le.Uint64(data[24:]))
	for i, at := 0, fileHeader; at < sums; i, at = i+1, at+block {
		le.PutUint32(data[sums+4*i:], crc(data[at:min(at+block, sums)]))
	}
	le.PutUint32(data[32:], crc(data[sums:]))
	le.PutUint32(data[4092:], crc(data[:4092]))
}

// The same run makes the same bytes, whatever the number of threads and whichever
// the engine and the kernel.
func TestEqualBytes(t *testing.T) {
	dir := t.TempDir()
	quick := []string{"peg/4x5@1,1", "peg/triangle15", "peg/5x5"}
	for _, space := range long.Or(append(quick, "peg/5x6", "peg/triangle21"), quick) {
		var first []byte
		ways := [][]string{{"--threads=1"}, {"--threads=2"}, {"--threads=7"},
			{"--engine=layers", "--threads=1"}, {"--engine=layers", "--threads=7"}, {"--engine=plain"}}
		sp, err := peg.Lookup(space)
		if err != nil {
			t.Fatal(err)
		}
		for _, kernel := range sweep.Engines(sp)[0].Kernels {
			ways = append(ways, []string{"--kernel=" + kernel, "--threads=1"}, []string{"--kernel=" + kernel, "--threads=7"})
		}
		for _, how := range ways {
			if space == "peg/5x6" && how[0] == "--engine=plain" {
				continue // for its time
			}
			path := filepath.Join(dir, "a.reach")
			cmd := exec.Command(filepath.Join(bin, "reach"), append([]string{"run", space, "-o", path, "--force"}, how...)...)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %v\n%s", cmd, err, out)
			}
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = data
			} else if !bytes.Equal(data, first) {
				t.Errorf("%s %v makes other bytes than one thread", space, how)
			}
		}
	}
}

// Ctrl-C and SIGTERM leave the old file as it was, and nothing else but what resumes the run.
func TestInterrupt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no such signals")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "a.reach")
	old := []byte("what was there before")
	for i, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM, os.Interrupt, os.Interrupt} {
		if err := os.WriteFile(path, old, 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(filepath.Join(bin, "reach"), "run", "peg/5x6", "--engine=plain", "-o", path, "--force")
		var stderr strings.Builder
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		waitForRun(t, path)
		time.Sleep(time.Duration(i) * 50 * time.Millisecond)
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		err := cmd.Wait()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 130 {
			t.Fatalf("it ended with %v, want exit code 130\n%s", err, &stderr)
		}
		nothing := strings.Contains(stderr.String(), "interrupted; it had done nothing that a checkpoint could keep; to start again: reach run peg/5x6 --engine=plain")
		kept := strings.Contains(stderr.String(), "interrupted; to continue: reach resume "+path+".checkpoint --force\n")
		if nothing == kept {
			t.Errorf("it said %q", &stderr)
		}
		if err := os.Remove(path + ".checkpoint"); (err == nil) != kept {
			t.Errorf("it said %q; the checkpoint: %v", &stderr, err)
		}
		if data, err := os.ReadFile(path); err != nil || !bytes.Equal(data, old) {
			t.Errorf("the old file is now %q, %v", data, err)
		}
		onlyFile(t, path)
	}
}

// Ctrl-C ends a command that waits for patterns; what was asked before is answered.
func TestInterruptStdin(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no such signals")
	}
	path := filepath.Join(t.TempDir(), "a.reach")
	if out, err := exec.Command(filepath.Join(bin, "reach"), "run", "peg/4x4", "-o", path).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command(filepath.Join(bin, "query"), "has", path, "-")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(in, "oooo/o.oo/oooo/oooo")
	answer := make([]byte, len("yes  oooo/o.oo/oooo/oooo\n"))
	if _, err := io.ReadFull(out, answer); err != nil || string(answer) != "yes  oooo/o.oo/oooo/oooo\n" {
		t.Fatalf("%q, %v", answer, err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 130 {
		t.Errorf("it ended with %v, want exit code 130", err)
	}
}

// waitForRun waits until a run that writes path has begun: its partial file has its
// size.
func waitForRun(t *testing.T, path string) {
	t.Helper()
	for until := time.Now().Add(2 * time.Minute); time.Now().Before(until); time.Sleep(time.Millisecond) {
		if info, err := os.Stat(path + ".partial"); err == nil && info.Size() > 0 {
			return
		}
	}
	t.Fatal("the run has not begun within two minutes")
}

// onlyFile checks that a file is alone in its directory.
func onlyFile(t *testing.T, path string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != filepath.Base(path) {
			t.Errorf("%s was left behind", e.Name())
		}
	}
}

// Of runs that begin together, each has the file in the end or says that another is
// writing it; none says that there is such a file already.
func TestTogether(t *testing.T) {
	for range long.Or(20, 5) {
		path := filepath.Join(t.TempDir(), "a.reach")
		outs := make([]string, 4)
		errs := make([]error, 4)
		var group sync.WaitGroup
		for i := range outs {
			group.Go(func() {
				out, err := exec.Command(filepath.Join(bin, "reach"), "run", "peg/4x4", "-o", path).CombinedOutput()
				outs[i], errs[i] = string(out), err
			})
		}
		group.Wait()
		for i, err := range errs {
			if err != nil && !strings.Contains(outs[i], "another run is writing this file") {
				t.Errorf("%v\n%s", err, outs[i])
			}
		}
		if out, err := exec.Command(filepath.Join(bin, "reach"), "verify", path).CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		onlyFile(t, path)
	}
}

// A killed run leaves a partial file, which is refused, and which the next run
// replaces.
func TestKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.reach")
	reach := filepath.Join(bin, "reach")
	cmd := exec.Command(reach, "run", "peg/5x6", "--engine=plain", "-o", path)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	waitForRun(t, path)
	out, err := exec.Command(reach, "run", "peg/5x6", "-o", path).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "another run is writing this file") {
		t.Errorf("a second run: %v\n%s", err, out)
	}
	cmd.Process.Kill()
	cmd.Wait()
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a killed run has made a file: %v", err)
	}
	out, err = exec.Command(reach, "check", path+".partial").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "unfinished") {
		t.Errorf("the partial file: %v\n%s", err, out)
	}
	if out, err := exec.Command(reach, "run", "peg/5x6", "-o", path).CombinedOutput(); err != nil {
		t.Errorf("the next run: %v\n%s", err, out)
	}
	if out, err := exec.Command(reach, "verify", path).CombinedOutput(); err != nil {
		t.Errorf("its file: %v\n%s", err, out)
	}
	onlyFile(t, path)
}

// Every way goes through just one position of each number of pegs.
func TestVia(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.reach")
	if out, err := exec.Command(filepath.Join(bin, "reach"), "run", "peg/4x4@0,1", "-o", path).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	query := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(filepath.Join(bin, "query"), append([]string{args[0], path}, args[1:]...)...)
		out, err := cmd.Output()
		var exit *exec.ExitError
		if errors.As(err, &exit) && exit.ExitCode() == 1 {
			return "0"
		} else if err != nil {
			t.Fatalf("%v: %v", cmd, err)
		}
		return strings.TrimSpace(string(out))
	}
	const to, total = "..o./..../..../....", 102998
	for _, pegs := range []string{"13", "2"} {
		sum := 0
		for _, via := range strings.Fields(query("list", "--pegs", pegs)) {
			n, err := strconv.Atoi(query("path", to, "--via", via, "--all"))
			if err != nil {
				t.Fatal(err)
			}
			sum += n
		}
		if sum != total {
			t.Errorf("%d ways lead through a position with %s pegs, of %d in all", sum, pegs, total)
		}
	}
}
