package export

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// A Kind is what a column has.
type Kind int

const (
	Uint  Kind = iota // numbers from 0 to 2^64-1
	Int               // numbers from -2^31 to 2^31-1
	Text              // UTF-8
	Int64             // numbers from -2^63 to 2^63-1
	Bytes             // numbers from -128 to 127, the same count in each row
	Float             // floating-point numbers of 64 bits
)

// A Column is a column of a table.
type Column struct {
	Name  string
	Kind  Kind
	Width int // of Bytes: how many numbers a row has; of Text in a format that is Counted: the most bytes of a row
}

// A Table says what is written.
type Table struct {
	Columns []Column
	// Rows is how many rows there will be. A format that is Counted says it before the first one.
	Rows uint64
}

// A Value is what a row has in a column: the field of the kind of the column counts.
type Value struct {
	Uint  uint64
	Int   int64 // of Int and Int64
	Float float64
	Text  string
	Bytes []int8
}

// AppendNumber appends a number as bytes, little-endian: 4 of an Int, and 8 of others.
func (v Value) AppendNumber(to []byte, k Kind) []byte {
	switch k {
	case Uint:
		return binary.LittleEndian.AppendUint64(to, v.Uint)
	case Int:
		return binary.LittleEndian.AppendUint32(to, uint32(v.Int))
	case Float:
		return binary.LittleEndian.AppendUint64(to, math.Float64bits(v.Float))
	}
	return binary.LittleEndian.AppendUint64(to, uint64(v.Int))
}

// A Writer writes a table.
type Writer interface {
	// Write writes a row, a value for each column. It does not keep the values.
	Write(row []Value) error
	// Close ends the table. It does not close what the table is written to. A table without Close
	// is not whole.
	Close() error
}

// A Format is a format of tables.
type Format struct {
	Name   string // also what the names of its files end in
	About  string
	Binary bool // it is not for people to read
	// Counted says that Table.Rows and the widths of texts must be right.
	Counted bool
	// Kinds are the columns that it can have.
	Kinds []Kind

	// Open begins a table whose columns are right: see New.
	Open func(w io.Writer, t Table) (Writer, error)
}

// Formats returns the formats of this package. The first is the default.
func Formats() []Format {
	return []Format{
		{"csv", "comma-separated values, with the names of the columns in the first line", false, false, []Kind{Uint, Int, Int64, Float, Text}, newCSV},
		{"jsonl", "a JSON object on each line", false, false, []Kind{Uint, Int, Int64, Float, Text}, newJSONL},
		{"npy", "an array of NumPy with named fields", true, true, []Kind{Uint, Int, Int64, Float, Text, Bytes}, newNPY},
	}
}

// Has reports whether the format can have columns of a kind.
func (f Format) Has(k Kind) bool { return slices.Contains(f.Kinds, k) }

// New begins a table.
func (f Format) New(w io.Writer, t Table) (Writer, error) {
	if len(t.Columns) == 0 {
		return nil, errors.New("a table needs a column")
	}
	for i, c := range t.Columns {
		if !f.Has(c.Kind) {
			return nil, fmt.Errorf("%s cannot have the column %s", f.Name, c.Name)
		}
		if slices.ContainsFunc(t.Columns[:i], func(d Column) bool { return c.Name == d.Name }) {
			return nil, fmt.Errorf("there are two columns with the name %s", c.Name)
		}
	}
	return f.Open(w, t)
}
