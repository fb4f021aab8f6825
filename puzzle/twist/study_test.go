package twist

import (
	"encoding/csv"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"pagoda/internal/long"
)

// The levels in the data of the study are those of searches now.
func TestStudy(t *testing.T) {
	f, err := os.Open("../../docs/data/permutation-puzzles.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	most, compared := uint64(1e5), 0
	if long.Tests {
		most = 1e8
	}
	for _, row := range rows[1:] {
		name, isNamed := strings.CutPrefix(row[0], FamilyName+"/")
		states, err := strconv.ParseUint(row[2], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		if !isNamed || states > most {
			continue
		}
		compared++
		found := search(t, named(t, name, row[1]), 2)
		last := len(found.Layers) - 1
		got := fmt.Sprintf("%d %d %d %s", found.States(), last, found.Layers[last], strings.Trim(fmt.Sprint(found.Layers), "[]"))
		if want := strings.Join([]string{row[2], row[3], row[4], row[10]}, " "); got != want {
			t.Errorf("%s in %s: %s, want %s", name, row[1], got, want)
		}
	}
	if compared < 15 {
		t.Errorf("%d puzzles are compared: too few", compared)
	}
}
