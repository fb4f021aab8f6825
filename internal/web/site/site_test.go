package main

import (
	"encoding/json"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The whole site: every file that a page names is there, and the same tree gives the same site.
func TestBuild(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles the engine")
	}
	t.Chdir("../../..")
	one, two := filepath.Join(t.TempDir(), "site"), filepath.Join(t.TempDir(), "site")
	const address = "https://example.org/a&b/"
	for _, out := range []string{one, two} {
		if err := build(t.Context(), out, address); err != nil {
			t.Fatal(err)
		}
	}
	if err := replaceable(one); err != nil {
		t.Errorf("a site cannot be replaced: %v", err)
	}
	attribute := regexp.MustCompile(`(?:href|src)="([^"?]*)[^"]*"`)
	pages := 0
	err := filepath.WalkDir(one, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, _ := filepath.Rel(one, path)
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if other, err := os.ReadFile(filepath.Join(two, name)); err != nil || string(other) != string(data) {
			t.Errorf("%s differs the second time: %v", name, err)
		}
		if filepath.Ext(name) != ".html" {
			return nil
		}
		pages++
		if !strings.Contains(string(data), `http-equiv="Content-Security-Policy"`) {
			t.Errorf("%s has no policy", name)
		}
		for _, m := range attribute.FindAllStringSubmatch(string(data), -1) {
			if strings.HasPrefix(m[1], "#") || strings.Contains(m[1], ":") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), filepath.FromSlash(m[1]))); err != nil {
				t.Errorf("%s names %q: %v", name, m[1], err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for page, picture := range map[string]string{"index.html": "preview.png", "puzzles/slide-klotski.html": "puzzles/slide-klotski.png"} {
		text, err := os.ReadFile(filepath.Join(one, page))
		if err != nil || !strings.Contains(string(text), `property="og:image" content="https://example.org/a&amp;b/`+picture+`"`) {
			t.Errorf("%s does not name its picture for links: %v", page, err)
		}
		if _, err := os.Stat(filepath.Join(one, picture)); err != nil {
			t.Error(err)
		}
	}
	var all []puzzle
	data, err := os.ReadFile(filepath.Join(one, "collection.json"))
	if err == nil {
		err = json.Unmarshal(data, &all)
	}
	if err != nil || len(all) < 100 || pages != len(all)+3 { // the page itself, the list, the levels
		t.Errorf("there are %d pages of %d puzzles, %v", pages, len(all), err)
	}
	for _, p := range all {
		if want := map[string]int64{"peg/5x7": 1045173439, "peg/english": 187636299, "slide/klotski": 25955}[p.Name]; want > 0 &&
			(p.Numbers["states"] == nil || p.Numbers["states"].Int64() != want || !p.Playable) {
			t.Errorf("%s: %v states, playable %v; want %d", p.Name, p.Numbers["states"], p.Playable, want)
		}
		if fits, known := map[string]bool{"slide/n2x4": true, "slide/n3x3": true, "slide/n3x4": true, "slide/baltic-sea": true}[p.Name]; known && p.Playable != fits {
			t.Errorf("%s: playable is %v", p.Name, p.Playable)
		}
	}
}

// A folder with something else is left alone.
func TestInTheWay(t *testing.T) {
	t.Chdir("../../..")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "mine.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := build(t.Context(), dir, ""); err == nil || !strings.Contains(err.Error(), "no site: name another folder") {
		t.Errorf("in place of something else: %v", err)
	}
	for _, address := range []string{"example.org", "https://example.org", "ftp://example.org/", "https:///x/", ":"} {
		if err := build(t.Context(), filepath.Join(dir, "site"), address); err == nil || !strings.Contains(err.Error(), "expected an address that ends with a slash") {
			t.Errorf("-url %s: %v", address, err)
		}
	}
	t.Chdir(dir)
	if err := build(t.Context(), "site", ""); err == nil || !strings.Contains(err.Error(), "run this in the root of the tree") {
		t.Errorf("elsewhere: %v", err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("it has left %v, %v", entries, err)
	}
}

func TestCommas(t *testing.T) {
	for text, want := range map[string]string{"0": "0", "1932": "1932", "25955": "25,955", "123456": "123,456", "-1234567": "-1,234,567", "40861647040079968": "40,861,647,040,079,968"} {
		n, _ := new(big.Int).SetString(text, 10)
		if got := commas(n); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}
