package formula_test

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"regexp"
	"strings"
	"testing"

	"pagoda/internal/formula"
)

// reference computes an expression for a state by go/types, as a constant: each field is one. There, /
// makes a fraction of fractions only, and there is no abs. A division by zero is an error.
func reference(t *testing.T, text string, x uint64) (types.TypeAndValue, error) {
	t.Helper()
	p := types.NewPackage("fields", "fields")
	for name, field := range places {
		v, _ := fields()[field.Place](x)
		kind, is := types.UntypedInt, constant.MakeInt64(v)
		if field.Kind == formula.Fraction {
			kind, is = types.UntypedFloat, constant.MakeFloat64(math.Float64frombits(uint64(v)))
		}
		p.Scope().Insert(types.NewConst(token.NoPos, p, name, types.Typ[kind], is))
	}
	text = strings.NewReplacer("/", "/1.0/", "\n", " ").Replace(text)
	text = regexp.MustCompile(`abs\(([^()]*)\)`).ReplaceAllString(text, "max($1, -($1))")
	v, err := types.Eval(token.NewFileSet(), p, token.NoPos, text)
	if err != nil && !strings.Contains(err.Error(), "division by zero") {
		t.Fatalf("%s: Go refuses it: %v", text, err)
	}
	return v, err
}

// same compares an expression with the reference for some states.
func same(t *testing.T, text string, states uint64) {
	t.Helper()
	f, err := formula.Compile(text, places)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	for x := range states {
		r := formula.NewRow(fields())
		r.Set(x)
		var got any
		if f.Kind() == formula.Truth {
			got = f.Truth(r)
		} else {
			got = f.Number(r)
		}
		v, err := reference(t, text, x)
		if (err != nil) != (r.Err() != nil) {
			t.Fatalf("%s at %d: the error is %v, that of Go %v", text, x, r.Err(), err)
		}
		if err != nil {
			continue
		}
		var kind formula.Kind
		var want any
		switch info := v.Type.Underlying().(*types.Basic).Info(); {
		case info&types.IsBoolean != 0:
			kind, want = formula.Truth, constant.BoolVal(v.Value)
		case info&types.IsFloat != 0:
			kind = formula.Fraction
			fallthrough
		default:
			want, _ = constant.Float64Val(v.Value)
		}
		if got != want || f.Kind() != kind {
			t.Fatalf("%s at %d: %s, %v, want %s, %v", text, x, f.Kind(), got, kind, want)
		}
	}
}
