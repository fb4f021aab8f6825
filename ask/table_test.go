package ask_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"pagoda/ask"
)

func TestTable(t *testing.T) {
	table := ask.NewTable(100, func(row int) string { return fmt.Sprint("row ", row) },
		ask.NewField("tens", "the first digit", func(row int) uint64 { return uint64(row / 10) }),
		ask.NewField("ones", "the last digit", func(row int) uint64 { return uint64(row % 10) }))
	for _, c := range []struct {
		where, sort string
		limit       int
		want        []int
	}{
		{"tens == ones && tens > 6", "", 0, []int{77, 88, 99}},
		{"tens == ones && tens > 6", "-tens", 2, []int{99, 88}},
		{"", "ones, -tens", 3, []int{90, 80, 70}},
		{"", "", 3, []int{0, 1, 2}},
		{"tens > 9", "ones", 0, []int{}},
	} {
		if got, err := table.Pick(t.Context(), c.where, c.sort, c.limit); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v, %v", c, got, err)
		}
	}
	describe, err := table.Describer([]string{"ones", "tens", "ones"})
	if err != nil {
		t.Fatal(err)
	}
	if m, err := describe(47); err != nil || m.String() != "row 47  ones=7  tens=4" {
		t.Errorf("%v, %v", m, err)
	}
	if fields := table.Fields(); len(fields) != 2 || fields[1].Name != "ones" {
		t.Errorf("%v", fields)
	}
}

// Rows that lack a field are left out where it is named, whatever the rest of the expression says.
func TestPartialField(t *testing.T) {
	failed := errors.New("failed")
	table := ask.NewTable(10, func(row int) string { return fmt.Sprint("row ", row) },
		ask.NewField("ones", "the digit", func(row int) uint64 { return uint64(row) }),
		ask.NewPartialField("halves", "half of an even digit", func(row int) bool { return row%2 == 0 }, func(row int) (int64, error) {
			if row == 8 {
				return 0, failed
			}
			return int64(row / 2), nil
		}))
	for _, c := range []struct {
		where, sort string
		want        []int
	}{
		{"ones < 4", "", []int{0, 1, 2, 3}},
		{"ones < 8 && halves > 0", "", []int{2, 4, 6}},
		{"ones < 8 && (halves > 2 || ones < 5)", "", []int{0, 2, 4, 6}},
		{"ones < 8", "-halves", []int{6, 4, 2, 0}},
	} {
		if got, err := table.Pick(t.Context(), c.where, c.sort, 0); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v, %v", c, got, err)
		}
	}
	if _, err := table.Pick(t.Context(), "halves > 0", "", 0); !errors.Is(err, failed) {
		t.Errorf("a field that fails: %v", err)
	}
	describe, err := table.Describer([]string{"ones", "halves"})
	if err != nil {
		t.Fatal(err)
	}
	for row, want := range map[int]string{4: "row 4  ones=4  halves=2", 5: "row 5  ones=5"} {
		if m, err := describe(row); err != nil || m.String() != want {
			t.Errorf("%v, %v, want %s", m, err, want)
		}
	}
	if _, err := describe(8); !errors.Is(err, failed) {
		t.Errorf("a field that fails: %v", err)
	}
}

func TestTableErrors(t *testing.T) {
	table := ask.NewTable(10, func(row int) string { return fmt.Sprint("row ", row) }, ask.NewField("ones", "the digit", func(row int) uint64 { return uint64(row) }))
	for _, c := range []struct{ where, sort, want string }{
		{"onse > 3", "", `where "onse > 3": character 1: there is no field "onse"; did you mean ones?`},
		{"moves > 3", "", `there is no field "moves", expected ones`},
		{"ones", "", "expected true or false"},
		{"1 % ones == 0", "", "% divides by zero for row 0"},
		{"", "ones > 3", "key 1 is true or false"},
	} {
		_, err := table.Pick(t.Context(), c.where, c.sort, 0)
		question(t, err, c.want)
	}
	_, err := table.Describer([]string{"once"})
	question(t, err, `show "once"`)
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(enough)
	if _, err := table.Pick(ctx, "", "", 0); !errors.Is(err, enough) {
		t.Errorf("%v", err)
	}
}
