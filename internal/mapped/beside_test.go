package mapped_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"pagoda/internal/mapped"
)

// beside writes files of some sizes and maps them one after another. It returns their contents.
func beside(t *testing.T, sizes ...uint64) (m *mapped.File, paths []string, data []byte) {
	t.Helper()
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(1, uint64(len(sizes))))
	var list []*os.File
	for i, size := range sizes {
		path := filepath.Join(dir, fmt.Sprint(i))
		own := make([]byte, size)
		for k := range own {
			own[k] = byte(rng.Uint32())
		}
		if err := os.WriteFile(path, own, 0o644); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		list, paths, data = append(list, f), append(paths, path), append(data, own...)
	}
	m, err := mapped.OpenBeside(list)
	if err != nil {
		t.Fatal(err)
	}
	return m, paths, data
}

func TestOpenBeside(t *testing.T) {
	for _, larger := range []uint64{1, 4, 16} {
		page := larger * uint64(os.Getpagesize())
		mapped.UsePages(t, page)
		const large = 1 << 20
		for _, c := range []struct {
			sizes []uint64
			read  uint64 // besides parts of pages
		}{
			{[]uint64{4096, large, 2 * large, 1000}, 1000},
			{[]uint64{4096, large, 3 * large, 100, 5000}, 100 + 5000},
			{[]uint64{4096, large + 1000, 5000}, 1000 + 5000},
			{[]uint64{large, large, large}, 0},
			{[]uint64{8, 1, 2, 3, 4096, 8192}, 8 + 1 + 2 + 3 + 4096 + 8192},
			{[]uint64{4096}, 0},
		} {
			m, _, data := beside(t, c.sizes...)
			if !bytes.Equal(m.Bytes(), data) {
				t.Errorf("pages of %d bytes, files of %d: other contents", page, c.sizes)
			}
			if n := uint64(len(data)) &^ 7; !bytes.Equal(mapped.Bytes(m.Words(0, n)), data[:n]) {
				t.Errorf("pages of %d bytes, files of %d: other words", page, c.sizes)
			}
			most := c.read + page
			if runtime.GOOS == "windows" {
				most = uint64(len(data))
			}
			if n := mapped.BytesRead(c.sizes); n > most {
				t.Errorf("pages of %d bytes, files of %d: %d bytes are read, want at most %d", page, c.sizes, n, most)
			}
			if err := errors.Join(m.Intact(), m.Close()); err != nil {
				t.Error(err)
			}
		}
	}
}

// Each file is looked at: what is wrong with one names it.
func TestBesideIntact(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a mapped file cannot be cut short here")
	}
	const large = 1 << 20
	for i, at := range []int{0, 4096, 4096 + large, 4096 + 2*large} {
		m, paths, data := beside(t, 4096, large, large, 5000)
		if err := os.Truncate(paths[i], 0); err != nil {
			t.Fatal(err)
		}
		err := mapped.Guard(func() error {
			if m.Bytes()[at] != data[at] {
				return errors.New("another byte")
			}
			return nil
		})
		// What was read into memory is still there.
		if (err != nil || i < 3) && (!errors.Is(err, mapped.ErrFault) || !strings.Contains(err.Error(), paths[i])) {
			t.Errorf("file %d, cut short: %v", i, err)
		}
		for _, err := range []error{m.Intact(), mapped.Intact()} {
			if !errors.Is(err, mapped.ErrFault) || !strings.Contains(err.Error(), paths[i]) {
				t.Errorf("file %d, cut short: %v", i, err)
			}
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
		if err := mapped.Intact(); err != nil {
			t.Errorf("when they are closed: %v", err)
		}
	}
	m, paths, _ := beside(t, 4096, 5000)
	defer m.Close()
	if err := os.WriteFile(paths[1], make([]byte, 5000), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := m.Intact(); !errors.Is(err, mapped.ErrChanged) || !strings.Contains(err.Error(), paths[1]) {
		t.Errorf("a file that was written to: %v", err)
	}
}

// A file that is watched is looked at, too.
func TestWatch(t *testing.T) {
	m, _, _ := beside(t, 4096, 5000)
	defer m.Close()
	path := filepath.Join(t.TempDir(), "other")
	if err := os.WriteFile(path, []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := errors.Join(m.Watch(f), m.Intact()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("other text"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := m.Intact(); !errors.Is(err, mapped.ErrChanged) || !strings.Contains(err.Error(), path) {
		t.Errorf("a file that was written to: %v", err)
	}
}
