package console

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manCommand returns the command that writes the manual pages of a command and its subcommands.
func manCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "man DIRECTORY",
		Short: "Write manual pages into a directory",
		Long: `man writes manual pages, one for each command, into a directory. It makes the directory if
there is none. The environment variable SOURCE_DATE_EPOCH, in seconds, sets their date.`,
		Example: "  " + root.Name() + " man ~/.local/share/man/man1",
		Args:    Args(1, 1, "one directory"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(_ *cobra.Command, args []string) error {
			date, err := pageDate()
			if err != nil {
				return err
			}
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return fmt.Errorf("the directory cannot be made: %w", err)
			}
			return writeManual(root, date, args[0])
		},
	}
}

// pageDate returns the date of the manual pages.
func pageDate() (time.Time, error) {
	text := os.Getenv("SOURCE_DATE_EPOCH")
	if text == "" {
		return time.Now(), nil
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH is %q, expected a number of seconds", text)
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// writeManual writes the pages of a command and of those below it. cobra has the same in its package
// doc, but that makes every program start later: it reads its pages as Markdown on the way.
func writeManual(cmd *cobra.Command, date time.Time, dir string) error {
	cmd.InitDefaultHelpCmd()
	cmd.InitDefaultHelpFlag()
	if err := os.WriteFile(filepath.Join(dir, pageName(cmd)+".1"), []byte(manualPage(cmd, date)), 0o666); err != nil {
		return err
	}
	for _, c := range cmd.Commands() {
		if !c.IsAvailableCommand() || c.IsAdditionalHelpTopicCommand() {
			continue
		}
		if err := writeManual(c, date, dir); err != nil {
			return err
		}
	}
	return nil
}

func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// manualPage returns the page of a command, in the macros man of roff.
func manualPage(cmd *cobra.Command, date time.Time) string {
	var b strings.Builder
	section := func(name string) { fmt.Fprintf(&b, ".SH %s\n", name) }
	fmt.Fprintf(&b, ".nh\n.TH %q \"1\" %q \"Pagoda\" \"\"\n", strings.ToUpper(pageName(cmd)), date.Format("Jan 2006"))
	section("NAME")
	fmt.Fprintf(&b, "%s \\- %s\n", pageName(cmd), roff(cmd.Short))
	section("SYNOPSIS")
	fmt.Fprintf(&b, "\\fB%s\\fP\n", roff(cmd.UseLine()))
	section("DESCRIPTION")
	for i, paragraph := range strings.Split(strings.Trim(cmp.Or(cmd.Long, cmd.Short), "\n"), "\n\n") {
		if i > 0 {
			b.WriteString(".PP\n")
		}
		if drawn := strings.HasPrefix(paragraph, " "); drawn { // its lines stay as they are
			fmt.Fprintf(&b, ".nf\n%s\n.fi\n", roff(paragraph))
		} else {
			fmt.Fprintf(&b, "%s\n", roff(paragraph))
		}
	}
	flags := func(name string, set *pflag.FlagSet) {
		if !set.HasAvailableFlags() {
			return
		}
		section(name)
		set.VisitAll(func(f *pflag.Flag) { writeFlag(&b, f) })
	}
	flags("OPTIONS", cmd.NonInheritedFlags())
	flags("OPTIONS INHERITED FROM PARENT COMMANDS", cmd.InheritedFlags())
	if cmd.Example != "" {
		section("EXAMPLE")
		fmt.Fprintf(&b, ".nf\n%s\n.fi\n", roff(strings.Trim(cmd.Example, "\n")))
	}
	var related []string
	if cmd.HasParent() {
		related = append(related, fmt.Sprintf("\\fB%s(1)\\fP", pageName(cmd.Parent())))
	}
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() && !c.IsAdditionalHelpTopicCommand() {
			related = append(related, fmt.Sprintf("\\fB%s(1)\\fP", pageName(c)))
		}
	}
	if len(related) > 0 {
		section("SEE ALSO")
		fmt.Fprintln(&b, strings.Join(related, ",\n"))
	}
	return b.String()
}

// writeFlag writes a flag as a paragraph with a tag.
func writeFlag(b *strings.Builder, f *pflag.Flag) {
	if f.Hidden || f.Deprecated != "" {
		return
	}
	value, usage := pflag.UnquoteUsage(f)
	tag := fmt.Sprintf("\\fB%s\\fP", roff("--"+f.Name))
	if f.Shorthand != "" {
		tag = fmt.Sprintf("\\fB%s\\fP, %s", roff("-"+f.Shorthand), tag)
	}
	if value != "" {
		tag += fmt.Sprintf(" \\fI%s\\fP", roff(value))
	}
	if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" && f.DefValue != "[]" && !strings.Contains(usage, "(default") {
		usage += " (default " + f.DefValue + ")"
	}
	fmt.Fprintf(b, ".TP\n%s\n%s\n", tag, roff(usage))
}

// roff writes text so that roff takes nothing in it for a command.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
