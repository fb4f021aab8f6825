package main

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pagoda/cli/builtin"
	"pagoda/cli/serve"
)

// intro is what comes before the help. What follows it is made from the help.
const intro = `# Commands

` + "`reach`" + ` enumerates spaces and writes files; ` + "`query`" + ` answers questions from files. This page is the help of both,
written by ` + "`go run ./docs/make/commands`" + `. ` + "`COMMAND --help`" + ` prints the part of a command.
`

// shared is the number of commands that have a flag with the same meaning, from which on the page has it in
// the section for flags of several commands.
const shared = 3

// A writer writes the page.
type writer struct {
	strings.Builder
	flags    map[string][]string // the defaults of each flag, by its line without the default
	seen     map[string]string   // where the page has a paragraph
	sections map[string]string   // where the page has the same help
}

// page returns the page.
func page() string {
	p := builtin.Program()
	p.More = append(p.More, serve.Command)
	roots := []*cobra.Command{p.Reach(), p.Query()}
	w := &writer{flags: make(map[string][]string), seen: make(map[string]string), sections: make(map[string]string)}
	for _, root := range roots {
		root.InitDefaultHelpCmd()
		for _, cmd := range root.Commands() {
			cmd.Flags().VisitAll(func(f *pflag.Flag) {
				line, value := flagLine(f)
				w.flags[line] = append(w.flags[line], value)
			})
		}
	}
	w.WriteString(intro)
	for _, root := range roots {
		w.contents(root)
	}
	fmt.Fprintf(w, "\nMany commands have the same flags: [flags of several commands](#flags-of-several-commands).\n\n")
	for _, root := range roots {
		w.section(root)
		for _, cmd := range root.Commands() {
			w.section(cmd)
		}
	}
	w.sharedFlags()
	return w.String()
}

// contents lists the commands of a program in the groups of its help.
func (w *writer) contents(root *cobra.Command) {
	fmt.Fprintf(w, "\n[`%s`](#%[1]s)\n\n", root.Name())
	for _, g := range root.Groups() {
		fmt.Fprintf(w, "- %s", g.Title)
		for _, cmd := range root.Commands() {
			if cmd.GroupID == g.ID {
				fmt.Fprintf(w, " [`%s`](#%s)", cmd.Name(), anchor(cmd))
			}
		}
		w.WriteString("\n")
	}
}

// anchor returns the anchor of the section of a command, as GitHub makes it from the heading.
func anchor(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// section writes the section of a command.
func (w *writer) section(cmd *cobra.Command) {
	fmt.Fprintf(w, "## %s\n\n", cmd.CommandPath())
	root := cmd.Root().Name()
	same := regexp.MustCompile(`\b`+root+`\b`).ReplaceAllString(cmd.Name()+cmd.Long+cmd.Example, "reach")
	if other, ok := w.sections[same]; ok {
		fmt.Fprintf(w, "As [`%s`](#%s).\n\n", other, strings.ReplaceAll(other, " ", "-"))
		return
	}
	w.sections[same] = cmd.CommandPath()
	if cmd.HasParent() {
		fmt.Fprintf(w, "    %s\n\n", strings.TrimSuffix(cmd.UseLine(), " [flags]"))
	}
	var others []string // sections that have the same paragraphs
	for _, paragraph := range strings.Split(strings.TrimSpace(cmp.Or(cmd.Long, cmd.Short)), "\n\n") {
		if there, ok := w.seen[paragraph]; ok {
			if !slices.Contains(others, there) {
				others = append(others, there)
			}
			continue
		}
		w.seen[paragraph] = cmd.CommandPath()
		w.paragraph(paragraph)
	}
	for _, other := range others {
		fmt.Fprintf(w, "More is said at [`%s`](#%s).\n\n", other, strings.ReplaceAll(other, " ", "-"))
	}
	if cmd.Example != "" {
		fmt.Fprintf(w, "Examples:\n\n%s\n", drawn(cmd.Example))
	}
	if cmd.HasParent() {
		w.ownFlags(cmd)
	}
}

// paragraph writes a paragraph of a help text. Lines that begin with a blank stay as they are.
func (w *writer) paragraph(text string) {
	if strings.HasPrefix(text, " ") {
		text = drawn(text)
	} else {
		text = markdown(text) + "\n"
	}
	w.WriteString(text + "\n")
}

// drawn returns lines as a block of code.
func drawn(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.Trim(text, "\n")) {
		b.WriteString("    " + strings.TrimPrefix(strings.TrimRight(line, "\n"), "  ") + "\n")
	}
	return b.String()
}

var (
	signs    = regexp.MustCompile("[\\\\*_<|\\[\\]`]")
	begins   = regexp.MustCompile(`(?m)^([-+#>])`)
	pages    = regexp.MustCompile(`docs/([a-z]+/[a-z0-9-]+\.md)`)
	commands = regexp.MustCompile(`\b(reach|query) ([a-z]+) --help`)
	flags    = regexp.MustCompile(`(^|[\s(])(--[a-z][a-z0-9-]*|-o)\b`)
)

// markdown returns text that Markdown shows as it is, with links to the pages and sections that it names.
func markdown(text string) string {
	text = signs.ReplaceAllString(text, `\$0`)
	text = begins.ReplaceAllString(text, `\$1`)
	text = pages.ReplaceAllString(text, "[$1](../$1)")
	text = commands.ReplaceAllString(text, "[`$1 $2`](#$1-$2)")
	return flags.ReplaceAllString(text, "$1`$2`")
}

// ownFlags lists the flags of a command, those of several commands by name.
func (w *writer) ownFlags(cmd *cobra.Command) {
	var own, others []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		line, value := flagLine(f)
		switch defaults := w.flags[line]; {
		case f.Name == "help":
		case len(defaults) < shared:
			own = append(own, line+inBrackets(value))
		case most(defaults) != value:
			others = append(others, "`--"+f.Name+"`"+inBrackets(value))
		default:
			others = append(others, "`--"+f.Name+"`")
		}
	})
	if len(own) > 0 {
		fmt.Fprintf(w, "Flags:\n\n%s\n\n", strings.Join(own, "\n"))
	}
	if len(others) > 0 {
		fmt.Fprintf(w, "[Flags of several commands](#flags-of-several-commands): %s\n\n", strings.Join(others, ", "))
	}
}

// sharedFlags lists the flags of several commands.
func (w *writer) sharedFlags() {
	w.WriteString("## Flags of several commands\n\n")
	for _, line := range slices.Sorted(maps.Keys(w.flags)) {
		if defaults := w.flags[line]; len(defaults) >= shared && !strings.Contains(line, "--help") {
			fmt.Fprintf(w, "%s%s\n", line, inBrackets(most(defaults)))
		}
	}
}

// flagLine returns a flag as a line of a list, and its default.
func flagLine(f *pflag.Flag) (line, value string) {
	kind, usage := pflag.UnquoteUsage(f)
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	if kind != "" {
		name += " " + strings.ToUpper(kind)
	}
	value = f.DefValue
	if value == "false" || value == "0" || value == "[]" {
		value = ""
	}
	if text, said, ok := strings.Cut(usage, " (default"); ok {
		usage, value = text, strings.TrimLeft(strings.TrimSuffix(said, ")"), ": ")
	}
	return fmt.Sprintf("- `%s`: %s", name, markdown(usage)), value
}

// inBrackets writes a default, if there is one.
func inBrackets(value string) string {
	if value == "" {
		return ""
	}
	return " (default " + markdown(value) + ")"
}

// most returns the default that most commands have.
func most(defaults []string) string {
	count := make(map[string]int)
	for _, d := range defaults {
		count[d]++
	}
	return slices.MaxFunc(slices.Sorted(maps.Keys(count)), func(a, b string) int { return count[a] - count[b] })
}
