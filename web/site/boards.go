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

// base returns the name of a puzzle as files have it.
func base(name string) string { return strings.NewReplacer("/", "-", ":", "-").Replace(name) }

// board writes a board of a name.
func (s *site) board(name string, v any) error {
	s.boards = append(s.boards, name)
	return s.write("boards/"+base(name)+".json", statespace.Encode(v))
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
	if e.Board == nil { // the page waits for the engine, or shows no such puzzle
		p.Playable = p.Playable && e.Page != nil
		return nil
	}
	e.Title = p.Title
	return s.board(p.Name, earlyBoard{e, counted, p.told()})
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
	for name, text := range map[string]string{"title": p.Title, "about": p.Page, "by": p.Author()} {
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
const fifteen = `0 12 9 13
15 11 10 14
3 7 2 5
4 8 6 1
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
	// add adds a puzzle. Board writes its board; the start is drawn if the names have no other picture.
	add := func(f *puzzle.Family, name, reason string, sp statespace.Space, drawer render.Drawer, board func(p *collected) any) error {
		p := s.collected(f, puzzle.Entry{Name: name}, names)
		p.Playable, p.NoHints = true, "There are no hints: "+reason+"."
		if p.start == "" {
			if p.start, err = f.Start(sp.Definition()); err != nil {
				return err
			}
		}
		all = append(all, p)
		if err := s.draw(p, sp, drawer, p.start, "puzzles/"+base(name)+".svg"); err != nil {
			return err
		}
		return s.board(name, board(p))
	}
	f := slide.Family()
	sp, err := f.Read(ctx, "15-puzzle", fifteen, puzzle.Choice{Memory: maxBytes})
	if err != nil {
		return nil, err
	}
	p, err := f.Page.Play(sp, nil, run.Options{})
	if err != nil {
		return nil, err
	}
	defer p.Close()
	for _, h := range []struct {
		name, reason string
		board        any
		drawer       render.Drawer
	}{
		{"slide/15-puzzle", "it has 10,461,394,944,000 positions, too many for a browser", p.Board(), f.Drawer},
		{threes.Family + "/4x4", "it has more positions than any computer can hold", numbers.LargeThrees(), largeThrees{}},
	} {
		no := &tab.RefusedError{Reason: h.reason}
		board, err := tab.Board(h.board, no.Reason)
		if err != nil {
			return nil, err
		}
		name, _, _ := strings.Cut(h.name, "/")
		family := s.families.Named(name)
		early := func(p *collected) any {
			return earlyBoard{&tab.Early{Space: h.name, Title: p.Title, Board: board, Page: family.Page, Refused: no.Error()}, nil, p.told()}
		}
		if err := add(family, h.name, no.Reason, sp, h.drawer, early); err != nil {
			return nil, err
		}
	}
	for _, name := range []string{"slide/n4x4", "2048/4x4"} {
		sp, err := s.families.Lookup(ctx, name, nil, puzzle.Choice{Memory: maxBytes})
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
		board := func(p *collected) any {
			e.Title = p.Title
			return earlyBoard{e, counted, p.told()}
		}
		if err := add(f, name, no.Reason, sp, f.Drawer, board); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// largeThrees draws boards of Threes on 4 by 4 cells, which are no space.
type largeThrees struct{ render.Drawer }

// Still implements render.Drawer.
func (largeThrees) Still(_ statespace.Space, text string) (render.Panel, error) {
	grid, err := glide.New(4, 4, threes.Rule)
	if err != nil {
		return render.Panel{}, err
	}
	b, err := grid.Parse(text, threes.Names)
	return render.Panel{Drawing: picture.Position{Grid: grid, Board: b, Look: &picture.Look{Names: threes.Names, Palette: picture.Thirds}}}, err
}
