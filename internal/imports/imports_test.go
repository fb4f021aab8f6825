// Package imports holds the packages to a picture: which package may use which.
package imports

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pagoda/puzzle/builtin"
)

// A floor is some packages, and the floors whose packages theirs may import outside tests. A package is
// on the floor whose name fits it best: its own path, or a path that it begins with and /... behind it.
// "." is the module's root. Packages of a floor that ends in /... may import each other.
type floor struct {
	name string
	may  []string
}

// floors are the picture, from the ground up. A new puzzle is on a floor that is there: puzzle/... and,
// if it has commands, cli/...
var floors = []floor{
	// Tools and sets. Only mapped touches memory maps.
	{"internal/...", nil},
	{"bitset", tools},
	{"sorted", tools},
	{"trie/...", []string{"internal/...", "bitset"}},

	// Spaces and the engines. They know no files.
	{"statespace/...", []string{"internal/...", "bitset", "sorted"}},

	// Files, jobs, questions, tables and pictures, of any space.
	{"layers/...", engines},
	{"run/...", slices.Concat(engines, []string{"layers/..."})},
	{"export/...", tools},
	{"ask", slices.Concat(engines, []string{"export/...", "layers/...", "run/..."})},
	{"render/...", []string{"internal/...", "statespace/..."}},

	// What a puzzle is, the puzzles, and questions about them.
	{"puzzle", anySpace},
	{"puzzle/...", slices.Concat(anySpace, []string{"puzzle"})},
	{"studies/...", slices.Concat(anySpace, []string{"puzzle", "puzzle/..."})},
	{".", slices.Concat(anySpace, []string{"puzzle", "puzzle/..."})},

	// Commands and the page. Of the packages of the page, commands know the server alone.
	{"internal/console", tools},
	{"web/...", slices.Concat(anySpace, []string{"puzzle", "puzzle/..."})},
	{"web", slices.Concat(anySpace, []string{"puzzle", "web/..."})},
	{"cli", slices.Concat(anySpace, []string{"puzzle", "internal/console"})},
	{"cli/...", slices.Concat(anySpace, []string{"puzzle", "puzzle/...", "studies/...", "internal/console", "web", "cli"})},
	{"cmd/...", []string{"internal/console", "cli/..."}},
	{"examples/...", []string{".", "statespace/...", "cli/..."}},

	// What makes the documents.
	{"bench", slices.Concat(anySpace, []string{"puzzle/...", "studies/..."})},
	{"docs/make/commands", []string{"cli/..."}},
	{"docs/make/...", slices.Concat(anySpace, []string{"puzzle/...", "studies/..."})},
}

var (
	tools    = []string{"internal/..."}
	engines  = []string{"internal/...", "bitset", "sorted", "trie/...", "statespace/..."}
	anySpace = slices.Concat(engines, []string{"layers/...", "run/...", "export/...", "ask", "render/..."})
)

// apart lists packages that must not know others, whatever their floors allow: what proves or replays
// shares nothing with what it checks.
var apart = map[string]*regexp.Regexp{
	"puzzle/peg/verify":   regexp.MustCompile(`^puzzle/peg(/engine|/layout)?$`),
	"puzzle/slide/replay": regexp.MustCompile(`^puzzle/slide/(?:packing|npuzzle)$|^puzzle/slide$|^statespace/bfs$`),
	"puzzle/lunar/replay": regexp.MustCompile(`^puzzle/lunar(/solver)?$|^statespace/bfs$`),
}

// only lists packages that one package alone may import.
var only = map[string]string{
	"github.com/edsrzf/mmap-go":                      "internal/mapped",
	"golang.org/x/sys/unix":                          "internal/mapped",
	"github.com/KimMachineGun/automemlimit/memlimit": "internal/mapped",
	"github.com/shirou/gopsutil/v4/mem":              "internal/mapped",
	"github.com/RoaringBitmap/roaring/v2":            "layers",
	"pagoda/web":                                     "cli/serve",
}

// A family has its packages, which may name it, and a way in which the others would name it: by
// a path of its packages, or by its own name. It has its scripts of the page, by their base names, and
// a way in which other scripts would name it.
type family struct {
	packages []string // with all below them
	named    *regexp.Regexp
	scripts  []string
	spoken   *regexp.Regexp
}

var families = map[string]family{
	"peg": {[]string{"puzzle/peg", "cli/peg", "studies/weighted", "studies/packages", "studies/purges"},
		regexp.MustCompile(`puzzle/peg|cli/peg|studies/(weighted|packages|purges)|^pegs?$|\bpeg/`),
		[]string{"play", "word", "draw"}, regexp.MustCompile(`(?i)\bpegs?\b`)},
	"slide": {[]string{"puzzle/slide", "cli/slide", "studies/hardest", "studies/design", "studies/rushhour", "studies/huarong"},
		regexp.MustCompile(`puzzle/slide|cli/slide|studies/(hardest|design|rushhour|huarong)|^slide$|\bslide/|\b[Ss]liding`),
		[]string{"slide", "editor", "drawing", "tray", "steps", "templates"}, regexp.MustCompile(`(?i)rush ?hour|klotski|\bsliding\b|'slide'`)},
	"tiles": {[]string{"puzzle/tiles", "cli/tiles", "studies/regret"},
		regexp.MustCompile(`puzzle/tiles|cli/tiles|studies/regret|twenty48|^[Tt]hrees$|\bthrees/|\b2048/`),
		[]string{"numbers"}, regexp.MustCompile(`(?i)2048|threes|number tiles|'numbers'`)},
	"lunar": {[]string{"puzzle/lunar", "cli/lunar", "studies/lunardeck"},
		regexp.MustCompile(`puzzle/lunar|cli/lunar|studies/lunardeck|^lunar$|\blunar/|\b[Ll]unar\b`),
		[]string{"lunar", "field"}, regexp.MustCompile(`(?i)lunar`)},
	"twist": {[]string{"puzzle/twist"}, regexp.MustCompile(`puzzle/twist|^twist$|\btwist/`), nil, regexp.MustCompile(`(?i)\btwist\b`)},
}

// exceptions are the other packages that name a family, each with its reason.
var exceptions = map[string]string{
	"puzzle/builtin": "the list of the puzzles that come with the module",
	"cli/builtin":    "the list of their commands",
	"web/site":       "it has the letters of peg/5x7, and chooses levels and what the first page shows",
	"bench":          "it measures the boards and puzzles that the documents report",
	"docs/make":      "its programs make documents about puzzles",
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

// floorOf returns the floor of a package, or "".
func floorOf(pkg string) (name string) {
	for _, f := range floors {
		folder, below := strings.CutSuffix(f.name, "/...")
		if (pkg == folder || below && strings.HasPrefix(pkg, folder+"/")) && len(f.name) > len(name) || pkg == f.name {
			name = f.name
			if pkg == f.name {
				break
			}
		}
	}
	return name
}

func TestImports(t *testing.T) {
	inhabited := make(map[string]bool)
	files(t, func(pkg, name string, f *ast.File) {
		at := floorOf(pkg)
		inhabited[at] = true
		i := slices.IndexFunc(floors, func(f floor) bool { return f.name == at })
		if i < 0 {
			t.Errorf("package %s is on no floor: add one, with the floors that it may import", pkg)
			return
		}
		for _, spec := range f.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if other, ok := own(imported); ok {
				on := floorOf(other)
				if !slices.Contains(floors[i].may, on) && !(on == at && strings.HasSuffix(at, "/...")) {
					t.Errorf("%s imports %s: packages of %s may not import those of %s", name, other, at, on)
				}
				if puzzleOf(pkg) != "" && puzzleOf(other) != "" && puzzleOf(pkg) != puzzleOf(other) {
					t.Errorf("%s imports %s, which is of another puzzle", name, other)
				}
				if is := apart[pkg]; is != nil && is.MatchString(other) {
					t.Errorf("%s imports %s, which it checks", name, other)
				}
			}
			if owner, ok := only[imported]; ok && owner != pkg {
				t.Errorf("%s imports %s, which is for %s", name, imported, owner)
			}
		}
	})
	for _, f := range floors {
		if !inhabited[f.name] {
			t.Errorf("the floor %s has no packages", f.name)
		}
	}
}

// puzzleOf returns the folder of a puzzle that a package is of, or "".
func puzzleOf(pkg string) string {
	rest, ok := strings.CutPrefix(pkg, "puzzle/")
	if folder, _, _ := strings.Cut(rest, "/"); ok && folder != "builtin" {
		return folder
	}
	return ""
}

// The library stands alone: nothing that the root needs is for commands or for servers.
func TestLibrary(t *testing.T) {
	imports := make(map[string][]string)
	files(t, func(pkg, name string, f *ast.File) {
		for _, spec := range f.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			imports[pkg] = append(imports[pkg], imported)
		}
	})
	seen := map[string]bool{".": true}
	for left := []string{"."}; len(left) > 0; {
		pkg := left[0]
		left = left[1:]
		for _, imported := range imports[pkg] {
			if other, ok := own(imported); ok && !seen[other] {
				seen[other] = true
				left = append(left, other)
			}
			if imported == "net/http" || strings.HasPrefix(imported, "github.com/spf13/") {
				t.Errorf("the library needs %s, which imports %s", pkg, imported)
			}
		}
	}
	if !seen["run"] || !seen["ask"] {
		t.Error("the library has no run and no ask: the test does not see its imports")
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
				if found[pkg] = true; !excepted(pkg) {
					t.Errorf("%s names the family %s: %q", name, family, text)
				}
			}
		}
	})
	// The test would see a name: it finds those of the packages that have a reason.
	if !found["puzzle/builtin"] || !found["docs/make/hardest"] {
		t.Errorf("it has found names of families in %v only", found)
	}
}

// Every puzzle that the programs have, or that a folder of puzzle registers, has a row in families. The row finds the
// name of the family, as any space of it begins with that.
func TestFamilyRows(t *testing.T) {
	for _, f := range builtin.Families().All() {
		if !slices.ContainsFunc(slices.Collect(maps.Values(families)), func(row family) bool { return row.named.MatchString(f.Name + "/") }) {
			t.Errorf("no row of families finds the family %s", f.Name)
		}
	}
	registered := make(map[string]bool)
	files(t, func(pkg, name string, f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok || !strings.HasPrefix(pkg, "puzzle/") {
				return true
			}
			if of, ok := lit.Type.(*ast.SelectorExpr); ok && of.Sel.Name == "Family" {
				registered[puzzleOf(pkg)] = true
				if !slices.ContainsFunc(slices.Collect(maps.Values(families)), func(row family) bool { return row.belongs(pkg) }) {
					t.Errorf("%s registers a family: add a row to families, with its packages", name)
				}
			}
			return true
		})
	})
	if len(registered) < 4 {
		t.Errorf("it has found families in %v only", registered)
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

// speaking are the other scripts that name or import one of a family, each with its reason.
var speaking = map[string]string{
	"web/static/zh.js":           "the table of all texts of the page",
	"web/static/board.js":        "it draws boards of pegs, and has what all boards need",
	"web/static/print.js":        "a poster is a word, whose rows are those of the page",
	"web/site/static/compute.js": "it compares the time of peg/5x7 with that of the paper",
}

// Only the scripts of a family name it, or import one of them by its name. Comments may.
func TestScripts(t *testing.T) {
	comment := regexp.MustCompile(`(?m)(^|[ ;{,])// .*$`)
	imported := regexp.MustCompile(`(?:from |import\()'(\.[^']*)\.js'`)
	ofView := regexp.MustCompile(`^web/(static/view|site/static/(levels|make))/`)
	found, own := make(map[string]bool), 0
	for _, folder := range []string{"web/static", "web/site/static"} {
		err := filepath.WalkDir(filepath.Join("..", "..", filepath.FromSlash(folder)), func(file string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(file, ".js") {
				return err
			}
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			name, err := filepath.Rel(filepath.Join("..", ".."), file)
			if err != nil {
				return err
			}
			name = filepath.ToSlash(name)
			base := strings.TrimSuffix(path.Base(name), ".js")
			code := comment.ReplaceAllString(string(data), "$1")
			for family, of := range families {
				if slices.Contains(of.scripts, base) && (ofView.MatchString(name) || path.Dir(name) == "web/static") {
					own++
					continue
				}
				what := of.spoken.FindString(code)
				for _, m := range imported.FindAllStringSubmatch(code, -1) {
					if slices.Contains(of.scripts, path.Base(m[1])) {
						what = m[0]
					}
				}
				if what == "" {
					continue
				}
				if found[name] = true; speaking[name] == "" {
					t.Errorf("%s names the family %s: %q", name, family, what)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for name := range speaking {
		if !found[name] {
			t.Errorf("%s names no family: it needs no exception", name)
		}
	}
	if own < 20 {
		t.Errorf("there are %d scripts of families only: the test does not see them", own)
	}
}

// excepted reports whether a package, or a folder above it, may name families.
func excepted(pkg string) bool {
	for ; pkg != "."; pkg = path.Dir(pkg) {
		if exceptions[pkg] != "" {
			return true
		}
	}
	return false
}
