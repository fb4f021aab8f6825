package formula

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// allowed is what an expression can have.
const allowed = "an expression has numbers, fields, + - * / %, == != < <= > >=, && || !, brackets, abs, min and max"

// advice returns the hint for a word, or what is allowed.
func advice(word string) string {
	if hint := hints[word]; hint != "" {
		return hint
	}
	return allowed
}

// meaningless is the error of a part of an expression, with the advice for a word in it.
func meaningless(at int, text, word string) error {
	return wrong(at, "%.40q means nothing here; %s", text, advice(word))
}

// Compile reads an expression. Names are the fields. An error is an *Error.
func Compile(text string, names map[string]Field) (*Formula, error) {
	if len(text) > MaxLength {
		return nil, &Error{Message: fmt.Sprintf("the expression has %d bytes, expected at most %d", len(text), MaxLength)}
	}
	c := &compiler{text: text, names: names}
	n, err := c.parse()
	var v value
	if err == nil {
		v, err = c.value(n)
	}
	var wrong *Error
	if errors.As(err, &wrong) && wrong.Column > 0 { // from bytes to characters
		wrong.Column = utf8.RuneCountInString(text[:wrong.Column-1]) + 1
	}
	if err != nil {
		return nil, err
	}
	return &Formula{v, c.fields}, nil
}

// A compiler makes functions of the syntax tree of an expression. In its text, and so in the tree, a
// token.Pos is the number of a byte, from 1.
type compiler struct {
	text   string
	names  map[string]Field
	fields []int // that were named
}

// parse returns the syntax tree. In Go, lines can end an expression, and comments would hide what is
// behind them: // is a division elsewhere. Go's parser bounds its own depth, far above MaxLength.
func (c *compiler) parse() (ast.Expr, error) {
	c.text = strings.NewReplacer("\n", " ", "\r", " ").Replace(c.text)
	for _, sign := range []string{"//", "/*", `"`, "'", "`"} {
		if i := strings.Index(c.text, sign); i >= 0 {
			return nil, meaningless(i+1, sign, sign)
		}
	}
	n, err := parser.ParseExprFrom(token.NewFileSet(), "", c.text, parser.SkipObjectResolution)
	if err != nil {
		return nil, c.syntax(err)
	}
	return n, nil
}

// syntax describes the first error of Go's parser.
func (c *compiler) syntax(err error) error {
	var list scanner.ErrorList
	if !errors.As(err, &list) || len(list) == 0 {
		return &Error{Message: err.Error()}
	}
	at := min(list[0].Pos.Offset, len(c.text))
	before := strings.TrimRight(c.text[:at], " \t")
	last := strings.LastIndexFunc(before, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }) + 1
	if before[last:] == "not" {
		return meaningless(last+1, "not", "not")
	}
	around := max(0, at-2)
	if i := strings.Index(c.text[around:min(at+2, len(c.text))], ".."); i >= 0 {
		return meaningless(around+i+1, "..", "..")
	}
	word := first(c.text[at:])
	message, _, is := strings.Cut(list[0].Msg, ", found ")
	switch {
	case strings.HasPrefix(message, "illegal character"):
		message = fmt.Sprintf("%q means nothing here", word)
	case strings.HasPrefix(message, "missing ','"):
		message, is = `expected ","`, true
	case message == "expected 'EOF'":
		message = "expected an operator"
	case message == "expected operand":
		message = "expected a number, a field or a bracket"
	}
	if message = strings.ReplaceAll(message, "'", `"`); is && word == "" {
		message += ", found the end"
	} else if is {
		message += fmt.Sprintf(", found %.40q", word)
	}
	if hint := hints[word]; hint != "" {
		message += "; " + hint
	}
	return wrong(at+1, "%s", message)
}

// first returns the first word of a text.
func first(text string) string {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(text)), []byte(text), nil, 0)
	_, t, word := s.Scan()
	if word == "" && t != token.EOF {
		return t.String()
	}
	return word
}

// value makes the function of a part of the tree.
func (c *compiler) value(n ast.Expr) (v value, err error) {
	switch n := n.(type) {
	case *ast.ParenExpr:
		v, err = c.value(n.X)
	case *ast.BasicLit:
		v, err = literal(n)
	case *ast.Ident:
		v, err = c.field(n)
	case *ast.UnaryExpr:
		if n.Op != token.NOT && n.Op != token.SUB && n.Op != token.ADD {
			return v, c.refuse(n, n.Op.String())
		}
		if v, err = c.value(n.X); err == nil {
			v, err = unary(n.Op, v)
		}
	case *ast.BinaryExpr:
		v, err = c.binary(n)
	case *ast.CallExpr:
		v, err = c.call(n)
	default:
		return v, c.refuse(n, "")
	}
	v.at = int(n.Pos())
	return v, err
}

// refuse is the error of a part of the tree that is Go's only, with advice for a word in it.
func (c *compiler) refuse(n ast.Node, word string) error {
	text := c.text[n.Pos()-1 : min(int(n.End())-1, len(c.text))]
	if _, ok := n.(*ast.SelectorExpr); ok && strings.Contains(text, "..") {
		word = ".."
	}
	return meaningless(int(n.Pos()), text, word)
}

func (c *compiler) binary(n *ast.BinaryExpr) (value, error) {
	at, op := int(n.OpPos), n.Op.String()
	if _, ok := n.Y.(*ast.StarExpr); ok && n.Op == token.MUL {
		return value{}, meaningless(at, "**", "**")
	}
	if _, ok := operators[n.Op]; !ok {
		return value{}, meaningless(at, op, op)
	}
	v, err := c.value(n.X)
	if err != nil {
		return v, err
	}
	w, err := c.value(n.Y)
	if err != nil {
		return w, err
	}
	return binary(n.Op, at, v, w)
}

func (c *compiler) call(n *ast.CallExpr) (value, error) {
	name, ok := n.Fun.(*ast.Ident)
	if !ok || n.Ellipsis.IsValid() {
		return value{}, c.refuse(n, "")
	}
	if hints[name.Name] != "" {
		return value{}, meaningless(int(n.Pos()), name.Name, name.Name)
	}
	var arguments []value
	for _, x := range n.Args {
		v, err := c.value(x)
		if err != nil {
			return v, err
		}
		arguments = append(arguments, v)
	}
	return call(name.Name, int(n.Pos()), arguments)
}

// literal reads a number.
func literal(n *ast.BasicLit) (value, error) {
	text := strings.ReplaceAll(n.Value, "_", "")
	switch {
	case n.Kind == token.INT && len(text) > 1 && '0' <= text[1] && text[1] <= '9' && text[0] == '0':
		return value{}, wrong(int(n.Pos()), "expected a number without zeros in front, found %.40q", n.Value)
	case n.Kind == token.INT:
		if i, err := strconv.ParseInt(text, 0, 64); err == nil {
			return wholes(func(*Row) int64 { return i }), nil
		}
	case n.Kind == token.FLOAT:
		if f, err := strconv.ParseFloat(text, 64); err == nil {
			return fractions(func(*Row) float64 { return f }), nil
		}
	}
	return value{}, wrong(int(n.Pos()), "expected a number such as 12 or 2.5, found %.40q", n.Value)
}

// field reads a name.
func (c *compiler) field(n *ast.Ident) (value, error) {
	if n.Name == "true" || n.Name == "false" {
		is := n.Name == "true"
		return truths(func(*Row) bool { return is }), nil
	}
	f, ok := c.names[n.Name]
	if !ok && hints[n.Name] != "" {
		return value{}, meaningless(int(n.Pos()), n.Name, n.Name)
	} else if !ok {
		return value{}, &Error{Column: int(n.Pos()), Message: fmt.Sprintf("there is no field %.40q", n.Name), Name: n.Name}
	}
	i := f.Place
	if !slices.Contains(c.fields, i) {
		c.fields = append(c.fields, i)
	}
	if f.Kind == Fraction {
		return fractions(func(r *Row) float64 { return math.Float64frombits(uint64(r.field(i))) }), nil
	}
	return wholes(func(r *Row) int64 { return r.field(i) }), nil
}
