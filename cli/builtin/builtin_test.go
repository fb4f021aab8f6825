package builtin_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pagoda/cli"
	"pagoda/cli/builtin"
	"pagoda/cli/serve"
)

// The help of commands has room for what families say of themselves, and their examples are
// of commands that there are.
func TestHelp(t *testing.T) {
	p := program()
	root := new(cobra.Command)
	p.AddReach(root)
	p.AddQuery(root)
	known := make(map[string]bool)
	for _, cmd := range root.Commands() {
		known[cmd.Name()] = true
	}
	for _, f := range p.Families.All() {
		for _, text := range []string{f.Naming, f.Writing} {
			for line := range strings.Lines(text) {
				if n := len(strings.TrimSuffix(line, "\n")); n > 80 {
					t.Errorf("%s: a line of help has %d characters: %s", f.Name, n, line)
				}
			}
		}
		for name, lines := range f.Examples {
			if !known[name] || len(lines) == 0 {
				t.Errorf("%s has examples of %s: %q", f.Name, name, lines)
			}
		}
	}
}

// program is the program with the page.
func program() *cli.Program {
	p := builtin.Program()
	p.More = append(p.More, serve.Command)
	return p
}

// The programs that have commands.
func programs() []*cobra.Command {
	return []*cobra.Command{builtin.Program().Reach(), program().Query(), program().All("pagoda")}
}

// Every command has a group, says first what it does, and has examples that are right.
func TestCommands(t *testing.T) {
	for _, root := range programs() {
		seen := make(map[string]bool)
		for _, cmd := range root.Commands() {
			name := cmd.CommandPath()
			if cmd.Short == "" || cmd.GroupID == "" || !root.ContainsGroup(cmd.GroupID) {
				t.Errorf("%s: its group is %q, in short it is %q", name, cmd.GroupID, cmd.Short)
			}
			if does, _, ok := strings.Cut(cmd.Long, " "); !ok || does != cmd.Name() && !strings.HasSuffix(cmd.Name(), "-"+does) {
				t.Errorf("%s: its help does not begin with what it does: %.40q", name, cmd.Long)
			}
			if first, _, _ := strings.Cut(cmd.Long, "\n\n"); strings.HasSuffix(strings.TrimSpace(first), ":") {
				t.Errorf("%s: its examples come between a : and what that announces", name)
			}
			for line := range strings.Lines(cmd.Long) {
				if n := len(strings.TrimSuffix(line, "\n")); n > 97 {
					t.Errorf("%s: a line of its help has %d characters: %s", name, n, line)
				}
			}
			if cmd.Example == "" {
				t.Errorf("%s has no example", name)
			}
			for line := range strings.Lines(cmd.Example) {
				if seen[line] {
					t.Errorf("%s: an example is there twice: %s", name, line)
				}
				seen[line] = true
				if err := checkExample(cmd, line); err != nil {
					t.Errorf("%s: its example %q: %v", name, line, err)
				}
			}
		}
	}
}

// checkExample checks a line of a shell in which a command is run.
func checkExample(cmd *cobra.Command, line string) error {
	_, line, ok := strings.Cut(line, cmd.CommandPath())
	if !ok {
		return errors.New("it does not run the command")
	}
	line, _, _ = strings.Cut(line, "#")
	line, _, _ = strings.Cut(line, " < ")
	line, _, _ = strings.Cut(line, ">")
	var words []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	if err := cmd.ParseFlags(words); err != nil {
		return err
	}
	args := cmd.Flags().Args()
	// A flag may change what the arguments are; it must not change those of the next example.
	defer cmd.Flags().VisitAll(func(f *pflag.Flag) {
		changed := f.Changed
		f.Changed = false
		if changed && f.Value.Type() == "bool" {
			f.Value.Set("false")
		}
	})
	return cmd.ValidateArgs(args)
}
