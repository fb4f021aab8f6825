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

// shared is how many commands must have a flag with the same meaning, so that the page has it in the section of
// shared flags.
const shared = 2

// known are the commands.
var known = make(map[string]bool)

// A writer writes the page.
type writer struct {
	strings.Builder
	flags    map[string]map[string][]string // the defaults of each flag, by its name and its line without the default
	seen     map[string]string              // where the page has a paragraph
	sections map[string]string              // where the page has the same help
}

// page returns the page.
func page() string {
	p := builtin.Program()
	p.More = append(p.More, serve.Command)
	roots := []*cobra.Command{p.Reach(), p.Query()}
	w := &writer{flags: make(map[string]map[string][]string), seen: make(map[string]string), sections: make(map[string]string)}
	for _, root := range roots {
		root.InitDefaultHelpCmd()
		for _, cmd := range root.Commands() {
			known[cmd.CommandPath()] = true
		}
	}
	for _, root := range roots {
		for _, cmd := range root.Commands() {
			cmd.Flags().VisitAll(func(f *pflag.Flag) {
				if w.flags[f.Name] == nil {
					w.flags[f.Name] = make(map[string][]string)
				}
				line, value := flagLine(f)
				w.flags[f.Name][line] = append(w.flags[f.Name][line], value)
			})
		}
	}
	w.WriteString(intro)
	for _, root := range roots {
		w.contents(root)
	}
	fmt.Fprintf(w, "\n[Shared flags](#shared-flags) are described once, at the end. Commands also have `--help`, and `--quiet`, which shows no\nprogress.\n\n")
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
				fmt.Fprintf(w, " [`%s`](#%s)", cmd.Name(), anchor(cmd.CommandPath()))
			}
		}
		w.WriteString("\n")
	}
}

// anchor returns the anchor of the section of a command, as GitHub makes it from the heading.
func anchor(command string) string { return strings.ReplaceAll(command, " ", "-") }

// link links to the section of a command.
func link(command string) string { return fmt.Sprintf("[`%s`](#%s)", command, anchor(command)) }

// section writes the section of a command.
func (w *writer) section(cmd *cobra.Command) {
	fmt.Fprintf(w, "## %s\n\n", cmd.CommandPath())
	root := cmd.Root().Name()
	same := regexp.MustCompile(`\b`+root+`\b`).ReplaceAllString(cmd.Name()+cmd.Long+cmd.Example, "reach")
	if other, ok := w.sections[same]; ok {
		fmt.Fprintf(w, "As %s.\n\n", link(other))
		return
	}
	w.sections[same] = cmd.CommandPath()
	if cmd.HasParent() {
		fmt.Fprintf(w, "    %s\n\n", strings.TrimSuffix(cmd.UseLine(), " [flags]"))
	}
	var others []string // sections that have the same paragraphs
	for _, paragraph := range strings.Split(strings.TrimSpace(cmp.Or(cmd.Long, cmd.Short)), "\n\n") {
		if there, ok := w.seen[paragraph]; ok && strings.Contains(paragraph, "\n") {
			if !slices.Contains(others, there) {
				others = append(others, there)
			}
			continue
		}
		w.seen[paragraph] = cmd.CommandPath()
		w.paragraph(paragraph)
	}
	for _, other := range others {
		fmt.Fprintf(w, "A part of %s holds here, too.\n\n", link(other))
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
	begins   = regexp.MustCompile(`(?m)^([-+#>]) `)
	pages    = regexp.MustCompile(`docs/([a-z]+/[a-z0-9-]+\.md)`)
	commands = regexp.MustCompile(`\b((?:reach|query) [a-z]+)( --help)?\b`)
	flags    = regexp.MustCompile(`(^|[\s(])(--[a-z][a-z0-9-]*|-o)\b`)
)

// markdown returns text that Markdown shows as it is, with links to the pages and sections that it names.
func markdown(text string) string {
	text = signs.ReplaceAllString(text, `\$0`)
	text = begins.ReplaceAllString(text, `\$1 `)
	text = pages.ReplaceAllString(text, "[$1](../$1)")
	text = commands.ReplaceAllStringFunc(text, func(found string) string {
		if command := strings.TrimSuffix(found, " --help"); known[command] {
			return link(command)
		}
		return found
	})
	return flags.ReplaceAllString(text, "$1`$2`")
}

// ownFlags lists the flags of a command, those of several commands by name.
func (w *writer) ownFlags(cmd *cobra.Command) {
	var own, others []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		line, value := flagLine(f)
		switch common, usual := w.common(f.Name); {
		case f.Name == "help" || f.Name == "quiet": // all commands have them
		case line != common:
			own = append(own, line+value)
		case value != usual:
			others = append(others, "`--"+f.Name+"`"+value)
		default:
			others = append(others, "`--"+f.Name+"`")
		}
	})
	if len(own) > 0 {
		fmt.Fprintf(w, "Flags:\n\n%s\n\n", strings.Join(own, "\n"))
	}
	if len(others) > 0 {
		fmt.Fprintf(w, "[Shared flags](#shared-flags): %s\n\n", strings.Join(others, ", "))
	}
}

// common returns the line and the default that most commands have for a flag, if they are shared.
func (w *writer) common(name string) (line, value string) {
	lines := w.flags[name]
	line = slices.MaxFunc(slices.Sorted(maps.Keys(lines)), func(a, b string) int { return len(lines[a]) - len(lines[b]) })
	if len(lines[line]) < shared {
		return "", ""
	}
	count := make(map[string]int)
	for _, d := range lines[line] {
		count[d]++
	}
	return line, slices.MaxFunc(slices.Sorted(maps.Keys(count)), func(a, b string) int { return count[a] - count[b] })
}

// sharedFlags lists the flags of several commands.
func (w *writer) sharedFlags() {
	w.WriteString("## Shared flags\n\n")
	for _, name := range slices.Sorted(maps.Keys(w.flags)) {
		if line, value := w.common(name); line != "" && name != "help" {
			fmt.Fprintf(w, "%s%s\n", line, value)
		}
	}
}

// kinds are the types of pflag, as the page has them.
var kinds = map[string]string{"int": "N", "uint": "N", "float": "X", "string": "TEXT", "duration": "TIME"}

// flagLine returns a flag as a line of a list, and its default in brackets.
func flagLine(f *pflag.Flag) (line, value string) {
	kind, usage := pflag.UnquoteUsage(f)
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	if kind != "" {
		name += " " + cmp.Or(kinds[kind], kind)
	}
	if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" && f.DefValue != "[]" {
		value = " (default " + f.DefValue + ")"
	}
	if i := strings.LastIndex(usage, " (default"); i >= 0 {
		usage, value = usage[:i], usage[i:]
	}
	return fmt.Sprintf("- `%s`: %s", name, markdown(usage)), markdown(value)
}
