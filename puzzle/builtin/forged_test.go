package builtin_test

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pagoda/internal/long"
	"pagoda/layers"
	"pagoda/puzzle"
	"pagoda/puzzle/builtin"
	"pagoda/run"
	"pagoda/sorted"
)

// Any bit that is changed in the states, distances or values of a file is found, on 1, 2 and 7 threads, though its
// checksums are right: a state too many or too few, a distance that is off by one, a value in its last bit. Nor is
// another number of solutions proved.
func TestForged(t *testing.T) {
	families := builtin.Families()
	const tray = "tray:\nAAB.\nCDD.\nCE..\ngoal:\n...B\n....\n....\n"
	for _, name := range []string{"steps", "lines", "moves", "supersteps", "superlines", "supermoves", "slide/n3x3", "slide/n2x3", "slide/n3x3:1,2,3", "lunar/3x3:1-2", "lunar/3x3:2-1@slides", "2048/1x3:16", "threes/1x2", "peg/4x4"} {
		text, metric, choice := "", "", puzzle.Choice{}
		if !strings.Contains(name, "/") {
			text, metric, name = tray, name, "-"
			choice.Options = map[string]string{"metric": metric}
		}
		sp, err := families.Lookup(t.Context(), name, strings.NewReader(text), choice)
		if err != nil {
			t.Fatal(err)
		}
		for _, store := range []string{"", layers.SparseStore} {
			path := filepath.Join(t.TempDir(), "a.reach")
			if _, err := run.Start(t.Context(), sp, run.Options{Store: store, Output: path, Threads: 2}); errors.Is(err, run.ErrOptions) {
				continue // it has no such store
			} else if err != nil {
				t.Fatal(err)
			}
			t.Run(name+metric+" "+store, func(t *testing.T) { testForged(t, families, path) })
		}
	}
}

// testForged changes a file that is right.
func testForged(t *testing.T, families *puzzle.Set, path string) {
	prove := func(threads int) error {
		f, err := layers.Open(t.Context(), path, families.Define, 0)
		if err != nil {
			return err
		}
		defer f.Close()
		return families.Verify(t.Context(), f, run.Options{Threads: threads})
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	threads := []int{1, 2, 7}
	refuse := func(what string, bad []byte) {
		if err := os.WriteFile(path, bad, 0o644); err != nil {
			t.Fatal(err)
		}
		for _, n := range threads {
			if err := prove(n); !errors.Is(err, layers.ErrDamaged) && !errors.Is(err, sorted.ErrDamaged) {
				t.Errorf("%s, on %d threads: %v", what, n, err)
			}
		}
	}
	for _, n := range threads {
		if err := prove(n); err != nil {
			t.Fatal(err)
		}
	}
	le, rng := binary.LittleEndian, rand.New(rand.NewPCG(52, uint64(len(data))))
	sections := le.Uint32(data[12:])
	section := func(i uint32) (at, length uint64) {
		entry := data[64+32*i:]
		return le.Uint64(entry[16:]), le.Uint64(entry[24:])
	}
	meta, length := section(sections - 1)
	text := string(data[meta:][:length])
	each := 2
	if long.Tests {
		each = 40
	}
	for i := range sections - 1 {
		at, length := section(i)
		for range each {
			bad, byteAt, bit := slices.Clone(data[:meta]), at+rng.Uint64N(length), rng.IntN(8)
			bad[byteAt] ^= 1 << bit
			refuse("a bit of section "+strings.TrimRight(string(data[64+32*i:][:16]), "\x00"), withMeta(bad, text))
		}
	}
	if before, after, ok := strings.Cut(text, `"solutions":`); ok {
		refuse("another number of solutions", withMeta(data[:meta], before+`"solutions":9`+after))
	}
}
