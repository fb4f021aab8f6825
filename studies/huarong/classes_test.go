package huarong_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"pagoda/internal/csvtest"
	"pagoda/internal/long"
	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/packing"
	"pagoda/puzzle/slide/slidetest"
	"pagoda/puzzle/slide/tray"
	"pagoda/studies/huarong"
)

// A row of testdata/published.csv is what Dnomd343's program klotski says of a class, in src/core/group/internal/constant of
// https://github.com/dnomd343/klotski: its placements, how many components they are, and the positions of the largest one.
type published struct {
	class                           string
	placements, components, largest uint64
}

func readPublished(t *testing.T) (all []published) {
	t.Helper()
	for _, row := range csvtest.Rows(t, "testdata/published.csv")[1:] {
		p := published{class: row[0]}
		var err error
		for i, n := range []*uint64{&p.placements, &p.components, &p.largest} {
			if *n, err = strconv.ParseUint(row[1+i], 10, 64); err != nil {
				t.Fatal(err)
			}
		}
		all = append(all, p)
	}
	return all
}

func classes(t *testing.T, rows, cols int) []huarong.Class {
	t.Helper()
	all, err := huarong.Classes(rows, cols)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestClasses counts 29,334,498 placements in 203 classes, as published, each class by itself.
func TestClasses(t *testing.T) {
	known := make(map[string]published)
	for _, p := range readPublished(t) {
		known[p.class] = p
	}
	total := uint64(0)
	all := classes(t, 5, 4)
	for _, c := range all {
		pk, err := packing.New(t.Context(), c.Puzzle, 0)
		if err != nil {
			t.Fatal(err)
		}
		total += pk.Size()
		if want := known[c.Name].placements; pk.Size() != want {
			t.Errorf("%s has %d placements, want %d", c.Name, pk.Size(), want)
		}
	}
	if len(all) != 203 || len(known) != 203 || total != 29_334_498 {
		t.Errorf("%d placements in %d classes, want 29,334,498 in 203", total, len(all))
	}
}

// TestPublished compares the components of classes with those that are published: of all classes if tests may take long.
func TestPublished(t *testing.T) {
	known := readPublished(t)
	components, placements := 0, uint64(0)
	for _, c := range classes(t, 5, 4) {
		at := slices.IndexFunc(known, func(p published) bool { return p.class == c.Name })
		if !long.Tests && known[at].placements > 3000 {
			continue
		}
		p := published{class: c.Name}
		err := slide.FindComponents(t.Context(), c.Puzzle, tray.Steps, 1, slide.Options{Threads: 2}, func(c *slide.Component) error {
			p.placements += c.Diameter.States
			p.components++
			p.largest = max(p.largest, c.Diameter.States)
			return nil
		})
		if err != nil || p != known[at] {
			t.Fatalf("%+v, %v, want %+v", p, err, known[at])
		}
		components, placements = components+int(p.components), placements+p.placements
	}
	if long.Tests && (components != 25_422 || placements != 29_334_498) {
		t.Errorf("%d components of %d placements, want 25,422 of 29,334,498", components, placements)
	}
}

// A figures is a component, with the keys of positions.
type figures struct {
	first, start                           string
	states, goals, starts                  uint64
	diameter, most, least, radius, hardest int
}

// plain finds the components by a search from every position.
func plain(p *tray.Puzzle, m tray.Metric, number func(key string) uint64) (all []figures) {
	keys := slidetest.Placements(p)
	slices.SortFunc(keys, func(a, b string) int { return int(number(a)) - int(number(b)) })
	moves := make(map[string][]string)
	for _, key := range keys {
		for _, s := range p.Successors(m, p.PositionOf(key)) {
			moves[key] = append(moves[key], p.Key(s.To))
		}
	}
	seen := make(map[string]bool)
	for _, first := range keys {
		if seen[first] {
			continue
		}
		f := figures{first: first}
		members, _ := search(moves, first)
		slices.SortFunc(members, func(a, b string) int { return int(number(a)) - int(number(b)) })
		f.states, f.radius = uint64(len(members)), len(members)
		var goals []string
		for _, key := range members {
			seen[key] = true
			_, far := search(moves, key)
			f.diameter, f.radius = max(f.diameter, far[len(far)-1]), min(f.radius, far[len(far)-1])
			if p.Solved(p.PositionOf(key)) {
				goals = append(goals, key)
			}
		}
		f.goals, f.most, f.least = uint64(len(goals)), f.diameter, f.radius
		if len(goals) > 0 {
			reached, far := search(moves, goals...)
			f.hardest = far[len(far)-1]
			var starts []string
			for i, key := range reached {
				if far[i] == f.hardest {
					starts = append(starts, key)
				}
			}
			f.starts = uint64(len(starts))
			f.start = slices.MinFunc(starts, func(a, b string) int { return int(number(a)) - int(number(b)) })
		}
		all = append(all, f)
	}
	return all
}

// search returns what moves reach from some positions, and their distances.
func search(moves map[string][]string, from ...string) (reached []string, far []int) {
	at := make(map[string]bool)
	for _, key := range from {
		at[key] = true
		reached, far = append(reached, key), append(far, 0)
	}
	for i := 0; i < len(reached); i++ {
		for _, to := range moves[reached[i]] {
			if !at[to] {
				at[to] = true
				reached, far = append(reached, to), append(far, far[i]+1)
			}
		}
	}
	return reached, far
}

// TestComponents compares all classes of small trays with the plain search, on several threads.
func TestComponents(t *testing.T) {
	hard, mixed := 0, 0 // components with hardest starts, and those without a goal beside some with one
	for _, size := range long.Or([][2]int{{2, 3}, {3, 2}, {3, 3}, {2, 5}, {3, 4}, {4, 3}}, [][2]int{{2, 3}, {3, 2}, {3, 3}, {2, 5}}) {
		for _, c := range classes(t, size[0], size[1]) {
			p := c.Puzzle
			pk, err := packing.New(t.Context(), p, 0)
			if err != nil {
				t.Fatal(err)
			}
			number := func(key string) uint64 {
				x, _ := pk.Rank(p.PositionOf(key))
				return x
			}
			if pk.Size() > long.Or[uint64](2500, 400) {
				continue
			}
			for m := range tray.Metric(tray.Metrics) {
				want := plain(p, m, number)
				for _, threads := range []int{1, 2, 7} {
					var got []figures
					err := slide.FindComponents(t.Context(), p, m, 0, slide.Options{Threads: threads}, func(c *slide.Component) error {
						d, h := c.Diameter, c.Hardest
						f := figures{p.Key(c.First), "", d.States, h.Goals, h.Count, d.Diameter, d.Most, d.Least, d.Radius, h.Length}
						if len(h.Starts) > 0 {
							f.start = p.Key(h.Starts[0])
						}
						if !d.Exact || !h.Exact || len(d.Pairs) > 0 {
							return fmt.Errorf("%+v, %+v: not exact, or with pairs", d, h)
						}
						got = append(got, f)
						return nil
					})
					if err != nil || !reflect.DeepEqual(got, want) {
						t.Fatalf("%dx%d %s, %v, %d threads: %v\n got %+v\nwant %+v", size[0], size[1], c.Name, m, threads, err, got, want)
					}
				}
				solvable := slices.ContainsFunc(want, func(f figures) bool { return f.hardest > 0 })
				for _, f := range want {
					if f.hardest > 0 {
						hard++
					} else if solvable {
						mixed++
					}
				}
			}
		}
	}
	if min(hard, mixed) < 20 {
		t.Errorf("%d components have hardest starts, and %d others in the same class none: these are too few", hard, mixed)
	}
}

// TestSearches: with few searches there are bounds, and they hold.
func TestSearches(t *testing.T) {
	for _, c := range classes(t, 5, 4) {
		if c.Name != "huarong-dao/0-2-2" {
			continue
		}
		find := func(ctx context.Context, searches int) (d *slide.Diameter) {
			err := slide.FindComponents(ctx, c.Puzzle, tray.Moves, searches, slide.Options{Threads: 1}, func(c *slide.Component) error {
				d = c.Diameter
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			return d
		}
		few, all := find(t.Context(), 5), find(t.Context(), 0)
		if few.Searches > 6 || few.Exact || !all.Exact || few.Diameter > all.Diameter || few.Most < all.Diameter || few.Least > all.Radius || few.Radius < all.Radius {
			t.Errorf("5 searches: %+v, all: %+v", few, all)
		}
		plain, err := slide.FindDiameter(t.Context(), c.Puzzle, tray.Moves, slide.Options{Threads: 1})
		if err != nil || plain.Diameter != all.Diameter || plain.Radius != all.Radius || plain.States != all.States {
			t.Errorf("FindDiameter: %+v, %v, want %+v", plain, err, all)
		}
		return
	}
}
