package formula

import (
	"errors"
	"math"
	"slices"

	"github.com/expr-lang/expr/ast"
)

// ErrZero is the error of a Row that an expression divides by zero with %. With /, the result is
// infinite, or no number.
var ErrZero = errors.New("% divides by zero")

func (c *compiler) binary(n *ast.BinaryNode) (value, error) {
	switch n.Operator {
	case "&&", "and", "||", "or":
		return c.logic(n)
	case "in":
		return c.in(n)
	case "==", "!=":
		return c.equal(n)
	case "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "**", "^":
		a, err := c.number(n.Left, n.Operator)
		if err != nil {
			return a, err
		}
		b, err := c.number(n.Right, n.Operator)
		if err != nil {
			return b, err
		}
		switch n.Operator[0] {
		case '<', '>':
			return compare(n.Operator, a, b), nil
		}
		return arithmetic(n, a, b)
	}
	return value{}, wrong(n, "there is no operator %s for numbers", n.Operator)
}

func (c *compiler) logic(n *ast.BinaryNode) (value, error) {
	v, err := c.truth(n.Left, n.Operator)
	if err != nil {
		return v, err
	}
	w, err := c.truth(n.Right, n.Operator)
	if err != nil {
		return w, err
	}
	a, b := v.truth, w.truth
	if n.Operator == "&&" || n.Operator == "and" {
		return truths(func(r *Row) bool { return a(r) && b(r) }), nil
	}
	return truths(func(r *Row) bool { return a(r) || b(r) }), nil
}

func (c *compiler) equal(n *ast.BinaryNode) (value, error) {
	v, err := c.compile(n.Left)
	if err != nil {
		return v, err
	}
	w, err := c.compile(n.Right)
	if err != nil {
		return w, err
	}
	if (v.kind == Truth) != (w.kind == Truth) {
		return value{}, wrong(n, "%s compares %s with %s", n.Operator, v.kind, w.kind)
	}
	same := equals(v, w)
	if n.Operator == "==" {
		return truths(same), nil
	}
	return truths(func(r *Row) bool { return !same(r) }), nil
}

// equals compares two values, both numbers or both truths.
func equals(v, w value) func(r *Row) bool {
	switch {
	case v.kind == Truth:
		a, b := v.truth, w.truth
		return func(r *Row) bool { return a(r) == b(r) }
	case v.kind == Whole && w.kind == Whole:
		a, b := v.whole, w.whole
		return func(r *Row) bool { return a(r) == b(r) }
	}
	a, b := v.asFraction(), w.asFraction()
	return func(r *Row) bool { return a(r) == b(r) }
}

// compare compares two numbers.
func compare(operator string, v, w value) value {
	if v.kind == Whole && w.kind == Whole {
		return truths(ordered(operator, v.whole, w.whole))
	}
	return truths(ordered(operator, v.asFraction(), w.asFraction()))
}

func ordered[T int64 | float64](operator string, a, b func(r *Row) T) func(r *Row) bool {
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

func arithmetic(n *ast.BinaryNode, v, w value) (value, error) {
	switch n.Operator {
	case "/":
		a, b := v.asFraction(), w.asFraction()
		return fractions(func(r *Row) float64 { return a(r) / b(r) }), nil
	case "**", "^":
		a, b := v.asFraction(), w.asFraction()
		return fractions(func(r *Row) float64 { return math.Pow(a(r), b(r)) }), nil
	case "%":
		if v.kind != Whole || w.kind != Whole {
			return value{}, wrong(n, "%% takes whole numbers, found %s", Fraction)
		}
		a, b := v.whole, w.whole
		return wholes(func(r *Row) int64 {
			d := b(r)
			if d == 0 {
				r.fail(ErrZero)
				return 0
			}
			return a(r) % d
		}), nil
	}
	if v.kind == Whole && w.kind == Whole {
		return wholes(sum(n.Operator, v.whole, w.whole)), nil
	}
	return fractions(sum(n.Operator, v.asFraction(), w.asFraction())), nil
}

func sum[T int64 | float64](operator string, a, b func(r *Row) T) func(r *Row) T {
	switch operator {
	case "+":
		return func(r *Row) T { return a(r) + b(r) }
	case "-":
		return func(r *Row) T { return a(r) - b(r) }
	}
	return func(r *Row) T { return a(r) * b(r) }
}

// in compiles x in [a, b] and x in a..b.
func (c *compiler) in(n *ast.BinaryNode) (value, error) {
	x, err := c.number(n.Left, "in")
	if err != nil {
		return x, err
	}
	switch right := n.Right.(type) {
	case *ast.ArrayNode:
		return c.list(x, right.Nodes)
	case *ast.BinaryNode:
		if right.Operator == ".." {
			return c.within(n, x, right)
		}
	}
	return value{}, wrong(n.Right, "expected a list such as [2, 3, 5] or a range such as 2..5 after in")
}

// list compiles x in [a, b, c]. It computes x once: in lists within lists, that bounds the time.
func (c *compiler) list(x value, nodes []ast.Node) (value, error) {
	var all []value
	whole := x.kind == Whole
	for _, n := range nodes {
		v, err := c.number(n, "a list")
		if err != nil {
			return v, err
		}
		all, whole = append(all, v), whole && v.kind == Whole
	}
	if whole {
		return truths(contains(x.whole, all, func(v value) func(r *Row) int64 { return v.whole })), nil
	}
	return truths(contains(x.asFraction(), all, value.asFraction)), nil
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

// within compiles x in a..b, both ends included.
func (c *compiler) within(n *ast.BinaryNode, x value, ends *ast.BinaryNode) (value, error) {
	low, err := c.number(ends.Left, "..")
	if err != nil {
		return low, err
	}
	high, err := c.number(ends.Right, "..")
	if err != nil {
		return high, err
	}
	if x.kind != Whole || low.kind != Whole || high.kind != Whole {
		return value{}, wrong(n, "a range has whole numbers, found %s", Fraction)
	}
	v, a, b := x.whole, low.whole, high.whole
	return truths(func(r *Row) bool {
		at := v(r)
		return a(r) <= at && at <= b(r)
	}), nil
}
