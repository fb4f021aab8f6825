package cli

import (
	"maps"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pagoda/internal/console"
	"pagoda/puzzle"
)

// owners has the families of flags that only one family has, by the name of the flag.
type owners map[string]*puzzle.Family

// add calls a function that adds the flags of a family. If there are several families, the usage of
// the flags says which one they are for.
func (o owners) add(cmd *cobra.Command, of *puzzle.Family, several bool, flags func()) {
	before := make(map[string]bool)
	cmd.Flags().VisitAll(func(flag *pflag.Flag) { before[flag.Name] = true })
	flags()
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		if before[flag.Name] {
			return
		}
		o[flag.Name] = of
		if several {
			flag.Usage = "of " + of.About + ": " + flag.Usage
		}
	})
}

// allow says which flag is not for a family. What is a word for what the command got from the family.
// Several goroutines may call it.
func (o owners) allow(cmd *cobra.Command, of *puzzle.Family, what string) error {
	for _, name := range slices.Sorted(maps.Keys(o)) {
		if owner := o[name]; owner != of && cmd.Flags().Changed(name) {
			return console.Usagef("--%s is for %s; this %s is of the family %s (%s)", name, owner.About, what, of.Name, of.About)
		}
	}
	return nil
}
