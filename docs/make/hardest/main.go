// Command hardest keeps the hardest sliding-block puzzles of boards: docs/data/hardest.csv has them, and
// docs/data/hardest-boards.csv how many placements each board has. From these it writes docs/studies/hardest.md, a sheet
// of pictures for each board, docs/pictures/hardest-4x4.svg and so on, and the hardest puzzle of each board for the
// library. Run it in the root of the module:
//
//	go run ./docs/make/hardest [RESULT.json...]           # add these results, and write everything
//	go run ./docs/make/hardest --check RESULT.json...     # compare these results, and write nothing
//
// A result is what reach find --json has printed; scripts/reproduce-hardest.sh finds them all again.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"pagoda/puzzle/slide/draw"
	"pagoda/puzzle/slide/tray"
	"pagoda/render"
)

// What the program reads and writes, from the root of the module.
const (
	puzzlesFile = "docs/data/hardest.csv"
	boardsFile  = "docs/data/hardest-boards.csv"
	pageFile    = "docs/studies/hardest.md"
	picturesDir = "docs/pictures"
	libraryDir  = "puzzle/slide/library"
)

// boards are those of the page, in its order.
var boards = []string{"2x4", "3x3", "3x4", "3x5", "3x6", "2x6", "2x7", "2x8", "2x9", "2x10", "4x4", "4x5", "2x2x2", "2x2x3", "2x2x4", "2x3x3"}

var metrics = []string{"steps", "lines", "moves"}

// The kinds of goals. Loose goals are those that are not strict. In the last three the goal piece starts anywhere, or
// ends anywhere, or both; they are strict if it ends in the corner.
const (
	strict       = "strict"
	loose        = "loose"
	fromAnywhere = "from-anywhere"
	toAnywhere   = "to-anywhere"
	bothAnywhere = "anywhere"
)

// goals are all kinds of goals, in the order of the data.
var goals = []string{strict, loose, fromAnywhere, toAnywhere, bothAnywhere}

// A search is what reach find --json has printed.
type search struct {
	Board      string   `json:"board"`
	Metric     string   `json:"metric"`
	From       string   `json:"from"`
	To         string   `json:"to"`
	Strict     bool     `json:"strict"`
	Complete   bool     `json:"complete"`
	Placements uint64   `json:"placements"` // that are just solved
	Searched   uint64   `json:"searched"`
	Results    []result `json:"results"`
}

// A result is the hardest puzzles with some number of pieces.
type result struct {
	Pieces    int         `json:"pieces"`
	Length    int         `json:"length"`
	Starts    int         `json:"starts"`
	Solutions json.Number `json:"solutions"`
	Puzzle    string      `json:"puzzle"`
}

// A key names a search.
type key struct{ board, goal, metric string }

// A size is how many placements a search has.
type size struct{ solved, searched uint64 }

// results are what is known.
type results struct {
	found map[key][]result
	sizes map[[2]string]size // by board and goal
}

func main() {
	if err := run(".", os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "hardest:", err)
		os.Exit(1)
	}
}

// run compares results with the data, or adds them and writes everything.
func run(root string, args []string) error {
	all, err := read(root)
	if err != nil {
		return err
	}
	check := len(args) > 0 && args[0] == "--check"
	if check {
		args = args[1:]
	}
	for _, path := range args {
		k, s, err := load(path)
		if err != nil {
			return err
		}
		switch goal := [2]string{k.board, k.goal}; {
		case !check:
			all.found[k], all.sizes[goal] = s.Results, s.size()
		case !reflect.DeepEqual(all.found[k], s.Results) || all.sizes[goal] != s.size():
			return fmt.Errorf("%s: the data has other results for %v", path, k)
		}
	}
	if check {
		return nil
	}
	return all.write(root)
}

// load reads what reach find --json has printed.
func load(path string) (k key, s *search, err error) {
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil {
		return k, nil, fmt.Errorf("%s: %w", path, err)
	}
	k = key{s.Board, s.goal(), s.Metric}
	if !s.Complete || k.goal == "" {
		return k, nil, fmt.Errorf("%s: expected a complete search, with a strict goal if A does not start in the corner", path)
	}
	// There is a puzzle with each number of pieces that leaves a cell empty.
	if want := cells(k.board) - 1; len(s.Results) != want {
		return k, nil, fmt.Errorf("%s: expected all %d numbers of pieces, found %d", path, want, len(s.Results))
	}
	return k, s, nil
}

// goal returns the kind of goal, or "" if it is none of those of the page.
func (s *search) goal() string {
	return map[[3]any]string{
		{"corner", "corner", true}:      strict,
		{"corner", "corner", false}:     loose,
		{"anywhere", "corner", true}:    fromAnywhere,
		{"corner", "anywhere", false}:   toAnywhere,
		{"anywhere", "anywhere", false}: bothAnywhere,
	}[[3]any{s.From, s.To, s.Strict}]
}

// size returns how many placements a search has.
func (s *search) size() size { return size{s.Placements, s.Searched} }

// write writes the data, the page, the sheets and the puzzles of the library.
func (r *results) write(root string) error {
	page, err := r.page()
	if err != nil {
		return err
	}
	files := map[string]string{puzzlesFile: r.puzzles(), boardsFile: r.boards(), pageFile: page}
	for _, board := range boards {
		sheet, err := r.sheet(board)
		if err != nil {
			return fmt.Errorf("%s: %w", board, err)
		}
		files[picturesDir+"/hardest-"+board+".svg"] = string(sheet)
		records, err := r.records(board)
		if err != nil {
			return fmt.Errorf("%s: %w", board, err)
		}
		for _, one := range records {
			if one.Name != record4x4 {
				files[libraryDir+"/"+one.Name+".txt"] = one.puzzle.Format()
			}
		}
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// at returns the result of some number of pieces, or nil.
func (r *results) at(k key, pieces int) *result {
	for i, one := range r.found[k] {
		if one.Pieces == pieces {
			return &r.found[k][i]
		}
	}
	return nil
}

// cells returns the number of cells of a board.
func cells(board string) int {
	n := 1
	for side := range strings.SplitSeq(board, "x") {
		k, _ := strconv.Atoi(side) // the boards are above
		n *= k
	}
	return n
}

// hardest returns the result of the greatest length, or nil if there is none.
func (r *results) hardest(k key) (best *result) {
	for i, one := range r.found[k] {
		if best == nil || one.Length > best.Length {
			best = &r.found[k][i]
		}
	}
	return best
}

// sheet draws the hardest puzzles of a board in moves with a strict goal, by number of pieces.
func (r *results) sheet(board string) ([]byte, error) {
	var panels []render.Panel
	for _, one := range r.found[key{board, strict, "moves"}] {
		p, err := tray.Parse(one.Puzzle)
		if err != nil {
			return nil, err
		}
		panels = append(panels, render.Panel{Drawing: draw.Tray{Puzzle: p, Position: p.Start()}, Caption: fmt.Sprintf("%d: %d", one.Pieces, one.Length)})
	}
	sheet, err := render.Sheet(panels, 0, render.Style{Cell: 24})
	if err != nil {
		return nil, err
	}
	sheet.SetTitle(fmt.Sprintf("The hardest puzzles of %s in moves, by number of pieces", board))
	return sheet.SVG(), nil
}

// A record is the hardest puzzle of a board, as the library has it.
type record struct {
	Name   string // in the library
	puzzle *tray.Puzzle
}

// record4x4 is the name of the puzzle of the library that is the hardest of 4x4 in moves; N. Bickford found it.
const record4x4 = "record4x4"

// records returns the hardest puzzles of a board with a strict goal: in moves, and those in lines and in steps
// that are others.
func (r *results) records(board string) (all []*record, err error) {
	known := make(map[string]*record)
	for _, metric := range []string{"moves", "lines", "steps"} {
		best := r.hardest(key{board, strict, metric})
		if best == nil {
			continue
		}
		m, err := tray.ParseMetric(metric)
		if err != nil {
			return nil, err
		}
		one := known[best.Puzzle]
		if one == nil {
			p, err := tray.Parse(best.Puzzle)
			if err != nil {
				return nil, err
			}
			one = &record{Name: "hardest-" + board, puzzle: p}
			p.Title = "the hardest " + strings.ReplaceAll(board, "x", " x ")
			if metric != "moves" {
				one.Name += "-" + metric
				p.Title += " in " + metric
			}
			p.Author, p.Year, p.Source = "Pagoda, 2026", 2026, pageFile
			p.Notes = []string{"of all trays of this size without walls where one piece goes from the upper left to the lower right"}
			if p.FormatPosition(p.Start()) == "ABB./ACDD/EEFG/HEI." {
				one.Name = record4x4
			}
			known[best.Puzzle] = one
			all = append(all, one)
		}
		one.puzzle.Lengths[m] = best.Length
	}
	return all, nil
}
