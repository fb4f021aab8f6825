package definition

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pagoda/statespace/cells"
)

// parse reads a definition that has no errors.
func parse(t testing.TB, text string) *Puzzle {
	t.Helper()
	p, err := Parse(text)
	if err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	if !Is(text) {
		t.Errorf("it is none for Is:\n%s", text)
	}
	check(t, p)
	return p
}

// check checks all that a Puzzle promises.
func check(t testing.TB, p *Puzzle) {
	t.Helper()
	places := 0
	for i, s := range p.Sets {
		if places += s.Places; s.Places < 1 || s.Turns < 1 || s.Turns > MaxTurns || len(p.Solved[i]) != s.Places {
			t.Errorf("set %v has %d pieces", s, len(p.Solved[i]))
		}
		anyOf, most := make(map[int]bool), 0
		for _, piece := range p.Solved[i] {
			if is, ok := anyOf[piece.Kind]; ok && is != (piece.Turn == Any) {
				t.Errorf("set %s: pieces of kind %d differ", s.Name, piece.Kind)
			}
			anyOf[piece.Kind], most = piece.Turn == Any, max(most, piece.Kind)
			if piece.Kind < 0 || piece.Turn < Any || piece.Turn >= s.Turns || piece.Turn == Any && s.Turns == 1 {
				t.Errorf("set %v has piece %v", s, piece)
			}
		}
		if most != len(anyOf)-1 {
			t.Errorf("set %s has %d kinds, up to %d", s.Name, len(anyOf), most)
		}
	}
	if places > MaxPlaces || len(p.Moves) == 0 || len(p.Moves)+len(p.Symmetries) > MaxMoves || len(p.Solved) != len(p.Sets) {
		t.Errorf("%d places, %d moves, %d symmetries, %d of %d sets are solved", places, len(p.Moves), len(p.Symmetries), len(p.Solved), len(p.Sets))
	}
	for _, m := range append(p.Moves[:len(p.Moves):len(p.Moves)], p.Symmetries...) {
		if len(m.Sets) != len(p.Sets) {
			t.Fatalf("move %s has %d sets", m.Name, len(m.Sets))
		}
		for i, s := range p.Sets {
			seen := make(map[int]bool)
			for _, f := range m.Sets[i] {
				if seen[f.Place] = true; f.Place < 0 || f.Place >= s.Places || f.Turn < 0 || f.Turn >= s.Turns {
					t.Errorf("move %s, set %v: %v", m.Name, s, f)
				}
			}
			if len(seen) != s.Places {
				t.Errorf("move %s, set %v: %d places", m.Name, s, len(seen))
			}
		}
	}
	for _, x := range p.Illegal {
		if x.Set < 0 || x.Set >= len(p.Sets) || x.Place < 0 || x.Place >= p.Sets[x.Set].Places || p.Solved[x.Set][x.Place].Kind == x.Kind {
			t.Errorf("illegal: %v", x)
		}
	}
}

// The same puzzle in four forms: rings of four and of three that share a place, and pieces of three colours.
var ring = []string{`# two rings
name: rings
a = (1 2 3 4)
b := (3,5,6) ;   # as GAP writes it
c=()
solved: AAB BCC
`, `Name rings
# a comment
Set pieces 6 1

Solved
pieces
1 1 2 2 3 3
End
Move a
pieces
4 1 2 3 5 6
End
Move b
pieces
1 2 6 4 3 5
0 0 0 0 0 0
End
Move c
End`, `Name rings
Set pieces 6 1
StartState
pieces
0 0 1 1 7 7
0 0 0 0 0 0
End
MoveSequence c a b b3' a'
MoveTransformation a
pieces
3 0 1 2 4 5
End
MoveAlias A a'
MoveTransformation b
pieces
0 1 5 3 2 4
0 0 0 0 0 0
End
`, `{"moves": {
  "a": {"pieces": {"permutation": [3, 0, 1, 2, 4, 5], "orientationDelta": [0, 0, 0, 0, 0, 0]}},
  "b": {"other": {"permutation": []}, "pieces": {"permutation": [0, 1, 5, 3, 2, 4], "orientationDelta": [0, 0, 0, 0, 0, 0]}},
  "c": {}
 },
 "orbits": [{"orbitName": "pieces", "numPieces": 6, "numOrientations": 1}],
 "defaultPattern": {"pieces": {"pieces": [0, 0, 1, 1, 2, 2], "orientation": [0, 0, 0, 0, 0, 0]}},
 "name": "rings",
 "experimentalDerivedMoves": {"A": "a'"},
 "$schema": ["of", {"no": "matter"}]
}`}

func TestFourForms(t *testing.T) {
	want := parse(t, ring[0])
	if got := want.Moves[0].Sets[0][0].Place; got != 3 { // a takes the piece from place 4 to place 1
		t.Errorf("the piece at place 1 comes from place %d", got+1)
	}
	for _, text := range ring[1:] {
		got := parse(t, text)
		if len(got.Moves) == 3 && got.Moves[0].Name == "c" { // the order is that of the text
			got.Moves = append(got.Moves[1:], Move{"c", want.still()})
			if !reflect.DeepEqual(parse(t, text).Moves[0].Sets, parse(t, strings.Replace(text, "c a b b3' a'", "c [a: b]", 1)).Moves[0].Sets) {
				t.Error("a sequence differs from a conjugate")
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%+v differs from %+v:\n%s", got, want, text)
		}
	}
	for _, text := range []string{"\ufeff" + ring[1], strings.ReplaceAll(ring[1], "\n", "\r\n"), strings.Replace(ring[1], "Name rings\n", "", 1), strings.Replace(ring[3], "{", "\n\n {", 1)} {
		if got := parse(t, text); !reflect.DeepEqual(got.Moves, want.Moves) || !reflect.DeepEqual(got.Solved, want.Solved) {
			t.Errorf("%+v differs from %+v:\n%q", got, want, text)
		}
	}
}

// Three forms of pieces that turn: two turn against each other as they change places, three turn in a ring.
var turning = []string{`Set a 2 4
Set b 3 3
Solved
a
2 1
3 ?
b
1 1 1
0 1 2
End
Move T
a
2 1
1 2
b
3 1 2
0 1 2
End
Move Xv
b
1 2 3
1 1 1
End`, `Set a 2 4
Set b 3 3
StartState
a
1 0
3 ?
b
2 2 2
0 1 2
End
MoveTransformation T
a
1 0
2 1
b
2 0 1
2 0 1
End
MoveTransformation Xv
b
0 1 2
1 1 1
End`, `{"orbits": [{"orbitName": "a", "numPieces": 2, "numOrientations": 4}, {"orbitName": "b", "numPieces": 3, "numOrientations": 3}],
"defaultPattern": {
	"a": {"pieces": [1, 0], "orientation": [3, 0], "orientationMod": [4, 1]},
	"b": {"pieces": [1, 1, 1], "orientation": [0, 1, 2], "orientationMod": [0, 3, 0]}},
"moves": {"T": {
	"a": {"permutation": [1, 0], "orientationDelta": [2, 1]},
	"b": {"permutation": [2, 0, 1], "orientationDelta": [2, 0, 1]}}},
"derivedMoves": {"Xv": "T3 T3", "T": "_"}}`}

func TestTurningForms(t *testing.T) {
	want := parse(t, turning[0])
	for _, text := range turning[1:] {
		got := parse(t, text)
		if text == turning[2] {
			if m := got.then(want.times(want.Moves[0].Sets, 3), want.times(want.Moves[0].Sets, 3)); !reflect.DeepEqual(got.Symmetries, []Move{{"Xv", m}}) {
				t.Errorf("T3 T3 is %v, want %v", got.Symmetries, m)
			}
			got.Symmetries = want.Symmetries
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%+v differs from %+v:\n%s", got, want, text)
		}
	}
	// As ksolve says, the turn of a piece is where it comes from: the piece at place 1 comes from place 2, and turns twice.
	if got := want.Moves[0].Sets[0][0]; got != (From{1, 2}) {
		t.Errorf("the piece at place 1 of a comes as %v", got)
	}
	if len(want.Symmetries) != 1 || want.Symmetries[0].Name != "Xv" || len(want.Moves) != 1 {
		t.Errorf("there are %d moves, and the symmetries %v", len(want.Moves), want.Symmetries)
	}
}

// Where no turn of a set looks different, or only its remainder, the set has so few turns.
func TestFewerTurns(t *testing.T) {
	for from, to := range map[string]string{
		`"orientation": [3, 0], "orientationMod": [4, 1]`: "",
		`"orientation": [1, 0], "orientationMod": [2, 2]`: "{a 2 2} [{1 1} {0 0}] [{1 0} {0 1}]",
		`"orientation": [0, 0], "orientationMod": [1, 1]`: "{a 2 1} [{1 0} {0 0}] [{1 0} {0 0}]",
		`"orientation": [3, 2], "orientationMod": [0, 4]`: "{a 2 4} [{1 3} {0 2}] [{1 2} {0 1}]",
	} {
		if to == "" {
			to = "{a 2 4} [{1 3} {0 -1}] [{1 2} {0 1}]"
		}
		p := parse(t, strings.Replace(turning[2], `"orientation": [3, 0], "orientationMod": [4, 1]`, from, 1))
		if got := strings.TrimSpace(sprint(p.Sets[0], p.Solved[0], p.Moves[0].Sets[0])); got != to {
			t.Errorf("%s: %s, want %s", from, got, to)
		}
	}
	p := parse(t, strings.Replace(turning[0], "3 ?\n", "? ?\n", 1))
	if got, want := sprint(p.Sets[0], p.Solved[0], p.Moves[0].Sets[0]), "{a 2 1} [{1 0} {0 0}] [{1 0} {0 0}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	p = parse(t, strings.Replace(strings.Replace(turning[0], "Set b 3 3", "Set b 3 1", 1), "0 1 2\nEnd", "0 ? ?\nEnd", 1))
	if got, want := sprint(p.Sets[1], p.Solved[1], p.Moves[0].Sets[1]), "{b 3 1} [{0 0} {0 0} {0 0}] [{2 0} {0 0} {1 0}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	// Pieces with different moduli are not alike.
	p = parse(t, strings.Replace(turning[2], `"pieces": [1, 0]`, `"pieces": [1, 1]`, 1))
	if got, want := sprint(p.Solved[0]), "[{0 3} {1 -1}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A sequence is what its moves do one after the other; another name is no move.
func TestSequences(t *testing.T) {
	const moves = "Set p 5 2\nSolved\nEnd\nMove a\np\n2 3 1 4 5\n1 0 0 0 0\nEnd\nMove b2\np\n1 2 4 5 3\nEnd\nMove x\np\n5 4 3 2 1\nEnd\n"
	p := parse(t, moves)
	a, b, x := p.Moves[0].Sets, p.Moves[1].Sets, p.Symmetries[0].Sets
	for text, want := range map[string][][]From{
		"a b2":          p.then(a, b),
		"a,b2":          p.then(a, b),
		"a2 b2'":        p.then(p.then(a, a), p.inverse(b)),
		"a0 a5' a":      p.times(p.inverse(a), 4),
		"(a b2)3'":      p.inverse(p.times(p.then(a, b), 3)),
		"[a: b2]2":      p.times(p.then(p.then(a, b), p.inverse(a)), 2),
		"[x : [a: b2]]": p.then(p.then(x, p.then(p.then(a, b), p.inverse(a))), p.inverse(x)),
		"() a ((()))":   a,
		"b22 b2 b2":     p.times(b, 4),
		"later x":       p.then(p.then(b, a), x),
	} {
		p := parse(t, moves+"MoveSequence new "+text+"\nMoveSequence later b2 a\nMoveAlias other new'\n")
		if len(p.Moves) != 4 || len(p.Symmetries) != 1 {
			t.Fatalf("%s: %d moves, %d symmetries", text, len(p.Moves), len(p.Symmetries))
		}
		if got := p.Moves[2].Sets; !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %v, want %v", text, got, want)
		}
	}
	p = parse(t, `{"orbits": [{"orbitName": "p", "numPieces": 3, "numOrientations": 1}], "defaultPattern": {"p": {"pieces": [0, 1, 2]}},
		"moves": {"a": {"p": {"permutation": [1, 2, 0]}}, "b": {"p": {"permutation": [1, 0, 2]}}}, "derivedMoves": {"c": "[a, b]", "d": "(c)", "Uv": "b", "e": "a2'"}}`)
	if want := p.then(p.then(p.then(p.Moves[0].Sets, p.Moves[1].Sets), p.inverse(p.Moves[0].Sets)), p.inverse(p.Moves[1].Sets)); len(p.Moves) != 4 || !reflect.DeepEqual(p.Moves[2].Sets, want) || !reflect.DeepEqual(p.Moves[3].Sets, want) {
		t.Errorf("a commutator: %v, want %v", p.Moves, want)
	}
}

// Illegal names a piece as the solved state does, from 1 on.
func TestIllegal(t *testing.T) {
	p := parse(t, "Set p 4 1\nSolved\np\n5 5 9 2\nEnd\nMove a\np\n2 3 4 1\nEnd\nIllegal p 1 9 2 9\nIllegal p 4 5\n")
	if got, want := sprint(p.Illegal), "[{0 0 2} {0 0 0} {0 3 1}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	p = parse(t, "Set p 2 1\nSet q 4 1\nStartState\nq\n0 1 1 0\nEnd\nMove a\nq\n2 3 4 1\nEnd\nIllegal q 1 2\nIllegal p 2 1\n")
	if got, want := sprint(p.Illegal), "[{1 0 1} {0 1 0}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A puzzle is the same after it was JSON.
func TestMarshal(t *testing.T) {
	for _, text := range append(ring, turning...) {
		p, got := parse(t, text), new(Puzzle)
		data, err := json.Marshal(p)
		if err == nil {
			err = json.Unmarshal(data, got)
		}
		if err != nil || !reflect.DeepEqual(got, p) {
			t.Errorf("%v: %+v, want %+v", err, got, p)
		}
	}
}

// Each error is at its place, and says what is wrong.
func TestErrors(t *testing.T) {
	const set = "Set p 3 2\nSolved\nEnd\n"
	deep := strings.Repeat("(", maxNested)
	for text, want := range map[string]string{
		"":                         "line 1, column 1: no definition of a puzzle: expected moves in cycles",
		"Name":                     "line 1, column 1: no definition",
		"R: (1 2)":                 "line 1, column 1: no definition",
		strings.Repeat(" ", 2<<20): "line 1, column 1: the text has 2097152 bytes, expected at most 1048576",

		"Set p":                            "no definition",
		"Name a\nSet p 3":                  "line 2, column 1: expected 3 words behind Set, found 2",
		"Name a\nName b":                   "line 2, column 1: the puzzle has two names: a is the first",
		"Name a\nSet p three 1":            `line 2, column 7: expected a number from 0 to 65535, found "three"`,
		"Set p 1000000 1":                  `line 1, column 7: expected a number from 0 to 65535, found "1000000"`,
		"Set p 5000 1":                     "line 1, column 5: set p has 5000 places: expected at least one, and at most 4096 in all sets together",
		"Set p 4000 1\nSet q 100 1":        "line 2, column 5: set q has 100 places",
		"Set p 0 1":                        "line 1, column 5: set p has 0 places",
		"Set p 3 0":                        "line 1, column 5: set p has 0 orientations: expected 1 to 255",
		"Set p 3 256":                      "line 1, column 5: set p has 256 orientations",
		"Set p 3 1\nSet p 3 1":             "line 2, column 5: set p is there twice",
		"Set 3 3 1":                        "line 1, column 5: a set cannot be named 3",
		"Set End 3 1":                      "line 1, column 5: a set cannot be named End",
		set + "Set q 3 1":                  "line 4, column 5: set q comes too late",
		set:                                "line 3, column 1: the puzzle has no moves",
		set + set:                          "line 4, column 5: set p comes too late",
		set + "Solved\nEnd":                "line 4, column 1: the puzzle has two solved states",
		"Set p 3 2\nMove a\nEnd":           "line 3, column 1: the text ends without a solved state",
		"Set p 3 2\nSolved\np\n1 2\nEnd":   "line 4, column 1: found 2 numbers: set p has 3 places",
		"Set p 3 2\nSolved\np\n0 1 2\nEnd": "line 4, column 1: set p: expected a number from 1 to",
		"Set p 3 2\nSolved\np\n1 2 3\n0 0 2\nEnd":    "line 5, column 5: set p: expected a number from 0 to 1, found 2",
		"Set p 3 2\nSolved\np\n1 2 3\n0 0\nEnd":      "line 5, column 1: found 2 numbers",
		"Set p 3 2\nSolved\np\n1 1 3\n0 ? 0\nEnd":    "line 5, column 3: set p: of two pieces that are alike, the orientation of one is open",
		"Set p 3 2\nSolved\nq\n1 2 3\nEnd":           `line 3, column 1: expected the name of a set, or End, found "q"`,
		"Set p 3 2\nSolved\np\nEnd":                  "line 3, column 1: found 0 numbers: set p has 3 places",
		"Set p 3 2\nSolved\np\n1 2 3\np\n1 2 3\nEnd": "line 5, column 1: set p is there twice in this Solved",
		"Set p 3 2\nSolved\np\n1 2 3":                "line 4, column 1: the text ends within the command Solved of line 2: expected End",
		"Set p 3 2\nSolved 1\nEnd":                   "line 2, column 1: expected 0 words behind Solved, found 1",
		set + "Move a\np\n1 2 3\n0 0 0\n0 0 0\nEnd":  `line 8, column 1: expected the name of a set, or End, found "0 0 0"`,
		set + "Move a\np\n1 2 2\nEnd":                "line 6, column 5: set p: 2 is there twice: expected each number from 1 to 3 once",
		set + "Move a\np\n1 2 4\nEnd":                "line 6, column 5: set p: expected a number from 1 to 3, found 4",
		set + "MoveTransformation a\np\n1 2 3\nEnd":  "line 6, column 5: set p: expected a number from 0 to 2, found 3",
		set + "Move a\np\n1 2 -3\nEnd":               `line 6, column 5: expected a number from 0 to 65535, found "-3"`,
		set + "Move a\np\n1 2 ?\nEnd":                `line 6, column 5: expected a number from 0 to 65535, found "?"`,
		set + "Move a\np\n1 2 3\n0 0 2\nEnd":         "line 7, column 5: set p: expected a number from 0 to 1, found 2",
		set + "Move a\np\n1 2 3\n0 0\nEnd":           "line 7, column 1: found 2 numbers",
		set + "Move a\np\n1 2 3 4\nEnd":              "line 6, column 1: found 4 numbers: set p has 3 places",
		set + "Move a\np\n1 2 3\nMove b\nEnd":        `line 7, column 1: expected the name of a set, or End, found "Move b"`,
		set + "Move a\np\n1 2 3\n":                   "line 6, column 1: the text ends within the command Move of line 4: expected End",
		set + "Move a\nEnd\nMove a\nEnd":             "line 6, column 6: move a is there twice: the other is in line 4",
		set + "Move\nEnd":                            "line 4, column 1: expected 1 words behind Move, found 0",
		set + "Move x\nEnd":                          "line 5, column 1: the puzzle has no moves",
		set + "Block\np\n1 2\nEnd":                   "line 4, column 1: Block is not supported",
		set + "ForbiddenPairs\na a\nEnd":             "line 4, column 1: ForbiddenPairs is not supported",
		set + "Ignore\np\n1 1 1":                     "line 6, column 1: the text ends within the command Ignore of line 4",
		set + "Turn a\nEnd":                          `line 4, column 1: unknown command "Turn"`,
		set + "MoveSequence a":                       "line 4, column 1: expected a name and moves behind MoveSequence",
		"Set p 4096 2\nSolved\nEnd\nMove a\nEnd\nMoveSequence b" + strings.Repeat(" a65535", 5000): "line 6, column 14: the sequence b: the sequences make more moves than is supported: 2057 with their amounts, of 4096 places",
		set + "MoveSequence a b c":                   "line 4, column 14: the sequence a: there is no move b",
		set + "MoveSequence a b b\nMoveSequence b a": "line 4, column 14: the sequence a leads back to itself",
		set + "Move a\nEnd\nMoveAlias b a c":         "line 6, column 1: expected 2 words behind MoveAlias, found 3",
		set + "Move a\nEnd\nMoveAlias b a2147483648": "line 6, column 11: the sequence b: the amount 2147483648 is too large",
		set + "Move a\nEnd\nMoveSequence b (a":       "line 6, column 14: the sequence b: it ends within brackets: expected )",
		set + "Move a\nEnd\nMoveSequence b [a":       "line 6, column 14: the sequence b: it ends within brackets: expected : or ,",
		set + "Move a\nEnd\nMoveSequence b a)":       "line 6, column 14: the sequence b: found ), expected a move",
		set + "Move a\nEnd\nMoveSequence b " + deep:  "line 6, column 14: the sequence b: expected at most 64 brackets within each other",
		set + "Move a\nEnd\nMoveSequence b (a)c":     `line 6, column 14: the sequence b: found "c" behind a bracket, expected an amount such as 2'`,
		set + "Illegal p a 1":                        `line 4, column 11: expected a number from 0 to 65535, found "a"`,
		"Set p 3 1\nIllegal p 1 1":                   "line 2, column 1: expected a set, a place and pieces behind Illegal, and the solved state before it",
		set + "Illegal p 1":                          "line 4, column 1: expected a set, a place and pieces",
		set + "Illegal q 1 1":                        "line 4, column 9: there is no set q",
		set + "Illegal p 4 1":                        "line 4, column 11: expected a place from 1 to 3, found 4",
		set + "Illegal p 3 4":                        "line 4, column 13: the solved state has no piece 4 in set p",
		set + "Illegal p 3 3":                        "line 4, column 13: the solved state has piece 3 at place 3, where it is illegal",

		"a = (1 2":                       `line 1, column 5: expected a cycle in brackets, such as (1 3 8 6), found "(1 2"`,
		"a = (1 2) 3":                    `line 1, column 11: expected a cycle in brackets`,
		"a = (1 2)\nb =":                 "line 2, column 4: expected cycles behind =",
		"a = 1 2 3":                      `line 1, column 5: expected a cycle in brackets, such as (1 3 8 6), found "1 2 3"`,
		"a = (1 2)(2 3)":                 "line 1, column 11: 2 is there twice",
		"a = (1 2 1)":                    "line 1, column 10: 1 is there twice",
		"a = (0 1)":                      `line 1, column 6: expected the number of a place, from 1 to 4096, found "0"`,
		"a = (1 1000000)":                `line 1, column 8: expected the number of a place, from 1 to 4096, found "1000000"`,
		"a = (1 b)":                      `line 1, column 8: expected the number of a place`,
		"a = (1 2)\na = (1 3)":           "line 2, column 1: move a is there twice: the other is in line 1",
		"a = (1 2)\na b = (1 3)":         `line 2, column 1: expected a move in cycles, such as R = (1 3 8 6)(2 5 7 4), or once name: or solved: with a text, found "a b = (1 3)"`,
		"a = (1 2)\nb":                   `line 2, column 1: expected a move in cycles`,
		"a = (1 2)\ncolour: red":         `line 2, column 1: expected a move in cycles, such as R = (1 3 8 6)(2 5 7 4), or once name: or solved: with a text, found "colour: red"`,
		"name: a\nname: b\na = (1 2)":    "line 2, column 1: expected a move in cycles",
		"solved:\na = (1 2)":             "line 1, column 1: expected a move in cycles",
		"a = (1 2)(3 4)\nsolved: A B C ": "line 1, column 13: there is no place 4: line 2 has the colours of 3 places",
		"a = ()":                         "line 1, column 1: set pieces has 0 places",

		"{":  "line 1, column 1: this is no JSON: unexpected end of JSON input",
		"{}": "line 1, column 3: the puzzle has no orbits",
		"{\"moves\": 3, \"orbits\": [], \"defaultPattern\": {}}":                             "line 1, column 11: moves: expected an object, found 3",
		"{\n \"moves\": {\"a\": {}, \"a\": {}}, \"orbits\": null, \"defaultPattern\": null}": `line 2, column 21: moves: "a" is there twice`,
		"{\n \"name\": 3}":       "line 2, column 10: name: expected a text, found number",
		"{\n \"name\": \"a\"} {": "line 2, column 15: this is no JSON: invalid character '{' after top-level value",
		turning[2] + "x":         "line 8, column 43: this is no JSON: invalid character 'x' after top-level value",
		`{"orbits": [{"orbitName": "a", "numPieces": 2, "numOrientations": 1}], "defaultPattern": null}`: "line 1, column 72: defaultPattern has 0 orbits, expected 1",
		turning[2][:300]: "line 4, column 76: this is no JSON: unexpected end of JSON input",
		strings.Replace(turning[2], `"numPieces": 2`, `"numPieces": 5000`, 1):                  "line 1, column 2: set a has 5000 places: expected at least one, and at most 4096",
		strings.Replace(turning[2], `"numPieces": 2`, `"numPieces": 3`, 1):                     "line 3, column 2: found 2 numbers: set a has 3 places",
		strings.Replace(turning[2], `[1, 0], "orientationD`, `[1, 1], "orD`, 1):                "line 6, column 2: set a: 1 is there twice: expected each number from 0 to 1 once",
		strings.Replace(turning[2], `Delta": [2, 1]`, `Delta": [2, 4]`, 1):                     "line 6, column 2: set a: expected a number from 0 to 3, found 4",
		strings.Replace(turning[2], `Delta": [2, 1]`, `Delta": [2, -1]`, 1):                    "line 6, column 7: move T, orbit a: orientationDelta: expected lists of numbers from 0 on, found number -1",
		strings.Replace(turning[2], `Delta": [2, 1]`, `Delta": [2, 1`, 1):                      "line 6, column 56: this is no JSON: invalid character '}' after array element",
		strings.Replace(turning[2], `"orientationMod": [4, 1]`, `"x": 1`, 1):                   "",
		strings.Replace(turning[2], `"orientationMod": [4, 1]`, `"orientationMod": [3, 1]`, 1): "line 3, column 2: orientation 3 with orientationMod 3: expected a divisor of 4",
		strings.Replace(turning[2], `"orientationMod": [4, 1]`, `"orientationMod": [4, 2]`, 1): "line 3, column 2: orientationMod 2 is not supported: expected 1 or 4, or the same for all pieces",
		strings.Replace(turning[2], `"orientationMod": [4, 1]`, `"orientationMod": [4]`, 1):    "line 3, column 2: found 1 numbers",
		strings.Replace(turning[2], "\n\t\"b\": {\"perm", "\n\t\"c\": {\"perm", 1):             `line 7, column 2: there is no orbit "c", and another one is missing`,
		strings.Replace(turning[2], "\n\t\"b\": {\"pieces\"", "\n\t\"c\": {\"pieces\"", 1):     `line 4, column 2: there is no orbit "c", and another one is missing`,
		strings.Replace(turning[2], "\"a\": {\"pieces\": [1, 0], ", "\"a\": {", 1):             "line 3, column 2: found 0 numbers: set a has 2 places",
		strings.Replace(turning[2], "T3 T3", "T3 S", 1):                                        "line 8, column 18: the sequence Xv: there is no move S",
	} {
		p, err := Parse(text)
		var at *cells.SyntaxError
		switch {
		case want == "" && err != nil:
			t.Errorf("%v:\n%.200s", err, text)
		case want != "" && (!errors.As(err, &at) || p != nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%v, want %s:\n%.200s", err, want, text)
		}
	}
	many := set
	for i := range MaxMoves + 1 {
		many += fmt.Sprintf("Move m%d\nEnd\n", i)
	}
	if _, err := Parse(many); err == nil || err.Error() != "line 2052, column 6: expected at most 1024 moves" {
		t.Error(err)
	}
}

// What tells a solver how to search makes no difference.
func TestIgnored(t *testing.T) {
	want := parse(t, ring[1])
	got := parse(t, strings.Replace(ring[1], "Move b\n", "Ignore\npieces\n1 1 1 1 1 1\nEnd\nMultiplicators\na 4\nEnd\nParallelMoves\na b\nEnd\nMove b\n", 1))
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range append(ring, turning...) {
		f.Add(text)
	}
	f.Add("Set p 3 2\nSolved\nEnd\nMove a\np\n2 3 1\nEnd\nMoveSequence b [a: (a a2')2] [a, a]\nMoveAlias c b'\nMove Uv\nEnd\nIllegal p 1 2 3\nIgnore\nEnd")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse(text)
		if err == nil {
			check(t, p)
			return
		}
		var at *cells.SyntaxError
		if !errors.As(err, &at) || p != nil || at.Line < 1 || at.Line > strings.Count(text, "\n")+1 || at.Col < 1 {
			t.Errorf("%v", err)
		}
	})
}

// times returns a move n times.
func (p *Puzzle) times(m [][]From, n int) [][]From {
	all := p.still()
	for range n {
		all = p.then(all, m)
	}
	return all
}

func sprint(values ...any) string { return strings.TrimSpace(fmt.Sprintln(values...)) }
