package main

import (
	"path/filepath"
	"slices"
	"testing"

	"pagoda"
	"pagoda/statespace/spacetest"
)

// The laws that every space must keep.
func TestLaws(t *testing.T) {
	for n := range 5 {
		s, err := New(n + 1)
		if err != nil {
			t.Fatal(err)
		}
		spacetest.Test(t, s, 100)
	}
}

// M. Anderson and T. Feil, Turning Lights Out with Linear Algebra, 1998: a quarter of the
// pictures of 5 by 5 lights can be made. No picture takes more than 15 presses.
func TestFives(t *testing.T) {
	s, err := New(5)
	if err != nil {
		t.Fatal(err)
	}
	r, err := pagoda.Run(t.Context(), s, pagoda.Options{Output: filepath.Join(t.TempDir(), "fives.reach")})
	if err != nil {
		t.Fatal(err)
	}
	if r.States != 1<<23 || len(r.Layers) != 16 {
		t.Errorf("%d pictures in %d layers, want 2^23 in 16", r.States, len(r.Layers))
	}
}

func TestRefused(t *testing.T) {
	s, err := New(2)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", "*.", "*./*x", "*./*?", "*./*./*."} {
		if x, err := s.Parse(text); err == nil {
			t.Errorf("%q is number %d", text, x)
		}
	}
	if bad := []int{0, -1, 7}; slices.ContainsFunc(bad, func(n int) bool { _, err := New(n); return err == nil }) {
		t.Errorf("squares of %v rows are made", bad)
	}
}
