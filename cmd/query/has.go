package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/internal/answer"
	"pagoda/internal/cli"
)

func hasCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "has FILE PATTERN...",
		Short: "Tell whether patterns can be reached",
		Long: `has tells for each pattern whether it can be reached, and if not, why: it lies in
another class than the start, so that some parity of pegs would have to change that
no move changes, or a piece is where it cannot come; or it is none of these, and still
never reached.

It exits with 0 when all patterns can be reached, and with 1 otherwise.`,
		Args: cli.Args(2, -1, "a file and patterns"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, sp, err := cli.OpenFile(cli.Pattern(args[0]))
			if err != nil {
				return err
			}
			defer f.Close()
			w := bufio.NewWriter(cmd.OutOrStdout())
			stdin := newStdin(cmd)
			all := true
			for pattern, err := range patterns(args[1:], stdin) {
				if err != nil {
					return errors.Join(w.Flush(), err)
				}
				a, err := answer.Ask(f.Members(), sp, pattern)
				if err != nil {
					return errors.Join(w.Flush(), err)
				}
				all = all && a.Reachable
				if err := writeReach(w, a, asJSON); err != nil {
					return err
				}
				if stdin.Buffered() == 0 { // who asks may be waiting
					if err := w.Flush(); err != nil {
						return err
					}
				}
			}
			if err := w.Flush(); err != nil {
				return err
			}
			if !all {
				return cli.ErrNo
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object for each pattern")
	return cmd
}

func writeReach(w io.Writer, a answer.Reach, asJSON bool) error {
	if asJSON {
		return cli.WriteJSON(w, a)
	}
	return a.WriteText(w)
}

// patterns yields the patterns of the arguments; - stands for the lines of stdin,
// of which empty ones are passed over.
func patterns(args []string, stdin *bufio.Reader) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, arg := range args {
			if arg != "-" {
				if !yield(cli.Pattern(arg), nil) {
					return
				}
				continue
			}
			for {
				line, err := stdin.ReadSlice('\n')
				switch {
				case errors.Is(err, bufio.ErrBufferFull):
					yield("", cli.Usagef("a line of stdin is longer than %d bytes: no pattern is", stdin.Size()))
					return
				case err != nil && err != io.EOF:
					yield("", fmt.Errorf("reading patterns from stdin: %w", err))
					return
				}
				pattern := strings.TrimRight(string(line), "\r\n")
				if strings.TrimSpace(pattern) != "" && !yield(pattern, nil) {
					return
				}
				if err == io.EOF {
					break
				}
			}
		}
	}
}

// newStdin returns a reader of lines of patterns.
func newStdin(cmd *cobra.Command) *bufio.Reader {
	return bufio.NewReaderSize(cmd.InOrStdin(), 1<<20)
}
