package export

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"pagoda/internal/exactjson"
)

// csvWriter writes RFC 4180, with line feeds.
type csvWriter struct {
	table Table
	w     *csv.Writer
	row   []string
}

func newCSV(w io.Writer, t Table) (Writer, error) {
	c := &csvWriter{t, csv.NewWriter(w), make([]string, len(t.Columns))}
	for i, column := range t.Columns {
		c.row[i] = column.Name
	}
	return c, c.w.Write(c.row)
}

func (c *csvWriter) Write(row []Value) error {
	for i, column := range c.table.Columns {
		switch column.Kind {
		case Uint:
			c.row[i] = strconv.FormatUint(row[i].Uint, 10)
		case Int, Int64:
			c.row[i] = strconv.FormatInt(row[i].Int, 10)
		case Float:
			c.row[i] = strings.TrimPrefix(strconv.FormatFloat(row[i].Float, 'g', -1, 64), "+")
		default:
			c.row[i] = row[i].Text
		}
	}
	return c.w.Write(c.row)
}

func (c *csvWriter) Close() error {
	c.w.Flush()
	return c.w.Error()
}

// jsonWriter writes an object on each line.
type jsonWriter struct {
	table Table
	names [][]byte // what stands before each value
	w     *bufio.Writer
	line  []byte
}

func newJSONL(w io.Writer, t Table) (Writer, error) {
	j := &jsonWriter{table: t, w: bufio.NewWriterSize(w, 1<<16)}
	for i, c := range t.Columns {
		before := byte('{')
		if i > 0 {
			before = ','
		}
		j.names = append(j.names, append(appendString([]byte{before}, c.Name), ':'))
	}
	return j, nil
}

func (j *jsonWriter) Write(row []Value) error {
	line := j.line[:0]
	for i, c := range j.table.Columns {
		line = append(line, j.names[i]...)
		switch c.Kind {
		case Uint:
			line = exactjson.AppendUint(line, row[i].Uint)
		case Int, Int64:
			line = exactjson.AppendInt(line, row[i].Int)
		case Float:
			line = appendFloat(line, row[i].Float)
		default:
			line = appendString(line, row[i].Text)
		}
	}
	j.line = append(line, '}', '\n')
	_, err := j.w.Write(j.line)
	return err
}

func (j *jsonWriter) Close() error { return j.w.Flush() }

// appendFloat appends a number as JSON, which has no infinity: that is null.
func appendFloat(to []byte, x float64) []byte {
	number, err := json.Marshal(x)
	if err != nil {
		return append(to, "null"...)
	}
	return append(to, number...)
}

// appendString appends a text as JSON.
func appendString(to []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			escaped, err := exactjson.Marshal(text)
			if err != nil {
				panic(err) // a text can always be written
			}
			return append(to, escaped...)
		}
	}
	to = append(to, '"')
	to = append(to, text...)
	return append(to, '"')
}
