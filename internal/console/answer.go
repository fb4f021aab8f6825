package console

import (
	"bufio"
	"io"

	"github.com/spf13/cobra"

	"pagoda/internal/exactjson"
)

// JSON adds the flag --json to a command, which prints its answer by Answer. What says what it prints then:
// "one JSON object".
func JSON(cmd *cobra.Command, what string) { cmd.Flags().Bool("json", false, "print "+what) }

// AsJSON reports whether a command has the flag --json and it is set.
func AsJSON(cmd *cobra.Command) bool {
	set, err := cmd.Flags().GetBool("json")
	return err == nil && set
}

// Answer prints an answer on the stdout of a command: with --json the value as one line, or else the text. Text
// writes to a buffer, so it need not look at the errors of w.
func Answer(cmd *cobra.Command, v any, text func(w io.Writer) error) error {
	if AsJSON(cmd) {
		return WriteJSON(cmd.OutOrStdout(), v)
	}
	w := bufio.NewWriter(cmd.OutOrStdout())
	if err := text(w); err != nil {
		return err
	}
	return w.Flush()
}

// WriteJSON writes a value as one line: see exactjson.Marshal.
func WriteJSON(w io.Writer, v any) error {
	text, err := exactjson.Marshal(v)
	if err == nil {
		_, err = w.Write(append(text, '\n'))
	}
	return err
}

// NoIf returns the error of a command, or else ErrNo if its answer is no.
func NoIf(no bool, err error) error {
	if err == nil && no {
		return ErrNo
	}
	return err
}
