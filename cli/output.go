package cli

import (
	"bytes"
	"cmp"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/export"
	"pagoda/internal/console"
	"pagoda/internal/lists"
	"pagoda/internal/suggest"
)

// An Output is the flags -o and --format: where a command writes, and in which format.
type Output struct {
	Out    string // the file, or empty for stdout; see FindFormat
	Format string

	known []string // formats, as the names of files end
	usual string   // the format on stdout
}

// addFlags adds the flags to a command, with what they are for.
func (o *Output) addFlags(cmd *cobra.Command, known []string, usual, out, format string) {
	o.known, o.usual = known, usual
	cmd.Flags().StringVarP(&o.Out, "output", "o", "", out)
	console.CompleteFlag(cmd, "output", cobra.ShellCompDirectiveFilterFileExt, known...)
	console.OneOf(cmd, &o.Format, "format", "", known, format)
}

// FindFormat finds the format: the one of --format, or what the name of the file ends in, or the usual one on stdout.
func (o *Output) FindFormat(cmd *cobra.Command) error {
	if cmd.Flags().Changed("output") && o.Out == "" {
		return console.Usagef("--output is empty, expected the name of a file, or - for stdout")
	}
	if o.Out == "" || o.Out == "-" {
		o.Out, o.Format = "", cmp.Or(o.Format, o.usual)
		if o.binary() && console.Terminal(cmd.OutOrStdout()) {
			return console.Usagef("a %s is not for a terminal: name a file with -o", strings.ToUpper(o.Format))
		}
		return nil
	}
	ending := ending(o.Out)
	switch known := slices.Contains(o.known, ending); {
	case !known && o.Format == "":
		return console.Usagef("the format of %s is not known: let it end in %s, or give --format", o.Out, suggest.Either(dotted(o.known)))
	case known && o.Format != "" && o.Format != ending:
		return console.Usagef("--format is %s, and %s ends in .%s: leave one of them out", o.Format, o.Out, ending)
	case known:
		o.Format = ending
	}
	return nil
}

// For refuses flags that are only for some formats: "svg and png".
func (o *Output) For(cmd *cobra.Command, flags, formats string) error {
	return console.Refuse(cmd, !strings.Contains(formats, o.Format), flags, "--%s is for %s; the format here is %s", formats, o.Format)
}

// ending is what the name of a file ends in, in small letters, without the dot.
func ending(path string) string {
	return strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))
}

// dotted returns formats as endings.
func dotted(formats []string) []string {
	return lists.Map(formats, func(f string) string { return "." + f })
}

// binary reports whether the format is not text.
func (o *Output) binary() bool {
	return o.Format == "png" || o.Format == "gif" || o.Format == Pages || slices.ContainsFunc(tableFormats(), func(f export.Format) bool { return f.Name == o.Format && f.Binary })
}

// stream writes to the output as it goes. A file is put in place when it is whole.
func (o *Output) stream(cmd *cobra.Command, write func(w io.Writer) error) error {
	switch {
	case o.Out != "":
		return console.WriteFile(cmd.Context(), o.Out, write)
	case o.binary():
		return write(console.Binary(cmd.OutOrStdout()))
	}
	return write(cmd.OutOrStdout())
}

// WriteWhole writes to the output when all is drawn. An error of draw is one of how the command was given, such as
// a picture that would be too large; then nothing is written.
func (o *Output) WriteWhole(cmd *cobra.Command, draw func(w io.Writer) error) error {
	var b bytes.Buffer
	if err := draw(&b); err != nil {
		return console.UsageError(err)
	}
	if err := o.guard(b.Bytes()); err != nil {
		return err
	}
	return o.stream(cmd, func(w io.Writer) error {
		_, err := b.WriteTo(w)
		return err
	})
}

// guard refuses to replace a file that is no picture of the format: one that begins differently. A text may be anything, so
// only the same text is replaced.
func (o *Output) guard(picture []byte) error {
	info, err := os.Stat(o.Out)
	if o.Out == "" || err != nil || !info.Mode().IsRegular() || info.Size() == 0 || o.Format != Pages && !slices.Contains(formats, o.Format) {
		return nil
	}
	f, err := os.Open(o.Out)
	if err != nil {
		return err
	}
	defer f.Close()
	what, same := strings.ToUpper(o.Format), min(len(picture), len("<svg"))
	if o.Format == "txt" {
		what, same = "such text", len(picture)
	}
	old, err := io.ReadAll(io.LimitReader(f, int64(same)))
	if err == nil && (!bytes.Equal(old, picture[:same]) || o.Format == "txt" && info.Size() != int64(same)) {
		err = console.Usagef("%s is no %s, and would be overwritten: remove it, or name another file with -o", o.Out, what)
	}
	return err
}
