package main

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"pagoda/internal/answer"
	"pagoda/internal/cli"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/peg"
)

// openPeg opens a file of states of a peg board, for a question about its cells.
func openPeg(cmd *cobra.Command, arg string) (*layers.File, *peg.Space, error) {
	f, sp, err := cli.OpenFile(cli.Pattern(arg))
	if err != nil {
		return nil, nil, err
	}
	p, ok := sp.(*peg.Space)
	if !ok {
		f.Close()
		return nil, nil, cli.Usagef("%s asks about the cells of a peg board; %s holds %s", cmd.CommandPath(), f.Path(), sp.Name())
	}
	return f, p, nil
}

// parsePattern reads a pattern in which ? stands for a peg or a hole.
func parsePattern(sp *peg.Space, text string) (peg.Pattern, error) {
	p, err := sp.Board().ParsePattern(text)
	if err != nil {
		return p, answer.BadPattern(text, err)
	}
	return p, nil
}

// pegRange is the flag --pegs: N or N-M.
type pegRange struct{ peg.PegRange }

func newPegRange(cmd *cobra.Command) *pegRange {
	r := &pegRange{peg.AnyPegs}
	cmd.Flags().Var(r, "pegs", "only positions with so many pegs, such as 17 or 12-17")
	return r
}

// String implements pflag.Value.
func (r *pegRange) String() string {
	switch {
	case r.PegRange == peg.AnyPegs:
		return ""
	case r.Least == r.Most:
		return strconv.Itoa(r.Least)
	}
	return fmt.Sprintf("%d-%d", r.Least, r.Most)
}

// Set implements pflag.Value.
func (r *pegRange) Set(text string) error {
	pegs, err := peg.ParsePegRange(text)
	if err == nil {
		r.PegRange = pegs
	}
	return err
}

// Type implements pflag.Value.
func (r *pegRange) Type() string { return "N|N-M" }

// newLimit adds the flag --limit, which bounds the results.
func newLimit(cmd *cobra.Command, value int, what string) *int {
	return cmd.Flags().Int("limit", value, "give at most so many "+what+"; 0 gives all")
}

// checkLimit refuses limits that make no sense; 0 is none.
func checkLimit(n, most int) error {
	if n < 0 || n > most {
		return cli.Usagef("--limit is %d, expected 0 (all) to %d", n, most)
	}
	return nil
}

// A member is a position as commands print it.
type member struct {
	Pattern string `json:"pattern"`
	Pegs    int    `json:"pegs"`
}

func newMember(sp *peg.Space, x uint64) member { return member{sp.Format(x), sp.Layer(x)} }

// tooMany turns ErrMatches into advice.
func tooMany(err error) error {
	if errors.Is(err, statespace.ErrMatches) {
		return cli.Usagef("%w; --limit, --pegs or a smaller --within makes them fewer, query list streams them", err)
	}
	return err
}
