package ask_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pagoda/ask"
	"pagoda/export"
	"pagoda/export/parquet"
	"pagoda/layers"
	_ "pagoda/layers/all"
	"pagoda/statespace"
	"pagoda/statespace/cells"
)

// exported returns a table of members in a format.
func exported(t *testing.T, f *ask.File, format string, c ask.Pick, limit uint64, show ...string) []byte {
	t.Helper()
	c.Limit = limit
	var b bytes.Buffer
	for _, g := range append(export.Formats(), parquet.Format) {
		if g.Name == format {
			if err := f.Export(t.Context(), &b, g, c, show, new(statespace.Progress)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return b.Bytes()
}

// What is exported is what is listed, in every format, of spaces with layers, with distances and
// with neither.
func TestExport(t *testing.T) {
	for _, tt := range []struct {
		sp     statespace.Space
		store  string
		choice ask.Pick
		layer  string // the column, if there is one
	}{
		{board(t, "peg/4x4"), "", ask.Pick{}, "pegs"},
		{board(t, "peg/4x4"), "trie", ask.Pick{Pattern: "o???/????/????/???.", Layers: &cells.Range{Least: 3, Most: 9}}, "pegs"},
		{newSlope(), "", ask.Pick{Layers: &cells.Range{Least: 2, Most: 5}}, "steps"},
		{newNet("both", true), "", ask.Pick{}, ""},
		{newNet("both", true), "distance", ask.Pick{Layers: &cells.Range{Least: 2, Most: 3}}, "depth"},
	} {
		f := file(t, tt.sp, tt.store)
		d := depths(tt.sp, tt.sp.Roots()[0])
		for _, limit := range []uint64{0, 3} {
			want := "number,pattern"
			if tt.layer != "" {
				want += "," + tt.layer
			}
			n, longest := uint64(0), 0
			for x, err := range f.List(t.Context(), tt.choice) {
				if err != nil {
					t.Fatal(err)
				}
				if limit > 0 && n == limit {
					break
				}
				n++
				longest = max(longest, len(tt.sp.Format(x)))
				if want += fmt.Sprintf("\n%d,%s", x, tt.sp.Format(x)); tt.layer != "" {
					want += fmt.Sprintf(",%d", layerOf(tt.sp, d, x))
				}
			}
			if n < 3 {
				t.Errorf("%s: %d members: nothing is compared", tt.sp.Name(), n)
			}
			if got := string(exported(t, f, "csv", tt.choice, limit)); got != want+"\n" {
				t.Errorf("%s, limit %d: got\n%.400s\nwant\n%.400s", tt.sp.Name(), limit, got, want)
			}
			compareJSONL(t, exported(t, f, "jsonl", tt.choice, limit), want)
			// The header of NPY has 64 or 128 bytes more. Rows are numbers, cells or else patterns, and layers.
			row := 8
			if c := tt.sp.Parts().Cells; c != nil {
				row += len(c.Cells())
			} else {
				row += longest
			}
			if tt.layer != "" {
				row += 4
			}
			if npy := exported(t, f, "npy", tt.choice, limit); (len(npy)-row*int(n))%64 != 0 || !bytes.Contains(npy, fmt.Appendf(nil, "'shape': (%d,)", n)) {
				t.Errorf("%s: npy has %d bytes for %d rows of %d: %.100q", tt.sp.Name(), len(npy), n, row, npy)
			}
		}
	}
}

// compareJSONL compares objects with a table of CSV.
func compareJSONL(t *testing.T, got []byte, table string) {
	t.Helper()
	records, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(got))
	d.UseNumber()
	for _, r := range records[1:] {
		var object map[string]any
		if err := d.Decode(&object); err != nil || len(object) != len(r) {
			t.Fatalf("%v, %v, want %v", object, err, r)
		}
		for i, name := range records[0] {
			if fmt.Sprint(object[name]) != r[i] {
				t.Errorf("%v, want %v", object, r)
			}
		}
	}
	if d.More() {
		t.Error("there are more objects")
	}
}

func TestExportCells(t *testing.T) {
	f := file(t, board(t, "peg/4x4"), "")
	npy := exported(t, f, "npy", ask.Pick{}, 1)
	if !bytes.Contains(npy, []byte("('number', '<u8'), ('cells', '|i1', (16,)), ('pegs', '<i4')")) {
		t.Errorf("the header is %q", npy)
	}
	if want := "\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00"; !strings.HasSuffix(string(npy), want) {
		t.Errorf("the row of o.../.o../..../.... is %q, want %q", npy[len(npy)-28:], want)
	}
}

func TestExportLayers(t *testing.T) {
	var b strings.Builder
	f := file(t, board(t, "peg/4x4"), "")
	if err := f.ExportLayers(&b, export.Formats()[0], cells.Range{Least: 13, Most: 15}); err != nil || b.String() != "pegs,states,orbits\n15,1,1\n14,2,1\n13,6,3\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
	net := file(t, newNet("both", true), "")
	b.Reset()
	if err := net.ExportLayers(&b, export.Formats()[0], cells.Range{}); err != nil || b.String() != "depth,states\n0,1\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
	b.Reset()
	if err := net.ExportBFile(t.Context(), &b, cells.Range{}, false); err != nil || !strings.HasSuffix(b.String(), " from 0.\n0 1\n") {
		t.Errorf("%q, %v", b.String(), err)
	}
	for _, store := range []string{layers.FoldedStore, layers.TrieStore} { // one keeps the numbers up to symmetry, of the other they are counted
		b.Reset()
		b4 := file(t, board(t, "peg/4x4"), store)
		if err := b4.ExportBFile(t.Context(), &b, cells.Range{Least: 13, Most: 15}, true); err != nil || !strings.HasSuffix(b.String(), "\n13 3\n14 1\n15 1\n") {
			t.Errorf("%s: %q, %v", store, b.String(), err)
		}
	}
}

// cancelling is a writer that ends a context after some bytes.
type cancelling struct {
	left int
	end  func()
}

func (c *cancelling) Write(p []byte) (int, error) {
	if c.left -= len(p); c.left < 0 {
		c.end()
	}
	return len(p), nil
}

func TestExportEnds(t *testing.T) {
	f := file(t, board(t, "peg/5x5"), "")
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	w := &cancelling{100_000, func() { cancel(enough) }}
	if err := f.Export(ctx, w, export.Formats()[0], ask.Pick{}, nil, new(statespace.Progress)); !errors.Is(err, enough) {
		t.Errorf("%v, want %v", err, enough)
	}
	if w.left < -10_000 {
		t.Errorf("it went on for %d bytes", -w.left)
	}
}
