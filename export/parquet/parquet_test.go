package parquet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/klauspost/compress/zstd"

	"pagoda/export"
)

// sample is a table of n rows with every kind that the format has.
func sample(n int) (export.Table, [][]export.Value) {
	t := export.Table{Rows: uint64(n), Columns: []export.Column{{Name: "number", Kind: export.Uint}, {Name: "text", Kind: export.Text},
		{Name: "layer", Kind: export.Int}, {Name: "value", Kind: export.Int64}, {Name: "chance", Kind: export.Float}}}
	texts := []string{"o.o/...", "", "a,b", "two\nlines", "\u00e9\u4e16\x01<&>"}
	fractions := []float64{0, 0.1, -1e-300, 1.0 / 3, 1e21, math.Inf(1), math.Inf(-1)}
	var rows [][]export.Value
	for i := range n {
		rows = append(rows, []export.Value{{Uint: math.MaxUint64 - uint64(i)*uint64(i)}, {Text: texts[i%len(texts)]},
			{Int: int64(i - 3)}, {Int: int64(i-3) << 34}, {Float: fractions[i%len(fractions)]}})
	}
	return t, rows
}

// The module export/interop reads tables with the library parquet-go. This test reads them by what
// the format says, with fewer rows in a page and in a group, so that there are several.
func TestParquet(t *testing.T) {
	for _, tt := range []struct{ rows, page, group, groups int }{
		{0, 4, 8, 0}, {1, 4, 8, 1}, {4, 4, 8, 1}, {8, 4, 8, 1}, {9, 4, 8, 2}, {1000, 4, 8, 125}, {1000, 64, 1 << 20, 1},
	} {
		table, rows := sample(tt.rows)
		var b bytes.Buffer
		w, err := Format.New(&b, table)
		if err != nil {
			t.Fatal(err)
		}
		w.(*writer).pageRows, w.(*writer).groupRows = tt.page, tt.group
		for _, row := range rows {
			err = errors.Join(err, w.Write(row))
		}
		if err = errors.Join(err, w.Close()); err != nil {
			t.Fatal(err)
		}
		data := b.Bytes()
		n := len(data)
		if string(data[:4]) != "PAR1" || string(data[n-4:]) != "PAR1" {
			t.Fatalf("it begins with %q and ends with %q", data[:4], data[n-4:])
		}
		length := int(binary.LittleEndian.Uint32(data[n-8:]))
		r := &thriftReader{data: data[n-8-length : n-8]}
		footer := r.structure()
		if len(r.data) > 0 || footer[3] != int64(tt.rows) {
			t.Fatalf("the footer is %v, and has %d more bytes", footer, len(r.data))
		}
		schema, groups := footer[2].([]any), footer[4].([]any)
		if len(schema) != 1+len(table.Columns) || len(groups) != tt.groups {
			t.Fatalf("%+v: the schema is %v, there are %d groups", tt, schema, len(groups))
		}
		var got [][]export.Value
		for _, g := range groups {
			group := g.(map[int]any)
			first, size := len(got), int(group[3].(int64))
			for range size {
				got = append(got, make([]export.Value, len(table.Columns)))
			}
			for i, c := range group[1].([]any) {
				meta := c.(map[int]any)[3].(map[int]any)
				if name := meta[3].([]any)[0]; name != table.Columns[i].Name || meta[5] != int64(size) {
					t.Fatalf("column %d is %v", i, meta)
				}
				at := int(meta[9].(int64))
				readChunk(t, data[at:at+int(meta[7].(int64))], table.Columns[i].Kind, func(k int, v export.Value) { got[first+k][i] = v })
			}
		}
		if len(got)+len(rows) > 0 && !reflect.DeepEqual(got, rows) {
			t.Errorf("%+v: read back are %d rows %.300v, want %d %.300v", tt, len(got), got, len(rows), rows)
		}
	}
}

// readChunk reads the pages of a column of a row group.
func readChunk(t *testing.T, data []byte, kind export.Kind, take func(k int, v export.Value)) {
	t.Helper()
	decoder, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer decoder.Close()
	k := 0
	for len(data) > 0 {
		r := &thriftReader{data: data}
		header := r.structure()
		compressed := int(header[3].(int64))
		page, err := decoder.DecodeAll(r.data[:compressed], nil)
		if err != nil || int64(len(page)) != header[2] {
			t.Fatalf("a page of %d bytes, %v: %v", len(page), header, err)
		}
		data = r.data[compressed:]
		for range header[5].(map[int]any)[1].(int64) {
			var v export.Value
			switch kind {
			case export.Uint:
				v.Uint, page = binary.LittleEndian.Uint64(page), page[8:]
			case export.Int:
				v.Int, page = int64(int32(binary.LittleEndian.Uint32(page))), page[4:]
			case export.Int64:
				v.Int, page = int64(binary.LittleEndian.Uint64(page)), page[8:]
			case export.Float:
				v.Float, page = math.Float64frombits(binary.LittleEndian.Uint64(page)), page[8:]
			default:
				n := binary.LittleEndian.Uint32(page)
				v.Text, page = string(page[4:4+n]), page[4+n:]
			}
			take(k, v)
			k++
		}
		if len(page) > 0 {
			t.Fatalf("a page has %d more bytes", len(page))
		}
	}
}

// thriftReader reads the compact protocol: structures as maps, lists as slices.
type thriftReader struct{ data []byte }

func (r *thriftReader) byte() byte {
	b := r.data[0]
	r.data = r.data[1:]
	return b
}

func (r *thriftReader) number() int64 {
	v, n := binary.Varint(r.data)
	r.data = r.data[n:]
	return v
}

func (r *thriftReader) length() int {
	v, n := binary.Uvarint(r.data)
	r.data = r.data[n:]
	return int(v)
}

func (r *thriftReader) structure() map[int]any {
	fields, at := make(map[int]any), 0
	for {
		b := r.byte()
		if b == 0 {
			return fields
		}
		if at += int(b >> 4); b>>4 == 0 {
			at = int(r.number())
		}
		fields[at] = r.value(int(b & 15))
	}
}

func (r *thriftReader) value(kind int) any {
	switch kind {
	case thriftTrue, thriftFalse:
		return kind == thriftTrue
	case thriftI8:
		return r.byte()
	case thriftI32, thriftI64:
		return r.number()
	case thriftBinary:
		n := r.length()
		text := string(r.data[:n])
		r.data = r.data[n:]
		return text
	case thriftStruct:
		return r.structure()
	}
	b := r.byte()
	n := int(b >> 4)
	if n == 15 {
		n = r.length()
	}
	list := make([]any, n)
	for i := range list {
		list[i] = r.value(int(b & 15))
	}
	return list
}

// fullDisk takes some bytes and no more.
type fullDisk struct{ left int }

var errFull = errors.New("no space left")

func (d *fullDisk) Write(p []byte) (int, error) {
	if len(p) > d.left {
		return 0, errFull
	}
	d.left -= len(p)
	return len(p), nil
}

func TestFullDisk(t *testing.T) {
	for _, left := range []int{0, 10, 1000} {
		table, rows := sample(1000)
		w, err := Format.New(&fullDisk{left}, table)
		for i := 0; err == nil && i < len(rows); i++ {
			err = w.Write(rows[i])
		}
		if err == nil {
			err = w.Close()
		}
		if !errors.Is(err, errFull) {
			t.Errorf("to a disk with %d bytes left: %v", left, err)
		}
	}
}
