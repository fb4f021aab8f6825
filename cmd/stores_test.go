package cmd

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"pagoda/internal/long"
)

// stores are the flags that make a file of each store.
var stores = map[string][]string{
	"set":         {"--store", "set"},
	"folded":      {"--store", "folded"},
	"backptr":     {"--store", "backptr"},
	"raw":         {"--store", "backptr", "--numbering", "raw"},
	"roaring":     {"--store", "roaring"},
	"trie":        {"--store", "trie"},
	"packed":      {"--store", "packed"},
	"packed-trie": {"--store", "packed-trie"},
}

// A question is a command of query, with FILE for the file.
type question struct {
	args  []string
	stdin string
}

// questions are more than a thousand about a board of 5x5, those of a command's stdin
// counted one by one.
func questions() (all []question, count int) {
	rng := rand.New(rand.NewPCG(1, 2))
	pattern := func(cells string) string {
		var s strings.Builder
		for row := range 5 {
			if row > 0 {
				s.WriteByte('/')
			}
			for range 5 {
				s.WriteByte(cells[rng.IntN(len(cells))])
			}
		}
		return s.String()
	}
	// Lines flipped anywhere keep to the class of the start.
	inClass := func() string {
		cells := []byte("ooooo/ooooo/oo.oo/ooooo/ooooo")
		for range 40 {
			row, col, down := rng.IntN(5), rng.IntN(3), rng.IntN(2) == 0
			for k := range 3 {
				at := 6*row + col + k
				if down {
					at = 6*(col+k) + row
				}
				cells[at] ^= 'o' ^ '.'
			}
		}
		return string(cells)
	}
	ask := func(args ...string) {
		all = append(all, question{args: append(args[:1:1], append([]string{"FILE"}, args[1:]...)...)})
		count++
	}
	many := func(n int, args ...string) {
		var lines strings.Builder
		for range n {
			fmt.Fprintln(&lines, inClass())
		}
		ask(args...)
		all[len(all)-1].stdin = lines.String()
		count += n - 1
	}
	many(700, "has", "-", "--json")
	many(200, "path", "-", "--json")
	for range 12 {
		ask("near", pattern("o."), "--json")
		ask("near", pattern("o.??"), "--json", "--limit", "0")
		ask("near", pattern("o."), pattern("o.?"), "--json", "--within", fmt.Sprint(rng.IntN(6)), "--limit", fmt.Sprint(rng.IntN(30)))
		ask("near", pattern("o."), pattern("o.?"), "--sum", "--limit", "7")
		ask("near", pattern("o."), "--pegs", fmt.Sprint(2+rng.IntN(18)), "--within", "9")
		ask("near", pattern("?"), "--pegs", fmt.Sprintf("%d-%d", 2+rng.IntN(3), 5+rng.IntN(15)))
		ask("count", pattern("o.??????"))
		ask("count", pattern("o.??????????"), "--pegs", fmt.Sprintf("%d-%d", 2+rng.IntN(7), 9+rng.IntN(12)))
		ask("list", pattern("o.????"), "--limit", "50", "--json")
		ask("list", pattern("??????o"), "--pegs", fmt.Sprint(3+rng.IntN(15)), "--limit", "50")
		ask("sample", pattern("o.??????"), "-n", "5", "--seed", fmt.Sprint(rng.Uint32()))
		ask("nth", fmt.Sprint(rng.IntN(1183924)))
		ask("nth", fmt.Sprint(rng.IntN(1183924)), "--json")
		ask("rank", inClass())
		ask("rank", inClass(), "--json")
	}
	ask("list", "--pegs", "2-3")
	ask("count", "--pegs", "12")
	ask("near", ".ooo./.o.../.ooo./...o./.ooo.", "--within", "7", "--limit", "0")
	ask("path", "...../...../.o..o/...../.....", "--all")
	ask("path", "...../...../.o..o/...../.....", "--fewest-moves")
	ask("path", "...../...../.o..o/...../.....", "--random", "--seed", "4")
	ask("solve")
	ask("solve", "--list", "dead-ends", "--limit", "20")
	ask("layers", "--json")
	ask("render", ".ooo./.o.../.ooo./...o./.ooo.", "--format", "svg")
	return all, count
}

// put asks a question about a file and returns all that comes of it.
func (q question) put(t *testing.T, file string) string {
	t.Helper()
	args := make([]string, len(q.args))
	for i, a := range q.args {
		if args[i] = a; a == "FILE" {
			args[i] = file
		}
	}
	cmd := exec.Command(filepath.Join(bin, "query"), args...)
	cmd.Stdin = strings.NewReader(q.stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() > 1) {
		t.Errorf("query %q: %v, %s", q.args, err, &errs)
	}
	return fmt.Sprintf("%v\n%s", err, orbits.ReplaceAll(out.Bytes(), nil))
}

// orbits are what only folded files know.
var orbits = regexp.MustCompile(`,"orbits":\d+`)

// Every store answers a thousand questions as the set does.
func TestStoresAnswer(t *testing.T) {
	if !long.Tests {
		t.Skip("asks thousands of questions")
	}
	dir := t.TempDir()
	reach := func(t *testing.T, args ...string) {
		t.Helper()
		if out, err := exec.Command(filepath.Join(bin, "reach"), args...).CombinedOutput(); err != nil {
			t.Fatalf("reach %q: %v, %s", args, err, out)
		}
	}
	set := filepath.Join(dir, "original")
	reach(t, "run", "peg/5x5", "-o", set)
	all, count := questions()
	if count < 1000 {
		t.Fatalf("there are only %d questions", count)
	}
	want := make([]string, len(all))
	for i, q := range all {
		want[i] = q.put(t, set)
	}
	for name, flags := range stores {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(dir, name)
			reach(t, append([]string{"convert", set, "-o", file}, flags...)...)
			for i, q := range all {
				if got := q.put(t, file); got != want[i] {
					t.Fatalf("query %q: %.2000s\nwant %.2000s", q.args, got, want[i])
				}
			}
		})
	}
}

// A file that is cut short while it is asked gives an error that names it, even where the
// rest of a page reads as zeros.
func TestCutWhileAsked(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a mapped file cannot be cut short here")
	}
	dir := t.TempDir()
	for name, flags := range stores {
		for _, cut := range []int64{8, 5000} {
			file := filepath.Join(dir, fmt.Sprint(name, cut))
			if out, err := exec.Command(filepath.Join(bin, "reach"), append([]string{"run", "peg/4x5", "-o", file}, flags...)...).CombinedOutput(); err != nil {
				t.Fatalf("%v, %s", err, out)
			}
			cmd := exec.Command(filepath.Join(bin, "query"), "has", file, "-")
			in, err1 := cmd.StdinPipe()
			out, err2 := cmd.StdoutPipe()
			var errs bytes.Buffer
			cmd.Stderr = &errs
			if err := errors.Join(err1, err2, cmd.Start()); err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewReader(out)
			fmt.Fprintln(in, "oooo/oooo/oooo/o.oo/oooo")
			first, _ := lines.ReadString('\n')
			info, err := os.Stat(file)
			if err == nil {
				err = os.Truncate(file, info.Size()-cut)
			}
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintln(in, "oooo/o.oo/o.oo/oooo/oooo")
			second, _ := lines.ReadString('\n')
			in.Close()
			err = cmd.Wait()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != 3 || first == "" || second != "" || !strings.Contains(errs.String(), file) {
				t.Errorf("%s cut by %d: %q, then %q, %v, %s", name, cut, first, second, err, &errs)
			}
		}
	}
}
