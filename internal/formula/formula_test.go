package formula_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pagoda/internal/formula"
	"pagoda/internal/long"
)

var places = map[string]formula.Field{"moves": {Place: 0}, "pegs": {Place: 1}, "count": {Place: 2}, "share": {3, formula.Fraction}}

// fields returns the fields of a state: they depend on it in simple ways.
func fields() []func(x uint64) (int64, error) {
	return []func(x uint64) (int64, error){
		func(x uint64) (int64, error) { return int64(x), nil },
		func(x uint64) (int64, error) { return int64(x%7) - 3, nil },
		func(x uint64) (int64, error) { return int64(x * x % 11), nil },
		func(x uint64) (int64, error) { return int64(math.Float64bits(float64(x%5)/4 - 0.5)), nil },
	}
}

// What an expression means is what it means to Go.
func TestMeaning(t *testing.T) {
	for _, text := range []string{
		"moves", "-moves", "+moves", "- -moves", "-+-moves", "moves + 2 * pegs - 1", "moves / 2", "moves % 3", "moves % pegs", "-moves % 3", "moves * 7 % 4 * 2", "moves * 7 / 4 * 2",
		"2.5 + moves", "1e3", ".5 + moves", "1.", "1e-2 + 0 * moves", "0x1F + moves", "0b11 - 0o17", "1_000 + moves", "0x1p-2 * moves", "2 * 1_0.5", "(moves)", "moves - pegs - 1", "moves - (pegs - 1)",
		"8 / 4 / 2 + pegs", "moves > 3", "3 < moves", "3 < moves && moves <= 9", "moves == 4", "moves != 4", "moves == 4.0", "moves / 2 == 2",
		"pegs >= 0 && moves < 9", "pegs >= 0 && moves < 9 || count == 4", "count == 4 || pegs >= 0 && moves < 9", "(count == 4 || pegs >= 0) && moves < 9",
		"!(moves > 3)", "!(moves > 3) || false", "!!(moves > 3)", "(moves > 3) == (pegs > 0)", "(moves > 3) != true", "!true == (moves > 3)", "true == !(moves > 3) == (pegs > 0)", "1 < moves == true",
		"abs(pegs)", "abs(pegs / 2)", "min(moves, pegs)", "max(moves, pegs, count)", "max(moves, 2.5)", "min(pegs)", "max(pegs, moves,)", "share", "-share + moves", "2 * share == count", "share / 2 < pegs && share != 0.5", "max(share, pegs)", "abs(share)", "abs(-moves) > 3", "count > 3\n || \r\n\tpegs<2\n",
	} {
		same(t, text, 20)
	}
}

// To divide by zero with / is no error. A part that is not needed makes none with %.
func TestZero(t *testing.T) {
	for text, want := range map[string]func(moves, pegs float64) float64{
		"moves / pegs":       func(moves, pegs float64) float64 { return moves / pegs },
		"-moves / pegs":      func(moves, pegs float64) float64 { return -moves / pegs },
		"0 / 0 * pegs":       func(float64, float64) float64 { return math.NaN() },
		"max(2, 1 / pegs)":   func(_, pegs float64) float64 { return max(2, 1/pegs) },
		"moves / (pegs / 0)": func(moves, pegs float64) float64 { zero := 0.0; return moves / (pegs / zero) },
	} {
		f, err := formula.Compile(text, places)
		if err != nil {
			t.Fatal(err)
		}
		r := formula.NewRow(fields())
		for x := range uint64(20) {
			r.Set(x)
			got, want := f.Number(r), want(float64(x), float64(x%7)-3)
			if got != want && !(math.IsNaN(got) && math.IsNaN(want)) || r.Err() != nil {
				t.Errorf("%s at %d: %v, %v, want %v", text, x, got, r.Err(), want)
			}
		}
	}
	for text, want := range map[string]error{"moves > 5 && moves % 0 == 1": nil, "moves < 5 || moves % 0 == 1": nil, "moves < 5 && moves % 0 == 1": formula.ErrZero} {
		f, err := formula.Compile(text, places)
		if err != nil {
			t.Fatal(err)
		}
		r := formula.NewRow(fields())
		r.Set(3)
		if f.Truth(r); r.Err() != want {
			t.Errorf("%s: %v, want %v", text, r.Err(), want)
		}
	}
}

// write writes a random expression: a Truth, or a number.
func write(rng *rand.Rand, depth int, truth bool) string {
	sub := func(truth bool) string { return write(rng, depth-1, truth) }
	of := func(list ...string) string { return list[rng.IntN(len(list))] }
	if depth == 0 {
		if truth {
			return of("true", "false", "moves > 3", "pegs == 0")
		}
		return of("moves", "pegs", "count", "share", "2", "0", "1.5")
	}
	if !truth {
		switch rng.IntN(6) {
		case 0:
			return "-(" + sub(false) + ")"
		case 1:
			return of("min", "max") + "(" + sub(false) + ", " + sub(false) + ")"
		case 2:
			return "abs(" + of("-", "+", "2 - ") + of("moves", "pegs", "count", "share") + ")"
		case 3:
			return "(" + sub(false) + " / 4)" // by 4, for exact results
		}
		return of("(", "+(") + sub(false) + of(" + ", " - ", " * ") + sub(false) + ")"
	}
	switch rng.IntN(3) {
	case 0:
		return "!(" + sub(true) + ")"
	case 1:
		return "((" + sub(true) + ")" + of(" && ", " || ", " == ", " != ") + "(" + sub(true) + "))"
	}
	return "(" + sub(false) + of(" < ", " <= ", " > ", " >= ", " == ", " != ") + sub(false) + ")"
}

// flat writes a random expression without brackets: its operators bind as in Go.
func flat(rng *rand.Rand) string {
	of := func(list ...string) string { return list[rng.IntN(len(list))] }
	number := func() string {
		text := of("moves", "-pegs", "count", "2", "1.5", "7 % 4", "moves % 3 * 2")
		for range rng.IntN(4) {
			text += of(" + ", " - ", " * ") + of("moves", "-pegs", "count", "share", "3", "0.5", "pegs / 4")
		}
		return text
	}
	text := number() + " < " + number()
	for range rng.IntN(4) {
		text += of(" && ", " || ") + of("", number()+of(" < ", " <= ", " == ", " != ")) + number()
		if !strings.ContainsAny(text[strings.LastIndexAny(text, "&|"):], "<=") {
			text += " > 1"
		}
	}
	return text
}

func TestRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range long.Or(2000, 400) {
		same(t, write(rng, 1+i%4, i%2 == 0), 10)
		same(t, flat(rng), 5)
	}
}

// Order sorts as the values do, and puts what is no number last.
func TestOrder(t *testing.T) {
	for _, text := range []string{"moves", "-moves", "pegs", "pegs / 2", "moves / pegs", "0 * moves / pegs", "-1 / count", "share", "-share"} {
		f, err := formula.Compile(text, places)
		if err != nil {
			t.Fatal(err)
		}
		r := formula.NewRow(fields())
		value := func(x uint64) float64 { r.Set(x); return f.Number(r) }
		order := func(x uint64, falls bool) uint64 { r.Set(x); return f.Order(r, falls) }
		for x := range uint64(30) {
			for y := range uint64(30) {
				a, b := value(x), value(y)
				want := a < b || !math.IsNaN(a) && math.IsNaN(b)
				if (order(x, false) < order(y, false)) != want {
					t.Fatalf("%s: %v before %v is %t, want %t", text, a, b, !want, want)
				}
				want = a > b || !math.IsNaN(a) && math.IsNaN(b)
				if (order(x, true) < order(y, true)) != want {
					t.Fatalf("%s: falling, %v before %v is %t, want %t", text, a, b, !want, want)
				}
			}
		}
	}
}

func TestWrong(t *testing.T) {
	for _, c := range []struct {
		text   string
		column int
		want   string
	}{
		{"mvoes > 3", 1, "there is no field \"mvoes\""},
		{"moves > 3 && jumps < 2", 14, "there is no field \"jumps\""},
		{"moves >", 8, "expected a number, a field or a bracket, found the end"},
		{"", 1, "found the end"},
		{"moves > (3", 11, "expected \")\", found the end"},
		{"moves > 3)", 10, "expected an operator, found \")\""},
		{"moves pegs", 7, "expected an operator, found \"pegs\""},
		{"moves & 3", 7, "\"&\" means nothing here; write && for and"},
		{"moves | 3", 7, "write || for or"},
		{"moves << 3", 7, "\"<<\" means nothing here; an expression has numbers, fields, + - * / %,"},
		{"moves && true", 1, "&& takes true or false, found a whole number"},
		{"!moves", 2, "! takes true or false"},
		{"!moves > 3", 2, "! takes true or false"},
		{"(moves > 3) + 1", 1, "+ takes numbers, found true or false"},
		{"-(moves > 3)", 2, "- takes numbers, found true or false"},
		{"moves == true", 7, "compares a whole number with true or false"},
		{"moves % 2.5", 7, "% takes whole numbers"},
		{"share % 2", 7, "% takes whole numbers, found a fraction and a whole number"},
		{"share && true", 1, "&& takes true or false, found a fraction"},
		{"moves == 'a'", 10, "means nothing here"},
		{"moves > 3 and pegs > 2", 11, "expected an operator, found \"and\"; write && for and"},
		{"(moves > 3 or pegs > 2)", 12, "expected \")\", found \"or\"; write || for or"},
		{"min(moves and pegs)", 11, "write && for and"},
		{"not moves > 3", 1, "\"not\" means nothing here; write ! for not"},
		{"moves > 3 && not (pegs > 2)", 14, "write ! for not"},
		{"3 * -not", 6, "write ! for not"},
		{"moves not in 1..3", 7, "write ! for not"},
		{"knot moves", 6, "expected an operator, found \"moves\""},
		{"moves in pegs", 7, "write x >= 2 && x <= 5, or x == 2 || x == 5"},
		{"10..20", 3, "\"..\" means nothing here; write x >= 2 && x <= 5"},
		{"1..pegs", 1, "write x >= 2 && x <= 5"},
		{"moves == pegs..5", 14, "write x >= 2 && x <= 5"},
		{"moves = 3", 7, "expected \"==\", found \"=\""},
		{"moves => 3", 7, "expected \"==\", found \"=\""},
		{"moves <> 3", 8, "expected a number, a field or a bracket, found \">\""},
		{"moves ** 2", 7, "\"**\" means nothing here; there are no powers: write x * x"},
		{"moves ^ 2", 7, "there are no powers"},
		{"moves // 2", 7, "write a / b to divide"},
		{"moves /* 2", 7, "\"/*\" means nothing here"},
		{"moves > 3 ? 1 : 2", 11, "\"?\" means nothing here; there is no c ? a : b"},
		{"1 < moves < 3", 11, "< takes numbers, found true or false; write a < b && b < c"},
		{"moves == pegs == 3", 15, "== compares true or false with a whole number; write a < b && b < c"},
		{"1 + (1 < moves)", 5, "+ takes numbers, found true or false"},
		{"1 < (1 < moves)", 5, "< takes numbers, found true or false"},
		{"len(moves) > 2", 1, "there is no function \"len\", expected abs, min or max"},
		{"abs(moves, 2)", 1, "the number of arguments of abs is 2, expected 1"},
		{"max()", 1, "is 0, expected 1 or more"},
		{"max(moves...)", 1, "\"max(moves...)\" means nothing here"},
		{"(max)(moves)", 1, "\"(max)(moves)\" means nothing here"},
		{"min(moves pegs)", 11, "expected \",\", found \"pegs\""},
		{"moves.pegs", 1, "\"moves.pegs\" means nothing here; an expression has"},
		{"2 + moves[1]", 5, "\"moves[1]\" means nothing here"},
		{"moves[1:2]", 1, "means nothing here"},
		{"moves.(int)", 1, "means nothing here"},
		{"*moves", 1, "\"*moves\" means nothing here"},
		{"<-moves", 1, "\"<-moves\" means nothing here"},
		{"~moves", 1, "\"~moves\" means nothing here"},
		{"[]int{1}", 1, "means nothing here"},
		{"func() bool { return true }()", 1, "means nothing here"},
		{"struct{}", 1, "means nothing here"},
		{"map[int]int", 1, "means nothing here"},
		{"moves; pegs", 6, "expected an operator, found \";\""},
		{"range > 3", 1, "found \"range\""},
		{"$env == 3", 1, "\"$\" means nothing here"},
		{"x := 3", 3, "found \":=\""},
		{"99999999999999999999", 1, "expected a number such as 12"},
		{"1e999", 1, "expected a number such as 12"},
		{"2i", 1, "expected a number such as 12"},
		{"pegs + 012", 8, "expected a number without zeros in front, found \"012\""},
		{"1.2.3", 4, "expected an operator, found \".3\""},
		{"moves > \u00e9", 9, "there is no field \"\u00e9\""},
		{"(\u00e9\u00e9 + 1", 8, "expected \")\", found the end"}, // in characters
		{strings.Repeat("(", 900), 901, "found the end"},
		{strings.Repeat("+-", 499) + "1", 0, ""}, // well formed
		{strings.Repeat("1+", 500) + "1", 0, "the expression has 1001 bytes, expected at most 1000"},
	} {
		_, err := formula.Compile(c.text, places)
		if c.want == "" {
			if err != nil {
				t.Errorf("%.20s: %v", c.text, err)
			}
			continue
		}
		var wrong *formula.Error
		if !errors.As(err, &wrong) || c.column > 0 && wrong.Column != c.column || !strings.Contains(wrong.Message, c.want) {
			t.Errorf("%.40s: %v, want %q at %d", c.text, err, c.want, c.column)
		}
	}
}

// Fields are those that an expression names, and a field that is not needed is not computed.
func TestFields(t *testing.T) {
	f, err := formula.Compile("pegs > 100 && count > pegs", places)
	if err != nil || !slices.Equal(f.Fields(), []int{1, 2}) {
		t.Fatalf("%v, %v", f.Fields(), err)
	}
	times := 0
	list := fields()
	pegs := list[1]
	list[1] = func(x uint64) (int64, error) { times++; return pegs(x) }
	list[2] = func(uint64) (int64, error) { t.Error("count is computed"); return 0, nil }
	r := formula.NewRow(list)
	r.Set(5)
	for range 3 {
		f.Truth(r)
	}
	if times != 1 {
		t.Errorf("pegs is computed %d times", times)
	}
	failed := fmt.Errorf("failed")
	list[1] = func(uint64) (int64, error) { return 0, failed }
	r.Set(6)
	if f.Truth(r); r.Err() != failed {
		t.Errorf("the error is %v", r.Err())
	}
}

func TestIsName(t *testing.T) {
	for text, want := range map[string]bool{"pegs": true, "count": true, "a_1": true, "": false, "a b": false, "in": false, "not": false, "true": false,
		"3": false, "-a": false, "(a)": false, "a ": false, "and": false, "false": false, "range": false, "\u00e9": false} {
		if got := formula.IsName(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

// An expression never panics and takes bounded time, also if every part of it is nested.
func FuzzFormula(f *testing.F) {
	nest := func(before, after string) string {
		n := 990 / (len(before) + len(after))
		return strings.Repeat(before, n) + "1" + strings.Repeat(after, n)
	}
	for _, text := range []string{"moves > 3 && pegs == 2", "moves % count", "share > 0.25", nest("(", ")"), nest("min(1,", ")"), nest("-", ""), nest("!", ""), nest("1+", ""), nest("[", "]"), nest("func(){", "}"),
		nest("struct{a ", "}"), nest("x[", "]"), nest("[]", ""), nest("<-chan ", ""), nest("{", "}"), nest("a.", ""), nest("interface{", ""), nest("func(a[b", ""), nest("if ", ""), "a ? b : c",
		"moves ** 9", "1 < moves < 3", "moves not in [1, 2]", "1e", "..", "\x80"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := formula.Compile(text, places)
		if err != nil {
			return
		}
		r := formula.NewRow(fields())
		for x := range uint64(5) {
			r.Set(x)
			if c.Kind() == formula.Truth {
				c.Truth(r)
			} else {
				c.Order(r, x%2 == 0)
			}
		}
	})
}

// The time of a row: of a closure in Go, and of a Formula.
func BenchmarkRow(b *testing.B) {
	const text = "moves > 5 && pegs <= 2"
	list := fields()
	b.Run("closure", func(b *testing.B) {
		n := 0
		for i := range b.N {
			moves, _ := list[0](uint64(i))
			if moves > 5 {
				if pegs, _ := list[1](uint64(i)); pegs <= 2 {
					n++
				}
			}
		}
	})
	b.Run("formula", func(b *testing.B) {
		f, err := formula.Compile(text, places)
		if err != nil {
			b.Fatal(err)
		}
		r := formula.NewRow(list)
		for i := range b.N {
			r.Set(uint64(i))
			f.Truth(r)
		}
	})
}
