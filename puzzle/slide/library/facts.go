package library

import (
	_ "embed"
	"fmt"
	"io"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"sync"

	"pagoda/puzzle/slide/tray"
)

// Facts are what was computed of a puzzle in a metric. Numbers that are not known are 0, or nil: their
// computation takes too long.
type Facts struct {
	States uint64 // the positions that can be reached
	// Length is the least number of moves to a goal, and Solutions the number of solutions of that
	// length.
	Length    int
	Solutions *big.Int
	// Diameter is the greatest distance between two positions, which Pairs pairs of positions have.
	// Radius is the least distance that the farthest position from any can have.
	Diameter, Radius int
	Pairs            uint64
	// Hardest is the greatest distance from the nearest goal, which Starts positions have. Start is
	// one of them.
	Hardest int
	Starts  uint64
	Start   string
}

// A Table has the facts of puzzles, by name and metric.
type Table map[string]*[tray.Metrics]Facts

//go:embed facts.csv
var factsText string

// Computed returns the facts of the library: of the published puzzles and of the 8-puzzle. The program
// docs/make/library computes them. Callers must not change them.
var Computed = sync.OnceValue(func() Table {
	t, err := ReadTable(strings.NewReader(factsText))
	if err != nil {
		panic(err) // it is part of the program
	}
	return t
})

// columns are the first line of facts.csv. No field contains a comma. An empty field means that the number is not known.
var columns = []string{"puzzle", "metric", "states", "length", "solutions", "diameter", "radius", "pairs", "hardest", "starts", "start"}

// ReadTable reads what Write has written.
func ReadTable(r io.Reader) (Table, error) {
	t := Table{}
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if lines[0] != strings.Join(columns, ",") {
		return nil, fmt.Errorf("line 1: expected the columns %s", strings.Join(columns, ","))
	}
	for i, line := range lines[1:] {
		row := strings.Split(line, ",")
		if len(row) != len(columns) {
			return nil, fmt.Errorf("line %d: expected %d fields, found %d", i+2, len(columns), len(row))
		}
		m, err := tray.ParseMetric(row[1])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+2, err)
		}
		f, err := parseFacts(row[2:])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+2, err)
		}
		if t[row[0]] == nil {
			t[row[0]] = new([tray.Metrics]Facts)
		}
		t[row[0]][m] = f
	}
	return t, nil
}

// parseFacts reads the columns behind the metric.
func parseFacts(fields []string) (f Facts, err error) {
	number := func(i, bits int) uint64 {
		if fields[i] == "" || err != nil {
			return 0
		}
		var n uint64
		if n, err = strconv.ParseUint(fields[i], 10, bits); err != nil {
			err = fmt.Errorf("%s is %.40q, expected a number", columns[i+2], fields[i])
		}
		return n
	}
	f = Facts{States: number(0, 64), Length: int(number(1, 31)), Diameter: int(number(3, 31)), Radius: int(number(4, 31)),
		Pairs: number(5, 64), Hardest: int(number(6, 31)), Starts: number(7, 64), Start: fields[8]}
	if fields[2] != "" {
		var ok bool
		if f.Solutions, ok = new(big.Int).SetString(fields[2], 10); !ok {
			err = fmt.Errorf("solutions is %.40q, expected a number", fields[2])
		}
	}
	return f, err
}

// Write writes a table, a line for each puzzle and metric, in the order of names and metrics.
func (t Table) Write(w io.Writer) error {
	var b strings.Builder
	write := func(fields ...string) { b.WriteString(strings.Join(fields, ",") + "\n") }
	write(columns...)
	for _, name := range slices.Sorted(maps.Keys(t)) {
		for m, f := range t[name] {
			number := func(n uint64) string {
				if n == 0 {
					return ""
				}
				return strconv.FormatUint(n, 10)
			}
			solutions := ""
			if f.Solutions != nil {
				solutions = f.Solutions.String()
			}
			write(name, tray.Metric(m).String(), number(f.States), number(uint64(f.Length)), solutions, number(uint64(f.Diameter)),
				number(uint64(f.Radius)), number(f.Pairs), number(uint64(f.Hardest)), number(f.Starts), f.Start)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
