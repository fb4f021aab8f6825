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

func TestSum(t *testing.T) {
	if sum := lists.Sum([]float64{0.5, 1, 2}); sum != 3.5 {
		t.Errorf("%v", sum)
	}
	if sum := lists.SumOf([]string{"a", "", "bc"}, func(s string) int { return len(s) }); sum != 3 {
		t.Errorf("%v", sum)
	}
}
