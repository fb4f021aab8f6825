package formula_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"

	"pagoda/internal/formula"
)

var places = map[string]int{"moves": 0, "pegs": 1, "count": 2}

// fields returns the fields of a state: they depend on it in simple ways.
func fields() []func(x uint64) (int64, error) {
	return []func(x uint64) (int64, error){
		func(x uint64) (int64, error) { return int64(x), nil },
		func(x uint64) (int64, error) { return int64(x%7) - 3, nil },
		func(x uint64) (int64, error) { return int64(x * x % 11), nil },
	}
}

// environment returns the fields for the machine of expr.
func environment(x uint64) map[string]any {
	env := make(map[string]any)
	for name, i := range places {
		v, _ := fields()[i](x)
		env[name] = int(v)
	}
	return env
}

// plain compiles an expression for the machine of expr.
func plain(text string) (*vm.Program, error) {
	return expr.Compile(text, expr.Env(environment(0)), expr.DisableAllBuiltins(), expr.EnableBuiltin("abs"), expr.EnableBuiltin("min"), expr.EnableBuiltin("max"))
}

// value returns the value of an expression as the machine of expr has it.
func value(f *formula.Formula, r *formula.Row) any {
	switch f.Kind() {
	case formula.Truth:
		return f.Truth(r)
	default:
		return f.Number(r)
	}
}

// number returns a number as a fraction, and anything else as it is.
func number(v any) any {
	if i, ok := v.(int); ok {
		return float64(i)
	}
	return v
}

// same compares an expression with the machine of expr for some states.
func same(t *testing.T, text string, states uint64) {
	t.Helper()
	f, err := formula.Compile(text, places)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	program, err := plain(text)
	if err != nil {
		t.Fatalf("%s: expr refuses it: %v", text, err)
	}
	for x := range states {
		r := formula.NewRow(fields())
		r.Set(x)
		got := value(f, r)
		want, err := expr.Run(program, environment(x))
		if (err != nil) != (r.Err() != nil) {
			t.Fatalf("%s at %d: the error is %v, that of expr %v", text, x, r.Err(), err)
		}
		if a, ok := got.(float64); err != nil || ok && math.IsNaN(a) && math.IsNaN(number(want).(float64)) {
			continue
		}
		if got != number(want) {
			t.Fatalf("%s at %d: %v, want %v", text, x, got, want)
		}
	}
}

// What an expression means is what it means to the machine of expr.
func TestMeaning(t *testing.T) {
	for _, text := range []string{
		"moves", "-moves", "+moves", "--moves", "moves + 2 * pegs - 1", "moves / 2", "moves / pegs", "0 / 0 * pegs", "moves % 3", "moves % pegs", "-moves % 3",
		"moves ** 2", "moves ^ 2 ^ 1", "2.5 + moves", "1e3", ".5 + moves", "1.", "1e-2 * moves", "-moves ** 2", "2 ** 3 ** moves", "(moves)", "moves - pegs - 1", "moves - (pegs - 1)", "8 / 4 / 2 + pegs", "moves > 3", "3 < moves", "3 < moves <= 9", "3 < moves < count < 20",
		"moves == 4", "moves != 4", "moves == 4.0", "moves / 2 == 2", "pegs >= 0 and moves < 9", "pegs >= 0 && moves < 9 or count == 4",
		"not (moves > 3)", "!(moves > 3) || false", "moves in [1, 2, 5]", "moves not in [1, 2, 5]", "moves in [1, 2.5, pegs + 4]", "moves in []",
		"moves in 3..5", "moves in -3..5", "pegs + 1 in pegs..count", "moves not in 3..5", "(moves > 3) == (pegs > 0)", "(moves > 3) != true",
		"moves > 3 ? moves : pegs", "moves > 3 ? 1.5 : pegs", "(moves > 3 ? pegs > 0 : count > 2)", "moves > 3 ? 1 : pegs > 0 ? 2 : 3", "moves > 3 ? pegs > 0 ? 1 : 2 : 3",
		"not true == (moves > 3)", "true == not (moves > 3) == (pegs > 0)", "1 < moves == true", "moves in 1..3 == (pegs > 0)", "moves in 1 + 1..3 * 2",
		"abs(pegs)", "abs(pegs / 2)", "min(moves, pegs)", "max(moves, pegs, count)", "max(moves, 2.5)", "min(pegs)", "abs(-moves) > 3", "count > 3\n or\tpegs<2",
	} {
		same(t, text, 20)
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
		return of("moves", "pegs", "count", "2", "0", "1.5")
	}
	if !truth {
		switch rng.IntN(5) {
		case 0:
			return "-(" + sub(false) + ")"
		case 1:
			return "(" + sub(true) + " ? " + sub(false) + " : " + sub(false) + ")"
		case 2:
			return of("min", "max") + "(moves, pegs)" // expr takes the first argument for the type of all
		}
		if rng.IntN(4) == 0 { // by no zero: min and max of expr depend on the order of what is no number
			return "(" + sub(false) + " / 4)"
		}
		return "(" + sub(false) + of(" + ", " - ", " * ") + sub(false) + ")"
	}
	switch rng.IntN(4) {
	case 0:
		return "not (" + sub(true) + ")"
	case 1:
		return "((" + sub(true) + ")" + of(" && ", " || ", " == ", " != ") + "(" + sub(true) + "))"
	case 2:
		return sub(false) + " in [" + sub(false) + ", " + sub(false) + "]"
	}
	return "(" + sub(false) + of(" < ", " <= ", " > ", " >= ", " == ", " != ") + sub(false) + ")"
}

func TestRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 2000 {
		same(t, write(rng, 1+i%4, i%2 == 0), 10)
	}
}

// Order sorts as the values do, and puts what is no number last.
func TestOrder(t *testing.T) {
	for _, text := range []string{"moves", "-moves", "pegs", "pegs / 2", "moves / pegs", "0 * moves / pegs", "-1 / count"} {
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
		{"moves & 3", 7, "'&' means nothing here"},
		{"moves && true", 1, "&& takes true or false, found a whole number"},
		{"not moves", 5, "not takes true or false"},
		{"(moves > 3) + 1", 2, "+ takes numbers, found true or false"},
		{"-(moves > 3)", 3, "- takes numbers, found true or false"},
		{"moves == true", 7, "compares a whole number with true or false"},
		{"moves % 2.5", 7, "% takes whole numbers"},
		{"moves == 'a'", 10, "means nothing here"},
		{"[1] == [1]", 1, "expected a number"},
		{"moves in pegs", 14, "expected a list"},
		{"moves in 1.5..3", 7, "whole numbers, found a whole number in a fraction to a whole number"},
		{"moves not > 3", 11, "expected \"in\", found \">\""},
		{"(moves > 3) in [1]", 2, "in takes numbers"},
		{"1..1000000000", 2, "expected an operator, found \"..\""},
		{"len(moves) > 2", 1, "there is no function \"len\""},
		{"abs(moves, 2)", 1, "the number of arguments of abs is 2, expected 1"},
		{"max()", 1, "is 0, expected 1 or more"},
		{"min(moves pegs)", 11, "expected \",\", found \"pegs\""},
		{"moves.pegs", 6, "means nothing here"},
		{"$env == 3", 1, "means nothing here"},
		{"let x = 3; x", 7, "'=' means nothing here"},
		{"moves in [1,]", 13, "found \"]\""},
		{"moves ? 1 : 2", 1, "a condition is true or false"},
		{"moves > 3 ? 1 : true", 17, "both cases"},
		{"moves > 3 ? 1", 14, "expected \":\", found the end"},
		{"1 < moves + 1 < 3", 15, "between two comparisons"},
		{"99999999999999999999", 1, "expected a number such as 12"},
		{"0x12 + 012a", 1, "expected a number such as 12"},
		{"1.2.3", 1, "expected a number such as 12"},
		{"moves > \u00e9", 9, "'\u00e9' means nothing here"},
		{strings.Repeat("(", 900), 901, "found the end"},
		{strings.Repeat("-", 999) + "1", 0, "-1"}, // well formed
		{strings.Repeat("1+", 500) + "1", 0, "the expression has 1001 bytes, expected at most 1000"},
	} {
		_, err := formula.Compile(c.text, places)
		if c.want == "-1" {
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
		"3": false, "-a": false, "(a)": false, "a ": false, "and": false, "false": false, "\u00e9": false} {
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
	for _, text := range []string{"moves > 3 && pegs in 2..5", "moves % count", nest("((", " in [1,1,1]) ? 1 : 0)"), nest("(1<", "<2?1:0)"), nest("min(1,", ")"), nest("-", ""),
		"a ? b : c", "moves ** 9 ** 9 ** 9", "1 < moves < 3", "moves not in [1, 2]", "1e", "..", "\x80"} {
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

// The time of a row: of a closure in Go, of a Formula, and of the machine of expr.
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
	b.Run("expr", func(b *testing.B) {
		program, err := plain(text)
		if err != nil {
			b.Fatal(err)
		}
		var machine vm.VM
		env := environment(0)
		for i := range b.N {
			for name, place := range places {
				v, _ := list[place](uint64(i))
				env[name] = int(v)
			}
			if _, err := machine.Run(program, env); err != nil {
				b.Fatal(err)
			}
		}
	})
}
