package parquet

import "encoding/binary"

// thrift writes structures in the compact protocol of Apache Thrift, in which Parquet describes
// itself. Fields are written in the order of their numbers.
type thrift struct {
	data []byte
	last []int // the last field of each structure that is open, but for the innermost
	at   int   // the last field of the innermost
}

// Types of the compact protocol.
const (
	thriftTrue, thriftFalse = 1, 2
	thriftI8                = 3
	thriftI32, thriftI64    = 5, 6
	thriftBinary            = 8
	thriftList              = 9
	thriftStruct            = 12
)

// field begins a field.
func (t *thrift) field(n, kind int) {
	if step := n - t.at; step > 0 && step < 16 {
		t.data = append(t.data, byte(step<<4|kind))
	} else {
		t.data = append(t.data, byte(kind))
		t.zigzag(int64(n))
	}
	t.at = n
}

func (t *thrift) zigzag(v int64) { t.data = binary.AppendVarint(t.data, v) }

func (t *thrift) i32(n, v int) {
	t.field(n, thriftI32)
	t.zigzag(int64(v))
}

func (t *thrift) i64(n int, v int64) {
	t.field(n, thriftI64)
	t.zigzag(v)
}

func (t *thrift) i8(n int, v byte) {
	t.field(n, thriftI8)
	t.data = append(t.data, v)
}

func (t *thrift) bool(n int, v bool) {
	if v {
		t.field(n, thriftTrue)
	} else {
		t.field(n, thriftFalse)
	}
}

// text writes a text without a field, as an element of a list.
func (t *thrift) text(s string) {
	t.data = append(binary.AppendUvarint(t.data, uint64(len(s))), s...)
}

func (t *thrift) string(n int, s string) {
	t.field(n, thriftBinary)
	t.text(s)
}

// list begins a list. Its elements follow.
func (t *thrift) list(n, kind, size int) {
	t.field(n, thriftList)
	if size < 15 {
		t.data = append(t.data, byte(size<<4|kind))
	} else {
		t.data = binary.AppendUvarint(append(t.data, byte(15<<4|kind)), uint64(size))
	}
}

// begin begins a field that is a structure, element an element of a list that is one. end ends
// both.
func (t *thrift) begin(n int) {
	t.field(n, thriftStruct)
	t.element()
}

func (t *thrift) element() { t.last, t.at = append(t.last, t.at), 0 }

func (t *thrift) end() {
	t.stop()
	n := len(t.last) - 1
	t.at, t.last = t.last[n], t.last[:n]
}

// stop ends the outermost structure.
func (t *thrift) stop() { t.data = append(t.data, 0) }
