package cmd

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// oldFiles are the files in testdata/format-1, one of every store as version 1 of the format
// was first written, and how each is made. They stay as they are: a change of the format
// gets a new version, and a new directory beside this one.
var oldFiles = []struct {
	name, states string
	run          string // the arguments of reach run
	convert      string // the store of reach convert, if there is such a step
}{
	{"peg-4x4-set.reach", "2,115", "peg/4x4 --store set", ""},
	{"peg-4x4-folded.reach", "2,115", "peg/4x4", ""},
	{"peg-4x4-backptr.reach", "2,115", "peg/4x4 --store backptr", ""},
	{"peg-4x4-backptr-raw.reach", "2,115", "peg/4x4 --store backptr --numbering raw", ""},
	{"peg-4x4-roaring.reach", "2,115", "peg/4x4 --store roaring", ""},
	{"peg-4x4-trie.reach", "2,115", "peg/4x4 --store trie", ""},
	{"peg-4x4-packed.reach", "2,115", "peg/4x4 --store packed", ""},
	{"peg-4x4-packed-trie.reach", "2,115", "peg/4x4 --store packed-trie", ""},
	{"peg-triangle10-folded.reach", "42", "peg/triangle10", ""},
	{"slide-dads-mod3.reach", "1,398", "slide/dads", ""},
	{"slide-dads-set.reach", "1,398", "slide/dads --store set", ""},
	{"slide-dads-trie.reach", "1,398", "slide/dads", "trie"},
	{"slide-dads-packed.reach", "1,398", "slide/dads", "packed"},
	{"slide-dads-packed-trie.reach", "1,398", "slide/dads", "packed-trie"},
	{"slide-dads-packed-mod3.reach", "1,398", "slide/dads", "packed-mod3"},
	{"slide-dads-packed-distance.reach", "1,398", "slide/dads", "packed-distance"},
	{"slide-dads-goal-mod3.reach", "1,138", "slide/dads --goal --metric steps", ""},
	{"peg-4x4-sparse.reach", "2,115", "peg/4x4 --store sparse", ""},
	{"slide-dads-sparse.reach", "1,398", "slide/dads", "sparse"},
	{"slide-n2x3-mod3.reach", "360", "slide/n2x3", ""},
}

// Files that earlier versions have written are read, proved and resumed; and what is written
// today has the same bytes. What zstd has compressed may differ between its versions.
func TestOldFiles(t *testing.T) {
	reach := func(args ...string) string {
		t.Helper()
		out, err := exec.Command(filepath.Join(bin, "reach"), args...).CombinedOutput()
		if err != nil {
			t.Fatalf("reach %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	dir := t.TempDir()
	for _, old := range oldFiles {
		data := readOld(t, old.name)
		path := filepath.Join(dir, old.name)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		if out := reach("verify", path, "--quiet"); !strings.Contains(out, " "+old.states+" states") {
			t.Errorf("%s: verify prints %q", old.name, out)
		}
		if out := reach("info", path); !strings.Contains(out, "states  "+old.states+",") || strings.Contains(out, "start   \n") {
			t.Errorf("%s: info prints %q", old.name, out)
		}
		fresh := filepath.Join(dir, "new-"+old.name)
		reach(append(strings.Fields("run "+old.run), "-o", fresh, "--quiet")...)
		if old.convert != "" {
			reach("convert", fresh, "--store", old.convert, "-o", fresh, "--force", "--quiet")
		}
		found, err := os.ReadFile(fresh)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(old.name, "packed") && !bytes.Equal(found, data) {
			t.Errorf("%s: a new file has other bytes: a change of the format takes a new version", old.name)
		}
	}
	for name, states := range map[string]string{"peg-5x5-ring.checkpoint": "1,183,924", "peg-4x4-levels.checkpoint": "2,115"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, readOld(t, name), 0o644); err != nil {
			t.Fatal(err)
		}
		if out := reach("info", path); !strings.Contains(out, "resume continues it") || !strings.Contains(out, "space   peg/") {
			t.Errorf("%s: info prints %q", name, out)
		}
		if out := reach("resume", path, "--quiet"); !strings.Contains(out, " "+states) {
			t.Errorf("%s: resume prints %q", name, out)
		}
	}
}

// readOld returns a file of testdata/format-1.
func readOld(t *testing.T, name string) []byte {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "format-1", name+".gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
