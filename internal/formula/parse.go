package formula

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// How strongly operators bind. Operators of the same strength are taken from the left; only powers
// are taken from the right.
const (
	bindsNot   = 18
	bindsRange = 26
	bindsSign  = 90
	bindsPower = 100
)

var binds = map[string]int{"||": 10, "&&": 15, "==": 20, "!=": 20, "<": 20, "<=": 20, ">": 20, ">=": 20, "in": 20, "!": 20,
	"+": 30, "-": 30, "*": 60, "/": 60, "%": 60, "**": bindsPower, "^": bindsPower}

// A parser makes functions of an expression. It is a parser by operator precedence (V. R. Pratt, 1973).
type parser struct {
	tokens []token // what is left
	names  map[string]int
	fields []int // that were named
}

// next is the first of what is left.
func (p *parser) next() token { return p.tokens[0] }

// skip passes over the next token if it is an operator with some text.
func (p *parser) skip(text string) bool {
	if t := p.next(); t.kind != operator || t.text != text {
		return false
	}
	p.tokens = p.tokens[1:]
	return true
}

// expect passes over an operator.
func (p *parser) expect(text string) error {
	if !p.skip(text) {
		return wrong(p.next().at, "expected %q, found %v", text, p.next())
	}
	return nil
}

// all reads a whole expression.
func (p *parser) all() (value, error) {
	v, err := p.expression(0)
	if err != nil {
		return v, err
	}
	if t := p.next(); t.kind != end {
		return v, wrong(t.at, "expected an operator, found %v", t)
	}
	return v, nil
}

// expression reads what operators bind that are at least so strong.
func (p *parser) expression(least int) (value, error) {
	v, err := p.operand()
	for err == nil {
		t := p.next()
		strength := binds[t.text]
		if t.kind != operator || strength == 0 || strength < least {
			break
		}
		p.tokens = p.tokens[1:]
		switch t.text {
		case "!", "in":
			v, err = p.in(v, t)
		case "<", "<=", ">", ">=":
			v, err = p.comparisons(v, t)
		default:
			after := strength + 1
			if strength == bindsPower {
				after = strength
			}
			var w value
			if w, err = p.expression(after); err == nil {
				v, err = binary(t, v, w)
			}
		}
	}
	if err == nil && least == 0 && p.skip("?") {
		return p.conditional(v)
	}
	return v, err
}

// comparisons reads a < b, or a < b < c, which is a < b && b < c. There, b is a field or a number: what
// takes longer would be computed twice, and nested exponentially often.
func (p *parser) comparisons(v value, t token) (all value, err error) {
	for first := true; ; first = false {
		w, err := p.expression(binds[t.text] + 1)
		if err != nil {
			return w, err
		}
		c, err := binary(t, v, w)
		if err != nil {
			return c, err
		}
		if !first {
			c = both(all, c)
		}
		all, v, t = c, w, p.next()
		if t.kind != operator || t.text[0] != '<' && t.text[0] != '>' {
			return all, nil
		}
		if !w.leaf {
			return w, wrong(t.at, "only a field or a number can be between two comparisons: write a < b && b < c")
		}
		p.tokens = p.tokens[1:]
	}
}

// conditional reads what follows after c ?.
func (p *parser) conditional(c value) (value, error) {
	yes, err := p.expression(0)
	if err != nil {
		return yes, err
	}
	if err := p.expect(":"); err != nil {
		return c, err
	}
	no, err := p.expression(0)
	if err != nil {
		return no, err
	}
	return choice(c, yes, no)
}

// in reads what follows after x in or x not.
func (p *parser) in(x value, t token) (v value, err error) {
	not := t.text == "!"
	if not {
		if err := p.expect("in"); err != nil {
			return x, err
		}
	}
	if p.skip("[") {
		var list []value
		if list, err = p.list("]"); err == nil {
			v, err = inList(x, list)
		}
	} else {
		v, err = p.within(x, t.at)
	}
	if err != nil || !not {
		return v, err
	}
	return opposite(v), nil
}

// within reads a range, a..b.
func (p *parser) within(x value, at int) (value, error) {
	low, err := p.expression(bindsRange)
	if err != nil {
		return low, err
	}
	if t := p.next(); !p.skip("..") {
		return low, wrong(t.at, "expected a list such as [2, 3, 5] or a range such as 2..5 after in, found %v", t)
	}
	high, err := p.expression(bindsRange)
	if err != nil {
		return high, err
	}
	return inRange(at, x, low, high)
}

// list reads expressions with commas between, up to a bracket.
func (p *parser) list(bracket string) (all []value, err error) {
	for !p.skip(bracket) {
		if len(all) > 0 {
			if err := p.expect(","); err != nil {
				return nil, err
			}
		}
		v, err := p.expression(0)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}

// operand reads what an operator can apply to.
func (p *parser) operand() (value, error) {
	t := p.next()
	p.tokens = p.tokens[1:]
	switch {
	case t.kind == number:
		return literal(t)
	case t.kind == name && p.skip("("):
		arguments, err := p.list(")")
		if err != nil {
			return value{}, err
		}
		return call(t, arguments)
	case t.kind == name:
		return p.field(t)
	case t.kind == operator && t.text == "(":
		v, err := p.expression(0)
		if err != nil {
			return v, err
		}
		return v, p.expect(")")
	case t.kind == operator && (t.text == "!" || t.text == "-" || t.text == "+"):
		strength := bindsSign
		if t.text == "!" {
			strength = bindsNot
		}
		v, err := p.expression(strength)
		if err != nil {
			return v, err
		}
		return unary(t, v)
	}
	return value{}, wrong(t.at, "expected a number, a field or a bracket, found %v", t)
}

// literal reads a number.
func literal(t token) (value, error) {
	v := value{at: t.at, leaf: true}
	if i, err := strconv.ParseInt(t.text, 10, 64); err == nil {
		v.whole = func(*Row) int64 { return i }
		return v, nil
	}
	f, err := strconv.ParseFloat(t.text, 64)
	if err != nil || strings.ContainsAny(t.text, "xXpP_") || !strings.ContainsAny(t.text, ".eE") {
		return v, wrong(t.at, "expected a number such as 12 or 2.5, found %v", t)
	}
	v.kind, v.fraction = Fraction, func(*Row) float64 { return f }
	return v, nil
}

// field reads a name.
func (p *parser) field(t token) (value, error) {
	v := value{at: t.at, leaf: true}
	if t.text == "true" || t.text == "false" {
		v.kind, v.truth = Truth, func(*Row) bool { return t.text == "true" }
		return v, nil
	}
	i, ok := p.names[t.text]
	if !ok {
		return v, &Error{Column: t.at, Message: fmt.Sprintf("there is no field %v", t), Name: t.text}
	}
	if !slices.Contains(p.fields, i) {
		p.fields = append(p.fields, i)
	}
	v.whole = func(r *Row) int64 { return r.field(i) }
	return v, nil
}
