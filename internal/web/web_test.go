package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image/gif"
	"io"
	"io/fs"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pagoda/bitset"
	"pagoda/font"
	"pagoda/internal/cli"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/catalog"
	"pagoda/statespace/peg"
)

// makeFile makes and opens the file of a space in a store.
func makeFile(t testing.TB, name, storeName string) *layers.File {
	t.Helper()
	ctx := context.Background()
	sp, err := catalog.Lookup(name, nil, catalog.Sliding{})
	if err != nil {
		t.Fatal(err)
	}
	meta := &layers.Meta{Space: sp.Definition(), Store: storeName, Size: sp.Size()}
	var members bitset.Reader
	engine := statespace.Engines(sp)[0]
	if r, ok := sp.(statespace.Reversible); ok {
		distances, err := bitset.PlanesOver(make([]uint64, bitset.PlaneWords(sp.Size(), statespace.DistanceBits)), sp.Size(), statespace.DistanceBits)
		if err != nil {
			t.Fatal(err)
		}
		found, err := statespace.FindDistances(ctx, r, engine, distances, 2, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, n := range found.Layers {
			meta.Layers = append(meta.Layers, layers.LayerCount{Layer: i, States: n})
		}
		meta.Layer, meta.States, members = "depth", found.States(), bitset.Support{Planes: distances}
	} else {
		set := bitset.New(sp.Size())
		if err := statespace.Enumerate(ctx, sp, engine, set, 2, nil); err != nil {
			t.Fatal(err)
		}
		counts, err := statespace.CountLayers(ctx, sp, set, 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range counts {
			meta.Layers = append(meta.Layers, layers.LayerCount{Layer: l.Layer, States: l.States})
			meta.States += l.States
		}
		meta.Layer, members = sp.(statespace.Layered).LayerName(), set
	}
	path := filepath.Join(t.TempDir(), "test.reach")
	w, err := layers.Create(path, 0, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Finish(ctx, sp, members, meta, layers.Making{Threads: 2}); err != nil {
		t.Fatal(err)
	}
	f, _, err := cli.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func newServer(t testing.TB, f *layers.File) *Server {
	t.Helper()
	s, err := New(f, Options{Threads: 2, Loopback: true})
	if err != nil {
		t.Fatal(err)
	}
	return s
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

// ask asks a server and decodes its answer.
func ask(t testing.TB, h http.Handler, target, body string, v any) {
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
	s := newServer(t, makeFile(t, "peg/4x4@0,1", layers.SetStore))
	long := strings.Repeat("o", 2000)
	for _, c := range []struct {
		target, body string
		status       int
		message      string
	}{
		{"/api/nothing", "", 404, `there is no \"/api/nothing\": docs/api.md`},
		{"/api/near", "", 405, "takes POST, found \\\"GET\\\""},
		{"/api/space", "{}", 405, "takes GET"},
		{"/index.html", "{}", 405, "takes GET"},
		{"/nothing.js", "", 404, "no such page"},
		{"/api/space?x=1", "", 400, `does not take \"x\"`},
		{"/api/layers?%zz", "", 400, "the query string cannot be read"},
		{"/api/has?x=1", "{}", 400, `does not take \"x\"`},
		{"/api/has", "{", 400, "not the JSON that was expected"},
		{"/api/has", "[]", 400, "not the JSON that was expected"},
		{"/api/has", " ", 400, "the body is empty"},
		{"/api/has", `{"pattern":"oo"} {}`, 400, "there is more behind the object"},
		{"/api/has", `{"patern":"oo"}`, 400, `unknown field \"patern\"`},
		{"/api/has", `{"pattern":7}`, 400, "cannot unmarshal number"},
		{"/api/has", `{"pattern":"oo"}`, 400, "the board has 16 cells, the pattern has 2"},
		{"/api/has", `{"pattern":"` + long + `"}`, 400, "2000 bytes, expected at most 1000"},
		{"/api/has", `{"pattern":"` + strings.Repeat(long, 40) + `"}`, 413, "larger than 65536 bytes"},
		{"/api/near", `{}`, 400, "there are 0 patterns, expected 1 to 16"},
		{"/api/near", `{"patterns":["ooooooooooooooox"]}`, 400, "unexpected 'x'"},
		{"/api/near", `{"patterns":["oooooooooooooooo"],"limit":0}`, 400, "limit is 0, expected 1 to 1000"},
		{"/api/near", `{"patterns":["oooooooooooooooo"],"limit":1000000}`, 400, "limit is 1000000"},
		{"/api/near", `{"patterns":["oooooooooooooooo"],"within":17}`, 400, "no position can be farther away than 16"},
		{"/api/near", `{"patterns":["oooooooooooooooo"],"within":-1}`, 400, "within"},
		{"/api/near", `{"patterns":["oooooooooooooooo"],"within":1e99}`, 400, "within"},
		{"/api/near", `{"patterns":["oooooooooooooooo"],"pegs":"9-3"}`, 400, "expected a number of pegs"},
		{"/api/near", `{"patterns":["oooooooooooooooo"],"weights":"1 2"}`, 400, "weights"},
		{"/api/near", `{"patterns":["o","o","o","o","o","o","o","o","o","o","o","o","o","o","o","o","o"]}`, 400, "there are 17 patterns"},
		{"/api/path", `{"pattern":"????????????????"}`, 400, "unexpected '?'"},
		{"/api/hint", `{"pattern":"oooooooooooooooo"}`, 400, "the board has 16 cells, the pattern has 0"},
		{"/api/hint", `{"pattern":"oooooooooooooooo","target":"?ooooooooooooooo"}`, 400, "unexpected '?'"},
		{"/api/word?text=A", "", 400, "words are positions of peg/5x7, this is peg/4x4@0,1"},
		{"/api/picture.svg", "", 400, "expected either text or pattern"},
		{"/api/picture.svg?text=A&pattern=o", "", 400, "expected either text or pattern"},
		{"/api/picture.svg?pattern=oooooooooooooooo&pattern=o", "", 400, "pattern is given 2 times"},
		{"/api/picture.svg?pattern=oooooooooooooooo&size=7", "", 400, `size is \"7\", expected 8 to 80`},
		{"/api/picture.svg?pattern=oooooooooooooooo&theme=pink", "", 400, "unknown theme"},
		{"/api/picture.svg?pattern=oooooooooooooooo&show=all", "", 400, "expected puzzle or solved"},
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
	f := makeFile(t, "peg/4x4@0,1", layers.SetStore)
	s := newServer(t, f)
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
	open, err := New(f, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		site string
		want int
	}{{"", 200}, {"none", 200}, {"same-origin", 200}, {"cross-site", 403}} {
		r := httptest.NewRequest("GET", "/api/space", nil)
		r.Host = "example.com"
		r.Header.Set("Sec-Fetch-Site", c.site)
		w := httptest.NewRecorder()
		open.ServeHTTP(w, r)
		if w.Code != c.want {
			t.Errorf("a request of the site %q: %d, want %d", c.site, w.Code, c.want)
		}
	}
}

// The page takes nothing from elsewhere, and nothing that its policy forbids.
func TestPage(t *testing.T) {
	s := newServer(t, makeFile(t, "peg/4x4@0,1", layers.SetStore))
	w := send(s, "/", "")
	if w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
		t.Fatalf("the page: %d, %s", w.Code, w.Header().Get("Content-Type"))
	}
	checkHeaders(t, w)
	foreign := regexp.MustCompile(`(?i)(https?:)?//[a-z]|\bstyle="|\bon[a-z]+="|<style|<script[^>]*>[^<]|"javascript:|@import`)
	err := fs.WalkDir(static, "static", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := static.ReadFile(path)
		if err != nil {
			return err
		}
		text := strings.ReplaceAll(string(data), "http://www.w3.org/2000/svg", "")
		if strings.HasSuffix(path, ".js") { // comments
			text = regexp.MustCompile(`(?m)(^|[ ;{,])// .*$`).ReplaceAllString(text, "")
		}
		if found := foreign.FindString(text); found != "" {
			t.Errorf("%s has %q", path, found)
		}
		if w := send(s, "/"+strings.TrimPrefix(path, "static/"), ""); w.Code != 200 && w.Code != 301 || strings.HasSuffix(path, ".js") && !strings.Contains(w.Header().Get("Content-Type"), "javascript") {
			t.Errorf("%s: %d, %s", path, w.Code, w.Header().Get("Content-Type"))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

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

// Hints agree with a search from the position, one state at a time, wherever it is and
// whether the target can be reached or not.
func TestHints(t *testing.T) {
	for _, name := range []string{"peg/4x4@0,1", "peg/triangle15"} {
		s := newServer(t, makeFile(t, name, layers.SetStore))
		rng := rand.New(rand.NewPCG(1, 2))
		b := s.peg.Board()
		forms := make(map[bool]int)
		for range 120 {
			at := rng.Uint64() & b.Full()
			to := at &^ (rng.Uint64() & rng.Uint64())
			if rng.IntN(2) == 0 { // one that is reached
				to = at
				for range rng.IntN(8) {
					if moves := jumpsOf(s.peg, to); len(moves) > 0 {
						to = moves[rng.IntN(len(moves))]
					}
				}
			}
			var h hintAnswer
			ask(t, s, "/api/hint", fmt.Sprintf(`{"pattern":%q,"target":%q}`, b.FormatPosition(at), b.FormatPosition(to)), &h)
			next := jumpsOf(s.peg, at)
			if h.Reachable != reaches(s.peg, at, to) || len(h.Jumps) != len(next) {
				t.Fatalf("%s: from %s to %s: %v, %d jumps", name, h.Pattern, h.Target, h.Reachable, len(h.Jumps))
			}
			for i, p := range next {
				if h.Jumps[i].Keeps != reaches(s.peg, p, to) {
					t.Fatalf("%s: from %s to %s: jump %d keeps it: %v", name, h.Pattern, h.Target, i, h.Jumps[i].Keeps)
				}
			}
			if h.Reachable == (h.Reason != "") || h.Reachable && (len(h.Moves) != len(h.Positions)-1 || h.Positions[len(h.Moves)] != h.Target || h.Positions[0] != h.Pattern) {
				t.Fatalf("%s: from %s to %s: %+v", name, h.Pattern, h.Target, h)
			}
			for _, w := range s.keeper.kept {
				forms[w.set != nil]++
			}
		}
		if forms[true] == 0 || forms[false] == 0 {
			t.Errorf("%s: sets and lists were %v", name, forms)
		}
	}
}

// jumpsOf returns the positions that jumps lead to.
func jumpsOf(sp *peg.Space, p peg.Position) (to []peg.Position) {
	for k := range sp.Board().Jumps() {
		if j := sp.Board().Jump(k); p>>j.From&1 == 1 && p>>j.Over&1 == 1 && p>>j.To&1 == 0 {
			to = append(to, p^(1<<j.From|1<<j.Over|1<<j.To))
		}
	}
	return to
}

// reaches searches for a way.
func reaches(sp *peg.Space, from, to peg.Position) bool {
	seen := map[peg.Position]bool{from: true}
	for todo := []peg.Position{from}; len(todo) > 0; {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, q := range jumpsOf(sp, p) {
			if !seen[q] {
				seen[q] = true
				todo = append(todo, q)
			}
		}
	}
	return seen[to]
}

// What is kept stays within its budget, and who gives up leaves nothing behind, whatever
// many ask at once.
func TestKeeper(t *testing.T) {
	f := makeFile(t, "peg/4x4@0,1", layers.SetStore)
	s := newServer(t, f)
	k := s.keeper
	k.budget = 3 * cli.StateBytes(s.peg)
	var targets []peg.Position
	for x := range uint64(1 << 12) {
		if x%331 == 0 {
			targets = append(targets, s.peg.Class().Position(x))
		}
	}
	want := make(map[peg.Position]bool)
	for _, p := range targets {
		want[p] = reaches(s.peg, s.peg.Start(), p)
	}
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(i), 0))
			for range 40 {
				p := targets[rng.IntN(len(targets))]
				ctx, cancel := context.WithCancel(t.Context())
				if rng.IntN(4) == 0 {
					go cancel()
				}
				err := k.ask(ctx, p, func(reaches func(x uint64) bool) {
					if got := reaches(s.peg.Roots()[0]); got != want[p] {
						t.Errorf("%s can be reached: %v, want %v", s.peg.Board().FormatPosition(p), got, want[p])
					}
				})
				if err != nil && ctx.Err() == nil {
					t.Error(err)
				}
				cancel()
			}
		})
	}
	group.Wait()
	k.turn <- struct{}{} // nothing is under way any more
	k.mu.Lock()
	defer k.mu.Unlock()
	used := uint64(0)
	for _, w := range k.kept {
		if w.waiting != 0 {
			t.Errorf("%d wait for what is kept", w.waiting)
		}
		used += w.bytes()
	}
	if most := k.budget + cli.StateBytes(s.peg)/4; used > most || len(k.kept) > maxKept+1 {
		t.Errorf("%d targets are kept in %d bytes, the budget is %d", len(k.kept), used, most)
	}
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
		s := newServer(t, makeFile(t, "peg/4x4@0,1", store))
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
	f := makeFile(t, "peg/5x6", layers.SetStore)
	var log strings.Builder
	s, err := New(f, Options{Loopback: true, Log: func(format string, args ...any) { fmt.Fprintf(&log, format, args...) }})
	if err != nil {
		t.Fatal(err)
	}
	ask(t, s, "/api/has", `{"pattern":"ooooo/ooooo/ooooo/ooooo/ooooo/oooo."}`, new(any))
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

// Sliding blocks have their layers; what is about pegs is refused.
func TestSlide(t *testing.T) {
	s := newServer(t, makeFile(t, "slide/dads", layers.Mod3Store))
	var space struct {
		Space string
		Board any
	}
	ask(t, s, "/api/space", "", &space)
	if space.Space != "slide/dads" || space.Board != nil {
		t.Errorf("it is %+v", space)
	}
	ask(t, s, "/api/layers", "", new(any))
	ask(t, s, "/api/has", `{"pattern":"AABB/AACC/12../DEFF/DEGG"}`, new(any))
	for target, body := range map[string]string{"/api/near": `{"patterns":["A"]}`, "/api/path": `{"pattern":"A"}`, "/api/hint": `{}`, "/api/word?text=A": "", "/api/picture.svg?text=A": ""} {
		if w := send(s, target, body); w.Code != 400 || !strings.Contains(w.Body.String(), "the file holds slide/dads") {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
	}
}

// The board of the font, as it is served.
func TestFont(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes a file of 256 MiB")
	}
	s := newServer(t, makeFile(t, font.Space, layers.SetStore))
	var space struct {
		States uint64
		Board  struct {
			Cells, Jumps []any
			Font         []struct{ Letter, Pattern string }
		}
	}
	ask(t, s, "/api/space", "", &space)
	if space.States != 1_045_173_439 || len(space.Board.Cells) != 35 || len(space.Board.Jumps) != 92 || len(space.Board.Font) != len(font.Glyphs()) {
		t.Errorf("%d states, %d cells, %d jumps, %d letters", space.States, len(space.Board.Cells), len(space.Board.Jumps), len(space.Board.Font))
	}
	var word struct {
		Letters []struct {
			Letter, Pattern string
			Missing         bool
			Moves           []struct{ From, Over, To [2]int }
		}
	}
	ask(t, s, "/api/word?text=Hi%20%C3%A9", "", &word)
	if len(word.Letters) != 4 || word.Letters[3].Letter != "é" || !word.Letters[3].Missing || word.Letters[1].Missing {
		t.Fatalf("the word is %+v", word)
	}
	for _, l := range word.Letters[:3] {
		p := s.peg.Start()
		for _, m := range l.Moves {
			from, over, to := cellAt(s, m.From), cellAt(s, m.Over), cellAt(s, m.To)
			if p>>from&1 != 1 || p>>over&1 != 1 || p>>to&1 != 0 {
				t.Fatalf("%s: %v cannot be made in %s", l.Letter, m, s.peg.Board().FormatPosition(p))
			}
			p ^= 1<<from | 1<<over | 1<<to
		}
		if got := s.peg.Board().FormatPosition(p); got != l.Pattern {
			t.Errorf("%s leads to %s, want %s", l.Letter, got, l.Pattern)
		}
	}
	// Each jump of a solution keeps the letter within reach, and its end is the letter.
	var h hintAnswer
	start, target := s.peg.Board().FormatPosition(s.peg.Start()), word.Letters[0].Pattern
	ask(t, s, "/api/hint", fmt.Sprintf(`{"pattern":%q,"target":%q}`, start, target), &h)
	if !h.Reachable || len(h.Moves) != len(word.Letters[0].Moves) || !slices.Contains(h.Positions, target) {
		t.Errorf("H can be reached: %v, by %d jumps", h.Reachable, len(h.Moves))
	}
	ask(t, s, "/api/hint", fmt.Sprintf(`{"pattern":%q,"target":%q}`, target, start), &h)
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
		w := send(s, "/api/picture.svg?show="+show+"&text=A%C3%A9", "")
		if w.Code != 200 || w.Header().Get("Content-Disposition") != `attachment; filename="A.svg"` || !strings.Contains(w.Body.String(), "é") {
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

func cellAt(s *Server, at [2]int) int {
	i, _ := s.peg.Board().Number(peg.Cell{Row: at[0], Col: at[1]})
	return i
}

// A small board has no hints if there is no memory for them.
func TestNoMemory(t *testing.T) {
	s, err := New(makeFile(t, "peg/4x4@0,1", layers.SetStore), Options{Memory: 1000, Loopback: true})
	if err != nil {
		t.Fatal(err)
	}
	w := send(s, "/api/hint", `{"pattern":"oooooooooooooooo","target":"ooooooooooooooo."}`)
	if w.Code != 501 || !strings.Contains(w.Body.String(), "--mem allows") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	var space struct {
		Board struct {
			NoHints string `json:"no_hints"`
		}
	}
	ask(t, s, "/api/space", "", &space)
	if space.Board.NoHints == "" {
		t.Error("it does not tell that there are no hints")
	}
}

// Requests beyond the bound are refused at once, and those that wait for their turn in time.
func TestBusy(t *testing.T) {
	s := newServer(t, makeFile(t, "peg/4x4@0,1", layers.SetStore))
	for range maxInFlight {
		s.inFlight <- struct{}{}
	}
	if w := send(s, "/api/space", ""); w.Code != 503 || w.Header().Get("Retry-After") == "" {
		t.Errorf("beyond the bound: %d", w.Code)
	}
	for range maxInFlight {
		<-s.inFlight
	}
	for range cap(s.work) {
		s.work <- struct{}{}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	r := httptest.NewRequestWithContext(ctx, "POST", "/api/has", strings.NewReader(`{"pattern":"oooooooooooooooo"}`))
	r.Host = "localhost"
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if w.Code != 503 {
		t.Errorf("while others work: %d %s", w.Code, w.Body)
	}
}

// The end of the context ends serving, and lets a request that has begun come to its end.
func TestServe(t *testing.T) {
	s := newServer(t, makeFile(t, "peg/4x4@0,1", layers.SetStore))
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
	s := newServer(f, makeFile(f, "peg/4x4@0,1", layers.SetStore))
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
