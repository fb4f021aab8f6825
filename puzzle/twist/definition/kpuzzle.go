package definition

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"pagoda/internal/lists"
	"pagoda/statespace/boardtext"
)

// A jsonReader reads a KPuzzle token by token: members of an object keep their order, and have a line.
type jsonReader struct {
	*builder
	*json.Decoder
	text string
	read int            // up to here, places are known
	at   boardtext.Span // of that
}

// to returns the place of an offset, which is not before those that it was called with.
func (r *jsonReader) to(offset int) boardtext.Span {
	if n := strings.Count(r.text[r.read:offset], "\n"); n > 0 {
		r.at.Line, r.at.Col = r.at.Line+n, 1
		r.read += strings.LastIndexByte(r.text[r.read:offset], '\n') + 1
	}
	r.at.Col += utf8.RuneCountInString(r.text[r.read:offset])
	r.read = offset
	return r.at
}

// here returns where the next token begins.
func (r *jsonReader) here() boardtext.Span {
	at := int(r.InputOffset())
	return r.to(at + len(r.text[at:]) - len(strings.TrimLeft(r.text[at:], " \t\r\n,:")))
}

// value reads a value into a variable.
func (r *jsonReader) value(what, expected string, to any) error {
	at := r.here()
	err := r.Decode(to)
	var other *json.UnmarshalTypeError
	if errors.As(err, &other) {
		if other.Field != "" {
			what += ": " + other.Field
		}
		return at.Errorf(0, "%s: expected %s, found %s", what, expected, other.Value)
	}
	return err
}

// object reads an object, or null. It calls take with each key, to read the value.
func (r *jsonReader) object(what string, take func(at boardtext.Span, key string) error) error {
	at := r.here()
	token, err := r.Token()
	if token == nil || err != nil {
		return err
	}
	if token != json.Delim('{') {
		return at.Errorf(0, "%s: expected an object, found %v", what, token)
	}
	seen := make(map[string]bool)
	for r.More() {
		at := r.here()
		token, err := r.Token()
		if err != nil {
			return err
		}
		key := token.(string) // in an object
		if seen[key] {
			return at.Errorf(0, "%s: %.40q is there twice", what, key)
		}
		seen[key] = true
		if err := take(at, key); err != nil {
			return err
		}
	}
	_, err = r.Token()
	return err
}

// A jsonOrbit is the part of a pattern or of a move that belongs to an orbit.
type jsonOrbit struct {
	at               boardtext.Span
	Pieces           []uint16 `json:"pieces"`
	Orientation      []uint16 `json:"orientation"`
	OrientationMod   []uint16 `json:"orientationMod"`
	Permutation      []uint16 `json:"permutation"`
	OrientationDelta []uint16 `json:"orientationDelta"`
}

// readJSON reads a KPuzzle of cubing.js in JSON. As its parts may come in any order, each is read in a pass of its own.
func (b *builder) readJSON(text string) error {
	b.rotations = true
	start := b.end
	var wrong *json.SyntaxError
	if errors.As(json.Unmarshal([]byte(text), new(json.RawMessage)), &wrong) {
		r := &jsonReader{text: text, at: start}
		return r.to(max(0, int(wrong.Offset)-1)).Errorf(0, "this is no JSON: %v", wrong)
	}
	for _, part := range []string{"name", "orbits", "defaultPattern", "moves", "derivedMoves", "experimentalDerivedMoves"} {
		r := &jsonReader{builder: b, Decoder: json.NewDecoder(strings.NewReader(text)), text: text, at: start}
		found := false
		err := r.object("the puzzle", func(at boardtext.Span, key string) error {
			if key != part {
				return r.value(key, "", new(json.RawMessage))
			}
			found = true
			return r.part(at, key)
		})
		if err != nil {
			return err
		}
		if b.end = r.here(); !found && (part == "orbits" || part == "defaultPattern") {
			return b.end.Errorf(0, "the puzzle has no %s", part)
		}
	}
	return nil
}

// part reads a part of the puzzle.
func (r *jsonReader) part(at boardtext.Span, key string) error {
	switch key {
	case "name":
		return r.value(key, "a text", &r.Name)
	case "orbits":
		var sets []struct {
			OrbitName       string `json:"orbitName"`
			NumPieces       uint16 `json:"numPieces"`
			NumOrientations uint16 `json:"numOrientations"`
		}
		err := r.value(key, "a list of orbits, with numbers up to 65535", &sets)
		for _, s := range sets {
			if err == nil {
				err = r.addSet(at, Set{s.OrbitName, int(s.NumPieces), int(s.NumOrientations)})
			}
		}
		return err
	case "defaultPattern":
		known, err := r.orbits(key, r.pattern)
		if err == nil && known < len(r.Sets) {
			err = at.Errorf(0, "%s has %d orbits, expected %d", key, known, len(r.Sets))
		}
		return err
	case "moves":
		return r.object(key, func(at boardtext.Span, name string) error {
			does := r.still()
			_, err := r.orbits("move "+name, func(set int, o jsonOrbit) (err error) {
				does[set], err = r.from(o.at, set, o.row(o.Permutation), o.row(o.OrientationDelta), 0)
				return err
			})
			if err != nil {
				return err
			}
			return r.name(at, name, "", does)
		})
	}
	return r.object(key, func(at boardtext.Span, name string) error {
		sequence := ""
		err := r.value("move "+name, "a text", &sequence)
		if err != nil || r.words[name] != nil { // as in cubing.js, a move goes before a derived one
			return err
		}
		return r.name(at, name, sequence, nil)
	})
}

// orbits reads a pattern or a move, and calls take with each orbit. As in cubing.js, there may be others besides the
// orbits of the puzzle; they are left out. It returns how many are known.
func (r *jsonReader) orbits(what string, take func(set int, o jsonOrbit) error) (known int, err error) {
	var unknown error
	err = r.object(what, func(at boardtext.Span, name string) error {
		o := jsonOrbit{at: at}
		if err := r.value(what+", orbit "+name, "lists of numbers from 0 on", &o); err != nil {
			return err
		}
		set, ok := r.sets[name]
		if !ok {
			unknown = at.Errorf(0, "there is no orbit %.40q, and another one is missing", name)
			return nil
		}
		known++
		return take(set, o)
	})
	if err == nil && known < len(r.Sets) {
		err = unknown
	}
	return known, err
}

// row returns numbers at the place of the orbit, or nil.
func (o jsonOrbit) row(values []uint16) []number {
	return lists.Map(values, func(v uint16) number { return number{o.at, int(v)} })
}

// pattern makes an orbit the solved state of a set. The orientation of a piece is known modulo its orientationMod, or
// in full if that is 0. Pieces with different ones are not alike.
func (r *jsonReader) pattern(set int, o jsonOrbit) error {
	turns := r.Sets[set].Turns
	pieces, orientation, mods := o.row(o.Pieces), o.row(o.Orientation), o.row(o.OrientationMod)
	if mods == nil {
		return r.solve(o.at, set, pieces, orientation, 0)
	}
	if err := cmp.Or(r.Sets[set].fits(o.at, pieces, orientation, 0, open), r.Sets[set].fits(o.at, mods, nil, 0, open)); err != nil {
		return err
	}
	for i := range mods {
		if mods[i].value == 0 {
			mods[i].value = turns
		}
		if turns%mods[i].value != 0 || orientation[i].value >= mods[i].value {
			return o.at.Errorf(0, "orientation %d with orientationMod %d: expected a divisor of %d, and less than that", orientation[i].value, mods[i].value, turns)
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
			return o.at.Errorf(0, "orientationMod %d is not supported: expected 1 or %d, or the same for all pieces", mod.value, turns)
		}
	}
	err := r.solve(o.at, set, pieces, orientation, 0)
	if same {
		r.turns[set] = mods[0].value
	}
	return err
}
