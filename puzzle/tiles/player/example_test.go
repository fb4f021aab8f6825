package player_test

import (
	"context"
	"fmt"

	"pagoda/puzzle/tiles/player"
)

func Example() {
	g, err := player.New2048(3, 3, 0.1)
	if err != nil {
		panic(err)
	}
	all, _, err := player.Play(context.Background(), g, func() player.Player { return player.NewCorner(g) }, player.Options{Games: 1, Seed: 3, Threads: 1, Records: true})
	if err != nil {
		panic(err)
	}
	one, err := player.Replay(g, all[0].Record, nil)
	fmt.Println(one.Score, one.Moves, err)
	// Output:
	// 204 33 <nil>
}
