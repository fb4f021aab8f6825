package player

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"pagoda/internal/lists"
	"pagoda/internal/mapped"
	"pagoda/puzzle/tiles/glide"
)

// A Played is the end of a game.
type Played struct {
	Number int // of the game, from 0
	Score  int64
	Max    uint8 // the highest tile
	Moves  int
	Record string // if Options.Records
}

// Options say which games are played.
type Options struct {
	Games   int // at least 1
	Seed    uint64
	Threads int // at least 1
	Records bool
	// Done, if not nil, counts the games that have ended.
	Done *atomic.Int64
	// Watch, if not nil, makes a watcher for each thread.
	Watch func() Watcher
}

// A Watcher sees games as they are played, one after another. One goroutine uses it at a time.
type Watcher interface {
	// Move sees a slide.
	Move(s State, d glide.Direction)
	// End says that the slides since the last End were those of a game, which has ended.
	End(number int)
}

// random numbers of game k of a seed: those of chance, and those of the player
func sources(seed uint64, number int) (chance, player *rand.Rand) {
	return rand.New(rand.NewPCG(seed, uint64(2*number))), rand.New(rand.NewPCG(seed, uint64(2*number+1)))
}

// Play plays games with players, one for each thread. When ctx ends, it returns the games that have
// ended, and the cause. Games are in order of their numbers.
func Play(ctx context.Context, g Game, player func() Player, o Options) (all []Played, seconds float64, err error) {
	if o.Games < 1 || o.Threads < 1 {
		return nil, 0, fmt.Errorf("expected at least one game and one thread, found %d and %d", o.Games, o.Threads)
	}
	begin := time.Now()
	type worker struct {
		p Player
		w Watcher
	}
	workers := make([]worker, min(o.Threads, o.Games))
	for i := range workers {
		workers[i].p = player()
		if o.Watch != nil {
			workers[i].w = o.Watch()
		}
	}
	var mutex sync.Mutex
	err = mapped.EachWith(ctx, workers, uint64(o.Games), func(w worker, i uint64) error {
		one, ok := playOne(ctx, g, w.p, w.w, o, int(i))
		if !ok {
			return context.Cause(ctx)
		}
		if w.w != nil {
			w.w.End(int(i))
		}
		mutex.Lock()
		all = append(all, one)
		mutex.Unlock()
		if o.Done != nil {
			o.Done.Add(1)
		}
		return nil
	})
	seconds = time.Since(begin).Seconds()
	slices.SortFunc(all, func(a, b Played) int { return a.Number - b.Number })
	return all, seconds, err
}

func playOne(ctx context.Context, g Game, p Player, w Watcher, o Options, number int) (one Played, ok bool) {
	chance, own := sources(o.Seed, number)
	s := g.Start(chance)
	one.Number = number
	var record strings.Builder
	if o.Records {
		fmt.Fprintf(&record, "%s", startText(g, s))
	}
	for {
		if one.Moves&63 == 0 && ctx.Err() != nil {
			return one, false
		}
		d, can := p.Choose(own, s)
		if !can {
			break
		}
		after, gain, moved := g.Slide(s, d)
		if !moved { // the game has ended, which its player need not know
			break
		}
		if w != nil {
			w.Move(s, d)
		}
		s = g.Draw(chance, after)
		one.Score += int64(gain)
		one.Moves++
		if o.Records {
			record.WriteByte(' ')
			record.WriteString(moveText(g, d, after, s))
		}
	}
	one.Max = glide.Max(s.Board)
	one.Score = g.Score(one.Score, s.Board)
	if o.Records {
		one.Record = fmt.Sprintf("%s seed %d game %d score %d: %s", g.Name(), o.Seed, number, one.Score, record.String())
	}
	return one, true
}

func startText(g Game, s State) string {
	text := g.Grid().Format(s.Board)
	if hint := g.Hint(s); hint != "" {
		text += ">" + hint
	}
	return text
}

var letters = [glide.Directions]byte{'u', 'd', 'l', 'r'}

// moveText is a slide, the cell where a tile appears, from 0, its number, and the hint.
func moveText(g Game, d glide.Direction, after, to State) string {
	for cell := range g.Grid().Cells() {
		if after.Board.At(cell) != to.Board.At(cell) {
			text := fmt.Sprintf("%c%d:%d", letters[d], cell, g.Grid().Numbers[to.Board.At(cell)])
			if hint := g.Hint(to); hint != "" {
				text += ">" + hint
			}
			return text
		}
	}
	return string(letters[d])
}

// Replay plays the game of a record again, and checks it by the rules of the Game: it knows no player, and tests
// hold the rules against plain ones. It checks that each slide may be made, that each tile may appear where it does,
// that the game has ended, and the score. Visit, if not nil, gets each state, the slide and what it leads to.
func Replay(g Game, record string, visit func(before State, d glide.Direction, after, to State)) (one Played, err error) {
	head, body, ok := strings.Cut(strings.TrimSpace(record), ": ")
	words := strings.Fields(head)
	if n := len(words); !ok || n < 7 || words[n-6] != "seed" || words[n-4] != "game" || words[n-2] != "score" {
		return one, fmt.Errorf("expected a record such as %q, found %.80q", g.Name()+" seed 1 game 0 score 32: START MOVES", record)
	}
	if name := strings.Join(words[:len(words)-6], " "); name != g.Name() {
		return one, fmt.Errorf("expected a game of %s, found one of %.60q", g.Name(), name)
	}
	if one.Number, err = strconv.Atoi(words[len(words)-3]); err != nil {
		return one, fmt.Errorf("expected the number of the game, found %.20q", words[len(words)-3])
	}
	claimed, err := strconv.ParseInt(words[len(words)-1], 10, 64)
	if err != nil {
		return one, fmt.Errorf("expected a score, found %.20q", words[len(words)-1])
	}
	moves := strings.Fields(body)
	if len(moves) == 0 {
		return one, fmt.Errorf("expected the start of the game after the colon, found nothing")
	}
	board, hint, _ := strings.Cut(moves[0], ">")
	s, err := g.Parse(board, hint)
	if err != nil {
		return one, fmt.Errorf("the start: %w", err)
	}
	var draws []Draw
	for i, word := range moves[1:] {
		d := slices.Index(letters[:], word[0])
		if d < 0 {
			return one, fmt.Errorf("move %d: expected u, d, l or r first, found %.20q", i+1, word)
		}
		after, gain, moved := g.Slide(s, glide.Direction(d))
		if !moved {
			return one, fmt.Errorf("move %d: a move %v moves nothing in %s", i+1, glide.Direction(d), startText(g, s))
		}
		draws = g.Draws(draws[:0], after)
		found := slices.IndexFunc(draws, func(to Draw) bool { return moveText(g, glide.Direction(d), after, to.To) == word })
		if found < 0 {
			return one, fmt.Errorf("move %d: %.20q puts a tile where it cannot appear, or one that cannot come, in %s", i+1, word, startText(g, after))
		}
		if visit != nil {
			visit(s, glide.Direction(d), after, draws[found].To)
		}
		s = draws[found].To
		one.Score += int64(gain)
		one.Moves++
	}
	for d := range glide.Direction(glide.Directions) {
		if _, _, moved := g.Slide(s, d); moved {
			return one, fmt.Errorf("the record ends after %d moves, and %s still has a slide %v", one.Moves, startText(g, s), d)
		}
	}
	one.Max = glide.Max(s.Board)
	one.Record = strings.TrimSpace(record)
	if one.Score = g.Score(one.Score, s.Board); one.Score != claimed {
		return one, fmt.Errorf("the game scores %d, and the record says %d", one.Score, claimed)
	}
	return one, nil
}

// A Share is how often a tile was reached, with a 95 % interval (Wilson).
type Share struct {
	Tile    uint64  `json:"tile"`
	Games   int     `json:"games"`
	Percent float64 `json:"percent"`
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
}

// A Summary is what games have in common. Low and High are a 95 % interval of the mean, by the normal
// distribution; they are the mean if there is one game.
type Summary struct {
	Games          int     `json:"games"`
	Moves          int     `json:"moves"`
	Mean           float64 `json:"mean"`
	Low            float64 `json:"mean_low"`
	High           float64 `json:"mean_high"`
	Median         float64 `json:"median"`
	Least          int64   `json:"least"`
	Most           int64   `json:"most"`
	Tiles          []Share `json:"tiles"`
	Seconds        float64 `json:"seconds"`
	MovesPerSecond float64 `json:"moves_per_second"`
}

// Summarize sums games up. Tiles that all games reach are left out, but for the highest.
func Summarize(g Game, games []Played, seconds float64) (s Summary) {
	s.Games, s.Seconds = len(games), seconds
	if s.Games == 0 {
		return s
	}
	n := float64(s.Games)
	var scores []int64
	var reached [16]int
	for _, one := range games {
		s.Moves += one.Moves
		s.Mean += float64(one.Score) / n
		scores = append(scores, one.Score)
		for t := range one.Max + 1 {
			reached[t]++
		}
	}
	if seconds > 0 {
		s.MovesPerSecond = float64(s.Moves) / seconds
	}
	slices.Sort(scores)
	s.Least, s.Most = scores[0], scores[len(scores)-1]
	s.Median = float64(scores[(len(scores)-1)/2]+scores[len(scores)/2]) / 2
	squares := lists.SumOf(scores, func(x int64) float64 { return (float64(x) - s.Mean) * (float64(x) - s.Mean) })
	s.Low, s.High = MeanInterval(s.Mean, squares, s.Games)
	s.Tiles = []Share{}
	for t := uint8(1); t < 16 && reached[t] > 0; t++ {
		if reached[t] == s.Games && t < 15 && reached[t+1] == s.Games {
			continue
		}
		low, high := Wilson(reached[t], s.Games)
		s.Tiles = append(s.Tiles, Share{g.Grid().Numbers[t], reached[t], 100 * float64(reached[t]) / n, 100 * low, 100 * high})
	}
	return s
}

const normal = 1.959963984540054 // 95 % of the normal distribution lies within

// MeanInterval returns the 95 % interval of a mean of n numbers, by the normal distribution. Squares is the sum of
// the squares of their differences from the mean. It is the mean itself if there is one number.
func MeanInterval(mean, squares float64, n int) (low, high float64) {
	if n < 2 {
		return mean, mean
	}
	half := normal * math.Sqrt(squares/float64(n-1)/float64(n))
	return mean - half, mean + half
}

// Wilson returns the 95 % interval of a chance that has come true k times in n, after E. B. Wilson 1927.
func Wilson(k, n int) (low, high float64) {
	p, m, z := float64(k)/float64(n), float64(n), normal*normal
	center := (p + z/(2*m)) / (1 + z/m)
	half := normal * math.Sqrt(p*(1-p)/m+z/(4*m*m)) / (1 + z/m)
	return max(0, center-half), min(1, center+half)
}
