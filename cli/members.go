package cli

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/internal/console"
	"pagoda/statespace"
	"pagoda/statespace/cells"
)

func (p *Program) count() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "count FILE [PATTERN]",
		Short: "Count the members that agree with a pattern",
		Long:  "count counts the members of a file. Without any selection it prints what\nthe file says, and does not read the members: verify proves that number.\n\n" + picking,
		Args:  console.Args(1, 2, "a file and perhaps a pattern"),
	}
	picked := p.newPicker(cmd)
	console.JSON(cmd, "one JSON object")
	cmd.RunE = picked.asking(func(cmd *cobra.Command, f *ask.File, c ask.Pick) error {
		n, err := f.Count(cmd.Context(), c)
		if err != nil {
			return err
		}
		return console.Answer(cmd, struct {
			Count uint64 `json:"count"`
		}{n}, func(w io.Writer) error {
			_, err := fmt.Fprintln(w, n)
			return err
		})
	})
	return cmd
}

func (p *Program) list() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list FILE [PATTERN]",
		Short: "List the members that agree with a pattern",
		Long: `list writes the members of a file, one on each line, in the order of their numbers, or in that
of --sort.

` + picking + "\n\n" + showing,
		Args: console.Args(1, 2, "a file and perhaps a pattern"),
	}
	limit, picked := LimitFlag(cmd, 0, math.MaxInt, "members"), p.newPicker(cmd)
	shown := newShowFlags(cmd)
	console.JSON(cmd, "a JSON object for each member")
	path := cmd.Flags().Bool("path", false, "add the moves of a path, as query path finds one")
	cmd.RunE = picked.asking(func(cmd *cobra.Command, f *ask.File, c ask.Pick) error {
		c.Limit = uint64(*limit)
		describe, err := shown.choose(f, &c)
		if err != nil {
			return err
		}
		if *path {
			paths, err := f.Paths(cmd.Context(), ask.PathQuestion{Options: c.Options})
			if err != nil {
				return err
			}
			defer paths.Close()
			describe = withPath(describe, paths)
		}
		return f.Read(func() error {
			return WriteMembers(cmd, describe, 0, f.List(cmd.Context(), c))
		})
	})
	return cmd
}

// A Describe describes a state as a member.
type Describe func(x statespace.Index) (ask.Member, error)

// withPath also describes how moves lead to a member.
func withPath(describe Describe, paths *ask.Paths) Describe {
	return func(x statespace.Index) (ask.Member, error) {
		m, err := describe(x)
		if err != nil {
			return m, err
		}
		s, err := paths.To(m.Pattern)
		if err != nil {
			return m, err
		}
		defer s.Close()
		moves, _ := s.Texts()
		separator := " "
		if strings.Contains(strings.Join(moves, ""), separator) {
			separator = ", "
		}
		m.Fields = append(m.Fields, ask.FieldValue{Name: "path", Value: strings.Join(moves, separator)})
		return m, nil
	}
}

// WriteMembers writes members to stdout, the first ones up to a limit; 0 is none. When the context of the
// command ends, it stops at once and returns the cause: what yields the members may look at it only after many.
func WriteMembers(cmd *cobra.Command, describe Describe, limit int, members iter.Seq2[statespace.Index, error]) error {
	ctx, asJSON := cmd.Context(), console.AsJSON(cmd)
	w := bufio.NewWriterSize(cmd.OutOrStdout(), 1<<16)
	n := 0
	for x, err := range members {
		if err == nil {
			err = writeMember(w, describe, x, asJSON)
		}
		if err = cmp.Or(err, context.Cause(ctx)); err != nil {
			return cmp.Or(err, w.Flush())
		}
		if n++; n == limit {
			break
		}
	}
	return w.Flush()
}

func writeMember(w *bufio.Writer, describe Describe, x statespace.Index, asJSON bool) error {
	m, err := describe(x)
	switch {
	case err != nil:
		return err
	case asJSON:
		return console.WriteJSON(w, m)
	}
	w.WriteString(m.String())
	return w.WriteByte('\n')
}

func (p *Program) sample() *cobra.Command {
	var n int
	cmd := &cobra.Command{
		Use:   "sample FILE [PATTERN] -n N",
		Short: "Draw members at random",
		Long: `sample draws N different members of a file, or all if there are fewer. Each set of N is as
likely as any other, and so is each order. With --sort they come in that order.

` + picking + "\n\n" + showing,
		Args: console.Args(1, 2, "a file and perhaps a pattern"),
	}
	cmd.Flags().IntVarP(&n, "number", "n", 1, "how many to draw")
	console.Check(cmd, "number", func(string) string {
		if n < 1 || n > cells.MaxMatches {
			return fmt.Sprintf("-n is %d, expected 1 to %d", n, cells.MaxMatches)
		}
		return ""
	})
	console.JSON(cmd, "a JSON object for each member")
	picked, seed := p.newPicker(cmd), seedFlag(cmd)
	shown := newShowFlags(cmd)
	cmd.RunE = picked.asking(func(cmd *cobra.Command, f *ask.File, c ask.Pick) error {
		describe, err := shown.choose(f, &c)
		if err != nil {
			return err
		}
		drawn, err := f.Sample(cmd.Context(), c, n, seed())
		if err != nil {
			return err
		}
		if len(drawn) == 0 {
			return none(cmd, f, c)
		}
		return f.Read(func() error {
			return WriteMembers(cmd, describe, 0, ask.NoErrors(slices.Values(drawn)))
		})
	})
	return cmd
}

// none answers that no member is like a pick; with --json there is no object then.
func none(cmd *cobra.Command, f *ask.File, c ask.Pick) error {
	if console.AsJSON(cmd) {
		return console.ErrNo
	}
	_, err := fmt.Fprintln(cmd.OutOrStdout(), f.None(c))
	return console.NoIf(true, err)
}

func (p *Program) nth() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "nth FILE I",
		Short: "Print the member of a rank, from 0",
		Long: `nth prints the member of a file that has I members before it, in the order of their
numbers, which is the order of list.`,
		Args: console.Args(2, 2, "a file and a number"),
		RunE: p.asking(func(cmd *cobra.Command, f *ask.File, args []string) error {
			i, err := strconv.ParseUint(args[0], 10, 64)
			if err != nil {
				return console.Usagef("%s has %d members, counted from 0: I is %.40q, expected 0 to %d", f.Path(), f.Meta().States, args[0], f.Meta().States-1)
			}
			x, err := f.Nth(cmd.Context(), i)
			if err != nil {
				return err
			}
			return writeRanked(cmd, f, i, x, f.Space().Format(x))
		}),
	}
	OpenFlags(cmd)
	console.JSON(cmd, "one JSON object")
	return cmd
}

// writeRanked answers with a member and its rank, or as text with one of them.
func writeRanked(cmd *cobra.Command, f *ask.File, i uint64, x statespace.Index, text string) error {
	return console.Answer(cmd, struct {
		N       uint64 `json:"n"`
		Pattern string `json:"pattern"`
	}{i, f.Space().Format(x)}, func(w io.Writer) error {
		_, err := fmt.Fprintln(w, text)
		return err
	})
}

func (p *Program) rank() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rank FILE PATTERN",
		Short: "Print a member's rank, from 0",
		Long: `rank prints how many members of a file come before a pattern: the I with which nth prints it.
If the pattern cannot be reached, it says why, and the exit code is 1.`,
		Args: console.Args(2, 2, "a file and a pattern"),
		RunE: p.asking(func(cmd *cobra.Command, f *ask.File, args []string) error {
			r, err := f.Has(args[0])
			if err != nil {
				return err
			}
			if !r.Reachable {
				return unreached(cmd, r)
			}
			i, err := f.Rank(cmd.Context(), r.State)
			if err != nil {
				return err
			}
			return writeRanked(cmd, f, i, r.State, strconv.FormatUint(i, 10))
		}),
	}
	OpenFlags(cmd)
	console.JSON(cmd, "one JSON object")
	return cmd
}
