package lunar_test

import (
	"fmt"
	"testing"

	"pagoda/puzzle/lunar"
	"pagoda/puzzle/lunar/board"
	"pagoda/studies/lunardeck"
)

func TestCards(t *testing.T) {
	b, err := board.Find(lunar.DeckBoard)
	if err != nil {
		t.Fatal(err)
	}
	dealt, err := lunardeck.Make(t.Context(), b, "lunar/"+lunar.DeckBoard, lunardeck.Options{Seed: 1, Count: 40, Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	kept, err := lunar.CardsFor(b)
	if err != nil || len(kept) != len(dealt) {
		t.Fatalf("%d cards, %v; want %d", len(kept), err, len(dealt))
	}
	for i, want := range dealt {
		got := kept[i]
		of := func(number int, level, difficulty, pattern string, moves, steps int) string {
			return fmt.Sprint(number, level, difficulty, pattern, moves, steps)
		}
		if g, w := of(got.Number, got.Level, fmt.Sprintf("%.1f", got.Difficulty), got.Pattern, got.Moves, got.Steps),
			of(want.Number, want.Level, fmt.Sprintf("%.1f", float64(want.Difficulty)/10), b.Format(want.Start), want.Moves, want.Steps); g != w {
			t.Errorf("card %s, want %s", g, w)
		}
	}
}
