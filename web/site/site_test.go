package main

import (
	"encoding/json"
	"io/fs"
	"maps"
	"math/big"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pagoda/internal/amount"
	"pagoda/internal/long"
	"pagoda/puzzle"
	"pagoda/puzzle/builtin"
	"pagoda/puzzle/slide/tray"
)

// The whole site: every file that a page names is there, and the same tree gives the same site.
func TestBuild(t *testing.T) {
	if !long.Tests {
		t.Skip("it compiles the engine")
	}
	t.Chdir("../..")
	one, two := filepath.Join(t.TempDir(), "site"), filepath.Join(t.TempDir(), "site")
	const address = "https://example.org/a&b/"
	if err := build(t.Context(), one, address); err != nil {
		t.Fatal(err)
	}
	again := &site{dir: two, address: address, families: builtin.Families()}
	var engines []engine
	for _, f := range again.families.All() {
		if f.Page == nil { // it is not played on the page
			continue
		}
		files, err := filepath.Glob(filepath.Join(one, "engine-"+f.Name+"-*.bin"))
		if err != nil || len(files) != 1 {
			t.Fatalf("the engines of %s are %v, %v", f.Name, files, err)
		}
		// A page should open soon on a slow network, too.
		if info, err := os.Stat(files[0]); err != nil || info.Size() > 2_500_000 {
			t.Errorf("%s has more than 2.5 MB: %v, %v", files[0], info.Size(), err)
		}
		engines = append(engines, engine{f.Name, filepath.Base(files[0]), f.Page})
	}
	if err := os.Mkdir(two, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := again.pages(t.Context(), engines); err != nil {
		t.Fatal(err)
	}
	if err := replaceable(one); err != nil {
		t.Errorf("a site cannot be replaced: %v", err)
	}
	attribute := regexp.MustCompile(`(?:href|src|srcset)="([^"?#]*)[^"]*"`)
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
		if strings.HasPrefix(name, "engine-") {
			return nil
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
			if m[1] == "" || strings.Contains(m[1], ":") {
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
	var all []collected
	data, err := os.ReadFile(filepath.Join(one, "collection.json"))
	if err == nil {
		err = json.Unmarshal(data, &all)
	}
	if err != nil || len(all) < 100 || pages != len(all)+7 { // the page itself, the list, the levels, the days, the door to the editor, the classroom, what there is without a network
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
		// Boards that are too large for a tab have what the program knows.
		if want := map[string][2]int{"peg/6x6": {2800847413, 35}, "peg/6x7": {161963122035, 41}, "peg/5x8": {41586778280, 0}}[p.Name]; want[0] > 0 &&
			(p.Numbers["states"] == nil || p.Numbers["states"].Int64() != int64(want[0]) || p.Playable || len(p.Layers) != want[1]) {
			t.Errorf("%s: %v states in %d layers, playable %v; want %d in %d", p.Name, p.Numbers["states"], len(p.Layers), p.Playable, want[0], want[1])
		}
	}
	checkBuilt(t, one)
	// What a page says of its puzzle.
	for page, lines := range map[string][]string{
		"slide-klotski": {
			`<thead><tr><td></td><th scope="col">moves</th><th scope="col">steps</th><th scope="col">lines</th><th scope="col">supersteps</th><th scope="col">superlines</th><th scope="col">supermoves</th></tr></thead>`,
			`<tr><th scope="row">the number of shortest solutions</th><td>256</td><td>4,112,640,000</td><td>4,096</td>`,
			`J. H. Fleming had a patent in England, 1932. <cite>Klotski, L&#39;Ane Rouge</cite>.`,
			`<a href="https://www.cs.brandeis.edu/~storer/JimPuzzles/ZPAGES/zzzRedDonkey.html" rel="external">www.cs.brandeis.edu/~storer/JimPuzzles/ZPAGES/zzzRedDonkey.html</a>; states: SlidingPuzzles in <a href="https://github.com/tlaplus/Examples"`,
			`Cite as: <span translate="no"><cite>slide/klotski: Klotski, L&#39;Ane Rouge</cite>, in the collection of Pagoda, <a href="https://example.org/a&amp;b/puzzles/slide-klotski.html">https://example.org/a&amp;b/puzzles/slide-klotski.html</a>.`,
			`<img src="../puzzles/slide-klotski-1.svg" alt="Klotski, L&#39;Ane Rouge: a hardest start in moves, lines, supersteps, superlines, supermoves" loading="lazy" width="210" height="246">`,
			`<a href="../?at=.AAB%2FgAAB%2FCEED%2FCF.D%2FhFij&amp;space=slide%2Fklotski">Play from here</a>`,
			`Also called <span lang="zh-Latn" translate="no">Huarong Dao</span>, <span lang="zh-Hans" translate="no">华容道</span>, `,
			`<a href="../levels.html#huarong-dao">Level `, ` of 47: Huarong Dao</a>`,
			`<link rel="prev" href="slide-jewel-swap.html">`, `<a rel="next" href="slide-letter-block.html">`,
		},
		"peg-6x7":         {`<tr><td>41</td><td>1</td><td>1</td></tr>`, `<tr><td>20</td><td>23,522,665,269</td>`, `aria-label="Histogram of the positions by pegs: most, 23,522,665,269, with pegs 20"`, `<code translate="no">reach run peg/6x7</code>`},
		"slide-cube":      {`A tray of several floors cannot be played on a page.`, `<code translate="no">reach solve slide/cube -o cube.svg</code>`},
		"twist-3x3x3":     {"No computer holds its positions. This command solves one of them:", "reach solve twist/3x3x3 --from POSITION"},
		"slide-15-puzzle": {`<p>Its positions are not listed: it has 10,461,394,944,000 positions, too many for a browser. Each hint is searched for itself.</p>`, `href="../?space=slide%2F15-puzzle">Play</a>`},
		"threes-4x4":      {`<img class="start" src="../puzzles/threes-4x4.svg"`},
		"2048-2x2":        {`<p>110 positions, up to symmetry, can be reached.</p>`, `<img class="start" src="../puzzles/2048-2x2.svg"`},
		"peg-4x4":         {`<th scope="col">up to symmetry</th>`, `<tr><td>7</td><td>443</td><td>226</td></tr>`},
	} {
		text, err := os.ReadFile(filepath.Join(one, "puzzles", page+".html"))
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines {
			if !strings.Contains(string(text), line) {
				t.Errorf("%s lacks\n%s", page, line)
			}
		}
	}
}

// The numbers in each metric are a table, whatever family they are from; what is known in no metric has no row.
func TestMetrics(t *testing.T) {
	p := &collected{Numbers: map[string]*big.Int{"hops": big.NewInt(12345), "far_hops": big.NewInt(7), "far_skips": big.NewInt(8), "age": big.NewInt(9)}, fields: []puzzle.Field{
		{Name: "age", About: "the age"},
		{Name: "hops", About: "the length, in hops", What: "the length", Metric: "hops"},
		{Name: "far_hops", About: "the farthest, in hops", What: "the farthest", Metric: "hops"},
		{Name: "least_hops", About: "the least, in hops", What: "the least", Metric: "hops"},
		{Name: "skips", About: "the length, in skips", What: "the length", Metric: "skips"},
		{Name: "far_skips", About: "the farthest, in skips", What: "the farthest", Metric: "skips"},
	}}
	want := metricTable{Metrics: []string{"hops", "skips"}, Rows: []metricRow{{"the length", []string{"12,345", ""}}, {"the farthest", []string{"7", "8"}}}}
	if got := p.Metrics(); got == nil || !reflect.DeepEqual(*got, want) {
		t.Errorf("the table is %v, want %v", got, want)
	}
	unused := maps.Clone(plainer)
	if facts := p.Facts(); !reflect.DeepEqual(facts, [][2]string{{"the age", "9"}}) {
		t.Errorf("the other numbers are %v", facts)
	}
	for _, f := range builtin.Families().All() {
		for _, field := range f.Fields {
			if _, err := tray.ParseMetric(field.Metric); field.Metric != "" && err != nil {
				t.Errorf("nothing says what counts in %s: %v", field.Metric, err)
			}
			delete(unused, field.What)
		}
	}
	if len(unused) > 0 {
		t.Errorf("no family says %v", unused)
	}
	p.fields = p.fields[:1]
	if got := p.Metrics(); got != nil {
		t.Errorf("without metrics there is %v", got)
	}
}

// Addresses in a source become links, and nothing else does.
func TestSource(t *testing.T) {
	for source, want := range map[string]string{
		"a book, 1971":                   "a book, 1971",
		"x.org/a, no. 3, by y.com/b":     `<a href="https://x.org/a" rel="external">x.org/a</a>, no. 3, by <a href="https://y.com/b" rel="external">y.com/b</a>`,
		"the program com.google.norush":  "the program com.google.norush",
		"docs/studies/hardest.md":        "docs/studies/hardest.md",
		"http://x.org/~a/b?c=1&d=2. <b>": `<a href="http://x.org/~a/b?c=1&amp;d=2" rel="external">http://x.org/~a/b?c=1&amp;d=2</a>. &lt;b&gt;`,
	} {
		p := &collected{Texts: map[string]string{"source": source}}
		if got := string(p.Source()); got != want {
			t.Errorf("%s is shown as %s, want %s", source, got, want)
		}
	}
	for _, c := range []struct{ author, year, want string }{
		{"", "", ""}, {"", "1932", "1932"}, {"A. Body", "1932", "A. Body, 1932"}, {"A. Body", "", "A. Body"}, {"not known; B. Body in 1932", "1932", "Author not known; B. Body in 1932"},
	} {
		p := &collected{Texts: map[string]string{"author": c.author}, Numbers: map[string]*big.Int{}}
		if n, ok := new(big.Int).SetString(c.year, 10); ok {
			p.Numbers["year"] = n
		}
		if got := p.Author(); got != c.want {
			t.Errorf("%q of %q is %q, want %q", c.author, c.year, got, c.want)
		}
	}
}

// Every puzzle has a title of its own and a kind, and every name a puzzle.
func TestNames(t *testing.T) {
	names, err := namings()
	if err != nil {
		t.Fatal(err)
	}
	titles, used := make(map[string]string), make(map[naming]bool)
	entries := builtin.Families().Entries()
	for name := range strings.FieldsSeq("slide/15-puzzle slide/n4x4 2048/4x4 threes/4x4") { // by hand
		entries = append(entries, puzzle.Entry{Name: name})
	}
	for _, e := range entries {
		p := &collected{Name: e.Name, About: e.About}
		p.name(names)
		if p.Title == "" || p.Kind == "" || titles[p.Title] != "" {
			t.Errorf("%s has the title %q, as %q has, and the kind %q", e.Name, p.Title, titles[p.Title], p.Kind)
		}
		titles[p.Title] = e.Name
		for _, n := range names {
			if ok, _ := path.Match(n.puzzles, e.Name); ok {
				if used[n] && !strings.ContainsAny(n.puzzles, "*[") {
					t.Errorf("%s has the name %q twice", e.Name, n.name)
				}
				used[n] = true
			}
		}
	}
	for _, n := range names {
		if !used[n] {
			t.Errorf("no puzzle %s is there for the name %q", n.puzzles, n.name)
		}
	}
	p := &collected{Name: "slide/klotski", About: "Klotski, L'Ane Rouge"}
	p.name(names)
	if want := (otherName{"zh-Hans", "华容道"}); p.Title != p.About || p.Kind != "Sliding blocks" || !slices.Contains(p.Also, want) {
		t.Errorf("Klotski is %q of the kind %q, also %v", p.Title, p.Kind, p.Also)
	}
}

// Cards come in the order of their numbers, and nothing else changes its place.
func TestByNumber(t *testing.T) {
	var all []*collected
	for name := range strings.FieldsSeq("peg/7x7 peg/5x8 slide/rushhour slide/rushhour1 slide/rushhour10 slide/rushhour2 slide/silly slide/rushhour3") {
		all = append(all, &collected{Name: name})
	}
	byNumber(all)
	var got []string
	for _, p := range all {
		got = append(got, p.Name)
	}
	if want := "peg/7x7 peg/5x8 slide/rushhour slide/rushhour1 slide/rushhour2 slide/rushhour10 slide/silly slide/rushhour3"; strings.Join(got, " ") != want {
		t.Errorf("the order is %s, want %s", strings.Join(got, " "), want)
	}
}

// A folder with something else is left alone.
func TestInTheWay(t *testing.T) {
	t.Chdir("../..")
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

func TestCounted(t *testing.T) {
	for text, want := range map[string]string{"0": "0 moves", "1": "1 move", "1932": "1,932 moves", "40861647040079968": "40,861,647,040,079,968 moves"} {
		n, _ := new(big.Int).SetString(text, 10)
		if got := amount.Commas(n, "move"); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}
