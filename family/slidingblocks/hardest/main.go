// Command hardest writes docs/hardest.md, the page of the hardest sliding-block puzzles of boards, and
// draws a sheet of them for each board, docs/hardest-4x4.svg and so on:
//
//	go run ./family/slidingblocks/hardest docs
//
// It searches nothing: the directory results has what reach find has found, a file for each board, metric
// and kind of goal. scripts/reproduce-hardest.sh makes these files, and finds everything again.
package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"pagoda/render"
	"pagoda/render/blocks"
	"pagoda/statespace/slide/tray"
)

//go:embed results/*.json
var files embed.FS

// boards are those of the page, in its order, where they have results.
var boards = []string{"3x3", "3x4", "3x5", "3x6", "2x6", "2x7", "2x8", "4x4", "4x5", "2x2x2", "2x2x3", "2x3x3"}

// metrics and goals are those of the results. Goals that are not strict are loose.
var (
	metrics = []string{"steps", "lines", "moves"}
	goals   = []string{strict, loose}
)

const (
	strict = "strict"
	loose  = "loose"
)

// A search is what reach find --json has printed.
type search struct {
	Complete   bool     `json:"complete"`
	Placements uint64   `json:"placements"`
	Searched   uint64   `json:"searched"`
	Seconds    float64  `json:"seconds"`
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

// A key says of what a search is.
type key struct{ board, metric, goal string }

// results are the searches that there are.
type results map[key]*search

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "hardest takes the directory of the documents: go run ./family/slidingblocks/hardest docs")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "hardest:", err)
		os.Exit(1)
	}
}

// write writes the page and the sheets.
func write(docs string) error {
	all, err := read()
	if err != nil {
		return err
	}
	for _, board := range boards {
		sheet, err := all.sheet(board)
		if err == nil && sheet != nil {
			err = os.WriteFile(filepath.Join(docs, "hardest-"+board+".svg"), sheet, 0o666)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", board, err)
		}
	}
	return os.WriteFile(filepath.Join(docs, "hardest.md"), []byte(all.page()), 0o666)
}

// read reads the results.
func read() (results, error) {
	all := make(results)
	for _, board := range boards {
		for _, metric := range metrics {
			for _, goal := range goals {
				name := fmt.Sprintf("results/%s-%s-%s.json", board, metric, goal)
				text, err := files.ReadFile(name)
				if os.IsNotExist(err) {
					continue
				}
				s := new(search)
				if err == nil {
					err = json.Unmarshal(text, s)
				}
				if err != nil {
					return nil, fmt.Errorf("%s: %w", name, err)
				}
				all[key{board, metric, goal}] = s
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
		panels = append(panels, render.Panel{Drawing: blocks.Tray{Puzzle: p, Position: p.Start()}, Caption: fmt.Sprintf("%d: %d", one.Pieces, one.Length)})
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
