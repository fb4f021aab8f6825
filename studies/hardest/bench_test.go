package hardest_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pagoda/internal/mapped"
	"pagoda/puzzle/slide/tray"
	"pagoda/studies/hardest"
)

// BenchmarkFind searches boards for the hardest strict puzzles, with all numbers of pieces: plainly, and by
// numbers on one thread and on two. All find the same.
func BenchmarkFind(b *testing.B) {
	for _, size := range [][2]int{{3, 3}, {3, 4}, {2, 6}} {
		board := hardest.Rectangle(1, size[0], size[1])
		goals, err := hardest.Goals(board, hardest.Journey{Strict: true}, 0)
		if err != nil {
			b.Fatal(err)
		}
		for metric := range tray.Supersteps {
			problem := &hardest.Problem{Board: board, Goals: goals, Metric: metric}
			var want []int
			search := func(name string, find func(context.Context, *hardest.Problem) ([]hardest.Result, error)) {
				b.Run(fmt.Sprintf("%dx%d/%v/%s", size[0], size[1], metric, name), func(b *testing.B) {
					used := mapped.ProcessorTime().Seconds()
					var placements, reached uint64
					for b.Loop() {
						results, err := find(b.Context(), problem)
						if err != nil {
							b.Fatal(err)
						}
						var lengths []int
						placements, reached = 0, 0
						for _, r := range results {
							lengths = append(lengths, r.Length)
							placements += r.Placements
							reached += r.Reached
						}
						if want == nil {
							want = lengths
						}
						if !slices.Equal(lengths, want) {
							b.Fatalf("the lengths are %v, and those of another search %v", lengths, want)
						}
					}
					b.ReportMetric((mapped.ProcessorTime().Seconds()-used)/float64(b.N), "cpu-s/op")
					b.ReportMetric(float64(placements), "placements")
					b.ReportMetric(float64(reached), "solvable")
				})
			}
			search("plain", hardest.Plain)
			for threads := 1; threads <= 2; threads++ {
				search(fmt.Sprintf("threads=%d", threads), func(ctx context.Context, p *hardest.Problem) ([]hardest.Result, error) {
					return hardest.Search(ctx, p, hardest.Options{Threads: threads})
				})
			}
		}
	}
}
