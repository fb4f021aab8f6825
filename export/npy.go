package export

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"
)

// npyWriter writes a one-dimensional array of structures, in format 1.0 of NumPy. All numbers are
// little-endian.
type npyWriter struct {
	table Table
	w     *bufio.Writer
	rows  uint64
	row   []byte
}

func newNPY(w io.Writer, t Table) (Writer, error) {
	n := &npyWriter{table: t, w: bufio.NewWriterSize(w, 1<<16)}
	var fields strings.Builder
	for _, c := range t.Columns {
		switch c.Kind {
		case Uint:
			fmt.Fprintf(&fields, "('%s', '<u8'), ", c.Name)
		case Int:
			fmt.Fprintf(&fields, "('%s', '<i4'), ", c.Name)
		case Int64:
			fmt.Fprintf(&fields, "('%s', '<i8'), ", c.Name)
		case Float:
			fmt.Fprintf(&fields, "('%s', '<f8'), ", c.Name)
		case Text:
			fmt.Fprintf(&fields, "('%s', '|S%d'), ", c.Name, c.Width)
		default:
			fmt.Fprintf(&fields, "('%s', '|i1', (%d,)), ", c.Name, c.Width)
		}
		if strings.ContainsFunc(c.Name, func(r rune) bool { return r < ' ' || r > '~' || r == '\'' || r == '\\' }) {
			return nil, fmt.Errorf("npy cannot have the column %q: expected a name of ASCII letters", c.Name)
		}
	}
	const before = 10 // bytes before the header
	header := fmt.Sprintf("{'descr': [%s], 'fortran_order': False, 'shape': (%d,), }", strings.TrimSuffix(fields.String(), ", "), t.Rows)
	for (before+len(header)+1)%64 != 0 {
		header += " "
	}
	header += "\n"
	n.w.WriteString("\x93NUMPY\x01\x00")
	n.w.Write(binary.LittleEndian.AppendUint16(nil, uint16(len(header))))
	_, err := n.w.WriteString(header)
	return n, err
}

func (n *npyWriter) Write(row []Value) error {
	n.rows++
	bytes := n.row[:0]
	for i, c := range n.table.Columns {
		switch c.Kind {
		case Uint:
			bytes = binary.LittleEndian.AppendUint64(bytes, row[i].Uint)
		case Int:
			bytes = binary.LittleEndian.AppendUint32(bytes, uint32(row[i].Int))
		case Int64:
			bytes = binary.LittleEndian.AppendUint64(bytes, uint64(row[i].Int))
		case Float:
			bytes = binary.LittleEndian.AppendUint64(bytes, math.Float64bits(row[i].Float))
		case Text:
			if len(row[i].Text) > c.Width {
				return fmt.Errorf("a text of %d bytes is in the column %s, whose width is %d", len(row[i].Text), c.Name, c.Width)
			}
			bytes = append(append(bytes, row[i].Text...), make([]byte, c.Width-len(row[i].Text))...)
		default:
			for _, b := range row[i].Bytes[:c.Width] {
				bytes = append(bytes, byte(b))
			}
		}
	}
	n.row = bytes
	_, err := n.w.Write(bytes)
	return err
}

func (n *npyWriter) Close() error {
	if n.rows != n.table.Rows {
		return fmt.Errorf("the table has %d rows, its header says %d", n.rows, n.table.Rows)
	}
	return n.w.Flush()
}
