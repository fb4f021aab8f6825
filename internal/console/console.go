// Package console has what all commands share: exit codes, errors, the way they stop, progress,
// and how they write results.
package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"pagoda/internal/amount"
	"pagoda/internal/mapped"
	"pagoda/internal/plaintext"
)

// Exit codes.
const (
	Yes         = 0   // done; or the answer is yes
	No          = 1   // the answer is no
	Usage       = 2   // the command cannot be carried out as it was given
	Damaged     = 3   // a file is damaged, is of something else, or cannot be read or written
	Interrupted = 130 // Ctrl-C

	brokenPipe = 141 // nobody reads stdout: as of a process that SIGPIPE ends
)

// An exitError ends a command with a code other than Damaged.
type exitError struct {
	code int
	err  error // nil: there is nothing more to say
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// ErrNo ends a command whose answer, already given, is no.
var ErrNo error = &exitError{code: No}

// UsageError marks an error as one of how the command was given.
func UsageError(err error) error {
	if err == nil {
		return nil
	}
	return &exitError{Usage, err}
}

// Usagef is UsageError of a new error.
func Usagef(format string, args ...any) error { return UsageError(fmt.Errorf(format, args...)) }

// Advised adds to an error what to do: behind a question as a sentence of its own.
func Advised(err error, advice string) error {
	if strings.HasSuffix(err.Error(), "?") {
		return fmt.Errorf("%w %s", err, advice)
	}
	return fmt.Errorf("%w; %s", err, advice)
}

// IsUsage reports whether an error is one of how the command was given.
func IsUsage(err error) bool {
	var exit *exitError
	return errors.As(err, &exit) && exit.code == Usage
}

// ErrInterrupted is the cause of a context that ends by Ctrl-C.
var ErrInterrupted = errors.New("interrupted")

// A Resumable is the error of a command that was interrupted and can go on.
type Resumable struct {
	Err     error
	Command string // goes on; Main sets it to the same command if it is empty
}

func (e *Resumable) Error() string { return fmt.Sprintf("%v; to continue: %s", e.Err, e.Command) }

func (e *Resumable) Unwrap() error { return e.Err }

// Main runs a command and returns the exit code. Errors go to stderr. The first interrupt ends the
// context of the command, which then stops at a safe point; a second one ends the process at once.
// A signal that the parent ignores stays ignored. RunE of the command may have a better error for
// an unknown command than that there is none.
func Main(cmd *cobra.Command, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	signals := make(chan os.Signal, 2)
	for _, s := range ending {
		if !signal.Ignored(s) { // as nohup and cmd & in a script have it
			signal.Notify(signals, s)
		}
	}
	defer signal.Stop(signals)
	go func() {
		<-signals
		cancel(ErrInterrupted)
		<-signals
		os.Exit(Interrupted)
	}()

	cmd.SetArgs(hidePatterns(cmd, args))
	cmd.SetIn(&interruptible{ctx: ctx, from: stdin})
	out := newOutput(stdout, cancel)
	cmd.SetOut(out)
	cmd.SetErr(stderr)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.Args = cobra.ArbitraryArgs
	other := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			if other != nil {
				if err := other(cmd, args); err != nil {
					return err
				}
			}
			return unknownCommand(cmd, args[0])
		}
		return cmd.Help()
	}
	cmd.Version = ReadBuild().String()
	cmd.SetFlagErrorFunc(flagError)
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		completeNoFiles(cmd)
	}
	cmd.SetHelpFunc(help)
	err := out.end(mapped.Guard(func() error { return cmd.ExecuteContext(ctx) }))
	var resumable *Resumable
	switch again := CommandLine(cmd.Name(), args); {
	case errors.As(err, &resumable) && resumable.Command == "":
		resumable.Command = again
	case errors.Is(err, ErrInterrupted) && resumable == nil:
		err = fmt.Errorf("%w; to start again: %s", err, again)
	}
	return report(cmd.Name(), err, stderr)
}

// completeNoFiles offers no files for the values of flags that offer nothing else, but for --output.
// It is for a command that is about to complete: in others it would take longer than the rest.
func completeNoFiles(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if _, ok := cmd.GetFlagCompletionFunc(f.Name); !ok && f.Name != "output" {
				CompleteFlag(cmd, f.Name, cobra.ShellCompDirectiveNoFileComp)
			}
		})
	}
}

// CommandLine writes a command as it is typed.
func CommandLine(name string, args []string) string {
	for _, a := range args {
		a = Pattern(a)
		if a == "" || strings.ContainsAny(a, " \t\r\n'\"\\$*?#&;|<>()`") {
			a = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
		name += " " + a
	}
	return name
}

// report says what went wrong, if anything, and returns the exit code.
func report(name string, err error, stderr io.Writer) int {
	var exit *exitError
	switch {
	case err == nil:
		return Yes
	case readerGone(err): // as head has enough
		return brokenPipe
	case errors.As(err, &exit) && exit.err == nil:
		return exit.code
	}
	PrintError(stderr, name, err)
	switch {
	case errors.Is(err, ErrInterrupted):
		return Interrupted
	case exit != nil:
		return exit.code
	}
	return Damaged
}

// Args makes a check of the number of arguments whose error names them.
func Args(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || most >= 0 && len(args) > most {
			return Usagef("%s takes %s, found %s; %s --help says more", cmd.CommandPath(), what, amount.Of(len(args), "argument"), cmd.CommandPath())
		}
		return nil
	}
}

// An interruptible reader of texts gives up waiting when ctx ends.
type interruptible struct {
	ctx  context.Context
	from io.Reader
	data chan []byte // what was read; closed at the end
	rest []byte
	err  error // why it is closed
	line *Line // not shown while the command waits for a person; may be nil
}

// Read implements io.Reader.
func (r *interruptible) Read(p []byte) (int, error) {
	if r.data == nil {
		r.data = make(chan []byte)
		go func() {
			defer close(r.data)
			from := plaintext.Reader(r.from)
			for {
				b := make([]byte, 64<<10)
				n, err := from.Read(b)
				if n > 0 {
					select {
					case r.data <- b[:n]:
					case <-r.ctx.Done():
						return
					}
				}
				if err != nil {
					r.err = err
					return
				}
			}
		}()
	}
	if len(r.rest) == 0 {
		if f, ok := r.from.(*os.File); ok && r.line != nil && term.IsTerminal(int(f.Fd())) {
			defer r.line.Hold()()
		}
		select {
		case b, ok := <-r.data:
			if !ok {
				return 0, r.err
			}
			r.rest = b
		case <-r.ctx.Done():
			return 0, context.Cause(r.ctx)
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// Patterns may begin with -, and would then look like flags. On the way through the flag
// parser they carry a mark that no argument can contain.
const patternMark = "\x00"

// hidePatterns marks the arguments of a command that are patterns and begin with -, other than
// the values of its flags. Pattern takes the mark away.
func hidePatterns(root *cobra.Command, args []string) []string {
	cmd, _, err := root.Find(args)
	if err != nil || cmd == root {
		return args
	}
	takesValue := func(arg string) bool {
		var flag *pflag.Flag
		if name, long := strings.CutPrefix(arg, "--"); long {
			flag = cmd.Flags().Lookup(name)
		} else if len(arg) == 2 && arg[0] == '-' {
			flag = cmd.Flags().ShorthandLookup(arg[1:])
		}
		return flag != nil && flag.NoOptDefVal == ""
	}
	hidden := make([]string, len(args))
	for i, a := range args {
		if len(a) >= 2 && a[0] == '-' && a != "--" && cmd.Flags().ShorthandLookup(a[1:2]) == nil && strings.Trim(a, "-o1*.0?/# \r\n") == "" && (i == 0 || !takesValue(args[i-1])) {
			a = patternMark + a
		}
		hidden[i] = a
	}
	return hidden
}

// Pattern returns a pattern argument as it was given.
func Pattern(arg string) string { return strings.TrimPrefix(arg, patternMark) }

// ending are the signals that end a command.
var ending = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}
