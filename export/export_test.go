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
)

// sample is a table of n rows with every kind that a format has.
func sample(f Format, n int) (Table, [][]Value) {
	t := Table{Rows: uint64(n)}
	for _, c := range []Column{{"number", Uint, 0}, {"text", Text, 10}, {"layer", Int, 0}, {"value", Int64, 0}, {"chance", Float, 0}, {"cells", Bytes, 3}} {
		if f.Has(c.Kind) {
			t.Columns = append(t.Columns, c)
		}
	}
	texts := []string{"o.o/...", "", "a,b", `say "no"`, "two\nlines", `back\slash`, "\u00e9\u4e16\x01<&>"}
	fractions := []float64{0, 0.1, -1e-300, 1.0 / 3, 1e21, math.Inf(1), math.Inf(-1)}
	values := func(i int) map[Kind]Value {
		return map[Kind]Value{Uint: {Uint: math.MaxUint64 - uint64(i)*uint64(i)}, Int: {Int: int64(i - 3)}, Int64: {Int: int64(i-3) << 34},
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

// write writes a sample in a format.
func write(t *testing.T, name string, n int) ([]byte, Table, [][]Value) {
	t.Helper()
	f := named(t, name)
	table, rows := sample(f, n)
	var b bytes.Buffer
	w, err := f.New(&b, table)
	if err != nil {
		t.Fatal(err)
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
		data, table, rows := write(t, "csv", n)
		records, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
		if err != nil || len(records) != n+1 || strings.Join(records[0], " ") != "number text layer value chance" {
			t.Fatalf("%v, %v", records, err)
		}
		for i, r := range records[1:] {
			want := []string{fmt.Sprint(rows[i][0].Uint), rows[i][1].Text, fmt.Sprint(rows[i][2].Int), fmt.Sprint(rows[i][3].Int)}
			if x, err := strconv.ParseFloat(r[4], 64); err != nil || x != rows[i][4].Float || !reflect.DeepEqual(r[:4], want) {
				t.Errorf("row %d of %v is %q, want %q", i, table, r, want)
			}
		}
	}
}

func TestJSONL(t *testing.T) {
	data, _, rows := write(t, "jsonl", 20)
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	if len(lines) != len(rows) {
		t.Fatalf("%d lines, want %d", len(lines), len(rows))
	}
	for i, line := range lines {
		var got struct {
			Number any
			Text   string
			Layer  int64
			Value  int64
			Chance *float64
		}
		d := json.NewDecoder(strings.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&got); err != nil || got.Number != fmt.Sprint(rows[i][0].Uint) || got.Text != rows[i][1].Text || got.Layer != rows[i][2].Int || got.Value != rows[i][3].Int ||
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
		data, _, rows := write(t, "npy", n)
		header := 10 + int(binary.LittleEndian.Uint16(data[8:]))
		want := fmt.Sprintf("{'descr': [('number', '<u8'), ('text', '|S10'), ('layer', '<i4'), ('value', '<i8'), ('chance', '<f8'), ('cells', '|i1', (3,))], 'fortran_order': False, 'shape': (%d,), }", n)
		if string(data[:8]) != "\x93NUMPY\x01\x00" || header%64 != 0 || strings.TrimRight(string(data[10:header]), " \n") != want || data[header-1] != '\n' {
			t.Fatalf("the header is %q, want %s", data[:header], want)
		}
		var got [][]Value
		for rest := data[header:]; len(rest) > 0; rest = rest[41:] {
			got = append(got, []Value{{Uint: binary.LittleEndian.Uint64(rest)}, {Text: string(bytes.TrimRight(rest[8:18], "\x00"))},
				{Int: int64(int32(binary.LittleEndian.Uint32(rest[18:])))}, {Int: int64(binary.LittleEndian.Uint64(rest[22:]))},
				{Float: math.Float64frombits(binary.LittleEndian.Uint64(rest[30:]))}, {Bytes: []int8{int8(rest[38]), int8(rest[39]), int8(rest[40])}}})
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
	w, err = named(t, "npy").New(io.Discard, Table{Columns: []Column{{"a", Text, 3}}, Rows: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write([]Value{{Text: "abcd"}}); err == nil || !strings.Contains(err.Error(), "a text of 4 bytes is in the column a, whose width is 3") {
		t.Errorf("a text that is too long: %v", err)
	}
}

func TestBFile(t *testing.T) {
	var b strings.Builder
	if err := WriteBFile(&b, map[int]uint64{2: 8, 5: math.MaxUint64, 3: 33}, "a comment", "another"); err != nil {
		t.Fatal(err)
	}
	if want := "# a comment\n# another\n# Layers with 0 have no states.\n2 8\n3 33\n4 0\n5 18446744073709551615\n"; b.String() != want {
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
		{"npy", []Column{{"it's", Uint, 0}}, "expected a name of ASCII letters"},
		{"jsonl", []Column{{"a", Uint, 0}, {"a", Int, 0}}, "two columns with the name a"},
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
