package lists_test

import (
	"slices"
	"strconv"
	"testing"

	"pagoda/internal/lists"
)

func TestMap(t *testing.T) {
	if made := lists.Map([]int{3, 1, 2}, strconv.Itoa); !slices.Equal(made, []string{"3", "1", "2"}) {
		t.Errorf("%q", made)
	}
	if made := lists.Map([]int{}, strconv.Itoa); made != nil {
		t.Errorf("%q of an empty list, expected nil", made)
	}
}
