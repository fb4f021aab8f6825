package main

import (
	"os"
	"testing"

	"pagoda/puzzle/slide/library"
)

// docs/studies/library.md is what the texts and the facts say.
func TestPage(t *testing.T) {
	want, err := page(library.Computed())
	if err != nil {
		t.Fatal(err)
	}
	found, err := os.ReadFile("../../../" + pageFile)
	if err != nil || string(found) != want {
		t.Errorf("docs/studies/library.md is not up to date: run go generate ./puzzle/slide/library (%v)", err)
	}
}

func TestNamed(t *testing.T) {
	if names, err := named([]string{"dads", "slide/klotski"}, nil); err != nil || len(names) != 2 || names[0] != "slide/dads" || names[1] != "slide/klotski" {
		t.Errorf("%v, %v", names, err)
	}
	if names, err := named([]string{"dad"}, nil); err == nil {
		t.Errorf("dad is %v", names)
	}
	if names, err := named(nil, func(name string) bool { return name == "slide/mas" }); err != nil || len(names) != 1 {
		t.Errorf("%v, %v", names, err)
	}
}
