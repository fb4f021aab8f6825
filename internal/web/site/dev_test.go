package main

import (
	"os"
	"path/filepath"
	"testing"

	"pagoda/puzzle/builtin"
)

// Development only: pages with engines of an earlier build (PAGODA_DEV names the folder to write, PAGODA_ENGINES that of the engines).
func TestDev(t *testing.T) {
	out := os.Getenv("PAGODA_DEV")
	if out == "" {
		t.Skip()
	}
	t.Chdir("../../..")
	from := os.Getenv("PAGODA_ENGINES")
	os.RemoveAll(out)
	os.MkdirAll(out, 0o755)
	s := &site{dir: out, families: builtin.Families()}
	var engines [][2]string
	for _, f := range s.families.All() {
		files, _ := filepath.Glob(filepath.Join(from, "engine-"+f.Name+"-*.bin"))
		if len(files) == 0 {
			continue
		}
		if err := os.Link(files[0], filepath.Join(out, filepath.Base(files[0]))); err != nil {
			t.Fatal(err)
		}
		engines = append(engines, [2]string{f.Name, filepath.Base(files[0])})
	}
	if err := s.pages(t.Context(), engines); err != nil {
		t.Fatal(err)
	}
}
