package cli

import (
	"cmp"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// Commands are shown in the order in which they were added.
func init() { cobra.EnableCommandSorting = false }

// help shows what a command does, then its examples, then the rest.
func help(cmd *cobra.Command, _ []string) {
	what, more, _ := strings.Cut(strings.TrimSpace(cmp.Or(cmd.Long, cmd.Short)), "\n\n")
	w := cmd.OutOrStdout()
	fmt.Fprintln(w, what)
	example := cmd.Example
	if example != "" {
		fmt.Fprintf(w, "\nExamples:\n%s\n", example)
	}
	if more != "" {
		fmt.Fprintf(w, "\n%s\n", more)
	}
	cmd.Example = "" // they are above
	defer func() { cmd.Example = example }()
	fmt.Fprintf(w, "\n%s", cmd.UsageString())
}

// helpCommand returns the command that shows the help of another.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Show the help of a command",
		Long:    "help shows the help of a command, as the flag --help of the command does.",
		Example: "  " + root.Name() + " help version",
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) (names []cobra.Completion, _ cobra.ShellCompDirective) {
			for _, c := range root.Commands() {
				if c.IsAvailableCommand() && len(args) == 0 {
					names = append(names, cobra.CompletionWithDesc(c.Name(), c.Short))
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil {
				return unknownCommand(root, args[0])
			}
			if len(rest) > 0 {
				return unknownCommand(cmd, rest[0])
			}
			cmd.InitDefaultHelpFlag()
			cmd.InitDefaultVersionFlag()
			return cmd.Help()
		},
	}
}

// AddOthers adds the commands help and man, and that of completion, to a group of a root.
func AddOthers(root *cobra.Command, group string) {
	help, man := helpCommand(root), manCommand(root)
	help.GroupID, man.GroupID = group, group
	root.SetHelpCommand(help)
	root.AddCommand(man)
	root.SetCompletionCommandGroupID(group)
}

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
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return fmt.Errorf("the directory cannot be made: %w", err)
			}
			return doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "Pagoda"}, args[0])
		},
	}
}
