package console

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pagoda/internal/suggest"
)

// OneOf adds a flag that takes one of some words, or none if its default is empty. The shell
// completes it, and another word is an error that suggests what was meant.
func OneOf(cmd *cobra.Command, p *string, name, value string, words []string, usage string) {
	*p = value
	cmd.Flags().Var(&word{p, name, words}, name, usage)
	CompleteFlag(cmd, name, cobra.ShellCompDirectiveNoFileComp, words...)
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

// Check makes a flag refuse values. Wrong gets a value as the flag writes it, and returns what is wrong with it in words
// that follow the name of the flag, "is 0, expected 1 or more", or a sentence that begins with a short name, "-n is 0";
// nothing if the value is right.
func Check(cmd *cobra.Command, name string, wrong func(value string) string) {
	f := cmd.Flags().Lookup(name)
	f.Value = &checkedValue{f.Value, wrong}
}

// A checkedValue is the value of a flag with a Check.
type checkedValue struct {
	pflag.Value
	wrong func(value string) string
}

// Set implements pflag.Value.
func (v *checkedValue) Set(text string) error {
	err := v.Value.Set(text)
	if err != nil {
		return err
	}
	if wrong := v.wrong(v.String()); wrong != "" {
		return refusal(wrong)
	}
	return nil
}

// A refusal is the error of a Check.
type refusal string

// Error implements error.
func (r refusal) Error() string { return string(r) }

// Once makes all flags of a command refuse a second value, but for those that take a list.
func Once(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if kind := f.Value.Type(); !strings.HasSuffix(kind, "Slice") && !strings.HasSuffix(kind, "Array") {
			f.Value = &onceValue{f.Value, f}
		}
	})
}

// A onceValue is the value of a flag that is given once.
type onceValue struct {
	pflag.Value
	flag *pflag.Flag
}

// Set implements pflag.Value.
func (v *onceValue) Set(text string) error {
	if v.flag.Changed {
		return refusal(fmt.Sprintf("is given twice, as %.40s and as %.40s: give it once", v.Value, text))
	}
	return v.Value.Set(text)
}

// Between makes flags refuse numbers out of a range.
func Between(cmd *cobra.Command, least, most int, names ...string) {
	for _, name := range names {
		Within(cmd, name, least, most, fmt.Sprintf("%d to %d", least, most))
	}
}

// Within makes a flag refuse numbers out of a range, and say what was expected: "0 or more".
func Within(cmd *cobra.Command, name string, least, most int, expected string) {
	Check(cmd, name, func(value string) string {
		if n, _ := strconv.Atoi(value); n < least || n > most {
			return fmt.Sprintf("is %d, expected %s", n, expected)
		}
		return ""
	})
}

// NotEmpty makes flags refuse an empty value, such as a variable of the shell that is not set.
func NotEmpty(cmd *cobra.Command, names ...string) {
	for _, name := range names {
		notEmpty(cmd, name, "is empty")
	}
}

// Expect makes a flag refuse an empty value, and say what was expected.
func Expect(cmd *cobra.Command, name, what string) { notEmpty(cmd, name, "is empty, expected "+what) }

func notEmpty(cmd *cobra.Command, name, wrong string) {
	Check(cmd, name, func(value string) string {
		if value == "" {
			return wrong
		}
		return ""
	})
}

// Time adds a flag that takes a time, 0 or more. More says what 0 means, for errors: "or 0 for no limit".
func Time(cmd *cobra.Command, p *time.Duration, name string, value time.Duration, more, usage string) {
	cmd.Flags().DurationVar(p, name, value, usage)
	f := cmd.Flags().Lookup(name)
	Check(cmd, name, func(value string) string {
		if *p >= 0 {
			return ""
		}
		return "is " + value + ", expected a time such as 30s or 10m" + more
	})
	if value == 0 {
		f.DefValue = "0" // so that the help does not say 0s
	}
}

// Threads adds the flag --threads.
func Threads(cmd *cobra.Command) *int {
	threads := cmd.Flags().Int("threads", runtime.GOMAXPROCS(0), "number of threads (default: one for each processor)")
	cmd.Flags().Lookup("threads").DefValue = "0" // so that the help is the same on all machines
	Between(cmd, 1, 4096, "threads")
	return threads
}

// Given returns the first of some flags that was given, or "".
func Given(cmd *cobra.Command, flags ...string) string {
	i := slices.IndexFunc(flags, func(flag string) bool { return cmd.Flags().Changed(flag) })
	if i < 0 {
		return ""
	}
	return flags[i]
}

// Refuse returns the error of the first of some flags that was given, with blanks between their names, if they mean
// nothing as the command is given. Its format gets the name of the flag, and then more values.
func Refuse(cmd *cobra.Command, when bool, flags, format string, more ...any) error {
	flag := Given(cmd, strings.Fields(flags)...)
	if flag == "" || !when {
		return nil
	}
	return Usagef(format, append([]any{flag}, more...)...)
}

// CompleteFlag offers values of a flag to the shell, or what a directive says.
func CompleteFlag(cmd *cobra.Command, name string, directive cobra.ShellCompDirective, values ...string) {
	if err := cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values, directive)); err != nil {
		panic(err) // there is no such flag
	}
}

// CompleteFirst offers words and files for the first argument of a command, and nothing for others. Words gets what is
// typed so far; it may be nil.
func CompleteFirst(words func(begun string) []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, begun string) (all []string, _ cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		if words != nil {
			all = words(begun)
		}
		return all, cobra.ShellCompDirectiveDefault
	}
}

// expected says what a flag of a type of pflag takes.
var expected = map[string]string{
	"bool": "true or false", "int": "a whole number", "uint64": "a whole number, 0 or more", "float64": "a number such as 0.1", "duration": "a time such as 30s or 10m",
}

// flagError says what is wrong with a flag, and what to do.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	var refused refusal
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	switch {
	case errors.As(err, &refused) && strings.HasPrefix(string(refused), "-"):
		return UsageError(refused)
	case errors.As(err, &invalid) && errors.As(err, &refused):
		return Usagef("--%s %s", invalid.GetFlag().Name, refused)
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

// Memory is the flag --mem: how many bytes a command may take, such as 8GiB; 0 is the
// default of the command.
type Memory uint64

// What commands may take without --mem.
const (
	OfMachine = "7/8 of the memory"
	// OfFile is for commands that open a file, which may be from anyone: see layers.File.Memory.
	OfFile = "1GiB and 512 times the length of the file, at most 7/8 of the memory"
)

// Flag adds the flag to a command.
func (m *Memory) Flag(cmd *cobra.Command, usual string) {
	cmd.Flags().Var(m, "mem", "the command may take this `SIZE` of memory, such as 8GiB; it is refused if it needs more (default: "+usual+")")
}

// MemoryOf returns the flag of a command, which must have it.
func MemoryOf(cmd *cobra.Command) uint64 {
	v := cmd.Flags().Lookup("mem").Value
	if once, ok := v.(*onceValue); ok {
		v = once.Value
	}
	return uint64(*v.(*Memory))
}

// String implements pflag.Value.
func (m *Memory) String() string {
	if *m == 0 {
		return ""
	}
	return humanize.IBytes(uint64(*m))
}

// Set implements pflag.Value.
func (m *Memory) Set(text string) error {
	n, err := humanize.ParseBytes(text)
	if err != nil || n == 0 {
		return fmt.Errorf("expected a size such as 512MiB or 8GiB")
	}
	*m = Memory(n)
	return nil
}

// Type implements pflag.Value.
func (m *Memory) Type() string { return "SIZE" }
