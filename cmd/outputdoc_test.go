package cmd

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestOutputFields looks in docs/reference/output.md for each field of the JSON that commands
// print, as the types of the commands name it.
func TestOutputFields(t *testing.T) {
	text, err := os.ReadFile("../docs/reference/output.md")
	if err != nil {
		t.Fatal(err)
	}
	field := regexp.MustCompile("`json:\"([a-z0-9_]+)[,\"]")
	found := 0
	for _, from := range []string{
		"../ask", "../cli", "../internal/console", "../puzzle/peg/explain.go", "../puzzle/slide/explain.go",
		"../puzzle/slide/npuzzle/plan.go", "../puzzle/tiles/player", "../run/predict.go", "../studies/regret",
	} {
		err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			if filepath.Base(path) == "findkeep.go" { // the lines of a checkpoint
				return nil
			}
			source, err := os.ReadFile(path)
			for _, m := range field.FindAllStringSubmatch(string(source), -1) {
				found++
				if m[1] == "format" { // of a file
					continue
				}
				if !strings.Contains(string(text), "`"+m[1]+"`") {
					t.Errorf("%s: output.md does not have the field %s", path, m[1])
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if found == 0 {
		t.Error("no fields were found")
	}
}
