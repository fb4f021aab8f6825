// Package exactjson writes JSON whose integers every reader gets as they are. An integer beyond
// 2^53 is a string of digits, since JavaScript, jq and others read numbers as floating point.
package exactjson

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// most is 2^53: all integers up to it are exact in floating point.
const most = "9007199254740992"

// Marshal is json.Marshal with integers beyond 2^53, or below -2^53, as strings, and without escapes
// for HTML.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return quote(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

// An Object is one JSON object with the fields of all its values, which must be objects themselves.
type Object []any

// MarshalJSON implements json.Marshaler.
func (o Object) MarshalJSON() ([]byte, error) {
	all := []byte{'{'}
	for _, v := range o {
		text, err := Marshal(v)
		if err != nil {
			return nil, err
		}
		if len(all) > 1 && len(text) > len("{}") {
			all = append(all, ',')
		}
		all = append(all, text[1:len(text)-1]...)
	}
	return append(all, '}'), nil
}

// AppendUint appends an integer as Marshal writes it.
func AppendUint(to []byte, v uint64) []byte {
	if v <= 1<<53 {
		return strconv.AppendUint(to, v, 10)
	}
	return append(strconv.AppendUint(append(to, '"'), v, 10), '"')
}

// AppendInt is AppendUint for an integer with a sign.
func AppendInt(to []byte, v int64) []byte {
	if v < 0 && v >= -1<<53 {
		return strconv.AppendInt(to, v, 10)
	}
	if v < 0 {
		return append(strconv.AppendInt(append(to, '"'), v, 10), '"')
	}
	return AppendUint(to, uint64(v))
}

// quote returns JSON with its large integers in quotes.
func quote(text []byte) []byte {
	var out []byte
	copied := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			for i++; text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case c == '-' || '0' <= c && c <= '9':
			first := i
			for i < len(text) && bytes.IndexByte([]byte("+-.0123456789Ee"), text[i]) >= 0 {
				i++
			}
			if large(text[first:i]) {
				out = append(append(append(append(out, text[copied:first]...), '"'), text[first:i]...), '"')
				copied = i
			}
			i--
		}
	}
	if copied == 0 {
		return text
	}
	return append(out, text[copied:]...)
}

// large reports whether a JSON number is an integer beyond 2^53.
func large(number []byte) bool {
	digits := bytes.TrimPrefix(number, []byte("-"))
	if len(digits) < len(most) || bytes.ContainsAny(digits, ".eE") {
		return false
	}
	return len(digits) > len(most) || string(digits) > most
}
