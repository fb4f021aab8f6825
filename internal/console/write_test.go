package console

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// A file is replaced only by a whole one, and nothing else is left behind.
func TestWriteFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.svg")
	write := func(ctx context.Context, text string, fail error) error {
		return WriteFile(ctx, path, func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return errors.Join(err, fail)
		})
	}
	want := func(text string) {
		t.Helper()
		if data, err := os.ReadFile(path); err != nil || string(data) != text {
			t.Errorf("the file is %q, %v; want %q", data, err, text)
		}
		if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
			t.Errorf("beside the file there are %v, %v", entries, err)
		}
	}
	if err := write(t.Context(), "one", nil); err != nil {
		t.Error(err)
	}
	want("one")
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	fail := errors.New("it fails")
	if err := write(t.Context(), "half of tw", fail); !errors.Is(err, fail) {
		t.Errorf("the error is %v", err)
	}
	want("one")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(ErrInterrupted)
	if err := write(ctx, "two", nil); !errors.Is(err, ErrInterrupted) {
		t.Errorf("the error is %v", err)
	}
	want("one")
	if err := write(t.Context(), "two", nil); err != nil {
		t.Error(err)
	}
	want("two")
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 { // it has no such permissions
		t.Errorf("the permissions are now %v", info.Mode())
	}
}
