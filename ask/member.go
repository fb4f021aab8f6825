package ask

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pagoda/internal/formula"
	"pagoda/statespace"
)

// A Member is a member as it is listed.
type Member struct {
	Pattern string // the state, as Parse reads it
	Layer   *int   // of a space with layers; else nil
	Fields  []FieldValue

	layerName string
}

// A FieldValue is a field of a member.
type FieldValue struct {
	Name  string
	Value any // an int64, a float64, or a text
}

// newFieldValue returns the value of a field that value has returned.
func newFieldValue(name string, v int64, fraction bool) FieldValue {
	if fraction {
		return FieldValue{name, math.Float64frombits(uint64(v))}
	}
	return FieldValue{name, v}
}

// json returns the value for JSON, which has no infinity.
func (f FieldValue) json() any {
	if x, ok := f.Value.(float64); ok && math.IsInf(x, 0) {
		return nil
	}
	return f.Value
}

// String writes the value. A fraction has 14 digits.
func (f FieldValue) String() string {
	if x, ok := f.Value.(float64); ok {
		return FormatFraction(x, 14)
	}
	return fmt.Sprint(f.Value)
}

// FormatFraction writes a floating-point number for people, with some digits.
func FormatFraction(x float64, digits int) string {
	if math.IsInf(x, 1) {
		return "infinite"
	}
	return strconv.FormatFloat(x, 'g', digits, 64)
}

// MarshalJSON writes an object with the layer under its name, such as "pegs", and the fields under
// theirs.
func (m Member) MarshalJSON() ([]byte, error) {
	o := object{{"pattern", m.Pattern}}
	if m.Layer != nil {
		o = append(o, field{m.layerName, *m.Layer})
	}
	for _, f := range m.Fields {
		if m.Layer == nil || f.Name != m.layerName {
			o = append(o, field{f.Name, f.json()})
		}
	}
	return o.MarshalJSON()
}

// String writes the pattern, and the fields behind it: "o..  jumps=2".
func (m Member) String() string {
	if len(m.Fields) == 0 {
		return m.Pattern
	}
	var s strings.Builder
	s.WriteString(m.Pattern)
	for _, f := range m.Fields {
		fmt.Fprintf(&s, "  %s=%s", f.Name, f)
	}
	return s.String()
}

// NewMember describes a state.
func NewMember(sp statespace.Space, x statespace.Index) Member {
	m := Member{Pattern: sp.Format(x)}
	if l := sp.Parts().Layers; l != nil {
		layer := l.Layer(x)
		m.Layer, m.layerName = &layer, l.LayerName()
	}
	return m
}

// Describer returns the function that describes states of a pick, with some fields by their
// names. It is for one goroutine; call it within Read.
func (f *File) Describer(c Pick, show []string) (func(x statespace.Index) (Member, error), error) {
	values, err := f.shown(c, show)
	if err != nil {
		return nil, err
	}
	return func(x statespace.Index) (Member, error) {
		m := NewMember(f.Space(), x)
		for _, v := range values {
			n, err := v.of(x)
			if err != nil {
				return m, err
			}
			m.Fields = append(m.Fields, newFieldValue(v.name, n, v.fraction))
		}
		return m, nil
	}, nil
}

// A shown is a field under the name that it is shown by.
type shown struct {
	name     string
	fraction bool
	of       value
}

// shown finds fields of a pick by their names.
func (f *File) shown(c Pick, names []string) ([]shown, error) {
	if len(names) == 0 {
		return nil, nil
	}
	return f.fields(c).shown(names)
}

// shown finds fields by their names. A name that comes twice counts once.
func (s *fields) shown(names []string) (all []shown, err error) {
	for _, name := range names {
		field, ok := s.names[strings.TrimSpace(name)]
		switch {
		case !ok && !formula.IsName(name):
			err = fmt.Errorf("expected the names of fields with commas between")
		case !ok:
			err = s.unknown(name)
		default:
			err = s.check(field.Place)
		}
		if err != nil {
			return nil, &PartError{"show", Shorten(name), err}
		}
		name = strings.TrimSpace(name)
		if !slices.ContainsFunc(all, func(v shown) bool { return v.name == name }) {
			all = append(all, shown{name, field.Kind == formula.Fraction, s.list[field.Place].of()})
		}
	}
	return all, nil
}
