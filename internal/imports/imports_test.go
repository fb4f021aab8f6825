// Package imports holds the packages to the picture of who may use whom.
package imports

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// allowed lists, for each package, the packages of this module that it may import
// outside tests. The engines know nothing of files; only mapped touches memory maps.
var allowed = map[string][]string{
	"bitset":               {},
	"internal/mapped":      {},
	"internal/failpoint":   {},
	"statespace":           {"bitset", "internal/mapped"},
	"statespace/peg":       {"bitset", "internal/mapped", "statespace", "trie"},
	"statespace/catalog":   {"statespace", "statespace/peg", "statespace/slide"},
	"statespace/slide":     {"bitset", "internal/mapped", "statespace"},
	"statespace/spacetest": {"bitset", "statespace"},
	"trie":                 {"bitset", "internal/mapped"},
	"font":                 {},
	"font/design":          {"bitset", "font", "statespace", "statespace/peg"},
	"render":               {"statespace", "statespace/peg", "statespace/slide"},
	"layers":               {"bitset", "internal/failpoint", "internal/mapped", "statespace", "trie"},
	"internal/cli":         {"bitset", "internal/mapped", "layers", "statespace", "statespace/catalog"},
	"internal/answer":      {"bitset", "font", "internal/cli", "layers", "render", "statespace", "statespace/peg"},
	"internal/web":         {"bitset", "font", "internal/answer", "internal/cli", "internal/mapped", "layers", "render", "statespace", "statespace/catalog", "statespace/peg"},
	"cmd/reach":            {"bitset", "internal/answer", "internal/cli", "internal/failpoint", "internal/mapped", "layers", "statespace", "statespace/catalog", "statespace/peg", "statespace/slide"},
	"cmd/query":            {"bitset", "font", "internal/answer", "internal/cli", "internal/web", "layers", "render", "statespace", "statespace/peg", "statespace/slide"},
	"bench":                {},
}

// only lists libraries that one package alone may import.
var only = map[string]string{
	"github.com/edsrzf/mmap-go":           "internal/mapped",
	"golang.org/x/sys/unix":               "internal/mapped",
	"github.com/RoaringBitmap/roaring/v2": "layers",
}

func TestImports(t *testing.T) {
	root := filepath.Join("..", "..")
	seen := make(map[string]bool)
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && file != root {
			if _, err := os.Stat(filepath.Join(file, "go.mod")); err == nil {
				return filepath.SkipDir // a module of its own
			}
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		pkg := path.Dir(filepath.ToSlash(rel))
		seen[pkg] = true
		may, known := allowed[pkg]
		if !known {
			t.Errorf("package %s is not in the picture", pkg)
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range f.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if own, ok := strings.CutPrefix(name, "pagoda/"); ok && !slices.Contains(may, own) {
				t.Errorf("%s imports %s", rel, own)
			}
			if owner, ok := only[name]; ok && owner != pkg {
				t.Errorf("%s imports %s, which is for %s", rel, name, owner)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range allowed {
		if !seen[pkg] {
			t.Errorf("package %s is in the picture only", pkg)
		}
	}
}
