package mapped_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"pagoda/internal/mapped"
)

func TestAlloc(t *testing.T) {
	for _, n := range []uint64{1, 7, 1 << 17, 1<<19 + 3, 1<<22 + 5} { // the last one is got in the background
		m, err := mapped.Alloc(t.Context(), n, 3)
		if err != nil {
			t.Fatal(err)
		}
		words := m.Words()
		if uint64(len(words)) != n {
			t.Errorf("%d words, want %d", len(words), n)
		}
		for i := range words {
			if words[i] != 0 {
				t.Fatalf("word %d of %d is not zero", i, n)
			}
			words[i] = uint64(i)
		}
		for i, w := range words {
			if w != uint64(i) {
				t.Fatalf("word %d of %d is %d", i, n, w)
			}
		}
		for range 2 { // the second time nothing is left to free
			if err := m.Free(); err != nil {
				t.Error(err)
			}
		}
	}
	for _, n := range []uint64{0, 1 << 58, 1<<64 - 1} {
		if m, err := mapped.Alloc(t.Context(), n, 1); err == nil {
			t.Errorf("got %d words", n)
			m.Free()
		}
	}
}

func TestAllocInterrupted(t *testing.T) {
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	if _, err := mapped.Alloc(ctx, 1<<20, 2); !errors.Is(err, stop) {
		t.Errorf("stopped: %v", err)
	}
}

func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	data := bytes.Repeat([]byte{1, 2, 3, 4, 5, 6, 7, 8}, 1<<13)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := mapped.Open(f)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if !bytes.Equal(m.Bytes(), data) || !bytes.Equal(mapped.Bytes(m.Words(8, 16)), data[8:24]) {
		t.Error("the map is not what the file holds")
	}
	last := func() error {
		if m.Bytes()[len(data)-1] != 8 {
			return errors.New("the last byte is wrong")
		}
		return nil
	}
	if err := mapped.Guard(last); err != nil {
		t.Error(err)
	}
	if runtime.GOOS != "windows" { // where a mapped file cannot be cut short
		if err := mapped.Intact(); err != nil {
			t.Errorf("before it is cut short: %v", err)
		}
		// Not a whole page: there is no fault, but zeros.
		if err := os.Truncate(path, int64(len(data)-8)); err != nil {
			t.Fatal(err)
		}
		if err := mapped.Intact(); !errors.Is(err, mapped.ErrFault) || !strings.Contains(err.Error(), path) {
			t.Errorf("a file that is cut short by some bytes: %v", err)
		}
		if err := os.Truncate(path, 0); err != nil {
			t.Fatal(err)
		}
		if err := mapped.Guard(last); !errors.Is(err, mapped.ErrFault) || !strings.Contains(err.Error(), path) {
			t.Errorf("reading a file that was cut short: %v", err)
		}
		// The file may be closed before the fault is reported.
		err := mapped.Guard(func() error {
			defer m.Close()
			return last()
		})
		if !errors.Is(err, mapped.ErrFault) || !strings.Contains(err.Error(), path) {
			t.Errorf("reading and closing a file that was cut short: %v", err)
		}
		if err := mapped.Intact(); err != nil {
			t.Errorf("when it is closed: %v", err)
		}
	}
	if _, err := mapped.Open(f); err == nil {
		t.Error("an empty file was mapped")
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	if _, err := mapped.Open(dir); err == nil {
		t.Error("a directory was mapped")
	}
}

// Guard lets other panics through.
func TestGuardOtherPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a panic was swallowed")
		}
	}()
	mapped.Guard(func() error { panic("other") })
}

func TestPreallocate(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := mapped.Preallocate(f, 1<<20); err != nil {
		t.Fatal(err)
	}
	if info, err := f.Stat(); err != nil || info.Size() != 1<<20 {
		t.Errorf("%v, %v", info, err)
	}
}

// A file that is written to in place is noticed, even if its time is set back. A file whose name
// goes to another one, or that gets other names or rights, is intact.
func TestIntact(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a mapped file cannot be replaced here")
	}
	before := time.Now().Add(-time.Hour)
	first, second := bytes.Repeat([]byte("first"), 5000), bytes.Repeat([]byte("other"), 5000)
	for _, c := range []struct {
		what   string
		change func(path string) error
		intact bool
	}{
		{"nothing", func(string) error { return nil }, true},
		{"written in place", func(path string) error { return os.WriteFile(path, second, 0o644) }, false},
		{"written in place as it was", func(path string) error { return os.WriteFile(path, first, 0o644) }, false},
		{"longer", func(path string) error { return os.WriteFile(path, append(first, 1), 0o644) }, false},
		{"one byte", func(path string) error {
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			_, err = f.WriteAt([]byte{1}, 20000)
			return errors.Join(err, f.Close())
		}, false},
		{"written in place with the time before", func(path string) error {
			return errors.Join(os.WriteFile(path, second, 0o644), os.Chtimes(path, before, before))
		}, false},
		{"another file in its place", func(path string) error {
			return errors.Join(os.WriteFile(path+"2", second, 0o644), os.Rename(path+"2", path))
		}, true},
		{"removed", os.Remove, true},
		{"another name", func(path string) error { return os.Link(path, path+"3") }, true},
		{"other rights", func(path string) error { return os.Chmod(path, 0o600) }, true},
		{"read", func(path string) error { _, err := os.ReadFile(path); return err }, true},
	} {
		path := filepath.Join(t.TempDir(), "f")
		if err := errors.Join(os.WriteFile(path, first, 0o644), os.Chtimes(path, before, before)); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		m, err := mapped.Open(f)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.change(path); err != nil {
			t.Fatal(err)
		}
		for _, err := range []error{mapped.Intact(), m.Intact()} {
			if c.intact != (err == nil) || !c.intact && (!errors.Is(err, mapped.ErrChanged) || !strings.Contains(err.Error(), path)) {
				t.Errorf("%s: %v", c.what, err)
			}
		}
		if err := errors.Join(m.Close(), f.Close()); err != nil {
			t.Error(err)
		}
	}
}

func TestLarge(t *testing.T) {
	for _, n := range []int{0, 1, 1 << 19, 1 << 21, 3<<21 + 5} {
		list := mapped.Large[uint32](n)
		if len(list) != n {
			t.Fatalf("%d numbers, want %d", len(list), n)
		}
		for i := range list {
			if list[i] != 0 {
				t.Fatalf("%d numbers: number %d is %d", n, i, list[i])
			}
			list[i] = uint32(i)
		}
	}
}
