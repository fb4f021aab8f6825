package builtin_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pagoda/internal/long"
	"pagoda/layers"
	_ "pagoda/layers/all"
	"pagoda/puzzle"
	"pagoda/puzzle/builtin"
	"pagoda/run"
	_ "pagoda/run/all"
)

// verify opens a file and proves it.
func verify(t *testing.T, families *puzzle.Set, path string) error {
	f, err := layers.Open(t.Context(), path, families.Define, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	return families.Verify(t.Context(), f, run.Options{Threads: 1})
}

// Every field of the metadata is proved, of every family in every store: a file is refused when a value is changed,
// left out, there twice or added. The name of a space may be any but that of another space. Figures need not have
// values by layer.
func TestMetadataProved(t *testing.T) {
	families := builtin.Families()
	const tray = "tray:\nA.\nBC\ngoal:\n..\n.A\n"
	files := 0
	for _, name := range []string{"peg/3x3", "slide/n2x2", "-", "lunar/1x3:1-1", "twist/pancake-3", "2048/1x3:16@p4=0.25", "threes/1x2"} {
		sp, err := families.Lookup(t.Context(), name, strings.NewReader(tray), puzzle.Choice{})
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		for _, store := range layers.Stores {
			path := filepath.Join(dir, store.Name+".reach")
			if _, err := run.Start(t.Context(), sp, run.Options{Store: store.Name, Output: path, Threads: 1}); errors.Is(err, run.ErrOptions) {
				continue // it does not have this store
			} else if err != nil {
				t.Fatal(err)
			}
			files++
			t.Run(name+" "+store.Name, func(t *testing.T) { testProved(t, families, path, files) })
		}
	}
	if files < 25 {
		t.Errorf("only %d files", files)
	}
}

// testProved changes the metadata of a file.
func testProved(t *testing.T, families *puzzle.Set, path string, file int) {
	if err := verify(t, families, path); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	le := binary.LittleEndian
	entry := data[64+32*(le.Uint32(data[12:])-1):] // the last section
	at, length := le.Uint64(entry[16:]), le.Uint64(entry[24:])
	c := changes{text: string(data[at:][:length]), all: make(map[string]string)}
	if end := c.value("", 0); end != len(c.text) || len(c.all) < 20 {
		t.Fatalf("there are %d changes up to byte %d of %s", len(c.all), end, c.text)
	}
	for i, what := range slices.Sorted(maps.Keys(c.all)) {
		text := c.all[what]
		if !long.Tests && (i+file)%5 > 0 {
			continue // the files take turns
		}
		if what == "space.name: another" || strings.HasPrefix(what, "figures.") && strings.Contains(what, `without "by_layer"`) {
			continue
		}
		if err := os.WriteFile(path, withMeta(data[:at], text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := verify(t, families, path); err == nil {
			t.Errorf("%s is proved: %.300s", what, text)
		}
	}
}

// withMeta returns a file with other metadata, and right checksums. Data is what comes before the metadata.
func withMeta(data []byte, meta string) []byte {
	const page, stretch = 4096, 64 << 10
	le := binary.LittleEndian
	pad := func() { data = append(data, make([]byte, -len(data)&(page-1))...) }
	crc := func(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }
	data = append(slices.Clone(data), meta...)
	pad()
	sums := len(data)
	for at := page; at < sums; at += stretch {
		data = le.AppendUint32(data, crc(data[at:min(at+stretch, sums)]))
	}
	pad()
	le.PutUint64(data[64+32*(le.Uint32(data[12:])-1)+24:], uint64(len(meta)))
	le.PutUint64(data[16:], uint64(len(data)))
	le.PutUint64(data[24:], uint64(sums))
	le.PutUint32(data[32:], crc(data[sums:]))
	le.PutUint32(data[page-4:], crc(data[:page-4]))
	return data
}

// changes are all changes of a JSON text without white space, by what they change.
type changes struct {
	text string
	all  map[string]string
	skip bool // the value that comes
}

// replace replaces a part of the text.
func (c *changes) replace(what string, from, to int, by string) {
	if c.skip {
		return
	}
	c.all[what] = c.text[:from] + by + c.text[to:]
}

// value changes the value that begins at a byte of the text, and returns its end. Path is where it is in the object.
func (c *changes) value(path string, at int) (end int) {
	inner := func(name string) string { return strings.TrimPrefix(path+"."+name, ".") }
	switch first := c.text[at]; first {
	case '{', '[':
		type member struct{ from, to int }
		var members []member
		const few = 3 // elements of an array stand for all
		skip := c.skip
		for at++; c.text[at] != '}' && c.text[at] != ']'; {
			m, name := member{from: at}, fmt.Sprint(len(members))
			if first == '{' {
				at = c.scalar(at)
				name = strings.Trim(c.text[m.from:at], `"`)
				at++ // the colon
			}
			c.skip = skip || first == '[' && len(members) >= few
			m.to = c.value(inner(name), at)
			if at = m.to; first == '{' {
				c.replace(inner(name)+": twice", m.from, m.from, c.text[m.from:m.to]+",")
			}
			members = append(members, m)
			if c.text[at] == ',' {
				at++
			}
		}
		c.skip = skip
		for i, m := range members {
			if first == '[' && i >= few {
				break
			}
			from, to := m.from, m.to
			if i > 0 {
				from--
			} else if len(members) > 1 {
				to++
			}
			c.replace(fmt.Sprintf("%s: without %.20s", path, c.text[m.from:m.to]), from, to, "")
		}
		more := `"more":1`
		if first == '[' {
			if more = "1"; members != nil {
				more = c.text[members[0].from:members[0].to]
			}
		}
		if members != nil {
			more = "," + more
		}
		c.replace(path+": more", at, at, more)
		return at + 1
	case '"':
		end = c.scalar(at)
		c.replace(path+": another", end-1, end-1, "x")
	default:
		end = c.scalar(at)
		other := map[string]string{"true": "false", "false": "true", "null": "1"}[c.text[at:end]]
		if other == "" {
			other = c.text[at:end] + "1"
		}
		c.replace(path+": another", at, end, other)
	}
	c.replace(path+": null", at, end, "null")
	return end
}

// scalar returns the end of a string, a number or a word.
func (c *changes) scalar(at int) int {
	if c.text[at] != '"' {
		return at + strings.IndexAny(c.text[at:], ",]}")
	}
	for at++; c.text[at] != '"'; at++ {
		if c.text[at] == '\\' {
			at++
		}
	}
	return at + 1
}
