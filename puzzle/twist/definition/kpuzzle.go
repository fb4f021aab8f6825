package definition

import (
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"pagoda/statespace/boardtext"
)

// A jsonReader reads JSON token by token: members of an object keep their order, and have a line.
type jsonReader struct {
	*json.Decoder
	text string
	read int            // how much of the text at is behind
	at   boardtext.Span // the end of what was read
}

// here returns where the next token begins.
func (r *jsonReader) here() boardtext.Span {
	to := int(min(r.InputOffset(), int64(len(r.text))))
	to += len(r.text[to:]) - len(strings.TrimLeft(r.text[to:], " \t\r\n,:"))
	if n := strings.Count(r.text[r.read:to], "\n"); n > 0 {
		r.at.Line, r.at.Col = r.at.Line+n, 1
		r.read += strings.LastIndexByte(r.text[r.read:to], '\n') + 1
	}
	r.at.Col += utf8.RuneCountInString(r.text[r.read:to])
	r.read = to
	return r.at
}

// fail returns the error of a place.
func (r *jsonReader) fail(at boardtext.Span, what string, err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return at.Errorf(0, "%s: the text ends within it", what)
	}
	var other *json.UnmarshalTypeError
	if errors.As(err, &other) {
		expected, ok := map[reflect.Kind]string{reflect.String: "a text", reflect.Slice: "a list", reflect.Struct: "an object"}[other.Type.Kind()]
		if !ok {
			expected = "a number from 0 to 65535"
		}
		if other.Field != "" {
			what += ": " + other.Field
		}
		return at.Errorf(0, "%s: expected %s, found %s", what, expected, other.Value)
	}
	return at.Errorf(0, "%s: %v", what, err)
}

// value reads a value into a variable.
func (r *jsonReader) value(what string, to any) error {
	at := r.here()
	if err := r.Decode(to); err != nil {
		return r.fail(at, what, err)
	}
	return nil
}

// object reads an object, or null. It calls take with each key, to read the value.
func (r *jsonReader) object(what string, take func(at boardtext.Span, key string) error) error {
	at := r.here()
	token, err := r.Token()
	if err != nil {
		return r.fail(at, what, err)
	}
	if token == nil {
		return nil
	}
	if token != json.Delim('{') {
		return at.Errorf(0, "%s: expected an object, found %v", what, token)
	}
	seen := make(map[string]bool)
	for r.More() {
		at := r.here()
		token, err := r.Token()
		key, ok := token.(string)
		if err != nil || !ok {
			return r.fail(at, what, err)
		}
		if seen[key] {
			return at.Errorf(0, "%s: %.40q is there twice", what, key)
		}
		seen[key] = true
		if err := take(at, key); err != nil {
			return err
		}
	}
	at = r.here()
	if _, err := r.Token(); err != nil {
		return r.fail(at, what, err)
	}
	return nil
}

// A jsonOrbit is the part of a pattern or of a move that belongs to an orbit.
type jsonOrbit struct {
	at               boardtext.Span
	name             string
	Pieces           []uint16 `json:"pieces"`
	Orientation      []uint16 `json:"orientation"`
	OrientationMod   []uint16 `json:"orientationMod"`
	Permutation      []uint16 `json:"permutation"`
	OrientationDelta []uint16 `json:"orientationDelta"`
}

// orbits reads a pattern or a move.
func (r *jsonReader) orbits(what string) (all []jsonOrbit, err error) {
	err = r.object(what, func(at boardtext.Span, name string) error {
		o := jsonOrbit{at: at, name: name}
		err := r.value(what+", orbit "+name, &o)
		all = append(all, o)
		return err
	})
	return all, err
}

// readJSON reads a KPuzzle of cubing.js in JSON. Orbits, patterns and moves may come in any order.
func (b *builder) readJSON(text string) error {
	type move struct {
		at       boardtext.Span
		name     string
		orbits   []jsonOrbit
		sequence string
	}
	var (
		sets []struct {
			OrbitName       string `json:"orbitName"`
			NumPieces       uint16 `json:"numPieces"`
			NumOrientations uint16 `json:"numOrientations"`
		}
		setsAt, patternAt boardtext.Span
		pattern           []jsonOrbit
		moves, derived    []move
	)
	b.rotations = true
	r := &jsonReader{Decoder: json.NewDecoder(strings.NewReader(text)), text: text, at: b.end}
	err := r.object("the puzzle", func(at boardtext.Span, key string) (err error) {
		switch key {
		case "name":
			return r.value(key, &b.Name)
		case "orbits":
			setsAt = at
			return r.value(key, &sets)
		case "defaultPattern":
			patternAt = at
			pattern, err = r.orbits(key)
			return err
		case "moves":
			return r.object(key, func(at boardtext.Span, name string) error {
				orbits, err := r.orbits("move " + name)
				moves = append(moves, move{at, name, orbits, ""})
				return err
			})
		case "derivedMoves", "experimentalDerivedMoves":
			return r.object(key, func(at boardtext.Span, name string) error {
				m := move{at: at, name: name}
				err := r.value("move "+name, &m.sequence)
				derived = append(derived, m)
				return err
			})
		}
		return r.value(key, new(json.RawMessage))
	})
	if err != nil {
		return err
	}
	b.end = r.here()
	if _, err := r.Token(); err != io.EOF {
		return b.end.Errorf(0, "expected nothing behind the puzzle")
	}
	if setsAt.Line == 0 || patternAt.Line == 0 {
		return b.end.Errorf(0, "the puzzle has no orbits or no defaultPattern: expected both")
	}
	for _, s := range sets {
		if err := b.addSet(setsAt, Set{s.OrbitName, int(s.NumPieces), int(s.NumOrientations)}); err != nil {
			return err
		}
	}
	if err := b.eachOrbit(pattern, b.pattern); err != nil {
		return err
	}
	if len(pattern) < len(b.Sets) { // if there are more, all sets are among them
		return patternAt.Errorf(0, "defaultPattern has %d orbits, expected %d", len(pattern), len(b.Sets))
	}
	for _, m := range moves {
		does := b.still()
		err := b.eachOrbit(m.orbits, func(set int, o jsonOrbit) (err error) {
			does[set], err = b.from(o.at, set, o.row(o.Permutation), o.row(o.OrientationDelta), 0)
			return err
		})
		if err == nil {
			err = b.name(m.at, m.name, "", does)
		}
		if err != nil {
			return err
		}
	}
	for _, m := range derived {
		if b.words[m.name] == nil { // as in cubing.js, a move goes before a derived one
			if err := b.name(m.at, m.name, m.sequence, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// eachOrbit calls take with each orbit that is a set. As in cubing.js there may be others besides; they are left out.
func (b *builder) eachOrbit(orbits []jsonOrbit, take func(set int, o jsonOrbit) error) error {
	known := 0
	var unknown *jsonOrbit
	for _, o := range orbits {
		set := b.setNamed(o.name)
		if set < 0 {
			unknown = &o
			continue
		}
		known++
		if err := take(set, o); err != nil {
			return err
		}
	}
	if unknown != nil && known < len(b.Sets) {
		return unknown.at.Errorf(0, "there is no orbit %.40q, and another one is missing", unknown.name)
	}
	return nil
}

// row returns numbers at the place of the orbit, or nil.
func (o jsonOrbit) row(values []uint16) (row []number) {
	for _, v := range values {
		row = append(row, number{o.at, int(v)})
	}
	return row
}

// pattern makes an orbit the solved state of a set. The orientation of a piece is known modulo its orientationMod, or
// in full if that is 0. Pieces with different ones are not alike.
func (b *builder) pattern(set int, o jsonOrbit) error {
	turns := b.Sets[set].Turns
	pieces, orientation, mods := o.row(o.Pieces), o.row(o.Orientation), o.row(o.OrientationMod)
	if mods == nil {
		return b.solve(o.at, set, pieces, orientation, 0)
	}
	for _, row := range [][]number{pieces, orientation, mods} {
		if err := b.Sets[set].fits(row, o.at, 0, open); err != nil {
			return err
		}
	}
	for i := range mods {
		if mods[i].value == 0 {
			mods[i].value = turns
		}
		if turns%mods[i].value != 0 || orientation[i].value >= mods[i].value {
			return o.at.Errorf(0, "orbit %s: orientation %d with orientationMod %d: expected a divisor of %d, and less than that", o.name, orientation[i].value, mods[i].value, turns)
		}
	}
	same := !slices.ContainsFunc(mods, func(n number) bool { return n.value != mods[0].value })
	for i, mod := range mods {
		pieces[i].value *= 2
		switch {
		case same || mod.value == turns:
		case mod.value == 1:
			orientation[i].value = open
			pieces[i].value++
		default:
			return o.at.Errorf(0, "orbit %s: orientationMod %d is not supported: expected 1 or %d, or the same for all pieces", o.name, mod.value, turns)
		}
	}
	err := b.solve(o.at, set, pieces, orientation, 0)
	if same {
		b.turns[set] = mods[0].value
	}
	return err
}
