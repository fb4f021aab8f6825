package chance_test

import (
	"reflect"
	"strings"
	"testing"

	"pagoda/statespace"
	"pagoda/statespace/chance"
)

// Objectives that are read have names that are read as the same objectives.
func FuzzObjectives(f *testing.F) {
	open, ends := board(f, 2, 3, 0), board(f, 2, 3, 32)
	for _, text := range []string{"score,tile", "target>-score>length", "discount:0.95:8", "moves:16,moves", "tile:16 > score", "score,,", "tile:", ">", "discount::", "-"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, g := range []statespace.Game{open, ends} {
			all, err := chance.ParseObjectives(g, text)
			if err != nil {
				continue
			}
			var names []string
			for _, o := range all {
				names = append(names, o.Name)
			}
			again, err := chance.ParseObjectives(g, strings.Join(names, ","))
			if err != nil || !reflect.DeepEqual(again, all) {
				t.Errorf("%q: %v, then %v, %v", text, all, again, err)
			}
		}
	})
}
