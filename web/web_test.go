package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image/gif"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"pagoda/ask"
	"pagoda/internal/long"
	"pagoda/layers"
	"pagoda/puzzle"
	"pagoda/puzzle/builtin"
	"pagoda/puzzle/peg"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/font"
	"pagoda/render"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/web"
	"pagoda/web/static"
)

// makeFile makes and opens the file of a space in a store.
func makeFile(t testing.TB, families *puzzle.Set, name, store string) *ask.File {
	t.Helper()
	sp, err := families.Lookup(t.Context(), name, nil, puzzle.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "test.reach")
	if _, err := run.Start(t.Context(), sp, run.Options{Output: path, Store: store, Threads: 2}); err != nil {
		t.Fatal(err)
	}
	f, err := ask.Open(t.Context(), path, families.Define, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// openServer returns a server of a file, which is closed after the test.
func openServer(t testing.TB, f *ask.File, families *puzzle.Set, o web.Options) *web.Server {
	t.Helper()
	s, err := web.New(f, families, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// newServer makes the file of a space that this project has, and returns its server.
func newServer(t testing.TB, name, store string) *web.Server {
	t.Helper()
	families := builtin.Families()
	return openServer(t, makeFile(t, families, name, store), families, web.Options{Job: run.Options{Threads: 2}})
}

// send asks a server. Without a body it is a GET.
func send(h http.Handler, target, body string) *httptest.ResponseRecorder {
	method := http.MethodGet
	if body != "" {
		method = http.MethodPost
	}
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.Host = "127.0.0.1:8377"
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// get asks a server and decodes its answer.
func get(t testing.TB, h http.Handler, target, body string, v any) {
	t.Helper()
	w := send(h, target, body)
	if w.Code != 200 {
		t.Fatalf("%s %s: %d %s", target, body, w.Code, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), v); err != nil {
		t.Fatalf("%s: %v in %s", target, err, w.Body)
	}
}

func TestBadRequests(t *testing.T) {
	s := newServer(t, "peg/4x4@0,1", layers.SetStore)
	long := strings.Repeat("o", 2000)
	for _, c := range []struct {
		target, body string
		status       int
		message      string
	}{
		{"/api/nothing", "", 404, `there is no \"/api/nothing\": docs/reference/api.md`},
		{"/api/near", "", 405, "takes POST, found \\\"GET\\\""},
		{"/api/space", "{}", 405, "takes GET"},
		{"/index.html", "{}", 405, "takes GET"},
		{"/nothing.js", "", 404, "no such page"},
		{"/api/space?x=1", "", 400, `does not take \"x\"`},
		{"/api/layers?%zz", "", 400, "the query string cannot be read"},
		{"/api/has?x=1", "{}", 400, `does not take \"x\"`},
		{"/api/has", "{", 400, "not the JSON that was expected"},
		{"/api/has", "[]", 400, "not the JSON that was expected"},
		{"/api/has", "null", 400, `it begins with \"n\", expected an object`},
		{"/api/has", " ", 400, "the body is empty"},
		{"/api/has", `{"pattern":"oo"} {}`, 400, "there is more after the object"},
		{"/api/has", `{"patern":"oo"}`, 400, `unknown field \"patern\"`},
		{"/api/has", `{"pattern":7}`, 400, "pattern is a number, expected a string"},
		{"/api/has", `{"pattern":"oo"}`, 400, "the board has 16 cells, the pattern has 2"},
		{"/api/has", `{"pattern":"` + long + `"}`, 400, "2000 bytes, expected at most 1000"},
		{"/api/has", `{"pattern":"` + strings.Repeat(long, 40) + `"}`, 413, "larger than 65536 bytes"},
		{"/api/near", `{"patterns":"o"}`, 400, "patterns is a string, expected a list"},
		{"/api/near", `{"patterns":["o"],"limit":1.5}`, 400, "limit is a number 1.5, expected a whole number"},
		{"/api/near", `{"patterns":["o"],"sum":"yes"}`, 400, "sum is a string, expected true or false"},
		{"/api/near", `{}`, 400, "there are 0 patterns, expected 1 to 16"},
		{"/api/near", `{"patterns":["ooooooooooooooox"]}`, 400, "unexpected 'x'"},
		{"/api/near", `{"patterns":["oooooooooooooooo"],"limit":0}`, 400, "limit is 0, expected 1 to 1000"},
		{"/api/near", `{"patterns":["oooooooooooooooo"],"limit":1000000}`, 400, "limit is 1000000"},
		{"/api/near", `{"patterns":["oooooooooooooooo"],"within":17}`, 400, "no position is farther away than 16"},
		{"/api/near", `{"patterns":["oooooooooooooooo"],"within":-1}`, 400, "within"},
		{"/api/near", `{"patterns":["oooooooooooooooo"],"within":1e99}`, 400, "within"},
		{"/api/near", `{"patterns":["oooooooooooooooo"],"pegs":"9-3"}`, 400, `pegs is \"9-3\", expected a number`},
		{"/api/near", `{"patterns":["oooooooooooooooo"],"layers":"x"}`, 400, `layers is \"x\", expected a number`},
		{"/api/near", `{"patterns":["oooooooooooooooo"],"layers":"3","pegs":"3"}`, 400, "pegs and layers mean the same"},
		{"/api/near", `{"patterns":["oooooooooooooooo"],"weights":"1 2"}`, 400, "weights"},
		{"/api/near", `{"patterns":["o","o","o","o","o","o","o","o","o","o","o","o","o","o","o","o","o"]}`, 400, "there are 17 patterns"},
		{"/api/lengths", `{"puzzle":"tray: A."}`, 400, "peg/4x4@0,1 is of a family whose puzzles are not measured here"},
		{"/api/path", `{"pattern":"????????????????"}`, 400, "unexpected '?'"},
		{"/api/hint", `{"pattern":"oooooooooooooooo"}`, 400, "the board has 16 cells, the pattern has 0"},
		{"/api/hint", `{"pattern":"oooooooooooooooo","target":"?ooooooooooooooo"}`, 400, "unexpected '?'"},
		{"/api/word?text=A", "", 400, "words are positions of peg/5x7, this is peg/4x4@0,1"},
		{"/api/picture.svg", "", 400, "expected either text or pattern"},
		{"/api/picture.svg?text=A&pattern=o", "", 400, "expected either text or pattern"},
		{"/api/picture.svg?pattern=oooooooooooooooo&pattern=o", "", 400, "pattern is given 2 times"},
		{"/api/picture.svg?pattern=oooooooooooooooo&size=7", "", 400, `size is \"7\", expected 8 to 80`},
		{"/api/picture.svg?pattern=oooooooooooooooo&theme=pink", "", 400, "unknown theme"},
		{"/api/picture.svg?pattern=oooooooooooooooo&show=all", "", 400, "expected puzzle, solved or played"},
		{"/api/picture.svg?pattern=oooooooooooooooo&speed=500", "", 400, `does not take \"speed\"`},
		{"/api/picture.gif?pattern=oooooooooooooooo&speed=1", "", 400, "speed is"},
	} {
		w := send(s, c.target, c.body)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.message) {
			t.Errorf("%s %.100s: %d %s, want %d %s", c.target, c.body, w.Code, w.Body, c.status, c.message)
		}
		var v struct{ Error string }
		if err := json.Unmarshal(w.Body.Bytes(), &v); strings.HasPrefix(c.target, "/api/") && (err != nil || v.Error == "") {
			t.Errorf("%s %.100s: the error is %s", c.target, c.body, w.Body)
		}
		checkHeaders(t, w)
	}
}

func checkHeaders(t *testing.T, w *httptest.ResponseRecorder) {
	t.Helper()
	for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer"} {
		if got := w.Header().Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if policy := w.Header().Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") {
		t.Errorf("the policy is %q", policy)
	}
}

// A name that is made to point at this machine, and pages of other sites, are refused.
func TestOtherSites(t *testing.T) {
	families := builtin.Families()
	f := makeFile(t, families, "peg/4x4@0,1", layers.SetStore)
	s := openServer(t, f, families, web.Options{})
	for host, want := range map[string]int{
		"localhost": 200, "LOCALHOST:80": 200, "127.0.0.1:8377": 200, "127.9.9.9": 200, "[::1]:8377": 200, "[::1]": 200, "[::ffff:127.0.0.1]:1": 200,
		"example.com": 421, "127.0.0.1.example.com:8377": 421, "localhost.example.com": 421, "192.168.1.7:8377": 421, "0.0.0.0": 421, "[::]": 421, "": 421,
	} {
		for _, path := range []string{"/", "/api/space"} {
			r := httptest.NewRequest("GET", path, nil)
			r.Host = host
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			if w.Code != want {
				t.Errorf("host %q, %s: %d, want %d", host, path, w.Code, want)
			}
			checkHeaders(t, w)
		}
	}
	open := openServer(t, f, families, web.Options{Hosts: web.Hosts{Names: []string{"example.com"}}})
	for _, c := range []struct {
		site, origin string
		api, page    int
	}{
		{"", "", 200, 200},
		{"none", "", 200, 200},
		{"same-origin", "", 200, 200},
		{"same-origin", "null", 200, 200},
		{"cross-site", "", 403, 200}, // a link to the page
		{"same-site", "", 403, 200},
		{"", "http://Example.com", 200, 200},
		{"", "http://evil.com", 403, 403},
		{"none", "http://example.com:8000", 403, 403},
		{"", "http://example.com.evil.com", 403, 403},
		{"", "example.com", 403, 403},
		{"", "null", 403, 403},
	} {
		for path, want := range map[string]int{"/api/space": c.api, "/": c.page, "/style.css": c.page} {
			r := httptest.NewRequest("GET", path, nil)
			r.Host = "example.com"
			r.Header.Set("Sec-Fetch-Site", c.site)
			r.Header.Set("Origin", c.origin)
			w := httptest.NewRecorder()
			open.ServeHTTP(w, r)
			if w.Code != want {
				t.Errorf("%s from the site %q, origin %q: %d, want %d", path, c.site, c.origin, w.Code, want)
			}
		}
	}
}

// The page takes nothing from elsewhere, and nothing that its policy forbids.
func TestPage(t *testing.T) {
	s := newServer(t, "peg/4x4@0,1", layers.SetStore)
	w := send(s, "/", "")
	if w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
		t.Fatalf("the page: %d, %s", w.Code, w.Header().Get("Content-Type"))
	}
	checkHeaders(t, w)
	foreign := regexp.MustCompile(`(?i)(https?:)?//[a-z]|\bstyle="|\bon[a-z]+="|<style|<script[^>]*>[^<]|"javascript:|@import`)
	err := fs.WalkDir(static.Files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := static.Files.ReadFile(path)
		if err != nil {
			return err
		}
		// Texts of files come into the page as text, never as HTML.
		if found := regexp.MustCompile(`innerHTML|outerHTML\s*[+=]|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|\beval\b`).FindString(string(data)); found != "" {
			t.Errorf("%s has %q", path, found)
		}
		text := strings.ReplaceAll(string(data), "http://www.w3.org/2000/svg", "")
		if strings.HasSuffix(path, ".js") { // comments
			text = regexp.MustCompile(`(?m)(^|[ ;{,])// .*$`).ReplaceAllString(text, "")
		}
		if found := foreign.FindString(text); found != "" {
			t.Errorf("%s has %q", path, found)
		}
		if w := send(s, "/"+path, ""); w.Code != 200 && w.Code != 301 || strings.HasSuffix(path, ".js") && !strings.Contains(w.Header().Get("Content-Type"), "javascript") {
			t.Errorf("%s: %d, %s", path, w.Code, w.Header().Get("Content-Type"))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A hintAnswer is the answer to /api/hint for a peg board.
type hintAnswer struct {
	Pattern, Target string
	Reachable       bool
	Reason          string
	Jumps           []struct {
		From, Over, To [2]int
		Keeps          bool
	}
	Moves     []any
	Positions []string
}

// All stores answer alike.
func TestStores(t *testing.T) {
	requests := []struct{ target, body string }{
		{"/api/layers", ""},
		{"/api/has", `{"pattern":"o..o/..../..../o..o"}`},
		{"/api/near", `{"patterns":["oooo/o..o/o..o/oooo","????/oooo/oooo/????"],"sum":true,"within":9,"limit":30,"pegs":"3-9","weights":"1 2 2 1\n1 2 2 1\n1 2 2 1\n1 2 2 1.5"}`},
		{"/api/path", `{"pattern":"o..o/..../..../o..o"}`},
		{"/api/hint", `{"pattern":"o.oo/oooo/oooo/oooo","target":"o.../..../..../...."}`},
		{"/api/picture.svg?pattern=oooo............", ""},
	}
	var first []string
	for _, store := range []string{layers.SetStore, layers.FoldedStore, layers.RoaringStore, layers.TrieStore, layers.PackedStore, layers.PackedTrieStore} {
		s := newServer(t, "peg/4x4@0,1", store)
		for i, r := range requests {
			w := send(s, r.target, r.body)
			if w.Code != 200 {
				t.Fatalf("%s: %s %s: %d %s", store, r.target, r.body, w.Code, w.Body)
			}
			if len(first) < len(requests) {
				first = append(first, w.Body.String())
			} else if w.Body.String() != first[i] {
				t.Errorf("%s answers %s %s with %s, not %s", store, r.target, r.body, w.Body, first[i])
			}
		}
	}
}

// A file that is cut short while it is served is an error that says so, and nothing worse.
func TestCutShort(t *testing.T) {
	families := builtin.Families()
	f := makeFile(t, families, "peg/5x6", layers.SetStore)
	var log strings.Builder
	s := openServer(t, f, families, web.Options{Log: func(format string, args ...any) { fmt.Fprintf(&log, format, args...) }})
	get(t, s, "/api/has", `{"pattern":"ooooo/ooooo/ooooo/ooooo/ooooo/oooo."}`, new(any))
	if err := os.Truncate(f.Path(), 5000); err != nil {
		t.Fatal(err)
	}
	for _, r := range []struct{ target, body string }{
		{"/api/near", `{"patterns":["ooooo/....o/....o/oo..o/o.o.o/ooooo"],"within":30,"limit":500}`},
		{"/api/path", `{"pattern":"ooooo/ooooo/o..oo/ooooo/ooooo/ooooo"}`},
		{"/api/layers", ""},
	} {
		if w := send(s, r.target, r.body); w.Code != 500 || !strings.Contains(w.Body.String(), "it was cut short meanwhile") {
			t.Errorf("%s: %d %s", r.target, w.Code, w.Body)
		}
	}
	if !strings.Contains(log.String(), "cut short") {
		t.Errorf("the log says %q", &log)
	}
}

// A file that is written to while it is served gives no more answers. One whose name another file
// got gives its own, and the log says so once.
func TestReplaced(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a mapped file cannot be replaced here")
	}
	families := builtin.Families()
	f, other := makeFile(t, families, "peg/4x4@0,1", layers.SetStore), makeFile(t, families, "peg/4x4@1,0", layers.SetStore)
	data, err := os.ReadFile(other.Path())
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	s := openServer(t, f, families, web.Options{Log: func(format string, args ...any) { fmt.Fprintf(&log, format+"\n", args...) }})
	const question = `{"pattern":"o.oo/oooo/oooo/oooo"}`
	if err := os.Link(f.Path(), f.Path()+".old"); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(other.Path(), f.Path()); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if w := send(s, "/api/has", question); w.Code != 200 || !strings.Contains(w.Body.String(), `"reachable":true`) {
			t.Errorf("after a file took its place: %d %s", w.Code, w.Body)
		}
	}
	if n := strings.Count(log.String(), "was replaced by another file"); n != 1 {
		t.Errorf("the log says %d times that it was replaced: %s", n, &log)
	}
	time.Sleep(20 * time.Millisecond) // a system may count times in such steps
	if err := os.WriteFile(f.Path()+".old", data, 0o644); err != nil {
		t.Fatal(err)
	}
	if w := send(s, "/api/has", question); w.Code != 500 || !strings.Contains(w.Body.String(), "was changed while it was read") {
		t.Errorf("after it was written to: %d %s", w.Code, w.Body)
	}
}

// Sliding blocks can be asked, drawn and played. They have no letters.
func TestSlide(t *testing.T) {
	for _, store := range []string{layers.Mod3Store, layers.DistanceStore} {
		s := newServer(t, "slide/dads", store)
		var space struct {
			Space, Layer string
			States       uint64
			Board        struct {
				Kind   string
				Length int
			}
		}
		get(t, s, "/api/space", "", &space)
		if space.Space != "slide/dads" || space.Layer != "depth" || space.States != 1398 || space.Board.Kind != "slide" || space.Board.Length == 0 {
			t.Errorf("it is %+v", space)
		}
		var counts struct {
			Layers []struct{ Depth, States int }
		}
		get(t, s, "/api/layers", "", &counts)
		if n := len(counts.Layers); n != 81 || counts.Layers[1].Depth != 1 || counts.Layers[1].States != 4 {
			t.Errorf("the layers are %+v", counts)
		}
		const start, next = "AABB/AACC/12../DEFF/DEGG", "AABB/AACC/1..2/DEFF/DEGG"
		var has struct{ Reachable bool }
		get(t, s, "/api/has", `{"pattern":"`+next+`"}`, &has)
		var hint struct{ Distance int }
		get(t, s, "/api/hint", `{"pattern":"`+start+`","target":""}`, &hint)
		if hint.Distance != space.Board.Length {
			t.Errorf("the start is at distance %d, the shortest solution has %d moves", hint.Distance, space.Board.Length)
		}
		var path struct{ Positions []string }
		get(t, s, "/api/path", `{"pattern":"`+next+`"}`, &path)
		if !has.Reachable || !slices.Equal(path.Positions, []string{start, next}) {
			t.Errorf("%s can be reached: %v, by %v", next, has.Reachable, path.Positions)
		}
		var near struct {
			Matches []struct {
				Pattern  string
				Distance int
			}
		}
		get(t, s, "/api/near", `{"patterns":["????/????/.12./????/????"],"limit":2}`, &near)
		if len(near.Matches) != 2 || near.Matches[1].Distance != 0 || !strings.Contains(near.Matches[1].Pattern, "/.12./") {
			t.Errorf("near are %+v", near)
		}
		if w := send(s, "/api/picture.svg?pattern="+next, ""); w.Code != 200 || !strings.Contains(w.Body.String(), next) {
			t.Errorf("the picture: %d %.300s", w.Code, w.Body)
		}
		w := send(s, "/api/picture.gif?size=8&speed=100&pattern="+next, "")
		if g, err := gif.DecodeAll(bytes.NewReader(w.Body.Bytes())); err != nil || len(g.Image) < 3 {
			t.Errorf("the animation: %d, %v", w.Code, err)
		}
		for _, c := range []struct {
			target, body string
			status       int
			message      string
		}{
			{"/api/hint", `{}`, 400, "the tray has 5 rows"},
			{"/api/word?text=A", "", 400, "slide/dads has no letters"},
			{"/api/picture.svg?text=A", "", 400, "slide/dads has no letters"},
			{"/api/near", `{"patterns":["A"]}`, 400, "the tray has 5 rows"},
			{"/api/path", `{"pattern":"A"}`, 400, "the tray has 5 rows"},
		} {
			if w := send(s, c.target, c.body); w.Code != c.status || !strings.Contains(w.Body.String(), c.message) {
				t.Errorf("%s: %d %s, want %d %s", c.target, w.Code, w.Body, c.status, c.message)
			}
		}
	}
}

// The board of the font, as it is served.
func TestFont(t *testing.T) {
	if !long.Tests {
		t.Skip("it makes a file of 256 MiB")
	}
	s := newServer(t, font.Space, layers.SetStore)
	var space struct {
		States uint64
		Board  struct {
			Cells, Jumps []any
			Font         []struct{ Letter, Pattern string }
		}
	}
	get(t, s, "/api/space", "", &space)
	if space.States != 1_045_173_439 || len(space.Board.Cells) != 35 || len(space.Board.Jumps) != 92 || len(space.Board.Font) != len(font.Glyphs()) {
		t.Errorf("%d states, %d cells, %d jumps, %d letters", space.States, len(space.Board.Cells), len(space.Board.Jumps), len(space.Board.Font))
	}
	sp, err := peg.Lookup(font.Space)
	if err != nil {
		t.Fatal(err)
	}
	b := sp.Board()
	at := func(cell [2]int) int {
		i, _ := b.Number(board.Cell{Row: cell[0], Col: cell[1]})
		return i
	}
	var word struct {
		Letters []struct {
			Letter, Pattern string
			Missing         bool
			Moves           []struct{ From, Over, To [2]int }
		}
	}
	get(t, s, "/api/word?text=Hi%20%E6%97%A5", "", &word)
	if len(word.Letters) != 4 || word.Letters[3].Letter != "日" || !word.Letters[3].Missing || word.Letters[1].Missing {
		t.Fatalf("the word is %+v", word)
	}
	for _, l := range word.Letters[:3] {
		p := sp.Start()
		for _, m := range l.Moves {
			from, over, to := at(m.From), at(m.Over), at(m.To)
			if p>>from&1 != 1 || p>>over&1 != 1 || p>>to&1 != 0 {
				t.Fatalf("%s: %v cannot be made in %s", l.Letter, m, b.FormatPosition(p))
			}
			p ^= 1<<from | 1<<over | 1<<to
		}
		if got := b.FormatPosition(p); got != l.Pattern {
			t.Errorf("%s leads to %s, want %s", l.Letter, got, l.Pattern)
		}
	}
	// Each jump of a solution keeps the letter within reach, and its end is the letter.
	var h hintAnswer
	start, target := b.FormatPosition(sp.Start()), word.Letters[0].Pattern
	get(t, s, "/api/hint", fmt.Sprintf(`{"pattern":%q,"target":%q}`, start, target), &h)
	if !h.Reachable || len(h.Moves) != len(word.Letters[0].Moves) || !slices.Contains(h.Positions, target) {
		t.Errorf("H can be reached: %v, by %d jumps", h.Reachable, len(h.Moves))
	}
	get(t, s, "/api/hint", fmt.Sprintf(`{"pattern":%q,"target":%q}`, target, start), &h)
	if h.Reachable || h.Reason != "unreached" {
		t.Errorf("the start can be reached again: %+v", h)
	}
	if w := send(s, "/api/word?text="+strings.Repeat("A", 101), ""); w.Code != 400 || !strings.Contains(w.Body.String(), "101 characters, expected at most 100") {
		t.Errorf("a long word: %d %s", w.Code, w.Body)
	}
	if w := send(s, "/api/word?text=%ff", ""); w.Code != 400 {
		t.Errorf("a word that is not UTF-8: %d %s", w.Code, w.Body)
	}
	for _, show := range []string{"solved", "puzzle"} {
		w := send(s, "/api/picture.svg?show="+show+"&text=A%E6%97%A5", "")
		if w.Code != 200 || w.Header().Get("Content-Disposition") != `attachment; filename="A.svg"` || !strings.Contains(w.Body.String(), "日") {
			t.Errorf("the picture: %d %s %.300s", w.Code, w.Header(), w.Body)
		}
	}
	w := send(s, "/api/picture.gif?text=AB&size=8&speed=100", "")
	if w.Code != 200 {
		t.Fatalf("the animation: %d %s", w.Code, w.Body)
	}
	if g, err := gif.DecodeAll(bytes.NewReader(w.Body.Bytes())); err != nil || len(g.Image) < 16 {
		t.Errorf("the animation cannot be read: %v", err)
	}
}

// A small board has no hints if there is no memory for them.
func TestNoMemory(t *testing.T) {
	families := builtin.Families()
	s := openServer(t, makeFile(t, families, "peg/4x4@0,1", layers.SetStore), families, web.Options{Job: run.Options{Memory: 1000}})
	w := send(s, "/api/hint", `{"pattern":"oooooooooooooooo","target":"ooooooooooooooo."}`)
	if w.Code != 501 || !strings.Contains(w.Body.String(), "the limit is 1000 B: raise it") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	var space struct {
		Board struct {
			NoHints string `json:"no_hints"`
		}
	}
	get(t, s, "/api/space", "", &space)
	if space.Board.NoHints == "" {
		t.Error("it does not say that there are no hints")
	}
}

// A hall is a family of one space: halls in a row, with a door from each to the next. It has
// only the functions that every family has, and those of the spaces.
type hall struct{}

func (hall) Name() string { return "hall/9" }
func (hall) Definition() statespace.Definition {
	return statespace.Definition{Family: "hall", Name: "hall/9", Puzzle: []byte("{}"), Numbering: []byte("{}")}
}
func (hall) Parts() statespace.Parts                                 { return statespace.Parts{} }
func (hall) Size() uint64                                            { return 9 }
func (hall) Roots() []statespace.Index                               { return []statespace.Index{0} }
func (hall) Format(x statespace.Index) string                        { return fmt.Sprint(x) }
func (hall) FormatMove(_ statespace.Index, m statespace.Edge) string { return fmt.Sprint("to ", m.To) }

func (hall) Parse(text string) (x statespace.Index, err error) {
	if _, err := fmt.Sscan(text, &x); err != nil {
		return 0, fmt.Errorf("%q is no number", text)
	}
	if x >= 9 {
		return 0, statespace.ErrOutside
	}
	return x, nil
}

func (hall) Successors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	if x < 7 { // nothing leads to the last one
		dst = append(dst, statespace.Edge{To: x + 1})
	}
	return dst
}

func (hall) Predecessors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	if x > 0 && x < 8 {
		dst = append(dst, statespace.Edge{To: x - 1})
	}
	return dst
}

// hallFamily is the family of hall. Play may be nil.
func hallFamily(play func(statespace.Space, *ask.File, run.Options) (puzzle.Player, error)) *puzzle.Family {
	f := &puzzle.Family{
		Name:   "hall",
		Lookup: func(context.Context, string, puzzle.Choice) (statespace.Space, error) { return hall{}, nil },
		Define: func(context.Context, statespace.Definition, uint64) (statespace.Space, error) { return hall{}, nil },
	}
	if play != nil {
		f.Page = &puzzle.Page{View: "slide", Title: "A hall", Play: play}
	}
	return f
}

// A space with only the required methods gets all answers that do not need cells or a player.
func TestBareSpace(t *testing.T) {
	families := puzzle.NewSet(hallFamily(nil))
	s := openServer(t, makeFile(t, families, "hall/9", ""), families, web.Options{})
	var path struct {
		Reachable bool
		Moves     []string
		Positions []string
	}
	get(t, s, "/api/path", `{"pattern":"3"}`, &path)
	if !path.Reachable || !slices.Equal(path.Moves, []string{"to 1", "to 2", "to 3"}) || !slices.Equal(path.Positions, []string{"0", "1", "2", "3"}) {
		t.Errorf("the path to 3 is %+v", path)
	}
	var has struct {
		Reachable bool
		Reason    string
	}
	for pattern, want := range map[string]string{"7": "", "8": "unreached", "9": "outside"} {
		if get(t, s, "/api/has", `{"pattern":"`+pattern+`"}`, &has); has.Reachable != (want == "") || has.Reason != want {
			t.Errorf("%s can be reached: %+v, want %q", pattern, has, want)
		}
		has.Reason = ""
	}
	var space struct {
		States      uint64
		Board, Page any
	}
	if get(t, s, "/api/space", "", &space); space.States != 8 || space.Board != nil || space.Page != nil {
		t.Errorf("it is %+v", space)
	}
	if page := send(s, "/", "").Body.String(); strings.Count(page, `class="view"`) != 1 {
		t.Errorf("the page has sections of puzzles that it cannot play: %.3000s", page)
	}
	for _, c := range []struct {
		target, body string
		status       int
		message      string
	}{
		{"/api/has", `{"pattern":"x"}`, 400, `\"x\" is no number`},
		{"/api/near", `{"patterns":["1"]}`, 400, "the question is about cells; hall/9 has none"},
		{"/api/hint", `{"pattern":"1","target":"2"}`, 501, "hall/9 cannot be played here"},
		{"/api/word?text=A", "", 400, "hall/9 has no letters"},
		{"/api/picture.svg?pattern=1", "", 400, "hall/9 cannot be drawn"},
	} {
		if w := send(s, c.target, c.body); w.Code != c.status || !strings.Contains(w.Body.String(), c.message) {
			t.Errorf("%s: %d %s, want %d %s", c.target, w.Code, w.Body, c.status, c.message)
		}
	}
}

// usher is a Player of hall.
type usher struct{ closed *bool }

func (usher) Board() any { return map[string]int{"halls": 9} }
func (u usher) Close()   { *u.closed = true }

func (usher) Hint(ctx context.Context, pattern, target string) (any, error) {
	_, bounded := ctx.Deadline()
	switch {
	case !bounded:
		return nil, errors.New("there is no end of the time")
	case pattern == target:
		return nil, &puzzle.NoHintsError{Reason: "you are there"}
	case pattern == "":
		return nil, ask.Questionf("where are you?")
	case target == "out":
		return nil, errors.New("the door is jammed")
	}
	return map[string]string{"from": pattern, "to": target}, nil
}

// speller is an usher who knows letters.
type speller struct{ usher }

func (speller) Spell(_ context.Context, text string, columns int) (*puzzle.Word, error) {
	w := &puzzle.Word{Letters: strings.Split(text, ""), Columns: min(columns, max(1, len(text)))}
	for range text {
		w.Films = append(w.Films, render.Still(render.Panel{Drawing: render.Nothing{}}))
	}
	return w, nil
}

// What a family says of playing comes to the page, and its errors have their status.
func TestPlayer(t *testing.T) {
	for _, spells := range []bool{false, true} {
		closed, threads := false, 0
		families := puzzle.NewSet(hallFamily(func(_ statespace.Space, f *ask.File, o run.Options) (puzzle.Player, error) {
			threads = o.Threads
			if spells {
				return speller{usher{&closed}}, nil
			}
			return usher{&closed}, nil
		}))
		var log strings.Builder
		s, err := web.New(makeFile(t, families, "hall/9", ""), families, web.Options{Job: run.Options{Threads: 3},
			Log: func(format string, args ...any) { fmt.Fprintf(&log, format, args...) }})
		if err != nil || threads != 3 {
			t.Fatalf("a player of %d threads, %v", threads, err)
		}
		var space struct {
			Board struct{ Halls int }
			Page  struct{ View, Title string }
		}
		if get(t, s, "/api/space", "", &space); space.Board.Halls != 9 || space.Page.View != "slide" || space.Page.Title != "A hall" {
			t.Errorf("it is %+v", space)
		}
		if page := send(s, "/", "").Body.String(); !strings.Contains(page, `<section id="slide" class="view"`) || strings.Contains(page, `<section id="lunar"`) {
			t.Errorf("the page has other sections than that of the family: %.3000s", page)
		}
		if script := send(s, "/view/"+space.Page.View+".js", ""); script.Code != 200 {
			t.Errorf("the script of the view: %d", script.Code)
		}
		word := []struct {
			target, body string
			status       int
			message      string
		}{
			{"/api/word?text=ab", "", 400, "hall/9 has no letters"},
		}
		if spells {
			word[0].status, word[0].message = 200, `{"text":"ab","letters":["a","b"]}`
		}
		for _, c := range append(word, []struct {
			target, body string
			status       int
			message      string
		}{
			{"/api/hint", `{"pattern":"1","target":"2"}`, 200, `{"from":"1","to":"2"}`},
			{"/api/hint", `{"pattern":"1","target":"1"}`, 501, "there are no hints here: you are there"},
			{"/api/hint", `{"target":"1"}`, 400, "where are you?"},
			{"/api/hint", `{"pattern":"1","target":"out"}`, 500, "the door is jammed"},
		}...) {
			if w := send(s, c.target, c.body); w.Code != c.status || !strings.Contains(w.Body.String(), c.message) {
				t.Errorf("%s %s: %d %s, want %d %s", c.target, c.body, w.Code, w.Body, c.status, c.message)
			}
		}
		if log.String() != "POST /api/hint: the door is jammed" {
			t.Errorf("the log says %q", &log)
		}
		if s.Close(); !closed {
			t.Error("the player is not closed")
		}
	}
	broken := puzzle.NewSet(hallFamily(func(statespace.Space, *ask.File, run.Options) (puzzle.Player, error) {
		return nil, errors.New("nobody is there")
	}))
	if _, err := web.New(makeFile(t, broken, "hall/9", ""), broken, web.Options{}); err == nil || err.Error() != "nobody is there" {
		t.Errorf("without a player: %v", err)
	}
}

// The end of the context ends serving, and lets a request that has begun come to its end.
func TestServe(t *testing.T) {
	s := newServer(t, "peg/4x4@0,1", layers.SetStore)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- s.Serve(ctx, l) }()
	response, err := http.Get("http://" + l.Addr().String() + "/api/space")
	if err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, response.Body)
	response.Body.Close()
	if response.StatusCode != 200 {
		t.Errorf("it answers with %s", response.Status)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if _, err := net.Dial("tcp", l.Addr().String()); err == nil {
		t.Error("it still listens")
	}
}

// FuzzAPI sends requests of all kinds: none makes a fault of the server, and an error is
// JSON with a message.
func FuzzAPI(f *testing.F) {
	s := newServer(f, "peg/4x4@0,1", layers.SetStore)
	for _, seed := range []struct{ path, query, body string }{
		{"space", "", ""},
		{"layers", "x=1", ""},
		{"has", "", `{"pattern":"oooo/o..o/o..o/oooo"}`},
		{"near", "", `{"patterns":["oooo/o??o/o..o/oooo"],"within":3,"limit":5,"pegs":"3-12","weights":"1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 .5","sum":true}`},
		{"path", "", `{"pattern":"o..o............"}`},
		{"hint", "", `{"pattern":"o.oooooooooooooo","target":"...............o"}`},
		{"word", "text=A%20B", ""},
		{"picture.svg", "pattern=oooooooooooooooo&size=9&theme=dark&columns=3&show=puzzle", ""},
		{"picture.gif", "pattern=..o.............&size=8&speed=9999", ""},
		{"../index.html", "%zz", "{"},
	} {
		f.Add(seed.path, seed.query, seed.body)
	}
	f.Fuzz(func(t *testing.T, path, query, body string) {
		r := httptest.NewRequest("GET", "/", strings.NewReader(body))
		if body != "" {
			r.Method = "POST"
		}
		r.Host = "localhost:8377"
		r.URL.Path = "/api/" + path
		r.URL.RawQuery = query
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		var v struct{ Error string }
		switch {
		case w.Code >= 500:
			t.Fatalf("%s ? %s %s: %d %s", path, query, body, w.Code, w.Body)
		case w.Code >= 400 && w.Header().Get("Content-Type") != "text/plain; charset=utf-8":
			if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil || v.Error == "" {
				t.Fatalf("%s ? %s %s: %d %s", path, query, body, w.Code, w.Body)
			}
		}
	})
}

// No answer says where the file lies: messages have its base name.
func TestNoPaths(t *testing.T) {
	for _, c := range []struct{ space, store, target, body, want string }{
		{"slide/dads", "", "/api/near", `{"patterns":["AABB/AACC/DEEF/DGHF"],"layers":"3"}`, "test.reach keeps no whole distances"},
		{"lunar/3x3:1-2", "", "/api/near", `{"patterns":["X.1/.+./..2"],"layers":"77"}`, "no position of test.reach is in layer 77"},
		{"peg/4x4@0,1", layers.SetStore, "/api/near", `{"patterns":["oooo/oooo/oooo/oooo"],"layers":"77"}`, "no position of test.reach is in layer 77"},
	} {
		families := builtin.Families()
		f := makeFile(t, families, c.space, c.store)
		w := send(openServer(t, f, families, web.Options{}), c.target, c.body)
		if text := w.Body.String(); w.Code != 400 || !strings.Contains(text, c.want) || strings.Contains(text, filepath.Dir(f.Path())) {
			t.Errorf("%s %s: %d %s; want %q", c.target, c.body, w.Code, text, c.want)
		}
	}
}
