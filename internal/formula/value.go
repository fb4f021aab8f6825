package formula

import (
	"errors"
	"go/token"
	"math"
)

// ErrZero is the error of a Row that an expression divides by zero with %. With /, the result is
// infinite, or no number.
var ErrZero = errors.New("% divides by zero")

// A value is a part of an expression. It has the function of its kind.
type value struct {
	kind     Kind
	whole    func(r *Row) int64
	fraction func(r *Row) float64
	truth    func(r *Row) bool

	at int // its first byte in the expression, from 1
}

// asFraction returns the function of a number as a fraction.
func (v value) asFraction() func(r *Row) float64 {
	if v.kind == Fraction {
		return v.fraction
	}
	whole := v.whole
	return func(r *Row) float64 { return float64(whole(r)) }
}

func wholes(f func(r *Row) int64) value      { return value{kind: Whole, whole: f} }
func fractions(f func(r *Row) float64) value { return value{kind: Fraction, fraction: f} }
func truths(f func(r *Row) bool) value       { return value{kind: Truth, truth: f} }

// numbers refuses operands that are no numbers.
func numbers(of string, operands ...value) error {
	for _, v := range operands {
		if v.kind == Truth {
			return wrong(v.at, "%s takes numbers, found %s", of, v.kind)
		}
	}
	return nil
}

// opposite returns not v.
func opposite(v value) value {
	t := v.truth
	return truths(func(r *Row) bool { return !t(r) })
}

func unary(op token.Token, v value) (value, error) {
	if op == token.NOT {
		if v.kind != Truth {
			return v, wrong(v.at, "! takes %s, found %s", Truth, v.kind)
		}
		return opposite(v), nil
	}
	if err := numbers(op.String(), v); err != nil {
		return v, err
	}
	if f, w := v.fraction, v.whole; op == token.SUB && v.kind == Fraction {
		v = fractions(func(r *Row) float64 { return -f(r) })
	} else if op == token.SUB {
		v = wholes(func(r *Row) int64 { return -w(r) })
	}
	return v, nil
}

// operators are those of two operands. It is a comparison if the value is true.
var operators = map[token.Token]bool{
	token.ADD: false, token.SUB: false, token.MUL: false, token.QUO: false, token.REM: false, token.LAND: false, token.LOR: false,
	token.EQL: true, token.NEQ: true, token.LSS: true, token.LEQ: true, token.GTR: true, token.GEQ: true,
}

// chain is advice for those who compare the result of a comparison with a number.
func chain(op token.Token, v, w value) string {
	if operators[op] && v.kind == Truth && w.kind != Truth {
		return "; write a < b && b < c for a < b < c"
	}
	return ""
}

// binary applies an operator at some place.
func binary(op token.Token, at int, v, w value) (value, error) {
	switch op {
	case token.LAND, token.LOR:
		for _, x := range []value{v, w} {
			if x.kind != Truth {
				return x, wrong(x.at, "%s takes %s, found %s", op, Truth, x.kind)
			}
		}
		a, b := v.truth, w.truth
		if op == token.LAND {
			return truths(func(r *Row) bool { return a(r) && b(r) }), nil
		}
		return truths(func(r *Row) bool { return a(r) || b(r) }), nil
	case token.EQL, token.NEQ:
		if (v.kind == Truth) != (w.kind == Truth) {
			return v, wrong(at, "%s compares %s with %s%s", op, v.kind, w.kind, chain(op, v, w))
		}
		if op == token.NEQ {
			return opposite(equal(v, w)), nil
		}
		return equal(v, w), nil
	case token.REM:
		if v.kind != Whole || w.kind != Whole {
			return v, wrong(at, "%% takes whole numbers, found %s and %s", v.kind, w.kind)
		}
		return remainder(v.whole, w.whole), nil
	}
	if hint := chain(op, v, w); hint != "" {
		return v, wrong(at, "%s takes numbers, found %s%s", op, v.kind, hint)
	}
	if err := numbers(op.String(), v, w); err != nil {
		return v, err
	}
	return numeric(op.String(), v, w), nil
}

// equal compares two values, both numbers or both truths.
func equal(v, w value) value {
	switch {
	case v.kind == Truth:
		a, b := v.truth, w.truth
		return truths(func(r *Row) bool { return a(r) == b(r) })
	case v.kind == Whole && w.kind == Whole:
		a, b := v.whole, w.whole
		return truths(func(r *Row) bool { return a(r) == b(r) })
	}
	a, b := v.asFraction(), w.asFraction()
	return truths(func(r *Row) bool { return a(r) == b(r) })
}

func remainder(a, b func(r *Row) int64) value {
	return wholes(func(r *Row) int64 {
		d := b(r)
		if d == 0 {
			r.fail(ErrZero)
			return 0
		}
		return a(r) % d
	})
}

// numeric applies an operator to two numbers.
func numeric(operator string, v, w value) value {
	if operator == "/" {
		a, b := v.asFraction(), w.asFraction()
		return fractions(func(r *Row) float64 { return a(r) / b(r) })
	}
	order := operator[0] == '<' || operator[0] == '>'
	switch whole := v.kind == Whole && w.kind == Whole; {
	case order && whole:
		return truths(compare(operator, v.whole, w.whole))
	case order:
		return truths(compare(operator, v.asFraction(), w.asFraction()))
	case whole:
		return wholes(combine(operator, v.whole, w.whole))
	}
	return fractions(combine(operator, v.asFraction(), w.asFraction()))
}

func compare[T int64 | float64](operator string, a, b func(r *Row) T) func(r *Row) bool {
	switch operator {
	case "<":
		return func(r *Row) bool { return a(r) < b(r) }
	case "<=":
		return func(r *Row) bool { return a(r) <= b(r) }
	case ">":
		return func(r *Row) bool { return a(r) > b(r) }
	}
	return func(r *Row) bool { return a(r) >= b(r) }
}

func combine[T int64 | float64](operator string, a, b func(r *Row) T) func(r *Row) T {
	switch operator {
	case "+":
		return func(r *Row) T { return a(r) + b(r) }
	case "-":
		return func(r *Row) T { return a(r) - b(r) }
	case "min":
		return func(r *Row) T { return min(a(r), b(r)) }
	case "max":
		return func(r *Row) T { return max(a(r), b(r)) }
	}
	return func(r *Row) T { return a(r) * b(r) }
}

// call is abs, min or max of some numbers.
func call(name string, at int, arguments []value) (value, error) {
	if name != "abs" && name != "min" && name != "max" {
		return value{}, wrong(at, "there is no function %.40q, expected abs, min or max", name)
	}
	if n := len(arguments); n == 0 || n > 1 && name == "abs" {
		return value{}, wrong(at, "the number of arguments of %s is %d, expected %s", name, n, map[bool]string{true: "1", false: "1 or more"}[name == "abs"])
	}
	if err := numbers(name, arguments...); err != nil {
		return value{}, err
	}
	v := arguments[0]
	for _, w := range arguments[1:] {
		v = numeric(name, v, w)
	}
	if f, w := v.fraction, v.whole; name == "abs" && v.kind == Fraction {
		v = fractions(func(r *Row) float64 { return math.Abs(f(r)) })
	} else if name == "abs" {
		v = wholes(func(r *Row) int64 {
			a := w(r)
			return max(a, -a)
		})
	}
	return v, nil
}
