package library_test

import (
	"errors"
	"testing"

	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/slide/slidetest"
	"pagoda/statespace"
)

func TestNames(t *testing.T) {
	for _, name := range library.Names() {
		p, err := library.Lookup(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if p.Title == "" || p.Author == "" || p.Source == "" || p.Goals() == 0 {
			t.Errorf("%s: title %q, author %q, source %q, %d goals", name, p.Title, p.Author, p.Source, p.Goals())
		}
		slidetest.CheckFormat(t, p)
	}
}

func TestLookup(t *testing.T) {
	for _, name := range []string{"slide/n1x4", "slide/n8x8", "slide/n99x99"} {
		if _, err := library.Lookup(name); err == nil || errors.Is(err, statespace.ErrUnknown) {
			t.Errorf("%s: %v, expected an error of the size", name, err)
		}
	}
	for _, name := range []string{"slide/n03x3", "klotski", "slide/doc.go", "slide/../slide", "slide/", ""} {
		if _, err := library.Lookup(name); !errors.Is(err, statespace.ErrUnknown) {
			t.Errorf("%q: %v, expected ErrUnknown", name, err)
		}
	}
}
