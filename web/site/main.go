// Command site builds the page as a folder of static files, which needs no server: the engines, compiled to
// WebAssembly, compute in the browser.
//
//	go run ./web/site -o site
//
// The page is that of package static; static/home.js here stands in place of the module of that name. A worker
// (static/worker.js) runs the program in engine. The names of files have a hash of their content, so that a
// browser may keep them for ever; sw.js keeps them for a visit without a network. The site works from any
// folder of any host.
package main

import (
	"bytes"
	"cmp"
	"compress/gzip" // at its best level, it makes smaller files than others
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"html"
	"io/fs"
	"log"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	file "pagoda/ask"
	"pagoda/puzzle"
	"pagoda/puzzle/builtin"
	"pagoda/puzzle/peg/font"
	"pagoda/render"
	"pagoda/render/png"
	"pagoda/run"
	"pagoda/statespace"
	web "pagoda/web/api"
	"pagoda/web/static"
)

// The places in the tree, seen from its root.
const (
	page    = "web/static"
	own     = "web/site/static"
	engines = "./web/site/engine/" // and the name of a family
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("site: ")
	out := flag.String("o", "site", "the folder to write; one that this command has written is replaced")
	address := flag.String("url", "", "the address at which the site will be, such as https://example.org/pagoda/: then links to it show pictures")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "site builds the page as a folder of static files. Run it in the root of the tree.")
		flag.PrintDefaults()
	}
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if flag.NArg() > 0 {
		log.Fatalf("expected no arguments, found %q", flag.Arg(0))
	}
	if err := build(ctx, *out, *address); err != nil {
		log.Fatal(err)
	}
}

// A site is what is being built.
type site struct {
	dir      string // in which it is made
	address  string // at which it will be; may be empty
	families *puzzle.Set
	files    []string                  // that every page may need, by their names
	large    []string                  // that only some visits need: engines, and another language
	language string                    // the script that has another language
	boards   []string                  // names of puzzles whose boards are known before the engine has come
	kept     string                    // the file that has all of them
	plays    map[string]bool           // by the name of a puzzle: it can be played in a tab, with hints
	counts   map[string]map[string]way // how moves are counted, by the name of a family and that of the way
	packs    []*pack
	places   map[string]levelPlace // of levels, by their IDs
}

// build makes the site beside its place, and puts it there when it is whole.
func build(ctx context.Context, out, address string) error {
	if at, err := url.Parse(address); address != "" && (err != nil || at.Host == "" || !strings.HasPrefix(at.Scheme, "http") || !strings.HasSuffix(at.Path, "/")) {
		return fmt.Errorf("-url is %.100q, expected an address that ends with a slash, such as https://example.org/pagoda/", address)
	}
	if _, err := os.Stat(page); err != nil {
		return fmt.Errorf("%w: run this in the root of the tree", err)
	}
	if err := replaceable(out); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(filepath.Dir(out), ".site-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil {
		return err
	}
	s := &site{dir: dir, address: address, families: builtin.Families()}
	engines, err := s.engines(ctx)
	if err != nil {
		return err
	}
	if err := s.pages(ctx, engines); err != nil {
		return err
	}
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	return os.Rename(dir, out)
}

// mark begins the service worker of a site: so a folder is known to be one.
const mark = "// The service worker"

// replaceable returns an error if there is something that is not a site.
func replaceable(out string) error {
	entries, err := os.ReadDir(out)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	if text, err := os.ReadFile(filepath.Join(out, "sw.js")); err != nil || !strings.Contains(string(text), mark) {
		return fmt.Errorf("%s is not empty, and no site: name another folder", out)
	}
	return nil
}

// pages writes everything but the engines.
func (s *site) pages(ctx context.Context, engines []engine) error {
	for _, e := range engines {
		s.large = append(s.large, e.File)
	}
	letters, err := s.letters(ctx)
	if err != nil {
		return err
	}
	puzzles, err := s.puzzles(ctx)
	if err != nil {
		return err
	}
	if err := s.deckBoard(ctx); err != nil {
		return err
	}
	hand, err := s.byHand(ctx)
	if err != nil {
		return err
	}
	levels, solutions, err := s.levelData(ctx)
	if err != nil {
		return err
	}
	if s.language, _, err = s.bundle(filepath.Join(page, "translate.js"), nil); err != nil {
		return err
	}
	s.files, s.large = slices.DeleteFunc(s.files, func(name string) bool { return name == s.language }), append(s.large, s.language)
	made := make(map[string]string) // the names of files; pages.css has what a word does not wait for
	for _, entry := range []string{own + "/worker.js", page + "/theme.js", own + "/page.js", own + "/site.css", own + "/pages.css"} {
		if made[filepath.Base(entry)], _, err = s.bundle(filepath.FromSlash(entry), nil); err != nil {
			return err
		}
	}
	if s.kept, err = s.allBoards(); err != nil {
		return err
	}
	names := map[string]any{"engines": engines, "letters": letters, "levels": levels, "solutions": solutions, "worker": made["worker.js"]}
	script, main, err := s.bundle(filepath.Join(page, "main.js"), map[string]any{"globalThis.PAGODA_FILES": names, "globalThis.PAGODA_SPACES": s.spaces(puzzles)})
	if err != nil {
		return err
	}
	icon, err := os.ReadFile(filepath.Join(page, "icon.svg"))
	if err != nil {
		return err
	}
	iconName, err := s.add("icon.svg", icon)
	if err != nil {
		return err
	}
	if err := s.index(ctx, map[string]string{"main.js": script, "theme.js": made["theme.js"], "style.css": made["site.css"], "icon.svg": iconName}, main, letters); err != nil {
		return err
	}
	header, err := header()
	if err != nil {
		return err
	}
	files := map[string]string{"Policy": policy, "Page": made["page.js"], "Style": made["pages.css"], "Icon": iconName, "Header": strings.ReplaceAll(header, `"icon.svg"`, `"./`+iconName+`"`)}
	if err := s.collection(append(puzzles, hand...), files); err != nil {
		return err
	}
	if err := s.scripted("levels", map[string]any{"globalThis.PAGODA_LEVELS": levels, "globalThis.PAGODA_SOLUTIONS": solutions, "globalThis.PAGODA_LARGE": s.large}, files); err != nil {
		return err
	}
	if err := s.scripted("daily", map[string]any{"globalThis.PAGODA_LEVELS": levels}, files); err != nil {
		return err
	}
	if err := s.scripted("classroom", map[string]any{"globalThis.PAGODA_LEVELS": levels, "globalThis.PAGODA_SOLUTIONS": solutions}, files); err != nil {
		return err
	}
	guide, err := os.ReadFile("docs/guides/teachers.md")
	if err != nil {
		return err
	}
	if err := s.write("teachers.txt", guide); err != nil {
		return err
	}
	if err := s.page("offline.html", "offline.html", map[string]any{"Base": "./", "Files": files}); err != nil {
		return err
	}
	if err := s.scripted("make", map[string]any{"globalThis.PAGODA_PAGES": s.families.Pages()}, files); err != nil {
		return err
	}
	return s.serviceWorker()
}

// scripted writes a page that has a script of its own. Files has what all pages of the site need.
func (s *site) scripted(name string, define map[string]any, files map[string]string) error {
	script, needs, err := s.bundle(filepath.Join(own, name+".js"), define)
	if err != nil {
		return err
	}
	files = maps.Clone(files)
	files["Script"] = script
	var ahead []string // what its script loads for each view
	for _, module := range slices.Sorted(maps.Keys(needs)) {
		if strings.HasPrefix(module, own+"/"+name+"/") || name == "classroom" && strings.HasPrefix(module, own+"/levels/") {
			ahead = append(ahead, needs[module][0])
		}
	}
	return s.page(name+".html", name+".html", map[string]any{"Base": "./", "Files": files, "Pages": s.families.Pages(), "Ahead": ahead})
}

// add writes a file that every page may need, under a name with a hash of its content, and returns the name.
func (s *site) add(name string, data []byte) (string, error) {
	name, err := s.hashed(name, data)
	s.files = append(s.files, name)
	return name, err
}

// hashed writes a file under a name with a hash of its content, and returns the name.
func (s *site) hashed(name string, data []byte) (string, error) {
	sum := sha256.Sum256(data)
	ext := filepath.Ext(name)
	name = strings.TrimSuffix(name, ext) + "-" + hex.EncodeToString(sum[:5]) + ext
	return name, os.WriteFile(filepath.Join(s.dir, name), data, 0o644)
}

// An engine is for a family: the name of its file, and what plays what it computes.
type engine struct {
	Family string       `json:"family"`
	File   string       `json:"file"`
	Page   *puzzle.Page `json:"page"`
}

// engines compiles an engine for each family that can be played.
func (s *site) engines(ctx context.Context) (all []engine, err error) {
	for _, f := range s.families.All() {
		if f.Page == nil {
			continue
		}
		name, err := s.engine(ctx, f)
		if err != nil {
			return nil, fmt.Errorf("the engine of %s: %w", f.Name, err)
		}
		all = append(all, engine{f.Name, name, f.Page})
	}
	return all, nil
}

// engineFlags make the engine small. Calls are inlined only where positions are searched: elsewhere that makes the
// compressed file larger by 8 %, and nothing faster that one could notice. The last two read and write puzzles.
var engineFlags = []string{"-trimpath", "-ldflags=-s -w", "-gcflags=all=-l",
	"-gcflags=pagoda/statespace/...=", "-gcflags=pagoda/puzzle/...=", "-gcflags=pagoda/bitset=", "-gcflags=pagoda/sorted=", "-gcflags=pagoda/internal/ordinals=",
	"-gcflags=pagoda/puzzle/slide/tray=-l", "-gcflags=pagoda/puzzle/slide/formats=-l"}

// engine compiles the engine for a family. Not every host compresses such files, so it comes compressed.
func (s *site) engine(ctx context.Context, f *puzzle.Family) (string, error) {
	path := filepath.Join(s.dir, "engine.wasm")
	args := slices.Concat([]string{"build", "-o", path}, engineFlags, []string{engines + f.Name})
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return "", err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	if err := os.Remove(path); err != nil {
		return "", err
	}
	small, err := compressed(data)
	if err != nil {
		return "", err
	}
	return s.hashed("engine-"+f.Name+".bin", small)
}

func compressed(data []byte) ([]byte, error) {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is valid
	if _, err := z.Write(data); err != nil {
		return nil, err
	}
	err := z.Close()
	return b.Bytes(), err
}

// An asker asks the API, by POST if there is a body, and reads the answer.
type asker func(path, query, body string, v any) error

// asked enumerates a space, and has a function ask the API about its file.
func (s *site) asked(ctx context.Context, sp statespace.Space, questions func(ask asker) error) (*run.Result, error) {
	dir, err := os.MkdirTemp("", "pagoda-site-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var o run.Options
	name, err := run.OutputName(sp, o)
	if err != nil {
		return nil, err
	}
	o.Output = filepath.Join(dir, name)
	result, err := run.Start(ctx, sp, o)
	if err != nil {
		return nil, err
	}
	f, err := file.Open(ctx, o.Output, s.families.Define, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	a, err := web.New(f, s.families, web.Options{})
	if err != nil {
		return nil, err
	}
	defer a.Close()
	return result, questions(func(path, query, body string, v any) error {
		method := "GET"
		if body != "" {
			method = "POST"
		}
		r := a.Answer(ctx, &web.Request{Method: method, Path: path, Query: query, Body: []byte(body)})
		if r.Status != 200 {
			return fmt.Errorf("%s: %s", path, r.Body)
		}
		return json.Unmarshal(r.Body, v)
	})
}

// letters writes what the page needs to play words before anything is computed.
func (s *site) letters(ctx context.Context) (string, error) {
	sp, err := s.families.Lookup(ctx, font.Space, nil, puzzle.Choice{})
	if err != nil {
		return "", err
	}
	var all struct {
		Space   json.RawMessage            `json:"space"`
		Letters map[string]json.RawMessage `json:"letters"`
	}
	all.Letters = make(map[string]json.RawMessage)
	_, err = s.asked(ctx, sp, func(ask asker) error {
		if err := ask("/api/space", "", "", &all.Space); err != nil {
			return err
		}
		for _, g := range font.Glyphs() {
			var word struct{ Letters []json.RawMessage }
			if err := ask("/api/word", "text="+url.QueryEscape(string(g.Rune)), "", &word); err != nil {
				return err
			}
			letter, err := short(word.Letters[0])
			if err != nil {
				return err
			}
			all.Letters[string(g.Rune)] = letter
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	return s.add("letters.json", statespace.Encode(all))
}

// short leaves out what the font of the board has of a letter, and writes its moves as four digits each: the row and column
// from which a peg jumps, and those to which.
func short(letter json.RawMessage) (json.RawMessage, error) {
	var all map[string]any
	var jumps struct {
		Moves []struct{ From, To [2]int }
	}
	if err := cmp.Or(json.Unmarshal(letter, &all), json.Unmarshal(letter, &jumps)); err != nil {
		return nil, err
	}
	var b strings.Builder
	for _, m := range jumps.Moves {
		fmt.Fprintf(&b, "%d%d%d%d", m.From[0], m.From[1], m.To[0], m.To[1])
	}
	all["moves"] = b.String()
	for _, known := range []string{"letter", "missing", "pattern"} {
		delete(all, known)
	}
	return statespace.Encode(all), nil
}

// The bounds of what a tab computes in seconds.
const (
	maxStates = 3 << 20
	maxBytes  = 400 << 20
)

// spaces lists the puzzles that a tab can compute in seconds, and that can be played, by family: what the puzzles are, and
// of each the name and the title.
func (s *site) spaces(all []*collected) (groups [][2]any) {
	for _, f := range s.families.All() {
		list := [][2]string{}
		for _, p := range all {
			if p.family == f && p.Playable {
				list = append(list, [2]string{p.Name, p.Title})
			}
		}
		if len(list) > 0 {
			groups = append(groups, [2]any{f.About, list})
		}
	}
	return groups
}

// bundle makes a file of a script or a style sheet and of all that it imports, and files of what it imports only when
// that is needed. It returns the name of the first, and what each module needs that is loaded for itself: its file, and
// those that this one imports.
func (s *site) bundle(entry string, define map[string]any) (name string, needs map[string][]string, err error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	instead := map[string]string{
		"home.js":      filepath.Join(own, "home.js"),
		"wasm_exec.js": filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"),
	}
	o := api.BuildOptions{
		EntryPoints: []string{entry}, Bundle: true, Splitting: true, Metafile: true,
		Outdir: s.dir, EntryNames: "[name]-[hash]", ChunkNames: "[name]-[hash]", Format: api.FormatESModule, Target: api.ES2022, LogLevel: api.LogLevelSilent,
		MinifySyntax: true, MinifyWhitespace: true, MinifyIdentifiers: true, Define: make(map[string]string),
		Plugins: []api.Plugin{{Name: "site", Setup: func(b api.PluginBuild) {
			b.OnResolve(api.OnResolveOptions{Filter: `^(\.\.?/home\.js|wasm_exec\.js)$`}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
				file, err := filepath.Abs(instead[path.Base(a.Path)])
				return api.OnResolveResult{Path: file}, err
			})
			// All scripts have the same one of another language.
			b.OnResolve(api.OnResolveOptions{Filter: `^\./translate\.js$`}, func(api.OnResolveArgs) (api.OnResolveResult, error) {
				return api.OnResolveResult{Path: "./" + s.language, External: true}, nil
			})
		}}},
	}
	for key, value := range define {
		o.Define[key] = string(statespace.Encode(value))
	}
	result := api.Build(o)
	if len(result.Errors) > 0 {
		e := result.Errors[0]
		return "", nil, fmt.Errorf("%s: %s (%+v)", entry, e.Text, e.Location)
	}
	var meta struct {
		Outputs map[string]struct {
			EntryPoint string
			Imports    []struct{ Path, Kind string }
		}
	}
	if err := json.Unmarshal([]byte(result.Metafile), &meta); err != nil {
		return "", nil, err
	}
	needs = make(map[string][]string)
	for path, output := range meta.Outputs {
		if output.EntryPoint == "" {
			continue
		}
		files := []string{path}
		for n := 0; n < len(files); n++ {
			for _, i := range meta.Outputs[files[n]].Imports {
				if i.Kind == "import-statement" && !slices.Contains(files, i.Path) {
					files = append(files, i.Path)
				}
			}
		}
		for i, file := range files {
			files[i] = filepath.Base(file)
		}
		needs[output.EntryPoint] = files
	}
	name = needs[filepath.ToSlash(entry)][0]
	for _, file := range result.OutputFiles {
		base := filepath.Base(file.Path)
		if s.files = append(s.files, base); err == nil {
			err = os.WriteFile(filepath.Join(s.dir, base), file.Contents, 0o644)
		}
	}
	return name, needs, err
}

// policy is what the page may load: its own files, and the pictures that it makes.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'"

// ahead returns the script that asks for what a puzzle needs, for the page itself: see static/ahead.js. Needs has the files of
// the modules that are views.
func (s *site) ahead(needs map[string][]string, letters string) (string, error) {
	modules, views := make(map[string][]string), make(map[string][]string) // by the names of families
	var endings []string
	for _, f := range s.families.All() {
		if f.Page != nil {
			modules[f.Name] = []string{page + "/view/" + f.Page.View + ".js"}
			endings = append(endings, metrics(f)...)
		}
	}
	fonts, _, _ := strings.Cut(font.Space, "/")
	modules["word"] = append([]string{page + "/word.js"}, modules[fonts]...)
	for what, list := range modules {
		for _, module := range list {
			if len(needs[module]) == 0 {
				return "", fmt.Errorf("main.js does not load %s", module)
			}
			for _, name := range needs[module] {
				if !slices.Contains(needs[page+"/main.js"], name) && !slices.Contains(views[what], name) {
					views[what] = append(views[what], name)
				}
			}
		}
	}
	define := statespace.Encode(map[string]any{"font": font.Space, "letters": letters, "boards": strings.Join(s.boards, " "), "views": views, "metrics": strings.Join(endings, "|")})
	text, err := os.ReadFile(filepath.Join(own, "ahead.js"))
	if err != nil {
		return "", err
	}
	result := api.Transform(string(text), api.TransformOptions{Format: api.FormatIIFE, Target: api.ES2022, MinifySyntax: true, MinifyWhitespace: true, MinifyIdentifiers: true,
		Define: map[string]string{"globalThis.PAGODA_NEEDS": string(define)}})
	if len(result.Errors) > 0 {
		return "", fmt.Errorf("ahead.js: %s", result.Errors[0].Text)
	}
	return strings.TrimSpace(string(result.Code)), nil
}

var indent = regexp.MustCompile(`\n\s+`)

// index writes the page with the names of the files. Scripts that its script needs are loaded beside it.
func (s *site) index(ctx context.Context, names map[string]string, needs map[string][]string, letters string) error {
	content, err := static.Index(s.families)
	if err != nil {
		return err
	}
	content = indent.ReplaceAllString(content, "\n")
	for from, to := range names {
		if !strings.Contains(content, `"`+from+`"`) {
			return fmt.Errorf("index.html does not name %s", from)
		}
		content = strings.ReplaceAll(content, `"`+from+`"`, `"`+to+`"`)
	}
	head := `<meta charset="utf-8">` + "\n"
	const empty = `<section id="shelf" aria-label="Puzzles to play"></section>`
	for _, part := range []string{head, empty} {
		if !strings.Contains(content, part) {
			return fmt.Errorf("index.html has no %s", strings.TrimSpace(part))
		}
	}
	shelf, err := s.shelf(ctx)
	if err != nil {
		return err
	}
	content = strings.Replace(content, empty, strings.Replace(empty, "><", ">"+shelf+"<", 1), 1)
	preview, err := s.preview(ctx, "PAGODA")
	if err != nil {
		return err
	}
	ahead, err := s.ahead(needs, letters)
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(ahead))
	allowed := strings.Replace(policy, "script-src 'self'", "script-src 'self' 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'", 1)
	// Without these two nothing is painted, so they come first.
	preview += `<link rel="preload" as="style" href="` + names["style.css"] + `">` + "\n" + `<link rel="modulepreload" href="` + names["theme.js"] + `">` + "\n" +
		"<script>" + ahead + "</script>\n"
	for _, name := range needs[page+"/main.js"][1:] {
		preview += `<link rel="modulepreload" href="` + name + `">` + "\n"
	}
	content = strings.Replace(content, head, head+`<meta http-equiv="Content-Security-Policy" content="`+allowed+`">
`+preview+`<meta property="og:title" content="Pagoda">
<meta property="og:type" content="website">
<meta property="og:description" content="Everything that can happen in a puzzle, computed in the browser: type a word, and watch its letters being played.">
`, 1)
	return os.WriteFile(filepath.Join(s.dir, "index.html"), []byte(content), 0o644)
}

// header returns the header of the page, which has the menu.
func header() (string, error) {
	text, err := static.Files.ReadFile("index.html")
	if err != nil {
		return "", err
	}
	const begin, end = `<header class="top">`, "</header>"
	_, rest, began := strings.Cut(string(text), begin)
	inside, _, ended := strings.Cut(rest, end)
	if !began || !ended {
		return "", fmt.Errorf("index.html has no %s", begin)
	}
	return begin + inside + end, nil
}

// preview draws a word, for links to the site, and returns the lines of the page that name the picture.
func (s *site) preview(ctx context.Context, word string) (string, error) {
	if s.address == "" {
		return "", nil
	}
	sp, err := s.families.Lookup(ctx, font.Space, nil, puzzle.Choice{})
	if err != nil {
		return "", err
	}
	drawer, err := s.families.Drawer(sp)
	if err != nil {
		return "", err
	}
	glyphs := make(map[rune]string)
	for _, g := range font.Glyphs() {
		glyphs[g.Rune] = g.Pattern
	}
	var panels []render.Panel
	for _, r := range word {
		panel, err := drawer.Still(sp, glyphs[r])
		if err != nil {
			return "", err
		}
		panels = append(panels, panel)
	}
	sheet, err := render.Sheet(panels, len(panels), render.Style{Cell: 36, NoCaptions: true})
	if err != nil {
		return "", err
	}
	return s.shown(sheet, "preview.png", "")
}

// shown writes a picture for links to a page, and returns the lines of the page that name both.
func (s *site) shown(p *render.Picture, picture, page string) (string, error) {
	if s.address == "" {
		return "", nil
	}
	var b bytes.Buffer
	if err := png.Encode(&b, p); err != nil {
		return "", err
	}
	base := html.EscapeString(s.address)
	return fmt.Sprintf("<link rel=\"canonical\" href=\"%s%s\">\n<meta property=\"og:url\" content=\"%s%s\">\n<meta property=\"og:image\" content=\"%s%s\">\n", base, page, base, page, base, picture),
		s.write(picture, b.Bytes())
}

// serviceWorker writes the service worker, which knows all files.
func (s *site) serviceWorker() error {
	text, err := os.ReadFile(filepath.Join(own, "sw.js"))
	if err != nil {
		return err
	}
	index, err := os.ReadFile(filepath.Join(s.dir, "index.html"))
	if err != nil {
		return err
	}
	slices.Sort(s.files)
	files, large := statespace.Encode(append([]string{"./", "collection.html", "levels.html", "make.html", "daily.html", "classroom.html", "offline.html"}, s.files...)), statespace.Encode(s.large)
	sum := sha256.Sum256(slices.Concat(index, files, large, text))
	head := fmt.Sprintf("const VERSION = 'pagoda-%x';\nconst FILES = %s;\nconst BOARDS = %q;\nconst LARGE = %s;\n\n", sum[:5], files, s.kept, large)
	return os.WriteFile(filepath.Join(s.dir, "sw.js"), append([]byte(head), text...), 0o644)
}
