package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/spf13/cobra"

	"pagoda/bitset"
	"pagoda/internal/cli"
	"pagoda/layers"
	"pagoda/statespace"
)

// A choice picks members by a pattern, and of peg boards by their number of pegs.
type choice struct {
	file  *layers.File
	cells cells
	chosen
}

// choose opens the file of the arguments FILE [PATTERN].
func choose(cmd *cobra.Command, args []string, pegs *pegRange) (*choice, error) {
	f, cells, err := openCells(cmd, args[0], pegs)
	if err != nil {
		return nil, err
	}
	c := &choice{f, cells, cells.all()}
	if len(args) > 1 {
		if c.chosen, err = cells.parse(cli.Pattern(args[1])); err != nil {
			f.Close()
			return nil, err
		}
	}
	return c, nil
}

// visitAll calls take for the members that are picked, 64 at a time.
func (c *choice) visitAll(cmd *cobra.Command, take func(first, members uint64) bool) error {
	return c.visit(cmd.Context(), c.file.Members(), take)
}

const choosing = `With a pattern, only the members that agree with it count; ? is a cell that may
have a peg or not, or of sliding blocks, anything at all.`

func countCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "count FILE [PATTERN]",
		Short:   "Count the members that agree with a pattern",
		Long:    "count counts the members of a file. " + choosing,
		Example: "  query count peg-5x7.reach ooooo/o???o/o???o/o???o/o???o/o???o/ooooo",
		Args:    cli.Args(1, 2, "a file and perhaps a pattern"),
	}
	pegs := newPegRange(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c, err := choose(cmd, args, pegs)
		if err != nil {
			return err
		}
		defer c.file.Close()
		n, err := c.count(cmd.Context(), c.file)
		if err != nil {
			return err
		}
		if asJSON {
			return cli.WriteJSON(cmd.OutOrStdout(), struct {
				Count uint64 `json:"count"`
			}{n})
		}
		_, err = fmt.Fprintln(cmd.OutOrStdout(), n)
		return err
	}
	return cmd
}

func listCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list FILE [PATTERN]",
		Short: "List the members that agree with a pattern",
		Long:  "list writes the members of a file, one a line, in the order of their numbers. " + choosing,
		Example: `  query list peg-5x7.reach --pegs 2
  query list peg-5x7.reach ooooo/o???o/o???o/o???o/o???o/o???o/ooooo --limit 10`,
		Args: cli.Args(1, 2, "a file and perhaps a pattern"),
	}
	limit := newLimit(cmd, 0, "members")
	pegs := newPegRange(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object for each member")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := checkLimit(*limit, math.MaxInt); err != nil {
			return err
		}
		c, err := choose(cmd, args, pegs)
		if err != nil {
			return err
		}
		defer c.file.Close()
		return writeMembers(cmd.OutOrStdout(), c.cells, *limit, asJSON, func(take func(first, members uint64) bool) error {
			return c.visitAll(cmd, take)
		})
	}
	return cmd
}

// writeMembers writes the members that visit comes by, the first ones up to a limit; 0
// is none.
func writeMembers(to io.Writer, sp cells, limit int, asJSON bool, visit func(take func(first, members uint64) bool) error) error {
	w := bufio.NewWriterSize(to, 1<<16)
	n := 0
	var failed error
	more := func() bool { return failed == nil && (limit == 0 || n < limit) }
	err := visit(func(first, members uint64) bool {
		for ; members != 0 && more(); members &= members - 1 {
			failed = writeMember(w, sp, first+uint64(bits.TrailingZeros64(members)), asJSON)
			n++
		}
		return more()
	})
	return cmp.Or(err, failed, w.Flush())
}

func writeMember(w *bufio.Writer, sp cells, x uint64, asJSON bool) error {
	if asJSON {
		return cli.WriteJSON(w, sp.member(x))
	}
	_, err := fmt.Fprintln(w, sp.Format(x))
	return err
}

func sampleCommand() *cobra.Command {
	var asJSON bool
	var n int
	var seed uint64
	cmd := &cobra.Command{
		Use:   "sample FILE [PATTERN] -n N",
		Short: "Draw members at random",
		Long: `sample draws N different members of a file, or all if there are fewer; each set of N
is as likely as any other, and so is each order. The same seed draws the same members
of the same file. ` + choosing,
		Example: "  query sample peg-5x7.reach -n 5 --pegs 17 --seed 1",
		Args:    cli.Args(1, 2, "a file and perhaps a pattern"),
	}
	pegs := newPegRange(cmd)
	cmd.Flags().IntVarP(&n, "number", "n", 1, "how many to draw")
	cmd.Flags().Uint64Var(&seed, "seed", 0, "where the random numbers start (default: somewhere new each time)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object for each member")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if n < 1 || n > statespace.MaxMatches {
			return cli.Usagef("-n is %d, expected 1 to %d", n, statespace.MaxMatches)
		}
		c, err := choose(cmd, args, pegs)
		if err != nil {
			return err
		}
		defer c.file.Close()
		drawn, err := c.draw(cmd, n, newRand(cmd, seed))
		if err != nil {
			return err
		}
		w := bufio.NewWriter(cmd.OutOrStdout())
		for _, x := range drawn {
			if err := writeMember(w, c.cells, x, asJSON); err != nil {
				return err
			}
		}
		if len(drawn) == 0 && !asJSON {
			fmt.Fprintln(w, "none")
		}
		if err := w.Flush(); err != nil || len(drawn) > 0 {
			return err
		}
		return cli.ErrNo
	}
	return cmd
}

// newRand returns random numbers that start from the seed, if it was given.
func newRand(cmd *cobra.Command, seed uint64) *rand.Rand {
	if !cmd.Flags().Changed("seed") {
		seed = rand.Uint64()
	}
	return rand.New(rand.NewPCG(seed, 0))
}

// draw draws n of the members that are picked.
func (c *choice) draw(cmd *cobra.Command, n int, rng *rand.Rand) ([]uint64, error) {
	all, err := c.count(cmd.Context(), c.file)
	if err != nil {
		return nil, err
	}
	ranks := sampleRanks(all, n, rng)
	var drawn []uint64
	defer func() { rng.Shuffle(len(drawn), func(i, j int) { drawn[i], drawn[j] = drawn[j], drawn[i] }) }()
	if r, ok := c.file.Members().(bitset.Ranker); ok && all == c.file.Meta().States && n <= fewRanks {
		for _, i := range ranks {
			x, err := r.Select(i)
			if err != nil {
				return nil, err
			}
			drawn = append(drawn, x)
		}
		return drawn, nil
	}
	before := uint64(0)
	err = c.visitAll(cmd, func(first, members uint64) bool {
		after := before + uint64(bits.OnesCount64(members))
		for i := before; len(ranks) > 0 && ranks[0] < after; ranks = ranks[1:] {
			for ; i < ranks[0]; i++ {
				members &= members - 1
			}
			drawn = append(drawn, first+uint64(bits.TrailingZeros64(members)))
		}
		before = after
		return len(ranks) > 0
	})
	return drawn, err
}

// fewRanks is how many members it is quicker to find one by one, in a store that knows
// ranks, than by going through all.
const fewRanks = 32

// sampleRanks draws n different numbers below all, or all if there are no more, in
// increasing order (Floyd's way: Bentley, Programming Pearls, CACM 30, 1987).
func sampleRanks(all uint64, n int, rng *rand.Rand) []uint64 {
	drawn := make(map[uint64]bool)
	ranks := []uint64{}
	for i := all - min(all, uint64(n)); i < all; i++ {
		r := rng.Uint64N(i + 1)
		if drawn[r] {
			r = i
		}
		drawn[r] = true
		ranks = append(ranks, r)
	}
	slices.Sort(ranks)
	return ranks
}
