package dealing

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

// byDifficulty chooses numbers, each at most once, by their difficulty, which is the number itself.
func byDifficulty(fits func(n, level int) bool) *Chooser[int] {
	used := make(map[int]bool)
	return &Chooser[int]{
		Unit:       "number",
		Difficulty: func(n int) int { return n },
		Fits:       func(n, level int) bool { return !used[n] && fits(n, level) },
		Rank:       func(_, _, off int) [3]int { return [3]int{off} },
		Take:       func(n, _ int) { used[n] = true },
	}
}

func anyLevel(int, int) bool { return true }

// The first number of the pool is taken that is near enough to its place.
func TestChoose(t *testing.T) {
	for _, c := range []struct {
		pool []int
		n    int
		want []int
	}{
		{[]int{0, 10, 20, 30}, 4, []int{0, 10, 20, 30}},
		{[]int{26, 30, 0, 24, 16, 10, 4}, 4, []int{0, 10, 24, 26}}, // 26 is as good as 30 for the last
		{[]int{7, 100, 3}, 1, []int{7}},
		{[]int{3, 9, 9, 4}, 3, []int{3, 4, 9}},
		{[]int{5}, 1, []int{5}},
	} {
		if got, err := byDifficulty(anyLevel).Choose(c.pool, c.n); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%d of %v: %v, %v, want %v", c.n, c.pool, got, err, c.want)
		}
	}
}

// Cards do not become easier, and each fits its level.
func TestOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		pool, n := rng.Perm(60), 1+rng.IntN(20)
		odd := func(x, level int) bool { return level > 1 || x%2 == 1 }
		got, err := byDifficulty(odd).Choose(pool, n)
		if err != nil || len(got) != n || !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != n {
			t.Fatalf("%d of %v: %v, %v", n, pool, got, err)
		}
		for i, x := range got {
			if !odd(x, Level(i, n)) {
				t.Errorf("card %d of %v is even", i, got)
			}
		}
	}
}

// Rank comes before the order of the pool, and Take sees the cards from the hardest on with their levels.
func TestRankAndTake(t *testing.T) {
	c := byDifficulty(anyLevel)
	c.Rank = func(n, _, off int) [3]int { return [3]int{n % 2, off} }
	take, taken := c.Take, [][2]int(nil)
	c.Take = func(n, level int) {
		take(n, level)
		taken = append(taken, [2]int{n, level})
	}
	_, err := c.Choose([]int{49, 42, 31, 20, 50, 11, 40}, 3)
	if want := [][2]int{{42, 2}, {20, 1}, {11, 0}}; err != nil || !slices.Equal(taken, want) {
		t.Errorf("numbers and levels %v, %v, want %v", taken, err, want)
	}
}

func TestFew(t *testing.T) {
	var few *FewError
	for _, c := range []struct {
		pool []int
		want FewError
		text string
	}{
		{nil, FewError{"number", 0, 3}, "no number is fit for a deck"},
		{[]int{4, 2}, FewError{"number", 2, 3}, "only 2 numbers go together in a deck, expected 3"},
	} {
		if got, err := byDifficulty(anyLevel).Choose(c.pool, 3); !errors.As(err, &few) || *few != c.want || err.Error() != c.text {
			t.Errorf("3 of %v: %v, %v, want: %s", c.pool, got, err, c.text)
		}
	}
}

func TestLevels(t *testing.T) {
	for n := 1; n <= MaxCount; n++ {
		cards := make([]int, len(Levels()))
		for i := range n {
			cards[Level(i, n)]++
		}
		if n >= len(cards) && slices.Max(cards)-slices.Min(cards) > 1 {
			t.Errorf("the levels of %d cards have %v", n, cards)
		}
	}
	for n, ok := range map[int]bool{-1: false, 0: false, 1: true, MaxCount: true, MaxCount + 1: false} {
		if err := CheckCount(n); (err == nil) != ok {
			t.Errorf("a deck of %d cards: %v", n, err)
		}
	}
}
