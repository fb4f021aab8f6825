package spacetest

import (
	"reflect"
	"testing"

	"pagoda/statespace"
	"pagoda/statespace/cells"
)

// Keeps checks that a space that wraps another one has every part of the inner one. Lost names those that
// it lacks on purpose, such as "Codes.Graph", each with its reason.
func Keeps(t testing.TB, inner, wrapped statespace.Space, lost map[string]string) {
	t.Helper()
	has := make(map[string]bool)
	eachPart("", reflect.ValueOf(wrapped.Parts()), func(name string, part reflect.Value) { has[name] = !part.IsZero() })
	eachPart("", reflect.ValueOf(inner.Parts()), func(name string, part reflect.Value) {
		if part.IsZero() {
			return
		}
		if _, listed := lost[name]; listed == has[name] {
			t.Errorf("%s: it has the part %s of %s: %t; it is on the list of what is lost: %t", wrapped.Name(), name, inner.Name(), has[name], listed)
		}
	})
}

// eachPart calls do with each part, by name. Those of a struct of functions count each.
func eachPart(prefix string, parts reflect.Value, do func(name string, part reflect.Value)) {
	for i := range parts.NumField() {
		name, part := prefix+parts.Type().Field(i).Name, parts.Field(i)
		if part.Kind() == reflect.Struct {
			eachPart(name+".", part, do)
		} else {
			do(name, part)
		}
	}
}

// Everything returns a space with the numbers and moves of another one that has every part, to be wrapped.
// The parts cannot be used: functions return nothing, or the number 0.
func Everything(sp statespace.Space) statespace.Space {
	e := &everything{Space: sp}
	eachPart("", reflect.ValueOf(&e.parts).Elem(), func(_ string, part reflect.Value) { part.Set(someValue(sp, part.Type())) })
	return e
}

type everything struct {
	statespace.Space
	parts statespace.Parts
}

// Parts implements statespace.Space.
func (e *everything) Parts() statespace.Parts { return e.parts }

// someValue returns a value of a type that is not zero.
func someValue(sp statespace.Space, of reflect.Type) reflect.Value {
	switch of.Kind() {
	case reflect.Bool:
		return reflect.ValueOf(true)
	case reflect.String:
		return reflect.ValueOf("moves")
	case reflect.Slice:
		return reflect.MakeSlice(of, 1, 1)
	case reflect.Pointer:
		value := reflect.New(of.Elem())
		for i := range of.Elem().NumField() {
			value.Elem().Field(i).Set(someValue(sp, of.Elem().Field(i).Type))
		}
		return value
	case reflect.Func:
		return reflect.MakeFunc(of, func([]reflect.Value) (out []reflect.Value) {
			for i := range of.NumOut() {
				value := reflect.Zero(of.Out(i))
				if of.Out(i) == reflect.TypeFor[[]statespace.Index]() {
					value = reflect.MakeSlice(of.Out(i), 1, 1)
				}
				out = append(out, value)
			}
			return out
		})
	case reflect.Interface:
		for _, value := range []any{sp, struct{ statespace.Layers }{}, struct{ cells.Celled }{}, struct{ cells.Finder }{}, struct{ statespace.Quotient }{},
			struct{ statespace.Game }{}} {
			if reflect.TypeOf(value).Implements(of) {
				return reflect.ValueOf(value)
			}
		}
	case reflect.Int:
		return reflect.ValueOf(1)
	}
	return reflect.Zero(of)
}
