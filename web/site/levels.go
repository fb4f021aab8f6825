package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/bits"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"pagoda/puzzle"
	"pagoda/puzzle/peg"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/font"
	"pagoda/puzzle/slide/formats"
	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/tiles/threes"
	"pagoda/puzzle/tiles/twenty48"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/cells"
)

// A level is a puzzle that people play one after another. Its ID is that of results, which a device keeps.
type level struct {
	ID    string   `json:"id"`
	Title string   `json:"title"`
	Also  []string `json:"also,omitempty"` // other names, and words by which it is found
	Href  string   `json:"href"`           // from the root of the site
	Par   int      `json:"par"`            // the length of the shortest solutions
	// Lengths are those of the shortest solutions by the metric, if the family counts moves in several ways. What is
	// not known is left out.
	Lengths map[string]int `json:"lengths,omitempty"`
	// A picture is drawn from the Text of the puzzle, or from a Pattern on a board; the Target is what it is brought to.
	Text    string `json:"text,omitempty"`
	Board   string `json:"board,omitempty"`
	Pattern string `json:"pattern,omitempty"`
	Target  string `json:"target,omitempty"`
	Goal    *goal  `json:"goal,omitempty"` // of number tiles: what is to be reached

	rank float64 // orders levels of the same par: the least is the easiest
}

// A goal is a tile with its colours.
type goal struct {
	Number uint64    `json:"number"`
	Light  [2]string `json:"light"`
	Dark   [2]string `json:"dark"`
}

// A pack is levels from easy to hard.
type pack struct {
	ID     string       `json:"id"`
	Title  string       `json:"title"`
	About  string       `json:"about"`
	Page   *puzzle.Page `json:"page"` // that plays them
	Levels []level      `json:"levels"`
}

// A levelPlace is where a level is.
type levelPlace struct {
	Pack   *pack
	Number int // from 1
}

// packs is what levels.json has. Boards are what is needed to draw the patterns of levels, by their names, and Metrics the ways
// of counting moves.
type packs struct {
	Boards  map[string]map[string]any `json:"boards"`
	Metrics []json.RawMessage         `json:"metrics"`
	Packs   []*pack                   `json:"packs"`
}

// The greatest pars: of what a first step is, and of what is not yet among the hardest of all.
const (
	maxFirst  = 22
	maxSolved = 90
)

var (
	rushHour = regexp.MustCompile(`^slide/rushhour\d+$`)
	huarong  = regexp.MustCompile(`^slide/(hrd-.*|klotski)$`)
)

// levelData writes the levels and their solutions, and returns the names of the files.
func (s *site) levelData(ctx context.Context) (levels, solutions string, err error) {
	first := &pack{ID: "first", Title: "First steps", About: "Slide the pieces to their places. Each puzzle asks a little more."}
	cars := &pack{ID: "rush-hour", Title: "Rush Hour", About: "Get the red car out. All others are in its way."}
	dao := &pack{ID: "huarong-dao", Title: "Huarong Dao", About: "Bring the large block to the door, among generals and soldiers."}
	deck := &pack{ID: "lunar", Title: "The Lunar deck", About: "A piece slides until another one stops it. Land the round ones."}
	triangles := &pack{ID: "cracker-barrel", Title: "Cracker barrel", About: "Jump peg over peg until one is left, in the right hole."}
	pegs := &pack{ID: "pegs", Title: "Peg solitaire", About: "Larger boards, and the letters of the peg font."}
	numbers := &pack{ID: "tiles", Title: "2048 and Threes", About: "Join tiles until the one on the card is there. Three stars mean that no slide lost any of the chance."}
	classics := &pack{ID: "classics", Title: "More classics", About: "Sliding blocks from two centuries, large and small."}
	hardest := &pack{ID: "hardest", Title: "The hardest of all", About: "The hardest puzzles of their size, and the longest solutions that are known."}
	all := packs{make(map[string]map[string]any), nil, []*pack{first, cars, dao, deck, triangles, pegs, numbers, classics, hardest}}

	names, err := namings()
	if err != nil {
		return "", "", err
	}
	slides, err := s.slideLevels(ctx)
	if err != nil {
		return "", "", err
	}
	for _, l := range slides {
		l.titled(names, l.ID)
		into := classics
		switch {
		case rushHour.MatchString(l.ID):
			into = cars
		case huarong.MatchString(l.ID):
			into = dao
		case strings.Contains(l.Title, "hardest") || l.Par > maxSolved:
			into = hardest
		case l.Par <= maxFirst:
			into = first
		}
		into.Levels = append(into.Levels, l)
	}
	if deck.Levels, err = s.lunarLevels(all.Boards); err != nil {
		return "", "", err
	}
	if triangles.Levels, pegs.Levels, err = s.pegLevels(ctx, names, all.Boards); err != nil {
		return "", "", err
	}
	if numbers.Levels, err = s.tilesLevels(ctx, names, all.Boards); err != nil {
		return "", "", err
	}
	for _, p := range all.Packs {
		if p == deck {
			continue // it has an order of its own
		}
		slices.SortStableFunc(p.Levels, func(a, b level) int { return cmp.Or(cmp.Compare(a.Par, b.Par), cmp.Compare(a.rank, b.rank)) })
	}
	for _, f := range s.families.All() {
		for _, m := range metrics(f) {
			if way, counted := s.counts[f.Name][m]; counted { // of levels
				all.Metrics = append(all.Metrics, way.metric)
			}
		}
	}
	s.packs, s.places = all.Packs, make(map[string]levelPlace)
	for _, p := range all.Packs {
		for _, l := range p.Levels {
			if name := l.space(); !slices.Contains(s.boards, name) && name != font.Space {
				if err := s.levelBoard(ctx, name, l.Title); err != nil {
					return "", "", err
				}
			}
		}
		family, _, _ := strings.Cut(p.Levels[0].ID, "/")
		p.Page = s.families.Named(family).Page
		for i, l := range p.Levels {
			s.places[l.ID] = levelPlace{p, i + 1}
		}
	}
	if solutions, err = s.solutions(ctx, all.Packs); err != nil {
		return "", "", err
	}
	levels, err = s.add("levels.json", statespace.Encode(all))
	return levels, solutions, err
}

// space is the name of the puzzle that is played.
func (l *level) space() string {
	q, _ := url.ParseQuery(strings.TrimPrefix(l.Href, "./?")) // playAt has made it
	return q.Get("space")
}

// titled gives a level the names of its puzzle. Its title is what the puzzle is about, so far.
func (l *level) titled(names []naming, puzzle string) {
	p := &collected{Name: puzzle, About: l.Title}
	p.name(names)
	l.Title = p.Title
	for _, also := range p.Also {
		l.Also = append(l.Also, also.Name)
	}
	l.Also = append(l.Also, p.find...)
}

// playAt is the address of a page on which a puzzle is played.
func playAt(values ...string) string {
	q := make(url.Values)
	for i := 0; i < len(values); i += 2 {
		q.Set(values[i], values[i+1])
	}
	return "./?" + strings.ReplaceAll(q.Encode(), "%2F", "/")
}

// smallest are n-puzzles to begin with, besides those of the library.
var smallest = []string{"slide/n2x2", "slide/n2x3"}

// slideLevels returns the puzzles that a text draws, of families that count moves in several ways, if a tab can
// compute them, and the page can show them: it has no trays of several floors.
func (s *site) slideLevels(ctx context.Context) (all []level, err error) {
	for _, f := range s.families.All() {
		for _, e := range f.List() {
			if e.Text == nil || e.Facts == nil || !s.plays[e.Name] {
				continue
			}
			l := slideLevel(e.Name, cmp.Or(e.About, e.Name), e.Text())
			for _, m := range metrics(f) {
				if n := e.Facts().Numbers[m]; n != nil {
					l.Lengths[m] = int(n.Int64())
				}
			}
			all = append(all, l)
		}
	}
	for _, name := range smallest {
		p, err := library.Lookup(name)
		if err != nil {
			return nil, err
		}
		title := p.Title
		p.Title = ""
		all = append(all, slideLevel(name, title, p.Format()))
	}
	for i := range all {
		if text := mixed[all[i].ID]; text != "" {
			p, err := formats.Parse(text)
			if err != nil {
				return nil, err
			}
			all[i].Text = p.Format()
		}
		if l := &all[i]; len(l.Lengths) == 0 {
			if err := s.measure(ctx, l); err != nil {
				return nil, err
			}
		}
		all[i].Par = all[i].Lengths[usual]
	}
	return slices.DeleteFunc(all, func(l level) bool { return l.Par == 0 }), nil
}

// usual is the metric of a name that names none.
const usual = "moves"

// metrics lists the ways in which a family counts moves.
func metrics(f *puzzle.Family) (all []string) {
	for _, o := range f.Options {
		all = append(all, o.Values...)
	}
	return all
}

// measure finds the shortest solutions of a small puzzle in each metric.
func (s *site) measure(ctx context.Context, l *level) error {
	family, _, _ := strings.Cut(l.ID, "/")
	for _, m := range metrics(s.families.Named(family)) {
		sp, err := s.space(ctx, l.ID, map[string]string{s.families.Named(family).Options[0].Name: m})
		if err != nil {
			return err
		}
		if sp.Size() > maxStates {
			return nil
		}
		r, err := run.Start(ctx, sp, run.Options{})
		if err != nil {
			return err
		}
		if r.Goal != nil {
			l.Lengths[m] = r.Goal.Distance
		}
	}
	return nil
}

func slideLevel(name, title, text string) level {
	return level{ID: name, Title: title, Href: playAt("space", name), Text: text, Lengths: make(map[string]int)}
}

// deckSpace is where the cards are played: on its board each problem has hints.
const deckSpace = "lunar/5x5:2-3"

// lunarLevels returns the cards of the deck, in its order.
func (s *site) lunarLevels(boards map[string]map[string]any) (all []level, err error) {
	const field = "lunar/5x5"
	var about struct{ Board map[string]any }
	var deck struct {
		Board struct {
			Cards []struct {
				Pattern, Level string
				Number, Moves  int
			}
		}
	}
	if err := cmp.Or(s.written(deckSpace, &about), s.written(deckSpace, &deck)); err != nil {
		return nil, err
	}
	boards[field] = only(about.Board, "rows", "cols", "cells", "exits", "letter_names", "number_names")
	for _, c := range deck.Board.Cards {
		plain := strings.ReplaceAll(c.Pattern, "+", ".")
		all = append(all, level{ID: field + " " + plain, Title: fmt.Sprintf("Lunar Lockout, card %d", c.Number), Also: []string{c.Level},
			Href: playAt("space", deckSpace, "at", plain), Par: c.Moves, Board: field, Pattern: c.Pattern})
	}
	return all, nil
}

// only returns some values.
func only(all map[string]any, names ...string) map[string]any {
	some := make(map[string]any)
	for _, name := range names {
		some[name] = all[name]
	}
	return some
}

// word has the letters that are levels.
const word = "PAGODA"

// pegLevels returns games of peg solitaire: those that leave one peg on the triangles of at most 15 holes, and on
// other boards the one that leaves it nearest to the middle, and some letters of the font.
func (s *site) pegLevels(ctx context.Context, names []naming, boards map[string]map[string]any) (triangles, others []level, err error) {
	family := s.families.Named(peg.FamilyName)
	for _, e := range family.Entries() {
		if !s.plays[e.Name] {
			continue
		}
		sp, err := peg.Lookup(e.Name)
		if err != nil {
			return nil, nil, err
		}
		b := sp.Board()
		var some []level
		switch {
		case b.Lattice() == board.Triangular && len(b.Cells()) <= 15:
			if some, err = endings(e.Name); err != nil {
				return nil, nil, err
			}
			triangles = append(triangles, some...)
		case e.Name == font.Space:
			for _, g := range font.Glyphs() {
				if !strings.ContainsRune(word, g.Rune) {
					continue
				}
				target, err := b.ParsePosition(g.Pattern)
				if err != nil {
					return nil, nil, err
				}
				some = append(some, pegLevel(sp, e.Name, "The letter "+string(g.Rune), target))
			}
			others = append(others, some...)
		default:
			some = middle(sp, e.About)
			for i := range some {
				some[i].titled(names, e.Name)
			}
			others = append(others, some...)
		}
		if len(some) > 0 {
			boards[e.Name] = pegBoard(b)
		}
	}
	return triangles, others, nil
}

// maxLooked bounds the positions that are looked through for a game that leaves one peg.
const maxLooked = 1 << 20

// middle returns the game on a board that leaves a peg as near to the middle as can be, if one is found.
func middle(sp *peg.Space, title string) (all []level) {
	b := sp.Board()
	far := make([]float64, len(b.Cells())) // of a cell from all others
	var ends []int
	for end := range b.Cells() {
		ends = append(ends, end)
		to := place(b, end)
		for i := range b.Cells() {
			at := place(b, i)
			far[end] += math.Hypot(at[0]-to[0], at[1]-to[1])
		}
	}
	slices.SortStableFunc(ends, func(a, b int) int {
		if math.Abs(far[a]-far[b]) < 1e-9 {
			return 0
		}
		return cmp.Compare(far[a], far[b])
	})
	for _, end := range ends {
		target := board.Position(1) << end
		if x, ok := sp.Class().Number(target); ok && reaches(sp, x) {
			return []level{pegLevel(sp, sp.Name(), title, target)}
		}
	}
	return nil
}

// reaches reports whether a search in depth finds a state.
func reaches(sp *peg.Space, x statespace.Index) bool {
	seen := make(map[statespace.Index]bool)
	stack := sp.Roots()
	for len(stack) > 0 && len(seen) < maxLooked {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if at == x {
			return true
		}
		if seen[at] {
			continue
		}
		seen[at] = true
		for _, e := range sp.Successors(nil, at) {
			stack = append(stack, e.To)
		}
	}
	return false
}

// place returns where a cell is in a picture of a board.
func place(b *board.Board, cell int) [2]float64 {
	c := b.Cells()[cell]
	if b.Lattice() == board.Triangular {
		return [2]float64{float64(c.Col) - float64(c.Row)/2, float64(c.Row) * math.Sqrt(3) / 2}
	}
	return [2]float64{float64(c.Col), float64(c.Row)}
}

// pegBoard is what draws a board.
func pegBoard(b *board.Board) map[string]any {
	return map[string]any{"lattice": b.Lattice().String(), "cells": b.Cells(), "jumps": [][3]int{}}
}

// pegLevel is the level of a target in a space. It takes a jump for each peg that is to go.
func pegLevel(sp *peg.Space, on, title string, target board.Position) level {
	b := sp.Board()
	plain := func(p board.Position) string {
		return strings.NewReplacer("/", "", "#", "").Replace(b.FormatPosition(p))
	}
	return level{ID: sp.Name() + " " + plain(target), Title: title, Href: playAt("space", sp.Name(), "view", "play", "target", plain(target)),
		Par: bits.OnesCount64(sp.Start()) - bits.OnesCount64(target), Board: on, Pattern: plain(sp.Start()), Target: plain(target)}
}

// endings returns the games on a small board that leave one peg, one up to symmetry: those that more ways lead to come
// first.
func endings(name string) (all []level, err error) {
	on, err := peg.Lookup(name)
	if err != nil {
		return nil, err
	}
	b := on.Board()
	cell := func(i int) string { return cells.LetterNumber.Cell(b.Cells()[i]) }
	seen := make(map[[2]board.Position]bool) // start and end
	for hole := range b.Cells() {
		sp := on
		if start := b.Full() &^ (1 << hole); start != on.Start() {
			if sp, err = peg.Lookup(name + "@" + cell(hole)); err != nil {
				return nil, err
			}
		}
		ways := waysTo(sp)
		for end := range b.Cells() {
			target := board.Position(1) << end
			x, ok := sp.Class().Number(target)
			if !ok || ways[x] == 0 || seen[[2]board.Position{sp.Start(), target}] {
				continue
			}
			for _, turn := range b.Symmetries() {
				seen[[2]board.Position{turn.Image(sp.Start()), turn.Image(target)}] = true
			}
			l := pegLevel(sp, name, fmt.Sprintf("Cracker barrel, from %s to %s", cell(hole), cell(end)), target)
			l.rank = -ways[x]
			all = append(all, l)
		}
	}
	return all, nil
}

// waysTo returns in how many ways each state can be reached from the start.
func waysTo(sp *peg.Space) map[statespace.Index]float64 {
	ways := map[statespace.Index]float64{sp.Roots()[0]: 1}
	for layer := sp.Roots(); len(layer) > 0; { // each jump takes a peg, so all ways to a state have one length
		next := make(map[statespace.Index]float64)
		for _, x := range layer {
			for _, e := range sp.Successors(nil, x) {
				next[e.To] += ways[x]
			}
		}
		layer = layer[:0]
		for x, n := range next {
			ways[x] = n
			layer = append(layer, x)
		}
	}
	return ways
}

// played is the result of a game of number tiles in which no slide lost any of the chance. view/numbers.js counts so.
const played = 100

// tilesLevels returns the games of number tiles, the smallest first. They are won with a tile: the target, or else the
// greatest that is more likely than not.
func (s *site) tilesLevels(ctx context.Context, names []naming, boards map[string]map[string]any) (all []level, err error) {
	for _, family := range []string{twenty48.Family, threes.Family} {
		f := s.families.Named(family)
		for _, e := range f.Entries() {
			if !s.plays[e.Name] {
				continue
			}
			b, err := s.tilesBoard(ctx, f, e)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", e.Name, err)
			}
			best := b.Target
			for _, o := range b.Objectives {
				if b.Target == 0 && o.Kind == "chance" && o.Value >= 0.5 {
					best = max(best, o.Tile)
				}
			}
			states, _ := e.Facts().Numbers["states"].Float64()
			for _, tile := range b.Tiles {
				if tile.Number == best {
					l := level{ID: e.Name, Title: e.About, Href: playAt("space", e.Name), Par: played, Board: e.Name, Goal: &tile, rank: states}
					l.titled(names, e.Name)
					all = append(all, l)
					boards[e.Name] = map[string]any{"rows": b.Rows, "cols": b.Cols}
				}
			}
		}
	}
	return all, nil
}

// A tilesBoard is what is needed of the board of a game of number tiles.
type tilesBoard struct {
	Rows, Cols int
	Target     uint64
	Tiles      []goal
	Objectives []struct {
		Kind  string
		Tile  uint64
		Value float64
	}
}

// tilesBoard returns the board that was written for the page, which has the chances; of a large game, there is a board
// without.
func (s *site) tilesBoard(ctx context.Context, f *puzzle.Family, e puzzle.Entry) (*tilesBoard, error) {
	var about struct{ Board *tilesBoard }
	err := s.written(e.Name, &about)
	if errors.Is(err, fs.ErrNotExist) {
		sp, err := s.families.Lookup(ctx, e.Name, nil, puzzle.Choice{})
		if err != nil {
			return nil, err
		}
		_, err = boardOf(f, sp, &about.Board)
		return about.Board, err
	}
	return about.Board, err
}
