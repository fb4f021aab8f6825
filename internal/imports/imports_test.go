// Package imports holds the packages to a picture: which package may use which.
package imports

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// allowed lists, for each package, the packages of this module that it may import outside tests;
// "." is the module's root.
var allowed = map[string][]string{
	// Data structures and the machine. Only mapped touches memory maps.
	"bitset":                     {},
	"sorted":                     {},
	"trie":                       {"bitset", "internal/mapped", "internal/progress"},
	"internal/mapped":            {},
	"internal/failpoint":         {},
	"internal/exactjson":         {},
	"internal/prefetch":          {},
	"internal/progress":          {},
	"internal/printable":         {},
	"internal/suggest":           {},
	"internal/amount":            {},
	"internal/formula":           {},
	"internal/dealing":           {},
	"internal/disk":              {"internal/failpoint", "internal/mapped"},
	"internal/journal":           {"internal/disk"},
	"render/internal/rendertest": {"render"},
	"render/internal/typeface":   {},

	// Spaces and the engines. They know no files.
	"statespace":                   {"bitset", "internal/mapped"},
	"statespace/bfs":               {"bitset", "internal/mapped", "statespace"},
	"statespace/sweep":             {"bitset", "internal/disk", "internal/mapped", "statespace", "statespace/bfs"},
	"statespace/paths":             {"bitset", "internal/mapped", "statespace", "statespace/sweep"},
	"statespace/cells":             {"bitset", "internal/mapped", "statespace"},
	"statespace/sparse":            {"internal/amount", "internal/disk", "internal/failpoint", "internal/mapped", "sorted", "statespace", "statespace/bfs", "statespace/cells"},
	"statespace/trees":             {"internal/progress"},
	"statespace/chance":            {"internal/disk", "internal/failpoint", "internal/mapped", "internal/suggest", "sorted", "statespace", "statespace/sparse"},
	"statespace/chance/chancetest": {"sorted", "statespace/chance"},
	"statespace/graph":             {"statespace"},
	"statespace/graph/layout":      {},
	"statespace/spacetest":         {"bitset", "statespace", "statespace/bfs", "statespace/cells", "statespace/paths", "statespace/sparse", "statespace/sweep"},
	"statespace/internal/toys":     {"bitset", "statespace", "statespace/bfs", "statespace/cells", "statespace/paths", "statespace/sweep"},

	// Files, jobs, questions and pictures, of any space.
	"layers": {"bitset", "internal/disk", "internal/failpoint", "internal/mapped", "internal/prefetch", "sorted", "statespace", "statespace/bfs", "statespace/chance", "statespace/sparse",
		"statespace/sweep", "trie"},
	"run": {"bitset", "internal/disk", "internal/failpoint", "internal/mapped", "internal/suggest", "layers", "sorted", "statespace", "statespace/bfs", "statespace/chance", "statespace/sparse",
		"statespace/sweep"},
	"export": {"internal/exactjson"},
	"ask": {"bitset", "export", "internal/amount", "internal/exactjson", "internal/formula", "internal/mapped", "internal/printable", "internal/suggest", "layers", "run", "statespace", "statespace/bfs", "statespace/cells", "statespace/chance", "statespace/graph",
		"statespace/paths", "statespace/sparse", "statespace/sweep"},
	"render":         {"render/internal/typeface", "statespace"},
	"render/network": {"render"},
	"render/outline": {"render", "statespace/cells"},
	"render/grid":    {"render", "statespace", "statespace/cells"},

	// Programs. They get their families from the mains and from the module's root.
	"family":           {"ask", "internal/printable", "internal/suggest", "layers", "render", "render/grid", "run", "statespace", "statespace/cells", "statespace/sparse"},
	"internal/cli":     {"internal/exactjson", "internal/mapped", "internal/progress", "internal/printable", "internal/suggest"},
	"internal/web":     {"ask", "family", "internal/cli", "internal/command", "internal/printable", "internal/web/api", "run"},
	"internal/web/api": {"ask", "family", "internal/exactjson", "internal/mapped", "internal/printable", "render", "run", "statespace/cells"},
	"internal/command": {"ask", "export", "family", "internal/cli", "internal/dealing", "internal/exactjson", "internal/mapped", "internal/printable", "internal/progress", "internal/suggest", "layers", "render", "render/network", "run", "statespace",
		"statespace/cells", "statespace/chance", "statespace/graph", "statespace/graph/layout"},
	".":                        {"ask", "family", "family/builtin", "internal/cli", "internal/command", "internal/web", "layers", "run", "statespace", "statespace/cells"},
	"internal/web/site":        {"ask", "family", "family/builtin", "font", "internal/web/api", "render", "run", "statespace", "statespace/chance"},
	"internal/web/site/engine": {"ask", "family", "family/builtin", "internal/web/api", "run"},
	"cmd/reach":                {"family/builtin", "internal/cli", "internal/command"},
	"cmd/query":                {"family/builtin", "internal/cli", "internal/command", "internal/web"},
	"examples/lightsout":       {".", "statespace/cells"},
	"bench":                    {"internal/mapped", "statespace/slide/find", "statespace/slide/tray"},

	// The family peg. Only its Space opens the packages of the engine. The package that proves a
	// set knows nothing of the engine that made it.
	"statespace/peg": {"bitset", "internal/amount", "internal/mapped", "statespace", "statespace/cells", "statespace/paths", "statespace/peg/board",
		"statespace/peg/engine", "statespace/peg/internal/gf2", "statespace/peg/layout",
		"statespace/peg/verify", "statespace/sweep", "trie"},
	"statespace/peg/board":  {"internal/amount", "statespace", "statespace/cells", "statespace/peg/internal/gf2"},
	"statespace/peg/layout": {"statespace/peg/board", "statespace/peg/internal/gf2"},
	"statespace/peg/engine": {"internal/mapped", "internal/prefetch", "statespace", "statespace/peg/board", "statespace/peg/internal/gf2",
		"statespace/peg/layout", "statespace/sweep"},
	"statespace/peg/verify":                         {"bitset", "statespace", "statespace/peg/board", "statespace/peg/internal/gf2", "statespace/sweep"},
	"statespace/peg/internal/gf2":                   {},
	"statespace/peg/internal/pegtest":               {"bitset", "internal/mapped", "statespace/peg", "statespace/peg/board", "statespace/sweep"},
	"statespace/peg/weighted/best":                  {"internal/mapped", "statespace/peg/board", "statespace/peg/weighted"},
	"statespace/peg/weighted/best/study":            {"statespace/peg", "statespace/peg/board", "statespace/peg/weighted", "statespace/peg/weighted/best"},
	"statespace/peg/weighted":                       {"internal/amount", "statespace", "statespace/peg/board"},
	"statespace/peg/weighted/internal/weightedtest": {"statespace/peg/board", "statespace/peg/internal/pegtest", "statespace/peg/weighted"},
	"render/pegs":                                   {"render", "statespace", "statespace/peg", "statespace/peg/board", "statespace/peg/weighted"},
	"statespace/peg/packages":                       {"internal/progress", "statespace", "statespace/peg", "statespace/peg/board", "statespace/peg/internal/gf2"},
	"statespace/peg/purges":                         {"internal/mapped", "internal/progress", "statespace", "statespace/cells", "statespace/peg/board", "statespace/peg/internal/gf2"},
	"family/pegsolitaire": {"ask", "bitset", "family", "font", "internal/cli", "internal/command", "internal/mapped", "internal/suggest", "layers", "render", "render/network", "render/pegs", "run",
		"statespace", "statespace/cells", "statespace/graph", "statespace/graph/layout", "statespace/peg", "statespace/peg/board", "statespace/peg/packages", "statespace/peg/purges", "statespace/peg/weighted", "statespace/peg/weighted/best", "statespace/sparse"},
	"font":        {},
	"font/design": {"bitset", "font", "statespace/cells", "statespace/peg", "statespace/sweep"},

	// The family slide.
	"statespace/slide": {"bitset", "internal/amount", "internal/mapped", "internal/progress", "sorted", "statespace", "statespace/bfs", "statespace/cells", "statespace/slide/npuzzle",
		"statespace/slide/packing", "statespace/slide/replay", "statespace/slide/tray", "statespace/sparse", "statespace/trees"},
	"statespace/slide/contest":            {"internal/amount", "statespace", "statespace/slide/tray"},
	"statespace/slide/design":             {"statespace/slide", "statespace/slide/contest", "statespace/slide/find", "statespace/slide/tray"},
	"statespace/slide/tray":               {"internal/amount", "statespace", "statespace/cells"},
	"statespace/slide/find":               {"internal/mapped", "statespace/slide/tray"},
	"statespace/slide/formats":            {"internal/amount", "statespace", "statespace/slide/tray"},
	"statespace/slide/library":            {"statespace", "statespace/slide/tray"},
	"statespace/slide/library/measure":    {"statespace/slide", "statespace/slide/library", "statespace/slide/tray"},
	"statespace/slide/library/fill":       {"statespace/slide/library", "statespace/slide/library/measure", "statespace/slide/tray"},
	"statespace/slide/npuzzle":            {"internal/amount", "internal/mapped", "statespace", "statespace/bfs", "statespace/slide/tray"},
	"statespace/slide/packing":            {"internal/mapped", "statespace", "statespace/bfs", "statespace/slide/tray"},
	"statespace/slide/replay":             {"statespace/slide/tray"},
	"statespace/slide/rushhour":           {"statespace/slide/formats", "statespace/slide/tray"},
	"statespace/slide/rushhour/census":    {"internal/progress", "statespace", "statespace/slide/rushhour"},
	"statespace/slide/rushhour/deck":      {"internal/dealing", "internal/progress", "statespace/slide", "statespace/slide/replay", "statespace/slide/rushhour", "statespace/slide/tray"},
	"statespace/slide/internal/slidetest": {"statespace/slide/contest", "statespace/slide/library", "statespace/slide/tray"},
	"render/blocks":                       {"render", "render/outline", "statespace", "statespace/slide/replay", "statespace/slide/tray"},
	"family/slidingblocks": {"ask", "family", "internal/cli", "internal/command", "internal/journal", "internal/printable", "internal/progress", "internal/suggest", "layers", "render", "render/blocks", "run", "statespace", "statespace/bfs", "statespace/cells", "statespace/slide", "statespace/slide/contest", "statespace/slide/design", "statespace/slide/find",
		"statespace/slide/formats", "statespace/slide/library", "statespace/slide/replay", "statespace/slide/rushhour", "statespace/slide/rushhour/census", "statespace/slide/rushhour/deck", "statespace/slide/tray", "statespace/trees", "statespace/sparse"},

	"family/slidingblocks/hardest": {"render", "render/blocks", "statespace/slide/tray"},

	// The family lunar.
	"statespace/lunar":       {"internal/amount", "internal/mapped", "statespace", "statespace/bfs", "statespace/cells", "statespace/lunar/board", "statespace/lunar/solver"},
	"statespace/lunar/board": {"statespace", "statespace/cells"},
	"statespace/lunar/deck": {"internal/dealing", "internal/progress", "statespace", "statespace/bfs", "statespace/lunar", "statespace/lunar/board", "statespace/lunar/replay",
		"statespace/lunar/solver"},
	"statespace/lunar/internal/lunartest": {"statespace/cells", "statespace/lunar/board", "statespace/lunar/replay", "statespace/lunar/solver"},
	"statespace/lunar/problem":            {"internal/suggest", "statespace", "statespace/cells", "statespace/lunar/board"},
	"statespace/lunar/replay":             {"statespace/cells", "statespace/lunar/board"},
	"statespace/lunar/solver":             {"statespace", "statespace/lunar/board"},
	"render/lunar":                        {"internal/amount", "internal/suggest", "render", "render/outline", "statespace", "statespace/lunar/board", "statespace/lunar/problem"},

	"family/lunarlockout": {"ask", "family", "internal/cli", "internal/command", "internal/exactjson", "internal/suggest", "render", "render/lunar", "run", "statespace", "statespace/lunar",
		"statespace/lunar/board", "statespace/lunar/deck", "statespace/lunar/problem", "statespace/lunar/replay", "statespace/lunar/solver", "statespace/sparse"},

	"family/lunarlockout/hardest": {"internal/amount", "render", "render/lunar", "statespace/bfs", "statespace/lunar", "statespace/lunar/board"},

	// The family tiles.
	"statespace/tiles":          {},
	"render/tiles":              {"internal/amount", "render", "statespace/tiles"},
	"family/numbertiles/advice": {"statespace/chance", "statespace/tiles", "statespace/tiles/player"},
	"family/numbertiles/play":   {"family/numbertiles/advice", "internal/amount", "internal/cli", "internal/command", "internal/suggest", "statespace/chance", "statespace/tiles", "statespace/tiles/player"},
	"statespace/tiles/threes":   {"statespace", "statespace/chance", "statespace/tiles"},
	"statespace/tiles/twenty48": {"statespace", "statespace/chance", "statespace/tiles"},
	"statespace/tiles/player":   {"internal/mapped", "statespace/chance", "statespace/tiles", "statespace/tiles/threes", "statespace/tiles/twenty48"},

	"family/numbertiles/regret": {"statespace/chance", "statespace/tiles", "statespace/tiles/player"},

	"family/numbertiles": {"ask", "family", "family/numbertiles/advice", "family/numbertiles/play", "family/numbertiles/regret", "internal/cli", "internal/command", "internal/progress", "internal/suggest", "render", "render/tiles", "run", "statespace", "statespace/chance", "statespace/tiles",
		"statespace/tiles/player", "statespace/tiles/threes", "statespace/tiles/twenty48"},

	"family/builtin": {"family", "family/lunarlockout", "family/numbertiles", "family/pegsolitaire", "family/slidingblocks"},
}

// only lists libraries that one package alone may import.
var only = map[string]string{
	"github.com/edsrzf/mmap-go":                      "internal/mapped",
	"golang.org/x/sys/unix":                          "internal/mapped",
	"github.com/KimMachineGun/automemlimit/memlimit": "internal/mapped",
	"github.com/shirou/gopsutil/v4/mem":              "internal/mapped",
	"github.com/RoaringBitmap/roaring/v2":            "layers",
}

// A family has its packages, which may name it, and a way in which the others would name it: by
// a path of its packages, or by its own name.
type family struct {
	packages []string // with all below them
	named    *regexp.Regexp
}

var families = map[string]family{
	"peg": {[]string{"statespace/peg", "render/pegs", "family/pegsolitaire"},
		regexp.MustCompile(`statespace/peg|render/pegs|pegsolitaire|^pegs?$|\bpeg/`)},
	"slide": {[]string{"statespace/slide", "render/blocks", "family/slidingblocks"},
		regexp.MustCompile(`statespace/slide|render/blocks|slidingblocks|^slide$|\bslide/|\b[Ss]liding`)},
	"tiles": {[]string{"statespace/tiles", "render/tiles", "family/numbertiles"},
		regexp.MustCompile(`statespace/tiles|render/tiles|numbertiles|twenty48|^[Tt]hrees$|\bthrees/|\b2048/`)},
	"lunar": {[]string{"statespace/lunar", "render/lunar", "family/lunarlockout"},
		regexp.MustCompile(`statespace/lunar|render/lunar|lunarlockout|^lunar$|\blunar/|\b[Ll]unar\b`)},
}

// exceptions are the other packages that name a family, each with its reason.
var exceptions = map[string]string{
	"family/builtin": "the list of the families that come with the module",
	"font":           "its letters are positions of peg/5x7",
	"font/design":    "it looks for letters among the positions of peg/5x7",
	"bench":          "it measures the boards and puzzles that the documents report",
}

// files calls do with every Go file of this module outside tests, and its package.
func files(t *testing.T, do func(pkg, name string, f *ast.File)) {
	t.Helper()
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && file != root {
			if _, err := os.Stat(filepath.Join(file, "go.mod")); err == nil {
				return filepath.SkipDir // a module of its own
			}
			if strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" {
				return filepath.SkipDir
			}
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		name, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		do(path.Dir(name), name, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// own returns the package of this module that an import path names.
func own(name string) (pkg string, ok bool) {
	if name == "pagoda" {
		return ".", true
	}
	return strings.CutPrefix(name, "pagoda/")
}

func TestImports(t *testing.T) {
	seen := make(map[string]bool)
	files(t, func(pkg, name string, f *ast.File) {
		may, known := allowed[pkg]
		if !known && !seen[pkg] {
			t.Errorf("package %s is not in the picture: add it, with the packages that it may import", pkg)
		}
		seen[pkg] = true
		for _, spec := range f.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if other, ok := own(imported); ok && known && !slices.Contains(may, other) {
				t.Errorf("%s imports %s, which is not in the picture", name, other)
			}
			if owner, ok := only[imported]; ok && owner != pkg {
				t.Errorf("%s imports %s, which is for %s", name, imported, owner)
			}
		}
	})
	for pkg := range allowed {
		if !seen[pkg] {
			t.Errorf("package %s is in the picture only: there are no files", pkg)
		}
	}
	for pkg := range exceptions {
		if !seen[pkg] {
			t.Errorf("package %s is an exception, and there are no files", pkg)
		}
	}
}

// belongs reports whether a package is one of a family.
func (f family) belongs(pkg string) bool {
	return slices.ContainsFunc(f.packages, func(p string) bool { return pkg == p || strings.HasPrefix(pkg, p+"/") })
}

// Only the packages of a family name it, in imports or in any other text that the program has.
// Comments may take it as an example.
func TestFamilies(t *testing.T) {
	found := make(map[string]bool)
	files(t, func(pkg, name string, f *ast.File) {
		for _, text := range texts(t, f) {
			for family, is := range families {
				if is.belongs(pkg) || !is.named.MatchString(text) {
					continue
				}
				if found[pkg] = true; exceptions[pkg] == "" {
					t.Errorf("%s names the family %s: %q", name, family, text)
				}
			}
		}
	})
	// The test would see a name: it finds those of the packages that have a reason.
	if !found["family/builtin"] || !found["font/design"] {
		t.Errorf("it has found names of families in %v only", found)
	}
}

// texts returns the string literals of a file, with the paths of its imports.
func texts(t *testing.T, f *ast.File) (all []string) {
	t.Helper()
	ast.Inspect(f, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			text, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, text)
		}
		return true
	})
	return all
}

// The packages of a family import none of another, and nothing generic imports a family but the
// exceptions. This follows from the picture, which a later change may get wrong.
func TestPicture(t *testing.T) {
	for pkg, imports := range allowed {
		for name, f := range families {
			if f.belongs(pkg) || exceptions[pkg] != "" {
				continue
			}
			for _, other := range imports {
				if f.belongs(other) {
					t.Errorf("the picture lets %s import %s, of the family %s", pkg, other, name)
				}
			}
		}
		if slices.Contains(imports, "family/builtin") && !slices.Contains([]string{".", "cmd/reach", "cmd/query", "internal/web/site", "internal/web/site/engine"}, pkg) {
			t.Errorf("the picture lets %s import family/builtin: only the root and the programs choose families", pkg)
		}
	}
}
