package purges

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"pagoda/internal/csvtest"
	"pagoda/internal/long"
	"pagoda/puzzle/peg/board"
	"pagoda/statespace"
	"pagoda/studies/packages"
)

// The free polyominoes are known (OEIS A000105).
func TestShapes(t *testing.T) {
	for n, want := range map[int]int{3: 2, 4: 5, 5: 12, 6: 35, 7: 108, 8: 369, 9: 1285} {
		if got := len(connected(n)); got != want {
			t.Errorf("%d shapes of %d cells, want %d", got, n, want)
		}
	}
	for n, want := range map[int]int{3: 1, 4: 1, 5: 4} { // I; I; I, L without its foot's end, T, V
		if got := len(shapes(n)); got != want {
			t.Errorf("%d blocks of %d cells, want %d", got, n, want)
		}
	}
}

// The numbers of blocks and packages by cells are those of docs/data/packages.csv: the purges that do not split,
// those that do, and the movers likewise.
func TestCounts(t *testing.T) {
	rows := csvtest.Rows(t, "../../docs/data/packages.csv")
	if len(rows) != 10 {
		t.Fatalf("%d rows, want 10", len(rows))
	}
	all, most := Library(), Cells
	if long.Tests {
		most = 10
		var err error
		if all, err = Find(t.Context(), most, Options{}); err != nil {
			t.Fatal(err)
		}
	}
	got := make(map[int][4]int)
	for _, p := range all {
		n := got[len(p.Block.Cells())]
		i := 2 * int(p.Kind())
		if p.Split > 0 {
			i++
		}
		n[i]++
		got[len(p.Block.Cells())] = n
	}
	for n := 4; n <= most; n++ {
		row := fmt.Sprint(n, len(shapes(n)), got[n])
		if want := fmt.Sprint(rows[n-3]); strings.Trim(want, "[]") != strings.NewReplacer("[", "", "]", "").Replace(row) {
			t.Errorf("packages.csv has %s, found are %s", want, row)
		}
	}
}

// The library is what Find finds, whatever the number of goroutines, and its file is as Write writes it.
func TestLibrary(t *testing.T) {
	for threads := range 3 {
		if !long.Tests && threads < 2 {
			continue
		}
		all, err := Find(t.Context(), Cells, Options{Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := Write(&b, all); err != nil || !bytes.Equal(b.Bytes(), library) {
			t.Errorf("library.csv is not what %d goroutines find, %v: go generate makes it again", threads, err)
		}
	}
	names := make(map[string]bool)
	for _, p := range Library() {
		if names[p.Name] {
			t.Errorf("two packages have the name %s", p.Name)
		}
		names[p.Name] = true
		if ByName(Library(), p.Name) != p {
			t.Errorf("%s is not found by its name", p.Name)
		}
	}
	if ByName(Library(), "purge-99-1") != nil {
		t.Error("a package that is not there was found")
	}
	if fewer, err := Find(t.Context(), 7, Options{Threads: 2, Memory: 1 << 20}); err != nil || !slices.EqualFunc(fewer, upTo(7), func(p, q *Package) bool { return p.String() == q.String() }) {
		t.Errorf("the packages of up to 7 cells have other names if there are no larger ones, %v", err)
	}
}

// upTo returns the packages of the library of up to a number of cells.
func upTo(cells int) []*Package {
	return slices.DeleteFunc(slices.Clone(Library()), func(p *Package) bool { return len(p.Block.Cells()) > cells })
}

// A replayer plays a package on a board of characters, and shares nothing with the search.
type replayer map[[2]int]byte

func newReplayer(text string) replayer {
	r, row, col := make(replayer), 0, 0
	for _, ch := range []byte(text) {
		if ch == '/' {
			row, col = row+1, 0
			continue
		}
		if ch != '#' {
			r[[2]int{row, col}] = ch
		}
		col++
	}
	return r
}

// jump makes a jump such as a1-c1.
func (r replayer) jump(text string) error {
	from, to := [2]int{int(text[1] - '1'), int(text[0] - 'a')}, [2]int{int(text[4] - '1'), int(text[3] - 'a')}
	over := [2]int{(from[0] + to[0]) / 2, (from[1] + to[1]) / 2}
	dr, dc := from[0]-to[0], from[1]-to[1]
	if dr*dr+dc*dc != 4 || dr*dc != 0 || r[from] != 'o' || r[over] != 'o' || r[to] != '.' {
		return fmt.Errorf("%s cannot be made in %v", text, r)
	}
	r[from], r[over], r[to] = '.', '.', 'o'
	return nil
}

// Each line of the library is a package: its jumps lead from the start to the goal. Where it splits is a
// position that makes two packages.
func TestReplay(t *testing.T) {
	for _, p := range Library() {
		r, split := newReplayer(p.Text(p.Start)), ""
		for _, word := range bytes.Fields([]byte(p.JumpText())) {
			if string(word) == "|" {
				split = fmt.Sprint(r)
			} else if err := r.jump(string(word)); err != nil {
				t.Fatalf("%s: %v", p, err)
			}
		}
		if fmt.Sprint(r) != fmt.Sprint(newReplayer(p.Text(p.Goal))) {
			t.Fatalf("%s ends in %v", p, r)
		}
		if (split != "") != (p.Split > 0) {
			t.Errorf("%s splits after %d jumps", p, p.Split)
		}
	}
}

// found finds the package of a start and a goal on some cells of a block by the general engine.
func found(t testing.TB, b *board.Board, cells uint64, start, goal board.Pattern) *packages.Package {
	t.Helper()
	part, of := restrict(b, cells)
	p, err := packages.Find(t.Context(), packages.Block{Board: part, Start: of(start), Goal: of(goal)}, packages.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// restrict returns a part of a block, and what gives a pattern of the block as one of the part.
func restrict(b *board.Board, set uint64) (*board.Board, func(board.Pattern) board.Pattern) {
	var cells []board.Cell
	for i, c := range b.Cells() {
		if set>>i&1 == 1 {
			cells = append(cells, c)
		}
	}
	part, err := board.NewBoard(board.Square, cells)
	if err != nil {
		panic(err)
	}
	return part, func(p board.Pattern) (q board.Pattern) {
		for i, c := range b.Cells() {
			if n, ok := part.Number(c); ok && set>>i&1 == 1 {
				q.Pegs |= p.Pegs >> i & 1 << n
				q.Any |= p.Any >> i & 1 << n
			}
		}
		return q
	}
}

// can reports whether jumps on some cells of a block lead from a position to another.
func can(t testing.TB, b *board.Board, cells uint64, start, goal board.Position) bool {
	return start&cells == goal&cells || cells != 0 && found(t, b, cells, board.Pattern{Pegs: start & cells}, board.Pattern{Pegs: goal & cells}).States > 0
}

// plain finds the packages of a block by the general engine, as texts.
func plain(t testing.TB, b *board.Board) (all []string) {
	full := b.Full()
	for start := board.Position(1); start < full; start++ {
		for goal := range found(t, b, full, board.Pattern{Pegs: start}, board.Pattern{Any: full}).UsableGoals() {
			if bits.OnesCount64(goal&^start) > 1 || bits.OnesCount64(start)-bits.OnesCount64(goal) < 2 {
				continue
			}
			minimal := true
			for i := range b.Cells() {
				if bit := uint64(1) << i; (start^goal)&bit == 0 && can(t, b, full&^bit, start, goal) {
					minimal = false
				}
			}
			for part := uint64(1); minimal && part < full; part++ {
				if can(t, b, part, start, goal) && can(t, b, full&^part, start, goal) {
					minimal = false
				}
			}
			if minimal {
				all = append(all, leastText(b, start, goal))
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// leastText is the least text of the images of a start and a goal.
func leastText(b *board.Board, start, goal board.Position) string {
	var texts []string
	for _, s := range b.Symmetries() {
		texts = append(texts, b.FormatPosition(s.Image(start))+" "+b.FormatPosition(s.Image(goal)))
	}
	return slices.Min(texts)
}

// Find finds what the plain search over all connected blocks finds.
func TestFindPlain(t *testing.T) {
	most := 7
	if !long.Tests {
		most = 6
	}
	var got, want []string
	for _, p := range upTo(most) {
		got = append(got, leastText(p.Block, p.Start, p.Goal))
	}
	level := map[string][]board.Cell{"": {{}}}
	for n := 1; n <= most; n++ {
		next := make(map[string][]board.Cell)
		for _, cells := range level {
			if b := block(cells); n >= 3 {
				want = append(want, plain(t, b)...)
			}
			for _, c := range cells {
				for _, d := range steps {
					if more := append(slices.Clone(cells), board.Cell{Row: c.Row + d.Row, Col: c.Col + d.Col}); !slices.Contains(cells, more[n]) {
						if least := drawShape(more); next[least] == nil {
							b, _, err := board.ParseBoard(least)
							if err != nil {
								t.Fatal(err)
							}
							next[least] = b.Cells()
						}
					}
				}
			}
		}
		level = next
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%d packages, the plain search finds %d:\n%q\n%q", len(got), len(want), got, want)
	}
}

// The purges that have a name are those of the books.
func TestNames(t *testing.T) {
	for name, want := range map[string]struct {
		cells, jumps int
		draw         string
	}{
		"2-purge": {4, 2, "xo.x"}, "3-purge": {5, 3, "ox./#x/#x"}, "6-purge": {9, 6, "xxx/xxx/#.?o"}, "L-purge": {8, 6, "xxx/##x/#.xo/##x"},
	} {
		p := ByName(Library(), name)
		if p == nil || len(p.Block.Cells()) != want.cells || len(p.Jumps) != want.jumps || p.Draw() != want.draw || !p.Named() {
			t.Errorf("%s is %v, drawn as %s; want %v", name, p, p.Draw(), want)
		}
	}
	// The 6-purge is that of findsolitairepackages.
	six := ByName(Library(), "6-purge")
	all := found(t, six.Block, six.Block.Full(), board.Pattern{Pegs: six.Start}, board.Pattern{Pegs: six.Goal})
	if got := fmt.Sprint(all.States, all.Jumps, all.Sequences); got != "11 15 6" {
		t.Errorf("the 6-purge has states, jumps, sequences %s", got)
	}
}

// What a package clears, moves and needs are all cells of its block.
func TestParts(t *testing.T) {
	for _, p := range Library() {
		parts, from, to := p.Cleared(), 0, 0
		if f, to2, ok := p.Moved(); ok {
			from, to = f, to2
			if p.Start>>from&1 == 0 || p.Goal>>from&1 == 1 || p.Start>>to&1 == 1 || p.Goal>>to&1 == 0 {
				t.Errorf("%s moves a peg from cell %d to %d", p, from, to)
			}
			parts |= 1<<from | 1<<to
		} else if p.Goal&^p.Start != 0 {
			t.Errorf("%s moves no peg", p)
		}
		if bits.OnesCount64(p.Cleared()) != len(p.Jumps) || parts&p.Catalyst() != 0 || parts|p.Catalyst() != p.Block.Full() {
			t.Errorf("%s clears %x, moves from %d to %d, and has the catalyst %x", p, p.Cleared(), from, to, p.Catalyst())
		}
		if p.Either()&^p.Catalyst() != 0 {
			t.Errorf("%s: %x can be either", p, p.Either())
		}
	}
}

func TestFindErrors(t *testing.T) {
	for _, cells := range []int{-1, 3, 13} {
		if _, err := Find(t.Context(), cells, Options{}); err == nil {
			t.Errorf("blocks of %d cells were searched", cells)
		}
	}
	if _, err := Find(t.Context(), 8, Options{Memory: 100_000}); !errors.Is(err, statespace.ErrMemory) {
		t.Errorf("with little memory: %v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stop")
	cancel(stop)
	if _, err := Find(ctx, 9, Options{Threads: 2}); !errors.Is(err, stop) {
		t.Errorf("%v, want %v", err, stop)
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range []string{"", "name,start,goal,jumps\n", "name,start,goal,jumps\na,oo.o,.o..,a1-c1 d1-b1\n", "name,start,goal,jumps\na,oooo.o,.o....,c1-e1 f1-d1 | a1-c1 d1-b1\n",
		"name,start,goal,jumps\na,oo.,..o,a1-c1\n", "name,start,goal,jumps\na,o,\n", "name,start,goal,jumps\na,#..o/ooo/ooo,x,|\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all, err := Read(bytes.NewReader([]byte(text)))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := Write(&b, all); err != nil {
			t.Fatal(err)
		}
		again, err := Read(&b)
		if err != nil || !slices.EqualFunc(all, again, func(p, q *Package) bool { return p.String() == q.String() && p.Split == q.Split }) {
			t.Errorf("%q was read as %v, and that again as %v, %v", text, all, again, err)
		}
	})
}

func TestReadErrors(t *testing.T) {
	const head = "name,start,goal,jumps\n"
	for text, want := range map[string]string{
		"":                                                   `line 1 of the packages is "", expected "name,start,goal,jumps"`,
		"a,b\n":                                              `line 1 of the packages is "a,b"`,
		head + "a,oo.o,.o..\n":                               "wrong number of fields",
		head + "a,oox,...,\n":                                "line 2 of the packages: start: line 1, column 3",
		head + "a,oo.o,.o,a1-c1\n":                           "line 2 of the packages: goal: ",
		head + "a,oo.o,.o..,a1-d1\n":                         `"a1-d1" is no jump of the block`,
		head + "a,oo.o,.o..,d1-b1 a1-c1\n":                   "jump 1 of a cannot be made in oo.o",
		head + "a,oo.o,o...,a1-c1 d1-b1\n":                   "lead to .o.., expected o...",
		head + "a,oo.o,.o..,| a1-c1 d1-b1\n":                 `unexpected "|"`,
		head + "a,oo.o,.o..,a1-c1 d1-b1 |\n":                 "a splits after jump 2 of 2",
		head + "a,oo.,..o,a1-c1\n":                           "a is neither a purge nor a mover",
		head + "a,oo.oooooooooo,.o....,a1-c1\n":              "the block has 13 cells",
		head + "a,oo./#o/#o,o../#./#.,a1-c1 | b3-b1 c1-a1\n": "are not two packages with a purge",
	} {
		if _, err := Read(bytes.NewReader([]byte(text))); err == nil || !bytes.Contains([]byte(err.Error()), []byte(want)) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
