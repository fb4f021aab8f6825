package console

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
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
	root.InitDefaultCompletionCmd()
	completion := root.Commands()[len(root.Commands())-1]
	completion.Use += " bash|zsh|fish|powershell"
	completion.Short = "Print a script with which a shell completes commands"
	completion.Long = `completion prints a script for a shell. With it the shell completes commands, flags and the
words that they take, names of spaces, files by their endings, and layers of a file.`
	completion.Example = fmt.Sprintf("  %s completion bash > /etc/bash_completion.d/%[1]s", root.Name())
	completion.Args = cobra.ArbitraryArgs
}
