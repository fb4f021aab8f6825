package best

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pagoda/internal/csvtest"
	"pagoda/puzzle/peg"
	"pagoda/puzzle/peg/board"
	"pagoda/studies/weighted"
)

var (
	studyTime    = flag.Duration("study", 0, "how long each search of the study may take")
	studyThreads = flag.Int("threads", 2, "for each search of the study")
	studyBoards  = flag.String("boards", "english magic,european magic,english ones,european ones,5x7 ones,"+
		"10x10 random 1-10,15x15 random 1-10,20x20 random 1-2", "of the study: name and weights, which are magic, ones, or random with their seeds")
)

var form = regexp.MustCompile(`^(\S+) (magic|ones|random ([0-9]+)(?:-([0-9]+))?)$`)

// TestStudy compares the searches, if -study says for how long each may search: a greedy player, a plain beam search, and
// Search. It prints a line for each board, as docs/data/weighted.csv has it.
//
// The plain beam begins with a small width and doubles it until the time is over; its best game counts.
// Every game is replayed and scored by package weighted.
func TestStudy(t *testing.T) {
	if *studyTime == 0 {
		t.Skip("no study")
	}
	if err := study(t.Context(), *studyBoards, *studyTime, *studyThreads); err != nil {
		t.Fatal(err)
	}
}

func study(ctx context.Context, boards string, limit time.Duration, threads int) error {
	fmt.Println("board,weights,greedy,plain_beam,best,found_seconds,bound")
	for _, b := range strings.Split(boards, ",") {
		m := form.FindStringSubmatch(strings.TrimSpace(b))
		if m == nil {
			return fmt.Errorf("%q: expected a name and weights, such as english magic, or 10x10 random 1-10", b)
		}
		first, last := uint64(0), uint64(0)
		if m[3] != "" {
			fmt.Sscan(m[3], &first)
			last = first
		}
		if m[4] != "" {
			fmt.Sscan(m[4], &last)
		}
		for seed := first; seed <= last; seed++ {
			kind, _, _ := strings.Cut(m[2], " ")
			g, err := newGame(m[1], kind, seed)
			if err != nil {
				return err
			}
			weights := kind
			if kind == "random" {
				weights = fmt.Sprint("random ", seed)
			}
			if err := compareOn(ctx, m[1], weights, g, limit, threads); err != nil {
				return err
			}
		}
	}
	return nil
}

// newGame returns a board with weights: all 1, those of the magic square, or random ones from 1 to 100.
func newGame(name, kind string, seed uint64) (*weighted.Game, error) {
	shape, pegs, err := peg.LookupShape(peg.Prefix + name)
	if err != nil {
		return nil, err
	}
	g := &weighted.Game{Shape: shape, Pegs: pegs, Weights: weighted.MagicWeights(shape)}
	rng := rand.New(rand.NewPCG(seed, 1))
	for i := range g.Weights {
		switch kind {
		case "ones":
			g.Weights[i] = 1
		case "random":
			g.Weights[i] = 1 + rng.Int64N(100)
		}
	}
	return g, nil
}

// compareOn writes the line of a board.
func compareOn(ctx context.Context, name, weights string, g *weighted.Game, limit time.Duration, threads int) error {
	jumps, err := plainBeam(ctx, g, 1, 1)
	if err != nil {
		return err
	}
	greedy, err := scoreOf(g, jumps)
	if err != nil {
		return err
	}
	beam, err := widerBeams(ctx, g, limit, threads)
	if err != nil {
		return err
	}
	var found time.Duration
	last := greedy + 1
	r, err := Search(ctx, g, Options{Time: limit, Threads: threads, Memory: 8 << 30, Better: func(r *Result) {
		if r.Score != last {
			last, found = r.Score, r.Time
		}
	}})
	if err != nil {
		return err
	}
	ours, err := scoreOf(g, r.Jumps)
	if err != nil {
		return err
	}
	if ours != r.Score {
		return fmt.Errorf("%s, %s: the game scores %d, the search said %d", name, weights, ours, r.Score)
	}
	_, err = fmt.Printf("%s,%s,%d,%d,%d,%.1f,%d\n", name, weights, greedy, beam, ours, found.Seconds(), r.Bound)
	return err
}

func scoreOf(g *weighted.Game, jumps []board.Jump) (int64, error) {
	s, err := g.Play(jumps)
	return s.Score, err
}

// widerBeams returns the best score of plain beams of ever larger width.
func widerBeams(ctx context.Context, g *weighted.Game, limit time.Duration, threads int) (int64, error) {
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	least, err := scoreOf(g, nil)
	for width := 64; err == nil && timed.Err() == nil; width *= 2 {
		jumps, _ := plainBeam(timed, g, width, threads) // the error is that of the time
		var s int64
		if s, err = scoreOf(g, jumps); s < least {
			least = s
		}
	}
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return least, err
}

// The page shows lines of docs/data/weighted.csv, in which no player is better than the next one, and none than the bound.
func TestStudyTable(t *testing.T) {
	rows := csvtest.Rows(t, "../../../docs/data/weighted.csv")
	page, err := os.ReadFile("../../../docs/studies/weighted.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := 0
	for _, row := range rows[1:] {
		last := int64(math.MaxInt64)
		for _, i := range []int{2, 3, 4, 6} { // greedy, plain beam, best, bound
			score, err := strconv.ParseInt(row[i], 10, 64)
			if err != nil || score > last {
				t.Errorf("%q: %s comes after %d, %v", row, row[i], last, err)
			}
			last = score
		}
		if strings.Contains(string(page), "| "+strings.Join(slices.Delete(row, 5, 6), " | ")+" |") {
			shown++
		}
	}
	if shown < 5 || len(rows) != 28 {
		t.Errorf("the page shows %d of %d lines, want 5 of 28", shown, len(rows))
	}
}
