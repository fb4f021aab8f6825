package main

import (
	"os"
	"testing"
)

// docs/reference/commands.md is the help of the commands.
func TestPage(t *testing.T) {
	found, err := os.ReadFile("../../../" + pageFile)
	if err != nil || string(found) != page() {
		t.Errorf("%s is not up to date: run go run ./docs/make/commands (%v)", pageFile, err)
	}
}
