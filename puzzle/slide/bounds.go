package slide

import (
	"bytes"
	"context"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"pagoda/internal/amount"
	"pagoda/puzzle/slide/npuzzle"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace"
)

// A coder turns positions into the codes of a space, and back.
type coder struct {
	of       func(pos tray.Position) []uint64
	position func(code []uint64) tray.Position
}

// bounds returns the bounds of an n-puzzle with one goal: sums of the distances of patterns. Other puzzles have none, but
// a search from both ends can do with goals that say where all pieces are.
func (s *Space) bounds(c coder) (b statespace.Bounds) {
	if _, _, _, err := npuzzle.Goal(s.puzzle); err != nil || s.metric.Super() {
		if texts := s.puzzle.DrawnGoals(); s.puzzle.Goals() > 0 && texts != nil {
			b.Goals = func() (codes [][]uint64) {
				for _, text := range texts {
					if pos, err := s.puzzle.ParsePosition(text); err == nil {
						codes = append(codes, c.of(pos))
					}
				}
				return codes
			}
		}
		return b
	}
	return statespace.Bounds{
		Need: func() (uint64, string) {
			return tablesBytes(len(s.puzzle.Cells()), cutSizes[len(cutSizes)-1]), "the smallest tables"
		},
		Walks: func(ctx context.Context, o statespace.BoundsOptions) (*statespace.Walks, error) {
			return s.walks(ctx, c, o)
		},
	}
}

// walks is for the Bounds.
func (s *Space) walks(ctx context.Context, c coder, o statespace.BoundsOptions) (*statespace.Walks, error) {
	height, width, goal, err := npuzzle.Goal(s.puzzle)
	if err != nil {
		return nil, err
	}
	cut, err := s.cut(height, width, goal, o)
	if err != nil {
		return nil, err
	}
	tables := o.Tables()
	bounds, err := npuzzle.NewBounds(height, width, goal, cut, func(part, empty uint32) (*npuzzle.Table, error) {
		sp, marks, err := tables.Get(ctx, fmt.Sprintf("pattern %dx%d %x %x", height, width, part, empty), func() (statespace.Space, error) {
			return solved(height, width, part, empty)
		})
		if err != nil {
			return nil, err
		}
		return &npuzzle.Table{Pattern: sp.(*Pattern).numbers, Marks: marks}, nil
	})
	if err != nil {
		tables.Close()
		return nil, err
	}
	return &statespace.Walks{Tracer: npuzzle.NewTracer, Kept: tables.Kept, Close: tables.Close, New: func() statespace.Walk { return &walk{bounds.NewWalk(), c} }}, nil
}

// A walk is a statespace.Walk through a space with codes.
type walk struct {
	*npuzzle.Walk
	coder coder
}

// Start implements statespace.Walk.
func (w *walk) Start(code []uint64) { w.StartAt(w.coder.position(code)) }

// Code implements statespace.Walk.
func (w *walk) Code(dst []uint64) []uint64 { return append(dst, w.coder.of(w.Cells(nil))...) }

// solved returns a pattern as a space of its own: that of an n-puzzle whose tiles are in the order of their names at the
// goal. So all puzzles with the empty cell in the same place there share its file.
func solved(height, width int, part, empty uint32) (*Pattern, error) {
	var goal, start []byte
	var tiles []string
	names := tray.PieceNames
	for cell := range height * width {
		name := names[len(goal)-bytes.Count(goal, []byte("."))]
		switch {
		case empty>>cell&1 != 0:
			goal, start = append(goal, '.'), append(start, '.')
		default:
			if part>>cell&1 != 0 {
				tiles = append(tiles, strconv.Itoa(1+strings.IndexByte(names, name)))
			}
			goal, start = append(goal, name), append(start, name)
		}
	}
	for more := len(goal) - bytes.Count(goal, []byte(".")); bytes.Count(start, []byte(".")) > 1; more++ { // they may be anywhere
		start[bytes.IndexByte(start, '.')] = names[more]
	}
	q, err := tray.Parse(fmt.Sprintf("distinct: *\ntray: %s\ngoal: %s\n", tray.InRows(start, width), tray.InRows(goal, width)))
	if err != nil {
		return nil, err
	}
	return NewPattern(fmt.Sprintf("slide/%dx%d-to-%s", height, width, strings.ReplaceAll(tray.InRows(goal, width), "/", "-")), q, strings.Join(tiles, ","))
}

// cutSizes are how many tiles the parts of a cut have at most. The first takes long, and is for tables that are kept.
var cutSizes = []int{8, 6, 5, 4, 3, 2, 1}

// tablesBytes returns about how many bytes the tables of a cut take while they are made.
func tablesBytes(cells, size int) uint64 {
	return uint64((cells-1+size-1)/size)*tableBytes(cells, size) + npuzzle.PatternSize(cells, size)/3
}

// tableBytes returns about how many bytes the table of a pattern takes.
func tableBytes(cells, size int) uint64 { return 1<<16 + npuzzle.PatternSize(cells, size)/4 }

// cut returns the cut into patterns: the one that was named, or the largest that fits into memory.
func (s *Space) cut(height, width int, goal []int8, o statespace.BoundsOptions) (cut [][]int, err error) {
	cells := len(s.puzzle.Cells())
	if o.Cut != "" {
		found, largest := 0, 0
		for _, text := range strings.Split(o.Cut, "/") {
			part, err := parsePart(text, s.puzzle, goal)
			if err != nil {
				return nil, &statespace.CutError{Reason: err.Error()}
			}
			if len(part) > npuzzle.MostTiles {
				return nil, &statespace.CutError{Reason: fmt.Sprintf("a pattern has at most %d tiles, found %d: %.100s", npuzzle.MostTiles, len(part), text)}
			}
			cut, found, largest = append(cut, part), found+len(part), max(largest, len(part))
		}
		all := slices.Concat(cut...)
		slices.Sort(all)
		if all = slices.Compact(all); len(all) != found || len(all) != cells-bits.OnesCount32(npuzzle.EmptyAt(goal, cells)) {
			return nil, &statespace.CutError{Reason: fmt.Sprintf("a cut has each tile of the goal in one pattern, as 1,2,3/4,5/6,7,8: %.100s has %d tiles, expected %d different ones", o.Cut, found, cells-bits.OnesCount32(npuzzle.EmptyAt(goal, cells)))}
		}
		need := npuzzle.PatternSize(cells, largest) / 3
		for _, part := range cut {
			need += tableBytes(cells, len(part))
		}
		if o.Memory > 0 && need > o.Memory {
			e := &statespace.MemoryError{Name: s.name, Need: need, Most: "the tables of this cut", Allowed: o.Memory}
			if i := slices.IndexFunc(cutSizes, func(size int) bool { return tablesBytes(cells, size) <= o.Memory }); i >= 0 {
				e.Instead = fmt.Sprintf("leave --cut out: patterns of up to %s fit", amount.Of(cutSizes[i], "tile"))
			}
			return nil, e
		}
		return cut, nil
	}
	for _, size := range cutSizes {
		if (size <= 6 || o.Lasting && cells <= 16) && (o.Memory == 0 || tablesBytes(cells, size) <= o.Memory) {
			return npuzzle.Cut(height, width, goal, size), nil
		}
	}
	return nil, &statespace.MemoryError{Name: s.name, Need: tablesBytes(cells, 1), Most: "the smallest tables", Allowed: o.Memory}
}
