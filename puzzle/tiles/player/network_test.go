package player

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pagoda/internal/long"
	"pagoda/statespace"
)

func train(t testing.TB, g Game, o Training) *Network {
	t.Helper()
	n, err := NewNetwork(g, 100, 0)
	if err == nil {
		err = n.Train(context.Background(), g, o)
	}
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func smallGame(t testing.TB) Game {
	g, err := New2048(2, 2, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// The value is the same for all images of a board, and the sum of plain lookups.
func TestNetworkValue(t *testing.T) {
	for _, shape := range [][2]int{{2, 2}, {1, 5}, {2, 3}, {3, 2}} {
		g, _ := New2048(shape[0], shape[1], 0.1)
		if shape[0]*shape[1] > 5 && !long.Tests {
			continue
		}
		n, _ := NewNetwork(g, 0, 0)
		r := rand.New(rand.NewPCG(1, 1))
		for i := range n.tuples {
			for k := range n.tuples[i].weights {
				n.tuples[i].weights[k] = math.Float32bits(float32(k % 1009))
			}
		}
		for range 50 {
			s := g.Start(r)
			want := float32(0)
			for sym := range g.Grid().Symmetries() {
				image := g.Grid().Image(sym, s.Board)
				if v := n.value(image); abs(v-n.value(s.Board)) > 1e-2 {
					t.Fatalf("%v: an image has the value %v, expected %v", shape, v, n.value(s.Board))
				}
				for _, tu := range n.tuples {
					index, at := 0, 0
					for c := range g.Grid().Cells() {
						if tu.cells>>c&1 != 0 {
							index |= int(image.At(c)) << (4 * at)
							at++
						}
					}
					want += float32(index % 1009)
				}
			}
			if v := n.value(s.Board); abs(v-want) > 1e-2 {
				t.Fatalf("%v: %v, expected %v", shape, v, want)
			}
		}
	}
}

// On 2x2 the network has a weight for each board: it comes near the best play, 66.964149457101.
func TestTraining(t *testing.T) {
	g := smallGame(t)
	n := train(t, g, Training{Games: 8000, Seed: 1, Threads: 1})
	if again := train(t, g, Training{Games: 8000, Seed: 1, Threads: 1}); !slices.Equal(again.tuples[0].weights, n.tuples[0].weights) {
		t.Error("the same seed trains another network")
	}
	shared := train(t, g, Training{Games: 8000, Seed: 2, Threads: 3})
	for i, n := range []*Network{n, shared} {
		const games = 10000
		all, seconds, err := Play(context.Background(), g, func() Player { p, _ := NewTrained(g, n, SearchOptions{}); return p }, Options{Games: games, Seed: 3, Threads: 2})
		if err != nil {
			t.Fatal(err)
		}
		// Threads learn from weights that others are changing. On a machine that is busy they are late, and learn less.
		least := []float64{65.5, 35}[i]
		if s := Summarize(g, all, seconds); s.Mean < least || s.Mean > 68.5 || n.Games() != 8000 {
			t.Errorf("network %d: mean %v, games %d", i, s.Mean, n.Games())
		}
	}
}

func TestNetworkFile(t *testing.T) {
	g := smallGame(t)
	n := train(t, g, Training{Games: 300, Seed: 1, Threads: 1})
	var file bytes.Buffer
	if err := n.Write(&file); err != nil {
		t.Fatal(err)
	}
	data := file.Bytes()
	again, err := ReadNetwork(bytes.NewReader(data), g, 0)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(again.tuples[0].weights, n.tuples[0].weights) || again.Games() != 300 || again.seed != 1 || again.Moves() != n.Moves() {
		t.Error("the network differs after it was written and read")
	}
	for i := 0; i < len(data); i += 1 + i/20 {
		bad := slices.Clone(data)
		bad[i] ^= 0x20
		if _, err := ReadNetwork(bytes.NewReader(bad), g, 0); err == nil {
			t.Errorf("a flipped bit in byte %d is not found", i)
		}
		if _, err := ReadNetwork(bytes.NewReader(data[:i]), g, 0); !errors.Is(err, ErrNetwork) {
			t.Errorf("cut to %d bytes: %v", i, err)
		}
	}
	if _, err := ReadNetwork(bytes.NewReader(append(slices.Clone(data), 1)), g, 0); !errors.Is(err, ErrNetwork) {
		t.Errorf("one byte more: %v", err)
	}
	at := len(networkMagic) + 4 + 4 + len(g.Name()) + 3*8 // of the initial weight
	for _, weight := range []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 2e30} {
		for _, at := range []int{at, at + 4 + 2 + 8} { // and of the first one that was trained
			bad := slices.Clone(data)
			le := binary.LittleEndian
			le.PutUint32(bad[at:], math.Float32bits(weight))
			le.PutUint32(bad[len(bad)-4:], crc32.Checksum(bad[:len(bad)-4], castagnoli))
			if _, err := ReadNetwork(bytes.NewReader(bad), g, 0); !errors.Is(err, ErrNetwork) || !strings.Contains(err.Error(), "it has the weight") {
				t.Errorf("a weight of %v: %v", weight, err)
			}
		}
	}
	other, _ := New2048(1, 4, 0.1)
	if _, err := ReadNetwork(bytes.NewReader(data), other, 0); err == nil {
		t.Error("a network for another board is read")
	}
}

// A network is refused before its tables are made: they may be large where the file is small.
func TestNetworkMemory(t *testing.T) {
	g, _ := New2048(4, 4, 0.1)
	var file bytes.Buffer
	n := newNetwork(g)
	if err := n.Write(&file); err != nil { // without weights
		t.Fatal(err)
	}
	const need = 4 << 24 * 4
	for what, read := range map[string]func(memory uint64) error{
		"play":  func(m uint64) error { _, err := ReadNetwork(bytes.NewReader(file.Bytes()), g, m); return err },
		"train": func(m uint64) error { _, err := NewNetwork(g, 0, 3*m); return err },
	} {
		if err := read(need - 1); !errors.Is(err, statespace.ErrMemory) || !strings.Contains(err.Error(), "the network for 2048/4x4 needs") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := ReadNetwork(bytes.NewReader(file.Bytes()), g, need); !errors.Is(err, ErrNetwork) { // it may be read, and ends
		t.Error(err)
	}
}

func TestTrainingStops(t *testing.T) {
	g := smallGame(t)
	n, _ := NewNetwork(g, 0, 0)
	ctx, cancel := context.WithCancel(t.Context())
	var done atomic.Int64
	go func() {
		for done.Load() == 0 {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	if err := n.Train(ctx, g, Training{Threads: 2, Done: &done}); err != nil || n.Games() == 0 {
		t.Errorf("%v, %d games", err, n.Games())
	}
}

// A game is learned as by the definition: the target of a slide is half the next gain and the value
// after it, a quarter the next two gains and the value after these, and so on.
func TestTrainGame(t *testing.T) {
	g := smallGame(t)
	n := train(t, g, Training{Games: 50, Seed: 1, Threads: 1})
	var file bytes.Buffer
	if err := n.Write(&file); err != nil {
		t.Fatal(err)
	}
	plain, err := ReadNetwork(&file, g, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []*Network{n, plain} {
		n.tuples[0].rates = make([]uint64, len(n.tuples[0].weights))
	}
	slides, ended := n.trainGame(context.Background(), g, rand.New(rand.NewPCG(1, 99)))
	if !ended || len(slides) < 4 {
		t.Fatalf("ended %v after %d slides", ended, len(slides))
	}
	learned := make([]float32, len(slides)) // values of afterstates just after they were learned
	for i := len(slides) - 1; i >= 0; i-- {
		target, weight, gained := float32(0), float32(1), float32(0)
		for k := i + 1; k < len(slides); k++ {
			gained += slides[k].gain
			target += weight * (1 - lambda) * (gained + learned[k])
			weight *= lambda
		}
		target += weight * gained // that to the end of the game
		plain.learn(slides[i].after, target-plain.value(slides[i].after))
		learned[i] = plain.value(slides[i].after)
	}
	changed := 0
	for x, w := range n.tuples[0].weights {
		if want := float64(math.Float32frombits(plain.tuples[0].weights[x])); math.Abs(float64(math.Float32frombits(w))-want) > 1e-2 {
			t.Fatalf("weight %#x is %v, want %v", x, math.Float32frombits(w), want)
		} else if want != float64(n.initial) {
			changed++
		}
	}
	if changed < 4 {
		t.Errorf("%d weights have changed", changed)
	}
}
