package cli

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/layers"
	"pagoda/puzzle"
	"pagoda/statespace"
)

// completion completes the first argument of a command by the name that it has in the usage:
// SPACE or FILE, or both. Others, and those that follow, are not files.
func (p *Program) completion(cmd *cobra.Command) cobra.CompletionFunc {
	words := strings.Fields(cmd.Use)
	return func(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 || len(words) < 2 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		switch words[1] {
		case "SPACE", "SPACE|FILE":
			return CompleteNames(p.Families.Entries(), begun), cobra.ShellCompDirectiveDefault
		case "FILE":
			return fileEndings(cmd), cobra.ShellCompDirectiveFilterFileExt
		case "CHECKPOINT":
			return []string{"checkpoint"}, cobra.ShellCompDirectiveFilterFileExt
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
}

// fileEndings lists what the names of files end in that a command takes.
func fileEndings(cmd *cobra.Command) []string {
	plain, packed := strings.TrimPrefix(layers.Ending, "."), strings.TrimPrefix(layers.PackedEnding, ".")
	switch cmd.Name() {
	case "pack":
		return []string{plain}
	case "unpack":
		return []string{packed}
	}
	return []string{plain, packed}
}

// CompleteNames offers the names of spaces that begin like a word, with their families or, if there
// is a word, without them.
func CompleteNames(entries []puzzle.Entry, begun string) (names []string) {
	for _, e := range entries {
		_, bare, _ := strings.Cut(e.Name, "/")
		if strings.HasPrefix(e.Name, begun) {
			names = append(names, cobra.CompletionWithDesc(e.Name, e.About))
		}
		if begun != "" && strings.HasPrefix(bare, begun) {
			names = append(names, cobra.CompletionWithDesc(bare, e.About))
		}
	}
	return names
}

// completeLayers offers the layers of the file that is the first argument; behind a number and -,
// those that end a range.
func completeLayers(families *puzzle.Set) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, begun string) (found []string, none cobra.ShellCompDirective) {
		none = cobra.ShellCompDirectiveNoFileComp
		if len(args) == 0 {
			return nil, none
		}
		f, err := ask.Open(cmd.Context(), args[0], families.Define, 0)
		if err != nil {
			return nil, none
		}
		defer f.Close()
		counts := slices.SortedFunc(slices.Values(f.Layers().Counts), func(a, b statespace.Layer) int { return cmp.Compare(a.Layer, b.Layer) })
		least, _, both := strings.Cut(begun, "-")
		for _, l := range counts {
			n := strconv.Itoa(l.Layer)
			if both {
				if from, err := strconv.Atoi(least); err != nil || l.Layer < from {
					continue
				}
				n = least + "-" + n
			}
			found = append(found, cobra.CompletionWithDesc(n, Count(l.States, "state")))
		}
		return found, none
	}
}
