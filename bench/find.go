package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"time"

	"pagoda/internal/mapped"
	"pagoda/puzzle/slide/tray"
	"pagoda/studies/hardest"
)

// A foundResult is what a process of its own prints about a search for the hardest puzzles.
type foundResult struct {
	Lengths    []int   `json:"lengths"` // by number of pieces
	Placements uint64  `json:"placements"`
	Reached    uint64  `json:"reached"`
	Seconds    float64 `json:"seconds"`
	PeakRSS    uint64  `json:"peak_rss_bytes"`
}

// compareFinds prints how long hardest.Plain and hardest.Search take for strict puzzles on boards, in a process of its
// own each time, and compares what they find.
func compareFinds(boards []string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	fmt.Printf("%s/%s, %d processors, %s; strict goals, the whole search; processor seconds are those of the program itself, not of the system\n\n",
		runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
	fmt.Println("| board | metric | placements | from which an end is reached | engine | threads | seconds | processor seconds | times the plain search | peak memory, MiB |")
	fmt.Println("|---|---|---:|---:|---|---:|---:|---:|---:|---:|")
	for _, board := range boards {
		for metric := range tray.Supersteps {
			plain := foundResult{}
			cost := 0.0
			for threads := range 3 { // none is the plain search
				cmd := exec.Command(self, "-finder", fmt.Sprint(threads), "-metric", metric.String(), board)
				out, err := output(cmd)
				if err != nil {
					return err
				}
				var r foundResult
				if err := json.Unmarshal(out, &r); err != nil {
					return err
				}
				processor := cmd.ProcessState.UserTime().Seconds()
				engine, count := "numbers", fmt.Sprint(threads)
				if threads == 0 {
					engine, count = "plain", "1"
					plain, cost = r, processor
				}
				if !slices.Equal(r.Lengths, plain.Lengths) {
					return fmt.Errorf("%s in %v: the engines differ: lengths %v and %v", board, metric, plain.Lengths, r.Lengths)
				}
				fmt.Printf("| %s | %v | %s | %s | %s | %s | %.3g | %.3g | %.3g | %d |\n", board, metric, comma(r.Placements), comma(r.Reached),
					engine, count, r.Seconds, processor, cost/processor, r.PeakRSS>>20)
			}
		}
	}
	return nil
}

// findOnce searches a board by a number of threads, plainly if there are none, and prints the result.
func findOnce(board, metric string, threads int) error {
	var rows, cols int
	if _, err := fmt.Sscanf(board, "%dx%d", &rows, &cols); err != nil {
		return fmt.Errorf("%q: expected a board such as 3x4", board)
	}
	m, err := tray.ParseMetric(metric)
	if err != nil {
		return err
	}
	b := hardest.Rectangle(1, rows, cols)
	goals, err := hardest.Corners(b, true)
	if err != nil {
		return err
	}
	p := &hardest.Problem{Board: b, Goals: goals, Metric: m}
	search := hardest.Plain
	if threads > 0 {
		search = func(ctx context.Context, p *hardest.Problem) ([]hardest.Result, error) {
			return hardest.Search(ctx, p, hardest.Options{Threads: threads})
		}
	}
	began := time.Now()
	results, err := search(context.Background(), p)
	if err != nil {
		return err
	}
	found := foundResult{Seconds: time.Since(began).Seconds(), PeakRSS: mapped.PeakRSS()}
	for _, r := range results {
		found.Lengths = append(found.Lengths, r.Length)
		found.Placements += r.Placements
		found.Reached += r.Reached
	}
	return json.NewEncoder(os.Stdout).Encode(found)
}
