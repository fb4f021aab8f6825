package console

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"pagoda/internal/disk"
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

// WriteFile writes a file beside its final place, and puts it there when it is
// whole: what was there before stays until then. A link is followed; anything but a
// regular file is refused. When ctx ends before the file is whole, WriteFile gives
// up and returns the cause.
func WriteFile(ctx context.Context, path string, write func(w io.Writer) error) (err error) {
	mode := fs.FileMode(0)
	if to, err := filepath.EvalSymlinks(path); err == nil {
		path = to
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("cannot write %s: it is not a regular file", path)
		}
		mode = info.Mode().Perm()
	}
	f, lock, err := disk.CreateBeside(path)
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	defer lock.Close()
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if mode != 0 {
		if err := f.Chmod(mode); err != nil {
			return err
		}
	}
	if err := write(f); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err := intact(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
