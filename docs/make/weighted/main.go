// Study compares searches for games of weighted peg solitaire: a greedy player, a plain beam search, and
// package best. It prints a table in Markdown, a line for each board, as docs/weighted.md has it:
//
//	go run ./docs/make/weighted --time 60s
//
// The plain beam begins with a small width and doubles it until the time is over; its best game counts.
// Every game is replayed and scored by package weighted.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"time"

	"pagoda/puzzle/peg"
	"pagoda/puzzle/peg/board"
	"pagoda/studies/weighted"
	"pagoda/studies/weighted/best"
)

func main() {
	limit := flag.Duration("time", time.Minute, "for each search")
	threads := flag.Int("threads", 2, "for each search")
	boards := flag.String("boards", "english magic,english ones,european ones,5x7 ones,european magic,wiegleb magic,"+
		"10x10 random 1-10,15x15 random 1-10,20x20 random 1-2", "the boards: name and weights, which are magic, ones, or random with their seeds")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *boards, *limit, *threads); err != nil {
		fmt.Fprintln(os.Stderr, "study:", err)
		os.Exit(1)
	}
}

var form = regexp.MustCompile(`^(\S+) (magic|ones|random ([0-9]+)(?:-([0-9]+))?)$`)

func run(ctx context.Context, boards string, limit time.Duration, threads int) error {
	fmt.Println("| board | weights | greedy | plain beam | best | found after | bound | gap |")
	fmt.Println("|---|---|---:|---:|---:|---:|---:|---:|")
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
			if err := compare(ctx, m[1], weights, g, limit, threads); err != nil {
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

// compare writes the line of a board.
func compare(ctx context.Context, name, weights string, g *weighted.Game, limit time.Duration, threads int) error {
	jumps, err := best.Greedy(g)
	if err != nil {
		return err
	}
	greedy, err := score(g, jumps)
	if err != nil {
		return err
	}
	beam, err := plainBeam(ctx, g, limit, threads)
	if err != nil {
		return err
	}
	var found time.Duration
	last := greedy + 1
	r, err := best.Search(ctx, g, best.Options{Time: limit, Threads: threads, Memory: 8 << 30, Better: func(r *best.Result) {
		if r.Score != last {
			last, found = r.Score, r.Time
		}
	}})
	if err != nil {
		return err
	}
	ours, err := score(g, r.Jumps)
	if err != nil {
		return err
	}
	if ours != r.Score {
		return fmt.Errorf("%s, %s: the game scores %d, the search said %d", name, weights, ours, r.Score)
	}
	gap := "proved"
	if !r.Optimal() {
		gap = fmt.Sprintf("%.1f %%", 100*float64(r.Score-r.Bound)/float64(r.Score))
	}
	_, err = fmt.Printf("| %s | %s | %d | %d | %d | %.1f s | %d | %s |\n", name, weights, greedy, beam, ours, found.Seconds(), r.Bound, gap)
	return err
}

func score(g *weighted.Game, jumps []board.Jump) (int64, error) {
	s, err := g.Play(jumps)
	return s.Score, err
}

// plainBeam returns the best score of plain beams of ever larger width.
func plainBeam(ctx context.Context, g *weighted.Game, limit time.Duration, threads int) (int64, error) {
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	least, err := score(g, nil)
	for width := 64; err == nil && timed.Err() == nil; width *= 2 {
		jumps, _ := best.PlainBeam(timed, g, width, threads) // the error is that of the time
		var s int64
		if s, err = score(g, jumps); s < least {
			least = s
		}
	}
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return least, err
}
