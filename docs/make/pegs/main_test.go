package main

import (
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pagoda/internal/long"
)

const data = "../../data/peg-layers.csv"

// table reads the table.
func table(t *testing.T) map[string][][]string {
	t.Helper()
	rows, err := read(data)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// column returns the numbers of a column, of the layers in order.
func column(t *testing.T, rows [][]string, name string) (numbers []string, sum *big.Int) {
	t.Helper()
	sum = new(big.Int)
	for _, row := range rows {
		s := row[slices.Index(head, name)]
		n, ok := new(big.Int).SetString(s, 10)
		if s != "" && !ok {
			t.Fatalf("%q is no number", row)
		}
		if ok {
			sum.Add(sum, n)
		}
		numbers = append(numbers, s)
	}
	return numbers, sum
}

// The boards come out as in the table: without the tag long, the small ones.
func TestTable(t *testing.T) {
	kept := table(t)
	for _, b := range boards {
		rows := kept[b.name]
		if len(rows) == 0 {
			t.Errorf("the table lacks %s", b.name)
			continue
		}
		_, states := column(t, rows, "positions")
		if most := map[bool]int64{false: 30_000, true: 200_000_000}[long.Tests]; states.Int64() > most {
			continue
		}
		got, err := count(t.Context(), b.name, b.games)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(got, rows, slices.Equal) {
			t.Errorf("%s has %v, the table %v", b.name, got, rows)
		}
	}
}

// Written anew, the rows of a board are the same, and so are those of the others.
func TestWrite(t *testing.T) {
	old, err := os.ReadFile(data)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "peg-layers.csv")
	if err := os.WriteFile(path, old, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := write(t.Context(), path, []string{"peg/triangle15"}); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != string(old) {
		t.Errorf("the table is another, %v:\n%s", err, text)
	}
}

// The tables of the pages have the totals of the table: positions, orbits and, in peg-counts.md, dead ends and games.
func TestPages(t *testing.T) {
	rows := table(t)
	for page, columns := range map[string][]string{
		"peg-counts.md":   {"positions", "up_to_symmetry", "dead_ends", "games"},
		"large-boards.md": {"positions", "up_to_symmetry"},
	} {
		text, err := os.ReadFile("../../studies/" + page)
		if err != nil {
			t.Fatal(err)
		}
		_, counts, _ := strings.Cut(string(text), "| up to symmetry |")
		counts, _, _ = strings.Cut(counts, "\n\n")
		seen := 0
		for _, line := range strings.Split(counts, "\n") {
			fields := strings.Split(strings.Trim(strings.ReplaceAll(line, ",", ""), "| "), " | ")
			board := rows[fields[0]]
			if board == nil {
				continue
			}
			seen++
			for i, name := range columns {
				// Games are not counted on all boards.
				numbers, sum := column(t, board, name)
				if want := sum.String(); numbers[0] != "" && (len(fields) <= i+1 || fields[i+1] != want) {
					t.Errorf("%s: %s has %s %s, the page %q", page, fields[0], want, name, fields)
				}
			}
		}
		if seen < 6 {
			t.Errorf("%s: %d boards of the table, want 6 or more", page, seen)
		}
	}
}

// oeis.md has the first terms of the layers, and the totals of boards.
func TestSequences(t *testing.T) {
	text, err := os.ReadFile("../../oeis.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for board, rows := range table(t) {
		_, after, ok := strings.Cut(string(text), "\n| "+board+" | ")
		if !ok {
			continue
		}
		seen++
		terms, _, _ := strings.Cut(after, " |")
		if numbers, _ := column(t, rows, "up_to_symmetry"); !strings.HasPrefix(strings.Join(numbers, ", "), terms+", ") {
			t.Errorf("%s begins with %v, oeis.md has %s", board, numbers[:10], terms)
		}
	}
	if seen < 10 {
		t.Errorf("oeis.md has %d boards, want 10 or more", seen)
	}
	for sequence, boards := range map[string]string{
		"positions, n x n, from n = 3":                    "4x4 5x5 6x6 7x7",
		"positions, triangle with sides of n, from n = 4": "triangle10 triangle15 triangle21 triangle28 triangle36",
		"positions, hexagon with sides of n, from n = 2":  "hexagon19 hexagon37",
		"positions, diamonds of 5, 13, 25, 41 cells":      "diamond13 diamond25 diamond41",
		"games, n x n, from n = 3":                        "4x4 5x5",
		"games, triangle with sides of n, from n = 4":     "triangle10 triangle15 triangle21 triangle28",
	} {
		name, _, _ := strings.Cut(sequence, ",")
		var terms []string
		for _, board := range strings.Fields(boards) {
			_, sum := column(t, table(t)["peg/"+board], name)
			terms = append(terms, sum.String())
		}
		if want := strings.Join(terms, ", ") + " |"; !strings.Contains(string(text), want) {
			t.Errorf("oeis.md lacks the sequence of %s: %s", sequence, want)
		}
	}
}

// What others have published. W. Butler, "Durango Bill": Peg33.html and Peg37.html have the games from the centre, and
// PegSolitaire.html those of the triangle of 15 from each hole, with the wins and the length of the shortest game. There
// the games are more than ours by just the number of wins.
func TestPublished(t *testing.T) {
	rows := table(t)
	numbers, _ := column(t, rows["peg/english"], "up_to_symmetry")
	a112737 := "1, 1, 2, 8, 39, 171, 719, 2757, 9751, 31312, 89927, 229614, 517854, 1022224, 1753737, 2598215, 3312423, " +
		"3626632, 3413313, 2765623, 1930324, 1160977, 600372, 265865, 100565, 32250, 8688, 1917, 348, 50, 7, 2"
	if got := strings.Join(numbers, ", "); got != a112737 {
		t.Errorf("A112737 is %s, the table has %s", a112737, got)
	}
	for board, want := range map[string]string{"peg/english": "577116156815309849672", "peg/european": "16662591542028595169821912"} {
		if _, games := column(t, rows[board], "games"); games.String() != want {
			t.Errorf("%s has %v games, published are %s", board, games, want)
		}
	}
	if last := rows["peg/european"][len(rows["peg/european"])-1]; last[1] != "2" {
		t.Errorf("a game of European ends with %s peg, published is that none does", last[1])
	}
	for hole, want := range map[string]struct {
		wins, games int64
		shortest    int
	}{"0,0": {29760, 598390, 6}, "1,0": {14880, 309423, 6}, "2,0": {85258, 1234826, 7}, "2,1": {1550, 139396, 4}} {
		got, err := count(t.Context(), "peg/triangle15@"+hole, true)
		if err != nil {
			t.Fatal(err)
		}
		games, all := column(t, got, "games")
		wins, _ := new(big.Int).SetString(games[13], 10) // after 13 jumps one of 14 pegs is left
		shortest := slices.IndexFunc(games, func(s string) bool { return s != "0" })
		if wins.Int64() != want.wins || all.Int64()+want.wins != want.games || shortest != want.shortest {
			t.Errorf("from %s there are %v wins, %v games, the shortest of %d jumps; published are %v", hole, wins, all, shortest, want)
		}
	}
}
