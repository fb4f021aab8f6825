package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"

	"pagoda/puzzle"
	"pagoda/puzzle/peg/font"
	"pagoda/puzzle/slide"
	numbers "pagoda/puzzle/tiles"
	picture "pagoda/puzzle/tiles/draw"
	"pagoda/puzzle/tiles/glide"
	"pagoda/puzzle/tiles/threes"
	"pagoda/render"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/web/site/tab"
)

// A board is what the page shows of a puzzle before the engine has come: the answer of api/space of a space that was
// enumerated, or a tab.Early. So it can be played at once.

// mixed has n-puzzles as the page plays them, by their names: they begin mixed, and the goal is the order of their tiles. In
// the library they begin in that order, and the goal has the gap first. What is known of a start holds for both.
var mixed = map[string]string{
	"slide/n2x2":      "2 0\n1 3\n",
	"slide/n2x3":      "5 2 0\n3 1 4\n",
	"slide/n2x4":      "3 1 4 2\n6 0 5 7\n",
	"slide/n3x3":      "8 3 7\n1 4 2\n0 6 5\n",
	"slide/n4x4":      fifteen,
	"slide/15-puzzle": fifteen,
}

// space finds the puzzle of a name, as the page plays it.
func (s *site) space(ctx context.Context, name string, options map[string]string) (statespace.Space, error) {
	choice := puzzle.Choice{Memory: maxBytes, Options: options}
	if text := mixed[name]; text != "" {
		return slide.Family().Read(ctx, name, text, choice)
	}
	return s.families.Lookup(ctx, name, nil, choice)
}

// base returns the name of a puzzle as files have it.
func base(name string) string { return strings.NewReplacer("/", "-", ":", "-").Replace(name) }

// board writes a board of a name.
func (s *site) board(name string, v any) error {
	s.boards = append(s.boards, name)
	return s.write("boards/"+base(name)+".json", statespace.Encode(v))
}

// allBoards writes all of them as one file, which the service worker keeps, and returns its name.
func (s *site) allBoards() (string, error) {
	all := make(map[string]json.RawMessage)
	for _, name := range s.boards {
		var board json.RawMessage
		if err := s.written(name, &board); err != nil {
			return "", err
		}
		all[base(name)] = board
	}
	small, err := compressed(statespace.Encode(all))
	if err != nil {
		return "", err
	}
	return s.add("boards.bin", small)
}

// levelBoard writes the board of a level whose puzzle is not in the collection.
func (s *site) levelBoard(ctx context.Context, name, title string) error {
	sp, err := s.space(ctx, name, nil)
	if err != nil {
		return err
	}
	if sp.Size() <= maxEarly {
		return s.wholeBoard(ctx, sp, &collected{Name: name, Title: title})
	}
	return s.early(ctx, s.families.Of(sp), sp, &collected{Name: name, Title: title})
}

// boardOf reads what the page gets of a puzzle that has no file. It reports false if the page cannot show it so.
func boardOf(f *puzzle.Family, sp statespace.Space, board any) (bool, error) {
	player, err := f.Page.Play(sp, nil, run.Options{})
	if err != nil || player == nil {
		return false, err
	}
	defer player.Close()
	return true, json.Unmarshal(statespace.Encode(player.Board()), board)
}

// An earlyBoard is a tab.Early, and what else is known of the puzzle.
type earlyBoard struct {
	*tab.Early
	Drawn string `json:"drawn,omitempty"` // the text that draws it, if no engine knows its name
	// Counted has the puzzle by the ways of counting moves, if there are several.
	Counted map[string]countedBoard `json:"counted,omitempty"`
	told
}

// A told puzzle has a page in the collection.
type told struct {
	About string `json:"about,omitempty"` // the page, from the root of the site
	By    string `json:"by,omitempty"`    // who made it
}

func (p *collected) told() told { return told{p.Page, p.Author()} }

type countedBoard struct {
	Space  string          `json:"space"`
	Metric json.RawMessage `json:"metric"` // of the board
	Length *big.Int        `json:"length"` // of the shortest solutions; nil if it is not known
}

// early writes the board of a puzzle, if the page can show it. A puzzle that it cannot show is not playable.
func (s *site) early(ctx context.Context, f *puzzle.Family, sp statespace.Space, p *collected) error {
	if f.Page == nil || p.Name == font.Space { // its letters are known
		return nil
	}
	if mixed[p.Name] != "" {
		var err error
		if sp, err = s.space(ctx, p.Name, nil); err != nil {
			return err
		}
	}
	counted, err := s.counted(ctx, f, p.Name, p.Numbers)
	if err != nil {
		return err
	}
	if n := p.Numbers["states"]; p.whole != nil || p.Playable && len(counted) == 0 && n != nil && n.Cmp(big.NewInt(maxEarly)) <= 0 {
		return s.wholeBoard(ctx, sp, p)
	}
	e, err := tab.Look(ctx, f, sp)
	if err != nil {
		return err
	}
	if e.Board == nil && e.Page != nil { // what there is to play for comes with the engine
		if _, err := boardOf(f, sp, &e.Board); err != nil {
			return err
		}
	}
	if e.Board == nil { // the page shows no such puzzle
		p.Playable = false
		return nil
	}
	e.Title = p.Title
	return s.board(p.Name, earlyBoard{e, mixed[p.Name], counted, p.told()})
}

// maxEarly bounds the states of puzzles that are enumerated for their boards alone.
const maxEarly = 1 << 18

// wholeBoard writes the board of a puzzle that was enumerated, or that is small.
func (s *site) wholeBoard(ctx context.Context, sp statespace.Space, p *collected) error {
	if p.whole == nil {
		if _, err := s.asked(ctx, sp, func(ask asker) error { return ask("/api/space", "", "", &p.whole) }); err != nil {
			return err
		}
	}
	if p.Playable = string(p.whole["board"]) != "null"; !p.Playable {
		return nil
	}
	for name, text := range map[string]string{"title": p.Title, "about": p.Page, "by": p.Author(), "drawn": mixed[p.Name]} {
		p.whole[name] = statespace.Encode(text)
	}
	return s.board(p.Name, p.whole)
}

// A way is one in which a family counts moves.
type way struct {
	ending string          // of the names of spaces
	metric json.RawMessage // of boards
}

// ways returns those of a family, seen at a puzzle that the page can show. The option by which one is chosen has the name
// of the field of the board.
func (s *site) ways(ctx context.Context, f *puzzle.Family, name string) (map[string]way, error) {
	if all := s.counts[f.Name]; all != nil || f.Metric == nil { // or its lengths are those of one metric
		return all, nil
	}
	all := make(map[string]way)
	for _, o := range f.Options {
		for _, v := range o.Values {
			sp, err := f.Lookup(ctx, name, puzzle.Choice{Options: map[string]string{o.Name: v}, Memory: maxBytes})
			if err != nil {
				return nil, err
			}
			var board map[string]json.RawMessage
			if ok, err := boardOf(f, sp, &board); err != nil || !ok {
				return nil, err
			}
			all[v] = way{strings.TrimPrefix(sp.Name(), name), board[o.Name]}
		}
	}
	s.counts[f.Name] = all
	return all, nil
}

// counted returns a puzzle in all ways of counting moves, with its lengths as far as they are known.
func (s *site) counted(ctx context.Context, f *puzzle.Family, name string, lengths map[string]*big.Int) (map[string]countedBoard, error) {
	ways, err := s.ways(ctx, f, name)
	all := make(map[string]countedBoard)
	for v, w := range ways {
		all[v] = countedBoard{name + w.ending, w.metric, lengths[v]}
	}
	return all, err
}

// fifteen is the 15-puzzle with its tiles mixed: the goal is their order.
const fifteen = `3 15 10 12
13 1 6 9
0 14 2 8
11 7 4 5
`

// deckBoard writes the board of the deck of Lunar Lockout, which is not in the collection.
func (s *site) deckBoard(ctx context.Context) error {
	sp, err := s.families.Lookup(ctx, deckSpace, nil, puzzle.Choice{Memory: maxBytes})
	if err != nil {
		return err
	}
	return s.wholeBoard(ctx, sp, &collected{Name: deckSpace, Title: "Lunar Lockout"})
}

// written reads a board that was written, and what belongs to it.
func (s *site) written(name string, v any) error {
	data, err := os.ReadFile(filepath.Join(s.dir, "boards", base(name)+".json"))
	if err != nil {
		return err
	}
	return json.Unmarshal(data, v)
}

// byHand writes the boards of puzzles that people know, and that no tab can compute, and returns what there is to say of
// them. Some are no spaces.
func (s *site) byHand(ctx context.Context) (all []*collected, err error) {
	names, err := namings()
	if err != nil {
		return nil, err
	}
	// add adds a puzzle. The start is drawn if the names have no other picture.
	add := func(f *puzzle.Family, sp statespace.Space, drawer render.Drawer, board earlyBoard, noHints string) error {
		p := s.collected(f, puzzle.Entry{Name: board.Space}, names)
		p.Playable, p.NoHints = true, noHints
		if p.start == "" {
			if p.start, err = f.Start(sp.Definition()); err != nil {
				return err
			}
		}
		all = append(all, p)
		if err := s.draw(p, sp, drawer, p.start, "puzzles/"+base(p.Name)+".svg"); err != nil {
			return err
		}
		board.Title, board.told = p.Title, p.told()
		return s.board(p.Name, board)
	}
	for _, name := range []string{"slide/15-puzzle", "slide/n4x4", "2048/4x4"} {
		sp, err := s.space(ctx, name, nil)
		if err != nil {
			return nil, err
		}
		f := s.families.Of(sp)
		no := new(tab.RefusedError)
		if err := tab.Check(ctx, f, sp); !errors.As(err, &no) {
			return nil, fmt.Errorf("%s is no puzzle that is played by hand: a tab can compute it, %w", name, err)
		}
		e, err := tab.Look(ctx, f, sp)
		if err != nil {
			return nil, err
		}
		counted, err := s.counted(ctx, f, name, nil)
		if err != nil {
			return nil, err
		}
		noHints := "There are no hints: " + no.Reason + "."
		if e.Proves {
			noHints = "Its positions are not listed: " + no.Reason + ". Each hint is searched for itself."
		}
		if err := add(f, sp, f.Drawer, earlyBoard{Early: e, Drawn: mixed[name], Counted: counted}, noHints); err != nil {
			return nil, err
		}
	}
	no := &tab.RefusedError{Reason: "it has more positions than any computer can hold"}
	board, err := tab.Board(numbers.LargeThrees(), no.Reason)
	if err != nil {
		return nil, err
	}
	f := s.families.Named(threes.Family)
	sp, err := s.families.Lookup(ctx, "threes/3x4", nil, puzzle.Choice{Memory: maxBytes})
	if err != nil {
		return nil, err
	}
	early := &tab.Early{Space: threes.Family + "/4x4", Board: board, Page: f.Page, Refused: no.Error()}
	return all, add(f, sp, largeThrees{}, earlyBoard{Early: early}, "There are no hints: "+no.Reason+".")
}

// largeThrees draws boards of Threes on 4 by 4 cells, which are no space.
type largeThrees struct{ render.Drawer }

// Still implements render.Drawer.
func (largeThrees) Still(_ statespace.Space, text string) (render.Panel, error) {
	grid, err := glide.New(4, 4, threes.Tiles)
	if err != nil {
		return render.Panel{}, err
	}
	b, err := grid.Parse(text)
	return render.Panel{Drawing: picture.Position{Grid: grid, Board: b, Palette: picture.Thirds}}, err
}
