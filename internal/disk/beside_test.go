package disk

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Whoever writes beside a name removes what killed processes have left of it, and nothing else.
func TestCreateBeside(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.csv")
	for _, name := range []string{"a.csv.12-0.partial", "a.csv.99999-7.partial", "b.csv.12-0.partial", "a.csv.mine.partial", "a.csv.partial"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("half"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	names := func() (all []string) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			all = append(all, e.Name())
		}
		return all
	}
	first, firstLock, err := CreateBeside(path)
	if err != nil {
		t.Fatal(err)
	}
	second, secondLock, err := CreateBeside(path) // both are being written
	if err != nil {
		t.Fatal(err)
	}
	want := []string{filepath.Base(first.Name()), filepath.Base(second.Name()), "a.csv.mine.partial", "a.csv.partial", "b.csv.12-0.partial"}
	slices.Sort(want)
	if got := names(); !slices.Equal(got, want) {
		t.Errorf("there are %s, want %s", got, want)
	}
	if err := os.Rename(second.Name(), path); err != nil {
		t.Fatal(err)
	}
	second.Close()
	secondLock.Close()
	first.Close()
	firstLock.Close() // as if its process was killed
	third, thirdLock, err := CreateBeside(path)
	if err != nil {
		t.Fatal(err)
	}
	third.Close()
	thirdLock.Close()
	if got := names(); !slices.Contains(got, "a.csv") || len(got) != 5 {
		t.Errorf("at the end there are %s", got)
	}
	if _, _, err := CreateBeside(filepath.Join(dir, "none", "a.csv")); err == nil || !strings.Contains(err.Error(), "there is no directory") {
		t.Errorf("without a directory: %v", err)
	}
}
