package slide

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/dustin/go-humanize"

	"pagoda/ask"
	"pagoda/cli"
	"pagoda/internal/console"
	"pagoda/internal/printable"
	"pagoda/studies/hardest"
)

// A findPrediction is what find --explain prints.
type findPrediction struct {
	Board    string      `json:"board"`
	Metric   string      `json:"metric"`
	Searched uint64      `json:"searched"`
	Pieces   []findCount `json:"pieces"`
	Parts    int         `json:"parts"`
	Largest  uint64      `json:"largest_part"`
	Memory   uint64      `json:"memory_bytes"`
	Limit    uint64      `json:"limit_bytes"`
	Threads  int         `json:"threads"`
	Seconds  float64     `json:"seconds"`
}

type findCount struct {
	Pieces   int    `json:"pieces"`
	Searched uint64 `json:"searched"`
}

// predict prints what the search would do and take.
func (f *finding) predict(ctx context.Context, w io.Writer) error {
	p, err := hardest.Predict(ctx, f.problem, hardest.Options{Threads: f.threads, Memory: f.memory})
	if err != nil {
		return boardTooLarge(f.name, err)
	}
	if f.json {
		r := findPrediction{Board: f.name, Metric: f.metric, Searched: p.Placements, Pieces: []findCount{}, Parts: p.Parts, Largest: p.Largest,
			Memory: p.Memory, Limit: f.memory, Threads: f.threads, Seconds: p.Seconds}
		for _, c := range p.Counts {
			r.Pieces = append(r.Pieces, findCount{c.Pieces, c.Placements})
		}
		return console.WriteJSON(w, r)
	}
	var s strings.Builder
	fmt.Fprintf(&s, "%s, %s: %s to search\npieces  %19s\n", printable.Line(f.name), f.metric, cli.Count(p.Placements, "placement"), "placements")
	for _, c := range p.Counts {
		fmt.Fprintf(&s, "%6d  %19s\n", c.Pieces, ask.Comma(c.Placements))
	}
	fmt.Fprintf(&s, "parts   %s; the largest has %s\n", ask.Comma(uint64(p.Parts)), cli.Count(p.Largest, "placement"))
	fmt.Fprintf(&s, "memory  about %s\n", humanize.IBytes(p.Memory))
	fmt.Fprintf(&s, "time    about %s on %s, estimated from a few parts that were searched just now\n", cli.Roughly(p.Seconds), cli.Count(uint64(f.threads), "thread"))
	_, err = io.WriteString(w, s.String())
	return err
}
