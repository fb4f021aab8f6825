package console

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pagoda/internal/suggest"
)

// OneOf adds a flag that takes one of some words, or none if its default is empty. The shell
// completes it, and another word is an error that suggests what was meant.
func OneOf(cmd *cobra.Command, p *string, name, value string, words []string, usage string) {
	*p = value
	cmd.Flags().Var(&word{p, name, words}, name, usage)
	if err := cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // there is no such flag
	}
}

// A word is the value of a flag of OneOf.
type word struct {
	value *string
	name  string
	words []string
}

// String implements pflag.Value.
func (w *word) String() string { return *w.value }

// Type implements pflag.Value.
func (w *word) Type() string { return strings.ToUpper(w.name) }

// Set implements pflag.Value.
func (w *word) Set(text string) error {
	if !slices.Contains(w.words, text) {
		return fmt.Errorf("expected %s%s", suggest.Either(w.words), suggest.Question(text, w.words))
	}
	*w.value = text
	return nil
}

// expected says what a flag of a type of pflag takes.
var expected = map[string]string{
	"bool": "true or false", "int": "a whole number", "uint64": "a whole number, 0 or more", "float64": "a number such as 0.1", "duration": "a time such as 30s or 10m",
}

// flagError says what is wrong with a flag, and what to do.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	switch {
	case errors.As(err, &invalid):
		what := fmt.Sprint(invalid.Unwrap())
		if e, ok := expected[invalid.GetFlag().Value.Type()]; ok {
			what = "expected " + e
		}
		return Usagef("--%s is %.40q, %s", invalid.GetFlag().Name, invalid.GetValue(), what)
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "":
		name := "--" + unknown.GetSpecifiedName()
		err = fmt.Errorf("unknown flag %.60s%s", name, suggest.Question(name, names))
	}
	return UsageError(Advised(err, cmd.CommandPath()+" --help says more"))
}

// unknownCommand is the error of a command that there is not.
func unknownCommand(cmd *cobra.Command, name string) error {
	var names []string
	for _, c := range cmd.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	err := fmt.Errorf("unknown command %.60q%s", name, suggest.Question(name, names))
	return UsageError(Advised(err, cmd.CommandPath()+" --help lists the commands"))
}
