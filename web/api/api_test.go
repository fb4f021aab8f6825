package api

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"pagoda/ask"
	"pagoda/puzzle"
	"pagoda/puzzle/builtin"
	"pagoda/run"
)

// open answers questions about a space.
func open(t *testing.T, name string) *API {
	t.Helper()
	families := builtin.Families()
	sp, err := families.Lookup(t.Context(), name, nil, puzzle.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "test.reach")
	if _, err := run.Start(t.Context(), sp, run.Options{Output: path, Threads: 2}); err != nil {
		t.Fatal(err)
	}
	f, err := ask.Open(t.Context(), path, families.Define, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	a, err := New(f, families, Options{Pictures: Pictures})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	return a
}

// Requests beyond the bound are refused at once, and those that wait for their turn in time.
func TestBusy(t *testing.T) {
	a := open(t, "peg/4x4@0,1")
	for range cap(a.work) {
		a.work <- struct{}{}
	}
	has := func(ctx context.Context) *Reply {
		return a.Answer(ctx, &Request{Method: "POST", Path: "/api/has", Body: []byte(`{"pattern":"oooooooooooooooo"}`)})
	}
	ctx, cancel := context.WithCancel(t.Context())
	var waiting sync.WaitGroup
	for range maxInFlight {
		waiting.Go(func() {
			for ctx.Err() == nil { // again, if it is refused because of the requests below
				has(ctx)
				time.Sleep(time.Millisecond)
			}
		})
	}
	var r *Reply
	for range 2000 { // until all of them wait
		time.Sleep(20 * time.Millisecond)
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		r = has(ctx)
		cancel()
		if r.Status == 503 {
			break
		}
	}
	if r.Status != 503 || r.Headers["Retry-After"] == "" {
		t.Errorf("beyond the bound: %d %s", r.Status, r.Body)
	}
	if r := a.Answer(t.Context(), &Request{Method: "GET", Path: "/api/space"}); r.Status != 200 {
		t.Errorf("what needs no turn: %d %s", r.Status, r.Body)
	}
	cancel()
	waiting.Wait()
	for range cap(a.work) {
		<-a.work
	}
	if r := has(t.Context()); r.Status != 200 {
		t.Errorf("afterwards: %d %s", r.Status, r.Body)
	}
}

// A body that nothing has bounded on its way is bounded here.
func TestLargeBody(t *testing.T) {
	a := open(t, "peg/4x4@0,1")
	if r := a.Answer(t.Context(), &Request{Method: "POST", Path: "/api/has", Body: make([]byte, MaxBody+1)}); r.Status != 413 {
		t.Errorf("a large body: %d %s", r.Status, r.Body)
	}
}

// Puzzles that people draw are measured, whatever the puzzle of the file.
func TestLengths(t *testing.T) {
	a := open(t, "slide/n2x3")
	for body, want := range map[string]string{
		`{"puzzle":"BAAC/BAAC/DEEF/DghF/i..j ./././.AA/.AA","metric":"moves"}`: `"length":81,"solutions":256`,
		`{"puzzle":"AA?"}`:                        `"fault":{"line":1,"column":3,"reason":"unexpected '?'`,
		`{"puzzle":"tray: A.","metric":"steps"}`:  `"reason":"the puzzle has no goal"`,
		`{"puzzle":"tray: A.","metric":"hops"}`:   `"error":"unknown metric \"hops\": expected steps`,
		`{"puzzle":"tray: A.","seconds":11}`:      `"error":"seconds is 11, expected at most 10"`,
		`{"puzzle":"tray: A.","metrics":"steps"}`: `"error":"the body is not the JSON that was expected`,
	} {
		r := a.Answer(t.Context(), &Request{Method: "POST", Path: "/api/lengths", Body: []byte(body)})
		if !strings.Contains(string(r.Body), want) || (r.Status == 400) != strings.HasPrefix(want, `"error"`) {
			t.Errorf("%s: %d %s, want %s", body, r.Status, r.Body, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r := a.Answer(ctx, &Request{Method: "POST", Path: "/api/lengths", Body: []byte(`{"puzzle":"tray: A.\ngoal: .A"}`)}); r.Status == 200 {
		t.Errorf("a question that was withdrawn is answered: %s", r.Body)
	}
}

// Without a file, puzzles are measured, and words drawn as soon as it is known how letters are played: as with a file.
func TestEarly(t *testing.T) {
	whole := open(t, "peg/5x7")
	early, err := NewEarly(whole.of, builtin.Families(), Options{Pictures: Pictures})
	if err != nil {
		t.Fatal(err)
	}
	defer early.Close()
	ask := func(a *API, path, query string) *Reply {
		return a.Answer(t.Context(), &Request{Method: "GET", Path: path, Query: query})
	}
	if r := ask(early, "/api/picture.gif", "text=GO"); r.Status != 501 {
		t.Errorf("without letters: %d %s", r.Status, r.Body)
	}
	if r := ask(early, "/api/space", ""); r.Status != 404 {
		t.Errorf("the space: %d %s", r.Status, r.Body)
	}
	var word struct{ Letters []json.RawMessage }
	if err := json.Unmarshal(ask(whole, "/api/word", "text=AGO").Body, &word); err != nil {
		t.Fatal(err)
	}
	letters, err := json.Marshal(map[string]json.RawMessage{"A": word.Letters[0], "G": word.Letters[1], "O": word.Letters[2]})
	if err != nil {
		t.Fatal(err)
	}
	if err := early.Prompt(letters); err != nil {
		t.Fatal(err)
	}
	for path, query := range map[string]string{"/api/word": "text=%C3%A0go%E2%82%AC", "/api/picture.svg": "text=go%20AGO&columns=3", "/api/picture.gif": "text=go&size=10"} {
		if got, want := ask(early, path, query), ask(whole, path, query); got.Status != 200 || string(got.Body) != string(want.Body) {
			t.Errorf("%s?%s: %d, %.300s; want %.300s", path, query, got.Status, got.Body, want.Body)
		}
	}
	if r := ask(early, "/api/picture.svg", "pattern=ooooo/ooooo/ooooo/oo.oo/ooooo/ooooo/ooooo"); r.Status != 501 {
		t.Errorf("a pattern: %d %s", r.Status, r.Body)
	}
	wrong := strings.Replace(string(letters), `"from":[`, `"from":[1`, 1)
	if err := early.Prompt([]byte(wrong)); err == nil || !strings.Contains(err.Error(), "there is no jump") {
		t.Errorf("a jump that cannot be made: %v", err)
	}
	slides := open(t, "slide/n2x3")
	board, err := NewEarly(slides.of, builtin.Families(), Options{Pictures: Pictures})
	if err != nil {
		t.Fatal(err)
	}
	defer board.Close()
	if err := board.Prompt(letters); err == nil {
		t.Error("sliding blocks take letters")
	}
	q := &Request{Method: "POST", Path: "/api/lengths", Body: []byte(`{"puzzle":"AA./B..\n.../BAA"}`)}
	if got, want := board.Answer(t.Context(), q), slides.Answer(t.Context(), q); got.Status != want.Status || string(got.Body) != string(want.Body) {
		t.Errorf("it is measured as %s, want %s", got.Body, want.Body)
	}
}
