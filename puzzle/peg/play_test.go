package peg

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"pagoda/ask"
	"pagoda/internal/long"
	"pagoda/layers"
	_ "pagoda/layers/all"
	"pagoda/puzzle"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/font"
	"pagoda/render"
	"pagoda/run"
	_ "pagoda/run/all"
	"pagoda/statespace"
)

// openPlayer makes the file of a board, and returns its player.
func openPlayer(t testing.TB, name string, o run.Options) *player {
	t.Helper()
	return openPlayerOf(t, name, "", o)
}

// openPlayerOf is openPlayer for a file that an engine makes.
func openPlayerOf(t testing.TB, name, engine string, o run.Options) *player {
	t.Helper()
	sp, err := Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "test.reach")
	if _, err := run.Start(t.Context(), sp, run.Options{Output: path, Engine: engine, Threads: 2}); err != nil {
		t.Fatal(err)
	}
	f, err := ask.Open(t.Context(), path, puzzle.NewSet(Family()).Define, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	p, err := Family().Page.Play(f.Space(), f, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p.(*player)
}

// decode returns an answer as the page reads it.
func decode(t testing.TB, answer, v any) {
	t.Helper()
	data, err := json.Marshal(answer)
	if err == nil {
		err = json.Unmarshal(data, v)
	}
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
		p := openPlayer(t, name, run.Options{Threads: 2})
		rng := rand.New(rand.NewPCG(1, 2))
		b := p.space.Board()
		forms := make(map[bool]int)
		for range 120 {
			at := rng.Uint64() & b.Full()
			to := at &^ (rng.Uint64() & rng.Uint64())
			if rng.IntN(2) == 0 { // one that is reached
				to = at
				for range rng.IntN(8) {
					if moves := jumpsOf(b, to); len(moves) > 0 {
						to = moves[rng.IntN(len(moves))]
					}
				}
			}
			answer, err := p.Hint(t.Context(), b.FormatPosition(at), b.FormatPosition(to))
			if err != nil {
				t.Fatal(err)
			}
			var h hintAnswer
			decode(t, answer, &h)
			next := jumpsOf(b, at)
			if h.Reachable != reaches(b, at, to) || len(h.Jumps) != len(next) {
				t.Fatalf("%s: from %s to %s: %v, %d jumps", name, h.Pattern, h.Target, h.Reachable, len(h.Jumps))
			}
			for i, q := range next {
				if h.Jumps[i].Keeps != reaches(b, q, to) {
					t.Fatalf("%s: from %s to %s: jump %d keeps it: %v", name, h.Pattern, h.Target, i, h.Jumps[i].Keeps)
				}
			}
			if h.Reachable == (h.Reason != "") || h.Reachable && (len(h.Moves) != len(h.Positions)-1 || h.Positions[len(h.Moves)] != h.Target || h.Positions[0] != h.Pattern) {
				t.Fatalf("%s: from %s to %s: %+v", name, h.Pattern, h.Target, h)
			}
			for _, w := range p.keeper.kept {
				forms[w.set != nil]++
			}
		}
		if forms[true] == 0 || forms[false] == 0 {
			t.Errorf("%s: sets and lists were %v", name, forms)
		}
	}
}

// jumpsOf returns the positions that jumps lead to.
func jumpsOf(b *board.Board, p board.Position) (to []board.Position) {
	for k := range b.Jumps() {
		if j := b.Jump(k); p>>j.From&1 == 1 && p>>j.Over&1 == 1 && p>>j.To&1 == 0 {
			to = append(to, p^(1<<j.From|1<<j.Over|1<<j.To))
		}
	}
	return to
}

// reaches searches for jumps from one position to another.
func reaches(b *board.Board, from, to board.Position) bool {
	seen := map[board.Position]bool{from: true}
	for todo := []board.Position{from}; len(todo) > 0; {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, q := range jumpsOf(b, p) {
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
	sp, err := Lookup("peg/4x4@0,1")
	if err != nil {
		t.Fatal(err)
	}
	k, err := newKeeper(sp, run.Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	k.budget = 3 * setBytes(sp)
	var targets []board.Position
	for x := range uint64(1 << 12) {
		if x%331 == 0 {
			targets = append(targets, sp.Class().Position(x))
		}
	}
	want := make(map[board.Position]bool)
	for _, p := range targets {
		want[p] = reaches(sp.Board(), sp.Start(), p)
	}
	cases := 40
	if !long.Tests {
		cases = 10
	}
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(i), 0))
			for range cases {
				p := targets[rng.IntN(len(targets))]
				ctx, cancel := context.WithCancel(t.Context())
				if rng.IntN(4) == 0 {
					go cancel()
				}
				err := k.ask(ctx, p, func(reaches func(x uint64) bool) {
					if got := reaches(sp.Roots()[0]); got != want[p] {
						t.Errorf("%s can be reached: %v, want %v", sp.Board().FormatPosition(p), got, want[p])
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
	used := uint64(0)
	for _, w := range k.kept {
		if w.waiting != 0 {
			t.Errorf("%d wait for what is kept", w.waiting)
		}
		used += w.bytes()
	}
	if most := k.budget + setBytes(sp)/4; used > most || len(k.kept) > maxKept+1 {
		t.Errorf("%d targets are kept in %d bytes, the budget is %d", len(k.kept), used, most)
	}
	k.mu.Unlock()
	if k.close(); len(k.kept) != 0 {
		t.Errorf("%d targets are kept after the end", len(k.kept))
	}
}

// The page gets the board as it is, and the single pegs that can be reached.
func TestBoard(t *testing.T) {
	p := openPlayer(t, "peg/triangle15@2,1", run.Options{})
	b := p.space.Board()
	var info struct {
		Lattice string
		Cells   [][2]int
		Jumps   [][3]int
		Goals   []string
		NoHints string `json:"no_hints"`
		Font    []any
	}
	decode(t, p.Board(), &info)
	if info.Lattice != "triangular" || len(info.Cells) != 15 || info.Cells[4] != [2]int{2, 1} || len(info.Jumps) != 36 || info.NoHints != "" || info.Font != nil {
		t.Errorf("the board is %+v", info)
	}
	var goals []string
	for cell := range 15 {
		if reaches(b, p.space.Start(), 1<<cell) {
			goals = append(goals, b.FormatPosition(1<<cell))
		}
	}
	slices.Sort(info.Goals)
	slices.Sort(goals)
	if !slices.Equal(info.Goals, goals) {
		t.Errorf("the goals are %v, want %v", info.Goals, goals)
	}
}

// A file that lists its positions is played like any other.
func TestSparseFile(t *testing.T) {
	plain, sparse := openPlayer(t, "peg/4x4@0,1", run.Options{}), openPlayerOf(t, "peg/4x4@0,1", run.SparseEngine, run.Options{})
	if store := sparse.file.Meta().Store; store != layers.SparseStore {
		t.Fatalf("the store is %s", store)
	}
	if got, want := fmt.Sprint(sparse.Board()), fmt.Sprint(plain.Board()); got != want {
		t.Errorf("the board is %s, want %s", got, want)
	}
	b := plain.space.Board()
	to := plain.space.Start()
	for next := jumpsOf(b, to); len(next) > 0; next = jumpsOf(b, to) {
		to = next[0]
		var answers [2]hintAnswer
		for i, p := range []*player{plain, sparse} {
			answer, err := p.Hint(t.Context(), b.FormatPosition(p.space.Start()), b.FormatPosition(to))
			if err != nil {
				t.Fatal(err)
			}
			decode(t, answer, &answers[i])
		}
		if !answers[0].Reachable || fmt.Sprint(answers[0]) != fmt.Sprint(answers[1]) {
			t.Errorf("to %s the hints are %v, want %v", b.FormatPosition(to), answers[1], answers[0])
		}
	}
}

// Only files of peg boards are played.
func TestOtherFile(t *testing.T) {
	p := openPlayer(t, "peg/3x3", run.Options{})
	other, err := ask.Open(t.Context(), p.file.Path(), func(_ context.Context, d statespace.Definition, _ uint64) (statespace.Space, error) {
		sp, err := Define(d)
		return struct{ statespace.Space }{sp}, err
	}, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if p, err := newPlayer(other.Space(), other, run.Options{}); p != nil || err != nil {
		t.Errorf("it is played by %v, %v", p, err)
	}
}

// Without memory there are no hints, and the board says so.
func TestNoHints(t *testing.T) {
	p := openPlayer(t, "peg/4x4@0,1", run.Options{Memory: 1000})
	_, err := p.Hint(t.Context(), strings.Repeat("o", 16), strings.Repeat("o", 15)+".")
	var none *puzzle.NoHintsError
	if !errors.As(err, &none) || !strings.Contains(none.Reason, "the limit is 1000 B") {
		t.Errorf("the error is %v", err)
	}
	if info := p.Board().(*boardInfo); none != nil && info.NoHints != none.Reason {
		t.Errorf("the board says %q", info.NoHints)
	}
}

// A hint that nobody waits for ends, and texts that are no positions are bad questions.
func TestHintErrors(t *testing.T) {
	p := openPlayer(t, "peg/4x4@0,1", run.Options{})
	full, one := strings.Repeat("o", 16), "o"+strings.Repeat(".", 15)
	gone := errors.New("they are gone")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(gone)
	p.keeper.turn <- struct{}{} // so that it waits
	b, at := p.space.Board(), p.space.Start()
	to := jumpsOf(b, jumpsOf(b, at)[0])[0]
	if _, err := p.Hint(ctx, b.FormatPosition(at), b.FormatPosition(to)); !errors.Is(err, gone) {
		t.Errorf("the error is %v", err)
	}
	<-p.keeper.turn
	for _, texts := range [][2]string{{"o", one}, {full, "x"}, {full, "?" + one[1:]}} {
		if _, err := p.Hint(t.Context(), texts[0], texts[1]); !errors.Is(err, ask.ErrQuestion) {
			t.Errorf("%q: %v, expected ErrQuestion", texts, err)
		}
	}
}

// Letters are for the board of the font alone.
func TestSpellElsewhere(t *testing.T) {
	var p puzzle.Speller = openPlayer(t, "peg/4x4", run.Options{})
	if _, err := p.Spell(t.Context(), "A", 3); !errors.Is(err, ask.ErrQuestion) || err.Error() != "words are positions of peg/5x7, this is peg/4x4" {
		t.Errorf("the error is %v", err)
	}
	for name, want := range map[string]bool{font.Space: true, "peg/5x7@0,0": false, "peg/7x5": false} {
		if sp, err := Lookup(name); err != nil || HasFont(sp) != want {
			t.Errorf("%s has letters: %v, want %v", name, !want, want)
		}
	}
}

// Each letter of a word is played from the start to the pattern of the font.
func TestSpell(t *testing.T) {
	if !long.Tests {
		t.Skip("it makes a file of 256 MiB")
	}
	p := openPlayer(t, font.Space, run.Options{Threads: 2})
	b := p.space.Board()
	w, err := p.Spell(t.Context(), "Hi h&", 3)
	if err != nil {
		t.Fatal(err)
	}
	letters := w.Letters.([]*Letter)
	if len(letters) != 5 || letters[4].Letter != "&" || !letters[4].Missing || letters[3].Missing {
		t.Fatalf("the letters are %+v", letters)
	}
	for _, l := range letters[:4] {
		glyph, _ := font.Lookup(l.Rune)
		at := p.space.Start()
		for _, step := range l.path.Steps {
			i := slices.Index(jumpsOf(b, at), p.space.Class().Position(step.State))
			if i < 0 {
				t.Fatalf("%s: no jump leads from %s to %s", l.Letter, b.FormatPosition(at), p.space.Format(step.State))
			}
			at = p.space.Class().Position(step.State)
		}
		if b.FormatPosition(at) != glyph.Pattern || l.Pattern != glyph.Pattern || *l.Distance != glyph.Distance || len(l.Moves) != len(l.path.Steps) {
			t.Errorf("%s ends in %s, want %s", l.Letter, b.FormatPosition(at), glyph.Pattern)
		}
	}
	// Hi and h&, each in a row of two: the blank between them has no board.
	if w.Columns != 2 || len(w.Films) != 4 || w.Films[0].Moves() != len(letters[0].path.Steps) || w.Films[3].Moves() != 0 {
		t.Errorf("there are %d boards in rows of %d", len(w.Films), w.Columns)
	}
	for text, want := range map[string]string{strings.Repeat("A", MaxLetters+1): "101 characters, expected at most 100", "\xff": "not UTF-8"} {
		if _, err := p.Spell(t.Context(), text, 3); !errors.Is(err, ask.ErrQuestion) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	// Accents, letters made of others, and line breaks.
	w, err = p.Spell(t.Context(), "Üß\r\nu\u0308’x", 9)
	if err != nil || w.Columns != 3 || len(w.Films) != 6 {
		t.Fatalf("%+v, %v", w, err)
	}
	text := ""
	for _, l := range w.Letters.([]*Letter) {
		text += fmt.Sprintf("%q,%q,%q ", l.Letter, l.For, l.Instead)
	}
	if want := `"U","Ü","U" "S","ß","SS" "S","ß","SS" "\n","","" "u","ü","U" "'","’","'" "x","","" `; text != want {
		t.Errorf("%s, want %s", text, want)
	}
	if w, err := p.Spell(t.Context(), "", 3); err != nil || len(w.Films) != 0 || len(w.Letters.([]*Letter)) != 0 {
		t.Errorf("no text is %+v, %v", w, err)
	}
}

// Rows end at blanks where they can, and have all letters but these blanks.
func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text    string
		columns int
		want    string
	}{
		{"", 3, ""},
		{"ab", 3, "ab"},
		{"abc", 3, "abc"},
		{"abcd", 3, "abc|d"},
		{"ab cd", 3, "ab|cd"},
		{"abc de", 3, "abc|de"},
		{"a b c d", 4, "a b|c d"},
		{" abc", 3, " ab|c"},
		{"abc ", 3, "abc"},
		{"ab", 1, "a|b"},
		{"a\nb", 3, "a|b"},
		{"abc\ndef gh", 4, "abc|def|gh"},
		{"a\n\nb", 3, "a||b"},
		{"abc\nd", 3, "abc|d"},
	} {
		var letters []*Letter
		for _, r := range c.text {
			letters = append(letters, &Letter{Rune: r, Missing: true})
		}
		var rows []string
		for _, row := range wrap(letters, c.columns) {
			text := ""
			for _, l := range row {
				text += string(l.Rune)
			}
			rows = append(rows, text)
		}
		if got := strings.Join(rows, "|"); got != c.want {
			t.Errorf("%q in rows of %d is %q, want %q", c.text, c.columns, got, c.want)
		}
	}
	// Rows are filled up, so that letters are below letters.
	sp, err := Lookup("peg/4x4")
	if err != nil {
		t.Fatal(err)
	}
	letters := []*Letter{{Rune: 'é', Missing: true}, {Rune: 'ü', Missing: true}, {Rune: '&', Missing: true}}
	films, columns, err := Compose(sp, letters, 2)
	if err != nil || columns != 2 || len(films) != 4 {
		t.Fatalf("%d boards in rows of %d, %v", len(films), columns, err)
	}
	if last := films[3].Frame(0, 0).Drawing; fmt.Sprint(last) != fmt.Sprint(render.Nothing{}) {
		t.Errorf("the last row is filled up with %v", last)
	}
}
