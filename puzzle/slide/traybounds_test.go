package slide

import (
	"bufio"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/slide/packing"
	"pagoda/puzzle/slide/slidetest"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace/sparse"
)

// trayBounds is docs/data/tray-bounds.csv, made again: go test -tags long -timeout 3h ./puzzle/slide -run TestTrayBounds -tray-bounds FILE
var trayBounds = flag.String("tray-bounds", "", "measure the bounds of all puzzles of the study, and add rows to this file")

const (
	mostPlacements = 21_000_000 // of an easier puzzle; see most
	mostSamples    = 25_000     // positions whose bounds are counted
)

// A bounded is a puzzle whose positions up to the nearest goal were enumerated.
type bounded struct {
	name   string
	p      *tray.Puzzle
	m      tray.Metric
	levels []uint64
	stride uint64 // one of this many positions is a sample
	pos    []tray.Position
	depth  []int
}

// enumerated enumerates a puzzle up to the nearest goal.
func enumerated(t *testing.T, name string, p *tray.Puzzle, m tray.Metric) *bounded {
	t.Helper()
	s, err := sparse.New(keyGraph(p, m), sparse.Options{Threads: 2, ToGoal: true, Memory: 2 << 30})
	if err == nil {
		err = s.Run(t.Context(), nil, nil)
	}
	if err != nil {
		t.Logf("%s in %v: %v", name, m, err)
		return nil
	}
	defer s.Close()
	r := s.Result()
	b := &bounded{name: name, p: p, m: m, levels: r.Levels, stride: (r.States + mostSamples - 1) / mostSamples}
	keys, n := packing.NewKeys(p, m), uint64(0)
	for depth := range r.Levels {
		list, err := s.List(depth)
		if err != nil {
			t.Fatal(err)
		}
		var codes []uint64
		for chunk := range list.Chunks() {
			if codes, err = list.Chunk(codes[:0], chunk); err != nil {
				t.Fatal(err)
			}
			for code := range slices.Chunk(codes, keys.Words()) {
				if n++; n%b.stride == 0 {
					b.pos, b.depth = append(b.pos, keys.Position(code)), append(b.depth, depth)
				}
			}
		}
	}
	return b
}

// length is that of the shortest solution.
func (b *bounded) length() int { return len(b.levels) - 1 }

func sum(numbers []uint64) (n uint64) {
	for _, x := range numbers {
		n += x
	}
	return n
}

// row is a line of the table. Positions are within if their distance and bound are at most the length, and inside if they are less.
func (b *bounded) row(t *testing.T, bound string, tables, tooLarge int, states uint64, h []int) string {
	var within, inside uint64
	for i, d := range b.depth {
		if d+h[i] <= b.length() {
			within += b.stride
		}
		if d+h[i] < b.length() {
			inside += b.stride
		}
	}
	t.Log(bound, tables, tooLarge, states, within, inside) // a puzzle may take long
	every := sum(b.levels)
	before := every - b.levels[b.length()]
	return fmt.Sprintf("%s,%v,%d,%d,%s,%d,%d,%d,%d,%.2f,%.2f,%d,%.2f", b.name, b.m, b.length(), every, bound, tables, tooLarge, states,
		within, ratio(every, within), ratio(every, within+states), inside, ratio(before, inside))
}

func ratio(a, b uint64) float64 { return float64(a) / float64(max(1, b)) }

const columns = "puzzle,metric,length,positions,bound,tables,too_large,table_positions,within,ratio,ratio_with_tables,inside,inside_ratio"

// most is how many placements an easier puzzle may have.
func (b *bounded) most() uint64 { return min(mostPlacements, 25*max(200_000, sum(b.levels))) }

// greatest sets each bound to that of an easier puzzle if this is greater.
func (b *bounded) greatest(h []int, r *relaxed) {
	for i, pos := range b.pos {
		h[i] = max(h[i], r.bound(pos))
	}
}

// kept is the greatest of all bounds of easier puzzles.
func (b *bounded) kept(t *testing.T, name string, keeps [][]int, alike bool) []string {
	t.Helper()
	h := make([]int, len(b.pos))
	var states uint64
	tables, tooLarge := 0, 0
	for _, keep := range keeps {
		r := relax(t, b.p, b.m, keep, alike, b.most())
		if r == nil {
			tooLarge++
			continue
		}
		tables, states = tables+1, states+r.states
		b.greatest(h, r)
	}
	if tables == 0 {
		return nil
	}
	return []string{b.row(t, name, tables, tooLarge, states, h)}
}

// sums is the greatest sum of bounds of two easier puzzles with different kinds, over some splits of the kinds. Each kind goes at random
// to one of the two puzzles; they are about as large as each other if the kinds are.
func (b *bounded) sums(t *testing.T) []string {
	t.Helper()
	var named []int
	for kind := range b.p.Kinds() {
		if goal, _ := wanted(b.p, kind); goal {
			named = append(named, kind)
		}
	}
	if len(named) < 2 || b.m.Super() || b.p.HasGates() {
		return nil
	}
	rng := rand.New(rand.NewPCG(495, 496))
	h := make([]int, len(b.pos))
	var states uint64
	tables, tooLarge := 0, 0
	for range 6 {
		order := slices.Concat(inAnyOrder(rng, named), inAnyOrder(rng, slices.DeleteFunc(rng.Perm(len(b.p.Kinds())), func(kind int) bool { return slices.Contains(named, kind) })))
		halves := [2][]int{all(b.p), all(b.p)}
		for i, kind := range order {
			halves[i%2][kind] = 0
		}
		one, other := relax(t, b.p, b.m, halves[0], false, b.most()/4), relax(t, b.p, b.m, halves[1], false, b.most()/4)
		if one == nil || other == nil {
			tooLarge += 2
			continue
		}
		tables, states = tables+2, states+one.states+other.states
		for i, pos := range b.pos {
			h[i] = max(h[i], one.bound(pos)+other.bound(pos))
		}
	}
	if tables == 0 {
		return nil
	}
	return []string{b.row(t, "sums of two halves", tables, tooLarge, states, h)}
}

func inAnyOrder(rng *rand.Rand, list []int) []int {
	list = slices.Clone(list)
	rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// lengthwise reports whether all pieces move along one axis.
func lengthwise(p *tray.Puzzle) bool {
	for piece := range p.Pieces() {
		if p.Axis(piece) == tray.Free {
			return false
		}
	}
	return true
}

// rush counts the cars in the way.
func (b *bounded) rush(t *testing.T) (rows []string) {
	if !lengthwise(b.p) {
		return nil
	}
	for i, name := range []string{"cars in the way", "and the cars in their way"} {
		by := &inWay{b.p, b.m == tray.Steps, i == 1}
		h := make([]int, len(b.pos))
		for i, pos := range b.pos {
			h[i] = by.bound(pos)
		}
		rows = append(rows, b.row(t, name, 0, 0, 0, h))
	}
	return rows
}

// ends counts the positions of a search from both ends, if the goal is one position.
func (b *bounded) ends(t *testing.T) []string {
	t.Helper()
	n := 0
	for kind, of := range b.p.Kinds() {
		if goal, _ := wanted(b.p, kind); goal {
			n += len(of.Pieces)
		}
	}
	if b.p.Goals() != 1 || n < len(b.p.Pieces()) || len(b.p.Wants(0)) < n {
		return nil
	}
	end := b.p.Start()
	for _, want := range b.p.Wants(0) {
		end[want.Piece] = want.Anchor
	}
	back := enumerated(t, b.name, b.p.From(end).To(b.p.Start()), b.m)
	if back == nil || back.length() != b.length() {
		t.Fatalf("%s in %v: another length from the other end", b.name, b.m)
	}
	half := (b.length() + 1) / 2
	found := sum(b.levels[:half+1]) + sum(back.levels[:b.length()-half+1])
	every := sum(b.levels)
	return []string{fmt.Sprintf("%s,%v,%d,%d,a search from both ends,0,0,0,%d,%.2f,%.2f,,", b.name, b.m, b.length(), every, found, ratio(every, found), ratio(every, found))}
}

// rows measures all bounds of a puzzle.
func (b *bounded) rows(t *testing.T, quick bool) (rows []string) {
	t.Helper()
	others := len(b.p.Pieces())
	for _, n := range goalPieces(b.p) {
		others -= n
	}
	if others > 0 {
		rows = append(rows, b.kept(t, "the goal pieces alone", [][]int{goalPieces(b.p)}, false)...)
	}
	large := sum(b.levels) > 50_000
	for n := 2; large && n < min(4, others-1); n++ { // to leave out two or three would take hundreds of large tables
		keeps := slices.DeleteFunc(leaveOut(b.p, others-n), func(keep []int) bool {
			for kind, count := range goalPieces(b.p) {
				if keep[kind] < count {
					return true
				}
			}
			return false
		})
		if len(keeps) > 0 && len(keeps) <= 60/n {
			rows = append(rows, b.kept(t, fmt.Sprintf("the goal pieces and %d more", n), keeps, false)...)
		}
	}
	for n := 3; n > 0; n-- {
		if keeps := leaveOut(b.p, n); len(keeps) > 0 && (n == 1 || !quick && !large) {
			rows = append(rows, b.kept(t, fmt.Sprintf("all but %d", n), keeps, false)...)
		}
	}
	if q, err := tray.Parse(easierText(b.p, "", true)); err == nil && len(q.Kinds()) < len(b.p.Kinds()) {
		rows = append(rows, b.kept(t, "made alike", [][]int{all(b.p)}, true)...)
	}
	if !large || others == 0 {
		rows = append(rows, b.sums(t)...)
	}
	rows = append(rows, b.rush(t)...)
	rows = append(rows, b.ends(t)...)
	return append(rows, b.kept(t, "the distance itself", [][]int{all(b.p)}, false)...)
}

// boundsPuzzles are the puzzles of the study. Those of testdata/bounds are larger than most of the library.
var boundsPuzzles = strings.Fields(`slide/dads slide/klotski slide/century rushhour60 slide/rushhour slide/rushhour39 slide/rushhour38 slide/rushhour37
	greatest-escape-2 traffic-jam success fortune fool polonaise right-to-left slide/super-century slide/record4x4 slide/jewel-swap slide/letter-block
	slide/trapped-treasure slide/cleopatra slide/agatka slide/mas slide/cube slide/bone slide/the-diabolical-box rome solomon time-machine slide/tzer`)

// lookupBounds returns a puzzle of the study.
func lookupBounds(t *testing.T, name string) *tray.Puzzle {
	t.Helper()
	if strings.HasPrefix(name, library.Prefix) {
		return slidetest.Lookup(t, name)
	}
	text, err := os.ReadFile(filepath.Join("testdata", "bounds", name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	return slidetest.Parse(t, string(text))
}

// TestTrayBounds measures what bounds would save, and compares some puzzles with the table of the study.
func TestTrayBounds(t *testing.T) {
	if *trayBounds == "" {
		table, err := os.ReadFile(filepath.Join("..", "..", "docs", "data", "tray-bounds.csv"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range boundsPuzzles[:long.Or(2, 1)] {
			for _, row := range enumerated(t, name, lookupBounds(t, name), tray.Moves).rows(t, true) {
				if !strings.Contains(string(table), row+"\n") {
					t.Errorf("the table lacks %s", row)
				}
			}
		}
		return
	}
	file, err := os.OpenFile(*trayBounds, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	done := make(map[string]bool) // puzzles and metrics that the file has
	for lines := bufio.NewScanner(file); lines.Scan(); {
		fields := strings.Split(lines.Text(), ",")
		done[fields[0]+","+fields[1]] = true
	}
	if len(done) == 0 {
		fmt.Fprintln(file, columns)
	}
	for _, m := range []tray.Metric{tray.Moves, tray.Steps, tray.Lines} {
		for _, name := range boundsPuzzles {
			p := lookupBounds(t, name)
			if done[fmt.Sprintf("%s,%v", name, m)] || m == tray.Lines && lengthwise(p) {
				continue // on a Rush Hour board lines are moves
			}
			t.Run(fmt.Sprintf("%v/%s", m, path.Base(name)), func(t *testing.T) {
				if b := enumerated(t, name, p, m); b != nil {
					fmt.Fprintln(file, strings.Join(b.rows(t, false), "\n"))
				}
			})
		}
	}
}
