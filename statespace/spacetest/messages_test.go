package spacetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pagoda/statespace"
	"pagoda/statespace/cells"
	"pagoda/statespace/internal/toys"
)

// What people read whose space is wrong: the space, the law, the state, and what is wrong there.
func TestMessages(t *testing.T) {
	count, hanoi, lights := toys.Countdown{Start: 9}, toys.NewHanoi(2), toys.NewLights(1, 2, 0)
	calls := 0
	for _, tt := range []struct {
		name  string
		space statespace.Space
		want  string
	}{
		{"a predecessor is missing", space{Space: count, predecessors: func(dst edges, x index) edges {
			return slices.DeleteFunc(count.Predecessors(dst, x), func(e edge) bool { return e.To == 6 })
		}}, `countdown/9 breaks the law "Successors and Predecessors are inverse": at number 6, "6": move 0 leads to number 4, "4"; it is listed 1 times here, and 0 times among the Predecessors there`},
		{"a predecessor too many", space{Space: count, predecessors: func(dst edges, x index) edges {
			if dst = count.Predecessors(dst, x); x == 8 {
				dst = append(dst, edge{To: 9, Move: 0})
			}
			return dst
		}}, `countdown/9 breaks the law "Successors and Predecessors are inverse": at number 8, "8": move 0 comes from number 9, "9"; it is listed 1 times here, and 0 times among the Successors there`},
		{"moves at random", space{Space: count, successors: func(dst edges, x index) edges {
			if calls++; calls > 12 && calls%2 == 0 {
				return dst
			}
			return count.Successors(dst, x)
		}}, `countdown/9 breaks the law "Successors and Predecessors append to a list, and always the same": at number 9, "9": Successors returns [{7 0} {3 1}], and another time []`},
		{"Parse of another state", space{Space: hanoi, parse: func(text string) (index, error) {
			x, err := hanoi.Parse(text)
			return x ^ x&1, err
		}}, `hanoi/2 breaks the law "Parse reads what Format writes, on one line": at number 7, "BC": Parse returns number 6`},
		{"Size is too small", space{Space: count, size: 9, roots: []index{8}},
			`countdown/9 breaks the law "a space has numbers, and all states are below Size": at number 7, "7": move 0 comes from number 9, Size() is 9`},
		{"Size is too large", space{Space: count, size: 12},
			`countdown/9 breaks the law "Successors and Predecessors are inverse": at number 10, "10": move 0 leads to number 8, "8"; it is listed 1 times here, and 0 times among the Predecessors there`},
		{"the root is no state", space{Space: count, roots: []index{10}},
			`countdown/9 breaks the law "a space has numbers, and all states are below Size": at number 10: it is root 0, Size() is 10`},
		{"moves cannot be taken back", undirected{space{Space: count}},
			`countdown/9 breaks the law "every move of an undirected space can be taken back": at number 9, "9": move 0 leads to number 7, "7", and no move leads back`},
		{"a layer is wrong", layered{space{Space: count}, "values", func(x index) int { return int(x) % 5 }, true},
			`countdown/9 breaks the law "every move of a space with layers changes the layer in the same direction": at number 6, "6": move 0 leads from layer 1 to 4; LayersFall() is true`},
		{"a goal is not listed", lister{space{Space: toys.Ring{N: 13, Add: 2}}, []index{2, 7}},
			`ring/13+2 breaks the law "goals are those that a space has and lists": at number 12, "12": it is a goal, and not among the 2 of Goals.All()`},
		{"a goal that is none", lister{space{Space: toys.Ring{N: 13, Add: 2}}, []index{2, 3, 7, 12}},
			`ring/13+2 breaks the law "goals are those that a space has and lists": at number 3, "3": it is among Goals.All(); it comes twice: false; it is a goal: false`},
		{"a symmetry that is none", symmetric{toys.Piles{N: 4}, []symmetry{toys.Map(func(x index) index {
			return []index{0, 2, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}[x] // (0,1) and (0,2)
		})}}, `piles/4 breaks the law "a symmetry takes states to states, roots to themselves and moves to moves, in the same layers": at number 1, "0 and 1": symmetry 1 takes it from layer 1 to layer 2`},
		{"State leaves a cell as it was", celled{Lights: lights, state: func(p cells.Pattern) { p[1] = cells.Any }},
			`lights/1x2 breaks the law "ParsePattern reads what FormatPattern writes, and what Format writes as the state": at number 0, "..": State puts -1 into cell 1, Contents() is 2`},
		{"State of another state", celled{Lights: lights, state: func(p cells.Pattern) { p[0] = 1 }},
			`lights/1x2 breaks the law "ParsePattern reads what FormatPattern writes, and what Format writes as the state": at number 0, "..": ParsePattern reads ".." as [0 0], expected [1 0]`},
		{"ParsePattern without open cells", celled{Lights: lights, parse: func(p cells.Pattern) error {
			if slices.Contains(p, cells.Any) {
				return errors.New("what is ?")
			}
			return nil
		}}, `lights/1x2 breaks the law "ParsePattern reads what FormatPattern writes, and what Format writes as the state": at number 3, "oo": ParsePattern refuses "o?": what is ?`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := Check(t.Context(), tt.space, 30)
			if !strings.HasPrefix(fmt.Sprint(err), tt.want) {
				t.Errorf("%v\nwant %s", err, tt.want)
			}
		})
	}
}
