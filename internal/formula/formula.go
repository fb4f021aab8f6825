// Package formula evaluates expressions over named numbers, such as
//
//	moves > 20 && (jumps < 3 || pegs == 5)
//
// The syntax is that of expressions in Go, read by its package go/parser: whole numbers, fractions,
// true and false; fields; + - * / %; == != < <= > >=; && || !; brackets; abs, min and max. Everything
// else in Go is refused. The meaning is that of Go for constants, except that the result of / is always
// a fraction: go/types is the reference in the tests. Lines mean no more than spaces, and there are no
// comments.
//
// The evaluator is one of closures: an expression takes no memory, and time that grows with its
// length; its type is known before it is used; a field is computed when it is needed.
package formula

import (
	"cmp"
	"fmt"
	"go/token"
	"math"
	"strings"
	"unicode/utf8"
)

// MaxLength is the greatest length of an expression in bytes.
const MaxLength = 1000

// A Kind is what an expression is.
type Kind int

const (
	Whole    Kind = iota // whole numbers, as of int64; sums beyond it wrap
	Fraction             // floating point
	Truth                // true or false
)

// String describes a kind for people.
func (k Kind) String() string {
	return [...]string{"a whole number", "a fraction", "true or false"}[k]
}

// An Error says what is wrong with an expression, and where.
type Error struct {
	Column  int // of the character, from 1; 0: it is the whole expression
	Message string
	// Name is a name that is not known, or empty.
	Name string
}

func (e *Error) Error() string {
	if e.Column == 0 {
		return e.Message
	}
	return fmt.Sprintf("character %d: %s", e.Column, e.Message)
}

// A Formula is an expression that is ready to use, by several goroutines at once.
type Formula struct {
	value
	fields []int
}

// A Field is what a name stands for.
type Field struct {
	Place int  // of its value in a Row
	Kind  Kind // Whole or Fraction
}

// Kind returns what the values of the expression are.
func (f *Formula) Kind() Kind { return f.kind }

// Fields returns the places of the fields that the expression names.
func (f *Formula) Fields() []int { return f.fields }

// Truth returns the value of a Truth for a row.
func (f *Formula) Truth(r *Row) bool { return f.truth(r) }

// Order returns a number for a row that has the order of the values of an expression that is no
// Truth, or if falls is set, the opposite order. What is no number, such as 0/0, comes last.
func (f *Formula) Order(r *Row, falls bool) uint64 {
	const sign = 1 << 63
	var order uint64
	if f.kind == Whole {
		order = uint64(f.whole(r)) ^ sign
	} else {
		v := f.fraction(r)
		switch bits := math.Float64bits(v + 0); { // the zero below zero becomes the other
		case v != v:
			return math.MaxUint64
		case bits&sign != 0:
			order = ^bits
		default:
			order = bits | sign
		}
	}
	if falls {
		return ^order
	}
	return order
}

// A Row has the fields of a state: whole numbers, and the bits of fractions. It is for one goroutine.
type Row struct {
	fields []func(x uint64) (int64, error)
	values []int64
	known  []uint64 // by field: the row for which its value is known
	now    uint64
	x      uint64
	err    error
}

// NewRow returns a Row. Fields compute their values by place: a Fraction is math.Float64bits of it. Those
// that no expression names may be nil.
func NewRow(fields []func(x uint64) (int64, error)) *Row {
	return &Row{fields: fields, values: make([]int64, len(fields)), known: make([]uint64, len(fields))}
}

// Set turns to a state.
func (r *Row) Set(x uint64) {
	r.x = x
	r.now++
}

// Err returns the first error since the Row was made.
func (r *Row) Err() error { return r.err }

// field returns the value of a field.
func (r *Row) field(i int) int64 {
	if r.known[i] != r.now {
		v, err := r.fields[i](r.x)
		r.err = cmp.Or(r.err, err)
		r.values[i], r.known[i] = v, r.now
	}
	return r.values[i]
}

// fail notes an error.
func (r *Row) fail(err error) { r.err = cmp.Or(r.err, err) }

// IsName reports whether a text can be the name of a field: a name of Go, of ASCII characters, that is
// no word with a meaning in expressions, here or elsewhere.
func IsName(text string) bool {
	ascii := !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
	return ascii && token.IsIdentifier(text) && text != "true" && text != "false" && hints[text] == ""
}

// hints are what to write for words and signs that are not Go's, or mean something else there.
var hints = map[string]string{
	"and": "write && for and",
	"or":  "write || for or",
	"not": "write ! for not",
	"in":  "write x >= 2 && x <= 5, or x == 2 || x == 5",
	"..":  "write x >= 2 && x <= 5 for a range",
	"?":   "there is no c ? a : b",
	"**":  "there are no powers: write x * x",
	"^":   "there are no powers: write x * x",
	"&":   "write && for and",
	"|":   "write || for or",
	"//":  "write a / b to divide",
}

// wrong is the error at a byte of an expression, from 1.
func wrong(at int, format string, args ...any) error {
	return &Error{Column: at, Message: fmt.Sprintf(format, args...)}
}
