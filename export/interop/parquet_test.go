// Package interop reads what package export writes with libraries that others have written. It is
// a module of its own, so that the programs need none of them.
package interop

import (
	"bytes"
	"io"
	"math"
	"testing"

	"github.com/parquet-go/parquet-go"

	"pagoda/export"
	format "pagoda/export/parquet"
)

type row struct {
	Number  uint64  `parquet:"number"`
	Pattern string  `parquet:"pattern"`
	Pegs    int32   `parquet:"pegs"`
	Chance  float64 `parquet:"chance"`
}

// A table of several pages and row groups is read back as it was written, by its schema.
func TestParquet(t *testing.T) {
	var b bytes.Buffer
	w, err := format.Format.New(&b, export.Table{Columns: []export.Column{
		{Name: "number", Kind: export.Uint}, {Name: "pattern", Kind: export.Text}, {Name: "pegs", Kind: export.Int}, {Name: "chance", Kind: export.Float}}})
	if err != nil {
		t.Fatal(err)
	}
	const rows = 1<<20 + 1<<15 + 7
	at := func(i int) row {
		return row{math.MaxUint64 - uint64(i)*uint64(i), []string{"o.o/...", "", "\u00e9,\"\n"}[i%3], int32(i - 100), 1 / float64(i+3)}
	}
	for i := range rows {
		r := at(i)
		if err := w.Write([]export.Value{{Uint: r.Number}, {Text: r.Pattern}, {Int: int64(r.Pegs)}, {Float: r.Chance}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := f.Schema().String(), "message table {\n\trequired int64 number (INT(64,false));\n\trequired binary pattern (STRING);\n\trequired int32 pegs (INT(32,true));\n\trequired double chance;\n}"; got != want {
		t.Errorf("the schema is %s, want %s", got, want)
	}
	if len(f.RowGroups()) != 2 || f.NumRows() != rows {
		t.Errorf("%d rows in %d groups", f.NumRows(), len(f.RowGroups()))
	}
	reader := parquet.NewGenericReader[row](f)
	defer reader.Close()
	some := make([]row, 1000)
	for i := 0; ; {
		n, err := reader.Read(some)
		for _, r := range some[:n] {
			if r != at(i) {
				t.Fatalf("row %d is %+v, want %+v", i, r, at(i))
			}
			i++
		}
		if err == io.EOF {
			if i != rows {
				t.Errorf("%d rows, want %d", i, rows)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
