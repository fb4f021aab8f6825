// Command pegs counts boards of peg solitaire by the number of pegs: the positions that can be reached, and on the
// smaller boards also all jump sequences and games. It writes the rows of the boards that it is given into
// docs/data/peg-layers.csv, and keeps those of the others. Without boards it takes those that need minutes:
//
//	go run ./docs/make/pegs docs
//	go run ./docs/make/pegs docs peg/5x8 peg/6x7
//
// "reach explain BOARD" predicts time and memory. peg/wiegleb and peg/7x7 take hours.
package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"

	"pagoda/ask"
	"pagoda/puzzle/builtin"
	"pagoda/puzzle/peg"
	"pagoda/run"
)

// boards are those of the table, in its order.
var boards = []struct {
	name  string
	games bool // count sequences and games, too
	long  bool // only if the board is named: it takes more than a minute, or more than a GiB
}{
	{name: "peg/4x4", games: true},
	{name: "peg/5x5", games: true},
	{name: "peg/5x6", games: true},
	{name: "peg/5x7", games: true},
	{name: "peg/6x6"},
	{name: "peg/5x8", long: true},
	{name: "peg/6x7", long: true},
	{name: "peg/7x7", long: true},
	{name: "peg/english", games: true},
	{name: "peg/european", games: true},
	{name: "peg/wiegleb", long: true},
	{name: "peg/triangle10", games: true},
	{name: "peg/triangle15", games: true},
	{name: "peg/triangle21", games: true},
	{name: "peg/triangle28", games: true},
	{name: "peg/triangle36", long: true},
	{name: "peg/hexagon19", games: true},
	{name: "peg/hexagon37", long: true},
	{name: "peg/diamond13", games: true},
	{name: "peg/diamond25", games: true},
	{name: "peg/diamond41", long: true},
	{name: "peg/4x4:diagonal", games: true},
	{name: "peg/4x5:diagonal", games: true},
	{name: "peg/5x5:diagonal", games: true},
	{name: "peg/5x6:diagonal"},
	{name: "peg/english:diagonal", long: true},
}

var head = []string{"board", "pegs", "positions", "up_to_symmetry", "paths", "dead_ends", "games"}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "pegs takes the directory of the documents, and boards: go run ./docs/make/pegs docs peg/5x8")
		os.Exit(2)
	}
	if err := write(ctx, filepath.Join(os.Args[1], "data", "peg-layers.csv"), os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "pegs:", err)
		os.Exit(1)
	}
}

// write counts the named boards and puts their rows into the table at path.
func write(ctx context.Context, path string, names []string) error {
	table, err := read(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, b := range boards {
		if len(names) == 0 && b.long || len(names) > 0 && !slices.Contains(names, b.name) {
			continue
		}
		fmt.Fprintln(os.Stderr, b.name)
		rows, err := count(ctx, b.name, b.games)
		if err != nil {
			return fmt.Errorf("%s: %w", b.name, err)
		}
		table[b.name] = rows
	}
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	all := [][]string{head}
	for _, b := range boards {
		all = append(all, table[b.name]...)
	}
	if err := w.WriteAll(all); err != nil {
		return err
	}
	return os.WriteFile(path, text.Bytes(), 0o644)
}

// read returns the rows of the table by board.
func read(path string) (map[string][][]string, error) {
	table := make(map[string][][]string)
	f, err := os.Open(path)
	if err != nil {
		return table, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return table, err
	}
	for _, row := range rows[min(1, len(rows)):] {
		table[row[0]] = append(table[row[0]], row)
	}
	return table, nil
}

// count enumerates a board, and counts its games if these are wanted.
func count(ctx context.Context, name string, games bool) (rows [][]string, err error) {
	sp, err := peg.Lookup(name)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "pegs")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	o := run.Options{}
	if games {
		o.Output = filepath.Join(dir, "board.reach")
	}
	r, err := run.Start(ctx, sp, o)
	if err != nil {
		return nil, err
	}
	number := func(n uint64) string { return strconv.FormatUint(n, 10) }
	for _, l := range r.Layers {
		rows = append(rows, []string{name, strconv.Itoa(l.Layer), number(l.States), number(l.Orbits), "", "", ""})
	}
	if !games {
		return rows, nil
	}
	f, err := ask.Open(ctx, o.Output, builtin.Families().Define, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	layers, err := f.LayersUpToSymmetry(ctx, run.Options{}) // a run without blocks does not count orbits
	if err != nil {
		return nil, err
	}
	ways, err := f.Ways(ctx, run.Options{})
	if err != nil {
		return nil, err
	}
	for i, l := range ways.Layers {
		copy(rows[i][3:], []string{number(layers.Counts[i].Orbits), l.Paths.String(), number(l.DeadEnds), l.Games.String()})
	}
	return rows, nil
}
