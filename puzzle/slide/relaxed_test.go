package slide

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/slide/packing"
	"pagoda/puzzle/slide/slidetest"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace/bfs"
)

// far is the distance of a placement from which no goal can be reached.
const far = 1<<16 - 1

// A relaxed is an easier puzzle, with its distances to the nearest goal. Pieces are left out, or pieces of
// the same shape are made interchangeable.
type relaxed struct {
	easier   *tray.Puzzle
	numbers  *packing.Packing
	distance []uint16 // by number; or far
	states   uint64   // from which a goal can be reached
	// ways has, for each choice of the pieces that are left out, the piece of the first puzzle that each piece of the
	// easier one is.
	ways [][]int
}

// wanted reports whether a goal or a gate names a piece of a kind. Such kinds are left out as a whole, and those of gates never:
// a goal that wants two interchangeable pieces says nothing about one of them alone.
func wanted(p *tray.Puzzle, kind int) (goal, gate bool) {
	for g := range p.Goals() {
		goal = goal || slices.ContainsFunc(p.Wants(g), func(w tray.Want) bool { return p.KindOf(w.Piece) == kind })
	}
	for cell := range p.Cells() {
		gate = gate || p.Gate(cell) != tray.None && p.KindOf(p.Gate(cell)) == kind
	}
	return goal, gate
}

// easierText returns the text of a puzzle without some pieces.
func easierText(p *tray.Puzzle, without string, alike bool) string {
	var text strings.Builder
	drawing := false
	for line := range strings.Lines(p.From(p.Start()).Format()) {
		heading, rest, is := strings.Cut(line, ": ")
		switch {
		case slices.Contains([]string{"tray:\n", "gate:\n", "goal:\n", "anywhere:\n"}, line):
			drawing = true
		case is && slices.Contains([]string{"parts", "horizontal", "vertical", "upright", "distinct", "alike"}, heading):
			names := strings.Fields(rest)
			names = slices.DeleteFunc(names, func(name string) bool { return strings.Contains(without, name) })
			line, drawing = heading+": "+strings.Join(names, " ")+"\n", false
			if len(names) == 0 || alike && (heading == "distinct" || heading == "alike") {
				line = ""
			}
		case is:
			drawing = false
			if heading != "floors" && heading != "walls" {
				line = ""
			}
		case drawing:
			line = strings.Map(func(ch rune) rune {
				if strings.ContainsRune(without, ch) {
					return '.'
				}
				return ch
			}, line)
		}
		text.WriteString(line)
	}
	if alike {
		text.WriteString("alike: *\n")
	}
	return text.String()
}

// wants reports whether each goal still names a piece.
func wants(p *tray.Puzzle, keep []int) bool {
	for g := range p.Goals() {
		if !slices.ContainsFunc(p.Wants(g), func(w tray.Want) bool { return keep[p.KindOf(w.Piece)] > 0 }) {
			return false
		}
	}
	return true
}

// relax returns the puzzle with some pieces of each kind, at most a number of placements, or nil if there are more or a goal would want nothing.
func relax(t *testing.T, p *tray.Puzzle, m tray.Metric, keep []int, alike bool, most uint64) *relaxed {
	t.Helper()
	without := ""
	for i, kind := range p.Kinds() {
		for _, piece := range kind.Pieces[keep[i]:] {
			without += p.Pieces()[piece : piece+1]
		}
	}
	if !wants(p, keep) {
		return nil
	}
	r := &relaxed{easier: slidetest.Parse(t, easierText(p, without, alike))}
	r.ways = [][]int{make([]int, len(r.easier.Pieces()))}
	for i, kind := range p.Kinds() {
		var ways [][]int
		for _, chosen := range choices(kind.Pieces, keep[i]) {
			for _, way := range r.ways {
				way = slices.Clone(way)
				for j, piece := range chosen {
					way[strings.IndexByte(r.easier.Pieces(), p.Pieces()[kind.Pieces[j]])] = piece
				}
				ways = append(ways, way)
			}
		}
		r.ways = ways
	}
	var err error
	if r.numbers, err = packing.New(t.Context(), r.easier, 1<<30); err != nil || r.numbers.Size() > most {
		return nil
	}
	r.distance = slices.Repeat([]uint16{far}, int(r.numbers.Size()))
	r.enumerate(t, m)
	return r
}

// enumerate finds the distances, backwards from all goals.
func (r *relaxed) enumerate(t *testing.T, m tray.Metric) {
	e := &explorer{numbers: r.numbers, metric: m, threads: 2}
	goals := e.goalsAmong(t.Context(), func(w uint64) uint64 { return ^uint64(0) >> (64 - min(64, r.numbers.Size()-w<<6)) })
	g := r.numbers.Graph(m)
	g.HasGoals = false
	s, err := search(context.WithoutCancel(t.Context()), g, goals, bfs.Options{Threads: 2, Visit: func(_, level int, first, word uint64) {
		for i := range uint64(64) {
			if word>>i&1 != 0 {
				r.distance[first+i] = uint16(level)
			}
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	r.states = s.States()
	s.Close()
}

// bound returns a lower bound of the distance of a position to the nearest goal: the greatest of all ways.
func (r *relaxed) bound(pos tray.Position) (h int) {
	at := make(tray.Position, len(r.easier.Pieces()))
	for _, way := range r.ways {
		for i, piece := range way {
			at[i] = pos[piece]
		}
		h = max(h, int(r.distance[rank(r.numbers, at)]))
	}
	return h
}

// choices returns all choices of some of the pieces, in order.
func choices(pieces []int, n int) (all [][]int) {
	if n == 0 {
		return [][]int{nil}
	}
	for i := range len(pieces) - n + 1 {
		for _, rest := range choices(pieces[i+1:], n-1) {
			all = append(all, append([]int{pieces[i]}, rest...))
		}
	}
	return all
}

// all returns how many pieces each kind has.
func all(p *tray.Puzzle) (counts []int) {
	for _, kind := range p.Kinds() {
		counts = append(counts, len(kind.Pieces))
	}
	return counts
}

// leaveOut returns the ways to leave out n pieces, as how many pieces of each kind are kept. A kind that a goal names
// is left out as a whole, unless a goal then names nothing.
func leaveOut(p *tray.Puzzle, n int) (keeps [][]int) {
	var from func(keep []int, kind, n int)
	from = func(keep []int, kind, n int) {
		if kind == len(keep) {
			if n == 0 && wants(p, keep) {
				keeps = append(keeps, slices.Clone(keep))
			}
			return
		}
		from(keep, kind+1, n)
		goal, gate := wanted(p, kind)
		was := keep[kind]
		for i := 1; i <= min(was, n); i++ {
			if gate || goal && i < was {
				continue
			}
			keep[kind] = was - i
			from(keep, kind+1, n-i)
		}
		keep[kind] = was
	}
	from(all(p), 0, n)
	return keeps
}

// goalPieces returns the kinds that goals and gates name.
func goalPieces(p *tray.Puzzle) (keep []int) {
	keep = all(p)
	for kind := range keep {
		if goal, gate := wanted(p, kind); !goal && !gate {
			keep[kind] = 0
		}
	}
	return keep
}

// TestRelaxed: on random trays, in all metrics, no bound of an easier puzzle exceeds the distance to the nearest goal, and
// a move changes it by one at most. In metrics of one piece, this also holds for sums over pieces of different kinds.
func TestRelaxed(t *testing.T) {
	rng := rand.New(rand.NewPCG(491, 492))
	checked, helped := [3]int{}, [3]int{} // fewer pieces, alike, sums
	for n := 0; n < long.Or(6000, 400); {
		p := slidetest.Random(rng)
		m := tray.Metric(rng.IntN(tray.Metrics))
		if !p.HasGoal() || p.Barred() != "" || mustPack(t, p).Size() > 3000 {
			continue
		}
		n++
		truth := relax(t, p, m, all(p), false, 3000)
		keep, rest := all(p), all(p)
		for kind := range keep {
			goal, gate := wanted(p, kind)
			switch {
			case gate:
			case goal:
				keep[kind] *= rng.IntN(2)
			default:
				keep[kind] = rng.IntN(keep[kind] + 1)
			}
			if keep[kind] > 0 {
				rest[kind] = 0
			}
		}
		for i, make := range []func() func(pos tray.Position) int{
			func() func(pos tray.Position) int {
				if r := relax(t, p, m, keep, false, 1e6); r != nil {
					return r.bound
				}
				return nil
			},
			func() func(pos tray.Position) int {
				if r := relax(t, p, m, all(p), true, 1e6); r != nil && len(r.easier.Kinds()) < len(p.Kinds()) {
					return r.bound
				}
				return nil
			},
			func() func(pos tray.Position) int {
				if p.HasGates() || m.Super() {
					return nil
				}
				one, other := relax(t, p, m, keep, false, 1e6), relax(t, p, m, rest, false, 1e6)
				if one == nil || other == nil {
					return nil
				}
				return func(pos tray.Position) int { return min(far, one.bound(pos)+other.bound(pos)) }
			},
		} {
			bound := make()
			if bound == nil {
				continue
			}
			checked[i]++
			if checkBound(t, p, m, truth, bound, true) {
				helped[i]++
			}
		}
	}
	t.Log("checked, and sometimes above 0:", checked, helped)
	if slices.Min(helped[:]) < long.Or(50, 3) {
		t.Errorf("bounds above 0: %v", helped)
	}
}

// checkBound compares a bound with all distances. It reports whether the bound is above 0 somewhere.
func checkBound(t *testing.T, p *tray.Puzzle, m tray.Metric, truth *relaxed, bound func(pos tray.Position) int, consistent bool) (helps bool) {
	t.Helper()
	for x, distance := range truth.distance {
		pos := truth.numbers.Unrank(uint64(x))
		h := bound(pos)
		if h > int(distance) {
			t.Fatalf("%s%v: %s is %d from a goal, the bound is %d", p.Format(), m, p.FormatPosition(pos), distance, h)
		}
		helps = helps || h > 0
		if !consistent || h == far {
			continue
		}
		for _, next := range p.Successors(m, pos) {
			if g := bound(next.To); g < h-1 || g > h+1 {
				t.Fatalf("%s%v: the bound of %s is %d, that of %s is %d", p.Format(), m, p.FormatPosition(pos), h, p.FormatPosition(next.To), g)
			}
		}
	}
	return helps
}
