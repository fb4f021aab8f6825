package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/internal/console"
	"pagoda/puzzle"
	"pagoda/run"
	"pagoda/statespace"
)

// Named returns what an argument of a command names, and a name for messages: something of this name, or of a text
// file, or of a text on stdin for -. If there is no such file, bare may still find something of this name, without
// its family perhaps. Named fails with statespace.ErrUnknown if there is nothing of a name. puzzle.Set.Lookup finds
// spaces in the same order. Told says how a text was read; it may be nil.
func Named[T any](cmd *cobra.Command, arg string, named func(string) (T, error), read func(string) (T, error), told func(text string, found T) (as string, chosen bool), bare func() (T, string, error)) (found T, name string, err error) {
	if found, err = named(arg); !errors.Is(err, statespace.ErrUnknown) {
		return found, arg, console.UsageError(err)
	}
	name, text, err := puzzle.ReadText(cmd.Context(), arg, cmd.InOrStdin())
	switch {
	case puzzle.NoFile(arg, err):
		found, name, err = bare()
	case err == nil:
		if found, err = read(text); err == nil && told != nil {
			Told(cmd, name)(told(text, found))
		}
		err = puzzle.InFile(name, err)
	}
	return found, name, console.UsageError(err)
}

// Summed says what a value is that Named has read from a text.
func Summed[T interface{ Summary() string }](_ string, found T) (as string, chosen bool) {
	return found.Summary(), false
}

// Told returns a function that says on stderr how the text of a name was read, unless --quiet is given and nothing was
// chosen.
func Told(cmd *cobra.Command, name string) func(as string, chosen bool) {
	return func(as string, chosen bool) {
		if quiet, err := cmd.Flags().GetBool("quiet"); as == "" || err == nil && quiet && !chosen {
			return
		}
		defer console.HoldProgress(cmd.Context())()
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: read as %s\n", name, as)
	}
}

// Unknown returns the error of an argument that names no puzzle of some families. It may name one of another family,
// or be mistyped; else the error is unknown. Expected says what a command expects: "a sliding-block puzzle".
func Unknown(cmd *cobra.Command, families *puzzle.Set, arg, expected string, unknown error, own ...*puzzle.Family) error {
	ctx, choice, set := cmd.Context(), puzzle.Choice{Memory: run.MemoryLimit(0)}, puzzle.NewSet(own...)
	for _, f := range families.All() {
		if set.Named(f.Name) != nil {
			continue
		}
		if _, err := f.Lookup(ctx, f.Name+"/"+arg, choice); strings.HasPrefix(arg, f.Name+"/") || !errors.Is(err, statespace.ErrUnknown) {
			return console.Usagef("%.100q is of the family %s (%s): expected %s", arg, f.Name, f.About, expected)
		}
	}
	if meant := set.Suggest(ctx, arg, choice.Memory); meant != "" {
		unknown = fmt.Errorf("%w %.100q%s", statespace.ErrUnknown, arg, meant)
	}
	return console.UsageError(console.Advised(unknown, "`"+reachName(cmd.Root())+" spaces` lists all"))
}
