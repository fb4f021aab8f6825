package ask_test

import (
	"bytes"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pagoda/ask"
	"pagoda/export"
	"pagoda/puzzle/tiles/twenty48"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/cells"
	"pagoda/statespace/chance"
)

// game returns the file of a small game against chance.
func game(t *testing.T) *ask.File {
	g, err := twenty48.NewGame("2048/2x2", twenty48.Options{Rows: 2, Columns: 2, P4: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	return file(t, chance.NewSpace(g), "")
}

// numbers returns the members of a file.
func numbers(f *ask.File) (list []statespace.Index) {
	for x := range f.Meta().States {
		list = append(list, x)
	}
	return list
}

// The moves of a board are its own, and not those of the image that the file has.
func TestValueOfImages(t *testing.T) {
	f := game(t)
	mirrored := map[string]string{"left": "right", "right": "left", "up": "up", "down": "down"}
	for _, x := range numbers(f) {
		text := f.Space().Format(x)
		rows := strings.Split(text, "/")
		for i := range rows {
			tiles := strings.Split(rows[i], ",")
			slices.Reverse(tiles)
			rows[i] = strings.Join(tiles, ",")
		}
		movesOf := func(pattern string, name func(move string) string) map[string][]float64 {
			w, err := f.Value(pattern)
			if err != nil || w.As != text {
				t.Fatalf("%s is %s: %v", pattern, w.As, err)
			}
			all := make(map[string][]float64)
			for _, m := range w.Moves {
				all[name(w.Game.FormatChoice(m.GameMove))] = m.Values
			}
			return all
		}
		got := movesOf(strings.Join(rows, "/"), func(move string) string { return mirrored[move] })
		if want := movesOf(text, func(move string) string { return move }); !maps.EqualFunc(got, want, slices.Equal) {
			t.Errorf("the mirror image of %s has the moves %v, want %v", text, got, want)
		}
	}
}

// The boards of a path follow one another by the moves that are named, as a game is played.
func TestPathFollows(t *testing.T) {
	f := game(t)
	for _, x := range numbers(f) {
		s, err := f.PathTo(t.Context(), f.Space().Format(x), run.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i, move := range s.Route.Moves {
			direction, tile, _ := strings.Cut(move.String(), ", then a ")
			board, next := tilesOf(s.Route.Positions[i]), tilesOf(s.Route.Positions[i+1])
			slid := slide(board, direction)
			news := 0
			for c := range slid {
				if slid[c] != next[c] && slid[c] == "." && next[c] == tile {
					news++
				} else if slid[c] != next[c] {
					news = 9
				}
			}
			if slid == board || news != 1 {
				t.Errorf("%s: %s leads from %v to %v, and the board is %v", f.Space().Format(x), move, board, slid, next)
			}
		}
	}
}

// tilesOf returns the tiles of a board of 2x2.
func tilesOf(text string) (tiles [4]string) {
	copy(tiles[:], strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == '/' }))
	return tiles
}

// slide slides a board of 2x2.
func slide(tiles [4]string, direction string) [4]string {
	for _, line := range map[string][][2]int{"left": {{0, 1}, {2, 3}}, "right": {{1, 0}, {3, 2}}, "up": {{0, 2}, {1, 3}}, "down": {{2, 0}, {3, 1}}}[direction] {
		switch first, second := &tiles[line[0]], &tiles[line[1]]; {
		case *first == ".":
			*first, *second = *second, "."
		case *first == *second:
			n, _ := strconv.Atoi(*first)
			*first, *second = strconv.Itoa(2*n), "."
		}
	}
	return tiles
}

// The fields of a file of values are those of Value, which computes them by another way: from the text of a state.
func TestWorthFields(t *testing.T) {
	f := game(t)
	show := []string{"score", "tile_16", "no_tile_16", "sum"}
	describe, err := f.Describer(ask.Pick{}, show)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range numbers(f) {
		m, err := describe(x)
		if err != nil {
			t.Fatal(err)
		}
		w, err := f.Value(m.Pattern)
		if err != nil || !w.Reachable {
			t.Fatal(m.Pattern, err)
		}
		at := func(name string) float64 {
			return w.Values[slices.IndexFunc(w.Objectives, func(o chance.Objective) bool { return o.Name == name })]
		}
		sixteen := chance.Chance(at("tile:16"))
		want := []ask.FieldValue{{Name: "score", Value: at("score")}, {Name: "tile_16", Value: sixteen.P()},
			{Name: "no_tile_16", Value: sixteen.Q()}, {Name: "sum", Value: int64(w.Layer)}}
		if !slices.Equal(m.Fields, want) {
			t.Errorf("%s has %v, want %v", m.Pattern, m.Fields, want)
		}
	}
	if m := (ask.Member{Pattern: "a", Fields: []ask.FieldValue{{Name: "moves", Value: math.Inf(1)}, {Name: "score", Value: 0.5}, {Name: "sum", Value: int64(7)}}}); m.String() != "a  moves=infinite  score=0.5  sum=7" {
		t.Error(m.String())
	} else if text, err := m.MarshalJSON(); err != nil || string(text) != `{"pattern":"a","moves":null,"score":0.5,"sum":7}` {
		t.Error(string(text), err)
	}
}

// The images of all states are the raw states, and branching counts slides without new tiles.
func TestWorthFeatures(t *testing.T) {
	f := game(t)
	describe, err := f.Describer(ask.Pick{}, []string{"orbit", "branching"})
	if err != nil {
		t.Fatal(err)
	}
	raw := int64(0)
	for _, x := range numbers(f) {
		m, err := describe(x)
		if err != nil {
			t.Fatal(err)
		}
		w, err := f.Value(m.Pattern)
		if err != nil {
			t.Fatal(err)
		}
		raw += m.Fields[0].Value.(int64)
		if m.Fields[1].Value != int64(len(w.Moves)) {
			t.Errorf("%s: %v, and %d slides", m.Pattern, m.Fields[1], len(w.Moves))
		}
	}
	if figure := f.Meta().Figures[0]; figure.Name != "raw_states" || uint64(raw) != figure.Value {
		t.Errorf("%d images, want %+v", raw, figure)
	}
}

// Members are picked and sorted by layer and by value as by a plain look at all.
func TestWorthPicks(t *testing.T) {
	f := game(t)
	score := make(map[statespace.Index]float64)
	for _, x := range numbers(f) {
		w, err := f.Value(f.Space().Format(x))
		if err != nil {
			t.Fatal(err)
		}
		score[x] = w.Values[0]
	}
	layer := f.Space().Parts().Layers.Layer
	found := 0
	for _, c := range []ask.Pick{
		{}, {Where: "score > 20.5"}, {Where: "score <= 20.5", Sort: "-score"}, {Sort: "score"},
		{Layers: &cells.Range{Least: 12, Most: 16}, Sort: "score"}, {Layers: &cells.Range{Least: 11, Most: 13}}, {Layers: &cells.Range{Least: 0, Most: 4}},
		{Layers: &cells.Range{Least: 60, Most: 1 << 30}, Where: "score == 0"}, {Layers: &cells.Range{Least: 60, Most: 60}, Where: "score == 0"},
	} {
		want := slices.DeleteFunc(numbers(f), func(x statespace.Index) bool {
			return c.Layers != nil && !c.Layers.Holds(layer(x)) || c.Where == "score > 20.5" && score[x] <= 20.5 ||
				c.Where == "score <= 20.5" && score[x] > 20.5 || c.Where == "score == 0" && score[x] != 0
		})
		slices.SortStableFunc(want, func(x, y statespace.Index) int {
			switch difference := score[x] - score[y]; {
			case c.Sort == "" || difference == 0:
				return 0
			case (difference < 0) == (c.Sort == "score"):
				return -1
			}
			return 1
		})
		var got []statespace.Index
		for x, err := range f.List(t.Context(), c) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, x)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%+v: %v, want %v", c, got, want)
		}
		n, err := f.Count(t.Context(), c)
		if err != nil || n != uint64(len(want)) {
			t.Errorf("%+v: %d are counted, want %d: %v", c, n, len(want), err)
		}
		drawn, err := f.Sample(t.Context(), c, 5, rand.New(rand.NewPCG(1, 2)))
		if err != nil || len(drawn) != min(5, len(want)) || slices.ContainsFunc(drawn, func(x statespace.Index) bool { return !slices.Contains(want, x) }) {
			t.Errorf("%+v: the sample is %v: %v", c, drawn, err)
		}
		found += len(want)
	}
	if found < 300 {
		t.Errorf("only %d states were compared", found)
	}
	_, err := f.Count(t.Context(), ask.Pick{Where: "scor > 2"})
	question(t, err, `there is no field "scor"; did you mean score?`)
}

// A table has values with all digits.
func TestWorthExport(t *testing.T) {
	f := game(t)
	var b bytes.Buffer
	if err := f.Export(t.Context(), &b, export.Formats()[0], ask.Pick{Layers: &cells.Range{Least: 4, Most: 4}, Sort: "-score"}, []string{"score", "tile_32"}, new(statespace.Progress)); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); !strings.HasPrefix(got, "number,pattern,sum,score,tile_32\n") || strings.Count(got, "\n") != 3 {
		t.Error(got)
	}
}
