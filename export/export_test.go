package export

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// sample is a table of n rows with every kind that a format has.
func sample(f Format, n int) (Table, [][]Value) {
	t := Table{Rows: uint64(n)}
	for _, c := range []Column{{"number", Uint, 0}, {"text", Text, 0}, {"layer", Int, 0}, {"value", Int64, 0}, {"chance", Float, 0}, {"cells", Bytes, 3}} {
		if f.Has(c.Kind) {
			t.Columns = append(t.Columns, c)
		}
	}
	texts := []string{"o.o/...", "", "a,b", `say "no"`, "two\nlines", `back\slash`, "\u00e9\u4e16\x01<&>"}
	fractions := []float64{0, 0.1, -1e-300, 1.0 / 3, 1e21, math.Inf(1), math.Inf(-1)}
	values := func(i int) map[Kind]Value {
		return map[Kind]Value{Uint: {Uint: math.MaxUint64 - uint64(i)*uint64(i)}, Int: {Int: int32(i - 3)}, Int64: {Int64: int64(i-3) << 34},
			Float: {Float: fractions[i%len(fractions)]}, Text: {Text: texts[i%len(texts)]}, Bytes: {Bytes: []int8{int8(i), -1, 127}}}
	}
	var rows [][]Value
	for i := range n {
		var row []Value
		for _, c := range t.Columns {
			row = append(row, values(i)[c.Kind])
		}
		rows = append(rows, row)
	}
	return t, rows
}

func named(t *testing.T, name string) Format {
	t.Helper()
	for _, f := range Formats() {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("there is no format %s", name)
	return Format{}
}

// write writes a sample in a format. Change, if not nil, changes the writer before the first row.
func write(t *testing.T, name string, n int, change func(w Writer)) ([]byte, Table, [][]Value) {
	t.Helper()
	f := named(t, name)
	table, rows := sample(f, n)
	var b bytes.Buffer
	w, err := f.New(&b, table)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(w)
	}
	for _, row := range rows {
		if err := w.Write(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), table, rows
}

func equal(t *testing.T, what string, got, want [][]Value) {
	t.Helper()
	if len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
		t.Errorf("%s: read back are %d rows %.300v, want %d %.300v", what, len(got), got, len(want), want)
	}
}

func TestCSV(t *testing.T) {
	for _, n := range []int{0, 1, 20} {
		data, table, rows := write(t, "csv", n, nil)
		records, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
		if err != nil || len(records) != n+1 || strings.Join(records[0], " ") != "number text layer value chance" {
			t.Fatalf("%v, %v", records, err)
		}
		for i, r := range records[1:] {
			want := []string{fmt.Sprint(rows[i][0].Uint), rows[i][1].Text, fmt.Sprint(rows[i][2].Int), fmt.Sprint(rows[i][3].Int64)}
			if x, err := strconv.ParseFloat(r[4], 64); err != nil || x != rows[i][4].Float || !reflect.DeepEqual(r[:4], want) {
				t.Errorf("row %d of %v is %q, want %q", i, table, r, want)
			}
		}
	}
}

func TestJSONL(t *testing.T) {
	data, _, rows := write(t, "jsonl", 20, nil)
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	if len(lines) != len(rows) {
		t.Fatalf("%d lines, want %d", len(lines), len(rows))
	}
	for i, line := range lines {
		var got struct {
			Number any
			Text   string
			Layer  int32
			Value  int64
			Chance *float64
		}
		d := json.NewDecoder(strings.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&got); err != nil || got.Number != fmt.Sprint(rows[i][0].Uint) || got.Text != rows[i][1].Text || got.Layer != rows[i][2].Int || got.Value != rows[i][3].Int64 ||
			(got.Chance == nil) != math.IsInf(rows[i][4].Float, 0) || got.Chance != nil && *got.Chance != rows[i][4].Float {
			t.Errorf("%s is %+v, %v, want %v", line, got, err, rows[i])
		}
	}
	if strings.Contains(string(data), `\u003c`) {
		t.Error("markup is escaped, which only web pages need")
	}
}

func TestNPY(t *testing.T) {
	for _, n := range []int{0, 7, 300} {
		data, _, rows := write(t, "npy", n, nil)
		header := 10 + int(binary.LittleEndian.Uint16(data[8:]))
		want := fmt.Sprintf("{'descr': [('number', '<u8'), ('layer', '<i4'), ('value', '<i8'), ('chance', '<f8'), ('cells', '|i1', (3,))], 'fortran_order': False, 'shape': (%d,), }", n)
		if string(data[:8]) != "\x93NUMPY\x01\x00" || header%64 != 0 || strings.TrimRight(string(data[10:header]), " \n") != want || data[header-1] != '\n' {
			t.Fatalf("the header is %q, want %s", data[:header], want)
		}
		var got [][]Value
		for rest := data[header:]; len(rest) > 0; rest = rest[31:] {
			got = append(got, []Value{{Uint: binary.LittleEndian.Uint64(rest)}, {Int: int32(binary.LittleEndian.Uint32(rest[8:]))},
				{Int64: int64(binary.LittleEndian.Uint64(rest[12:]))}, {Float: math.Float64frombits(binary.LittleEndian.Uint64(rest[20:]))},
				{Bytes: []int8{int8(rest[28]), int8(rest[29]), int8(rest[30])}}})
		}
		equal(t, "npy", got, rows)
	}
	w, err := named(t, "npy").New(io.Discard, Table{Columns: []Column{{"a", Uint, 0}}, Rows: 2})
	if err != nil {
		t.Fatal(err)
	}
	w.Write([]Value{{}})
	if err := w.Close(); err == nil || !strings.Contains(err.Error(), "has 1 rows, its header says 2") {
		t.Errorf("one row of two: %v", err)
	}
}

// The module export/interop reads tables with the library parquet-go. This test reads them by what
// the format says, with fewer rows in a page and in a group, so that there are several.
func TestParquet(t *testing.T) {
	for _, tt := range []struct{ rows, page, group, groups int }{
		{0, 4, 8, 0}, {1, 4, 8, 1}, {4, 4, 8, 1}, {8, 4, 8, 1}, {9, 4, 8, 2}, {1000, 4, 8, 125}, {1000, 64, 1 << 20, 1},
	} {
		data, table, rows := write(t, "parquet", tt.rows, func(w Writer) {
			w.(*parquetWriter).pageRows, w.(*parquetWriter).groupRows = tt.page, tt.group
		})
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
		var got [][]Value
		for _, g := range groups {
			group := g.(map[int]any)
			first, size := len(got), int(group[3].(int64))
			for range size {
				got = append(got, make([]Value, len(table.Columns)))
			}
			for i, c := range group[1].([]any) {
				meta := c.(map[int]any)[3].(map[int]any)
				if name := meta[3].([]any)[0]; name != table.Columns[i].Name || meta[5] != int64(size) {
					t.Fatalf("column %d is %v", i, meta)
				}
				at := int(meta[9].(int64))
				readChunk(t, data[at:at+int(meta[7].(int64))], table.Columns[i].Kind, func(k int, v Value) { got[first+k][i] = v })
			}
		}
		equal(t, fmt.Sprintf("%+v", tt), got, rows)
	}
}

// readChunk reads the pages of a column of a row group.
func readChunk(t *testing.T, data []byte, kind Kind, take func(k int, v Value)) {
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
			var v Value
			switch kind {
			case Uint:
				v.Uint, page = binary.LittleEndian.Uint64(page), page[8:]
			case Int:
				v.Int, page = int32(binary.LittleEndian.Uint32(page)), page[4:]
			case Int64:
				v.Int64, page = int64(binary.LittleEndian.Uint64(page)), page[8:]
			case Float:
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

func TestBFile(t *testing.T) {
	var b strings.Builder
	if err := WriteBFile(&b, map[int]uint64{2: 8, 5: math.MaxUint64, 3: 33}, "a comment", "another"); err != nil {
		t.Fatal(err)
	}
	if want := "# a comment\n# another\n2 8\n3 33\n4 0\n5 18446744073709551615\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

func TestColumns(t *testing.T) {
	for _, tt := range []struct {
		format  string
		columns []Column
		want    string
	}{
		{"csv", nil, "a table needs a column"},
		{"csv", []Column{{"a", Bytes, 1}}, "csv cannot have the column a"},
		{"npy", []Column{{"a", Text, 0}}, "npy cannot have the column a"},
		{"npy", []Column{{"it's", Uint, 0}}, "expected a name of ASCII letters"},
		{"parquet", []Column{{"a", Uint, 0}, {"a", Int, 0}}, "two columns with the name a"},
	} {
		if _, err := named(t, tt.format).New(io.Discard, Table{Columns: tt.columns}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s of %v: %v, want %q", tt.format, tt.columns, err, tt.want)
		}
	}
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
	for _, f := range Formats() {
		for _, left := range []int{0, 10, 1000} {
			table, rows := sample(f, 1000)
			w, err := f.New(&fullDisk{left}, table)
			for i := 0; err == nil && i < len(rows); i++ {
				err = w.Write(rows[i])
			}
			if err == nil {
				err = w.Close()
			}
			if !errors.Is(err, errFull) {
				t.Errorf("%s to a disk with %d bytes left: %v", f.Name, left, err)
			}
		}
	}
}
