package run_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"pagoda/layers"
	"pagoda/run"
)

// stoppedRun is a run that was stopped halfway, in a directory of its own.
type stoppedRun struct {
	t                       *testing.T
	dir, output, checkpoint string
	want                    []byte // what the file should be
}

// placed are runs whose checkpoints are of all kinds.
func placed(t *testing.T) map[string]run.Options {
	return map[string]run.Options{
		"sweep":           {Engine: "sweep", Store: layers.FoldedStore},
		"layers":          {Engine: "layers", Store: layers.SetStore},
		run.NumbersEngine: {Engine: run.NumbersEngine},
		run.SparseEngine:  {Engine: run.SparseEngine},
	}
}

func stopRun(t *testing.T, o run.Options, name string) *stoppedRun {
	t.Helper()
	sp := pegs(t, "peg/4x4")
	if o.Engine == "sweep" {
		sp = pegs(t, "peg/5x5")
	}
	dir := filepath.Join(t.TempDir(), "a")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	r := &stoppedRun{t: t, dir: dir, output: filepath.Join(dir, name)}
	o.Output, o.Threads, o.Every = r.output, 1, -1
	start(t, sp, o)
	r.want = readFile(t, r.output)
	if err := os.Remove(r.output); err != nil {
		t.Fatal(err)
	}
	r.checkpoint = stopHalfway(t, sp, o)
	if r.checkpoint != r.output+run.CheckpointSuffix {
		t.Fatalf("the checkpoint is %s", r.checkpoint)
	}
	return r
}

// move renames all that belongs to the run.
func (r *stoppedRun) move(dir, name string) {
	r.t.Helper()
	if dir != r.dir {
		if err := os.Rename(r.dir, dir); err != nil {
			r.t.Fatal(err)
		}
	}
	to := filepath.Join(dir, name)
	for _, suffix := range []string{run.CheckpointSuffix, layers.PartialSuffix, run.LevelsSuffix} {
		from := filepath.Join(dir, filepath.Base(r.output)) + suffix
		if err := os.Rename(from, to+suffix); from != to+suffix && err != nil && (suffix == run.CheckpointSuffix || !errors.Is(err, os.ErrNotExist)) {
			r.t.Fatal(err)
		}
	}
	r.dir, r.output, r.checkpoint = dir, to, to+run.CheckpointSuffix
}

// forge changes what the checkpoint says, to something as long.
func (r *stoppedRun) forge(old, new string) {
	r.t.Helper()
	data := readFile(r.t, r.checkpoint)
	if !bytes.Contains(data, []byte(old)) || len(old) != len(new) {
		r.t.Fatalf("%q cannot become %q", old, new)
	}
	data = bytes.Replace(data, []byte(old), []byte(new), 1)
	mend(data)
	writeFile(r.t, r.checkpoint, data)
}

// resume resumes the run.
func (r *stoppedRun) resume(o run.Options) error {
	_, err := run.Resume(r.t.Context(), r.checkpoint, define, o)
	return err
}

// finish resumes the run, which must make its file and leave nothing else.
func (r *stoppedRun) finish(what string, o run.Options) {
	r.t.Helper()
	if err := r.resume(o); err != nil {
		r.t.Fatalf("%s: %v", what, err)
	}
	sameFile(r.t, what, r.output, r.want)
}

// named returns a name of a file as long as a path.
func named(path string) string { return strings.Repeat("a", len(path)-len(".reach")) + ".reach" }

// A run whose directory was moved is resumed there, also from a checkpoint of an older program,
// with an absolute path. It says nothing of where it was.
func TestResumeMoved(t *testing.T) {
	for name, o := range placed(t) {
		t.Run(name, func(t *testing.T) {
			r := stopRun(t, o, "a.reach")
			if bytes.Contains(readFile(t, r.checkpoint), []byte(r.dir)) {
				t.Errorf("the checkpoint has the path %s", r.dir)
			}
			was := r.dir
			r.move(filepath.Join(t.TempDir(), "b"), "a.reach")
			r.finish("moved", run.Options{})
			if _, err := os.Stat(was); err == nil {
				t.Errorf("%s is there again", was)
			}

			const old = "/nowhere/at/all/b.reach"
			if runtime.GOOS == "windows" {
				return // where this is no absolute path
			}
			r = stopRun(t, o, named(old))
			r.forge(named(old), old)
			r.move(r.dir, "b.reach")
			r.finish("of an older program", run.Options{})
		})
	}
}

// A checkpoint that names another file is not obeyed, until the caller names the file.
func TestResumeElsewhere(t *testing.T) {
	victim := filepath.Join(t.TempDir(), "precious.text")
	writeFile(t, victim, []byte("precious"))
	for name, o := range placed(t) {
		t.Run(name, func(t *testing.T) {
			for _, forged := range []string{victim, "../../precious/victim.reach", "sub/directory/victim.reach", ".bashrc-and-others", "victim.reach\x1b[2J\x1b]0;x"} {
				r := stopRun(t, o, named(forged))
				quoted := strings.NewReplacer("\x1b", "\x7f").Replace(forged) // which JSON does not escape
				r.forge(`"output":"`+named(forged), `"output":"`+quoted)
				err := r.resume(run.Options{})
				var other *run.OutputError
				if !errors.As(err, &other) || !errors.Is(err, run.ErrOptions) || other.Checkpoint != r.checkpoint || strings.ContainsAny(err.Error(), "\x1b\x7f") {
					t.Errorf("%q: %v", forged, err)
				} else if filepath.IsAbs(forged) && other.Output != forged || quoted != forged && other.Output != "" {
					t.Errorf("%q: the error names %q", forged, other.Output)
				}
				r.finish(forged, run.Options{Output: r.output})
			}
			// A checkpoint of another name is not that of the file.
			r := stopRun(t, o, "a.reach")
			r.move(r.dir, "b.reach")
			var other *run.OutputError
			if err := r.resume(run.Options{}); !errors.As(err, &other) {
				t.Errorf("with another name: %v", err)
			}
			r.finish("named", run.Options{Output: r.output})
		})
	}
	if data := readFile(t, victim); string(data) != "precious" {
		t.Errorf("it is now %q", data)
	}
}

// A resumed run replaces only a file of the same space, if it was to overwrite, and follows no
// link; unless the caller says so.
func TestResumeOverwrites(t *testing.T) {
	for name, o := range placed(t) {
		t.Run(name, func(t *testing.T) {
			o.Overwrite = true
			precious := []byte("precious")
			r := stopRun(t, o, "a.reach")
			writeFile(t, r.output, precious)
			if err := r.resume(run.Options{}); !errors.Is(err, run.ErrInTheWay) {
				t.Errorf("over a text: %v", err)
			}
			ring := filepath.Join(t.TempDir(), "ring.reach")
			start(t, directedRing, run.Options{Output: ring})
			other := readFile(t, ring)
			writeFile(t, r.output, other)
			if err := r.resume(run.Options{Output: r.output}); !errors.Is(err, run.ErrInTheWay) || !bytes.Equal(readFile(t, r.output), other) {
				t.Errorf("over a file of another space: %v", err)
			}
			if runtime.GOOS != "windows" { // where links take a privilege
				testResumeOverLink(t, r, precious)
			}
			r.finish("over a file of another space, as the caller says", run.Options{Overwrite: true})

			r = stopRun(t, o, "a.reach")
			set, _ := layers.FindStore(layers.SetStore)
			writeFile(t, r.output, r.want)
			if data, err := convert(t, r.output, set, run.Options{}); err == nil {
				writeFile(t, r.output, data)
			}
			r.finish("over a file of the same space", run.Options{})
		})
	}
}

// testResumeOverLink puts a link at the place of the file.
func testResumeOverLink(t *testing.T, r *stoppedRun, precious []byte) {
	t.Helper()
	far := filepath.Join(t.TempDir(), "far")
	writeFile(t, far, precious)
	there := readFile(t, r.output)
	if err := errors.Join(os.Remove(r.output), os.Symlink(far, r.output)); err != nil {
		t.Fatal(err)
	}
	var link *run.OutputError
	for _, overwrite := range []bool{false, true} {
		if err := r.resume(run.Options{Overwrite: overwrite}); !errors.As(err, &link) || link.Output != r.output || !strings.Contains(err.Error(), "is a link") {
			t.Errorf("over a link: %v", err)
		}
	}
	if err := r.resume(run.Options{Output: r.output}); !errors.Is(err, run.ErrInTheWay) || !bytes.Equal(readFile(t, far), precious) {
		t.Errorf("over a link that is named: %v", err)
	}
	if err := os.Remove(r.output); err != nil {
		t.Fatal(err)
	}
	writeFile(t, r.output, there)
}

// What belongs to a checkpoint is beside the file, not beside a link to it.
func TestResumeByLink(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links take a privilege")
	}
	for _, o := range placed(t) {
		r := stopRun(t, o, "a.reach")
		link := filepath.Join(t.TempDir(), "b.reach"+run.CheckpointSuffix)
		if err := os.Symlink(r.checkpoint, link); err != nil {
			t.Fatal(err)
		}
		if _, err := run.Resume(t.Context(), link, define, run.Options{}); err != nil {
			t.Fatal(err)
		}
		sameFile(t, "by a link", r.output, r.want)
		if entries, err := os.ReadDir(filepath.Dir(link)); err != nil || len(entries) != 1 {
			t.Errorf("beside the link there are %v, %v", entries, err)
		}
	}
}

// With a directory for checkpoints, the error of a run that was stopped says what Resume needs.
func TestStoppedElsewhere(t *testing.T) {
	for name, o := range placed(t) {
		t.Run(name, func(t *testing.T) {
			sp := pegs(t, "peg/5x5")
			if o.Engine == run.SparseEngine || o.Engine == run.NumbersEngine {
				sp = pegs(t, "peg/4x4") // which is as good, and quicker
			}
			o.Output, o.Checkpoint, o.Threads = filepath.Join(t.TempDir(), "a.reach"), t.TempDir(), 1
			start(t, sp, o)
			want := readFile(t, o.Output)
			o.Overwrite = true
			writeFile(t, o.Output, []byte("precious"))
			ctx, cancel := stopping(t)
			_, err := run.Start(ctx, withStop(t, sp, stopAt(1+steps(t, sp, o)/2, cancel)), o)
			var stopped *run.StoppedError
			if !errors.As(err, &stopped) || stopped.Output != o.Output || !stopped.Overwrite || filepath.Dir(stopped.Checkpoint) != o.Checkpoint {
				t.Fatalf("%+v", err)
			}
			var other *run.OutputError
			if _, err := run.Resume(t.Context(), o.Checkpoint, define, run.Options{}); !errors.As(err, &other) || other.Output != o.Output {
				t.Errorf("without the file: %v", err)
			}
			if _, err := run.Resume(t.Context(), o.Checkpoint, define, run.Options{Output: o.Output}); !errors.Is(err, run.ErrInTheWay) {
				t.Errorf("over a text: %v", err)
			}
			if _, err := run.Resume(t.Context(), o.Checkpoint, define, run.Options{Output: stopped.Output, Overwrite: stopped.Overwrite}); err != nil {
				t.Fatal(err)
			}
			sameFile(t, "resumed", o.Output, want)
			onlyFile(t, "a directory of checkpoints", filepath.Join(o.Checkpoint, "none"))
		})
	}
}
