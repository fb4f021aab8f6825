package slide

import (
	"math/big"
	"strings"

	"pagoda/puzzle"
	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/slide/tray"
)

// Entries lists the puzzles of the library, and some n-puzzles.
func Entries() (all []puzzle.Entry) {
	for _, name := range append(library.Known(), "slide/n2x4", "slide/n3x4") {
		about := library.Title(name)
		if name == "slide/n3x3" {
			about = "the 8-puzzle; slide/nRxC makes others"
		}
		all = append(all, puzzle.Entry{Name: name, About: about, Facts: func() puzzle.Facts { return factsOf(name) },
			Text: func() string { return textOf(puzzleOf(name)) }})
	}
	return all
}

// puzzleOf returns a puzzle of the library.
func puzzleOf(name string) *tray.Puzzle {
	p, err := library.Lookup(name)
	if err != nil {
		panic(err) // it is part of the program
	}
	return p
}

// factsOf returns what is known about a puzzle of the library.
func factsOf(name string) puzzle.Facts {
	p := puzzleOf(name)
	facts := puzzle.Facts{Numbers: make(map[string]*big.Int), Texts: make(map[string]string)}
	computed := library.Computed()[name]
	for _, f := range puzzleFields {
		if n := f.of(p); n > 0 {
			facts.Numbers[f.name] = big.NewInt(int64(n))
		}
	}
	for text, value := range map[string]string{"author": p.Author, "source": p.Source, "notes": strings.Join(p.Notes, "; "), "start": p.FormatPosition(p.Start())} {
		if value != "" {
			facts.Texts[text] = value
		}
	}
	if computed == nil {
		return facts
	}
	for m, c := range computed {
		for _, f := range metricFields {
			if n := f.of(c); n != nil && n.Sign() > 0 {
				facts.Numbers[metricField(f.name, tray.Metric(m))] = n
			}
		}
		if c.Start != "" {
			facts.Texts[hardestStart(tray.Metric(m))] = c.Start
		}
	}
	if n := computed[tray.Moves].States; n > 0 {
		facts.Numbers["states"] = number(n)
	}
	return facts
}

// number returns a number of Facts.
func number(n uint64) *big.Int { return new(big.Int).SetUint64(n) }

// puzzleFields are numbers that a puzzle has in every metric.
var puzzleFields = []struct {
	name, about string
	of          func(p *tray.Puzzle) int
}{
	{"year", "the year in which it was first published or made, as far as the source knows", func(p *tray.Puzzle) int { return p.Year }},
	{"cells", "the cells of the board", func(p *tray.Puzzle) int { return len(p.Cells()) }},
	{"floors", "the floors of the tray", (*tray.Puzzle).Floors},
	{"rows", "the rows of a floor", (*tray.Puzzle).FloorRows},
	{"columns", "the columns of the tray", func(p *tray.Puzzle) int { _, cols := p.Size(); return cols }},
	{"pieces", "the pieces", func(p *tray.Puzzle) int { return len(p.Pieces()) }},
	{"kinds", "the kinds of pieces: those of a kind are interchangeable", func(p *tray.Puzzle) int { return len(p.Kinds()) }},
	{"empty", "the empty cells", empty},
	{"goals", "the goals", func(p *tray.Puzzle) int { return p.Goals() }},
}

// empty counts the empty cells of a puzzle.
func empty(p *tray.Puzzle) int {
	n := len(p.Cells())
	for piece := range len(p.Pieces()) {
		n -= len(p.PieceCells(p.Start(), piece))
	}
	return n
}

// metricFields are numbers that were computed of a puzzle in each metric.
var metricFields = []struct {
	name, about string // the length has the name of the metric
	of          func(f library.Facts) *big.Int
}{
	{"", "the length of the shortest solutions", func(f library.Facts) *big.Int { return number(uint64(f.Length)) }},
	{"solutions", "the number of shortest solutions", func(f library.Facts) *big.Int { return f.Solutions }},
	{"diameter", "the greatest distance between two positions", func(f library.Facts) *big.Int { return number(uint64(f.Diameter)) }},
	{"radius", "the least distance that the farthest position from any can have", func(f library.Facts) *big.Int { return number(uint64(f.Radius)) }},
	{"hardest", "the length of the hardest start: the greatest distance to the nearest goal", func(f library.Facts) *big.Int { return number(uint64(f.Hardest)) }},
	{"starts", "the number of hardest starts", func(f library.Facts) *big.Int { return number(f.Starts) }},
}

// metricField is the name of a field in a metric: moves, solutions, steps, steps_solutions.
func metricField(name string, m tray.Metric) string {
	switch {
	case name == "":
		return m.String()
	case m == tray.Moves:
		return name
	}
	return m.String() + "_" + name
}

// hardestStart is the name of the text with a hardest start in a metric.
func hardestStart(m tray.Metric) string { return m.String() + "_hardest_start" }

// metrics lists the metrics, the usual one first.
var metrics = []tray.Metric{tray.Moves, tray.Steps, tray.Lines, tray.Supersteps, tray.Superlines, tray.Supermoves}

// texts lists the states that are known of puzzles of the library.
func texts() []puzzle.Text {
	all := []puzzle.Text{{Name: "start", About: "the start"}}
	for _, m := range metrics {
		all = append(all, puzzle.Text{Name: hardestStart(m), About: "a hardest start", Metric: m.String()})
	}
	return all
}

// fields lists what is known about puzzles of the library.
func fields() (all []puzzle.Field) {
	for _, f := range puzzleFields {
		all = append(all, puzzle.Field{Name: f.name, About: f.about})
	}
	all = append(all, puzzle.Field{Name: "states", About: "the positions that can be reached, by moves"})
	for _, m := range metrics {
		for _, f := range metricFields {
			all = append(all, puzzle.Field{Name: metricField(f.name, m), About: f.about + ", in " + m.String(), What: f.about, Metric: m.String()})
		}
	}
	return all
}
