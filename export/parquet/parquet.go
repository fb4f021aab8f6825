// Package parquet writes tables as Parquet. It is a package of its own, so that a small program
// need not have zstd.
package parquet

import (
	"encoding/binary"
	"io"

	"github.com/klauspost/compress/zstd"

	"pagoda/export"
)

// Format is Apache Parquet.
var Format = export.Format{Name: "parquet", About: "Apache Parquet, compressed by zstd", Binary: true,
	Kinds: []export.Kind{export.Uint, export.Int, export.Int64, export.Float, export.Text}, Open: open}

// A writer writes Parquet, version 1 of its format: required columns in plain encoding, in
// pages that zstd compresses. A page is written when it is full, a row group when it has its
// pages, so memory holds one row group, compressed.
//
// There are libraries for all of Parquet. parquet-go v0.32.0 added 14 MB to the program, 4 MiB
// to its memory and a millisecond to its start, for every question. Its reader checks what is
// written here: see the module export/interop.
type writer struct {
	table   export.Table
	w       io.Writer
	at      int64 // bytes written so far
	zstd    *zstd.Encoder
	columns []column
	groups  []byte // encoded row groups
	count   int    // of them
	rows    int64  // written in finished row groups
	inGroup int    // rows in the current one
	inPage  int    // rows in the current pages

	pageRows, groupRows int // the rows of a full page, and of a full row group
}

// A column is a column of the current row group.
type column struct {
	page    []byte // values of the current page
	chunk   []byte // finished pages
	raw     int64  // bytes of the finished pages, uncompressed
	scratch []byte // a compressed page
}

// The rows of a page and of a row group.
const (
	pageRows  = 1 << 14
	groupRows = 1 << 20
)

const magic = "PAR1"

// Numbers that parquet.thrift gives to what is used here.
const (
	typeInt32, typeInt64           = 1, 2
	typeDouble, typeBytes          = 5, 6
	convertedUTF8, convertedUint64 = 0, 14
	encodingPlain, encodingRLE     = 0, 3
	codecZstd                      = 6
	pageData                       = 0
	repetitionRequired             = 0
	logicalString, logicalInteger  = 1, 10
)

func open(w io.Writer, t export.Table) (export.Writer, error) {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20))
	if err != nil {
		return nil, err
	}
	p := &writer{table: t, w: w, zstd: encoder, columns: make([]column, len(t.Columns)),
		pageRows: pageRows, groupRows: groupRows}
	return p, p.write([]byte(magic))
}

func (p *writer) write(data []byte) error {
	n, err := p.w.Write(data)
	p.at += int64(n)
	return err
}

func (p *writer) Write(row []export.Value) error {
	for i, c := range p.table.Columns {
		page := p.columns[i].page
		if c.Kind == export.Text {
			page = append(binary.LittleEndian.AppendUint32(page, uint32(len(row[i].Text))), row[i].Text...)
		} else {
			page = row[i].AppendNumber(page, c.Kind)
		}
		p.columns[i].page = page
	}
	if p.inPage++; p.inPage < p.pageRows {
		return nil
	}
	p.endPages()
	if p.inGroup < p.groupRows {
		return nil
	}
	return p.endGroup()
}

// endPages compresses the current page of each column.
func (p *writer) endPages() {
	for i := range p.columns {
		c := &p.columns[i]
		c.scratch = p.zstd.EncodeAll(c.page, c.scratch[:0])
		var t thrift
		t.i32(1, pageData)
		t.i32(2, len(c.page))
		t.i32(3, len(c.scratch))
		t.begin(5)
		t.i32(1, p.inPage)
		t.i32(2, encodingPlain)
		t.i32(3, encodingRLE) // of levels, which a required column does not have
		t.i32(4, encodingRLE)
		t.end()
		t.stop()
		c.raw += int64(len(t.data) + len(c.page))
		c.chunk = append(append(c.chunk, t.data...), c.scratch...)
		c.page = c.page[:0]
	}
	p.inGroup, p.inPage = p.inGroup+p.inPage, 0
}

// endGroup writes the pages of the current row group.
func (p *writer) endGroup() error {
	var group thrift
	group.list(1, thriftStruct, len(p.columns))
	raw, first := int64(0), p.at
	for i := range p.columns {
		c := &p.columns[i]
		group.element()
		group.i64(2, p.at) // where the column is described: here it is the footer alone
		group.begin(3)
		group.i32(1, physical(p.table.Columns[i].Kind))
		group.list(2, thriftI32, 2)
		group.zigzag(encodingPlain)
		group.zigzag(encodingRLE)
		group.list(3, thriftBinary, 1)
		group.text(p.table.Columns[i].Name)
		group.i32(4, codecZstd)
		group.i64(5, int64(p.inGroup))
		group.i64(6, c.raw)
		group.i64(7, int64(len(c.chunk)))
		group.i64(9, p.at)
		group.end()
		group.end()
		if err := p.write(c.chunk); err != nil {
			return err
		}
		raw += c.raw
		c.chunk, c.raw = c.chunk[:0], 0
	}
	group.i64(2, raw)
	group.i64(3, int64(p.inGroup))
	group.i64(5, first)
	group.i64(6, p.at-first)
	group.stop()
	p.groups = append(p.groups, group.data...)
	p.count++
	p.rows, p.inGroup = p.rows+int64(p.inGroup), 0
	return nil
}

func (p *writer) Close() error {
	defer p.zstd.Close()
	if p.inPage > 0 {
		p.endPages()
	}
	if p.inGroup > 0 {
		if err := p.endGroup(); err != nil {
			return err
		}
	}
	var footer thrift
	footer.i32(1, 1) // the version
	footer.list(2, thriftStruct, 1+len(p.table.Columns))
	footer.element()
	footer.string(4, "table")
	footer.i32(5, len(p.table.Columns))
	footer.end()
	for _, c := range p.table.Columns {
		footer.element()
		schema(&footer, c)
		footer.end()
	}
	footer.i64(3, p.rows)
	footer.list(4, thriftStruct, p.count)
	footer.data = append(footer.data, p.groups...)
	footer.string(6, "Pagoda")
	footer.stop()
	footer.data = binary.LittleEndian.AppendUint32(footer.data, uint32(len(footer.data)))
	return p.write(append(footer.data, magic...))
}

// physical returns the physical type of a kind.
func physical(k export.Kind) int {
	return [...]int{export.Uint: typeInt64, export.Int: typeInt32, export.Int64: typeInt64, export.Float: typeDouble, export.Text: typeBytes}[k]
}

// schema describes a column.
func schema(t *thrift, c export.Column) {
	t.i32(1, physical(c.Kind))
	t.i32(3, repetitionRequired)
	t.string(4, c.Name)
	switch c.Kind {
	case export.Uint:
		t.i32(6, convertedUint64)
		t.begin(10)
		t.begin(logicalInteger)
		t.i8(1, 64)
		t.bool(2, false) // it has no sign
		t.end()
		t.end()
	case export.Text:
		t.i32(6, convertedUTF8)
		t.begin(10)
		t.begin(logicalString)
		t.end()
		t.end()
	}
}
