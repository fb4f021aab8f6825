package formula

import (
	"errors"
	"math"
	"slices"
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

	at   int  // the place of its first character
	leaf bool // it is a name or a number
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
	return value{kind: Truth, at: v.at, truth: func(r *Row) bool { return !t(r) }}
}

// both returns v && w.
func both(v, w value) value {
	a, b := v.truth, w.truth
	return value{kind: Truth, at: v.at, truth: func(r *Row) bool { return a(r) && b(r) }}
}

// either returns v || w.
func either(v, w value) value {
	a, b := v.truth, w.truth
	return value{kind: Truth, at: v.at, truth: func(r *Row) bool { return a(r) || b(r) }}
}

func unary(t token, v value) (value, error) {
	if t.text == "!" {
		if v.kind != Truth {
			return v, wrong(v.at, "not takes %s, found %s", Truth, v.kind)
		}
		v = opposite(v)
	} else if err := numbers(t.text, v); err != nil {
		return v, err
	} else if f, w := v.fraction, v.whole; t.text == "-" && v.kind == Fraction {
		v = fractions(func(r *Row) float64 { return -f(r) })
	} else if t.text == "-" {
		v = wholes(func(r *Row) int64 { return -w(r) })
	}
	v.at, v.leaf = t.at, false
	return v, nil
}

// binary applies an operator. The result begins where its first operand begins.
func binary(t token, v, w value) (result value, err error) {
	switch t.text {
	case "&&", "||":
		for _, x := range []value{v, w} {
			if x.kind != Truth {
				return x, wrong(x.at, "%s takes %s, found %s", t.text, Truth, x.kind)
			}
		}
		if t.text == "&&" {
			return both(v, w), nil
		}
		return either(v, w), nil
	case "==", "!=":
		if (v.kind == Truth) != (w.kind == Truth) {
			return v, wrong(t.at, "%s compares %s with %s", t.text, v.kind, w.kind)
		}
		if result = equal(v, w); t.text == "!=" {
			result = opposite(result)
		}
	case "%":
		if v.kind != Whole || w.kind != Whole {
			return v, wrong(t.at, "%% takes whole numbers, found %s and %s", v.kind, w.kind)
		}
		result = remainder(v.whole, w.whole)
	default:
		if err := numbers(t.text, v, w); err != nil {
			return v, err
		}
		result = numeric(t.text, v, w)
	}
	result.at = v.at
	return result, nil
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
	switch operator {
	case "/":
		a, b := v.asFraction(), w.asFraction()
		return fractions(func(r *Row) float64 { return a(r) / b(r) })
	case "**", "^":
		a, b := v.asFraction(), w.asFraction()
		return fractions(func(r *Row) float64 { return math.Pow(a(r), b(r)) })
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

// choice is c ? yes : no.
func choice(c, yes, no value) (v value, err error) {
	if c.kind != Truth {
		return c, wrong(c.at, "a condition is %s, found %s", Truth, c.kind)
	}
	switch {
	case (yes.kind == Truth) != (no.kind == Truth):
		return c, wrong(no.at, "both cases of a condition are numbers, or both true or false: found %s and %s", yes.kind, no.kind)
	case yes.kind == Truth:
		v = truths(choose(c.truth, yes.truth, no.truth))
	case yes.kind == Whole && no.kind == Whole:
		v = wholes(choose(c.truth, yes.whole, no.whole))
	default:
		v = fractions(choose(c.truth, yes.asFraction(), no.asFraction()))
	}
	v.at = c.at
	return v, nil
}

// choose returns a function that is one of two.
func choose[T any](is func(r *Row) bool, yes, no func(r *Row) T) func(r *Row) T {
	return func(r *Row) T {
		if is(r) {
			return yes(r)
		}
		return no(r)
	}
}

// inList is x in [a, b, c]. It computes x once: in lists within lists, that bounds the time.
func inList(x value, list []value) (v value, err error) {
	if err := numbers("in", append([]value{x}, list...)...); err != nil {
		return x, err
	}
	if x.kind == Whole && !slices.ContainsFunc(list, func(v value) bool { return v.kind != Whole }) {
		v = truths(contains(x.whole, list, func(v value) func(r *Row) int64 { return v.whole }))
	} else {
		v = truths(contains(x.asFraction(), list, value.asFraction))
	}
	v.at = x.at
	return v, nil
}

func contains[T int64 | float64](x func(r *Row) T, list []value, of func(v value) func(r *Row) T) func(r *Row) bool {
	var all []func(r *Row) T
	for _, v := range list {
		all = append(all, of(v))
	}
	return func(r *Row) bool {
		at := x(r)
		return slices.ContainsFunc(all, func(f func(r *Row) T) bool { return f(r) == at })
	}
}

// inRange is x in low..high, both ends included.
func inRange(at int, x, low, high value) (value, error) {
	if x.kind != Whole || low.kind != Whole || high.kind != Whole {
		return x, wrong(at, "a range is for whole numbers, found %s in %s to %s", x.kind, low.kind, high.kind)
	}
	v, a, b := x.whole, low.whole, high.whole
	return value{kind: Truth, at: x.at, truth: func(r *Row) bool {
		n := v(r)
		return a(r) <= n && n <= b(r)
	}}, nil
}

// call is abs, min or max of some numbers.
func call(t token, arguments []value) (value, error) {
	if t.text != "abs" && t.text != "min" && t.text != "max" {
		return value{}, wrong(t.at, "there is no function %v, expected abs, min or max", t)
	}
	if n := len(arguments); n == 0 || n > 1 && t.text == "abs" {
		return value{}, wrong(t.at, "the number of arguments of %s is %d, expected %s", t.text, n, map[bool]string{true: "1", false: "1 or more"}[t.text == "abs"])
	}
	if err := numbers(t.text, arguments...); err != nil {
		return value{}, err
	}
	v := arguments[0]
	for _, w := range arguments[1:] {
		v = numeric(t.text, v, w)
	}
	if f, w := v.fraction, v.whole; t.text == "abs" && v.kind == Fraction {
		v = fractions(func(r *Row) float64 { return math.Abs(f(r)) })
	} else if t.text == "abs" {
		v = wholes(func(r *Row) int64 {
			a := w(r)
			return max(a, -a)
		})
	}
	v.at, v.leaf = t.at, false
	return v, nil
}
