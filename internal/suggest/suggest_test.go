package suggest

import (
	"strings"
	"testing"
)

func TestQuestion(t *testing.T) {
	metrics := []string{"steps", "lines", "moves", "supersteps", "superlines", "supermoves", "all"}
	for _, c := range []struct {
		word string
		list []string
		want string
	}{
		{"setps", metrics, "; did you mean steps?"},
		{"all ", metrics, "; did you mean all?"},
		{"lal", metrics, "; did you mean all?"},
		{"Steps", metrics, "; did you mean steps?"},
		{"line", metrics, "; did you mean lines?"},
		{"superstep", metrics, "; did you mean supersteps?"},
		{"super", metrics, "; did you mean supersteps, superlines or supermoves?"}, // they begin with it
		{"al", metrics, "; did you mean all?"},
		{"hops", metrics, ""},
		{"", metrics, ""},
		{"a", metrics, ""},
		{"steps", nil, ""},
		{"colour", []string{"colör", "color"}, "; did you mean color?"}, // the nearest
		{"färbe", []string{"farbe", "farben"}, "; did you mean farbe?"}, // letters count, not bytes
		{strings.Repeat("x", 61), []string{strings.Repeat("x", 61)}, ""},
		{"aaaa", []string{"aaab", "aaac", "aaad", "aaae"}, "; did you mean aaab, aaac or aaad?"},
	} {
		if got := Question(c.word, c.list); got != c.want {
			t.Errorf("%q: %q, want %q", c.word, got, c.want)
		}
	}
}

func TestEither(t *testing.T) {
	for want, words := range map[string][]string{"": nil, "a": {"a"}, "a or b": {"a", "b"}, "a, b or c": {"a", "b", "c"}} {
		if got := Either(words); got != want {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
}
