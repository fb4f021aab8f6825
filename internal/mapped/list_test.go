package mapped_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"pagoda/internal/mapped"
)

// What a loop body throws goes to the Guard around the loop, also through Guards on the way, which
// would else go on with the iteration or give the body an error of its own.
func TestListThrows(t *testing.T) {
	wrong := errors.New("wrong")
	list := mapped.List(func(yield func(int) bool) error {
		return mapped.Guard(func() error { // as in a set that is read
			for i := range 3 {
				if !yield(i) {
					return nil
				}
			}
			return wrong
		})
	})
	outer := mapped.List(func(yield func(int) bool) error {
		for i, err := range list {
			if err != nil || !yield(i) {
				return err
			}
		}
		return nil
	})
	for name, all := range map[string]func(yield func(int, error) bool){"one": list, "two": outer} {
		var got []int
		var last error
		for i, err := range all {
			got, last = append(got, i), err
		}
		if want := []int{0, 1, 2, 0}; !slices.Equal(got, want) || last != wrong {
			t.Errorf("%s: %v, %v; want %v and the error", name, got, last, want)
		}
		thrown, calls := errors.New("thrown"), 0
		err := mapped.Guard(func() error {
			for range all {
				calls++
				mapped.Throw(thrown)
			}
			return nil
		})
		if err != thrown || calls != 1 {
			t.Errorf("%s: %d calls of a body that throws: %v", name, calls, err)
		}
		for range all {
			calls++
			break
		}
		if calls != 2 {
			t.Errorf("%s: a body that breaks was called %d times", name, calls-1)
		}
		func() {
			defer func() {
				if r := recover(); r != "a fault of the program" {
					t.Errorf("%s: a panic of the body became %v", name, r)
				}
			}()
			for range all {
				panic("a fault of the program")
			}
		}()
	}
}

// An index beyond its range is the error of a file that others write to, and a panic otherwise.
func TestGuardChanged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, []byte{3, 1, 2, 3}, 0o644); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	m, err := mapped.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	follow := func(beyond byte) (panicked any, err error) {
		defer func() { panicked = recover() }()
		return nil, mapped.Guard(func() error { _ = m.Bytes()[m.Bytes()[0]+beyond]; return nil })
	}
	if panicked, err := follow(0); err != nil || panicked != nil {
		t.Errorf("a place in the file: %v, %v", err, panicked)
	}
	if panicked, err := follow(1); panicked == nil {
		t.Errorf("a place beyond a file that is intact: %v", err)
	}
	other, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err1 := other.WriteAt([]byte{200}, 0)
	if err := errors.Join(err1, other.Close(), os.Chtimes(path, time.Time{}, time.Unix(1, 0))); err != nil { // clocks of file systems are coarse
		t.Fatal(err)
	}
	if panicked, err := follow(0); !errors.Is(err, mapped.ErrChanged) {
		t.Errorf("a place beyond a file that was changed: %v, %v", err, panicked)
	}
}
