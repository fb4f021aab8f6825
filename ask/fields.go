package ask

import (
	"slices"
	"strings"
	"sync"

	"pagoda/internal/formula"
	"pagoda/internal/suggest"
	"pagoda/layers"
	"pagoda/statespace"
)

// A Field is a number about each state, by which people select, sort and describe members.
type Field struct {
	Name  string `json:"name"`
	Alias string `json:"alias,omitempty"` // another name, or empty
	About string `json:"about"`
	// Fraction says that it is a floating-point number. Else it is a whole one.
	Fraction bool `json:"fraction,omitempty"`

	members bool               // only members have it
	has     func(row int) bool // of a table: the rows that have it
	of      func() value       // one for each goroutine
}

// A value returns the value of a field for a state: of a Fraction, math.Float64bits. It is called within
// Read.
type value func(x statespace.Index) (int64, error)

// Fields returns the fields of the states in the file: what the file keeps, and what the space knows.
func (f *File) Fields() (all []Field) {
	add := func(field Field) {
		taken := slices.ContainsFunc(all, func(g Field) bool { return g.Name == field.Name || g.Alias == field.Name })
		if !taken && formula.IsName(field.Name) {
			all = append(all, field)
		}
	}
	if l := f.Space().Parts().Layers; l != nil {
		about := "the layer: the number of " + l.LayerName()
		if f.Space().Parts().Chance != nil {
			about = "the layer: the " + l.LayerName()
		}
		add(Field{Name: l.LayerName(), About: about, of: func() value {
			return func(x statespace.Index) (int64, error) { return int64(l.Layer(x)), nil }
		}})
	}
	if d, ok := f.Distances(); ok && d.Whole {
		about := "the distance from the start"
		if f.Space().Parts().Reversed {
			about = "the distance to the end"
		}
		moves := Field{Name: "moves", About: about, members: true, of: func() value {
			return func(x statespace.Index) (int64, error) {
				entry, err := d.At(x)
				return int64(entry) - 1, err
			}
		}}
		if f.Space().Parts().Layers == nil && f.Meta().Layer != moves.Name && formula.IsName(f.Meta().Layer) {
			moves.Alias = f.Meta().Layer
		}
		add(moves)
	}
	for _, field := range f.worthFields() {
		add(field)
	}
	values, _ := f.Values()
	for i, c := range values.Columns {
		about := f.Space().Parts().Values.Columns[i].About
		add(f.ofValues(values, c.Name, about, func(values []uint64) int64 { return int64(values[i]) }))
	}
	for _, feature := range statespace.Features(f.Space()) {
		if feature.OfValues != nil {
			if values.Columns != nil {
				add(f.ofValues(values, feature.Name, feature.About, feature.OfValues))
			}
			continue
		}
		add(Field{Name: feature.Name, About: feature.About, of: func() value {
			of := feature.New()
			return func(x statespace.Index) (int64, error) { return of(x), nil }
		}})
	}
	orbit := orbitOf(f.Space())
	add(Field{Name: "orbit", About: "how many different states the symmetries make of it, itself included", of: func() value {
		return func(x statespace.Index) (int64, error) { return int64(orbit(x)), nil }
	}})
	return all
}

// orbitOf returns the function that counts the states in the orbit of a state. Several goroutines may
// call it.
func orbitOf(sp statespace.Space) func(x statespace.Index) int {
	if q := sp.Parts().Symmetry.Quotient; q != nil {
		return func(x statespace.Index) int {
			_, n := q.StandsFor(x)
			return n
		}
	}
	symmetries := sync.OnceValue(func() []statespace.Symmetry { return statespace.Mirrors(sp) })
	return func(x statespace.Index) int { return statespace.Orbit(symmetries(), x) }
}

// ofValues returns a field that follows from the numbers that the file keeps of a state.
func (f *File) ofValues(kept layers.Values, name, about string, of func(values []uint64) int64) Field {
	return Field{Name: name, About: about, members: true, of: func() value {
		values := make([]uint64, len(kept.Columns))
		return func(x statespace.Index) (int64, error) {
			err := kept.Get(values, x)
			return of(values), err
		}
	}}
}

// fields are the fields that questions about a pick may use.
type fields struct {
	list  []Field
	names map[string]formula.Field // of names and aliases, with their places in the list
	path  string                   // of the file, or empty
	all   bool                     // of states that are no members, too
	lost  []string                 // names of what files of the space keep in another store
}

func (f *File) fields(c Pick) *fields {
	s := newFields(f.Fields(), f.Path(), c.Complement)
	sp := f.Space()
	if of := sp.Parts().Codes.Of; of != nil {
		sp = of
	}
	if _, kept := f.Values(); kept || !sp.Parts().Values.Any() {
		return s
	}
	for _, c := range sp.Parts().Values.Columns {
		s.lost = append(s.lost, c.Name)
	}
	for _, feature := range statespace.Features(sp) {
		if feature.OfValues != nil {
			s.lost = append(s.lost, feature.Name)
		}
	}
	return s
}

func newFields(list []Field, path string, all bool) *fields {
	s := &fields{list: list, names: make(map[string]formula.Field), path: path, all: all}
	for i, field := range s.list {
		of := formula.Field{Place: i, Kind: formula.Whole}
		if field.Fraction {
			of.Kind = formula.Fraction
		}
		s.names[field.Name] = of
		if field.Alias != "" {
			s.names[field.Alias] = of
		}
	}
	return s
}

// unknown is the error of a name that no field has.
func (s *fields) unknown(name string) error {
	var names []string
	for _, field := range s.list {
		names = append(names, field.Name)
		if field.Alias != "" {
			names = append(names, field.Alias)
		}
	}
	if slices.Contains(s.lost, name) {
		return Questionf("there is no field %q: %s does not keep it; convert it to the store distance, or use %s", name, s.path, strings.Join(names, ", "))
	}
	if advice := suggest.Question(name, names); advice != "" {
		return Questionf("there is no field %.40q%s", name, advice)
	}
	if (name == "moves" || name == "depth") && s.path != "" {
		return Questionf("there is no field %q: %s keeps no whole distances; convert it to the store distance, or use %s", name, s.path, strings.Join(names, ", "))
	}
	return Questionf("there is no field %.40q, expected %s", name, suggest.Either(names))
}

// check refuses a field that states of the pick may lack.
func (s *fields) check(i int) error {
	if s.all && s.list[i].members {
		return Questionf("states that are not in %s have no %s", s.path, s.list[i].Name)
	}
	return nil
}

// row returns the values of some fields for one goroutine.
func (s *fields) row(places []int) *formula.Row {
	values := make([]func(x uint64) (int64, error), len(s.list))
	for _, i := range places {
		values[i] = s.list[i].of()
	}
	return formula.NewRow(values)
}
