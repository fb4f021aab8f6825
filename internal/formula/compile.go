package formula

import (
	"fmt"
	"math"
	"slices"

	"github.com/expr-lang/expr/ast"
)

// A value is a part of an expression. It has the function of its kind.
type value struct {
	kind     Kind
	whole    func(r *Row) int64
	fraction func(r *Row) float64
	truth    func(r *Row) bool

	name bool // it is the name of a field
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

// A compiler makes functions of expressions.
type compiler struct {
	names  map[string]int
	fields []int
	seen   map[ast.Node]bool
}

// wrong is the error of a part of an expression.
func wrong(n ast.Node, format string, args ...any) error {
	return &Error{Column: n.Location().From + 1, Message: fmt.Sprintf(format, args...)}
}

func (c *compiler) compile(n ast.Node) (value, error) {
	if v, ok := c.leaf(n); ok {
		return v, nil
	}
	// The parser makes a < b && b < c of a < b < c, where b is one node. Nested, that takes
	// exponential time.
	if c.seen[n] {
		return value{}, wrong(n, "only a field or a number can be between two comparisons: write a < b && b < c")
	}
	c.seen[n] = true
	switch n := n.(type) {
	case *ast.IdentifierNode:
		return value{}, &Error{Column: n.Location().From + 1, Message: fmt.Sprintf("there is no field %.40q", n.Value), Name: n.Value}
	case *ast.UnaryNode:
		return c.unary(n)
	case *ast.BinaryNode:
		return c.binary(n)
	case *ast.ConditionalNode:
		return c.conditional(n)
	case *ast.BuiltinNode:
		return c.call(n, n.Name, n.Arguments)
	case *ast.CallNode:
		if name, ok := n.Callee.(*ast.IdentifierNode); ok {
			return c.call(n, name.Value, n.Arguments)
		}
	case *ast.StringNode:
		return value{}, wrong(n, "there is a text, expected numbers only")
	case *ast.ArrayNode:
		return value{}, wrong(n, "there is a list, expected one only after in")
	case *ast.VariableDeclaratorNode, *ast.SequenceNode:
		return value{}, wrong(n, "there are several expressions, expected one")
	}
	return value{}, wrong(n, "expected numbers, fields, operators and abs, min and max only, found something else")
}

// leaf compiles a number, true or false, and the name of a field.
func (c *compiler) leaf(n ast.Node) (v value, ok bool) {
	switch n := n.(type) {
	case *ast.IntegerNode:
		v := int64(n.Value)
		return wholes(func(*Row) int64 { return v }), true
	case *ast.FloatNode:
		v := n.Value
		return fractions(func(*Row) float64 { return v }), true
	case *ast.BoolNode:
		v := n.Value
		return truths(func(*Row) bool { return v }), true
	case *ast.IdentifierNode:
		i, ok := c.names[n.Value]
		if !ok {
			return value{}, false
		}
		if !slices.Contains(c.fields, i) {
			c.fields = append(c.fields, i)
		}
		v := wholes(func(r *Row) int64 { return r.field(i) })
		v.name = true
		return v, true
	}
	return value{}, false
}

// number compiles an operand that should be a number.
func (c *compiler) number(n ast.Node, of string) (value, error) {
	v, err := c.compile(n)
	if err == nil && v.kind == Truth {
		err = wrong(n, "%s takes numbers, found %s", of, v.kind)
	}
	return v, err
}

// truth compiles an operand that should be true or false.
func (c *compiler) truth(n ast.Node, of string) (value, error) {
	v, err := c.compile(n)
	if err == nil && v.kind != Truth {
		err = wrong(n, "%s takes %s, found %s", of, Truth, v.kind)
	}
	return v, err
}

func (c *compiler) unary(n *ast.UnaryNode) (value, error) {
	if n.Operator == "not" || n.Operator == "!" {
		v, err := c.truth(n.Node, n.Operator)
		t := v.truth
		return truths(func(r *Row) bool { return !t(r) }), err
	}
	v, err := c.number(n.Node, n.Operator)
	if err != nil || n.Operator == "+" {
		return v, err
	}
	if v.kind == Whole {
		w := v.whole
		return wholes(func(r *Row) int64 { return -w(r) }), nil
	}
	f := v.fraction
	return fractions(func(r *Row) float64 { return -f(r) }), nil
}

func (c *compiler) conditional(n *ast.ConditionalNode) (value, error) {
	is, err := c.truth(n.Cond, "a condition")
	if err != nil {
		return is, err
	}
	yes, err := c.compile(n.Exp1)
	if err != nil {
		return yes, err
	}
	no, err := c.compile(n.Exp2)
	if err != nil {
		return no, err
	}
	t := is.truth
	switch {
	case (yes.kind == Truth) != (no.kind == Truth):
		return value{}, wrong(n, "both cases of a condition should be numbers, or both true or false: one is %s, the other %s", yes.kind, no.kind)
	case yes.kind == Truth:
		return truths(choose(t, yes.truth, no.truth)), nil
	case yes.kind == Whole && no.kind == Whole:
		return wholes(choose(t, yes.whole, no.whole)), nil
	}
	return fractions(choose(t, yes.asFraction(), no.asFraction())), nil
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

// functions are the names that can be called.
var functions = []string{"abs", "min", "max"}

func (c *compiler) call(n ast.Node, name string, arguments []ast.Node) (value, error) {
	if !slices.Contains(functions, name) {
		return value{}, wrong(n, "there is no function %.40q, expected abs, min or max", name)
	}
	if len(arguments) == 0 || name == "abs" && len(arguments) > 1 {
		return value{}, wrong(n, "%s has %d arguments, expected %s", name, len(arguments), map[bool]string{true: "1", false: "1 or more"}[name == "abs"])
	}
	var all []value
	for _, a := range arguments {
		v, err := c.number(a, name)
		if err != nil {
			return v, err
		}
		all = append(all, v)
	}
	v := all[0]
	for _, w := range all[1:] {
		v = extreme(v, w, name == "min")
	}
	if name != "abs" {
		return v, nil
	}
	if f := v.fraction; v.kind == Fraction {
		return fractions(func(r *Row) float64 { return math.Abs(f(r)) }), nil
	}
	w := v.whole
	return wholes(func(r *Row) int64 {
		a := w(r)
		return max(a, -a)
	}), nil
}

// extreme returns the lesser or the greater of two numbers.
func extreme(v, w value, lesser bool) value {
	if v.kind == Whole && w.kind == Whole {
		a, b := v.whole, w.whole
		if lesser {
			return wholes(func(r *Row) int64 { return min(a(r), b(r)) })
		}
		return wholes(func(r *Row) int64 { return max(a(r), b(r)) })
	}
	a, b := v.asFraction(), w.asFraction()
	if lesser {
		return fractions(func(r *Row) float64 { return min(a(r), b(r)) })
	}
	return fractions(func(r *Row) float64 { return max(a(r), b(r)) })
}
