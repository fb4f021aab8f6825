package formula

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// A token is a word of an expression. Its text is empty at the end.
type token struct {
	kind kind
	text string
	at   int // the place of its first character, from 1
}

type kind int

const (
	end kind = iota
	number
	name
	operator
)

// String describes a token for people.
func (t token) String() string {
	if t.kind == end {
		return "the end"
	}
	return fmt.Sprintf("%.40q", t.text)
}

// words are operators that are written like names, with the one that they stand for.
var words = map[string]string{"and": "&&", "or": "||", "not": "!", "in": "in"}

// signs are the other operators, the longer ones first.
var signs = []string{"**", "==", "!=", "<=", ">=", "&&", "||", "..", "+", "-", "*", "/", "%", "^", "<", ">", "!", "(", ")", "[", "]", ",", "?", ":"}

// wrong is the error at a character of an expression.
func wrong(at int, format string, args ...any) error {
	return &Error{Column: at, Message: fmt.Sprintf(format, args...)}
}

func digit(c byte) bool  { return '0' <= c && c <= '9' }
func letter(c byte) bool { return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// tokens splits an expression. The last token is the end.
func tokens(text string) (all []token, err error) {
	at := 1
	for text != "" {
		n := 0
		switch c := text[0]; {
		case strings.IndexByte(" \t\r\n", c) >= 0:
			n = 1
		case letter(c):
			for n < len(text) && (letter(text[n]) || digit(text[n])) {
				n++
			}
			t := token{name, text[:n], at}
			if sign := words[t.text]; sign != "" {
				t.kind, t.text = operator, sign
			}
			all = append(all, t)
		case digit(c) || c == '.' && len(text) > 1 && digit(text[1]):
			n = numeral(text)
			all = append(all, token{number, text[:n], at})
		default:
			i := slices.IndexFunc(signs, func(s string) bool { return strings.HasPrefix(text, s) })
			if i < 0 {
				r, _ := utf8.DecodeRuneInString(text)
				return nil, wrong(at, "%q means nothing here", r)
			}
			n = len(signs[i])
			all = append(all, token{operator, signs[i], at})
		}
		at, text = at+n, text[n:]
	}
	return append(all, token{end, "", at}), nil
}

// numeral returns the length of the number that a text begins with, and of letters behind it.
func numeral(text string) (n int) {
	for n < len(text) {
		switch c := text[n]; {
		case c == '.' && strings.HasPrefix(text[n:], ".."):
			return n
		case digit(c) || letter(c) || c == '.' || (c == '+' || c == '-') && (text[n-1] == 'e' || text[n-1] == 'E'):
			n++
		default:
			return n
		}
	}
	return n
}
