package builtin_test

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
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
// checksums are right. So are a state too many or too few, a distance that is off by 1 or 3, though layers are counted
// accordingly, a value that is off by 1e-9, and one solution more.
func TestForged(t *testing.T) {
	families := builtin.Families()
	const tray = "tray:\nAAB.\nCDD.\nCE..\ngoal:\n...B\n....\n....\n"
	for _, name := range []string{"steps", "lines", "moves", "supersteps", "superlines", "supermoves", "slide/n3x3", "slide/n2x3", "slide/n3x3:1,2,3", "lunar/3x3:1-2", "lunar/3x3:2-1@slides", "2048/1x3:16", "threes/1x2", "peg/4x4", "twist/ivy"} {
		text, metric, choice := "", "", puzzle.Choice{}
		if !strings.Contains(name, "/") {
			text, metric, name = tray, name, "-"
			choice.Options = map[string]string{"metric": metric}
		}
		sp, err := families.Lookup(t.Context(), name, strings.NewReader(text), choice)
		if err != nil {
			t.Fatal(err)
		}
		for _, store := range []string{"", layers.DistanceStore, layers.SparseStore} {
			if store == layers.DistanceStore && sp.Size() > 1<<15 && !long.Tests {
				continue
			}
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
		digits := after[:strings.IndexFunc(after, func(r rune) bool { return r < '0' || r > '9' })]
		n, _ := strconv.Atoi(digits)
		refuse("one solution more", withMeta(data[:meta], before+`"solutions":`+strconv.Itoa(n+1)+after[len(digits):]))
	}
	for i := range sections - 1 {
		at, length := section(i)
		switch strings.TrimRight(string(data[64+32*i:][:16]), "\x00") {
		case "values":
			for range each {
				bad, one := slices.Clone(data[:meta]), []byte(nil)
				for one == nil || le.Uint64(one) == 0 {
					one = bad[at+8*rng.Uint64N(length/8):]
				}
				le.PutUint64(one, math.Float64bits(math.Float64frombits(le.Uint64(one))+1e-9))
				refuse("a value that is 1e-9 too large", withMeta(bad, text))
			}
		case "distances":
			forgeDistances(data[:meta], at, text, rng, each, refuse)
		}
	}
}

// forgeDistances changes entries of planes of distances that begin at a byte, and the layers that the metadata counts.
func forgeDistances(data []byte, at uint64, text string, rng *rand.Rand, each int, refuse func(what string, bad []byte)) {
	var said struct {
		Size    uint64
		Bits    int `json:"distance_bits"`
		Columns []struct{ Bits int }
		Layers  []struct{ Layer, States int }
	}
	if err := json.Unmarshal([]byte(text), &said); err != nil {
		panic(err)
	}
	bits, modulo := said.Bits, said.Bits == 0
	if modulo {
		bits = 2
	}
	width := bits
	for _, c := range said.Columns {
		width += c.Bits
	}
	bit := func(b []byte, x uint64, k int) (*byte, int) {
		return &b[at+8*(x/64*uint64(width)+uint64(k))+x%64/8], int(x % 8)
	}
	entry := func(x uint64) (e int) {
		for k := range bits {
			of, shift := bit(data, x, k)
			e |= int(*of) >> shift & 1 << k
		}
		return e
	}
	for range 8 * each {
		x := rng.Uint64N(said.Size)
		is := entry(x)
		e := []int{0, is - 1, is + 1, is - 3, is + 3, 1}[rng.IntN(6)]
		if modulo {
			e = rng.IntN(4) // a distance that is off by 3 has the same mark
		}
		if e == is || e < 0 || e >= 1<<bits || e > len(said.Layers)+1 {
			continue
		}
		bad, counts := slices.Clone(data), slices.Clone(said.Layers)
		for k := range bits {
			of, shift := bit(bad, x, k)
			*of = *of&^(1<<shift) | byte(e>>k&1<<shift)
		}
		if !modulo {
			for change, e := range map[int]int{-1: is, 1: e} {
				if e > len(counts) {
					counts = append(counts, struct{ Layer, States int }{e - 1, 0})
				}
				if e > 0 {
					counts[e-1].States += change
				}
			}
			if last := len(counts) - 1; counts[last].States == 0 {
				counts = counts[:last]
			}
		}
		refuse(fmt.Sprintf("the entry of number %d is %d instead of %d", x, e, is), withMeta(bad, withLayers(text, counts)))
	}
}

// withLayers returns metadata with other layers.
func withLayers(text string, counts []struct{ Layer, States int }) string {
	states, layers := 0, ""
	for _, c := range counts {
		states += c.States
		layers += fmt.Sprintf(`,{"layer":%d,"states":%d}`, c.Layer, c.States)
	}
	text = regexp.MustCompile(`"states":\d+,"layer":`).ReplaceAllString(text, fmt.Sprintf(`"states":%d,"layer":`, states))
	return regexp.MustCompile(`"layers":\[[^]]*\]`).ReplaceAllString(text, `"layers":[`+strings.TrimPrefix(layers, ",")+"]")
}
