package storage_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	. "pagoda/cluster/storage"
	"pagoda/cluster/storage/storagetest"
)

// TestPlaces: folders and buckets keep objects.
func TestPlaces(t *testing.T) {
	for _, where := range []string{filepath.Join(t.TempDir(), "a", "b"), storagetest.Bucket(t)} {
		p, err := Open(t.Context(), where)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		if _, err := p.Get(t.Context(), "level-1/2"); !errors.Is(err, ErrMissing) {
			t.Errorf("%s: an object that is not there: %v", p, err)
		}
		for _, text := range []string{"first", "second"} { // the second replaces the first
			if err := p.Put(t.Context(), "level-1/2", []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		if err := p.Put(t.Context(), "level-2/1", nil); err != nil {
			t.Fatal(err)
		}
		again, err := Open(t.Context(), p.String())
		if err != nil {
			t.Fatal(err)
		}
		data, err := again.GetSummed(t.Context(), "level-1/2", 6, Sum([]byte("second")))
		if err != nil || string(data) != "second" {
			t.Errorf("%s: %q, %v", p, data, err)
		}
		again.Close()
		for _, wrong := range []struct {
			length int64
			sum    uint32
		}{{5, Sum([]byte("second"))}, {6, 0}} {
			if _, err := p.GetSummed(t.Context(), "level-1/2", wrong.length, wrong.sum); !errors.Is(err, ErrDamaged) {
				t.Errorf("%s: length %d and sum %08x: %v", p, wrong.length, wrong.sum, err)
			}
		}
		if err := p.Remove(t.Context(), func(name string) bool { return name == "level-1/2" }); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Get(t.Context(), "level-1/2"); !errors.Is(err, ErrMissing) {
			t.Errorf("%s: an object that was removed: %v", p, err)
		}
		if _, err := p.Get(t.Context(), "level-2/1"); err != nil {
			t.Errorf("%s: another object: %v", p, err)
		}
		if err := p.Remove(t.Context(), func(string) bool { return true }); err != nil {
			t.Fatal(err)
		}
		if f := p.Folder(); f != "" {
			if _, err := os.Stat(f); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the empty folder %s is still there: %v", f, err)
			}
		}
	}
}

// TestRemoveMany: no object stays, however many there are and whatever their order is.
func TestRemoveMany(t *testing.T) {
	where := filepath.Join(t.TempDir(), "many")
	p, err := Open(t.Context(), where)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for i := range 2100 {
		for _, form := range []string{"a/%d", "a.%d"} {
			if err := p.Put(t.Context(), fmt.Sprintf(form, i), nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.Mkdir(filepath.Join(where, "b"), 0o777); err != nil { // a run was killed before it put something there
		t.Fatal(err)
	}
	if err := p.Remove(t.Context(), func(string) bool { return true }); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(where); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("something has stayed: %v", err)
	}
}

// TestOpenErrors: what is no place is an error.
func TestOpenErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, where := range []string{"ftp://host/x", "s3://%zz", file} {
		if p, err := Open(t.Context(), where); err == nil {
			t.Errorf("%s was opened as %s", where, p)
		}
	}
}
