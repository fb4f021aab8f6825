// Command hardest writes docs/studies/hardest.md, the page of the hardest sliding-block puzzles of boards, draws a
// sheet of them for each board, docs/pictures/hardest-4x4.svg and so on, and writes the hardest of each board into the
// library. Run it in the root of the module:
//
//	go run ./docs/make/hardest [RESULT.json...]
//
// It searches nothing: the directory results has what reach find --json has printed, a file for each board,
// metric and kind of goal. Those that are named are added first. scripts/reproduce-hardest.sh finds everything
// again.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"pagoda/puzzle/slide/draw"
	"pagoda/puzzle/slide/tray"
	"pagoda/render"
)

// The directories that the program reads and writes, from the root of the module.
const (
	resultsDir = "docs/make/hardest/results"
	docsDir    = "docs"
	libraryDir = "puzzle/slide/library"
)

// boards are those of the page, in its order, where they have results.
var boards = []string{"2x4", "3x3", "3x4", "3x5", "3x6", "2x6", "2x7", "2x8", "4x4", "4x5", "2x2x2", "2x2x3", "2x3x3"}

// metrics and goals are those of the results from corner to corner. Goals that are not strict are loose.
var (
	metrics = []string{"steps", "lines", "moves"}
	goals   = []string{strict, loose}
)

// The kinds of goals. In the last three the goal piece starts anywhere, or ends anywhere, or both; they are
// strict if it ends in the corner.
const (
	strict       = "strict"
	loose        = "loose"
	fromAnywhere = "from-anywhere"
	toAnywhere   = "to-anywhere"
	bothAnywhere = "anywhere"
)

// anywhere is the kinds of goals that are not from corner to corner.
var anywhere = []string{fromAnywhere, toAnywhere, bothAnywhere}

// A search is what reach find --json has printed.
type search struct {
	Board      string   `json:"board"`
	Metric     string   `json:"metric"`
	From       string   `json:"from"`
	To         string   `json:"to"`
	Strict     bool     `json:"strict"`
	Complete   bool     `json:"complete"`
	Placements uint64   `json:"placements"`
	Searched   uint64   `json:"searched"`
	Seconds    float64  `json:"seconds"`
	Resumed    bool     `json:"resumed,omitempty"`
	Results    []result `json:"results"`
}

// A result is the hardest puzzles with some number of pieces.
type result struct {
	Pieces    int         `json:"pieces"`
	Length    int         `json:"length"`
	Starts    int         `json:"starts"`
	Solutions json.Number `json:"solutions"`
	Puzzle    string      `json:"puzzle"`
	Searched  uint64      `json:"searched"`
	Reached   uint64      `json:"reached"`
}

// A key says of what a search is.
type key struct{ board, metric, goal string }

// results are the searches that there are.
type results map[key]*search

func main() {
	err := add(".", os.Args[1:])
	if err == nil {
		err = write(".")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "hardest:", err)
		os.Exit(1)
	}
}

// name is the name of the file of a search.
func (k key) name() string { return fmt.Sprintf("%s-%s-%s.json", k.board, k.metric, k.goal) }

// add adds outputs of reach find to the results.
func add(root string, paths []string) error {
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		s := new(search)
		if err := json.Unmarshal(text, s); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		k := key{s.Board, s.Metric, s.goal()}
		if !s.Complete || k.goal == "" {
			return fmt.Errorf("%s: expected a complete search, with a strict goal if A does not start in the corner", path)
		}
		if text, err = json.Marshal(s); err == nil {
			err = os.WriteFile(filepath.Join(root, resultsDir, k.name()), append(text, '\n'), 0o666)
		}
		if err != nil {
			return err
		}
	}
	return nil
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

// write writes the page, the sheets and the puzzles of the library.
func write(root string) error {
	all, err := read(filepath.Join(root, resultsDir))
	if err != nil {
		return err
	}
	files := map[string]string{docsDir + "/studies/hardest.md": all.page()}
	for _, board := range boards {
		sheet, err := all.sheet(board)
		if err != nil {
			return fmt.Errorf("%s: %w", board, err)
		}
		if sheet != nil {
			files[docsDir+"/pictures/hardest-"+board+".svg"] = string(sheet)
		}
		records, err := all.records(board)
		if err != nil {
			return fmt.Errorf("%s: %w", board, err)
		}
		for _, r := range records {
			files[libraryDir+"/"+r.name+".txt"] = r.puzzle.Format()
		}
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// read reads the results.
func read(dir string) (results, error) {
	all := make(results)
	for _, board := range boards {
		for _, metric := range metrics {
			for _, goal := range append(anywhere, goals...) {
				k := key{board, metric, goal}
				text, err := os.ReadFile(filepath.Join(dir, k.name()))
				if errors.Is(err, fs.ErrNotExist) {
					continue
				}
				s := new(search)
				if err == nil {
					err = json.Unmarshal(text, s)
				}
				if err != nil {
					return nil, fmt.Errorf("%s: %w", k.name(), err)
				}
				all[k] = s
			}
		}
	}
	return all, nil
}

// at returns the result of some number of pieces, or nil.
func (s *search) at(pieces int) *result {
	if s == nil {
		return nil
	}
	for i := range s.Results {
		if s.Results[i].Pieces == pieces {
			return &s.Results[i]
		}
	}
	return nil
}

// hardest returns the result of the greatest length, or nil.
func (s *search) hardest() (best *result) {
	for i := range s.Results {
		if r := &s.Results[i]; best == nil || r.Length > best.Length {
			best = r
		}
	}
	return best
}

// drawn returns the search whose puzzles are drawn: strict ones, in moves if there are such. It is nil if
// the board has no results.
func (r results) drawn(board string) (metric string, s *search) {
	for _, metric := range []string{"moves", "steps", "lines"} {
		if s := r[key{board, metric, strict}]; s != nil {
			return metric, s
		}
	}
	return "", nil
}

// sheet draws the hardest puzzles of a board by number of pieces. It is nil if there are none.
func (r results) sheet(board string) ([]byte, error) {
	metric, s := r.drawn(board)
	if s == nil {
		return nil, nil
	}
	var panels []render.Panel
	for _, one := range s.Results {
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
	sheet.SetTitle(fmt.Sprintf("The hardest puzzles of %s in %s, by number of pieces", board, metric))
	var b bytes.Buffer
	err = sheet.WriteSVG(&b)
	return b.Bytes(), err
}

// inLine writes a puzzle in a line: the start and the goal, rows separated by / and floors by //.
func inLine(puzzle string) (string, error) {
	if !strings.Contains(puzzle, "\n") {
		return puzzle, nil
	}
	p, err := tray.Parse(puzzle)
	if err != nil {
		return "", err
	}
	_, goal, ok := strings.Cut(puzzle, "goal:\n")
	if !ok || p.Goals() != 1 {
		return "", fmt.Errorf("expected one goal in %q", puzzle)
	}
	return p.FormatPosition(p.Start()) + " " + strings.ReplaceAll(strings.TrimSpace(goal), "\n", "/"), nil
}

// A record is the hardest puzzle of a board in a metric, as the library has it.
type record struct {
	name   string
	puzzle *tray.Puzzle
}

// record4x4 is the puzzle of the library that is the hardest of 4x4 in moves; N. Bickford found it.
const record4x4 = "ABB./ACDD/EEFG/HEI."

// records returns the hardest puzzles of a board with a strict goal: in moves, and those in lines and in steps
// that are others.
func (r results) records(board string) (all []record, err error) {
	known := make(map[string]*tray.Puzzle)
	for _, metric := range []string{"moves", "lines", "steps"} {
		s := r[key{board, metric, strict}]
		if s == nil || s.hardest() == nil {
			continue
		}
		best := s.hardest()
		m, err := tray.ParseMetric(metric)
		if err != nil {
			return nil, err
		}
		p := known[best.Puzzle]
		if p == nil {
			if p, err = tray.Parse(best.Puzzle); err != nil {
				return nil, err
			}
			known[best.Puzzle] = p
			name := "hardest-" + board
			p.Title = "the hardest " + strings.ReplaceAll(board, "x", " x ")
			if metric != "moves" {
				name += "-" + metric
				p.Title += " in " + metric
			}
			p.Author, p.Year, p.Source = "Pagoda, 2026", 2026, "docs/studies/hardest.md"
			p.Notes = []string{"of all trays of this size without walls where one piece goes from the upper left to the lower right"}
			if p.FormatPosition(p.Start()) != record4x4 {
				all = append(all, record{name, p})
			}
		}
		p.Lengths[m] = best.Length
	}
	return all, nil
}
