package slide

import (
	"fmt"
	"io"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"pagoda/cli"
	"pagoda/internal/amount"
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
func (f *finding) predict(cmd *cobra.Command) error {
	p, err := hardest.Predict(cmd.Context(), f.problem, hardest.Options{Threads: f.job.Threads(), Memory: f.job.Memory()})
	if err != nil {
		return boardTooLarge(f.name, err)
	}
	r := findPrediction{Board: f.name, Metric: f.metric, Searched: p.Placements, Pieces: []findCount{}, Parts: p.Parts, Largest: p.Largest,
		Memory: p.Memory, Limit: f.job.Memory(), Threads: f.job.Threads(), Seconds: p.Seconds}
	for _, c := range p.Counts {
		r.Pieces = append(r.Pieces, findCount{c.Pieces, c.Placements})
	}
	return console.Answer(cmd, r, r.write)
}

// write writes the prediction for people.
func (r *findPrediction) write(w io.Writer) error {
	fmt.Fprintf(w, "%s, %s: %s to search\npieces  %19s\n", printable.Line(r.Board), r.Metric, cli.Count(r.Searched, "placement"), "placements")
	for _, c := range r.Pieces {
		fmt.Fprintf(w, "%6d  %19s\n", c.Pieces, amount.Comma(c.Searched))
	}
	fmt.Fprintf(w, "parts   %s; the largest has %s\n", amount.Comma(uint64(r.Parts)), cli.Count(r.Largest, "placement"))
	fmt.Fprintf(w, "memory  about %s\n", humanize.IBytes(r.Memory))
	fmt.Fprintf(w, "time    about %s on %s, estimated from a few parts that were searched just now\n", amount.Roughly(r.Seconds), cli.Count(uint64(r.Threads), "thread"))
	return nil
}
