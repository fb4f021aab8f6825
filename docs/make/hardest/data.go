package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// The columns of the data.
var (
	puzzleColumns = []string{"board", "goal", "metric", "pieces", "length", "starts", "solutions", "puzzle"}
	boardColumns  = []string{"board", "goal", "just_solved", "searched"}
)

// read reads the data.
func read(root string) (*results, error) {
	r := &results{found: make(map[key][]result), sizes: make(map[[2]string]size)}
	err := eachRow(filepath.Join(root, puzzlesFile), puzzleColumns, func(row []string) error {
		k := key{row[0], row[1], row[2]}
		one := result{Solutions: json.Number(row[6]), Puzzle: row[7]}
		var errs [3]error
		for i, n := range []*int{&one.Pieces, &one.Length, &one.Starts} {
			*n, errs[i] = strconv.Atoi(row[3+i])
		}
		r.found[k] = append(r.found[k], one)
		return errors.Join(errs[:]...)
	})
	if err != nil {
		return nil, err
	}
	return r, eachRow(filepath.Join(root, boardsFile), boardColumns, func(row []string) error {
		solved, err := strconv.ParseUint(row[2], 10, 64)
		searched, also := strconv.ParseUint(row[3], 10, 64)
		r.sizes[[2]string{row[0], row[1]}] = size{solved, searched}
		return errors.Join(err, also)
	})
}

// eachRow calls take for each row of a file below its columns.
func eachRow(path string, columns []string, take func(row []string) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if len(rows) == 0 || !slices.Equal(rows[0], columns) {
		return fmt.Errorf("%s: expected the columns %v", path, columns)
	}
	for _, row := range rows[1:] {
		if err := take(row); err != nil {
			return fmt.Errorf("%s: %v: %w", path, row, err)
		}
	}
	return nil
}

// puzzles returns the text of the file of puzzles.
func (r *results) puzzles() string {
	rows := [][]string{puzzleColumns}
	for _, board := range boards {
		for _, goal := range goals {
			for _, metric := range metrics {
				for _, one := range r.found[key{board, goal, metric}] {
					rows = append(rows, []string{board, goal, metric, strconv.Itoa(one.Pieces), strconv.Itoa(one.Length), strconv.Itoa(one.Starts), one.Solutions.String(), one.Puzzle})
				}
			}
		}
	}
	return text(rows)
}

// boards returns the text of the file of boards.
func (r *results) boards() string {
	rows := [][]string{boardColumns}
	for _, board := range boards {
		for _, goal := range goals {
			if n, ok := r.sizes[[2]string{board, goal}]; ok {
				rows = append(rows, []string{board, goal, strconv.FormatUint(n.solved, 10), strconv.FormatUint(n.searched, 10)})
			}
		}
	}
	return text(rows)
}

// text writes rows as CSV.
func text(rows [][]string) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	w.WriteAll(rows) // a Builder has no errors
	return b.String()
}
