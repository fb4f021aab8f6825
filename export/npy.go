package export

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
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
		kind := [...]string{Uint: "'<u8'", Int: "'<i4'", Int64: "'<i8'", Float: "'<f8'",
			Text: fmt.Sprintf("'|S%d'", c.Width), Bytes: fmt.Sprintf("'|i1', (%d,)", c.Width)}[c.Kind]
		fmt.Fprintf(&fields, "('%s', %s), ", c.Name, kind)
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
		case Text:
			if len(row[i].Text) > c.Width {
				return fmt.Errorf("a text of %d bytes is in the column %s, whose width is %d", len(row[i].Text), c.Name, c.Width)
			}
			bytes = append(append(bytes, row[i].Text...), make([]byte, c.Width-len(row[i].Text))...)
		case Bytes:
			for _, b := range row[i].Bytes[:c.Width] {
				bytes = append(bytes, byte(b))
			}
		default:
			bytes = row[i].AppendNumber(bytes, c.Kind)
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
