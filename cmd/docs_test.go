package cmd

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"pagoda/internal/long"
)

// TestDocs runs the console examples of the README and of the documents: in each, what
// follows "$ " in blocks of ```console. It compares what they print. In what is expected,
// a line of "..." stands for any lines; times, sizes, threads and kernels may differ.
// The examples of a document run in one directory, one after the other, so a file is made
// before it is queried. With -v the test prints the processor time of each document.
func TestDocs(t *testing.T) {
	if !long.Tests {
		t.Skip("some examples take seconds")
	}
	for _, doc := range append(documents(t), "../README.md", "../CONTRIBUTING.md") {
		t.Run(filepath.Base(doc), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(doc)
			if err != nil {
				t.Fatal(err)
			}
			dir, address, used := t.TempDir(), "", time.Duration(0)
			for _, e := range consoleExamples(string(text)) {
				if strings.HasPrefix(e.command, "query serve ") {
					address = serveExample(t, dir, e.command)
					continue
				}
				if strings.HasPrefix(e.command, "curl ") {
					if _, err := exec.LookPath("curl"); err != nil {
						continue
					}
					e.command = strings.ReplaceAll(e.command, pageAddress, address)
				}
				got, spent := runExample(t, dir, e.command, len(e.output) > 0)
				got = diskTooSmall.ReplaceAllString(got, "")
				used += spent
				if err := matches(e.output, got); err != nil {
					t.Fatalf("line %d: %s\n%v\nprinted:\n%s", e.line, e.command, err, got)
				}
			}
			t.Logf("%.1f s of processor time", used.Seconds())
		})
	}
}

// documents returns the files below docs, the map first.
func documents(t *testing.T) []string {
	t.Helper()
	docs, err := filepath.Glob("../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	folders, err := filepath.Glob("../docs/*/*.md")
	if err != nil {
		t.Fatal(err)
	}
	return append(docs, folders...)
}

// The pictures in the documents, and a deck as text, are what the commands draw.
func TestPictures(t *testing.T) {
	if !long.Tests {
		t.Skip("a deck of forty takes seconds")
	}
	for command, picture := range map[string]string{
		"reach deck lunar --quiet --format svg":                        "pictures/lunar-deck.svg",
		"reach deck lunar --quiet":                                     "data/lunar-deck.txt",
		"reach deck rush-hour --quiet --format svg":                    "pictures/rush-hour-deck.svg",
		"reach package '#..o/ooo#/ooo#' '#..o/...#/...#' --format svg": "pictures/package-6-purge.svg",
		"reach package ooo/ooo/ooo/o.. '???/.../.../...' --format svg": "pictures/package-4x3.svg",
		"reach packages 2-purge 3-purge 6-purge L-purge --format svg":  "pictures/purges.svg",
		"reach packages --kind mover --block 5 --format svg":           "pictures/movers.svg",
	} {
		kept, err := os.ReadFile("../docs/" + picture)
		if err != nil {
			t.Fatal(err)
		}
		if drawn, _ := runExample(t, t.TempDir(), command, false); drawn != string(kept) {
			t.Errorf("%s prints something else than docs/%s: scripts/pictures.sh makes it again", command, picture)
		}
	}
}

// An example is a command of a document, and what it should print.
type example struct {
	line    int
	command string
	output  []string
}

// consoleExamples returns the examples in the console blocks of a document.
func consoleExamples(text string) (all []example) {
	console := false
	for i, line := range strings.Split(text, "\n") {
		switch {
		case strings.HasPrefix(line, "```"):
			console = line == "```console"
		case !console:
		case strings.HasPrefix(line, "$ "):
			all = append(all, example{line: i + 1, command: line[2:]})
		case len(all) > 0:
			last := &all[len(all)-1]
			if len(last.output) == 0 && (strings.HasSuffix(last.command, "\\") || openHere(last.command)) {
				last.command += "\n" + line
			} else {
				last.output = append(last.output, line)
			}
		}
	}
	return all
}

// openHere reports whether a command has a here document that has not ended.
func openHere(command string) bool {
	lines := strings.Split(command, "\n")
	return strings.Contains(lines[0], "<<EOF") && lines[len(lines)-1] != "EOF"
}

// typed returns how the built commands run a command as it is typed.
func typed(dir, command string) *exec.Cmd {
	command = strings.NewReplacer("go run ./cmd/", "", "go run ./examples/", "").Replace(command)
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return cmd
}

// runExample runs a command, and returns what it prints and the processor time that it takes. An error is
// one of the test, unless the document shows it.
func runExample(t *testing.T, dir, command string, shown bool) (string, time.Duration) {
	t.Helper()
	cmd := typed(dir, command)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() > 1 && !shown) { // 1 is an answer
		t.Errorf("%s: %v\n%s", command, err, out)
	}
	return string(out), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// diskTooSmall is the line of explain on a machine with less disk than that of the documents.
var diskTooSmall = regexp.MustCompile(`(?m)^disk +too small: .*\n`)

// pageAddress is where query serve listens in the documents.
const pageAddress = "127.0.0.1:8377"

// serveExample starts a server at a free port, which ends with the test, and returns its
// address.
func serveExample(t *testing.T, dir, command string) (address string) {
	t.Helper()
	cmd := typed(dir, "exec "+command+" --addr 127.0.0.1:0")
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	address, found := strings.CutPrefix(strings.TrimSpace(line), "http://")
	if err != nil || !found {
		t.Fatalf("%s: expected the address of the page, found %q, %v", command, line, err)
	}
	return strings.TrimSuffix(address, "/")
}

// varies is what differs from run to run, or between machines.
var varies = regexp.MustCompile(`[0-9][0-9.,]* ?(s|ms|minutes|hours|[KMGT]?i?B|bytes|threads?)\b|by (avx512|avx2|generic)|amd64|[0-9.]+ %`)

// progressLine is what a command shows after 30 seconds, on a machine that has much else to do.
var progressLine = regexp.MustCompile(`: (([0-9]+%, )?[0-9hm]*[0-9]s(, [0-9.e+]+ .*/s, [0-9hm]*[0-9]s left)?|[0-9,]+ of [0-9,]+ .* found, [0-9hm]*[0-9]s)$`)

// matches compares what was printed with what is expected.
func matches(want []string, got string) error {
	for len(want) > 0 && strings.TrimSpace(want[len(want)-1]) == "" {
		want = want[:len(want)-1]
	}
	normal := func(s string) string {
		return strings.Join(strings.Fields(varies.ReplaceAllString(s, "#")), " ")
	}
	var printed []string
	for _, line := range strings.Split(strings.TrimRight(got, "\n"), "\n") {
		if !progressLine.MatchString(line) {
			printed = append(printed, normal(line))
		}
	}
	if len(want) == 0 {
		return nil // a document need not show everything
	}
	at, free := 0, false
	for _, line := range want {
		if strings.TrimSpace(line) == "..." {
			free = true
			continue
		}
		line = normal(line)
		for free && at < len(printed) && printed[at] != line {
			at++
		}
		if at == len(printed) || printed[at] != line {
			found := "the end"
			if at < len(printed) {
				found = printed[at]
			}
			return fmt.Errorf("expected %q, found %q", line, found)
		}
		at, free = at+1, false
	}
	if !free && at < len(printed) {
		return fmt.Errorf("expected the end, found %q", printed[at])
	}
	return nil
}

// inCode is a name in the glossary, such as statespace/statespace.Folding or run.Start.
var inCode = regexp.MustCompile("`([a-z/0-9]+)\\.([A-Za-z0-9.]+)`")

// inBold is a word that the glossary defines, or several with commas between them.
var inBold = regexp.MustCompile(`\*\*([^*]+)\*\*`)

// TestGlossary looks for the names in the code that the glossary has, and for words that it defines twice.
func TestGlossary(t *testing.T) {
	text, err := os.ReadFile("../docs/reference/glossary.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	defined := make(map[string]int)
	for i, line := range strings.Split(string(text), "\n") {
		for _, m := range inBold.FindAllStringSubmatch(line, -1) {
			for _, word := range strings.Split(m[1], ", ") {
				if first := defined[word]; first != 0 {
					t.Errorf("glossary.md:%d: %q is defined in line %d, too", i+1, word, first)
				}
				defined[word] = i + 1
			}
		}
		for _, m := range inCode.FindAllStringSubmatch(line, -1) {
			for _, name := range strings.Split(m[2], ".") {
				found++
				if !declares(t, filepath.Join("..", m[1]), name) {
					t.Errorf("glossary.md:%d: %s declares no %s", i+1, m[1], name)
				}
			}
		}
	}
	if found == 0 || defined["piece"] == 0 {
		t.Error("the glossary names nothing in the code, or does not define the pieces of a tray")
	}
}

// declares reports whether a package declares a name: at the left margin, in a group, or as a
// field or method.
func declares(t *testing.T, dir, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	declaration := regexp.MustCompile(`(?m)^(func (\(.*?\) )?|type |const |var |\t)` + name + `\b`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if declaration.Match(text) {
			return true
		}
	}
	return false
}

// link is a link of a document to a place in this tree.
var link = regexp.MustCompile(`\]\(([^):#]*)(#[^)]*)?\)`)

// TestLinks follows the links from document to document, and to their headings.
func TestLinks(t *testing.T) {
	for _, doc := range append(documents(t), "../README.md", "../CONTRIBUTING.md", "../CHANGELOG.md", "../bench/README.md") {
		text, err := os.ReadFile(doc)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			path := doc
			if m[1] != "" {
				path = filepath.Join(filepath.Dir(doc), m[1])
			}
			target, err := os.ReadFile(path)
			if err != nil && filepath.Ext(path) != "" {
				t.Errorf("%s: %v", doc, err)
			} else if m[2] != "" && !strings.Contains(headings(string(target)), m[2]+"\n") {
				t.Errorf("%s: %s has no heading %s", doc, path, m[2])
			}
		}
	}
}

// headings returns the anchors of the headings of a document, each on a line.
func headings(text string) string {
	var anchors strings.Builder
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(text, -1) {
		anchor := regexp.MustCompile(`[^a-z0-9 _-]`).ReplaceAllString(strings.ToLower(m[1]), "")
		anchors.WriteString("#" + strings.ReplaceAll(anchor, " ", "-") + "\n")
	}
	return anchors.String()
}
