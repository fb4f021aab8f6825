package journal_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pagoda/internal/failpoint"
	"pagoda/internal/journal"
)

// read opens a journal and returns it with its records.
func read(t testing.TB, path string) (j *journal.Journal, records []string, err error) {
	t.Helper()
	j, err = journal.Open(path, func(r json.RawMessage) error {
		records = append(records, string(r))
		return nil
	})
	return j, records, err
}

// written makes a journal with some records.
func written(t testing.TB, records ...any) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "journal")
	j, _, err := read(t, path)
	for _, r := range records {
		if err == nil {
			err = j.Append(r)
		}
	}
	if err == nil {
		err = j.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Wherever a journal is cut off, the whole lines are read, and it goes on behind them.
func TestTorn(t *testing.T) {
	path := written(t, "one", map[string]int{"two": 2}, []int{3})
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{`"one"`, `{"two":2}`, `[3]`}
	for n := range len(whole) + 1 {
		for _, tail := range []string{"", "\x00\x00\x00"} {
			if n == 0 && tail != "" {
				continue
			}
			if err := os.WriteFile(path, []byte(string(whole[:n])+tail), 0o666); err != nil {
				t.Fatal(err)
			}
			lines := bytes.Count(whole[:n], []byte("\n"))
			j, records, err := read(t, path)
			if lines == 0 && tail != "" && n < 11 {
				if !errors.Is(err, journal.ErrDamaged) {
					t.Errorf("%d bytes and zeros: %v, want ErrDamaged", n, err)
				}
				continue
			}
			if err != nil || !slices.Equal(records, want[:lines]) {
				t.Fatalf("%d bytes: %v, %v, want %v", n, records, err, want[:lines])
			}
			if err := errors.Join(j.Append("more"), j.Close()); err != nil {
				t.Fatal(err)
			}
			j, records, err = read(t, path)
			if err != nil || !slices.Equal(records, append(slices.Clone(want[:lines]), `"more"`)) {
				t.Fatalf("%d bytes and a record: %v, %v", n, records, err)
			}
			j.Close()
		}
	}
}

// A change of any byte but those of the last line is found. That of the last line takes away this
// record.
func TestDamaged(t *testing.T) {
	path := written(t, "one", "two", "three")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	last := bytes.LastIndexByte(whole[:len(whole)-1], '\n')
	for i := range whole {
		if i == last { // the end of a line makes one of two, which is then the last
			continue
		}
		text := slices.Clone(whole)
		text[i] ^= 1
		var records []string
		_, err := journal.Read(bytes.NewReader(text), func(r json.RawMessage) error {
			records = append(records, string(r))
			return nil
		})
		if i <= last && !errors.Is(err, journal.ErrDamaged) || i > last && (err != nil || len(records) != 2) {
			t.Errorf("byte %d is another: %v, %v", i, records, err)
		}
	}
	for _, text := range []string{"\n", "hello", "hello\nworld\n", "[1]\n"} {
		if _, err := journal.Read(strings.NewReader(text), func(json.RawMessage) error { return nil }); !errors.Is(err, journal.ErrDamaged) {
			t.Errorf("%q: %v, want ErrDamaged", text, err)
		}
	}
}

// A file that is no journal stays as it is.
func TestRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes")
	if err := os.WriteFile(path, []byte("my notes"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := read(t, path); !errors.Is(err, journal.ErrDamaged) || !strings.Contains(err.Error(), path) {
		t.Errorf("%v, want ErrDamaged", err)
	}
	if text, _ := os.ReadFile(path); string(text) != "my notes" {
		t.Errorf("the file has %q now", text)
	}
	if _, _, err := read(t, t.TempDir()); err == nil {
		t.Error("a directory was opened")
	}
	mine := errors.New("mine")
	path = written(t, 1)
	if _, err := journal.Open(path, func(json.RawMessage) error { return mine }); !errors.Is(err, mine) {
		t.Errorf("%v, want the error of the function", err)
	}
}

// Whichever operation fails, what was appended before is there.
func TestFaults(t *testing.T) {
	for fail := 1; ; fail++ {
		path := filepath.Join(t.TempDir(), "journal")
		n, failed, kept := 0, false, 0
		restore := failpoint.Inject(func(op, at string) error {
			if n++; n == fail {
				failed = true
				return fmt.Errorf("%s of %s is to fail", op, at)
			}
			return nil
		})
		j, _, err := read(t, path)
		if err == nil {
			for i := range 3 {
				if err = j.Append(i); err != nil {
					break
				}
				kept++
			}
			if err != nil && j.Append("after") == nil {
				t.Errorf("operation %d: a record was appended after an error", fail)
			}
			if closed := j.Close(); err == nil {
				err = closed
			}
		}
		restore()
		if failed != (err != nil) {
			t.Errorf("operation %d failed: %v, and the error is %v", fail, failed, err)
		}
		j, records, err := read(t, path)
		if err != nil || len(records) < kept {
			t.Errorf("operation %d: %v, %v; want %d records", fail, records, err, kept)
		} else {
			j.Close()
		}
		if !failed {
			return
		}
	}
}

func FuzzRead(f *testing.F) {
	path := written(f, "one", map[string]int{"two": 2})
	whole, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:20])
	f.Add([]byte("\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		n := 0
		whole, err := journal.Read(bytes.NewReader(text), func(r json.RawMessage) error {
			if n++; !json.Valid(r) {
				t.Errorf("a record is %q", r)
			}
			return nil
		})
		if whole < 0 || whole > int64(len(text)) || bytes.Count(text[:whole], []byte("\n")) != n {
			t.Fatalf("%d records in %d of %d bytes, %v", n, whole, len(text), err)
		}
		again := 0
		if _, err := journal.Read(bytes.NewReader(text[:whole]), func(json.RawMessage) error { again++; return nil }); err != nil || again != n {
			t.Fatalf("the whole lines have %d records, %v; want %d", again, err, n)
		}
	})
}
