package huarong_test

import (
	"slices"
	"strconv"
	"testing"

	"pagoda/internal/csvtest"
	"pagoda/internal/long"
	"pagoda/internal/mapped"
	_ "pagoda/layers/all"
	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/tray"
	_ "pagoda/run/all"
	"pagoda/studies/huarong"
)

// readData returns the rows of a file of docs/data by column.
func readData(t *testing.T, name string) (all []map[string]string) {
	t.Helper()
	rows := csvtest.Rows(t, "../../docs/data/"+name)
	for _, row := range rows[1:] {
		one := make(map[string]string)
		for i, column := range rows[0] {
			one[column] = row[i]
		}
		all = append(all, one)
	}
	return all
}

func number(t *testing.T, row map[string]string, column string) uint64 {
	t.Helper()
	n, err := strconv.ParseUint(row[column], 10, 64)
	if err != nil {
		t.Fatalf("%v: %s: %v", row, column, err)
	}
	return n
}

// TestData compares docs/data/huarong-dao-classes.csv and huarong-dao.csv with each other and with what is published.
func TestData(t *testing.T) {
	known := make(map[string]published)
	for _, p := range readPublished(t) {
		known[p.class] = p
	}
	type key struct{ class, metric string }
	large := make(map[key][]map[string]string)
	same := make(map[string]string) // what is the same in all metrics
	for _, row := range readData(t, "huarong-dao.csv") {
		k := key{row["puzzle"], row["metric"]}
		large[k] = append(large[k], row)
		if d, most, least, r := number(t, row, "diameter"), number(t, row, "diameter_most"), number(t, row, "radius_least"), number(t, row, "radius"); d > most || least > r || r > most || most > 2*r || number(t, row, "hardest") > most {
			t.Errorf("%v: these figures do not fit together", row)
		}
	}
	for _, row := range readData(t, "huarong-dao-classes.csv") {
		k := key{row["puzzle"], row["metric"]}
		if p := (published{k.class, number(t, row, "placements"), number(t, row, "components"), number(t, row, "largest")}); p != known[k.class] {
			t.Errorf("%+v, published is %+v", p, known[k.class])
		}
		all := row["components"] + " " + row["alone"] + " " + row["solvable"] + " " + row["goals"]
		if same[k.class] != "" && same[k.class] != all {
			t.Errorf("%v: other metrics have %s", row, same[k.class])
		}
		same[k.class] = all
		positions, components, largest, hardest := uint64(0), uint64(0), uint64(0), uint64(0)
		for _, c := range large[k] {
			components += number(t, c, "components")
			positions += number(t, c, "components") * number(t, c, "positions")
			largest = max(largest, number(t, c, "positions"))
			hardest = max(hardest, number(t, c, "hardest"))
		}
		if rest := number(t, row, "placements") - positions; components > number(t, row, "components") || rest > 49*(number(t, row, "components")-components) ||
			largest != number(t, row, "largest") && largest+number(t, row, "largest") >= 50 || hardest > number(t, row, "hardest") {
			t.Errorf("%v: the table of components has %d of %d positions, up to %d, the hardest %d", row, components, positions, largest, hardest)
		}
	}
}

// TestRecords solves the hardest start of each class in each metric again: of small classes, unless tests may take long.
func TestRecords(t *testing.T) {
	classes := classes(t, 5, 4)
	rows := readData(t, "huarong-dao-classes.csv")
	rows = slices.DeleteFunc(rows, func(row map[string]string) bool {
		return row["start"] == "" || number(t, row, "placements") > long.Or[uint64](1<<20, 3000)
	})
	err := mapped.Each(t.Context(), 2, uint64(len(rows)), func(i uint64) error {
		row := rows[i]
		c := classes[slices.IndexFunc(classes, func(c huarong.Class) bool { return c.Name == row["puzzle"] })]
		m, err := tray.ParseMetric(row["metric"])
		if err != nil {
			return err
		}
		start, err := c.Puzzle.ParsePosition(row["start"])
		if err != nil {
			return err
		}
		r, err := slide.Solve(t.Context(), c.Puzzle.From(start), m, slide.Options{Threads: 1, ToGoal: true})
		if err != nil || !r.Solved || strconv.Itoa(r.Length) != row["hardest"] {
			t.Errorf("%v: %+v, %v", row, r, err)
		}
		return nil
	})
	if err != nil || len(rows) < 100 {
		t.Errorf("%d records: %v", len(rows), err)
	}
}
