package cmd

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pagoda/internal/long"
)

// A command takes no more memory than --mem, with the program in it. The pages of its files do not count:
// the system takes them back when it needs them.
func TestMemoryBounds(t *testing.T) {
	const (
		mib   = 1 << 20
		least = 28 // of the heap and the code, see package memory: a smaller limit makes them no smaller
		more  = 8  // what differs between machines: caches of each processor, pages of the program
	)
	dir := t.TempDir()
	made := make(map[string]bool)
	// file makes the file of a space.
	file := func(space string) string {
		path := filepath.Join(dir, strings.NewReplacer("/", "-", ":", "-").Replace(space)+".reach")
		if !made[space] {
			if code, out, _ := peak(t, 8<<30, "reach", "run", space, "--quiet", "-o", path); code != 0 {
				t.Fatalf("run %s: exit code %d: %s", space, code, out)
			}
			made[space] = true
		}
		return path
	}
	for _, c := range []struct {
		space   string // whose file FILE is, or ""
		command string
		memory  uint64 // MiB
		code    int
		says    string
		long    bool
	}{
		{"peg/5x6", "query near FILE ooooo/ooooo/ooooo/ooooo/ooooo/ooooo --within 14 --limit 300000", 32, 2,
			"of it for the matches; the limit is 32 MiB: raise it", false},
		{"peg/5x6", "query near FILE ooooo/ooooo/ooooo/ooooo/ooooo/ooooo --within 14 --limit 30000", 32, 0, "distance", true},
		{"peg/5x6", "query sample FILE -n 400000", 24, 2, "24 MiB of it for the sample; the limit is 24 MiB: raise it, or draw fewer; --mem sets the limit", true},
		{"peg/5x6", "query sample FILE -n 20000", 24, 0, "o", false},
		{"peg/5x6", "query list FILE --sort=-jumps --pegs 5-10", 40, 2, "of it for the states to sort; the limit is 40 MiB: raise it, or pick fewer or use a limit; --mem sets the limit", true},
		{"peg/5x6", "query list FILE --sort=-jumps --pegs 5-10 --limit 1000", 24, 0, "o", false},
		{"", "reach bb slide/klotski --samples 100", 24, 0, "25,955 positions", true},
		{"", "reach bb slide/klotski --samples 100", 12, 2, "of it for the graph of all moves", false},
		{"", "reach solve slide/n2x5 --engine plain", 20, 2, "slide/n2x5 needs 2", true},
		{"", "reach run slide/n3x3 --engine sparse -o FILE2", 20, 0, "181,440", true},
	} {
		if c.long && !long.Tests {
			continue
		}
		path := ""
		if c.space != "" {
			path = file(c.space)
		}
		args := strings.Fields(strings.NewReplacer("FILE2", filepath.Join(dir, "new.reach"), "FILE", path).Replace(c.command))
		args = append(args, "--mem", fmt.Sprintf("%dMiB", c.memory))
		code, out, bytes := peak(t, 8<<30, args[0], args[1:]...)
		most := (max(c.memory, least) + more) * mib
		if info, err := os.Stat(path); err == nil {
			most += uint64(info.Size())
		}
		if len(out) > 2000 {
			out = out[:2000]
		}
		if code != c.code || !strings.Contains(out, c.says) || bytes > most {
			t.Errorf("%s: exit code %d, peak memory %d MiB, expected %d and at most %d MiB: %s", c.command, code, bytes/mib, c.code, most/mib, out)
		}
	}
}
