package layers_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"pagoda/bitset"
	"pagoda/internal/long"
	"pagoda/layers"
	"pagoda/statespace"
)

// example is a set of numbers below n with its space and description.
func example(n uint64) (statespace.Space, *bitset.Set, *layers.Meta) {
	set := bitset.New(n)
	for x := uint64(0); x < n; x = x*7/5 + 1 {
		set.Add(x)
	}
	count := set.Count()
	sp := numbers{n: n}
	return sp, set, &layers.Meta{
		Space: sp.Definition(), Store: layers.SetStore, Size: n, States: count, Layer: "all",
		Layers: []statespace.Layer{{Layer: 1, States: count - 1}, {Layer: 0, States: 1}},
	}
}

// sizeOf is how large a file of a set of n numbers is.
func sizeOf(n uint64) uint64 {
	store, err := layers.FindStore(layers.SetStore)
	if err != nil {
		panic(err)
	}
	return store.FileSize(numbers{n: n})
}

func write(t testing.TB, path string, n uint64) (*bitset.Set, *layers.Meta) {
	t.Helper()
	sp, set, meta := example(n)
	w, err := layers.Create(path, sizeOf(n), false)
	if err != nil {
		t.Fatal(err)
	}
	size, err := w.Finish(t.Context(), sp, set, meta, layers.WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() != size {
		t.Fatalf("Finish says %d bytes; %v, %v", size, info, err)
	}
	if size > int64(sizeOf(n)) {
		t.Errorf("%d bytes, FileSize says %d", size, sizeOf(n))
	}
	return set, meta
}

func TestRoundTrip(t *testing.T) {
	for _, n := range []uint64{1, 63, 64, 1 << 15, 1<<20 + 3} {
		path := filepath.Join(t.TempDir(), "a.reach")
		set, meta := write(t, path, n)
		f, err := layers.Open(t.Context(), path, define, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Meta(); fmt.Sprint(got) != fmt.Sprint(meta) {
			t.Errorf("n=%d: meta is %v, want %v", n, got, meta)
		}
		for x := range n {
			if got, err := f.Has(x); err != nil || got != set.Has(x) {
				t.Fatalf("n=%d: Has(%d) = %t, %v", n, x, got, err)
			}
		}
		for _, x := range []uint64{n, n + 1, 1<<64 - 1} {
			if got, err := f.Has(x); err != nil || got {
				t.Errorf("n=%d: Has(%d) = %t, %v", n, x, got, err)
			}
		}
		if err := f.Check(t.Context(), 3, nil); err != nil {
			t.Error(err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		noDebris(t, path)
	}
}

// noDebris checks that the directory of a file holds nothing else.
func noDebris(t testing.TB, path string) {
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

// read does with a file all that a reader can: it opens it, asks for every block
// and checks it.
func read(path string) error {
	f, err := layers.Open(context.Background(), path, define, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	for x := uint64(0); x < f.Meta().Size; x += max(1<<12, f.Meta().Size>>12) {
		if _, err := f.Has(x); err != nil {
			return errors.Join(err, f.Check(context.Background(), 1, nil))
		}
	}
	if err := readStore(f); err != nil {
		return errors.Join(err, f.Check(context.Background(), 1, nil))
	}
	return f.Check(context.Background(), 2, nil)
}

// Every single byte of a file matters.
func TestFlippedBytes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.reach")
	write(t, path, 1<<18)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := read(path); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(good); i += long.Or(1, 61) {
		bad := bytes.Clone(good)
		bad[i] ^= 1 << (i % 8)
		if err := os.WriteFile(path, bad, 0o644); err != nil {
			t.Fatal(err)
		}
		err := read(path)
		var wrong *layers.FileError
		if !errors.As(err, &wrong) {
			t.Fatalf("byte %d flipped: %v", i, err)
		}
		if i >= 12 && !errors.Is(err, layers.ErrDamaged) {
			t.Fatalf("byte %d flipped: %v", i, err)
		}
	}
}

func TestOtherLengths(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.reach")
	write(t, path, 1<<17)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n < len(good)+9000; n += 97 {
		if n == len(good) {
			continue
		}
		other := make([]byte, n)
		copy(other, good)
		if err := os.WriteFile(path, other, 0o644); err != nil {
			t.Fatal(err)
		}
		var wrong *layers.FileError
		if err := read(path); !errors.As(err, &wrong) {
			t.Fatalf("%d of %d bytes: %v", n, len(good), err)
		}
	}
}

func TestRefused(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.reach")
	write(t, path, 1<<16)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	newer := bytes.Clone(good)
	newer[8] = 2
	layers.MendHeader(newer)
	unfinished := bytes.Clone(good)
	clear(unfinished[:4096])
	for _, tt := range []struct {
		name string
		data []byte
		err  error
		text string
	}{
		{"empty", nil, layers.ErrNotReach, "it is empty"},
		{"text", []byte("not a file of states at all"), layers.ErrNotReach, `begins with "not a fi"`},
		{"short text", []byte("x"), layers.ErrNotReach, `begins with "x"`},
		{"newer", newer, layers.ErrVersion, "version 2 of the format, this program reads version 1"},
		{"unfinished", unfinished, layers.ErrUnfinished, "header has not been written"},
		{"header only", good[:4096], layers.ErrDamaged, fmt.Sprintf("should have %d bytes, and has 4096", len(good))},
		{"half a header", good[:2000], layers.ErrDamaged, "cut short"},
	} {
		path := filepath.Join(dir, "b.reach")
		if err := os.WriteFile(path, tt.data, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := layers.Open(t.Context(), path, define, 0); !errors.Is(err, tt.err) || !strings.Contains(err.Error(), tt.text) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v; want %q", tt.name, err, tt.text)
		}
	}
	if _, err := layers.Open(t.Context(), filepath.Join(dir, "none"), define, 0); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if _, err := layers.Open(t.Context(), dir, define, 0); err == nil {
		t.Error("a directory was opened")
	}
}

func TestWriter(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.reach")
	old, _ := write(t, path, 1<<16)
	if _, err := layers.Create(path, 64, false); !errors.Is(err, layers.ErrExists) {
		t.Errorf("a file in the way: %v", err)
	}
	noDebris(t, path)

	w, err := layers.Create(path, sizeOf(1<<17), true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := layers.Create(path, sizeOf(1<<17), true); !errors.Is(err, layers.ErrBusy) {
		t.Errorf("a second writer: %v", err)
	}
	if _, err := layers.Open(t.Context(), path+layers.PartialSuffix, define, 0); !errors.Is(err, layers.ErrUnfinished) {
		t.Errorf("the unfinished file: %v", err)
	}
	w.Abort()
	w.Abort()
	noDebris(t, path)
	if f, err := layers.Open(t.Context(), path, define, 0); err != nil || f.Members().(interface{ Count() uint64 }).Count() != old.Count() {
		t.Errorf("after Abort the old file is not as it was: %v", err)
	} else {
		f.Close()
	}

	// What a killed writer has left is taken over.
	if err := os.WriteFile(path+layers.PartialSuffix, make([]byte, 1<<20), 0o644); err != nil {
		t.Fatal(err)
	}
	if w, err = layers.Create(path, sizeOf(1<<17), true); err != nil {
		t.Fatal(err)
	}
	sp, set, meta := example(1 << 17)
	if _, err := w.Finish(t.Context(), sp, set, meta, layers.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	noDebris(t, path)
	if err := read(path); err != nil {
		t.Error(err)
	}

	// A file that has come meanwhile is not replaced.
	late := filepath.Join(t.TempDir(), "late.reach")
	if w, err = layers.Create(late, sizeOf(1<<17), false); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(late, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Finish(t.Context(), sp, set, meta, layers.WriteOptions{}); !errors.Is(err, layers.ErrExists) {
		t.Errorf("a file that has come meanwhile: %v", err)
	}
	if data, _ := os.ReadFile(late); string(data) != "mine" {
		t.Errorf("it is now %q", data)
	}
	noDebris(t, late)

	// One that is stopped while it writes leaves nothing.
	stopped := filepath.Join(t.TempDir(), "stopped.reach")
	if w, err = layers.Create(stopped, sizeOf(1<<17), false); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Finish(ctx, sp, set, meta, layers.WriteOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	noDebris(t, stopped)
	if _, err := os.Stat(stopped); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a stopped writer has made a file: %v", err)
	}

	for _, wrong := range []layers.Meta{
		{Store: layers.SetStore, Size: meta.Size, States: meta.States + 1, Layers: meta.Layers},
		{Store: layers.SetStore, Size: meta.Size - 1, States: meta.States, Layers: meta.Layers},
		{Store: layers.SetStore, Size: meta.Size, States: 7, Layers: []statespace.Layer{{States: 1 << 63}, {States: 1 << 63}, {States: 7}}},
		{Store: "papyrus", Size: meta.Size, States: meta.States, Layers: meta.Layers},
	} {
		if w, err = layers.Create(stopped, sizeOf(1<<17), false); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Finish(t.Context(), sp, set, &wrong, layers.WriteOptions{}); err == nil {
			t.Errorf("a description that contradicts itself was written: %+v", wrong)
		}
		noDebris(t, stopped)
	}
	if _, err := layers.Create(filepath.Join(dir, "no", "such", "dir"), 64, false); err == nil {
		t.Error("a file was made in no directory")
	}
}

// A run that is killed between giving a file its name and taking the partial name
// away leaves two names of one file. The next run must not write into it.
func TestPartialIsTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.reach")
	write(t, path, 1<<16)
	if err := os.Link(path, path+layers.PartialSuffix); err != nil {
		t.Skipf("no links here: %v", err)
	}
	w, err := layers.Create(path, sizeOf(1<<17), true)
	if err != nil {
		t.Fatal(err)
	}
	w.Abort()
	if err := read(path); err != nil {
		t.Error(err)
	}
	noDebris(t, path)

	// What no run has left is not touched.
	precious := path + layers.PartialSuffix
	if err := os.WriteFile(precious, []byte("precious"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := layers.Create(path, sizeOf(1<<17), true); err == nil || !strings.Contains(err.Error(), "in the way") {
		t.Errorf("a file of that name that no run has left: %v", err)
	}
	if data, err := os.ReadFile(precious); err != nil || string(data) != "precious" {
		t.Errorf("it is now %q, %v", data, err)
	}
	os.Remove(precious)
	if err := os.Symlink(path, precious); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	if _, err := layers.Create(path, sizeOf(1<<17), true); err == nil || !strings.Contains(err.Error(), "in the way") {
		t.Errorf("a link of that name: %v", err)
	}
	os.Remove(precious)
	if err := read(path); err != nil {
		t.Error(err)
	}
}

// A link is followed; what is no file is refused; the mode of a file is kept.
func TestCreateOver(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.reach")
	write(t, path, 1<<16)
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(path, link); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	w, err := layers.Create(link, sizeOf(1<<17), true)
	if err != nil {
		t.Fatal(err)
	}
	sp, set, meta := example(1 << 17)
	if _, err := w.Finish(t.Context(), sp, set, meta, layers.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := read(path); err != nil {
		t.Error(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Size() < 1<<14 || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("the file that the link leads to: %v, %v", info, err)
	}
	noDebris(t, path)
	noDebris(t, link)
	if _, err := layers.Create(dir, 64, true); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("over a directory: %v", err)
	}
	noDebris(t, path)
}

// A file that is cut short while it is open makes errors, whether the block was
// looked at before or not.
func TestCutWhileOpen(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a mapped file cannot be cut short here")
	}
	path := filepath.Join(t.TempDir(), "a.reach")
	write(t, path, 1<<22)
	f, err := layers.Open(t.Context(), path, define, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Has(1); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	for _, x := range []uint64{1, 1 << 21} {
		if _, err := f.Has(x); err == nil {
			t.Errorf("Has(%d) of a lost file: no error", x)
		}
	}
	if err := f.Check(t.Context(), 2, nil); err == nil {
		t.Error("Check of a lost file: no error")
	}
}

// The same set makes the same bytes.
func TestDeterministic(t *testing.T) {
	a, b := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	write(t, a, 1<<17)
	write(t, b, 1<<17)
	x, _ := os.ReadFile(a)
	if y, _ := os.ReadFile(b); !bytes.Equal(x, y) {
		t.Error("two files of the same set differ")
	}
}

func FuzzOpen(f *testing.F) {
	dir := f.TempDir()
	write(f, filepath.Join(dir, "seed"), 100)
	seed, err := os.ReadFile(filepath.Join(dir, "seed"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(seed)
	f.Add(seed[:4096])
	for _, sp := range []reached{small(f), slides(f, "slide/n2x2"), explore(f, ring{N: 90, Steps: []uint64{7, 30}})} {
		for _, store := range sp.stores() {
			path := filepath.Join(dir, store.Name)
			writeStore(f, path, store.Name, sp)
			data, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	path := filepath.Join(dir, "folded")
	writeStore(f, path, layers.FoldedStore, reach(f, "oooo\no.oo\noooo\noooo"))
	folded, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(folded)
	f.Add([]byte("PAGODA\x1a\n"))
	f.Add(make([]byte, 4096))
	path = filepath.Join(dir, "fuzz")
	f.Fuzz(func(t *testing.T, data []byte) {
		// With right checksums the fuzzer gets behind them.
		layers.MendAll(data)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		read(path)
	})
}

func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "example.reach")

	sp, set, meta := example(1000)
	w, err := layers.Create(path, sizeOf(set.Len()), false)
	if err != nil {
		panic(err)
	}
	if _, err := w.Finish(context.Background(), sp, set, meta, layers.WriteOptions{}); err != nil {
		panic(err)
	}

	f, err := layers.Open(context.Background(), path, define, 0)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	has, err := f.Has(2)
	fmt.Println(f.Meta().Space.Name, f.Meta().States, has, err)
	// Output: test/example 19 true <nil>
}
