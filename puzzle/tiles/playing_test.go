package tiles

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pagoda/ask"
	"pagoda/internal/long"
	"pagoda/layers"
	_ "pagoda/layers/all"
	"pagoda/puzzle"
	"pagoda/run"
	_ "pagoda/run/all"
	"pagoda/statespace/cells"
)

// pagePlayerOf runs a space and returns the player of its file.
func pagePlayerOf(t *testing.T, name string, o run.Options) *pagePlayer {
	t.Helper()
	families := puzzle.NewSet(Twenty48(), Threes())
	sp, err := families.Lookup(t.Context(), name, nil, puzzle.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	o.Output, o.Threads = filepath.Join(t.TempDir(), "game.reach"), 2
	if _, err := run.Start(t.Context(), sp, o); err != nil {
		t.Fatal(err)
	}
	f, err := ask.Open(t.Context(), o.Output, families.Define, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	p, err := families.Of(f.Space()).Page.Play(f.Space(), f, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p.(*pagePlayer)
}

// A plain game follows the printed rules, on slices of numbers.
type plain struct {
	threes     bool
	rows, cols int
	target     int
	bag        int
	hidden     bool
	aim        int // the tile whose chance is computed
	known      map[string][2]float64
}

// line slides a line towards its first cell.
func (p *plain) line(line []int) (after []int, gain int) {
	if p.threes {
		for i := 1; i < len(line); i++ {
			to, tile := line[i-1], line[i]
			if tile > 0 && (to == 0 || to+tile == 3 && to != tile || to == tile && tile >= 3) {
				after = slices.Concat(line[:i-1], []int{to + tile}, line[i+1:], []int{0})
				return after, p.worth(to+tile) - p.worth(to) - p.worth(tile)
			}
		}
		return line, 0
	}
	merged := false
	for _, tile := range line {
		switch {
		case tile == 0:
		case len(after) > 0 && after[len(after)-1] == tile && !merged:
			after[len(after)-1] *= 2
			gain += 2 * tile
			merged = true
		default:
			after = append(after, tile)
			merged = false
		}
	}
	for len(after) < len(line) {
		after = append(after, 0)
	}
	return after, gain
}

// worth is what a tile of Threes counts in the end.
func (p *plain) worth(tile int) int {
	if tile < 3 {
		return 0
	}
	n := 3
	for ; tile > 3; tile /= 2 {
		n *= 3
	}
	return n
}

// slide slides a board. Moved has the last cell of each line that has changed.
func (p *plain) slide(b []int, way string) (after []int, gain int, moved []int) {
	after = slices.Clone(b)
	lines, length, start, step := p.rows, p.cols, p.cols, 1
	if way == "up" || way == "down" {
		lines, length, start, step = p.cols, p.rows, 1, p.cols
	}
	for l := range lines {
		var cells, line []int
		for i := range length {
			if way == "down" || way == "right" {
				i = length - 1 - i
			}
			cells = append(cells, l*start+i*step)
			line = append(line, b[l*start+i*step])
		}
		slid, more := p.line(line)
		gain += more
		if !slices.Equal(slid, line) {
			moved = append(moved, cells[length-1])
		}
		for i, c := range cells {
			after[c] = slid[i]
		}
	}
	return after, gain, moved
}

var ways = []string{"up", "down", "left", "right"}

type plainDraw struct {
	cell, tile int
	chance     float64
	board      []int
	bag        [4]int // how many tiles 1, 2 and 3 are left
}

// nexts lists the next tiles with their chances.
func (p *plain) nexts(bag [4]int) (all []plainDraw) {
	for tile, n := range bag {
		if n > 0 {
			left := bag
			if left[tile]--; left == [4]int{} {
				left = p.full()
			}
			all = append(all, plainDraw{tile: tile, chance: float64(n) / float64(bag[1]+bag[2]+bag[3]), bag: left})
		}
	}
	return all
}

func (p *plain) full() [4]int { return [4]int{0, p.bag, p.bag, p.bag} }

// draws lists what may come after a slide, given the next tile that was seen.
func (p *plain) draws(b, moved []int, bag [4]int, next plainDraw) (all []plainDraw) {
	next.chance = 1
	cells, tiles := moved, []plainDraw{next}
	if p.hidden {
		tiles = p.nexts(bag)
	}
	if !p.threes {
		cells = nil
		for c, tile := range b {
			if tile == 0 {
				cells = append(cells, c)
			}
		}
		tiles = []plainDraw{{tile: 2, chance: 0.9}, {tile: 4, chance: 0.1}}
	}
	for _, c := range cells {
		for _, d := range tiles {
			d.cell, d.board = c, slices.Clone(b)
			d.board[c] = d.tile
			d.chance /= float64(len(cells))
			all = append(all, d)
		}
	}
	return all
}

func (p *plain) text(b []int, bag [4]int) string {
	var s strings.Builder
	for c, tile := range b {
		switch {
		case c == 0:
		case c%p.cols == 0:
			s.WriteString("/")
		default:
			s.WriteString(",")
		}
		if tile == 0 {
			s.WriteString(".")
		} else {
			s.WriteString(strconv.Itoa(tile))
		}
	}
	if p.threes && bag != p.full() {
		s.WriteString("@" + strings.Repeat("1", bag[1]) + strings.Repeat("2", bag[2]) + strings.Repeat("3", bag[3]))
	}
	return s.String()
}

// won reports whether a board has ended with the target.
func (p *plain) won(b []int) bool { return p.target > 0 && slices.Max(b) >= p.target }

// cases lists the next tiles that the player may see.
func (p *plain) cases(bag [4]int) []plainDraw {
	if p.threes && !p.hidden {
		return p.nexts(bag)
	}
	return []plainDraw{{chance: 1, bag: bag}}
}

// after returns what a slide is worth: the score and the chance of the aim. It is false if the slide changes nothing.
func (p *plain) after(b []int, bag [4]int, next plainDraw, way string) (v [2]float64, ok bool) {
	to, gain, moved := p.slide(b, way)
	if moved == nil {
		return v, false
	}
	if !p.threes {
		v[0] = float64(gain)
		if p.won(to) {
			return [2]float64{v[0], 1}, true
		}
	}
	for _, d := range p.draws(to, moved, bag, next) {
		w := p.value(d.board, d.bag)
		v[0] += d.chance * w[0]
		v[1] += d.chance * w[1]
	}
	if slices.Max(b) >= p.aim {
		v[1] = 1
	}
	return v, true
}

// value returns what a state is worth before the next tile is known.
func (p *plain) value(b []int, bag [4]int) (v [2]float64) {
	key := p.text(b, bag)
	if v, ok := p.known[key]; ok {
		return v
	}
	ended := true
	for _, next := range p.cases(bag) {
		best := [2]float64{math.Inf(-1), math.Inf(-1)}
		for _, way := range ways {
			if w, ok := p.after(b, bag, next, way); ok && !p.won(b) {
				ended = false
				best = [2]float64{max(best[0], w[0]), max(best[1], w[1])}
			}
		}
		v[0] += next.chance * best[0]
		v[1] += next.chance * best[1]
	}
	if ended {
		v = [2]float64{}
		if slices.Max(b) >= p.aim {
			v[1] = 1
		}
		for _, tile := range b {
			if p.threes {
				v[0] += float64(p.worth(tile))
			}
		}
	}
	p.known[key] = v
	return v
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) }

// Every hint of a small game is that of the plain game.
func TestHints(t *testing.T) {
	for name, p := range map[string]*plain{
		"2048/2x2":              {rows: 2, cols: 2, aim: 16},
		"2048/2x3:32":           {rows: 2, cols: 3, aim: 32, target: 32},
		"2048/1x4":              {rows: 1, cols: 4, aim: 16},
		"threes/2x2":            {rows: 2, cols: 2, aim: 12, threes: true, bag: 4},
		"threes/2x2@hidden":     {rows: 2, cols: 2, aim: 12, threes: true, bag: 4, hidden: true},
		"threes/2x2:12@bag=1":   {rows: 2, cols: 2, aim: 12, threes: true, bag: 1, target: 12},
		"threes/1x4@2,1,3,.@13": {rows: 1, cols: 4, aim: 6, threes: true, bag: 4},
	} {
		t.Run(strings.ReplaceAll(name, "/", "-"), func(t *testing.T) {
			if !long.Tests && p.cols == 3 {
				t.Skip("a large board")
			}
			p.known = make(map[string][2]float64)
			player := pagePlayerOf(t, name, run.Options{Own: run.ChanceOptions{Objectives: fmt.Sprintf("score,tile:%d,score>tile:%d", p.aim, p.aim)}})
			seen, wins, ends := make(map[string]bool), 0, 0
			type state struct {
				board []int
				bag   [4]int
			}
			var todo []state
			// The starts are those of the file.
			for _, d := range player.exact.Start() {
				text := player.exact.Format(d.Step, d.To)
				board, left, _ := strings.Cut(text, "@")
				s := state{bag: p.full()}
				if left != "" {
					s.bag = [4]int{0, strings.Count(left, "1"), strings.Count(left, "2"), strings.Count(left, "3")}
				}
				for _, cell := range strings.FieldsFunc(board, func(r rune) bool { return r == ',' || r == '/' }) {
					n, _ := strconv.Atoi(cell) // a dot is 0
					s.board = append(s.board, n)
				}
				seen[text] = true
				todo = append(todo, s)
			}
			check := func(s state) {
				text := p.text(s.board, s.bag)
				answer, err := player.Hint(t.Context(), text, "")
				if err != nil {
					t.Fatalf("%s: %v", text, err)
				}
				h := answer.(*tilesHint)
				want := p.value(s.board, s.bag)
				if h.Pattern != text || !near(*h.Values[0].Value, want[0]) || !near(*h.Values[1].Value, want[1]) || *h.Values[2].Value != *h.Values[0].Value {
					t.Fatalf("%s: %s is worth %v, %v, want %v", text, h.Pattern, *h.Values[0].Value, *h.Values[1].Value, want)
				}
				if c := h.Values[1].Complement; (c != nil) != (want[1] > 0.5) || c != nil && !near(*c, 1-want[1]) {
					t.Fatalf("%s: the complement of %v is %v", text, want[1], c)
				}
				var cases []plainDraw
				switch {
				case p.won(s.board):
					wins++
					if h.Ended != "won" {
						t.Fatalf("%s is won, and has ended: %q", text, h.Ended)
					}
				case !slices.ContainsFunc(ways, func(way string) bool { _, _, moved := p.slide(s.board, way); return moved != nil }):
					ends++
					if h.Ended != "over" {
						t.Fatalf("%s is over, and has ended: %q", text, h.Ended)
					}
				default:
					cases = p.cases(s.bag)
				}
				if len(h.Cases) != len(cases) || (h.Ended == "") != (len(cases) > 0) {
					t.Fatalf("%s: %d cases, %q, want %d", text, len(h.Cases), h.Ended, len(cases))
				}
				for i, c := range h.Cases {
					next := ""
					if p.threes && !p.hidden {
						next = strconv.Itoa(cases[i].tile)
					}
					if c.Next != next || !near(c.Chance, cases[i].chance) {
						t.Fatalf("%s: %q with chance %v, want %+v", text, c.Next, c.Chance, cases[i])
					}
					best := [2]float64{math.Inf(-1), math.Inf(-1)}
					var made []string
					for _, way := range ways {
						if v, ok := p.after(s.board, s.bag, cases[i], way); ok {
							best = [2]float64{max(best[0], v[0]), max(best[1], v[1])}
							made = append(made, way)
						}
					}
					for k, m := range c.Moves {
						if k >= len(made) || m.Move != made[k] || len(c.Moves) != len(made) {
							t.Fatalf("%s: %v, want %v", text, c.Moves, made)
						}
						slid, gain, moved := p.slide(s.board, m.Move)
						v, _ := p.after(s.board, s.bag, cases[i], m.Move)
						for o := range 2 {
							if !near(*m.Values[o].Value, v[o]) || !near(*m.Loss[o], best[o]-v[o]) || m.Best[o] != near(v[o], best[o]) {
								t.Fatalf("%s: %s, objective %d: %v, loss %v, best %v, want %v of %v", text, m.Move, o, *m.Values[o].Value, *m.Loss[o], m.Best[o], v[o], best[o])
							}
						}
						won := !p.threes && p.won(slid)
						if m.Board != p.text(slid, p.full()) || m.Gain != int64(gain) || m.Won != won || won != (len(m.Draws) == 0) {
							t.Fatalf("%s: %s is %s, gain %d, won %v, %d draws", text, m.Move, m.Board, m.Gain, m.Won, len(m.Draws))
						}
						if won {
							if h, err := player.Hint(t.Context(), m.Board, ""); err != nil || h.(*tilesHint).Ended != "won" || len(h.(*tilesHint).Values) != 0 {
								t.Fatalf("%s: %+v, %v", m.Board, h, err)
							}
							continue
						}
						draws := p.draws(slid, moved, s.bag, cases[i])
						if len(draws) != len(m.Draws) {
							t.Fatalf("%s: %s: %d draws, want %d", text, m.Move, len(m.Draws), len(draws))
						}
						for _, d := range draws {
							to := p.text(d.board, d.bag)
							at := slices.IndexFunc(m.Draws, func(e tilesDraw) bool { return e.Pattern == to })
							if at < 0 || !near(m.Draws[at].Chance, d.chance) || m.Draws[at].Tile != uint64(d.tile) || m.Draws[at].Cell != (cells.Cell{Row: d.cell / p.cols, Col: d.cell % p.cols}) {
								t.Fatalf("%s: %s: %+v, want %s with %v", text, m.Move, m.Draws, to, d)
							}
							if !seen[to] && len(seen) < 4000 {
								seen[to] = true
								todo = append(todo, state{d.board, d.bag})
							}
						}
					}
				}
			}
			for ; len(todo) > 0; todo = todo[1:] {
				check(todo[0])
			}
			if ends == 0 || len(seen) < 20 || wins == 0 && p.threes && p.target > 0 {
				t.Errorf("%d states, %d ends, %d wins", len(seen), ends, wins)
			}
		})
	}
}

// Board names the game, the values of the start, and the colours of the tiles.
func TestTilesBoard(t *testing.T) {
	for name, want := range map[string][]string{
		"2048/2x2@p4=0.5":            {`"kind":"tiles","game":"2048","rows":2,"cols":2,"p4":0.5,"start":"","target":0,"largest":32768`, `{"number":2,"light":["#eee4da",`, `"objectives":[{"name":"score","kind":"score","value":`},
		"2048/2x3:16@2,4,./.,.,.":    {`"start":"2,4,./.,.,.","target":16`, `{"name":"tile:16","kind":"chance","tile":16,"value":`},
		"threes/2x2@bag=1":           {`"game":"threes","rows":2,"cols":2,"bag":1,"hidden":false,"bonus":false,"start":"","target":0,"largest":6144`, `{"number":1,"light":["#66ccff",`},
		"threes/2x2@hidden@1,2/.,3":  {`"hidden":true,"bonus":false,"start":"1,2/.,3"`},
		"threes/1x3:96@bonus@1,2,48": {`"bonus":true,"start":"1,2,48","target":96`},
	} {
		data, err := json.Marshal(pagePlayerOf(t, name, run.Options{}).Board())
		for _, part := range want {
			if err != nil || !strings.Contains(string(data), part) {
				t.Errorf("%s: %s, %v: want %s", name, data, err, part)
			}
		}
	}
	// Of the values, some may be infinite; and the chance of a tile that is certain has a complement of 0.
	p := pagePlayerOf(t, "2048/2x2", run.Options{Own: run.ChanceOptions{Objectives: "moves:16,tile:4,length,discount:0.9:8"}})
	data, err := json.Marshal(p.Board())
	if want := `{"name":"moves:16","kind":"moves","tile":16,"value":null},{"name":"tile:4","kind":"chance","tile":4,"value":1,"complement":0},{"name":"length","kind":"length","value":`; err != nil || !strings.Contains(string(data), want) {
		t.Errorf("%s, %v", data, err)
	}
	h, err := p.Hint(t.Context(), "8,2/4,2", "")
	if err != nil {
		t.Fatal(err)
	}
	if data, err = json.Marshal(h); err != nil || !strings.Contains(string(data), `"values":[{"value":null},{"value":1,"complement":0}`) {
		t.Errorf("%s, %v", data, err)
	}
}

// A bonus tile has a case of its own.
func TestBonusHint(t *testing.T) {
	p := pagePlayerOf(t, "threes/2x3:192@bonus@96,48,6/3,2,1", run.Options{Own: run.ChanceOptions{Objectives: "score"}})
	answer, err := p.Hint(t.Context(), "96,48,6/3,2,1", "")
	if err != nil {
		t.Fatal(err)
	}
	h := answer.(*tilesHint)
	last := h.Cases[0]
	sum := 0.0
	for _, c := range h.Cases {
		sum += c.Chance
	}
	if len(h.Cases) != 4 || last.Next != "+" || !near(last.Chance, 1.0/21) || !near(sum, 1) {
		t.Fatalf("%+v", h.Cases)
	}
	for _, m := range last.Moves {
		sum := 0.0
		for _, d := range m.Draws {
			sum += d.Chance
			if d.Tile != 6 && d.Tile != 12 {
				t.Errorf("%s brings a %d", m.Move, d.Tile)
			}
		}
		if !near(sum, 1) {
			t.Errorf("%s: the chances add up to %v", m.Move, sum)
		}
	}
}

// What is no board, or none of the file, gets an answer that says so.
func TestBadHints(t *testing.T) {
	p := pagePlayerOf(t, "2048/2x2", run.Options{})
	for _, c := range []struct{ pattern, target, want string }{
		{"", "", "2 rows"},
		{"2,4", "", "2 rows"},
		{"2,4/.,x", "", "expected a number"},
		{"2,4/.,3", "", "power of two"},
		{"2,4/.,2@123", "", ""},
		{"2,4/.,2", "2,4/4,2", "expected no target"},
		{"./.", "", ""},
		{strings.Repeat("2,", 900), "", ""},
	} {
		if _, err := p.Hint(t.Context(), c.pattern, c.target); !errors.Is(err, ask.ErrQuestion) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q, %q: %v, want %q", c.pattern, c.target, err, c.want)
		}
	}
	for _, pattern := range []string{"64,64/64,64", ".,./.,.", "32768,32768/32768,32768"} {
		h, err := p.Hint(t.Context(), pattern, "")
		if data, _ := json.Marshal(h); err != nil || !strings.HasPrefix(string(data), `{"pattern":"`+pattern+`","unknown":"no game comes to it: `) || !strings.HasSuffix(string(data), `,"ended":"","values":[],"cases":[]}`) {
			t.Errorf("%s: %s, %v", pattern, data, err)
		}
	}
	p = pagePlayerOf(t, "threes/2x2", run.Options{})
	for _, pattern := range []string{"1,2/.,3@9", "1,2/.,3@", "1,1/1,1@1", "3,3/3,3@111122223333@1"} {
		if _, err := p.Hint(t.Context(), pattern, ""); !errors.Is(err, ask.ErrQuestion) {
			t.Errorf("%s: %v", pattern, err)
		}
	}
	// A list of states has no values, but the game can be played.
	p = pagePlayerOf(t, "2048/2x2", run.Options{Engine: run.SparseEngine, Store: layers.SparseStore})
	var none *puzzle.NoHintsError
	if _, err := p.Hint(t.Context(), "2,4/.,2", ""); !errors.As(err, &none) || !strings.Contains(none.Reason, "without what they are worth") {
		t.Errorf("without values: %v", err)
	}
	if b := p.Board().(*tilesBoard); b.NoHints == "" || len(b.Objectives) != 0 || len(b.Tiles) != 15 {
		t.Errorf("without values: %+v", b)
	}
}

// Any text gets an answer or an error of the question.
func FuzzHint(f *testing.F) {
	families := puzzle.NewSet(Twenty48(), Threes())
	var players []*pagePlayer
	for _, name := range []string{"2048/2x2:16", "threes/2x2"} {
		sp, err := families.Lookup(f.Context(), name, nil, puzzle.Choice{})
		if err != nil {
			f.Fatal(err)
		}
		o := run.Options{Output: filepath.Join(f.TempDir(), "game.reach"), Threads: 1}
		if _, err := run.Start(f.Context(), sp, o); err != nil {
			f.Fatal(err)
		}
		file, err := ask.Open(f.Context(), o.Output, families.Define, 0)
		if err != nil {
			f.Fatal(err)
		}
		f.Cleanup(func() { file.Close() })
		p, err := newPlayer(file.Space(), file, o)
		if err != nil {
			f.Fatal(err)
		}
		players = append(players, p.(*pagePlayer))
	}
	for _, text := range []string{"2,4/.,2", "16,4/2,2", "32768,32768/32768,32768", "1,2/.,3@111222333", "6144,6144/1,1", "@", "", "./."} {
		f.Add(text, "")
	}
	f.Fuzz(func(t *testing.T, pattern, target string) {
		for _, p := range players {
			if h, err := p.Hint(t.Context(), pattern, target); err != nil && !errors.Is(err, ask.ErrQuestion) {
				t.Errorf("%q: %v", pattern, err)
			} else if err == nil {
				if _, err := json.Marshal(h); err != nil {
					t.Errorf("%q: %v", pattern, err)
				}
			}
		}
	})
}

// What is said of the small entries is what a run finds; those that are large are in docs/studies/2048.md.
func TestEntries(t *testing.T) {
	for _, f := range []*puzzle.Family{Twenty48(), Threes()} {
		for _, e := range f.Entries() {
			sp, err := f.Lookup(t.Context(), e.Name, puzzle.Choice{})
			if err != nil {
				t.Fatal(err)
			}
			numbers := e.Facts().Numbers
			game := sp.Parts().Chance
			if grid, ok := game.(interface{ Cells() int }); !ok || int64(grid.Cells()) != numbers["cells"].Int64() {
				t.Errorf("%s has not %v cells", e.Name, numbers["cells"])
			}
			if numbers["states"].Int64() > 700_000 || !long.Tests && numbers["states"].Int64() > 30_000 {
				continue
			}
			r, err := run.Start(t.Context(), sp, run.Options{Own: run.ChanceOptions{Objectives: run.NoObjectives}})
			if err != nil || int64(r.States) != numbers["states"].Int64() {
				t.Errorf("%s has %d states, %v: expected %v", e.Name, r.States, err, numbers["states"])
			}
		}
	}
}
